//! What regions remember, as variables: one enumeration and one variable for each.
//!
//! Invariant: the variable of a region that is active holds what it holds at the start; so
//! the flat machine has not a state more than the one that it comes from, where an active region
//! remembers nothing besides the state that it is in.

use super::build;
use super::names::Fresh;
use crate::lang::machine::{Machine, TOP};
use crate::lang::syntax::{Block, Expr, Initial, ItemKind, Name, Span, Type, TypeKind, Variable};
use crate::lang::value::{RegionId, StateId};

/// Where a region was last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Last {
    In(StateId),
    /// Never there, or at its end: it starts with its initial effect.
    Afresh,
}

/// By region.
pub struct Memories(Vec<Option<Memory>>);

pub struct Memory {
    variable: String,
    enumeration: String,
    /// What can be remembered; `Afresh` only where that is more than the initial state.
    literals: Vec<(Last, String)>,
    initial: StateId,
}

impl Memories {
    /// For all regions that remember; the top region is never entered but at the start.
    pub fn new(class: &str, machine: &Machine, names: &[String], fresh: &mut Fresh) -> Memories {
        let regions = (0..machine.regions.len()).map(RegionId::new);
        let memory = |id: RegionId| {
            let remembers = machine.region(id).remembers && id != TOP;
            remembers.then(|| Memory::new(class, machine, id, names, fresh))
        };
        Memories(regions.map(memory).collect())
    }

    pub fn of(&self, region: RegionId) -> Option<&Memory> {
        self.0[region.index()].as_ref()
    }

    pub fn all(&self) -> impl Iterator<Item = &Memory> {
        self.0.iter().flatten()
    }
}

impl Memory {
    fn new(
        class: &str,
        machine: &Machine,
        region: RegionId,
        names: &[String],
        fresh: &mut Fresh,
    ) -> Memory {
        let declared = machine.region(region);
        let owner = declared.parent.map_or("", |state| &names[state.index()]);
        let mut memory = Memory {
            variable: fresh.name(&format!("{owner}_history")),
            enumeration: fresh.name(&format!("{class}_{owner}")),
            literals: Vec::new(),
            initial: declared.initial,
        };
        let starts_in_initial = declared.fresh().is_some();
        if !starts_in_initial {
            let literal = fresh.name(&format!("{owner}_afresh"));
            memory.literals.push((Last::Afresh, literal));
        }
        for state in &declared.states {
            let is_fresh = starts_in_initial && *state == declared.initial;
            if is_fresh || !machine.state(*state).is_final {
                let name = &machine.state(*state).name;
                let literal = fresh.name(&format!("{owner}_{name}"));
                memory.literals.push((Last::In(*state), literal));
            }
        }
        memory
    }

    pub fn all(&self) -> impl Iterator<Item = Last> + '_ {
        self.literals.iter().map(|(last, _)| *last)
    }

    /// Whether this is what is remembered at the start, and while the region is active.
    pub fn is_fresh(&self, last: Last) -> bool {
        self.literal(last) == self.literal(Last::Afresh)
    }

    fn literal(&self, last: Last) -> &str {
        let find = |last| self.literals.iter().find(|(other, _)| *other == last);
        let found = find(last).or_else(|| find(Last::In(self.initial)));
        found.map_or("", |(_, literal)| literal)
    }

    /// `Main_history = Main_Idle;`
    pub fn write(&self, last: Last) -> Block {
        build::assignment(&self.variable, self.literal(last))
    }

    /// `Main_history == Main_Idle`
    pub fn holds(&self, last: Last) -> Expr {
        let literal = build::variable(self.literal(last));
        build::equal(build::variable(&self.variable), literal)
    }

    /// Its name has a place, so that no comment seems to stand inside.
    pub fn declare_enumeration(&self, span: Span) -> ItemKind {
        let literals = self.literals.iter();
        let text = self.enumeration.clone();
        ItemKind::Enum {
            name: Name { text, span },
            literals: literals.map(|(_, name)| build::name(name)).collect(),
        }
    }

    pub fn declare_variable(&self) -> Variable {
        let initial = Initial::Value(build::variable(self.literal(Last::Afresh)));
        Variable {
            ty: Type {
                kind: TypeKind::Named(build::name(&self.enumeration)),
                span: Span::default(),
            },
            declared: vec![(build::name(&self.variable), Some(initial))],
        }
    }
}
