//! What the tests of the language share: models from text or file, and what a check finds.
#![allow(dead_code)] // each test program uses its own part of this

pub mod console;

use std::path::Path;

use crisol::checker::{CheckUntil, DeadVariables, verify};
use crisol::csm::{Configuration, Semantics};
use crisol::evidence::{CheckResult, Statistics, Trace, Verdict};
use crisol::lang::{Diagnostic, Model, ObjectId, SignalId, StateId, check, parse};
use crisol::search::Budget;
use crisol::system::Target;

pub fn model(text: &str) -> Model {
    model_with(text, &[])
}

pub fn model_with(text: &str, define: &[(&str, &str)]) -> Model {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:#?}");
    let define = define
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()));
    let (model, errors) = check(&file, &define.collect());
    model.unwrap_or_else(|| panic!("{errors:#?}"))
}

/// A shipped model, by its path under `models/`.
pub fn shipped(path: &str, define: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("models")
        .join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    model_with(&text, define)
}

/// The diagnostics of a model that is not right.
pub fn errors(text: &str) -> Vec<Diagnostic> {
    let (file, errors) = parse(text);
    if !errors.is_empty() {
        return errors;
    }
    let (model, errors) = check(&file, &Vec::new());
    assert!(model.is_none(), "the model was accepted");
    errors
}

pub fn findings(model: &Model) -> CheckResult {
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let budget = Budget {
        max_states: Some(2_000_000),
        ..Budget::default()
    };
    verify(
        model,
        &all,
        CheckUntil::Everything,
        DeadVariables::Keep,
        &budget,
        &mut |_| {},
    )
    .expect("no contradiction")
}

pub fn statistics(model: &Model) -> Statistics {
    findings(model).statistics
}

pub fn verdict(model: &Model, property: &str) -> Verdict {
    let index = model.properties.iter().position(|p| p.name == property);
    let index = index.unwrap_or_else(|| panic!("no property {property}"));
    let findings = findings(model);
    let found = findings
        .results
        .into_iter()
        .find(|result| result.property == index);
    found.expect("a judgement").verdict
}

pub fn holds(model: &Model, property: &str) -> bool {
    matches!(verdict(model, property), Verdict::Holds { .. })
}

/// The shortest trace to a violation.
pub fn trace(model: &Model, property: &str) -> Trace {
    match verdict(model, property) {
        Verdict::Violated(trace) => *trace,
        other => panic!("{property} is not violated but {}", other.name()),
    }
}

pub fn object(model: &Model, name: &str) -> ObjectId {
    let position = model.objects.iter().position(|object| object.name == name);
    ObjectId::new(position.expect("an object"))
}

pub fn signal(model: &Model, name: &str) -> SignalId {
    let position = model.signals.iter().position(|signal| signal.name == name);
    SignalId::new(position.expect("a signal"))
}

pub fn state(model: &Model, object: ObjectId, name: &str) -> StateId {
    let states = &model.machine_of(object).states;
    let position = states.iter().position(|state| state.name == name);
    StateId::new(position.unwrap_or_else(|| panic!("no state {name}")))
}

/// The one initial configuration.
pub fn start(model: &Model) -> Configuration {
    let mut starts = Semantics::exact(model).initial();
    assert_eq!(starts.len(), 1);
    match starts.remove(0).result {
        Target::State(configuration) => configuration,
        other => panic!("{other:?}"),
    }
}

/// Makes these states active, each in its region; the rest is as at the start.
pub fn put(model: &Model, at: &mut Configuration, object: ObjectId, names: &[&str]) {
    for name in names {
        let id = state(model, object, name);
        let region = model.machine_of(object).state(id).region;
        at.object_mut(object).regions[region.index()] = Some(id);
    }
}

/// The names of the active states of an object, outer ones first.
pub fn active(model: &Model, at: &Configuration, object: ObjectId) -> Vec<String> {
    let machine = model.machine_of(object);
    let active = at.object(object).active_states(machine);
    active
        .iter()
        .map(|id| machine.state(*id).name.clone())
        .collect()
}
