//! Names for what flattening makes.
//!
//! Invariant: a fresh name occurs nowhere else in the file, so that it neither hides nor is hidden.

use std::collections::HashSet;

use crate::lang::machine::Machine;
use crate::lang::printer::print;
use crate::lang::syntax::File;
use crate::lang::value::StateId;

pub struct Fresh {
    used: HashSet<String>,
}

impl Fresh {
    pub fn new(file: &File) -> Fresh {
        let text = print(file);
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let reserved = crate::lang::lexer::RESERVED.iter().copied();
        Fresh {
            used: words.chain(reserved).map(str::to_owned).collect(),
        }
    }

    /// The wish itself if nobody has it, or else with a number behind it.
    pub fn name(&mut self, wish: &str) -> String {
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let mut candidates = std::iter::once(wish.to_owned()).chain(numbered);
        let free = candidates.find(|name| !self.used.contains(name));
        let name = free.unwrap_or_default(); // there are more numbers than names
        self.used.insert(name.clone());
        name
    }
}

/// The names of the states of a class when they all stand in one region: their own where that
/// tells them apart, otherwise their paths. Composite states have names, too, for their history.
pub fn flat_names(machine: &Machine, fresh: &mut Fresh) -> Vec<String> {
    let is_leaf = |id: &StateId| machine.state(*id).regions.is_empty();
    let own = |id: StateId| machine.state(id).name.as_str();
    let leaves = machine.state_ids().filter(is_leaf).map(own);
    let choices = machine.choices.iter().map(|choice| choice.name.as_str());
    let all: Vec<&str> = leaves.chain(choices).collect();
    let is_unique = |name: &str| all.iter().filter(|other| **other == name).count() <= 1;
    let flat = |id: StateId| match own(id) {
        name if is_unique(name) => name.to_owned(),
        _ => fresh.name(&joined_path(machine, id)),
    };
    machine.state_ids().map(flat).collect()
}

fn joined_path(machine: &Machine, id: StateId) -> String {
    let around = machine.states_around(id);
    let mut names: Vec<&str> = around.map(|id| machine.state(id).name.as_str()).collect();
    names.reverse();
    names.join("_")
}
