//! Building the tree of a machine from the elements of its class.

use super::tree::{Edge, InitialEdge, Node, Source, StateAction, Tree};
use super::{Checker, Reported};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::TOP;
use crate::lang::syntax::{Block, Element, ElementKind, Name, Span, VertexKind};
use crate::lang::value::{RegionId, StateId};
use crate::lang::{codes, limits};

impl<'f> Checker<'f> {
    pub(super) fn grow_tree(&mut self, name: Span, body: &'f [Element]) -> Tree<'f> {
        let mut tree = Tree::default();
        let top = tree.add_region("", None, name);
        self.grow_region(&mut tree, top, None, body);
        tree.name_states();
        tree
    }

    /// The elements of a region; `owner` is the state whose only region it is, if it has no name.
    fn grow_region(
        &mut self,
        tree: &mut Tree<'f>,
        region: RegionId,
        owner: Option<StateId>,
        body: &'f [Element],
    ) {
        for element in body {
            self.grow_element(tree, region, owner, element);
        }
    }

    fn grow_element(
        &mut self,
        tree: &mut Tree<'f>,
        region: RegionId,
        owner: Option<StateId>,
        element: &'f Element,
    ) {
        match &element.kind {
            ElementKind::Variable(_) if region == TOP => {}
            ElementKind::Variable(_) => self.misplaced_variable(element.span),
            ElementKind::Initial { target, effect } => tree.initials.push(InitialEdge {
                region,
                target,
                effect: effect.as_ref(),
                span: element.span,
            }),
            ElementKind::State {
                quiescent,
                names,
                body,
            } => {
                for name in names {
                    self.grow_state(tree, name, region, *quiescent, body.as_deref());
                }
            }
            ElementKind::Region { name, .. } => {
                let help = format!(
                    "put it in a state: `state All {{ region {name} ... }}`",
                    name = name.text
                );
                self.misplaced(name.span, "regions stand in states", &help);
            }
            ElementKind::Vertices { kind, names } => {
                for name in names {
                    self.grow_vertex(tree, *kind, name, region);
                }
            }
            ElementKind::Transition { .. } => self.grow_transition(tree, region, element),
            ElementKind::History { deep } => {
                let region = &mut tree.machine.regions[region.index()];
                region.history = true;
                region.remembers = *deep; // spread to what is inside later
            }
            _ => match owner {
                Some(state) => self.grow_state_element(tree, state, element),
                None => {
                    let message = format!("{} belongs to a state", word_of(element));
                    let help = "put it in the braces of a state";
                    self.misplaced(element.span, &message, help);
                }
            },
        }
    }

    fn grow_vertex(
        &mut self,
        tree: &mut Tree<'f>,
        kind: VertexKind,
        name: &'f Name,
        region: RegionId,
    ) {
        if !self.has_room(tree, name) {
            return;
        }
        self.expect_new_vertex(tree, name, region);
        match kind {
            VertexKind::Final => _ = tree.add_state(name, region, true),
            VertexKind::Choice => tree.add_choice(name, region),
            VertexKind::Junction => tree.add_vertex(name, region, Node::Junction),
            VertexKind::Fork => tree.add_vertex(name, region, Node::Fork),
            VertexKind::Join => tree.add_vertex(name, region, Node::Join),
        }
    }

    fn grow_state(
        &mut self,
        tree: &mut Tree<'f>,
        name: &'f Name,
        region: RegionId,
        quiescent: bool,
        body: Option<&'f [Element]>,
    ) {
        if !self.has_room(tree, name) {
            return;
        }
        self.expect_new_vertex(tree, name, region);
        let state = tree.add_state(name, region, false);
        tree.machine.states[state.index()].quiescent = quiescent;
        let body = body.unwrap_or_default();
        let is_region = |element: &Element| matches!(element.kind, ElementKind::Region { .. });
        if body.iter().any(is_region) {
            self.grow_regions(tree, state, body);
        } else if body.iter().any(is_inner) {
            let region = tree.add_region("", Some(state), name.span);
            self.grow_region(tree, region, Some(state), body);
        } else {
            for element in body {
                self.grow_state_element(tree, state, element);
            }
        }
    }

    fn grow_regions(&mut self, tree: &mut Tree<'f>, state: StateId, body: &'f [Element]) {
        let mut names = std::collections::HashSet::new();
        for element in body {
            match &element.kind {
                ElementKind::Region { name, body } => {
                    if !names.insert(&name.text) {
                        self.already_declared(name, "region");
                    }
                    if self.has_room(tree, name) {
                        let region = tree.add_region(&name.text, Some(state), name.span);
                        self.grow_region(tree, region, None, body);
                    }
                }
                _ => self.grow_state_element(tree, state, element),
            }
        }
    }

    /// What belongs to a state itself, whether it is simple or composite.
    fn grow_state_element(&mut self, tree: &mut Tree<'f>, state: StateId, element: &'f Element) {
        let declared = tree.machine.state(state);
        let region = declared.region;
        match &element.kind {
            ElementKind::Entry(block) => tree.actions.push(action(state, false, block)),
            ElementKind::Exit(block) => tree.actions.push(action(state, true, block)),
            ElementKind::Defer(names) => tree.defers.push((state, names)),
            ElementKind::Ignore(names) => tree.ignores.push((state, names)),
            ElementKind::NoFlush => tree.machine.states[state.index()].flushes = false,
            ElementKind::Internal(label) => self.add_edge(
                tree,
                Edge {
                    region,
                    source: Source::State(state),
                    target: None,
                    label,
                    span: element.span,
                },
            ),
            ElementKind::Transition { .. } => {
                let inner = *declared.regions.first().unwrap_or(&region);
                self.grow_transition(tree, inner, element);
            }
            ElementKind::Variable(_) => self.misplaced_variable(element.span),
            _ => {
                let message = format!("state `{}` has named regions", declared.name);
                let help = "put this in one of the regions";
                self.misplaced(element.span, &message, help);
            }
        }
    }

    fn grow_transition(&mut self, tree: &mut Tree<'f>, region: RegionId, element: &'f Element) {
        if let ElementKind::Transition {
            source,
            target,
            label,
        } = &element.kind
        {
            let edge = Edge {
                region,
                source: Source::Path(source),
                target: Some(target),
                label,
                span: element.span,
            };
            self.add_edge(tree, edge);
        }
    }

    fn add_edge(&mut self, tree: &mut Tree<'f>, edge: Edge<'f>) {
        if tree.edges.len() < limits::TRANSITIONS {
            tree.edges.push(edge);
        } else if !tree.is_cut {
            tree.is_cut = true;
            self.beyond_limit(edge.span, "transitions in one class", limits::TRANSITIONS);
        }
    }

    /// Whether the tree can take one more vertex or region.
    fn has_room(&mut self, tree: &mut Tree<'f>, name: &Name) -> bool {
        let size = tree.vertices.len().max(tree.machine.regions.len());
        if size < limits::STATES {
            return true;
        }
        if !tree.is_cut {
            tree.is_cut = true;
            self.beyond_limit(name.span, "states or regions in one class", limits::STATES);
        }
        false
    }

    fn misplaced_variable(&mut self, span: Span) {
        let help = "declare it in the class, or as a local variable in an effect";
        self.misplaced(span, "variables belong to classes", help);
    }

    fn misplaced(&mut self, span: Span, message: &str, help: &str) -> Reported {
        self.report(Diagnostic::error(codes::WRONG_PLACE, span, message).help(help))
    }

    fn expect_new_vertex(&mut self, tree: &Tree, name: &Name, region: RegionId) {
        if let Some(other) = tree.vertex_in(region, &name.text) {
            let kind = tree.vertices[other].node.kind();
            let message = format!("there is a {kind} `{}` in this region already", name.text);
            let help = "give one of them another name";
            self.report(Diagnostic::error(codes::NAME_TAKEN, name.span, message).help(help));
        }
    }
}

fn word_of(element: &Element) -> &'static str {
    match element.kind {
        ElementKind::Entry(_) => "`entry`",
        ElementKind::Exit(_) => "`exit`",
        ElementKind::Defer(_) => "`defer`",
        ElementKind::Ignore(_) => "`ignore`",
        ElementKind::Internal(_) => "`on`",
        _ => "this",
    }
}

/// Whether an element of a state makes it a composite one.
fn is_inner(element: &Element) -> bool {
    use ElementKind::*;
    matches!(
        element.kind,
        State { .. } | Vertices { .. } | Initial { .. } | History { .. }
    )
}

fn action(state: StateId, is_exit: bool, block: &Block) -> StateAction<'_> {
    StateAction {
        state,
        is_exit,
        block,
    }
}
