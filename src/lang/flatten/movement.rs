//! Leaving and entering, worked out in advance: what `semantics::movement` does in a run, as
//! effects between leaves.
//!
//! Leaves keep their own entry and exit actions: a leaf is the first to be left and the last to
//! be entered, so that these run before and after everything that is written out here.

use super::history::{Last, Memories, Memory};
use super::paths::End;
use super::tree::{StateAction, Tree};
use crate::lang::machine::{Machine, TOP};
use crate::lang::syntax::{Block, Expr, HistoryKind};
use crate::lang::value::{RegionId, StateId};

/// What is known about regions when they are entered.
pub enum Before {
    /// The states that this step leaves, innermost first. Their regions were active when it began.
    Left(Vec<StateId>),
    /// Nothing was ever entered.
    Start,
}

impl Before {
    fn left(&self) -> &[StateId] {
        match self {
            Before::Left(left) => left,
            Before::Start => &[],
        }
    }
}

/// One way to arrive below a region: where, what is done, and what must be remembered for it.
#[derive(Clone)]
pub struct Arrival {
    pub leaf: StateId,
    pub conditions: Vec<Expr>,
    pub effects: Vec<Block>,
    /// The remembering regions that are entered.
    entered: Vec<RegionId>,
}

/// What is to be entered, and what of it where it was left.
#[derive(Clone, Copy)]
pub struct Entry {
    state: Option<StateId>,
    history: Option<(StateId, HistoryKind)>,
}

impl Entry {
    /// `None` for what is no state: a choice, or nothing at all.
    pub fn of(end: End) -> Option<Entry> {
        let (state, history) = match end {
            End::State(state) => (state, None),
            End::History(state, kind) => (state, Some((state, kind))),
            End::Internal | End::Choice(_) => return None,
        };
        let state = Some(state);
        Some(Entry { state, history })
    }

    pub const START: Entry = Entry {
        state: None,
        history: None,
    };
}

pub struct Movement<'a> {
    pub machine: &'a Machine,
    pub tree: &'a Tree,
    pub memories: &'a Memories,
}

impl Movement<'_> {
    /// What is left when everything in a region is, from a leaf in it.
    pub fn leave(&self, leaf: StateId, region: RegionId) -> Before {
        let mut left = Vec::new();
        for state in self.machine.states_around(leaf) {
            left.push(state);
            if self.machine.state(state).region == region {
                break;
            }
        }
        Before::Left(left)
    }

    /// What is left when a region that is empty already becomes a wider one.
    pub fn widen(&self, from: RegionId, to: RegionId) -> Before {
        let regions = self.machine.regions_around(from);
        let inside = regions.take_while(|region| *region != to);
        let parents = inside.filter_map(|region| self.machine.region(region).parent);
        Before::Left(parents.collect())
    }

    /// The exit actions of composite states, and what is remembered of all; of regions that are
    /// entered again at once nothing needs to be.
    pub fn exits(&self, before: &Before, again: Option<&Arrival>) -> Vec<Block> {
        let mut effects = Vec::new();
        for state in before.left() {
            let declared = self.machine.state(*state);
            if !declared.regions.is_empty() {
                effects.extend(self.actions(*state, true));
            }
            let again = again.is_some_and(|arrival| arrival.entered.contains(&declared.region));
            if let (Some(memory), false) = (self.memories.of(declared.region), again) {
                effects.push(memory.write(self.last(*state)));
            }
        }
        effects
    }

    /// What is remembered of a state that is left.
    fn last(&self, state: StateId) -> Last {
        match self.machine.state(state).is_final {
            true => Last::Afresh,
            false => Last::In(state),
        }
    }

    fn actions(&self, state: StateId, is_exit: bool) -> impl Iterator<Item = Block> + '_ {
        let of_state =
            move |action: &&StateAction| action.state == state && action.is_exit == is_exit;
        let actions = self.tree.actions.iter().filter(of_state);
        actions.map(|action| action.block.clone())
    }

    /// All ways to enter a region that is empty.
    pub fn enter(&self, region: RegionId, entry: Entry, before: &Before) -> Vec<Arrival> {
        if let Some(state) = self.explicit(region, entry) {
            return self.enter_state(state, entry, before, Vec::new(), None);
        }
        let by_history = self.machine.region(region).history || self.is_restored(region, entry);
        if !by_history {
            return self.enter_last(region, Last::Afresh, entry, before, None);
        }
        match (self.known_last(region, before), self.memories.of(region)) {
            (Some(last), _) => self.enter_last(region, last, entry, before, None),
            (None, None) => self.enter_last(region, Last::Afresh, entry, before, None),
            (None, Some(memory)) => memory
                .all()
                .flat_map(|last| self.enter_last(region, last, entry, before, Some(memory)))
                .collect(),
        }
    }

    /// Enters an empty region where it was last; with a memory, only if that says so.
    fn enter_last(
        &self,
        region: RegionId,
        last: Last,
        entry: Entry,
        before: &Before,
        memory: Option<&Memory>,
    ) -> Vec<Arrival> {
        let (state, effects) = match last {
            Last::In(state) => (state, Vec::new()),
            Last::Afresh => {
                let initials = self.tree.initials.iter();
                let of_region = initials.filter(|initial| initial.region == region);
                let effects = of_region.filter_map(|initial| initial.effect.clone());
                (self.machine.region(region).initial, effects.collect())
            }
        };
        let said = memory.map(|memory| (memory, last));
        self.enter_state(state, entry, before, effects, said)
    }

    fn enter_state(
        &self,
        state: StateId,
        entry: Entry,
        before: &Before,
        mut effects: Vec<Block>,
        said: Option<(&Memory, Last)>,
    ) -> Vec<Arrival> {
        let declared = self.machine.state(state);
        let region = declared.region;
        let mut entered = Vec::new();
        if let Some(memory) = self.memories.of(region) {
            entered.push(region);
            let was_active = self.known_last(region, before).is_some();
            let is_fresh = said.is_some_and(|(memory, last)| memory.is_fresh(last));
            effects.extend((!was_active && !is_fresh).then(|| memory.write(Last::Afresh)));
        }
        let condition = said.map(|(memory, last)| memory.holds(last));
        let arrival = Arrival {
            leaf: state,
            conditions: condition.into_iter().collect(),
            effects,
            entered,
        };
        let Some(inner) = declared.regions.first() else {
            return vec![arrival];
        };
        let rest = self.enter(*inner, entry, before).into_iter();
        rest.map(|rest| self.then(&arrival, state, rest)).collect()
    }

    fn then(&self, outer: &Arrival, state: StateId, inner: Arrival) -> Arrival {
        let mut whole = outer.clone();
        whole.leaf = inner.leaf;
        whole.conditions.extend(inner.conditions);
        whole.effects.extend(self.actions(state, false));
        whole.effects.extend(inner.effects);
        whole.entered.extend(inner.entered);
        whole
    }

    fn explicit(&self, region: RegionId, entry: Entry) -> Option<StateId> {
        let mut around = self.machine.states_around(entry.state?);
        around.find(|state| self.machine.state(*state).region == region)
    }

    fn is_restored(&self, region: RegionId, entry: Entry) -> bool {
        entry.history.is_some_and(|(state, kind)| match kind {
            HistoryKind::Shallow => self.machine.region(region).parent == Some(state),
            HistoryKind::Deep => self.machine.region_is_inside(region, state),
        })
    }

    /// Where a region was last, if that needs no memory.
    fn known_last(&self, region: RegionId, before: &Before) -> Option<Last> {
        if let Before::Start = before {
            return Some(Last::Afresh);
        }
        let mut left = before.left().iter();
        let state = left.find(|state| self.machine.state(**state).region == region)?;
        Some(self.last(*state))
    }

    /// The leaf in which an object starts, and what is done on the way.
    pub fn start(&self) -> Option<Arrival> {
        self.enter(TOP, Entry::START, &Before::Start).pop()
    }
}
