//! A check from the model to the verdicts: explore, replay what was found, judge.

mod certify;
mod refining;

pub use certify::{Certified, NotCertified, Proof, abstract_proofs, certify, concrete_proofs};
pub use refining::{split_line, verify_by_refinement};

use std::time::Instant;

use crate::csm::system::CsmSystem;
use crate::csm::{Exact, Semantics, Step};
use crate::evidence::{
    CheckResult, Dead, InternalError, Pace, PropertyResult, Samples, Statistics, Unknown, Verdict,
    by_level, replay,
};
use crate::lang::{FaultKind, Model, PropertyBody};
use crate::search::{Bfs, Budget, Completion, Exploration, Progress, StopWhen};
use crate::system::PropertyId;

/// How far a check goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckUntil {
    /// Until every property is decided.
    Decide,
    /// Until the first violation.
    FirstViolation,
    /// The whole space, whatever is violated.
    Everything,
}

/// Whether variables that no run can read any more tell states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadVariables {
    Keep,
    /// They have one fixed value: fewer states, the same verdicts, the same shortest traces.
    Reset,
}

/// Checks these properties of a model.
pub fn verify(
    model: &Model,
    properties: &[usize],
    extent: CheckUntil,
    dead_variables: DeadVariables,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckResult, InternalError> {
    let start = Instant::now();
    let semantics = Semantics::exact(model);
    let system = match dead_variables {
        DeadVariables::Keep => CsmSystem::new(&semantics),
        DeadVariables::Reset => CsmSystem::new(&semantics).resetting(),
    };
    let stop_when = stop_when(model, properties, extent);
    let mut pace = Pace::default();
    let progress = &mut |now: Progress| {
        pace.see(start.elapsed(), now.states);
        progress(now);
    };
    let explored = Bfs::default().explore(&system, &stop_when, budget, progress);
    let coverage = system.coverage();
    let mut exploration = explored.exploration;
    exploration.end.tell_which(coverage.too_many());
    let judged = properties
        .iter()
        .map(|property| judge(&semantics, &exploration, *property));
    let results = judged.collect::<Result<Vec<_>, _>>()?;
    let complete = exploration.end == Completion::Complete;
    let dead = complete.then(|| Dead {
        states: coverage.dead_states(model),
        transitions: coverage.dead_transitions(model),
    });
    pace.see(start.elapsed(), exploration.states);
    let mut statistics = statistics(&exploration, start, budget.threads());
    statistics.samples.pace = pace;
    statistics.engine = explored.engine.lines(exploration.states);
    Ok(CheckResult {
        results,
        statistics,
        dead,
        refinement: None,
    })
}

fn stop_when(model: &Model, properties: &[usize], extent: CheckUntil) -> StopWhen {
    let checked = properties
        .iter()
        .filter(|property| unsupported(model, **property).is_none());
    let checked: Vec<PropertyId> = checked.map(|property| PropertyId(*property)).collect();
    match extent {
        CheckUntil::Everything if checked.is_empty() => StopWhen::Counted,
        CheckUntil::Everything => StopWhen::Everything,
        CheckUntil::Decide => StopWhen::Decide(checked),
        CheckUntil::FirstViolation => StopWhen::FirstOf(checked),
    }
}

/// Why a property can't be checked by this version, if it can't.
fn unsupported(model: &Model, property: usize) -> Option<Unknown> {
    match &model.properties[property].body {
        PropertyBody::Temporal(_) => Some(Unknown::NotSupported("temporal formulas are")),
        PropertyBody::NoFault(FaultKind::Livelock, _) => Some(Unknown::NotSupported("livelock is")),
        _ => None,
    }
}

fn judge(
    semantics: &Semantics<'_, Exact>,
    exploration: &Exploration<Step>,
    property: usize,
) -> Result<PropertyResult, InternalError> {
    let found = exploration
        .violations
        .iter()
        .find(|v| v.property == PropertyId(property));
    let verdict = match (
        unsupported(semantics.model(), property),
        found,
        &exploration.end,
    ) {
        (Some(unknown), _, _) => Verdict::Unknown(unknown),
        (None, Some(violation), _) => {
            let trace = replay(semantics, &violation.steps, Some(property));
            let name = &semantics.model().properties[property].name;
            let wrong = |error| InternalError(format!("the trace of `{name}` is wrong: {error}"));
            Verdict::Violated(Box::new(trace.map_err(wrong)?))
        }
        (None, None, Completion::Complete) => Verdict::Holds {
            up_to_bound: exploration.was_bounded,
        },
        (None, None, end) => Verdict::Unknown(unknown(end)),
    };
    Ok(PropertyResult { property, verdict })
}

fn unknown(end: &Completion) -> Unknown {
    match end {
        Completion::Stopped(reason) => Unknown::Stopped(reason.clone()),
        Completion::GoalMet | Completion::Complete => Unknown::FirstViolation,
    }
}

fn statistics(exploration: &Exploration<Step>, start: Instant, threads: usize) -> Statistics {
    Statistics {
        states: exploration.states,
        transitions: exploration.transitions,
        depth: exploration.depth,
        deadlocks: exploration.deadlocks,
        elapsed: start.elapsed(),
        peak_memory_bytes: peak_memory_bytes(),
        threads,
        rounds: 1,
        engine: Vec::new(),
        samples: Samples {
            levels: by_level(&exploration.levels),
            pace: Pace::default(),
        },
        stopped: match &exploration.end {
            Completion::Stopped(reason) => Some(reason.to_string()),
            _ => None,
        },
    }
}

/// The most memory that this process has had; 0 where the system does not tell.
pub fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}
