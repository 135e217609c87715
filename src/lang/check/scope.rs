//! Which names are known where an expression or statement stands.
//!
//! Invariant: the same name with the same type has the same slot wherever it is declared, and no two
//! names that are the same are known in one place.

use std::collections::HashMap;

use crate::lang::typed::Local;
use crate::lang::value::{ClassId, Slot, Type};

/// What an expression is for decides what may stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Evaluated before the system runs.
    Constant,
    Guard,
    /// May choose.
    Effect,
    Property,
    /// May use temporal operators.
    Formula,
}

pub(super) struct Scope {
    /// Whose variables are known without a prefix.
    pub class: Option<ClassId>,
    pub purpose: Purpose,
    /// All local names of the class (or of the properties), known here or not.
    frame: Vec<Local>,
    slots: HashMap<String, Vec<Slot>>,
    /// What is known here, innermost last.
    visible: Vec<Slot>,
    is_visible: Vec<bool>,
    /// Where the names begin that those to come may share a slot with.
    shared: usize,
}

impl Scope {
    pub fn new(class: Option<ClassId>, purpose: Purpose, frame: Vec<Local>) -> Scope {
        let mut slots: HashMap<String, Vec<Slot>> = HashMap::new();
        for (index, local) in frame.iter().enumerate() {
            let of_name = slots.entry(local.name.clone()).or_default();
            of_name.push(Slot::new(index));
        }
        let is_visible = vec![false; frame.len()];
        Scope {
            class,
            purpose,
            frame,
            slots,
            visible: Vec::new(),
            is_visible,
            shared: 0,
        }
    }

    /// From here on no name has the slot of one that came before. What entry and exit actions do
    /// to their own names must not show in the effects that run around them.
    pub fn set_apart(&mut self) {
        self.shared = self.frame.len();
    }

    pub fn constant() -> Scope {
        Scope::new(None, Purpose::Constant, Vec::new())
    }

    pub fn into_frame(self) -> Vec<Local> {
        self.frame
    }

    pub fn local_count(&self) -> usize {
        self.frame.len()
    }

    pub fn find(&self, name: &str) -> Option<Slot> {
        let slots = self.slots.get(name)?;
        slots
            .iter()
            .copied()
            .find(|slot| self.is_visible[slot.index()])
    }

    /// Whether something of that name is known somewhere, if not here.
    pub fn is_known_elsewhere(&self, name: &str) -> bool {
        self.slots.contains_key(name)
    }

    pub fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().map(|slot| self.name_of(*slot))
    }

    pub fn name_of(&self, slot: Slot) -> &str {
        &self.frame[slot.index()].name
    }

    pub fn type_of(&self, slot: Slot) -> &Type {
        &self.frame[slot.index()].ty
    }

    /// Makes a name known, until `forget`.
    pub fn bind(&mut self, name: &str, ty: &Type) -> Slot {
        let slot = self.slot(name, ty);
        self.show(&[slot]);
        slot
    }

    pub fn show(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.is_visible[slot.index()] = true;
            self.visible.push(*slot);
        }
    }

    /// How many names are known: what `forget` needs to go back to this place.
    pub fn mark(&self) -> usize {
        self.visible.len()
    }

    pub fn forget(&mut self, mark: usize) {
        for slot in self.visible.drain(mark..) {
            self.is_visible[slot.index()] = false;
        }
    }

    pub fn slot(&mut self, name: &str, ty: &Type) -> Slot {
        let of_name = self.slots.entry(name.to_owned()).or_default();
        let frame = &mut self.frame;
        let fits = |slot: &&Slot| slot.index() >= self.shared && frame[slot.index()].ty == *ty;
        let known = of_name.iter().find(fits);
        if let Some(slot) = known {
            return *slot;
        }
        let slot = Slot::new(frame.len());
        of_name.push(slot);
        let (name, ty) = (name.to_owned(), ty.clone());
        frame.push(Local { name, ty });
        self.is_visible.push(false);
        slot
    }
}
