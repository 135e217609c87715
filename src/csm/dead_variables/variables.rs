//! Dead variables of a model.

use std::collections::HashSet;

use super::effects::Code;
use super::kept::kept;
use super::machine::live_slots;
use crate::csm::{Configuration, ObjectState};
use crate::dead_variables::Slots;
use crate::lang::{ClassId, Model, ObjectId, Subject, Value, Variable, VariableId, limits};
use crate::system::Reset;

/// Which variables are dead, by the active states of the objects.
pub struct DeadVariables<'m> {
    model: &'m Model,
    /// By class and state: what may still be read, of the slots of the object and the global ones.
    live: Vec<Vec<Slots>>,
    /// By class: the slots that may be dead.
    own: Vec<Vec<(usize, Value)>>,
    /// By object: the global slots about which its states decide.
    globals: Vec<Vec<(usize, Value)>>,
}

impl<'m> DeadVariables<'m> {
    pub fn new(model: &'m Model) -> DeadVariables<'m> {
        let mut dead = DeadVariables {
            model,
            live: Vec::new(),
            own: vec![Vec::new(); model.classes.len()],
            globals: vec![Vec::new(); model.objects.len()],
        };
        // Two ways through a whole step are one if they meet. Whether they do may depend on dead
        // variables, and so which steps there are: all of them are kept.
        let options = model.runs_to_completion();
        let is_atomic = options.is_some_and(|options| options.atomic_steps);
        if !is_atomic && size(model) <= limits::LIVENESS {
            let classes = model.classes.iter();
            let live = classes.map(|class| live_slots(Code { model, class }));
            dead.live = live.collect();
            dead.find_candidates(&kept(model));
        }
        dead
    }

    fn find_candidates(&mut self, kept: &HashSet<Subject>) {
        for (index, class) in self.model.classes.iter().enumerate() {
            let subject = |variable| Subject::Field(ClassId::new(index), variable);
            self.own[index] = candidates(&class.variables, kept, subject);
        }
        let readers = self.readers();
        for (slot, value) in candidates(&self.model.globals, kept, Subject::Global) {
            if let Some(owner) = self.owner(slot, &readers) {
                self.globals[owner.index()].push((slot, value));
            }
        }
    }

    /// By class: all slots that it ever reads from before.
    fn readers(&self) -> Vec<Slots> {
        let classes = self.model.classes.iter().zip(&self.live);
        let readers = classes.map(|(class, states)| {
            let model = self.model;
            let mut all = Slots::none(Code { model, class }.slots());
            states.iter().for_each(|live| all.add(live));
            all
        });
        readers.collect()
    }

    /// The object that decides about a global slot: the only one that ever reads it from before, or
    /// the first if none does.
    fn owner(&self, slot: usize, readers: &[Slots]) -> Option<ObjectId> {
        let reads = |object: &ObjectId| {
            let first = self.model.class_of(*object).defaults.len();
            readers[self.model.object(*object).class.index()].contains(first + slot)
        };
        let mut readers = self.model.object_ids().filter(reads);
        match (readers.next(), readers.next()) {
            (None, _) => self.model.object_ids().next(),
            (reader, None) => reader,
            _ => None,
        }
    }

    /// The slots of an object, `ObjectState::values`, that are dead whatever all others do, each
    /// with the value that stands for all; in order. Only the active states count.
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

    /// Those of the candidates that are live in no active state; for the class, they are the slots
    /// from `first` on.
    fn not_live<'s>(
        &'s self,
        object: ObjectId,
        state: &ObjectState,
        candidates: &'s [(usize, Value)],
        first: usize,
    ) -> impl Iterator<Item = (usize, Value)> + use<'s, 'm> {
        let class = self.model.object(object).class.index();
        let active = match candidates {
            [] => Vec::new(), // as often for global variables: there is nothing to ask
            _ => state.active_states(self.model.machine_of(object)),
        };
        let is_live = move |slot: usize| {
            let mut active = active.iter();
            active.any(|state| self.live[class][state.index()].contains(slot))
        };
        let candidates = candidates.iter().copied();
        candidates.filter(move |(slot, _)| !is_live(first + slot))
    }

    /// The object that decides about a slot of `Configuration::globals`, if one does.
    pub fn decider(&self, slot: usize) -> Option<ObjectId> {
        let decides = |candidates: &Vec<(usize, Value)>| candidates.iter().any(|(s, _)| *s == slot);
        self.globals.iter().position(decides).map(ObjectId::new)
    }

    /// Whether a slot of an object is dead in some of its states.
    pub fn may_be_dead(&self, object: ObjectId, slot: usize) -> bool {
        let own = &self.own[self.model.object(object).class.index()];
        own.iter().any(|(candidate, _)| *candidate == slot)
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

fn size(model: &Model) -> usize {
    let classes = model.classes.iter();
    let sizes = classes.map(|class| {
        let parts = class.machine.states.len() + class.machine.transitions.len();
        parts.saturating_mul(class.defaults.len() + model.global_values.len())
    });
    sizes.fold(0, usize::saturating_add)
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

impl Reset<Configuration> for DeadVariables<'_> {
    fn reset(&self, configuration: &mut Configuration) {
        DeadVariables::reset(self, configuration);
    }
}
