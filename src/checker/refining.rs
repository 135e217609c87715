//! A check by abstraction and refinement, from the model to the verdicts.

use std::time::Instant;

use super::{peak_memory_bytes, unsupported};
use crate::abstraction::Precision;
use crate::abstraction::cegar::{
    self, Decision, Options, RefinementResult, Round, Split, Stop, is_about_arithmetic,
};
use crate::csm::Semantics;
use crate::evidence::{
    CheckResult, InternalError, Pace, PropertyResult, Refinement, RoundFigures, Samples,
    Statistics, Unknown, Verdict, by_level, replay,
};
use crate::lang::{Model, OnFull};
use crate::search::{Budget, Progress};

/// Checks these properties of a model, beginning with a precision. Gives the rounds as well, for
/// whoever wants to see why they were needed.
pub fn verify_by_refinement(
    model: &Model,
    properties: &[usize],
    precision: Precision,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
    watch: &mut dyn FnMut(&Round),
) -> Result<(CheckResult, RefinementResult), InternalError> {
    let start = Instant::now();
    let checked: Vec<usize> = properties
        .iter()
        .copied()
        .filter(|property| unsupported(model, *property).is_none())
        .collect();
    let options = Options {
        sees_overflow: checked.iter().any(|p| is_about_arithmetic(model, *p)),
        ..options.clone()
    };
    let mut pace = Pace::default();
    let progress = &mut |now: Progress| {
        pace.see(start.elapsed(), now.states);
        progress(now);
    };
    let outcome = cegar::check(
        model, &checked, precision, &options, budget, progress, watch,
    )?;
    let mut results = Vec::new();
    for property in properties {
        results.push(judge(model, *property, &outcome)?);
    }
    let findings = CheckResult {
        results,
        statistics: Statistics {
            states: outcome.states,
            transitions: outcome.transitions,
            depth: outcome.depth,
            deadlocks: 0,
            elapsed: start.elapsed(),
            peak_memory_bytes: peak_memory_bytes(),
            threads: budget.threads(),
            rounds: outcome.rounds.len() as u64,
            engine: outcome.engine.clone(),
            samples: Samples {
                levels: by_level(&outcome.levels),
                pace,
            },
            stopped: None,
        },
        complete: false,
        dead: None,
        refinement: Some(Refinement {
            rounds: outcome
                .rounds
                .iter()
                .map(|round| figures(model, round))
                .collect(),
            precision: outcome.precision.lines(model),
            assumptions: assumptions(model, &options),
            choose_free: choose_free(&outcome),
        }),
    };
    Ok((findings, outcome))
}

fn judge(
    model: &Model,
    property: usize,
    outcome: &RefinementResult,
) -> Result<PropertyResult, InternalError> {
    let decided = outcome
        .decisions
        .iter()
        .find(|(decided, _)| *decided == property);
    let verdict = match (unsupported(model, property), decided) {
        (Some(unknown), _) => Verdict::Unknown(unknown),
        (None, Some((_, Decision::Holds { up_to_bound, .. }))) => Verdict::Holds {
            up_to_bound: *up_to_bound,
        },
        (None, Some((_, Decision::Violated { steps, .. }))) => {
            let trace = replay(&Semantics::exact(model), steps, Some(property));
            let name = &model.properties[property].name;
            let wrong = |error| InternalError(format!("the trace of `{name}` is wrong: {error}"));
            Verdict::Violated(Box::new(trace.map_err(wrong)?))
        }
        (None, Some((_, Decision::Unknown(stop)))) => Verdict::Unknown(unknown(stop)),
        (None, None) => unreachable!("every property that is checked is decided"),
    };
    Ok(PropertyResult { property, verdict })
}

fn unknown(stop: &Stop) -> Unknown {
    match stop.clone() {
        Stop::Budget(reason) => Unknown::AbstractStopped(reason),
        Stop::Rounds(rounds) => Unknown::Rounds(rounds),
        Stop::NoProgress {
            step,
            why,
            relevant,
        } => Unknown::NoProgress {
            step,
            why,
            relevant,
        },
        Stop::Counter(counters) => Unknown::Counter(counters),
        Stop::FirstViolation => Unknown::FirstViolation,
    }
}

fn figures(model: &Model, round: &Round) -> RoundFigures {
    RoundFigures {
        states: round.states,
        transitions: round.transitions,
        elapsed: round.elapsed,
        spurious: round.spurious.clone(),
        splits: round
            .splits
            .iter()
            .map(|split| split_line(model, split))
            .collect(),
    }
}

/// `Agent.account: ..-1, 0, 1..`
pub fn split_line(model: &Model, split: &Split) -> String {
    format!("{}: {}", split.place.name(model), split.after)
}

/// The properties whose abstract counterexamples had no guesses.
fn choose_free(outcome: &RefinementResult) -> Vec<usize> {
    let is_free = |decision: &Decision| {
        matches!(
            decision,
            Decision::Violated {
                is_choose_free: true,
                ..
            }
        )
    };
    let free = outcome
        .decisions
        .iter()
        .filter(|(_, decision)| is_free(decision));
    free.map(|(property, _)| *property).collect()
}

/// What a proof takes for granted.
fn assumptions(model: &Model, options: &Options) -> Vec<String> {
    let mut assumptions = Vec::new();
    if !options.sees_overflow {
        assumptions.push("no number leaves its type (arithmetic_fault is not checked)".to_owned());
    }
    let mut inboxes = model
        .objects
        .iter()
        .map(|object| object.inbox)
        .chain(model.threads.iter().map(|thread| thread.inbox));
    if inboxes.any(|inbox| inbox.on_full == OnFull::Cut) {
        assumptions.push("inboxes hold no more than their capacity (cut)".to_owned());
    }
    assumptions
}
