//! Any system as `Factored`: its state is one component, all that it does is one group.
//!
//! No part of a state is known by itself, so nothing that was done in one state is of use in another.

use super::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, Label, LabelId, LocalTransition, Read,
    Successors, System, Target, Transition, Update, violated,
};

/// A system whose states have no parts.
pub struct Whole<'s, S> {
    system: &'s S,
    labels: Vec<Label>,
}

impl<'s, S: System> Whole<'s, S> {
    /// Asks for the labels once and for all.
    pub fn new(system: &'s S) -> Whole<'s, S> {
        Whole {
            system,
            labels: system.labels(),
        }
    }
}

impl<S: System> System for Whole<'_, S> {
    type State = S::State;
    type Action = S::Action;

    fn initial(&self) -> Vec<Transition<S::State, S::Action>> {
        self.system.initial()
    }

    fn successors(&self, state: &S::State) -> Vec<Transition<S::State, S::Action>> {
        self.system.successors(state)
    }

    fn labels(&self) -> Vec<Label> {
        self.labels.clone()
    }

    fn label(&self, label: LabelId, state: &S::State) -> bool {
        self.system.label(label, state)
    }

    fn expand(&self, state: &S::State) -> Successors<S::State, S::Action> {
        self.system.expand(state)
    }
}

impl<S: System> Factored for Whole<'_, S> {
    type Value = S::State;
    type ValueUpdate = ();

    fn name(&self, _: usize) -> String {
        "state".to_owned()
    }

    fn split(&self, state: &S::State) -> Vec<S::State> {
        vec![state.clone()]
    }

    fn join(&self, contents: &[&S::State]) -> S::State {
        contents[0].clone()
    }

    fn put(&self, state: &mut S::State, _: usize, content: &S::State) {
        state.clone_from(content);
    }

    fn owner(&self, _: usize) -> usize {
        0
    }

    fn groups(&self) -> Groups {
        Groups {
            count: 1,
            always: vec![GroupId(0)],
            judging: Vec::new(),
        }
    }

    fn run(&self, _: GroupId, state: &S::State) -> GroupResult<S::State, ()> {
        let transitions = self.system.successors(state).into_iter();
        GroupResult {
            reads: vec![Read::whole(0)],
            then: Vec::new(),
            violated: violated(self.system, &self.labels, state),
            transitions: transitions.map(local).collect(),
        }
    }

    fn projection(&self, _: Read, content: &S::State) -> S::State {
        content.clone()
    }

    fn apply(&self, (): &(), content: &S::State) -> S::State {
        content.clone()
    }

    fn deadlock_info(&self, _: &S::State) -> DeadlockInfo {
        DeadlockInfo {
            is_deadlock: true, // it is asked where no step is possible
            violated: Vec::new(),
        }
    }
}

fn local<State, Action>(transition: Transition<State, Action>) -> LocalTransition<State, ()> {
    let (end, updates) = match transition.target {
        Target::State(state) => (Target::State(()), vec![(0, Update::Set(state))]),
        Target::Error => (Target::Error, Vec::new()),
        Target::Bounded => (Target::Bounded, Vec::new()),
        Target::Truncated => (Target::Truncated, Vec::new()),
    };
    LocalTransition {
        end,
        updates,
        violated: transition.violated,
        is_progress: true,
    }
}
