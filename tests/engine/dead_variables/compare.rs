//! A system beside itself with dead variables reset.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crisol::csm::Semantics;
use crisol::csm::dead_variables::DeadVariables;
use crisol::csm::system::CsmSystem;
use crisol::evidence::replay;
use crisol::lang::Model;
use crisol::search::{Budget, Completion, Exploration, Explorer, Naive, StopWhen};
use crisol::system::{PropertyId, Reset, Resetting, Successors, System, Target, Transition};

pub struct Compared {
    pub full: u64,
    pub reset: u64,
}

/// Explores a system twice: the same verdicts, the same lengths of shortest traces, not more
/// states. And looks at each state by itself: it does what the state that stands for it does.
pub fn compare<S, D>(system: &S, dead: &D, budget: &Budget) -> Result<Compared, String>
where
    S: System,
    S::State: Debug,
    S::Action: Debug + PartialEq,
    D: Reset<S::State>,
{
    let mut wrong = None;
    let full = Naive.explore(
        system,
        &StopWhen::Everything,
        budget,
        &mut |state, found, _| {
            if wrong.is_none() {
                wrong = difference(system, dead, state, found);
            }
        },
    );
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let reset = explore_reset(system, dead, budget);
    let compared = Compared {
        full: full.states,
        reset: reset.states,
    };
    if full.end != Completion::Complete {
        return Ok(compared); // how far the two have come is no matter
    }
    if outcome(&full) != outcome(&reset) || reset.states > full.states {
        let (full, reset) = (shown(&full), shown(&reset));
        return Err(format!(
            "all states: {full}\nwith dead variables reset: {reset}"
        ));
    }
    Ok(compared)
}

pub fn explore_reset<S, D>(system: &S, dead: &D, budget: &Budget) -> Exploration<S::Action>
where
    S: System,
    D: Reset<S::State>,
{
    let system = Resetting::new(system, dead);
    Naive.explore(&system, &StopWhen::Everything, budget, &mut |_, _, _| {})
}

/// The same for a model; and every trace can be followed on the model as it is.
pub fn compare_model(model: &Model, budget: &Budget) -> Result<Compared, String> {
    let semantics = Semantics::exact(model);
    let system = CsmSystem::new(&semantics);
    let dead = DeadVariables::new(model);
    for violation in explore_reset(&system, &dead, budget).violations {
        let PropertyId(property) = violation.property;
        if let Err(error) = replay(&semantics, &violation.steps, Some(property)) {
            let name = &model.properties[property].name;
            return Err(format!("the trace of {name} can't be followed: {error}"));
        }
    }
    compare(&system, &dead, budget)
}

/// How a state differs from the one that stands for it, if it does.
fn difference<S, D>(
    system: &S,
    dead: &D,
    state: &S::State,
    found: &Successors<S::State, S::Action>,
) -> Option<String>
where
    S: System,
    S::State: Debug,
    S::Action: Debug + PartialEq,
    D: Reset<S::State>,
{
    let mut reset = state.clone();
    dead.reset(&mut reset);
    if reset == *state {
        return None;
    }
    let instead = system.expand(&reset);
    let judged = |e: &Successors<S::State, S::Action>| (e.violated.clone(), e.is_deadlock);
    let transitions = |e: &Successors<S::State, S::Action>| -> Vec<_> {
        e.transitions
            .iter()
            .map(|transition| followed(dead, transition))
            .collect()
    };
    let same = judged(found) == judged(&instead) && transitions(found) == transitions(&instead);
    (!same).then(|| {
        format!(
            "{state:?}\ndoes not do what its replacement does:\n{reset:?}\n{found:?}\n{instead:?}"
        )
    })
}

/// A step, what it violates, and where it leads once dead variables are reset; `true` where it is not followed.
fn followed<State: Clone, Step: Clone>(
    dead: &impl Reset<State>,
    transition: &Transition<State, Step>,
) -> (Step, Vec<PropertyId>, Option<State>, bool) {
    let (target, cut) = match &transition.target {
        Target::State(state) => {
            let mut state = state.clone();
            dead.reset(&mut state);
            (Some(state), false)
        }
        Target::Error => (None, false),
        Target::Bounded | Target::Truncated => (None, true),
    };
    (
        transition.action.clone(),
        transition.violated.clone(),
        target,
        cut,
    )
}

/// What must not depend on dead variables.
fn outcome<Step>(exploration: &Exploration<Step>) -> (bool, bool, BTreeMap<PropertyId, usize>) {
    let violations = exploration.violations.iter();
    let lengths = violations.map(|violation| (violation.property, violation.steps.len()));
    let deadlocks = exploration.deadlocks > 0;
    (exploration.was_bounded, deadlocks, lengths.collect())
}

fn shown<Step>(exploration: &Exploration<Step>) -> String {
    format!("{} states, {:?}", exploration.states, outcome(exploration))
}
