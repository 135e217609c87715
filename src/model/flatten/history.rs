//! What regions remember, as variables: one enumeration and one variable for each.
//!
//! Invariant: the variable of a region that is active holds what it does at the start; so
//! the flat machine has not a state more than the one that it comes from, where an active region
//! remembers nothing besides the state that it is in.

use super::build;
use super::names::Fresh;
use crate::model::machine::{Machine, TOP};
use crate::model::syntax::{Block, Expr, Initial, ItemKind, Name, Span, Type, TypeKind, Variable};
use crate::model::value::{RegionId, StateId};

/// By region.
pub struct Memories(Vec<Option<Memory>>);

pub struct Memory {
    variable: String,
    enumeration: String,
    /// The states that can be remembered, with their literals.
    literals: Vec<(StateId, String)>,
    /// What it holds until the region is left, and after the region has ended: the literal of the
    /// initial state, or, if entering that has an effect, one of its own.
    fresh: String,
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
        let can_be_last =
            |state: &&StateId| !machine.state(**state).is_final || **state == declared.initial;
        let variable = fresh.name(&format!("{owner}_history"));
        let enumeration = fresh.name(&format!("{class}_{owner}"));
        let remembered = declared.states.iter().filter(can_be_last);
        let literal = |state: &StateId| {
            let name = &machine.state(*state).name;
            (*state, fresh.name(&format!("{owner}_{name}")))
        };
        let literals: Vec<(StateId, String)> = remembered.map(literal).collect();
        let mut memory = Memory {
            variable,
            enumeration,
            literals,
            fresh: String::new(),
            initial: declared.initial,
        };
        memory.fresh = match declared.initial_effect.is_empty() {
            true => memory.literal(declared.initial).to_owned(),
            false => fresh.name(&format!("{owner}_afresh")),
        };
        memory
    }

    /// Whether to be entered afresh is more than to come back to the initial state.
    pub fn tells_fresh(&self) -> bool {
        self.fresh != self.literal(self.initial)
    }

    /// `Main_history = Main_afresh;`
    pub fn forget(&self) -> Block {
        build::assignment(&self.variable, &self.fresh)
    }

    /// `Main_history == Main_afresh`
    pub fn is_fresh(&self) -> Expr {
        build::equal(
            build::variable(&self.variable),
            build::variable(&self.fresh),
        )
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        self.literals.iter().map(|(state, _)| *state)
    }

    fn literal(&self, state: StateId) -> &str {
        let found = self.literals.iter().find(|(other, _)| *other == state);
        found.map_or("", |(_, literal)| literal)
    }

    /// `Main_history = Main_Idle;`
    pub fn write(&self, state: StateId) -> Block {
        build::assignment(&self.variable, self.literal(state))
    }

    /// `Main_history == Main_Idle`
    pub fn holds(&self, state: StateId) -> Expr {
        let literal = build::variable(self.literal(state));
        build::equal(build::variable(&self.variable), literal)
    }

    /// Its name has a place, so that no comment seems to stand inside.
    pub fn declare_enumeration(&self, span: Span) -> ItemKind {
        let literals = self.literals.iter().map(|(_, name)| name);
        let afresh = self.tells_fresh().then_some(&self.fresh);
        let text = self.enumeration.clone();
        ItemKind::Enum {
            name: Name { text, span },
            literals: literals
                .chain(afresh)
                .map(|name| build::name(name))
                .collect(),
        }
    }

    pub fn declare_variable(&self) -> Variable {
        let initial = Initial::Value(build::variable(&self.fresh));
        Variable {
            ty: Type {
                kind: TypeKind::Named(build::name(&self.enumeration)),
                span: Span::default(),
            },
            declared: vec![(build::name(&self.variable), Some(initial))],
        }
    }
}
