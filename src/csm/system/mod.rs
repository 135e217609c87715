//! The reference semantics as a transition system: no cleverness at all.

mod coverage;
mod factored;

pub use coverage::Coverage;

use std::sync::Mutex;

use crate::csm::dead_variables::DeadVariables;
use crate::csm::{Configuration, Precision, Semantics, Step, Successor};
use crate::lang::{Model, ObjectId, StateId};
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

    /// The same, but dead variables have a fixed value.
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

    fn reset(&self, state: &mut Configuration) {
        if let Some(dead) = &self.dead {
            dead.reset(state);
        }
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
                Target::State(mut configuration) => {
                    self.reset(&mut configuration);
                    Target::State(configuration)
                }
                Target::Error => Target::Error,
                Target::Bounded => Target::Bounded,
                Target::Truncated => Target::Truncated,
            },
            violated: blamed.into_iter().map(PropertyId).collect(),
        }
    }
}

/// The states of all objects.
fn places(model: &Model) -> impl Iterator<Item = (ObjectId, StateId)> {
    model.object_ids().flat_map(|object| {
        let states = 0..model.machine_of(object).states.len();
        states.map(move |state| (object, StateId::new(state)))
    })
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

    /// One for each property: it is violated. Then one for each state of each object: it is active.
    fn labels(&self) -> Vec<Label> {
        let model = self.semantics.model();
        let properties = model.properties.iter();
        let violated = properties.map(|property| Label::never(&property.name));
        let active = places(model).map(|(object, state)| {
            let path = &model.machine_of(object).states[state.index()].path;
            Label::proposition(format!("{}.{path}", model.objects[object.index()].name))
        });
        violated.chain(active).collect()
    }

    fn label(&self, label: LabelId, state: &Configuration) -> bool {
        let model = self.semantics.model();
        let Some(place) = label.0.checked_sub(model.properties.len()) else {
            return self.expand(state).violated.contains(&PropertyId(label.0));
        };
        places(model).nth(place).is_some_and(|(object, place)| {
            state
                .object(object)
                .is_active(model.machine_of(object), place)
        })
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
