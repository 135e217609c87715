//! What an explorer sees of a model: states, steps between them, and which properties they
//! violate. An explorer knows nothing else.

mod factored;
mod resetting;

pub use factored::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, LocalTransition, Projection, Read, Update,
};
pub use resetting::{Reset, Resetting};

use std::hash::Hash;

/// A property, by its place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub usize);

pub trait System {
    type State: Clone + Eq + Hash;
    /// Says what was done, so that it can be done again.
    type Step: Clone;

    /// The ways in which the system comes into being.
    fn initial(&self) -> Vec<Transition<Self::State, Self::Step>>;

    /// What can happen in a state, always in the same order, and what is wrong with it.
    fn expand(&self, state: &Self::State) -> Successors<Self::State, Self::Step>;
}

#[derive(Clone, Debug)]
pub struct Successors<State, Step> {
    pub transitions: Vec<Transition<State, Step>>,
    /// The properties that the state itself violates.
    pub violated: Vec<PropertyId>,
    pub is_deadlock: bool,
}

#[derive(Clone, Debug)]
pub struct Transition<State, Step> {
    pub step: Step,
    pub target: Target<State>,
    /// The properties that the step violates.
    pub violated: Vec<PropertyId>,
    /// It is no guess for what an abstraction has forgotten.
    pub is_choose_free: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target<State> {
    State(State),
    /// The step failed: there is nothing to go on from.
    Error,
    /// The run is cut here, at a bound that the model sets.
    Bounded,
    /// There are too many states to look at.
    Truncated,
}
