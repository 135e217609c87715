//! What a program does, as `System` by the reference, and as `Factored`: in groups over components.

mod accesses;
mod dead;
mod factored;
mod groups;
mod owners;

pub use factored::DveUpdate;

use crate::dve::{DveState, DveStep, Program, Semantics};
use crate::system::{Label, LabelId, Successors, System, Transition};
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

    /// The same, but for components dead variables have a fixed value.
    pub fn resetting(mut self) -> DveSystem<'p> {
        self.dead = Some(Dead::new(self.program));
        self
    }
}

impl System for DveSystem<'_> {
    type State = DveState;
    type Action = DveStep;

    fn initial(&self) -> Vec<Transition<DveState, DveStep>> {
        self.semantics.initial()
    }

    fn successors(&self, state: &DveState) -> Vec<Transition<DveState, DveStep>> {
        self.semantics.successors(state)
    }

    fn labels(&self) -> Vec<Label> {
        self.semantics.labels()
    }

    fn label(&self, label: LabelId, state: &DveState) -> bool {
        self.semantics.label(label, state)
    }

    fn expand(&self, state: &DveState) -> Successors<DveState, DveStep> {
        self.semantics.expand(state)
    }
}
