//! What a program does, as `System` by the reference, and as `Factored`: in groups over components.

mod accesses;
mod dead;
mod factored;
mod groups;
mod owners;

pub use factored::DveUpdate;

use crate::dve::{DveState, DveStep, Program, Semantics};
use crate::system::{Label, LabelId, Successors, System, Target, Transition};
use dead::Dead;
use groups::Plan;

pub struct DveSystem<'p> {
    semantics: Semantics<'p>,
    program: &'p Program,
    plan: Plan,
    /// Variables that are given a fixed value where nobody can read them any more.
    dead: Option<Dead>,
}

impl<'p> DveSystem<'p> {
    pub fn new(program: &'p Program) -> DveSystem<'p> {
        DveSystem {
            semantics: Semantics::new(program),
            program,
            plan: Plan::new(program),
            dead: None,
        }
    }

    /// The same, but dead variables have a fixed value.
    pub fn resetting(mut self) -> DveSystem<'p> {
        self.dead = Some(Dead::new(self.program));
        self
    }
}

impl DveSystem<'_> {
    fn reset_all(
        &self,
        mut transitions: Vec<Transition<DveState, DveStep>>,
    ) -> Vec<Transition<DveState, DveStep>> {
        if let Some(dead) = &self.dead {
            for transition in &mut transitions {
                if let Target::State(state) = &mut transition.target {
                    dead.reset(state);
                }
            }
        }
        transitions
    }
}

impl System for DveSystem<'_> {
    type State = DveState;
    type Action = DveStep;

    fn initial(&self) -> Vec<Transition<DveState, DveStep>> {
        self.reset_all(self.semantics.initial())
    }

    fn successors(&self, state: &DveState) -> Vec<Transition<DveState, DveStep>> {
        self.reset_all(self.semantics.successors(state))
    }

    fn labels(&self) -> Vec<Label> {
        self.semantics.labels()
    }

    fn label(&self, label: LabelId, state: &DveState) -> bool {
        self.semantics.label(label, state)
    }

    fn expand(&self, state: &DveState) -> Successors<DveState, DveStep> {
        let mut successors = self.semantics.expand(state);
        successors.transitions = self.reset_all(successors.transitions);
        successors
    }
}
