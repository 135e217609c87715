//! Two models side by side.

use std::collections::BTreeMap;

use crisol::checker::{CheckUntil, DeadVariables, verify};
use crisol::lang::{Diagnostic, Model, check, flatten, parse, print};
use crisol::search::Budget;

/// What must not change.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub deadlocks: u64,
    pub complete: bool,
    /// The length of the shortest trace, or the verdict.
    pub properties: BTreeMap<String, String>,
}

pub fn checked(text: &str, define: &[&str]) -> Result<Model, Vec<Diagnostic>> {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let pair = |text: &&str| {
        let (name, value) = text.split_once('=').expect("NAME=VALUE");
        (name.to_owned(), value.to_owned())
    };
    let (model, errors) = check(&file, &define.iter().map(pair).collect());
    model.ok_or(errors)
}

pub fn typed(text: &str, define: &[&str]) -> Model {
    checked(text, define).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

pub fn flat_text(text: &str) -> String {
    let flat = flatten(&parse(text).0);
    print(&flat.unwrap_or_else(|errors| panic!("{errors:#?}\n{text}")))
}

pub fn explore(model: &Model, max_states: Option<u64>) -> Found {
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let budget = Budget {
        max_states,
        ..Budget::default()
    };
    let findings = verify(
        model,
        &all,
        CheckUntil::Everything,
        DeadVariables::Keep,
        &budget,
        &mut |_| {},
    );
    let findings = findings.expect("no contradiction");
    let outcome = |result: &crisol::evidence::PropertyResult| {
        let name = model.properties[result.property].name.clone();
        let outcome = match result.verdict.trace() {
            Some(trace) => format!("violated after {}", trace.length()),
            None => result.verdict.name().to_owned(),
        };
        (name, outcome)
    };
    let statistics = &findings.statistics;
    Found {
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        deadlocks: statistics.deadlocks,
        complete: statistics.stopped.is_none(),
        properties: findings.results.iter().map(outcome).collect(),
    }
}

/// The flat text of a model, once it has been seen to behave as the model does.
pub fn same(text: &str) -> String {
    let flat = flat_text(text);
    let machines = typed(&flat, &[]).classes.into_iter().map(|c| c.machine);
    for machine in machines {
        assert_eq!(machine.regions.len(), 1, "not flat:\n{flat}");
    }
    let (before, after) = (
        explore(&typed(text, &[]), None),
        explore(&typed(&flat, &[]), None),
    );
    assert_eq!(before, after, "\n{text}\nbecomes\n{flat}");
    flat
}
