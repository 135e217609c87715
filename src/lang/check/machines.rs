//! State machines: initial states, actions of states, history. Transitions are in `segments` and
//! `paths`.

use std::rc::Rc;

use super::scope::{Purpose, Scope};
use super::tree::{InitialEdge, NO_STATE, Node, Tree};
use super::{Checked, Checker, Reported, each};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Machine, Region};
use crate::lang::printer::print_block;
use crate::lang::syntax::{Item, ItemKind};
use crate::lang::value::{ClassId, RegionId, StateId};

impl<'f> Checker<'f> {
    pub(super) fn check_machines(&mut self, items: &'f [Item]) {
        for class in each(items, |item| match item {
            ItemKind::Class(class) => Some(class),
            _ => None,
        }) {
            let tree = self.grow_tree(class.name.span, &class.body);
            self.trees.push(Rc::new(tree));
        }
        for index in 0..self.trees.len() {
            self.check_machine(ClassId::new(index));
        }
    }

    fn check_machine(&mut self, class: ClassId) {
        let tree = Rc::clone(&self.trees[class.index()]);
        let mut machine = tree.machine.clone();
        let mut scope = Scope::new(Some(class), Purpose::Effect, Vec::new());
        for initial in &tree.initials {
            let effect = initial.effect.map(|block| self.block(block, &mut scope));
            let state = self.initial_state(&tree, &machine, initial);
            let region = &mut machine.regions[initial.region.index()];
            // A wrong one is one all the same: nobody needs to hear that there is none.
            region.initial = state.unwrap_or_else(|_| first_state(region));
            region.initial_effect = effect.unwrap_or_default();
            region.initial_text = initial.effect.map(print_block).unwrap_or_default();
        }
        self.check_state_actions(&tree, &mut machine, &mut scope);
        scope.set_apart();
        spread_history(&mut machine);
        if !tree.is_cut {
            self.check_regions(class, &machine);
            self.check_transitions(&tree, &mut machine, &mut scope);
        }
        let class = &mut self.model.classes[class.index()];
        class.machine = machine;
        class.frame = scope.into_frame();
    }

    fn initial_state(
        &mut self,
        tree: &Tree,
        machine: &Machine,
        initial: &InitialEdge,
    ) -> Checked<StateId> {
        let region = machine.region(initial.region);
        if region.initial != NO_STATE {
            let message = "a second initial state in one region";
            let help = "a region starts in one state; from there, transitions lead on";
            let error = Diagnostic::error(codes::INITIAL_COUNT, initial.span, message);
            self.report(error.help(help));
            return Ok(region.initial);
        }
        if tree.is_cut {
            return Err(Reported); // the state may be in what is missing
        }
        let vertex = self.vertex(tree, initial.target, initial.region)?;
        let span = initial.target.span();
        let name = tree.vertices[vertex].name;
        let Node::State(state) = tree.vertices[vertex].node else {
            let kind = tree.vertices[vertex].node.kind();
            let message = format!("a region starts in a state, and `{name}` is a {kind}");
            let help = "start in a state that leads there by a transition without a trigger";
            return Err(
                self.report(Diagnostic::error(codes::BAD_INITIAL, span, message).help(help))
            );
        };
        if machine.state(state).region == initial.region {
            return Ok(state);
        }
        let message = format!("`{name}` does not lie in this region itself");
        let mut around = machine.states_around(state);
        let help = match around.find(|outer| machine.state(*outer).region == initial.region) {
            Some(outer) => {
                let outer = &machine.state(outer).name;
                format!("start in `{outer}`, and let `{outer}` start in `{name}`")
            }
            None => "start in a state of this very region".to_owned(),
        };
        Err(self.report(Diagnostic::error(codes::BAD_INITIAL, span, message).help(help)))
    }

    fn check_state_actions(&mut self, tree: &Tree, machine: &mut Machine, scope: &mut Scope) {
        for action in &tree.actions {
            let block = self.block(action.block, scope);
            let state = &mut machine.states[action.state.index()];
            let (place, text) = match action.is_exit {
                true => (&mut state.exit, &mut state.exit_text),
                false => (&mut state.entry, &mut state.entry_text),
            };
            place.extend(block);
            let gap = if text.is_empty() { "" } else { " " };
            *text += &format!("{gap}{}", print_block(action.block));
        }
        for (state, names) in &tree.defers {
            let signals = names.iter().filter_map(|name| self.signal(name).ok());
            let state = &mut machine.states[state.index()];
            state.defers.extend(signals);
            state.defers.sort_unstable();
            state.defers.dedup();
        }
    }

    /// Meller, definitions 2.1 and 2.3: every region has states, one of them initial.
    fn check_regions(&mut self, class: ClassId, machine: &Machine) {
        for region in &machine.regions {
            let first = region.states.first();
            let (message, help) = match first.map(|state| &machine.state(*state).name) {
                None => (
                    "no states",
                    "declare some: `initial -> Idle; state Idle;`".to_owned(),
                ),
                Some(first) if region.initial == NO_STATE => {
                    let help = format!("say where it starts: `initial -> {first};`");
                    ("no initial state", help)
                }
                Some(_) => continue,
            };
            let what = self.describe(class, machine, region);
            let message = format!("{what} has {message}");
            let error = Diagnostic::error(codes::INITIAL_COUNT, region.span, message);
            self.report(error.help(help));
        }
    }

    fn describe(&self, class: ClassId, machine: &Machine, region: &Region) -> String {
        match region.parent {
            None => format!("class `{}`", self.model.classes[class.index()].name),
            Some(state) if region.name.is_empty() => {
                format!("state `{}`", machine.state(state).name)
            }
            Some(_) => format!("region `{}`", region.name),
        }
    }
}

fn first_state(region: &Region) -> StateId {
    region.states.first().copied().unwrap_or(NO_STATE)
}

/// `deep history` (marked by `remembers` until here) holds for all regions inside; every region
/// with history remembers where it was left.
fn spread_history(machine: &mut Machine) {
    for region in &mut machine.regions {
        region.deep = region.history && region.remembers;
    }
    for index in 0..machine.regions.len() {
        let around = machine.regions_around(RegionId::new(index));
        let in_deep = around.skip(1).any(|outer| machine.region(outer).deep);
        machine.regions[index].history |= in_deep;
    }
    for region in &mut machine.regions {
        region.remembers = region.history;
    }
}
