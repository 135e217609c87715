//! The language reference (`src/lang/README.md`), sentence by sentence: small models, each with the
//! verdicts, trace lengths and reached states that it promises.

mod arithmetic;
mod declarations;
mod environment;
mod faults;
mod hierarchy;
mod history;
mod inboxes;
mod lints;
mod properties;
mod pseudostates;
mod run_to_completion;
mod simulation;
mod statements;
mod triggers;

use crate::common::*;
use crisol::csm::{Configuration, Fault, Semantics, Successor};
use crisol::evidence::Verdict;
use crisol::lang::Model;
use crisol::system::Target;
use std::collections::HashSet;

/// One object `o` that executes an effect on its way from `Start` to `Done`.
fn program(declarations: &str, variables: &str, effect: &str) -> String {
    format!(
        "{declarations}
         class C {{ {variables}
           initial -> Start; state Start; final Done;
           Start -> Done / {{ {effect} }} }}
         object o: C;
         property unfinished : never o in Done;"
    )
}

/// The effect can be executed to its end, and never goes wrong.
#[track_caller]
fn passes(declarations: &str, variables: &str, effect: &str) {
    let model = model(&program(declarations, variables, effect));
    assert_eq!(violated(&model), ["unfinished"], "{effect}");
}

/// The names of the properties that are violated.
fn violated(model: &Model) -> Vec<String> {
    let results = findings(model).results.into_iter();
    results
        .filter(|result| matches!(result.verdict, Verdict::Violated(_)))
        .map(|result| model.properties[result.property].name.clone())
        .collect()
}

/// How a property is violated, and the piece of source that is blamed.
#[track_caller]
fn blame(text: &str, property: &str) -> (Fault, String) {
    let model = model(text);
    let fault = fault_of(&model, property);
    let span = fault.span.expect("a place in the source");
    let blamed = &text[span.start as usize..span.end as usize];
    (fault, blamed.to_owned())
}

#[track_caller]
fn fault_of(model: &Model, property: &str) -> Fault {
    let violates = trace(model, property).violates;
    violates.and_then(|(_, fault)| fault).expect("a fault")
}

/// The effect goes wrong in this way, at this place.
#[track_caller]
fn goes_wrong(variables: &str, effect: &str, property: &str, place: &str) {
    let (_, blamed) = blame(&program("", variables, effect), property);
    assert_eq!(blamed, place, "{effect}");
}

/// Where the shortest way to a violation of the property ends.
#[track_caller]
fn reached(model: &Model, property: &str) -> Configuration {
    let steps = trace(model, property).steps;
    let last = steps.into_iter().last().expect("a step");
    last.after.expect("a configuration")
}

/// A variable of an object, in the words of the model.
fn shown(model: &Model, at: &Configuration, name: &str, variable: &str) -> String {
    let id = object(model, name);
    let mut variables = model.class_of(id).variables.iter();
    let declared = variables.find(|v| v.name == variable).expect("a variable");
    let values = &at.object(id).values[declared.offset..][..declared.ty.length()];
    let shown = values.iter().map(|v| model.show(*v, declared.ty.element()));
    shown.collect::<Vec<_>>().join(" ")
}

/// A number of an object.
fn number(model: &Model, at: &Configuration, name: &str, variable: &str) -> i64 {
    shown(model, at, name, variable).parse().expect("a number")
}

/// The codes of the errors of a model that is refused.
fn codes(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<&str> = errors(text).iter().map(|error| error.code).collect();
    codes.dedup();
    codes
}

/// One object `o` that gets these signals, one after the other, and writes a number for everything
/// that happens to it into `log`: `L(3)` stands for `log = log * 10 + 3;`.
fn machine(body: &str, signals: &[&str]) -> Model {
    let sends: Vec<String> = signals.iter().map(|s| format!("send o.{s};")).collect();
    let text = format!(
        "signal a, b, c, d;
         integer log;
         class C {{ bool yes = true; int x; {body} }}
         class Driver {{ initial -> S; state S; final T; S -> T / {{ {} }} }}
         object o: C;
         object driver: Driver;
         inbox * capacity 9;
         allow deadlock;
         property never_ends : never driver in T && !queued(a) && !queued(b) && !queued(c) && !queued(d);",
        sends.join(" ")
    );
    model(&logged(&text))
}

fn logged(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("L(") {
        let close = at + rest[at..].find(')').expect("a bracket");
        result += &rest[..at];
        result += &format!("log = log * 10 + {};", &rest[at + 2..close]);
        rest = &rest[close + 1..];
    }
    result + rest
}

/// The log, and the active states of `o`, once all signals are taken and nothing can happen.
#[track_caller]
fn story(body: &str, signals: &[&str]) -> (String, String) {
    story_of(&machine(body, signals))
}

#[track_caller]
fn story_of(model: &Model) -> (String, String) {
    let mut ends = ends(model);
    assert_eq!(ends.len(), 1, "{ends:?}");
    ends.remove(0)
}

/// The same for every way in which a run can end, in order and without repetition.
#[track_caller]
fn stories(body: &str, signals: &[&str]) -> Vec<(String, String)> {
    ends(&machine(body, signals))
}

#[track_caller]
fn ends(model: &Model) -> Vec<(String, String)> {
    let semantics = Semantics::exact(model);
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut pending: Vec<Configuration> = Vec::new();
    for step in semantics.initial() {
        pending.push(reached_by(&step));
    }
    while let Some(at) = pending.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let steps = semantics.successors(&at);
        if steps.is_empty() {
            let log = model.show(at.globals[0], &model.globals[0].ty);
            found.push((log, active(model, &at, object(model, "o")).join(" ")));
        }
        pending.extend(steps.iter().map(reached_by));
    }
    found.sort();
    found.dedup();
    found
}

#[track_caller]
fn reached_by(step: &Successor) -> Configuration {
    match (&step.result, &step.fault) {
        (Target::State(at), None) => at.clone(),
        other => panic!("{other:?}"),
    }
}

/// A log and states, as `story` gives them.
fn told(log: &str, states: &str) -> (String, String) {
    (log.to_owned(), states.to_owned())
}
