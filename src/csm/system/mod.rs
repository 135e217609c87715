//! The reference semantics as a transition system: no cleverness at all.

mod coverage;
mod factored;

pub use coverage::Coverage;

use std::sync::Mutex;

use crate::csm::dead_variables::DeadVariables;
use crate::csm::{Configuration, Precision, Semantics, Step, Successor};
use crate::system::{Label, LabelId, PropertyId, Successors, System, Target, Transition};
use factored::Plan;

pub struct CsmSystem<'s, 'm, P> {
    semantics: &'s Semantics<'m, P>,
    plan: Plan,
    /// Variables that are given a fixed value where nobody can read them any more.
    dead: Option<DeadVariables<'m>>,
    /// What groups have seen so far.
    coverage: Mutex<Coverage>,
}

impl<'s, 'm, P: Precision> CsmSystem<'s, 'm, P> {
    pub fn new(semantics: &'s Semantics<'m, P>) -> CsmSystem<'s, 'm, P> {
        CsmSystem {
            semantics,
            plan: Plan::new(semantics),
            dead: None,
            coverage: Mutex::default(),
        }
    }

    /// The same, but for components dead variables have a fixed value.
    pub fn resetting(mut self) -> CsmSystem<'s, 'm, P> {
        self.dead = Some(DeadVariables::new(self.semantics.model()));
        self
    }

    /// Which states and transitions were met while groups were run: all that a complete exploration
    /// by groups can reach.
    pub fn coverage(&self) -> Coverage {
        let coverage = self.coverage.lock();
        coverage
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .clone()
    }

    fn transition(&self, successor: Successor) -> Transition<Configuration, Step> {
        let fault = successor.fault.as_ref();
        let blamed = fault
            .map(|fault| self.semantics.blamed(fault))
            .unwrap_or_default();
        Transition {
            is_choose_free: successor.is_choose_free,
            action: successor.step,
            target: match successor.result {
                Target::State(configuration) => Target::State(configuration),
                Target::Error => Target::Error,
                Target::Bounded => Target::Bounded,
                Target::Truncated => Target::Truncated,
            },
            violated: blamed.into_iter().map(PropertyId).collect(),
        }
    }
}

impl<P: Precision + Sync> System for CsmSystem<'_, '_, P> {
    type State = Configuration;
    type Action = Step;

    fn initial(&self) -> Vec<Transition<Configuration, Step>> {
        let starts = self.semantics.initial();
        starts
            .into_iter()
            .map(|successor| self.transition(successor))
            .collect()
    }

    fn successors(&self, state: &Configuration) -> Vec<Transition<Configuration, Step>> {
        let successors = self.semantics.successors(state).into_iter();
        successors
            .map(|successor| self.transition(successor))
            .collect()
    }

    /// One for each property: it is violated.
    fn labels(&self) -> Vec<Label> {
        let properties = self.semantics.model().properties.iter();
        properties
            .map(|property| Label::never(&property.name))
            .collect()
    }

    fn label(&self, label: LabelId, state: &Configuration) -> bool {
        self.expand(state).violated.contains(&PropertyId(label.0))
    }

    fn expand(&self, state: &Configuration) -> Successors<Configuration, Step> {
        let successors = self.semantics.successors(state);
        let verdicts = self.semantics.judge(state, &successors);
        Successors {
            transitions: successors
                .into_iter()
                .map(|successor| self.transition(successor))
                .collect(),
            violated: verdicts
                .faults
                .iter()
                .map(|fault| PropertyId(fault.property))
                .collect(),
            is_deadlock: verdicts.is_deadlock,
        }
    }
}
