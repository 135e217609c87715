//! How models and systems in Rust are checked.

use std::time::Instant;

use super::checker::{Abstraction, Request};
use super::error::Error;
use super::model::{Content, Model};
use super::report::{Figures, PropertyReport, Report, Snapshot, Step, Trace, Verdict};
use crate::abstraction::cegar::Options;
use crate::abstraction::{Beginning, Precision};
use crate::checker::{CheckUntil, DeadVariables, verify, verify_by_refinement};
use crate::dve::{DVE_PROPERTIES, DveState, DveStep, DveSystem, Program};
use crate::evidence::{self, CheckResult, Unknown, replay_system};
use crate::lang::{self, NoAbstraction, SourceFile, abstraction_in};
use crate::search::{Bfs, Completion, Exploration, StopWhen, Violation};
use crate::system::{Factored, Made, PropertyId, System, Whole};
use crate::words::{DveWords, Words};

/// What can be checked: a [`Model`], or any [`System`].
pub trait Subject {
    /// What the states of its traces are.
    type State;
    /// What the actions of its traces are.
    type Action;

    #[doc(hidden)]
    fn check(&self, request: Request<'_>) -> Result<Report<Self::State, Self::Action>, Error>;
}

impl Subject for Model {
    type State = Snapshot;
    type Action = String;

    fn check(&self, request: Request<'_>) -> Result<Report, Error> {
        let chosen = request.chosen(&self.properties())?;
        match &self.content {
            Content::Csm(model) => check_csm(self, model, &chosen, request),
            Content::Dve(program) => check_dve(program, &chosen, request),
        }
    }
}

fn check_csm(
    written: &Model,
    model: &lang::Model,
    chosen: &[usize],
    mut request: Request<'_>,
) -> Result<Report, Error> {
    let Request {
        until,
        dead_variables,
        budget,
        watch,
        abstraction,
        ..
    } = &mut request;
    let found = match first_precision(written, model, abstraction)? {
        None => verify(model, chosen, *until, *dead_variables, budget, watch)?,
        Some(_) if *dead_variables == DeadVariables::Keep => {
            return Err(Error::NotApplicable("refinement resets dead variables"));
        }
        Some(_) if *until == CheckUntil::Everything => {
            return Err(Error::NotApplicable(
                "an abstraction has no whole space of states",
            ));
        }
        Some(precision) => {
            let options = Options {
                first_only: *until == CheckUntil::FirstViolation,
                ..Options::default()
            };
            let rounds = &mut |_: &_| {};
            verify_by_refinement(model, chosen, precision, &options, budget, watch, rounds)?.0
        }
    };
    let properties = found.results.iter().map(|result| PropertyReport {
        name: model.properties[result.property].name.clone(),
        verdict: verdict(model, &result.verdict),
    });
    Ok(Report {
        properties: properties.collect(),
        figures: figures(&found),
    })
}

/// None where nothing is to be abstracted.
fn first_precision(
    written: &Model,
    model: &lang::Model,
    abstraction: &Abstraction,
) -> Result<Option<Precision>, Error> {
    let beginning = match abstraction {
        Abstraction::Declared => Beginning::Declared,
        Abstraction::Concrete => Beginning::Concrete,
        Abstraction::Auto => Beginning::Auto,
        Abstraction::Domains(domains) => Beginning::Given(entries(written, domains)?),
    };
    Ok(beginning.precision(model))
}

fn entries(written: &Model, domains: &str) -> Result<Vec<lang::AbstractionEntry>, Error> {
    let text = format!("abstraction {{\n{domains}\n}}\n");
    let source = SourceFile::new("abstraction", text);
    let entries = abstraction_in(written.source().text(), written.definitions(), &source);
    entries.map_err(|wrong| match wrong {
        NoAbstraction::Wrong(errors) => Error::of_model(&source, &errors),
        NoAbstraction::NotAlone => Error::NotApplicable("this is more than an abstraction"),
    })
}

fn verdict(model: &lang::Model, verdict: &evidence::Verdict) -> Verdict {
    match verdict {
        evidence::Verdict::Holds { up_to_bound: false } => Verdict::Holds,
        evidence::Verdict::Holds { up_to_bound: true } => Verdict::HoldsUpToBound,
        evidence::Verdict::Unknown(why) => Verdict::Unknown(why.clone()),
        evidence::Verdict::Violated(trace) => {
            let reached = trace.steps.iter().filter_map(|step| step.after.as_ref());
            let words = Words::new(model, reached);
            let steps = trace.steps.iter().map(|step| Step {
                action: words.step(&step.step.event),
                state: step
                    .after
                    .as_ref()
                    .map(|state| Snapshot(words.state(state))),
            });
            Verdict::Violated(Trace {
                steps: steps.collect(),
            })
        }
    }
}

fn figures(found: &CheckResult) -> Figures {
    let figures = &found.statistics;
    Figures {
        states: figures.states,
        transitions: figures.transitions,
        depth: figures.depth,
        deadlocks: figures.deadlocks,
        elapsed: figures.elapsed,
        threads: figures.threads,
        rounds: figures.rounds,
    }
}

fn check_dve(program: &Program, chosen: &[usize], request: Request<'_>) -> Result<Report, Error> {
    if !matches!(
        request.abstraction,
        Abstraction::Declared | Abstraction::Concrete
    ) {
        return Err(Error::NotApplicable("no DVE model can be abstracted"));
    }
    let system = match request.dead_variables {
        DeadVariables::Keep => DveSystem::new(program),
        DeadVariables::Reset => DveSystem::new(program).resetting(),
    };
    let judge = DveSystem::new(program);
    let named: Vec<(usize, &str)> = chosen.iter().map(|p| (*p, DVE_PROPERTIES[*p])).collect();
    search(&system, &named, request, |violation| {
        let states = replay_system(&judge, &violation.steps, violation.property, DveStep::eq)?;
        Ok(dve_trace(program, &violation.steps, &states))
    })
}

fn dve_trace(program: &Program, steps: &[DveStep], states: &[Option<DveState>]) -> Trace {
    let values = states.iter().flatten().map(|state| &*state.values);
    let words = DveWords::new(program, values);
    let in_words =
        |state: &DveState| Snapshot(words.state(&state.values, &state.processes, &state.channels));
    let steps = steps.iter().zip(states).map(|(step, state)| Step {
        action: words.step(&step.0),
        state: state.as_ref().map(in_words),
    });
    Trace {
        steps: steps.collect(),
    }
}

impl<S: System> Subject for S {
    type State = S::State;
    type Action = S::Action;

    fn check(&self, request: Request<'_>) -> Result<Report<S::State, S::Action>, Error> {
        let labels = self.labels();
        let names: Vec<&str> = labels.iter().map(|label| label.name()).collect();
        let chosen = request.chosen(&names)?;
        let named: Vec<(usize, &str)> = chosen.iter().map(|p| (*p, names[*p])).collect();
        let system = Whole::new(self);
        search(&system, &named, request, |violation| {
            let same = |one: &Made<_, _>, other: &Made<_, _>| one.state == other.state;
            replay_system(&system, &violation.steps, violation.property, same)?;
            let steps = violation
                .steps
                .into_iter()
                .map(|Made { action, state }| Step { action, state });
            Ok(Trace {
                steps: steps.collect(),
            })
        })
    }
}

/// Searches a system for violations of these properties, each of which is replayed as a trace.
fn search<S: Factored, State, Action>(
    system: &S,
    properties: &[(usize, &str)],
    mut request: Request<'_>,
    replay: impl Fn(Violation<S::Action>) -> Result<Trace<State, Action>, evidence::ReplayError>,
) -> Result<Report<State, Action>, Error> {
    let start = Instant::now();
    let wanted = properties.iter().map(|(property, _)| PropertyId(*property));
    let stop_when = match request.until {
        CheckUntil::Everything => StopWhen::Everything,
        CheckUntil::Decide => StopWhen::Decide(wanted.collect()),
        CheckUntil::FirstViolation => StopWhen::FirstOf(wanted.collect()),
    };
    let budget = &request.budget;
    let explored = Bfs::default().explore(system, &stop_when, budget, &mut request.watch);
    let mut found = explored.exploration;
    let mut reports = Vec::new();
    for (property, name) in properties {
        let mut violations = found.violations.iter();
        let violation = violations.position(|v| v.property == PropertyId(*property));
        let verdict = match violation {
            None => without_violation(&found),
            Some(violation) => {
                let trace = replay(found.violations.swap_remove(violation));
                let wrong = |error| Error::Internal(format!("the trace of `{name}`: {error}"));
                Verdict::Violated(trace.map_err(wrong)?)
            }
        };
        reports.push(PropertyReport {
            name: (*name).to_owned(),
            verdict,
        });
    }
    Ok(Report {
        properties: reports,
        figures: Figures {
            states: found.states,
            transitions: found.transitions,
            depth: found.depth,
            deadlocks: found.deadlocks,
            elapsed: start.elapsed(),
            threads: budget.threads(),
            rounds: 1,
        },
    })
}

fn without_violation<A, State, Action>(found: &Exploration<A>) -> Verdict<State, Action> {
    match &found.end {
        Completion::Complete if found.was_bounded => Verdict::HoldsUpToBound,
        Completion::Complete => Verdict::Holds,
        Completion::GoalMet => Verdict::Unknown(Unknown::FirstViolation),
        Completion::Stopped(reason) => Verdict::Unknown(Unknown::Stopped(reason.clone())),
    }
}
