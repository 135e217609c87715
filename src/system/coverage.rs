//! Which states were ever active and which transitions ever taken, object by object.

use std::collections::HashSet;

use crate::model::{Model, ObjectId, StateId, TransitionId};
use crate::semantics::{Configuration, Event, Step};

#[derive(Clone, Debug, Default)]
pub struct Coverage {
    active: HashSet<(ObjectId, StateId)>,
    taken: HashSet<(ObjectId, TransitionId)>,
}

impl Coverage {
    pub fn see_state(&mut self, model: &Model, configuration: &Configuration) {
        for object in model.object_ids() {
            let machine = model.machine_of(object);
            let active = configuration.object(object).active_states(machine);
            self.active
                .extend(active.into_iter().map(|state| (object, state)));
        }
    }

    pub fn see_step(&mut self, step: &Step) {
        match &step.event {
            Event::Fire {
                object,
                transitions,
                ..
            } => {
                self.taken
                    .extend(transitions.iter().map(|id| (*object, *id)));
            }
            Event::Whole(steps) => steps.iter().for_each(|step| self.see_step(step)),
            _ => {}
        }
    }

    /// States that no run enters.
    pub fn dead_states(&self, model: &Model) -> Vec<(ObjectId, StateId)> {
        let all = model.object_ids().flat_map(|object| {
            let states = model.machine_of(object).state_ids();
            states.map(move |state| (object, state))
        });
        all.filter(|pair| !self.active.contains(pair)).collect()
    }

    /// Transitions that no run takes; `ignore` lines are there to be safe, not to be used.
    pub fn dead_transitions(&self, model: &Model) -> Vec<(ObjectId, TransitionId)> {
        let all = model.object_ids().flat_map(|object| {
            let transitions = model.machine_of(object).transition_ids();
            transitions.map(move |transition| (object, transition))
        });
        let unused = all.filter(|pair| !self.taken.contains(pair));
        let matters = |(object, id): &(ObjectId, TransitionId)| {
            let transition = model.machine_of(*object).transition(*id);
            !(transition.is_internal() && transition.effect.is_empty())
        };
        unused.filter(matters).collect()
    }
}
