//! Transitions: from edges between vertices to whole paths between states.
//!
//! A path through junctions, a fork or a join is one transition, decided before any of its
//! effects; a choice ends it, and is decided when it is reached (UML 2.5, 14.2.3.9).

use std::collections::HashMap;

use super::scope::{Purpose, Scope};
use super::tree::{Edge, Node, Source, Tree};
use super::{Checked, Checker, Reported};
use crate::model::action::{Block, Expr, ExprKind};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::limits;
use crate::model::machine::{Accepts, Binding, Branch, Guard, Target, Transition, Trigger};
use crate::model::printer;
use crate::model::syntax::{self, BinaryOperator, HistoryKind, Label, Name, Span, UnaryOperator};
use crate::model::value::{RegionId, SignalId, Slot, StateId, Type, Value, VariableId};

/// An edge with its ends found and its parts typed.
struct Segment {
    /// A vertex.
    source: usize,
    target: SegmentTarget,
    triggers: Vec<Trigger>,
    condition: Option<Expr>,
    otherwise: bool,
    effect: Block,
    label: String,
    span: Span,
}

#[derive(Clone, Copy)]
enum SegmentTarget {
    Internal,
    Vertex(usize),
    History(StateId, HistoryKind),
}

/// From one segment on to where it ends.
#[derive(Clone)]
struct Path {
    conditions: Vec<Expr>,
    effect: Block,
    target: Target,
    label: String,
}

type Names = Vec<(String, Slot)>;

impl Checker {
    /// `whole`: the tree is sound, so that paths through it can be followed.
    pub(super) fn check_transitions(&mut self, tree: &mut Tree, scope: &mut Scope, whole: bool) {
        let segments = self.segments(tree, scope);
        self.mark_remembered(tree, &segments);
        if !whole {
            return;
        }
        self.check_vertices(tree, &segments);
        let mut transitions = Vec::new();
        for index in 0..segments.len() {
            let _ = self.transitions_from(tree, &segments, index, &mut transitions);
        }
        self.add_ignores(tree, &mut transitions);
        self.fill_choices(tree, &segments);
        tree.machine.transitions = transitions;
        self.check_crossings(tree);
    }

    fn segments(&mut self, tree: &Tree, scope: &mut Scope) -> Vec<Segment> {
        let mut found = Vec::new();
        for edge in &tree.edges {
            let Ok((source, target)) = self.ends(tree, edge) else {
                continue;
            };
            let triggers = self.triggers(tree, edge, source, scope);
            found.push((edge, source, target, triggers));
        }
        let known = names_at_vertices(tree, &found);
        let mut segments = Vec::new();
        for (edge, source, target, triggers) in found {
            scope.visible = match tree.vertices[source].node {
                Node::State(_) | Node::Join => triggers.1,
                _ => known.get(&source).cloned().unwrap_or_default(),
            };
            let (condition, otherwise, effect) = self.label_parts(&edge.label, scope);
            scope.visible.clear();
            segments.push(Segment {
                source,
                target,
                triggers: triggers.0,
                condition,
                otherwise,
                effect,
                label: written(edge),
                span: edge.span,
            });
        }
        segments
    }

    fn ends(&mut self, tree: &Tree, edge: &Edge) -> Checked<(usize, SegmentTarget)> {
        let source = match &edge.source {
            Source::Path(path) => self.vertex(tree, path, edge.region),
            Source::State(state) => Ok(vertex_of(tree, *state)),
        };
        let target = match &edge.target {
            None => Ok(SegmentTarget::Internal),
            Some(target) => self.edge_target(tree, target, edge),
        };
        Ok((source?, target?))
    }

    fn edge_target(
        &mut self,
        tree: &Tree,
        target: &syntax::Target,
        edge: &Edge,
    ) -> Checked<SegmentTarget> {
        let vertex = self.vertex(tree, &target.path, edge.region)?;
        let Some(kind) = target.history else {
            return Ok(SegmentTarget::Vertex(vertex));
        };
        match tree.vertices[vertex].node {
            Node::State(state) if !tree.machine.state(state).regions.is_empty() => {
                Ok(SegmentTarget::History(state, kind))
            }
            _ => {
                let message = "only a state with states inside has a history";
                Err(self.error(codes::NO_HISTORY, target.path.span(), message))
            }
        }
    }

    /// The triggers, and the local names that all of them bind.
    fn triggers(
        &mut self,
        tree: &Tree,
        edge: &Edge,
        source: usize,
        scope: &mut Scope,
    ) -> (Vec<Trigger>, Names) {
        let mut typed = Vec::new();
        let mut common: Option<Names> = None;
        for trigger in &edge.label.triggers {
            let checked = match trigger {
                syntax::Trigger::Any(_) => Ok((self.any_trigger(tree, source), Names::new())),
                syntax::Trigger::Signal { name, parameters } => {
                    self.trigger(name, parameters.as_deref(), scope)
                }
            };
            let Ok((trigger, names)) = checked else {
                continue;
            };
            typed.push(trigger);
            common = Some(match common {
                None => names,
                Some(before) => before
                    .into_iter()
                    .filter(|name| names.contains(name))
                    .collect(),
            });
        }
        let allowed = matches!(tree.vertices[source].node, Node::State(_) | Node::Join);
        if let (false, Some(first)) = (allowed, edge.label.triggers.first()) {
            let message = "only states and joins can wait for a message";
            let help = "put the trigger on the transition that leads here";
            self.report(
                Diagnostic::error(codes::WRONG_TRIGGER, trigger_span(first), message).help(help),
            );
        }
        (typed, common.unwrap_or_default())
    }

    fn trigger(
        &mut self,
        name: &Name,
        parameters: Option<&[syntax::Binding]>,
        scope: &mut Scope,
    ) -> Checked<(Trigger, Names)> {
        let signal = self.signal(name)?;
        let types = self.model.signal(signal).parameters.clone();
        let mut bindings = vec![Binding::Ignored; types.len()];
        let mut names = Names::new();
        if let Some(written) = parameters {
            self.expect_count(name, written.len(), types.len())?;
            for (index, binding) in written.iter().enumerate() {
                if let syntax::Binding::Name(name) = binding {
                    bindings[index] = self.binding(name, &types[index].1, &mut names, scope)?;
                }
            }
        }
        let accepts = Accepts::Signal(signal);
        Ok((Trigger { accepts, bindings }, names))
    }

    /// A parameter goes to the variable of that name if the class has one (Ojala 2.1.2), and is a
    /// local name otherwise.
    fn binding(
        &mut self,
        name: &Name,
        ty: &Type,
        names: &mut Names,
        scope: &mut Scope,
    ) -> Checked<Binding> {
        let class = scope.class.map(|class| &self.model.classes[class.index()]);
        let field =
            class.and_then(|class| class.variables.iter().position(|v| v.name == name.text));
        let Some(field) = field else {
            if names.iter().any(|(other, _)| *other == name.text) {
                return Err(self.already_declared(name, "parameter"));
            }
            let slot = scope.slot(&name.text, ty);
            names.push((name.text.clone(), slot));
            return Ok(Binding::Local(slot));
        };
        let variable = class.map(|class| class.variables[field].ty.clone());
        let variable = variable.unwrap_or(Type::INT);
        if !variable.agrees(ty) {
            let (wanted, found) = (self.show_type(&variable), self.show_type(ty));
            let message = format!(
                "variable `{}` is {wanted}, the parameter is {found}",
                name.text
            );
            return Err(self.error(codes::WRONG_TYPE, name.span, message));
        }
        Ok(Binding::Variable(VariableId::new(field)))
    }

    /// All signals but those that the state names elsewhere.
    fn any_trigger(&mut self, tree: &Tree, source: usize) -> Trigger {
        let mut named = Vec::new();
        for edge in &tree.edges {
            let from = match &edge.source {
                Source::Path(path) => tree.resolve(path, edge.region).ok(),
                Source::State(state) => Some(vertex_of(tree, *state)),
            };
            if from == Some(source) {
                named.extend(
                    edge.label
                        .triggers
                        .iter()
                        .filter_map(|trigger| self.known(trigger)),
                );
            }
        }
        if let Node::State(state) = tree.vertices[source].node {
            named.extend(&tree.machine.state(state).defers);
            let ignored = tree.ignores.iter().filter(|(of, _)| *of == state);
            let ignored = ignored.flat_map(|(_, names)| names);
            named.extend(ignored.filter_map(|name| self.signals.get(&name.text)));
        }
        let accepts = Accepts::AllBut(named);
        Trigger {
            accepts,
            bindings: Vec::new(),
        }
    }

    fn known(&self, trigger: &syntax::Trigger) -> Option<SignalId> {
        match trigger {
            syntax::Trigger::Signal { name, .. } => self.signals.get(&name.text).copied(),
            syntax::Trigger::Any(_) => None,
        }
    }

    fn label_parts(&mut self, label: &Label, scope: &mut Scope) -> (Option<Expr>, bool, Block) {
        scope.purpose = Purpose::Guard;
        let (condition, otherwise) = match &label.guard {
            None => (None, false),
            Some(syntax::Guard::Else(_)) => (None, true),
            Some(syntax::Guard::Condition(expr)) => {
                let failed = |_: Reported| Expr::constant(Value::Bool(true), Type::Bool, expr.span);
                (
                    Some(self.condition(expr, scope).unwrap_or_else(failed)),
                    false,
                )
            }
        };
        scope.purpose = Purpose::Effect;
        let effect = label.effect.as_ref().map(|block| self.block(block, scope));
        (condition, otherwise, effect.unwrap_or_default())
    }

    /// Regions that a transition enters by history remember where they were left.
    fn mark_remembered(&mut self, tree: &mut Tree, segments: &[Segment]) {
        for segment in segments {
            let SegmentTarget::History(state, kind) = segment.target else {
                continue;
            };
            for index in 0..tree.machine.regions.len() {
                let region = &tree.machine.regions[index];
                let direct = region.parent == Some(state);
                let inside = tree.machine.region_is_inside(RegionId::new(index), state);
                if direct || (inside && kind == HistoryKind::Deep) {
                    tree.machine.regions[index].remembers = true;
                }
            }
        }
    }

    fn check_vertices(&mut self, tree: &Tree, segments: &[Segment]) {
        for (index, vertex) in tree.vertices.iter().enumerate() {
            let out = segments.iter().filter(|s| s.source == index).count();
            let into = segments.iter().filter(|s| leads_to(s, index)).count();
            let name = &vertex.name;
            let problem = match vertex.node {
                Node::State(state) if tree.machine.state(state).is_final && out > 0 => Some(
                    format!("final state `{name}` has a transition that leaves it"),
                ),
                Node::Choice(_) | Node::Junction if out == 0 => {
                    Some(format!("nothing leads on from `{name}`"))
                }
                Node::Fork if out < 2 => Some(format!("fork `{name}` needs two transitions out")),
                Node::Join if into < 2 => Some(format!("join `{name}` needs two transitions in")),
                Node::Join if out == 0 => Some(format!("nothing leads on from join `{name}`")),
                _ => None,
            };
            if let Some(message) = problem {
                self.error(codes::TOO_FEW_TRANSITIONS, vertex.span, message);
            }
        }
    }

    /// The transitions that begin with a segment, if one can: at a state, or out of a join.
    fn transitions_from(
        &mut self,
        tree: &Tree,
        segments: &[Segment],
        index: usize,
        transitions: &mut Vec<Transition>,
    ) -> Checked<()> {
        let segment = &segments[index];
        let source = segment.source;
        let (sources, before) = match tree.vertices[source].node {
            Node::State(_) if into_join(tree, segment) => return self.check_join_input(segment),
            Node::State(state) => (vec![state], Vec::new()),
            Node::Join => {
                let inputs: Vec<&Segment> =
                    segments.iter().filter(|s| leads_to(s, source)).collect();
                (self.join_sources(tree, &inputs)?, inputs)
            }
            _ => return Ok(()),
        };
        for path in self.paths(tree, segments, index, &mut Vec::new())? {
            if transitions.len() >= limits::TRANSITIONS {
                let message = format!("more than {} transitions in one class", limits::TRANSITIONS);
                return Err(self.error(codes::OUT_OF_BOUNDS, segment.span, message));
            }
            let mut conditions: Vec<Expr> =
                before.iter().filter_map(|s| s.condition.clone()).collect();
            conditions.extend(path.conditions);
            let mut effect: Block = before.iter().flat_map(|s| s.effect.clone()).collect();
            effect.extend(path.effect);
            let labels = before.iter().map(|s| s.label.clone()).chain([path.label]);
            transitions.push(Transition {
                sources: sources.clone(),
                triggers: segment.triggers.clone(),
                guard: Guard {
                    conditions,
                    otherwise: segment.otherwise,
                },
                effect,
                target: path.target,
                label: labels.collect::<Vec<_>>().join("; "),
                span: segment.span,
            });
        }
        Ok(())
    }

    fn check_join_input(&mut self, segment: &Segment) -> Checked<()> {
        if segment.triggers.is_empty() && !segment.otherwise {
            return Ok(());
        }
        let message = "a transition into a join has neither trigger nor [else]";
        let help = "put the trigger on the transition that leaves the join";
        Err(self.report(Diagnostic::error(codes::BAD_JOIN, segment.span, message).help(help)))
    }

    fn join_sources(&mut self, tree: &Tree, inputs: &[&Segment]) -> Checked<Vec<StateId>> {
        let mut sources: Vec<StateId> = Vec::new();
        for input in inputs {
            let Node::State(state) = tree.vertices[input.source].node else {
                return Err(self.error(codes::BAD_JOIN, input.span, "a join joins states"));
            };
            if sources
                .iter()
                .any(|other| !tree.machine.orthogonal(*other, state))
            {
                let message = "a join joins states of different regions of one state";
                return Err(self.error(codes::BAD_JOIN, input.span, message));
            }
            sources.push(state);
        }
        Ok(sources)
    }

    /// All ways on from a segment, up to states, history or a choice.
    fn paths(
        &mut self,
        tree: &Tree,
        segments: &[Segment],
        index: usize,
        passed: &mut Vec<usize>,
    ) -> Checked<Vec<Path>> {
        let segment = &segments[index];
        let ends = |target| {
            vec![Path {
                conditions: segment.condition.iter().cloned().collect(),
                effect: segment.effect.clone(),
                target,
                label: segment.label.clone(),
            }]
        };
        let vertex = match segment.target {
            SegmentTarget::Internal => return Ok(ends(Target::Internal)),
            SegmentTarget::History(state, kind) => return Ok(ends(Target::History(state, kind))),
            SegmentTarget::Vertex(vertex) => vertex,
        };
        match tree.vertices[vertex].node {
            Node::State(state) => Ok(ends(Target::States(vec![state]))),
            Node::Choice(choice) => Ok(ends(Target::Choice(choice))),
            Node::Join => Err(self.error(
                codes::BAD_JOIN,
                segment.span,
                "only states lead into a join",
            )),
            Node::Fork => {
                let mut path = ends(Target::Internal).remove(0);
                self.through_fork(tree, segments, vertex, &mut path)?;
                Ok(vec![path])
            }
            Node::Junction if passed.contains(&vertex) => Err(self.error(
                codes::JUNCTION_CIRCLE,
                segment.span,
                "junctions lead round in a circle",
            )),
            Node::Junction => {
                passed.push(vertex);
                let start = ends(Target::Internal).remove(0);
                let paths = self.through_junction(tree, segments, vertex, &start, passed);
                passed.pop();
                paths
            }
        }
    }

    fn through_junction(
        &mut self,
        tree: &Tree,
        segments: &[Segment],
        junction: usize,
        start: &Path,
        passed: &mut Vec<usize>,
    ) -> Checked<Vec<Path>> {
        let out: Vec<usize> = (0..segments.len())
            .filter(|i| segments[*i].source == junction)
            .collect();
        let mut all = Vec::new();
        for branch in &out {
            for rest in self.paths(tree, segments, *branch, passed)? {
                let mut path = start.clone();
                if segments[*branch].otherwise {
                    path.conditions.extend(none_of(segments, &out, *branch));
                }
                path.conditions.extend(rest.conditions);
                path.effect.extend(rest.effect);
                path.target = rest.target;
                path.label = format!("{}; {}", start.label, rest.label);
                all.push(path);
            }
            if all.len() > limits::TRANSITIONS {
                let message = format!("more than {} paths through junctions", limits::TRANSITIONS);
                return Err(self.error(codes::OUT_OF_BOUNDS, segments[*branch].span, message));
            }
        }
        Ok(all)
    }

    fn through_fork(
        &mut self,
        tree: &Tree,
        segments: &[Segment],
        fork: usize,
        path: &mut Path,
    ) -> Checked<()> {
        let mut targets: Vec<StateId> = Vec::new();
        for segment in segments.iter().filter(|s| s.source == fork) {
            let target = match segment.target {
                SegmentTarget::Vertex(vertex) => tree.vertices[vertex].node,
                _ => Node::Fork,
            };
            let Node::State(state) = target else {
                return Err(self.error(codes::BAD_FORK, segment.span, "a fork leads to states"));
            };
            if segment.condition.is_some() || segment.otherwise {
                return Err(self.error(codes::BAD_FORK, segment.span, "a fork has no guards"));
            }
            if targets
                .iter()
                .any(|other| !tree.machine.orthogonal(*other, state))
            {
                let message = "a fork leads to states of different regions of one state";
                return Err(self.error(codes::BAD_FORK, segment.span, message));
            }
            targets.push(state);
            path.effect.extend(segment.effect.clone());
            path.label = format!("{}; {}", path.label, segment.label);
        }
        path.target = Target::States(targets);
        Ok(())
    }

    fn add_ignores(&mut self, tree: &Tree, transitions: &mut Vec<Transition>) {
        for (state, names) in &tree.ignores {
            for name in names {
                let Ok(signal) = self.signal(name) else {
                    continue;
                };
                let count = self.model.signal(signal).parameters.len();
                transitions.push(Transition {
                    sources: vec![*state],
                    triggers: vec![Trigger {
                        accepts: Accepts::Signal(signal),
                        bindings: vec![Binding::Ignored; count],
                    }],
                    guard: Guard::default(),
                    effect: Vec::new(),
                    target: Target::Internal,
                    label: format!("{} : ignore {}", tree.machine.state(*state).path, name.text),
                    span: name.span,
                });
            }
        }
    }

    fn fill_choices(&mut self, tree: &mut Tree, segments: &[Segment]) {
        for (index, segment) in segments.iter().enumerate() {
            let Node::Choice(choice) = tree.vertices[segment.source].node else {
                continue;
            };
            let Ok(paths) = self.paths(tree, segments, index, &mut Vec::new()) else {
                continue;
            };
            for path in paths {
                tree.machine.choices[choice.index()].branches.push(Branch {
                    condition: path.conditions.into_iter().reduce(and),
                    otherwise: segment.otherwise,
                    effect: path.effect,
                    target: path.target,
                    label: path.label,
                    span: segment.span,
                });
            }
        }
    }

    /// A transition that runs from one region of a state to another of the same would have to leave
    /// and enter that state at once; UML forbids it, and so does Meller (definition 2.1).
    fn check_crossings(&mut self, tree: &Tree) {
        for transition in &tree.machine.transitions {
            let targets = tree.machine.possible_targets(&transition.target);
            let crosses = |source: &StateId| {
                targets
                    .iter()
                    .any(|target| tree.machine.orthogonal(*source, *target))
            };
            if transition.sources.len() == 1 && transition.sources.iter().any(crosses) {
                let message =
                    "this transition leads from one region into another of the same state";
                let help =
                    "regions of one state run side by side: let them send each other signals";
                self.report(
                    Diagnostic::error(codes::CROSSES_REGIONS, transition.span, message).help(help),
                );
            }
        }
    }
}

/// The local names that are known at each choice, junction and fork: those that every way to it
/// binds. Starts from "all" and takes away until nothing changes.
fn names_at_vertices(
    tree: &Tree,
    edges: &[(&Edge, usize, SegmentTarget, (Vec<Trigger>, Names))],
) -> HashMap<usize, Names> {
    let mut known: HashMap<usize, Names> = HashMap::new();
    loop {
        let before = known.clone();
        for (_, source, target, (_, bound)) in edges {
            let SegmentTarget::Vertex(target) = target else {
                continue;
            };
            let names = match tree.vertices[*source].node {
                Node::State(_) | Node::Join => Some(bound.clone()),
                _ => known.get(source).cloned(),
            };
            let Some(names) = names else { continue };
            let here = known.entry(*target).or_insert_with(|| names.clone());
            here.retain(|name| names.contains(name));
        }
        if known == before {
            return known;
        }
    }
}

fn vertex_of(tree: &Tree, state: StateId) -> usize {
    let is_it = |vertex: &super::tree::Vertex| vertex.node == Node::State(state);
    tree.vertices.iter().position(is_it).unwrap_or(0)
}

fn leads_to(segment: &Segment, vertex: usize) -> bool {
    matches!(segment.target, SegmentTarget::Vertex(target) if target == vertex)
}

fn into_join(tree: &Tree, segment: &Segment) -> bool {
    matches!(segment.target, SegmentTarget::Vertex(v) if tree.vertices[v].node == Node::Join)
}

/// `[else]` at a junction: the conditions of all other branches are false.
fn none_of(segments: &[Segment], branches: &[usize], but: usize) -> Vec<Expr> {
    let others = branches.iter().filter(|branch| **branch != but);
    others
        .map(|other| not(segments[*other].condition.clone(), segments[*other].span))
        .collect()
}

fn not(condition: Option<Expr>, span: Span) -> Expr {
    match condition {
        None => Expr::constant(Value::Bool(false), Type::Bool, span),
        Some(condition) => Expr {
            span: condition.span,
            ty: Type::Bool,
            kind: ExprKind::Unary(UnaryOperator::Not, Box::new(condition)),
        },
    }
}

fn and(left: Expr, right: Expr) -> Expr {
    Expr {
        span: left.span.to(right.span),
        ty: Type::Bool,
        kind: ExprKind::Binary(BinaryOperator::And, Box::new(left), Box::new(right)),
    }
}

fn written(edge: &Edge) -> String {
    match (&edge.source, &edge.target) {
        (Source::Path(source), Some(target)) => {
            printer::print_transition(source, target, &edge.label)
        }
        _ => format!("on {}", printer::print_label(&edge.label)),
    }
}

fn trigger_span(trigger: &syntax::Trigger) -> Span {
    match trigger {
        syntax::Trigger::Any(span) => *span,
        syntax::Trigger::Signal { name, .. } => name.span,
    }
}
