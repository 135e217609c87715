//! Transitions as they are written, followed through junctions to where they end: the same paths
//! as in `check::paths`, in syntax instead of types.

use super::build;
use super::tree::{Edge, Node, Tree};
use crate::lang::machine::Machine;
use crate::lang::syntax::{Block, Expr, Guard, HistoryKind, Span, Trigger};
use crate::lang::typed::Model;
use crate::lang::value::{ChoiceId, RegionId, StateId};

/// One way from a state or a choice to the next, with everything that is decided before it.
#[derive(Clone)]
pub struct Path {
    pub origin: Origin,
    /// `any` is written out here: it means something else in another state.
    pub triggers: Vec<Trigger>,
    pub conditions: Vec<Expr>,
    /// `[else]` where it begins.
    pub otherwise: bool,
    pub effects: Vec<Block>,
    pub end: End,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    State(StateId),
    Choice(ChoiceId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Internal,
    State(StateId),
    History(StateId, HistoryKind),
    Choice(ChoiceId),
}

impl End {
    /// The region that it stands in (`movement::region_of`); none for an internal transition.
    pub fn region(self, machine: &Machine) -> Option<RegionId> {
        match self {
            End::Internal => None,
            End::State(state) | End::History(state, _) => Some(machine.state(state).region),
            End::Choice(choice) => Some(machine.choice(choice).region),
        }
    }
}

impl Path {
    pub fn source(&self) -> Option<StateId> {
        match self.origin {
            Origin::State(state) => Some(state),
            Origin::Choice(_) => None,
        }
    }

    pub fn needs_message(&self) -> bool {
        !self.triggers.is_empty()
    }

    pub fn trigger_for(&self, signal: &str) -> Option<&Trigger> {
        let mut triggers = self.triggers.iter();
        triggers.find(|trigger| signal_of(trigger) == signal)
    }
}

/// Empty for `any`, which paths do not have.
pub fn signal_of(trigger: &Trigger) -> &str {
    match trigger {
        Trigger::Signal { name, .. } => &name.text,
        Trigger::Any(_) => "",
    }
}

/// All paths of a class, in the order of its edges; those of `ignore` last.
pub fn paths(model: &Model, tree: &Tree) -> Vec<Path> {
    let graph = Graph { model, tree };
    let mut all = Vec::new();
    for (index, edge) in tree.edges.iter().enumerate() {
        all.extend(graph.paths_from(index, edge));
    }
    for (state, names) in &tree.ignores {
        all.extend(names.iter().map(|name| Path {
            origin: Origin::State(*state),
            triggers: vec![Trigger::Signal {
                name: name.clone(),
                parameters: None,
            }],
            conditions: Vec::new(),
            otherwise: false,
            effects: Vec::new(),
            end: End::Internal,
            span: name.span,
        }));
    }
    all
}

struct Graph<'a> {
    model: &'a Model,
    tree: &'a Tree,
}

impl Graph<'_> {
    fn paths_from(&self, index: usize, edge: &Edge) -> Vec<Path> {
        let origin = match edge.source.map(|vertex| self.node(vertex)) {
            Some(Node::State(state)) => Origin::State(state),
            Some(Node::Choice(choice)) => Origin::Choice(choice),
            _ => return Vec::new(),
        };
        let triggers = self.triggers(edge);
        if triggers.is_empty() && !edge.label.triggers.is_empty() {
            return Vec::new(); // `any` where every message is named: nothing triggers it
        }
        let mut paths = self.ways_on(index, origin);
        for path in &mut paths {
            path.triggers = triggers.clone();
            path.otherwise = is_else(edge);
        }
        paths
    }

    /// All ways on from an edge; a checked model has no circle of junctions.
    fn ways_on(&self, index: usize, origin: Origin) -> Vec<Path> {
        let edge = &self.tree.edges[index];
        let ends = |end| Path {
            origin,
            triggers: Vec::new(),
            conditions: condition(edge).into_iter().collect(),
            otherwise: false,
            effects: edge.label.effect.iter().cloned().collect(),
            end,
            span: edge.span,
        };
        let Some(target) = &edge.target else {
            return vec![ends(End::Internal)];
        };
        let Some(vertex) = target.vertex else {
            return Vec::new();
        };
        match (self.node(vertex), target.history) {
            (Node::State(state), Some(kind)) => vec![ends(End::History(state, kind))],
            (Node::State(state), None) => vec![ends(End::State(state))],
            (Node::Choice(choice), _) => vec![ends(End::Choice(choice))],
            (Node::Junction, _) => self.through_junction(vertex, origin, &ends(End::Internal)),
            (Node::Fork | Node::Join, _) => Vec::new(), // such classes are refused
        }
    }

    fn through_junction(&self, junction: usize, origin: Origin, start: &Path) -> Vec<Path> {
        let edges = self.tree.edges.iter().enumerate();
        let out = edges.filter(|(_, edge)| edge.source == Some(junction));
        let out: Vec<(usize, &Edge)> = out.collect();
        let mut all = Vec::new();
        for (branch, edge) in &out {
            for rest in self.ways_on(*branch, origin) {
                let mut path = start.clone();
                if is_else(edge) {
                    let others = out.iter().filter(|(other, _)| other != branch);
                    path.conditions.extend(others.map(|(_, other)| none(other)));
                }
                path.conditions.extend(rest.conditions);
                path.effects.extend(rest.effects);
                path.end = rest.end;
                all.push(path);
            }
        }
        all
    }

    fn node(&self, vertex: usize) -> Node {
        self.tree.vertices[vertex].node
    }

    fn triggers(&self, edge: &Edge) -> Vec<Trigger> {
        let expand = |trigger: &Trigger| match trigger {
            Trigger::Signal { .. } => vec![trigger.clone()],
            Trigger::Any(_) => self.all_but_named(edge),
        };
        edge.label.triggers.iter().flat_map(expand).collect()
    }

    /// What `any` stands for here: the signals that its state names in nothing else.
    fn all_but_named(&self, edge: &Edge) -> Vec<Trigger> {
        let source = edge.source;
        let edges = self.tree.edges.iter();
        let siblings = edges.filter(|other| other.source == source);
        let triggers = siblings.flat_map(|other| &other.label.triggers);
        let mut named: Vec<&str> = triggers.map(signal_of).collect();
        for (state, names) in self.tree.defers.iter().chain(&self.tree.ignores) {
            if source.map(|vertex| self.node(vertex)) == Some(Node::State(*state)) {
                named.extend(names.iter().map(|name| name.text.as_str()));
            }
        }
        let signals = self.model.signals.iter();
        let others = signals.filter(|signal| !named.contains(&signal.name.as_str()));
        others
            .map(|signal| Trigger::Signal {
                name: build::name(&signal.name),
                parameters: None,
            })
            .collect()
    }
}

fn condition(edge: &Edge) -> Option<Expr> {
    match &edge.label.guard {
        Some(Guard::Condition(condition)) => Some(condition.clone()),
        _ => None,
    }
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.label.guard, Some(Guard::Else(_)))
}

/// That a branch of a junction can't be taken.
fn none(edge: &Edge) -> Expr {
    condition(edge).map_or_else(build::never, build::not)
}
