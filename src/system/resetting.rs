//! A system in which dead variables do not tell states apart: every state is replaced by the one in
//! which they have a fixed value.
//!
//! Invariant: a state and the one that replaces it have the same steps, in the same order, to
//! states that have the same replacement, and violate the same properties. So the steps of a run
//! here are those of a run of the system itself.

use super::{Label, LabelId, Successors, System, Target, Transition};

/// Gives every dead variable of a state its fixed value.
pub trait Reset<State>: Sync {
    fn reset(&self, state: &mut State);
}

pub struct Resetting<'s, S, D> {
    system: &'s S,
    dead: &'s D,
}

impl<'s, S: System, D: Reset<S::State>> Resetting<'s, S, D> {
    pub fn new(system: &'s S, dead: &'s D) -> Resetting<'s, S, D> {
        Resetting { system, dead }
    }

    fn reset(
        &self,
        mut transition: Transition<S::State, S::Action>,
    ) -> Transition<S::State, S::Action> {
        if let Target::State(state) = &mut transition.target {
            self.dead.reset(state);
        }
        transition
    }
}

impl<S: System, D: Reset<S::State>> System for Resetting<'_, S, D> {
    type State = S::State;
    type Action = S::Action;

    fn initial(&self) -> Vec<Transition<S::State, S::Action>> {
        let starts = self.system.initial().into_iter();
        starts.map(|transition| self.reset(transition)).collect()
    }

    fn successors(&self, state: &S::State) -> Vec<Transition<S::State, S::Action>> {
        let transitions = self.system.successors(state).into_iter();
        transitions
            .map(|transition| self.reset(transition))
            .collect()
    }

    fn labels(&self) -> Vec<Label> {
        self.system.labels()
    }

    fn label(&self, label: LabelId, state: &S::State) -> bool {
        self.system.label(label, state)
    }

    fn expand(&self, state: &S::State) -> Successors<S::State, S::Action> {
        let expansion = self.system.expand(state);
        let transitions = expansion.transitions.into_iter();
        Successors {
            transitions: transitions
                .map(|transition| self.reset(transition))
                .collect(),
            ..expansion
        }
    }
}
