//! Which states were ever active and which transitions ever taken, object by object.

use std::collections::{BTreeSet, HashSet};

use crate::csm::{Configuration, Event, Step};
use crate::lang::{Model, ObjectId, StateId, TransitionId};

#[derive(Clone, Debug, Default)]
pub struct Coverage {
    active: HashSet<(ObjectId, StateId)>,
    taken: HashSet<(ObjectId, TransitionId)>,
    /// Steps with more outcomes than are looked at, in words.
    too_many: BTreeSet<String>,
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

    pub fn see_step(&mut self, model: &Model, step: &Step) {
        match &step.event {
            Event::Fire {
                object,
                transitions,
                ..
            } => {
                self.taken
                    .extend(transitions.iter().map(|id| (*object, *id)));
            }
            Event::Whole(steps) => steps.iter().for_each(|step| {
                self.see_step(model, step);
                self.see_inside(model, step);
            }),
            _ => {}
        }
    }

    /// A step that has more outcomes than are looked at.
    pub fn see_too_many(&mut self, model: &Model, step: &Step) {
        let object = step.event.object();
        let name = object.map_or("the start", |object| &model.object(object).name);
        let transition = object.and_then(|object| {
            let id = step.event.first_transition()?;
            Some(&model.machine_of(object).transition(id).label)
        });
        self.too_many.insert(match transition {
            Some(transition) => format!("`{transition}` of {name}"),
            None => format!("a step of {name}"),
        });
    }

    /// One of the steps that have more outcomes than are looked at.
    pub fn too_many(&self) -> Option<&String> {
        self.too_many.first()
    }

    /// Nobody has seen the states that were entered inside of a whole step: whatever it may have
    /// entered is not called dead.
    fn see_inside(&mut self, model: &Model, step: &Step) {
        let Event::Fire {
            object,
            transitions,
            ..
        } = &step.event
        else {
            return;
        };
        let machine = model.machine_of(*object);
        for id in transitions {
            let targets = machine.possible_targets(&machine.transition(*id).target);
            let entered = machine.state_ids().filter(|state| {
                let mut targets = targets.iter();
                targets.any(|t| {
                    t == state || machine.is_inside(*t, *state) || machine.is_inside(*state, *t)
                })
            });
            self.active.extend(entered.map(|state| (*object, state)));
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
