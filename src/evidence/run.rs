//! Runs of any system, made again by the system alone.

use super::replay_system::replay_system;
use super::trace::{ReplayError, Trace};
use crate::system::{PropertyId, System};

/// A run that was replayed, in whatever language.
pub trait Replayed {
    /// Steps of the system; coming into being is none.
    fn length(&self) -> usize;

    /// How many run-to-completion steps were completed, where there are such.
    fn completed_steps(&self) -> usize {
        0
    }

    /// The property that it violates, if it is about one.
    fn violates(&self) -> Option<usize>;
}

/// A run of a system that says nothing else of itself.
#[derive(Clone, Debug)]
pub struct Run<State, Action> {
    /// What was done, beginning with the start, and the state after it: none if it failed.
    pub steps: Vec<(Action, Option<State>)>,
    pub violates: Option<usize>,
}

impl<State, Action> Run<State, Action> {
    /// The state before a step; none before the start.
    pub fn before(&self, index: usize) -> Option<&State> {
        let earlier = self.steps[..index].last()?;
        earlier.1.as_ref()
    }

    /// Where it has come to.
    pub fn now(&self) -> Option<&State> {
        self.before(self.steps.len())
    }
}

impl<State, Action> Replayed for Run<State, Action> {
    fn length(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    fn violates(&self) -> Option<usize> {
        self.violates
    }
}

impl Replayed for Trace {
    fn length(&self) -> usize {
        Trace::length(self)
    }

    fn completed_steps(&self) -> usize {
        Trace::completed_steps(self)
    }

    fn violates(&self) -> Option<usize> {
        self.violates.as_ref().map(|(property, _)| *property)
    }
}

/// Makes the steps again. With a property, the last one, or the state that it leads to, must violate it.
pub fn replay_run<S: System>(
    system: &S,
    steps: &[S::Action],
    property: Option<usize>,
) -> Result<Run<S::State, S::Action>, ReplayError>
where
    S::Action: PartialEq,
{
    let states = replay_system(system, steps, property.map(PropertyId), S::Action::eq)?;
    Ok(Run {
        steps: steps.iter().cloned().zip(states).collect(),
        violates: property,
    })
}
