//! Which names are known where an expression or statement stands.

use crate::model::typed::Local;
use crate::model::value::{ClassId, Slot, Type};

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
    /// The local names that are known here, innermost last.
    pub visible: Vec<(String, Slot)>,
    /// All local names of the class (or of the properties), known here or not.
    pub frame: Vec<Local>,
    /// Where the names begin that those to come may share a slot with.
    shared: usize,
}

impl Scope {
    pub fn new(class: Option<ClassId>, purpose: Purpose, frame: Vec<Local>) -> Scope {
        Scope {
            class,
            purpose,
            visible: Vec::new(),
            frame,
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

    pub fn find(&self, name: &str) -> Option<Slot> {
        let found = self.visible.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, slot)| *slot)
    }

    pub fn type_of(&self, slot: Slot) -> &Type {
        &self.frame[slot.index()].ty
    }

    /// Makes a name known. The same name with the same type has the same slot wherever it is
    /// declared: no two of them are known in one place.
    pub fn bind(&mut self, name: &str, ty: &Type) -> Slot {
        let slot = self.slot(name, ty);
        self.visible.push((name.to_owned(), slot));
        slot
    }

    pub fn slot(&mut self, name: &str, ty: &Type) -> Slot {
        let same = |local: &Local| local.name == name && local.ty == *ty;
        let known = self.frame[self.shared..].iter().position(same);
        let index = known.map(|index| self.shared + index).unwrap_or_else(|| {
            let name = name.to_owned();
            self.frame.push(Local {
                name,
                ty: ty.clone(),
            });
            self.frame.len() - 1
        });
        Slot::new(index)
    }
}
