//! State machines: initial states, actions of states, history, and the checks on the whole.
//! Transitions are in `paths`.

use std::rc::Rc;

use super::scope::{Purpose, Scope};
use super::tree::{NO_STATE, Node, Tree};
use super::{Checker, each};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::machine::Region;
use crate::model::syntax::{Class, Item, ItemKind};
use crate::model::value::{ClassId, RegionId, StateId};

impl Checker {
    pub(super) fn check_machines(&mut self, items: &[Item]) {
        let classes = || {
            each(items, |item| match &item.kind {
                ItemKind::Class(class) => Some(class),
                _ => None,
            })
        };
        self.trees = classes()
            .map(|class| Rc::new(self.grow_class(class)))
            .collect();
        for index in 0..self.trees.len() {
            self.check_machine(ClassId::new(index));
        }
    }

    fn grow_class(&mut self, class: &Class) -> Tree {
        self.grow_tree(class.name.span, &class.body)
    }

    fn check_machine(&mut self, class: ClassId) {
        let mut tree = Tree::clone(&self.trees[class.index()]);
        let mut scope = Scope::new(Some(class), Purpose::Effect, Vec::new());
        self.check_initials(&mut tree, &mut scope);
        self.check_state_actions(&mut tree, &mut scope);
        spread_history(&mut tree);
        let reported = self.diagnostics.len();
        self.check_regions(&tree);
        let whole = self.diagnostics.len() == reported;
        self.check_transitions(&mut tree, &mut scope, whole);
        let class = &mut self.model.classes[class.index()];
        class.machine = tree.machine;
        class.frame = scope.frame;
    }

    fn check_initials(&mut self, tree: &mut Tree, scope: &mut Scope) {
        for initial in tree.initials.clone() {
            let effect = initial
                .effect
                .as_ref()
                .map(|block| self.block(block, scope));
            let Ok(vertex) = self.vertex(tree, &initial.target, initial.region) else {
                tree.machine.regions[initial.region.index()].initial =
                    first_state(tree, initial.region);
                continue;
            };
            let Node::State(state) = tree.vertices[vertex].node else {
                let message = "a region starts in a state";
                self.error(codes::BAD_INITIAL, initial.target.span(), message);
                continue;
            };
            if tree.machine.state(state).region != initial.region {
                let message = "the initial state lies in another region";
                let help = "start in a state of this very region";
                let span = initial.target.span();
                self.report(Diagnostic::error(codes::BAD_INITIAL, span, message).help(help));
                continue;
            }
            let region = &mut tree.machine.regions[initial.region.index()];
            if region.initial != NO_STATE {
                let message = "a second initial state in one region";
                self.error(codes::INITIAL_COUNT, initial.span, message);
                continue;
            }
            region.initial = state;
            region.initial_effect = effect.unwrap_or_default();
        }
    }

    fn check_state_actions(&mut self, tree: &mut Tree, scope: &mut Scope) {
        for action in tree.actions.clone() {
            let block = self.block(&action.block, scope);
            let state = &mut tree.machine.states[action.state.index()];
            let place = if action.is_exit {
                &mut state.exit
            } else {
                &mut state.entry
            };
            place.extend(block);
        }
        for (state, names) in tree.defers.clone() {
            for name in &names {
                if let Ok(signal) = self.signal(name) {
                    tree.machine.states[state.index()].defers.push(signal);
                }
            }
        }
    }

    /// Meller, definitions 2.1 and 2.3: every region has states, one of them initial.
    fn check_regions(&mut self, tree: &Tree) {
        for region in &tree.machine.regions {
            let what = describe(tree, region);
            if region.states.is_empty() {
                let message = format!("{what} has no states");
                let help = "declare some: `initial -> Idle; state Idle;`";
                self.report(
                    Diagnostic::error(codes::INITIAL_COUNT, region.span, message).help(help),
                );
            } else if region.initial == NO_STATE {
                let message = format!("{what} has no initial state");
                let first = &tree.machine.state(region.states[0]).name;
                let help = format!("say where it starts: `initial -> {first};`");
                let already = self
                    .diagnostics
                    .iter()
                    .any(|d| d.code == codes::BAD_INITIAL);
                if !already {
                    self.report(
                        Diagnostic::error(codes::INITIAL_COUNT, region.span, message).help(help),
                    );
                }
            }
        }
    }
}

fn first_state(tree: &Tree, region: RegionId) -> StateId {
    let first = tree.machine.region(region).states.first();
    first.copied().unwrap_or(NO_STATE)
}

fn describe(tree: &Tree, region: &Region) -> String {
    match region.parent {
        None => "the class".to_owned(),
        Some(state) if region.name.is_empty() => {
            format!("state {}", tree.machine.state(state).name)
        }
        Some(_) => format!("region {}", region.name),
    }
}

/// `deep history` (marked by `remembers` until here) holds for all regions inside; every region
/// with history remembers where it was left.
fn spread_history(tree: &mut Tree) {
    for index in 0..tree.machine.regions.len() {
        let around = tree.machine.regions_around(RegionId::new(index));
        let is_deep = |region: &Region| region.history && region.remembers;
        let deep = around
            .skip(1)
            .any(|outer| is_deep(tree.machine.region(outer)));
        let region = &mut tree.machine.regions[index];
        if deep {
            region.history = true;
            region.remembers = true;
        }
    }
    for region in &mut tree.machine.regions {
        region.remembers = region.history;
    }
}
