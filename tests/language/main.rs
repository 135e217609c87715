//! The language reference (`src/model/README.md`), sentence by sentence: small models, each with the
//! verdicts, trace lengths and reached states that it promises.

#[path = "../common/mod.rs"]
mod common;

mod arithmetic;
mod declarations;
mod faults;
mod statements;

use common::*;
use crisol::evidence::Verdict;
use crisol::model::Model;
use crisol::semantics::{Configuration, Fault};

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
    let judgements = findings(model).judgements.into_iter();
    judgements
        .filter(|judgement| matches!(judgement.verdict, Verdict::Violated(_)))
        .map(|judgement| model.properties[judgement.property].name.clone())
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
