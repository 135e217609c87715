//! How models and systems in Rust are checked.

use super::checker::{Abstraction, Request};
use super::error::Error;
use super::model::{Content, Model};
use super::report::{Figures, PropertyReport, Report, Snapshot, Step, Trace, Verdict};
use crate::abstraction::cegar::Options;
use crate::abstraction::{Beginning, Precision};
use crate::checker::{
    CheckUntil, DeadVariables, DveTrace, verify, verify_by_refinement, verify_dve, verify_system,
};
use crate::dve::{DVE_PROPERTIES, DveState, Program};
use crate::evidence::{self, CheckResult, Statistics, replay_system};
use crate::lang::{self, NoAbstraction, SourceFile, abstraction_in};
use crate::system::{Made, PropertyId, System, Whole};
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
    let names: Vec<&str> = model.properties.iter().map(|p| p.name.as_str()).collect();
    Ok(report(found, &names, |trace| in_words(model, trace)))
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

fn in_words(model: &lang::Model, trace: evidence::Trace) -> Trace {
    let reached = trace.steps.iter().filter_map(|step| step.after.as_ref());
    let words = Words::new(model, reached);
    let state = |state| Snapshot(words.state(state));
    let steps = trace.steps.iter().map(|step| Step {
        action: words.step(&step.step.event),
        state: step.after.as_ref().map(state),
    });
    Trace {
        steps: steps.collect(),
    }
}

fn check_dve(program: &Program, chosen: &[usize], request: Request<'_>) -> Result<Report, Error> {
    let Request {
        until,
        dead_variables,
        budget,
        mut watch,
        abstraction,
        ..
    } = request;
    if !matches!(abstraction, Abstraction::Declared | Abstraction::Concrete) {
        return Err(Error::NotApplicable("no DVE model can be abstracted"));
    }
    let found = verify_dve(program, chosen, until, dead_variables, &budget, &mut watch)?;
    Ok(report(found, &DVE_PROPERTIES, |trace| {
        dve_in_words(program, trace)
    }))
}

fn dve_in_words(program: &Program, trace: DveTrace) -> Trace {
    let reached = trace.steps.iter().filter_map(|(_, state)| state.as_ref());
    let words = DveWords::new(program, reached.map(|state| &*state.values));
    let in_words =
        |state: &DveState| Snapshot(words.state(&state.values, &state.processes, &state.channels));
    let steps = trace.steps.iter().map(|(step, state)| Step {
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
        let claimed = labels
            .iter()
            .enumerate()
            .filter(|(_, label)| label.is_claimed());
        let claimed: Vec<(usize, &str)> = claimed.map(|(id, label)| (id, label.name())).collect();
        let names: Vec<&str> = claimed.iter().map(|(_, name)| *name).collect();
        let chosen = request.chosen(&names)?;
        let named: Vec<(usize, &str)> = chosen.iter().map(|p| claimed[*p]).collect();
        let system = Whole::new(self);
        let same = |one: &Made<_, _>, other: &Made<_, _>| one.state == other.state;
        let replayed = |steps: &[Made<S::State, S::Action>], property| {
            replay_system(&system, steps, Some(PropertyId(property)), same)?;
            Ok(steps.to_vec())
        };
        let Request {
            until,
            budget,
            mut watch,
            ..
        } = request;
        let found = verify_system(&system, &named, until, &budget, &mut watch, replayed)?;
        Ok(report(found, &names, |steps| {
            let steps = steps.into_iter();
            Trace {
                steps: steps
                    .map(|Made { action, state }| Step { action, state })
                    .collect(),
            }
        }))
    }
}

/// What a check found, its traces in other words.
fn report<T, State, Action>(
    found: CheckResult<T>,
    names: &[&str],
    in_words: impl Fn(T) -> Trace<State, Action>,
) -> Report<State, Action> {
    let figures = figures(&found.statistics);
    let verdict = |verdict| match verdict {
        evidence::Verdict::Holds { up_to_bound: false } => Verdict::Holds,
        evidence::Verdict::Holds { up_to_bound: true } => Verdict::HoldsUpToBound,
        evidence::Verdict::Unknown(why) => Verdict::Unknown(why),
        evidence::Verdict::Violated(trace) => Verdict::Violated(in_words(*trace)),
    };
    let properties = found.results.into_iter().map(|result| PropertyReport {
        name: names[result.property].to_owned(),
        verdict: verdict(result.verdict),
    });
    Report {
        properties: properties.collect(),
        figures,
    }
}

fn figures(figures: &Statistics) -> Figures {
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
