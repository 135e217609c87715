//! A system as a tuple of components, and its steps as small groups that look at few of them.
//!
//! This is what makes fast exploration possible: what a group does is a function of what it looked
//! at, so it is found out once and remembered. A system says how its states are split, and runs a
//! group in a state while noting every component that the outcome depends on.
//!
//! Invariant: two states that agree in all `reads` of a result have the same result.

use std::hash::Hash;

use super::{PropertyId, System, Target};

pub trait Factored: System + Sync {
    /// The content of a component.
    type Value: Clone + Eq + Hash + Send + Sync;
    /// A change of a component that does not depend on all of its content: a message put at the
    /// end of a queue.
    type ValueUpdate: Clone + Eq + Hash + Send + Sync;

    /// What a person calls a component.
    fn name(&self, component: usize) -> String;

    /// The components of a state, always as many.
    fn split(&self, state: &Self::State) -> Vec<Self::Value>;

    fn join(&self, contents: &[&Self::Value]) -> Self::State;

    /// Gives a component of a state another content.
    fn put(&self, state: &mut Self::State, component: usize, content: &Self::Value);

    /// What a component belongs to. Components of one owner change together and stand together.
    fn owner(&self, component: usize) -> usize;

    /// How many groups there are, and which of them are to be run when. The others are named by results
    /// of these.
    fn groups(&self) -> Groups;

    /// What a group does in a state.
    fn run(
        &self,
        group: GroupId,
        state: &Self::State,
    ) -> GroupResult<Self::Value, Self::ValueUpdate>;

    /// A part of what a component holds: the head of a queue.
    fn projection(&self, read: Read, content: &Self::Value) -> Self::Value;

    fn apply(&self, update: &Self::ValueUpdate, content: &Self::Value) -> Self::Value;

    /// What is wrong with a state that has no step that is progress.
    fn deadlock_info(&self, state: &Self::State) -> DeadlockInfo;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupId(pub u32);

pub struct Groups {
    pub count: usize,
    /// In every state.
    pub always: Vec<GroupId>,
    /// Those that have no effects and only say which properties a state violates. They are run in a state
    /// only if the step to it changed something that they look at: otherwise they would say what they
    /// said before.
    pub judging: Vec<GroupId>,
}

/// A part of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Projection(pub u8);

impl Projection {
    pub const WHOLE: Projection = Projection(0);
    /// There are so many at most.
    pub const COUNT: usize = 4;
}

/// A component, or a part of it, that an outcome depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    pub component: usize,
    pub projection: Projection,
}

impl Read {
    pub fn whole(component: usize) -> Read {
        let projection = Projection::WHOLE;
        Read {
            component,
            projection,
        }
    }
}

/// All that a group does wherever these components are as they are.
#[derive(Clone, Debug)]
pub struct GroupResult<Value, ValueUpdate> {
    pub reads: Vec<Read>,
    /// Groups to be run as well.
    pub then: Vec<GroupId>,
    /// The properties that such a state violates.
    pub violated: Vec<PropertyId>,
    pub transitions: Vec<LocalTransition<Value, ValueUpdate>>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct LocalTransition<Value, ValueUpdate> {
    pub end: Target<()>,
    pub updates: Vec<(usize, Update<Value, ValueUpdate>)>,
    /// The properties that the step violates.
    pub violated: Vec<PropertyId>,
    pub is_progress: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update<Value, ValueUpdate> {
    Set(Value),
    Apply(ValueUpdate),
}

#[derive(Clone, Debug, Default)]
pub struct DeadlockInfo {
    pub is_deadlock: bool,
    pub violated: Vec<PropertyId>,
}
