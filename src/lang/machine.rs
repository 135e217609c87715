//! The state machine of a class: a tree of regions and states, and the transitions between them.
//!
//! Invariant: `regions[0]` is the top region; the parents of regions and states come before them;
//! junctions, forks and joins are gone: a transition here is a whole path between stable states,
//! interrupted only by choices.

use super::action::{Block, Expr};
use super::syntax::{HistoryKind, Span};
use super::value::{ChoiceId, RegionId, SignalId, Slot, StateId, TransitionId, VariableId};

#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub regions: Vec<Region>,
    pub states: Vec<State>,
    pub choices: Vec<Choice>,
    pub transitions: Vec<Transition>,
}

pub const TOP: RegionId = RegionId(0);

#[derive(Clone, Debug)]
pub struct Region {
    /// Empty where the user gave none.
    pub name: String,
    pub parent: Option<StateId>,
    pub states: Vec<StateId>,
    pub initial: StateId,
    pub initial_effect: Block,
    /// The same in the words of the model.
    pub initial_text: String,
    /// Entered by default in the state in which it was left.
    pub history: bool,
    /// Declared so with `deep`: the regions inside have history, too.
    pub deep: bool,
    /// Some entry asks for the state in which it was left.
    pub remembers: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    /// The names of the states around it and its own, as short as tells it apart.
    pub path: String,
    pub region: RegionId,
    /// Empty for a simple state.
    pub regions: Vec<RegionId>,
    pub is_final: bool,
    pub quiescent: bool,
    /// Entering it puts deferred messages back.
    pub flushes: bool,
    pub entry: Block,
    pub exit: Block,
    /// Both in the words of the model; empty where there is none.
    pub entry_text: String,
    pub exit_text: String,
    pub defers: Vec<SignalId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Transition {
    /// One; or those of a join.
    pub sources: Vec<StateId>,
    /// Empty: needs no message.
    pub triggers: Vec<Trigger>,
    pub guard: Guard,
    pub effect: Block,
    pub target: Target,
    /// In the words of the model.
    pub label: String,
    /// What stands on each edge that it is made of, without the ends: `trigger [guard] / { effect }`,
    /// `on ...` for an internal one, `ignore A`. Edges on which nothing stands are left out.
    pub texts: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Trigger {
    pub accepts: Accepts,
    pub bindings: Vec<Binding>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepts {
    Signal(SignalId),
    /// `any`: all but these.
    AllBut(Vec<SignalId>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    Ignored,
    Local(Slot),
    /// A variable of the class takes the value (Ojala 2.2.1).
    Variable(VariableId),
}

/// All conditions hold; and, with `otherwise`, no other transition of the same source could fire.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    pub conditions: Vec<Expr>,
    pub otherwise: bool,
}

#[derive(Clone, Debug)]
pub enum Target {
    /// Leaves and enters nothing.
    Internal,
    /// One state; or those of a fork, in different regions of one state.
    States(Vec<StateId>),
    History(StateId, HistoryKind),
    Choice(ChoiceId),
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub name: String,
    pub region: RegionId,
    pub branches: Vec<Branch>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Branch {
    /// `None`: always.
    pub condition: Option<Expr>,
    /// Only if no other branch can be taken.
    pub otherwise: bool,
    pub effect: Block,
    pub target: Target,
    pub label: String,
    /// As for transitions.
    pub texts: Vec<String>,
    pub span: Span,
}

impl Region {
    /// What a region with history remembers before it was left, and after it has ended. To be
    /// entered afresh is more than to come back to the initial state if that has an effect.
    pub fn fresh(&self) -> Option<StateId> {
        let comes_back = self.remembers && self.initial_effect.is_empty();
        comes_back.then_some(self.initial)
    }
}

impl Trigger {
    pub fn accepts(&self, signal: SignalId) -> bool {
        match &self.accepts {
            Accepts::Signal(wanted) => *wanted == signal,
            Accepts::AllBut(others) => !others.contains(&signal),
        }
    }
}

impl Transition {
    pub fn needs_message(&self) -> bool {
        !self.triggers.is_empty()
    }

    pub fn trigger_for(&self, signal: SignalId) -> Option<&Trigger> {
        self.triggers.iter().find(|trigger| trigger.accepts(signal))
    }

    /// Taking it changes nothing, but for the message being gone: `ignore`.
    pub fn is_inert(&self) -> bool {
        let stores = |trigger: &Trigger| {
            let mut bindings = trigger.bindings.iter();
            bindings.any(|binding| matches!(binding, Binding::Variable(_)))
        };
        self.is_internal() && self.effect.is_empty() && !self.triggers.iter().any(stores)
    }

    pub fn is_internal(&self) -> bool {
        matches!(self.target, Target::Internal)
    }
}

impl Machine {
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    pub fn choice(&self, id: ChoiceId) -> &Choice {
        &self.choices[id.index()]
    }

    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len()).map(TransitionId::new)
    }

    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// Everything that it may execute.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let states = self.states.iter().flat_map(|s| [&s.entry, &s.exit]);
        let initials = self.regions.iter().map(|region| &region.initial_effect);
        let transitions = self.transitions.iter().map(|t| &t.effect);
        let branches = self.choices.iter().flat_map(|choice| &choice.branches);
        let branches = branches.map(|branch| &branch.effect);
        states.chain(initials).chain(transitions).chain(branches)
    }

    /// Everything that decides what it does: the conditions of transitions and branches.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let guards = self.transitions.iter().flat_map(|t| &t.guard.conditions);
        let branches = self.choices.iter().flat_map(|choice| &choice.branches);
        guards.chain(branches.filter_map(|branch| branch.condition.as_ref()))
    }

    /// The regions around a region, itself first, the top region last.
    pub fn regions_around(&self, region: RegionId) -> impl Iterator<Item = RegionId> + '_ {
        std::iter::successors(Some(region), |inner| {
            let parent = self.region(*inner).parent?;
            Some(self.state(parent).region)
        })
    }

    /// The states around a state, itself first.
    pub fn states_around(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(Some(state), |inner| {
            self.region(self.state(*inner).region).parent
        })
    }

    /// Whether `inner` lies inside `outer`, and is not the same (written ◁ in Meller).
    pub fn is_inside(&self, inner: StateId, outer: StateId) -> bool {
        inner != outer && self.states_around(inner).any(|around| around == outer)
    }

    /// Whether a region lies in a state, at any depth.
    pub fn region_is_inside(&self, region: RegionId, outer: StateId) -> bool {
        let parent = self.region(region).parent;
        parent.is_some_and(|state| self.states_around(state).any(|around| around == outer))
    }

    /// The innermost region that holds both states, at any depth.
    pub fn common_region(&self, one: RegionId, other: RegionId) -> RegionId {
        let mut around = self.regions_around(one);
        let common = around.find(|region| self.regions_around(other).any(|o| o == *region));
        common.unwrap_or(TOP)
    }

    /// ORTH (Meller 1.7): the states lie in different regions of one composite state.
    pub fn orthogonal(&self, one: StateId, other: StateId) -> bool {
        if one == other || self.is_inside(one, other) || self.is_inside(other, one) {
            return false;
        }
        let common = self.common_region(self.state(one).region, self.state(other).region);
        let ancestor_in = |state| {
            self.states_around(state)
                .find(|around| self.state(*around).region == common)
        };
        ancestor_in(one) == ancestor_in(other)
    }

    /// All states that a target may lead to, through choices.
    pub fn possible_targets(&self, target: &Target) -> Vec<StateId> {
        let mut seen = vec![false; self.choices.len()];
        let mut found = Vec::new();
        let mut pending = vec![target];
        while let Some(target) = pending.pop() {
            match target {
                Target::Internal => {}
                Target::States(states) => found.extend(states),
                Target::History(state, _) => found.push(*state),
                Target::Choice(choice) if seen[choice.index()] => {}
                Target::Choice(choice) => {
                    seen[choice.index()] = true;
                    pending.extend(self.choice(*choice).branches.iter().map(|b| &b.target));
                }
            }
        }
        found
    }
}
