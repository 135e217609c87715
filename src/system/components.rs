//! A system as a tuple of components, and its steps as small tasks that look at few of them.
//!
//! This is what makes fast exploration possible: what a task does is a function of what it looked
//! at, so it is found out once and remembered. A system says how its states are split, and runs a
//! task in a state while noting every component that the outcome depends on.
//!
//! Invariant: two states that agree in all `looks` of a lesson have the same lesson.

use std::hash::Hash;

use super::{PropertyId, TransitionSystem};

pub trait Components: TransitionSystem + Sync {
    /// The content of a component.
    type Content: Clone + Eq + Hash + Send + Sync;
    /// A change of a component that does not depend on all of its content: a message put at the
    /// end of a queue.
    type Change: Clone + Eq + Hash + Send + Sync;

    /// What a person calls a component.
    fn name(&self, component: usize) -> String;

    /// The components of a state, always as many.
    fn split(&self, state: &Self::State) -> Vec<Self::Content>;

    fn join(&self, contents: &[&Self::Content]) -> Self::State;

    /// How many tasks there are, and which of them are to be run when. The others are named by lessons
    /// of these.
    fn tasks(&self) -> Tasks;

    /// What a task does in a state.
    fn run(&self, task: Task, state: &Self::State) -> Lesson<Self::Content, Self::Change>;

    /// A part of what a component holds: the head of a queue.
    fn facet(&self, look: Look, content: &Self::Content) -> Self::Content;

    fn apply(&self, change: &Self::Change, content: &Self::Content) -> Self::Content;

    /// What is wrong with a state that has no step that is progress.
    fn stuck(&self, state: &Self::State) -> Stuck;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task(pub u32);

pub struct Tasks {
    pub count: usize,
    /// In every state.
    pub always: Vec<Task>,
    /// Those that have no effects and only say which properties a state violates. They are run in a state
    /// only if the step to it changed something that they look at: otherwise they would say what they
    /// said before.
    pub judging: Vec<Task>,
}

/// A part of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Facet(pub u8);

impl Facet {
    pub const WHOLE: Facet = Facet(0);
    /// There are so many at most.
    pub const COUNT: usize = 4;
}

/// A component, or a part of it, that an outcome depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    pub component: usize,
    pub facet: Facet,
}

impl Look {
    pub fn whole(component: usize) -> Look {
        let facet = Facet::WHOLE;
        Look { component, facet }
    }
}

/// All that a task does wherever these components are as they are.
#[derive(Clone, Debug)]
pub struct Lesson<Content, Change> {
    pub looks: Vec<Look>,
    /// Tasks to be run as well.
    pub then: Vec<Task>,
    /// The properties that such a state violates.
    pub violated: Vec<PropertyId>,
    pub effects: Vec<Effect<Content, Change>>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Effect<Content, Change> {
    pub end: EffectEnd,
    pub writes: Vec<(usize, Write<Content, Change>)>,
    /// The properties that the step violates.
    pub violated: Vec<PropertyId>,
    pub is_progress: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectEnd {
    State,
    Nowhere,
    Cut,
    Unseen,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write<Content, Change> {
    Set(Content),
    Apply(Change),
}

#[derive(Clone, Debug, Default)]
pub struct Stuck {
    pub is_deadlock: bool,
    pub violated: Vec<PropertyId>,
}
