//! Dead variables of a model.

use std::collections::HashSet;

use super::effects::Code;
use super::kept::kept;
use super::machine::live_slots;
use super::slots::Slots;
use crate::model::{ClassId, Model, ObjectId, Subject, Value, Variable, VariableId};
use crate::semantics::{Configuration, ObjectState};

/// Which variables are dead, by the active states of the objects.
pub struct DeadVariables<'m> {
    model: &'m Model,
    /// By class and state: what may still be read, of the slots of the object and of the global ones.
    live: Vec<Vec<Slots>>,
    /// By class: the slots that may be dead.
    own: Vec<Vec<(usize, Value)>>,
    /// By object: the global slots about which its states decide.
    globals: Vec<Vec<(usize, Value)>>,
}

impl<'m> DeadVariables<'m> {
    pub fn new(model: &'m Model) -> DeadVariables<'m> {
        let live = model.classes.iter();
        let live = live.map(|class| live_slots(Code { model, class }));
        let mut dead = DeadVariables {
            model,
            live: live.collect(),
            own: vec![Vec::new(); model.classes.len()],
            globals: vec![Vec::new(); model.objects.len()],
        };
        // Two runs through the inside of a whole step are one if they meet; whether they do depends
        // on dead variables, and with it which steps there are. So all of them are kept.
        let options = model.runs_to_completion();
        if !options.is_some_and(|options| options.atomic_steps) {
            dead.find_candidates(&kept(model));
        }
        dead
    }

    fn find_candidates(&mut self, kept: &HashSet<Subject>) {
        for (index, class) in self.model.classes.iter().enumerate() {
            let subject = |variable| Subject::Field(ClassId::new(index), variable);
            self.own[index] = candidates(&class.variables, kept, subject);
        }
        for (slot, value) in candidates(&self.model.globals, kept, Subject::Global) {
            if let Some(owner) = self.owner(slot) {
                self.globals[owner.index()].push((slot, value));
            }
        }
    }

    /// The object that decides about a global slot: the only one that ever reads it from before, or
    /// the first if none does.
    fn owner(&self, slot: usize) -> Option<ObjectId> {
        let reads = |object: &ObjectId| {
            let class = self.model.object(*object).class;
            let slot = self.model.classes[class.index()].defaults.len() + slot;
            let mut states = self.live[class.index()].iter();
            states.any(|live| live.contains(slot))
        };
        let mut readers = self.model.object_ids().filter(reads);
        match (readers.next(), readers.next()) {
            (None, _) => self.model.object_ids().next(),
            (reader, None) => reader,
            _ => None,
        }
    }

    /// The slots of an object, `ObjectState::values`, that are dead whatever all others do, each with
    /// the value that stands for all; in order. Only the active states count.
    pub fn dead<'s>(
        &'s self,
        object: ObjectId,
        state: &ObjectState,
    ) -> impl Iterator<Item = (usize, Value)> + use<'s, 'm> {
        let own = &self.own[self.model.object(object).class.index()];
        self.not_live(object, state, own, 0)
    }

    /// The same for the slots of `Configuration::globals` about which this object decides. It is
    /// always the same object that decides about a slot.
    pub fn dead_globals<'s>(
        &'s self,
        object: ObjectId,
        state: &ObjectState,
    ) -> impl Iterator<Item = (usize, Value)> + use<'s, 'm> {
        let first = self.model.class_of(object).defaults.len();
        self.not_live(object, state, &self.globals[object.index()], first)
    }

    fn not_live<'s>(
        &'s self,
        object: ObjectId,
        state: &ObjectState,
        candidates: &'s [(usize, Value)],
        first: usize,
    ) -> impl Iterator<Item = (usize, Value)> + use<'s, 'm> {
        let active = match candidates {
            [] => Vec::new(), // the usual case for global variables
            _ => state.active_states(self.model.machine_of(object)),
        };
        let live = &self.live[self.model.object(object).class.index()];
        let is_live = move |slot: usize| {
            active
                .iter()
                .any(|state| live[state.index()].contains(slot))
        };
        let candidates = candidates.iter().copied();
        candidates.filter(move |(slot, _)| !is_live(first + slot))
    }

    /// The object that decides about a slot of `Configuration::globals`, if one does.
    pub fn decider(&self, slot: usize) -> Option<ObjectId> {
        let decides = |candidates: &Vec<(usize, Value)>| candidates.iter().any(|(s, _)| *s == slot);
        self.globals.iter().position(decides).map(ObjectId::new)
    }

    /// Gives every dead variable its fixed value.
    pub fn reset(&self, configuration: &mut Configuration) {
        for object in self.model.object_ids() {
            let state = configuration.object(object);
            let changed: Vec<(usize, Value)> = self
                .dead(object, state)
                .filter(|(slot, value)| state.values[*slot] != *value)
                .collect();
            for (slot, value) in self.dead_globals(object, state) {
                configuration.globals[slot] = value;
            }
            for (slot, value) in changed {
                configuration.object_mut(object).values[slot] = value;
            }
        }
    }
}

/// The slots of these variables, but for those that are kept.
fn candidates(
    variables: &[Variable],
    kept: &HashSet<Subject>,
    subject: impl Fn(VariableId) -> Subject,
) -> Vec<(usize, Value)> {
    let numbered = variables.iter().enumerate();
    let free = numbered.filter(|(id, _)| !kept.contains(&subject(VariableId::new(*id))));
    let slots = free.flat_map(|(_, variable)| {
        let value = variable.ty.default_value();
        let slots = variable.offset..variable.offset + variable.ty.length();
        slots.map(move |slot| (slot, value))
    });
    slots.collect()
}
