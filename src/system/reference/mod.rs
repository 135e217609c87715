//! The reference semantics as a transition system: no cleverness at all.

mod components;

use std::sync::Mutex;

use super::Coverage;
use super::{Edge, Expansion, PropertyId, Target, TransitionSystem};
use crate::liveness::DeadVariables;
use crate::semantics::{Configuration, Outcome, Precision, Semantics, Step, Successor};
use components::Plan;

pub struct Reference<'s, 'm, P> {
    semantics: &'s Semantics<'m, P>,
    plan: Plan,
    /// Variables that are given a fixed value where nobody can read them any more.
    dead: Option<DeadVariables<'m>>,
    /// What tasks have seen so far.
    coverage: Mutex<Coverage>,
}

impl<'s, 'm, P: Precision> Reference<'s, 'm, P> {
    pub fn new(semantics: &'s Semantics<'m, P>) -> Reference<'s, 'm, P> {
        Reference {
            semantics,
            plan: Plan::new(semantics),
            dead: None,
            coverage: Mutex::default(),
        }
    }

    /// The same, but for components dead variables have a fixed value.
    pub fn resetting(mut self) -> Reference<'s, 'm, P> {
        self.dead = Some(DeadVariables::new(self.semantics.model()));
        self
    }

    /// Which states and transitions were met while tasks were run: all that a complete exploration
    /// by tasks can reach.
    pub fn coverage(&self) -> Coverage {
        let coverage = self.coverage.lock();
        coverage
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .clone()
    }

    fn edge(&self, successor: Successor) -> Edge<Configuration, Step> {
        let fault = successor.fault.as_ref();
        let blamed = fault
            .map(|fault| self.semantics.blamed(fault))
            .unwrap_or_default();
        Edge {
            is_choose_free: successor.is_choose_free,
            step: successor.step,
            target: match successor.result {
                Outcome::Reached(configuration) => Target::State(configuration),
                Outcome::Failed => Target::Nowhere,
                Outcome::Cut => Target::Cut,
                Outcome::Unseen => Target::Unseen,
            },
            violated: blamed.into_iter().map(PropertyId).collect(),
        }
    }
}

impl<P: Precision> TransitionSystem for Reference<'_, '_, P> {
    type State = Configuration;
    type Step = Step;

    fn initial(&self) -> Vec<Edge<Configuration, Step>> {
        let starts = self.semantics.initial();
        starts
            .into_iter()
            .map(|successor| self.edge(successor))
            .collect()
    }

    fn expand(&self, state: &Configuration) -> Expansion<Configuration, Step> {
        let successors = self.semantics.successors(state);
        let verdicts = self.semantics.judge(state, &successors);
        Expansion {
            edges: successors
                .into_iter()
                .map(|successor| self.edge(successor))
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
