//! Two explorations side by side.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crisol::search::{Budget, Completion, Exploration, Progress, StopWhen, Violation};

use crate::agreement::engine::Dead;
use crate::agreement::seeds::Extent;
use crate::agreement::subject::Subject;

const THREADS: [usize; 4] = [1, 2, 4, 8];

/// What does not depend on who explores.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub end: Completion,
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub levels: Vec<u64>,
    pub deadlocks: u64,
    pub was_bounded: bool,
    /// By violated property the number of steps to it.
    pub violated: BTreeMap<usize, usize>,
}

impl<Step> From<&Exploration<Step>> for Found {
    fn from(exploration: &Exploration<Step>) -> Found {
        let violations = exploration.violations.iter();
        let length = |violation: &Violation<Step>| (violation.property.0, violation.steps.len());
        Found {
            end: exploration.end.clone(),
            states: exploration.states,
            transitions: exploration.transitions,
            depth: exploration.depth,
            levels: exploration.levels.clone(),
            deadlocks: exploration.deadlocks,
            was_bounded: exploration.was_bounded,
            violated: violations.map(length).collect(),
        }
    }
}

/// The whole space, as the reference sees it; nothing if it is too large for this test.
pub fn whole_space<S: Subject>(subject: &S) -> Option<Exploration<S::Step>> {
    let (budget, mut watch) = budget();
    let everything = StopWhen::Everything;
    let exploration = subject.reference(Dead::Keep, &everything, &budget, &mut watch);
    (exploration.end == Completion::Complete).then_some(exploration)
}

/// What stops what is too large, and who has to be shown the progress for that.
pub fn budget() -> (Budget, impl FnMut(Progress)) {
    let extent = Extent::usual();
    let budget = Budget {
        max_states: Some(extent.states),
        ..Budget::default()
    };
    let interrupt = Arc::clone(&budget.interrupt);
    let watch = move |now: Progress| {
        let is_large = now.transitions > extent.transitions;
        interrupt.fetch_or(is_large, Ordering::Relaxed);
    };
    (budget, watch)
}

/// Whether the engine finds what the reference finds, whatever is asked and however many threads it
/// has; and whether its traces are runs of the model.
pub fn agree<S: Subject>(subject: &S) -> Result<(), String> {
    let Some(everything) = whole_space(subject) else {
        return Ok(());
    };
    for stop_when in goals(subject, &everything) {
        let expected = match stop_when {
            StopWhen::Everything => everything.clone(),
            _ => subject.reference(Dead::Keep, &stop_when, &Budget::default(), &mut |_| {}),
        };
        for threads in THREADS {
            let found = subject.engine(Dead::Keep, threads, &stop_when, &patience());
            let (expected, same) = (Found::from(&expected), Found::from(&found));
            if expected != same {
                return Err(format!(
                    "with {threads} threads and {stop_when:?} the engine finds\n{same:?}\n\
                     where the reference finds\n{expected:?}"
                ));
            }
            for violation in &found.violations {
                subject.confirm(violation).map_err(|why| {
                    format!("with {threads} threads and {stop_when:?} a trace is wrong: {why}")
                })?;
            }
        }
    }
    Ok(())
}

/// With dead variables reset there are no more states, and the same verdicts by traces of the same
/// lengths.
pub fn resets<S: Subject>(subject: &S) -> Result<(), String> {
    let Some(everything) = whole_space(subject) else {
        return Ok(());
    };
    let expected = Found::from(&everything);
    let everything = StopWhen::Everything;
    let judge = subject.reference(Dead::Reset, &everything, &patience(), &mut |_| {});
    let judge = Found::from(&judge);
    for threads in [1, 4] {
        let found = subject.engine(Dead::Reset, threads, &StopWhen::Everything, &patience());
        let reset = Found::from(&found);
        let same = reset.violated == expected.violated && reset.was_bounded == expected.was_bounded;
        if !same || reset.end != expected.end || reset.states > expected.states {
            return Err(format!(
                "with dead variables reset the engine finds\n{reset:?}\n\
                 where the reference finds\n{expected:?}"
            ));
        }
        if reset != judge {
            return Err(format!(
                "with dead variables reset the engine finds\n{reset:?}\n\
                 where the reference, with the same, finds\n{judge:?}"
            ));
        }
        for violation in &found.violations {
            let confirmed = subject.confirm(violation);
            confirmed
                .map_err(|why| format!("with dead variables reset a trace is wrong: {why}"))?;
        }
    }
    Ok(())
}

/// An engine that goes round in a circle is stopped.
fn patience() -> Budget {
    Budget {
        max_time: Some(Duration::from_secs(60)),
        ..Budget::default()
    }
}

/// Goals that are met late, early and never.
fn goals<S: Subject>(subject: &S, everything: &Exploration<S::Step>) -> Vec<StopWhen> {
    let violated = everything.violations.iter();
    vec![
        StopWhen::Everything,
        StopWhen::Decide(subject.properties()),
        StopWhen::Decide(violated.map(|violation| violation.property).collect()),
        StopWhen::FirstOf(subject.properties()),
    ]
}
