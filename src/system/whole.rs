//! Any system as `Factored`: its state is one component, all that it does is one group.
//!
//! No part of a state is known by itself, so nothing that was done in one state is of use in another.

use super::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, Label, LabelId, LocalTransition, Read,
    System, Target, Transition, Update, violated,
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

/// What was done, and where it led: the same action may lead to several states.
#[derive(Clone, Debug)]
pub struct Made<State, Action> {
    pub action: Action,
    /// None if it failed.
    pub state: Option<State>,
}

impl<S: System> System for Whole<'_, S> {
    type State = S::State;
    type Action = Made<S::State, S::Action>;

    fn initial(&self) -> Vec<Transition<S::State, Self::Action>> {
        self.system.initial().into_iter().map(made).collect()
    }

    fn successors(&self, state: &S::State) -> Vec<Transition<S::State, Self::Action>> {
        let transitions = self.system.successors(state).into_iter();
        transitions.map(made).collect()
    }

    fn labels(&self) -> Vec<Label> {
        self.labels.clone()
    }

    fn label(&self, label: LabelId, state: &S::State) -> bool {
        self.system.label(label, state)
    }
}

fn made<State: Clone, Action>(
    transition: Transition<State, Action>,
) -> Transition<State, Made<State, Action>> {
    let state = match &transition.target {
        Target::State(state) => Some(state.clone()),
        Target::Error | Target::Bounded | Target::Truncated => None,
    };
    Transition {
        action: Made {
            action: transition.action,
            state,
        },
        target: transition.target,
        violated: transition.violated,
        is_choose_free: transition.is_choose_free,
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
