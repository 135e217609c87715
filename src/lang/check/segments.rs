//! Edges between vertices, with their ends found and their labels typed. `paths` makes transitions
//! of them.

use super::scope::{Purpose, Scope};
use super::tree::{Edge, Node, Source, Tree};
use super::{Checked, Checker, Reported};
use crate::lang::action::{Block, Expr};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Machine, Trigger};
use crate::lang::syntax::{self, HistoryKind, Label, Span};
use crate::lang::value::{Slot, StateId, Type, Value};
use crate::lang::{codes, printer};

pub(super) struct Segment {
    /// A vertex.
    pub source: usize,
    pub target: SegmentTarget,
    pub triggers: Vec<Trigger>,
    pub condition: Option<Expr>,
    pub otherwise: bool,
    pub effect: Block,
    pub label: String,
    /// The label without source and target.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Copy)]
pub(super) enum SegmentTarget {
    Internal,
    Vertex(usize),
    History(StateId, HistoryKind),
    /// It has been reported that there is no such state.
    Unknown,
}

/// All segments of a machine.
pub(super) struct Segments {
    pub all: Vec<Segment>,
    /// For each vertex the segments that start there.
    pub out: Vec<Vec<usize>>,
    /// For each vertex the segments that lead there.
    pub into: Vec<Vec<usize>>,
    /// An edge is missing because nobody knows where it starts.
    pub misses_source: bool,
    /// An edge leads nobody knows where.
    pub misses_target: bool,
}

/// An edge whose ends have been looked for.
struct Found<'t, 'f> {
    edge: &'t Edge<'f>,
    source: Option<usize>,
    target: SegmentTarget,
    triggers: Vec<Trigger>,
    /// The local names that its triggers bind.
    names: Vec<Slot>,
}

impl Segments {
    fn of(all: Vec<Segment>, vertices: usize) -> Segments {
        let mut out = vec![Vec::new(); vertices];
        let mut into = vec![Vec::new(); vertices];
        for (index, segment) in all.iter().enumerate() {
            out[segment.source].push(index);
            if let SegmentTarget::Vertex(target) = segment.target {
                into[target].push(index);
            }
        }
        let lost = |segment: &Segment| matches!(segment.target, SegmentTarget::Unknown);
        let misses_target = all.iter().any(lost);
        Segments {
            all,
            out,
            into,
            misses_source: false,
            misses_target,
        }
    }
}

impl Checker<'_> {
    pub(super) fn segments(&mut self, tree: &Tree, scope: &mut Scope) -> Segments {
        let found = self.find_edges(tree, scope);
        let known = names_at_vertices(tree, &found);
        let mut segments = Vec::new();
        let mut misses_source = false;
        for found in found {
            let visible = match found.source {
                Some(source) if !is_resting(tree, source) => &known[source],
                _ => &Some(found.names),
            };
            let mark = scope.mark();
            scope.show(visible.as_deref().unwrap_or_default());
            let (condition, otherwise, effect) = self.label_parts(found.edge.label, scope);
            scope.forget(mark);
            let Some(source) = found.source else {
                misses_source = true;
                continue;
            };
            segments.push(Segment {
                source,
                target: found.target,
                triggers: found.triggers,
                condition,
                otherwise,
                effect,
                label: written(found.edge),
                text: written_on(found.edge),
                span: found.edge.span,
            });
        }
        let segments = Segments::of(segments, tree.vertices.len());
        Segments {
            misses_source,
            ..segments
        }
    }

    fn find_edges<'t, 'f>(&mut self, tree: &'t Tree<'f>, scope: &mut Scope) -> Vec<Found<'t, 'f>> {
        let sources: Vec<Option<usize>> = tree.edges.iter().map(|e| self.source(tree, e)).collect();
        let named = self.named_signals(tree, &sources);
        let mut all = Vec::new();
        for (edge, source) in tree.edges.iter().zip(sources) {
            let target = self.target_of(tree, edge).unwrap_or(SegmentTarget::Unknown);
            self.expect_waiting(tree, source, edge.label);
            let any = source.and_then(|source| named.get(&source));
            let any = any.map(Vec::as_slice).unwrap_or_default();
            let (triggers, names) = self.triggers(edge.label, any, scope);
            all.push(Found {
                edge,
                source,
                target,
                triggers,
                names,
            });
        }
        all
    }

    fn source(&mut self, tree: &Tree, edge: &Edge) -> Option<usize> {
        match edge.source {
            Source::Path(path) => self.vertex(tree, path, edge.region).ok(),
            Source::State(state) => Some(tree.vertex_of(state)),
        }
    }

    fn target_of(&mut self, tree: &Tree, edge: &Edge) -> Checked<SegmentTarget> {
        let Some(target) = edge.target else {
            return Ok(SegmentTarget::Internal);
        };
        let vertex = self.vertex(tree, &target.path, edge.region)?;
        let Some(kind) = target.history else {
            return Ok(SegmentTarget::Vertex(vertex));
        };
        match tree.vertices[vertex].node {
            Node::State(state) if !tree.machine.state(state).regions.is_empty() => {
                Ok(SegmentTarget::History(state, kind))
            }
            _ => {
                let name = tree.vertices[vertex].name;
                let message = format!("`{name}` has no states inside, so it has no history");
                let help = format!("enter it: `-> {name}`");
                let error = Diagnostic::error(codes::NO_HISTORY, target.path.span(), message);
                Err(self.report(error.help(help)))
            }
        }
    }

    fn label_parts(&mut self, label: &Label, scope: &mut Scope) -> (Option<Expr>, bool, Block) {
        scope.purpose = Purpose::Guard;
        let (condition, otherwise) = match &label.guard {
            None => (None, false),
            Some(syntax::Guard::Else(_)) => (None, true),
            Some(syntax::Guard::Condition(expr)) => {
                let failed = |_: Reported| Expr::constant(Value::Bool(true), Type::Bool, expr.span);
                let condition = self.condition(expr, scope).unwrap_or_else(failed);
                (Some(condition), false)
            }
        };
        scope.purpose = Purpose::Effect;
        let effect = label.effect.as_ref().map(|block| self.block(block, scope));
        (condition, otherwise, effect.unwrap_or_default())
    }
}

/// Regions that a transition enters by history remember where they were left.
pub(super) fn mark_remembered(machine: &mut Machine, segments: &Segments) {
    let mut entered: Vec<Option<HistoryKind>> = vec![None; machine.states.len()];
    for segment in &segments.all {
        if let SegmentTarget::History(state, kind) = segment.target
            && entered[state.index()] != Some(HistoryKind::Deep)
        {
            entered[state.index()] = Some(kind);
        }
    }
    for index in 0..machine.regions.len() {
        let Some(parent) = machine.regions[index].parent else {
            continue;
        };
        let is_deep = |state: StateId| entered[state.index()] == Some(HistoryKind::Deep);
        let deep = machine.states_around(parent).any(is_deep);
        machine.regions[index].remembers |= deep || entered[parent.index()].is_some();
    }
}

/// Whether an object can rest at a vertex, or leaves several states there: names from before are
/// gone.
fn is_resting(tree: &Tree, vertex: usize) -> bool {
    matches!(tree.vertices[vertex].node, Node::State(_) | Node::Join)
}

/// The local names that are known at each choice, junction and fork: those that every way to it
/// binds. `None` where no way leads.
fn names_at_vertices(tree: &Tree, found: &[Found]) -> Vec<Option<Vec<Slot>>> {
    let mut known: Vec<Option<Vec<Slot>>> = vec![None; tree.vertices.len()];
    let mut out: Vec<Vec<&Found>> = vec![Vec::new(); tree.vertices.len()];
    let mut pending: Vec<&Found> = Vec::new();
    for edge in found {
        match edge.source {
            Some(source) if !is_resting(tree, source) => out[source].push(edge),
            _ => pending.push(edge),
        }
    }
    while let Some(edge) = pending.pop() {
        let SegmentTarget::Vertex(target) = edge.target else {
            continue;
        };
        let names = match edge.source {
            Some(source) if !is_resting(tree, source) => known[source].clone().unwrap_or_default(),
            _ => edge.names.clone(),
        };
        let changed = match &mut known[target] {
            Some(here) => {
                let before = here.len();
                here.retain(|name| names.contains(name));
                here.len() != before
            }
            unknown => {
                *unknown = Some(names);
                true
            }
        };
        if changed {
            pending.extend(&out[target]);
        }
    }
    known
}

fn written(edge: &Edge) -> String {
    match (edge.source, edge.target) {
        (Source::Path(source), Some(target)) => {
            printer::print_transition(source, target, edge.label)
        }
        _ => written_on(edge),
    }
}

fn written_on(edge: &Edge) -> String {
    let text = printer::print_label(edge.label);
    match edge.target {
        Some(_) => text,
        None => format!("on {text}"),
    }
}
