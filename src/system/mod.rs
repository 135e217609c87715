//! What an explorer sees of a model: states, steps between them, and which properties they
//! violate. An explorer knows nothing else.

mod components;
mod coverage;
mod dve;
mod memo;
mod reference;
mod resetting;

pub use components::{
    Components, Effect, EffectEnd, Facet, Lesson, Look, Stuck, Task, Tasks, Write,
};
pub use coverage::Coverage;
pub use dve::{DVE_PROPERTIES, DveState, DveStep, DveSystem};
pub use memo::{Field, Findings, Layout, MOST_WORDS, Memo, MemoStatistics, Obstacle, Translation};
pub use reference::Reference;
pub use resetting::{Reset, Resetting};

/// Pieces of the memo, so that they can be measured by themselves. Nothing else should use them.
#[doc(hidden)]
pub mod pieces {
    pub use super::memo::Contents;
}

use std::hash::Hash;

/// A property, by its place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub usize);

pub trait TransitionSystem {
    type State: Clone + Eq + Hash;
    /// Says what was done, so that it can be done again.
    type Step: Clone;

    /// The ways in which the system comes into being.
    fn initial(&self) -> Vec<Edge<Self::State, Self::Step>>;

    /// What can happen in a state, always in the same order, and what is wrong with it.
    fn expand(&self, state: &Self::State) -> Expansion<Self::State, Self::Step>;
}

#[derive(Clone, Debug)]
pub struct Expansion<State, Step> {
    pub edges: Vec<Edge<State, Step>>,
    /// The properties that the state itself violates.
    pub violated: Vec<PropertyId>,
    pub is_deadlock: bool,
}

#[derive(Clone, Debug)]
pub struct Edge<State, Step> {
    pub step: Step,
    pub target: Target<State>,
    /// The properties that the step violates.
    pub violated: Vec<PropertyId>,
    /// It is no guess for what an abstraction has forgotten.
    pub is_choose_free: bool,
}

#[derive(Clone, Debug)]
pub enum Target<State> {
    State(State),
    /// The step failed: there is nothing to go on from.
    Nowhere,
    /// The run is cut here, at a bound that the model sets.
    Cut,
    /// There are too many states to look at.
    Unseen,
}
