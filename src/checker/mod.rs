//! A check from the model to the verdicts: explore, replay what was found, judge.

mod certify;
mod refining;

pub use certify::{
    Certified, NotCertified, Proof, abstract_proofs, certify, certify_dve, concrete_proofs,
};
pub use refining::{split_line, verify_by_refinement};

use std::time::Instant;

use crate::csm::system::CsmSystem;
use crate::csm::{Semantics, Step};
use crate::dve::system::DveSystem;
use crate::dve::{self, DVE_PROPERTIES, DveState, DveStep, Program};
use crate::evidence::{
    CheckResult, Dead, InternalError, Pace, PropertyResult, ReplayError, Run, Samples, Statistics,
    Unknown, Verdict, by_level, replay, replay_run,
};
use crate::lang::{FaultKind, Model, PropertyBody};
use crate::search::{Bfs, Budget, Completion, Exploration, Progress, StopWhen};
use crate::system::{Factored, PropertyId};

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
    let semantics = Semantics::exact(model);
    let system = match dead_variables {
        DeadVariables::Keep => CsmSystem::new(&semantics),
        DeadVariables::Reset => CsmSystem::new(&semantics).resetting(),
    };
    let checked = properties
        .iter()
        .copied()
        .filter(|property| unsupported(model, *property).is_none());
    let stop_when = stop_when(checked, extent);
    let (mut exploration, mut statistics) = search(&system, &stop_when, budget, progress);
    let coverage = system.coverage();
    exploration.end.tell_which(coverage.too_many());
    statistics.stopped = stopped(&exploration.end);
    let judged = properties.iter().map(|property| {
        let replayed = |steps: &[Step]| replay(&semantics, steps, Some(*property));
        let name = &model.properties[*property].name;
        match unsupported(model, *property) {
            Some(unknown) => Ok(Verdict::Unknown(unknown)),
            None => judge(&exploration, *property, name, replayed),
        }
    });
    let complete = exploration.end == Completion::Complete;
    Ok(CheckResult {
        results: results(properties.iter().copied(), judged)?,
        statistics,
        complete,
        dead: complete.then(|| Dead {
            states: coverage.dead_states(model),
            transitions: coverage.dead_transitions(model),
        }),
        refinement: None,
    })
}

/// A run of a DVE program.
pub type DveTrace = Run<DveState, DveStep>;

/// Checks these of `DVE_PROPERTIES`.
pub fn verify_dve(
    program: &Program,
    properties: &[usize],
    extent: CheckUntil,
    dead_variables: DeadVariables,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckResult<DveTrace>, InternalError> {
    let reference = dve::Semantics::new(program);
    let system = match dead_variables {
        DeadVariables::Keep => DveSystem::new(program),
        DeadVariables::Reset => DveSystem::new(program).resetting(),
    };
    let named: Vec<(usize, &str)> = properties
        .iter()
        .map(|p| (*p, DVE_PROPERTIES[*p]))
        .collect();
    let replayed = |steps: &[DveStep], property| replay_run(&reference, steps, Some(property));
    verify_system(&system, &named, extent, budget, progress, replayed)
}

/// Checks properties of any system, by number and name. What is violated must be replayed by another.
pub fn verify_system<S: Factored, T>(
    system: &S,
    properties: &[(usize, &str)],
    extent: CheckUntil,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
    replayed: impl Fn(&[S::Action], usize) -> Result<T, ReplayError>,
) -> Result<CheckResult<T>, InternalError> {
    let numbers = properties.iter().map(|(property, _)| *property);
    let stop_when = stop_when(numbers.clone(), extent);
    let (exploration, statistics) = search(system, &stop_when, budget, progress);
    let judged = properties.iter().map(|(property, name)| {
        judge(&exploration, *property, name, |steps| {
            replayed(steps, *property)
        })
    });
    Ok(CheckResult {
        results: results(numbers, judged)?,
        statistics,
        complete: exploration.end == Completion::Complete,
        dead: None,
        refinement: None,
    })
}

/// Explores, and takes notes of how it went.
fn search<S: Factored>(
    system: &S,
    stop_when: &StopWhen,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> (Exploration<S::Action>, Statistics) {
    let start = Instant::now();
    let mut pace = Pace::default();
    let progress = &mut |now: Progress| {
        pace.see(start.elapsed(), now.states);
        progress(now);
    };
    let explored = Bfs::default().explore(system, stop_when, budget, progress);
    let exploration = explored.exploration;
    pace.see(start.elapsed(), exploration.states);
    let mut statistics = statistics(&exploration, start, budget.threads());
    statistics.samples.pace = pace;
    statistics.engine = explored.engine.lines(exploration.states);
    (exploration, statistics)
}

fn stop_when(properties: impl Iterator<Item = usize>, extent: CheckUntil) -> StopWhen {
    let checked: Vec<PropertyId> = properties.map(PropertyId).collect();
    match extent {
        CheckUntil::Everything if checked.is_empty() => StopWhen::Counted,
        CheckUntil::Everything => StopWhen::Everything,
        CheckUntil::Decide => StopWhen::Decide(checked),
        CheckUntil::FirstViolation => StopWhen::FirstOf(checked),
    }
}

fn results<T>(
    properties: impl Iterator<Item = usize>,
    verdicts: impl Iterator<Item = Result<Verdict<T>, InternalError>>,
) -> Result<Vec<PropertyResult<T>>, InternalError> {
    let judged = properties.zip(verdicts).map(|(property, verdict)| {
        Ok(PropertyResult {
            property,
            verdict: verdict?,
        })
    });
    judged.collect()
}

/// Why a property can't be checked by this version, if it can't.
fn unsupported(model: &Model, property: usize) -> Option<Unknown> {
    match &model.properties[property].body {
        PropertyBody::Temporal(_) => Some(Unknown::NotSupported("temporal formulas are")),
        PropertyBody::NoFault(FaultKind::Livelock, _) => Some(Unknown::NotSupported("livelock is")),
        _ => None,
    }
}

/// What an exploration says of a property. A violation is believed only when it was replayed.
fn judge<A, T>(
    exploration: &Exploration<A>,
    property: usize,
    name: &str,
    replayed: impl Fn(&[A]) -> Result<T, ReplayError>,
) -> Result<Verdict<T>, InternalError> {
    let mut violations = exploration.violations.iter();
    let found = violations.find(|violation| violation.property == PropertyId(property));
    match (found, &exploration.end) {
        (Some(violation), _) => {
            let wrong = |error| InternalError(format!("the trace of `{name}` is wrong: {error}"));
            let trace = replayed(&violation.steps).map_err(wrong)?;
            Ok(Verdict::Violated(Box::new(trace)))
        }
        (None, Completion::Complete) => Ok(Verdict::Holds {
            up_to_bound: exploration.was_bounded,
        }),
        (None, end) => Ok(Verdict::Unknown(unknown(end))),
    }
}

fn unknown(end: &Completion) -> Unknown {
    match end {
        Completion::Stopped(reason) => Unknown::Stopped(reason.clone()),
        Completion::GoalMet | Completion::Complete => Unknown::FirstViolation,
    }
}

fn statistics<A>(exploration: &Exploration<A>, start: Instant, threads: usize) -> Statistics {
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
        stopped: stopped(&exploration.end),
    }
}

fn stopped(end: &Completion) -> Option<String> {
    match end {
        Completion::Stopped(reason) => Some(reason.to_string()),
        _ => None,
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
