//! Exploring the states of a system.

mod bfs;
mod budget;
mod graph;
mod naive;

pub use crate::engine::Width;
pub use crate::system::Reason;
pub use bfs::{Bfs, EngineStatistics, Explored, Search, StateSet};
pub use budget::{Budget, memory_bytes};
pub use graph::{Move, StateGraph, StateResult, TooLarge, state_graph};
pub use naive::Naive;

/// Pieces of the parallel explorer, so that they can be measured by themselves. Nothing else
/// should use them.
#[doc(hidden)]
pub mod pieces {
    pub use super::bfs::Frontier;
}

use std::time::Duration;

use crate::system::{PropertyId, Successors, System};

/// Sees every state when it is expanded.
pub type Watch<'w, S> = dyn FnMut(&<S as System>::State, &Successors<<S as System>::State, <S as System>::Action>, Progress)
    + 'w;

/// A way to explore. All of them give the same answer.
pub trait Explorer {
    /// Visits every state that can be reached, level by level, until the goal is met, the budget
    /// is spent, or there are no more; shows each state to `watch` when it is expanded.
    fn explore<S: System>(
        &self,
        system: &S,
        stop_when: &StopWhen,
        budget: &Budget,
        watch: &mut Watch<'_, S>,
    ) -> Exploration<S::Action>;
}

/// When an exploration has seen enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopWhen {
    /// Never: the whole space is wanted, and the way to each violation.
    Everything,
    /// Never: only counts are wanted.
    Counted,
    /// When each of these is found violated.
    Decide(Vec<PropertyId>),
    /// When one of these is found violated.
    FirstOf(Vec<PropertyId>),
}

impl StopWhen {
    fn wants(&self, property: PropertyId) -> bool {
        match self {
            StopWhen::Everything => true,
            StopWhen::Counted => false,
            StopWhen::Decide(list) | StopWhen::FirstOf(list) => list.contains(&property),
        }
    }

    /// Whether these violations are all that was wanted. Asked at the end of a level only, so that
    /// the answer does not depend on the order inside of one.
    fn is_met(&self, is_found: impl Fn(PropertyId) -> bool) -> bool {
        match self {
            StopWhen::Everything | StopWhen::Counted => false,
            StopWhen::Decide(all) => all.iter().all(|property| is_found(*property)),
            StopWhen::FirstOf(any) => any.iter().any(|property| is_found(*property)),
        }
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    /// The level that is being expanded; the initial states are level 1.
    pub level: u64,
    /// States on that level, where the explorer knows.
    pub frontier: u64,
    pub elapsed: Duration,
}

#[derive(Clone, Debug)]
pub struct Exploration<Step> {
    pub end: Completion,
    /// Distinct states seen.
    pub states: u64,
    /// Steps out of the states that were expanded.
    pub transitions: u64,
    /// Levels of breadth-first search, the initial states being the first.
    pub depth: u64,
    /// The states of each of these levels.
    pub levels: Vec<u64>,
    pub deadlocks: u64,
    /// Some run was cut at a bound that the model sets.
    pub was_bounded: bool,
    /// For each violated property the shortest way there, in the order in which they were found.
    pub violations: Vec<Violation<Step>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every reachable state was expanded.
    Complete,
    /// The goal was met before that.
    GoalMet,
    /// Something was left unseen.
    Stopped(Reason),
}

impl Completion {
    /// Names the step that is too large, if that is why it ended.
    pub fn tell_which(&mut self, step: Option<&String>) {
        if let Completion::Stopped(Reason::StepTooLarge(which)) = self {
            *which = step.cloned();
        }
    }
}

/// The steps to a violation, beginning with the one that brings the system into being; the last
/// one leads to the state that violates the property, or violates it itself.
#[derive(Clone, Debug)]
pub struct Violation<Step> {
    pub property: PropertyId,
    pub steps: Vec<Step>,
    /// No step is a guess for what an abstraction has forgotten (Pasareanu 4.5). Where there is such
    /// a way among the shortest, one is given.
    pub is_choose_free: bool,
}
