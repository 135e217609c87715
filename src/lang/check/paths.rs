//! Transitions: from edges between vertices to whole paths between states.
//!
//! A path through junctions, a fork or a join is one transition, decided before any of its
//! effects; a choice ends it, and is decided when it is reached (UML 2.5, 14.2.3.9).

use std::collections::HashSet;

use super::scope::Scope;
use super::segments::{Segment, SegmentTarget, Segments, mark_remembered};
use super::tree::{Node, Tree};
use super::vertices::state_at;
use super::{Checked, Checker, Reported};
use crate::lang::action::{Block, Expr, ExprKind};
use crate::lang::machine::{Accepts, Binding, Branch, Guard, Machine, Target, Transition, Trigger};
use crate::lang::syntax::{BinaryOperator, Span, UnaryOperator};
use crate::lang::value::{SignalId, StateId, Type, Value};
use crate::lang::{codes, limits};

/// From one segment on to where it ends: the segments that it is made of, in order.
struct Path {
    segments: Vec<usize>,
    target: Target,
}

/// What a path does, put together.
struct Whole {
    conditions: Vec<Expr>,
    effect: Block,
    label: String,
    texts: Vec<String>,
}

impl Checker<'_> {
    pub(super) fn check_transitions(
        &mut self,
        tree: &Tree,
        machine: &mut Machine,
        scope: &mut Scope,
    ) {
        let segments = self.segments(tree, scope);
        let ignored = self.ignored_signals(tree);
        mark_remembered(machine, &segments);
        if !self.check_vertices(tree, &segments) {
            return; // what can't be followed would only be reported again
        }
        for index in 0..segments.all.len() {
            let _ = self.transitions_from(tree, &segments, index, &mut machine.transitions);
        }
        for (state, signal, span) in ignored {
            let transition = self.ignore(machine, state, signal, span);
            let _ = self.add_transition(&mut machine.transitions, transition);
        }
        self.fill_choices(tree, &segments, machine);
        self.check_crossings(machine);
        self.check_simultaneous(machine);
    }

    fn add_transition(
        &mut self,
        transitions: &mut Vec<Transition>,
        transition: Transition,
    ) -> Checked<()> {
        if transitions.len() > limits::TRANSITIONS {
            return Err(Reported); // said once
        }
        if transitions.len() == limits::TRANSITIONS {
            let what = "transitions in one class, each path through junctions being one";
            self.beyond_limit(transition.span, what, limits::TRANSITIONS);
        }
        transitions.push(transition);
        Ok(())
    }

    /// The transitions that begin with a segment, if one can: at a state, or out of a join.
    fn transitions_from(
        &mut self,
        tree: &Tree,
        segments: &Segments,
        index: usize,
        transitions: &mut Vec<Transition>,
    ) -> Checked<()> {
        let segment = &segments.all[index];
        let (sources, before) = match tree.vertices[segment.source].node {
            Node::State(_) if into_join(tree, segment) => return Ok(()), // a part of the join's
            Node::State(state) => (vec![state], &[][..]),
            Node::Join => {
                let inputs = &segments.into[segment.source][..];
                (join_sources(tree, segments, inputs), inputs)
            }
            _ => return Ok(()),
        };
        for path in self.paths(tree, segments, index)? {
            let whole = self.whole(segments, before, &path)?;
            let transition = Transition {
                sources: sources.clone(),
                triggers: segment.triggers.clone(),
                guard: Guard {
                    conditions: whole.conditions,
                    otherwise: segment.otherwise,
                },
                effect: whole.effect,
                target: path.target,
                label: whole.label,
                texts: whole.texts,
                span: segment.span,
            };
            self.add_transition(transitions, transition)?;
        }
        Ok(())
    }

    /// All ways on from a segment, up to states, history or a choice.
    fn paths(&mut self, tree: &Tree, segments: &Segments, index: usize) -> Checked<Vec<Path>> {
        let mut paths = Vec::new();
        self.follow(tree, segments, index, &mut Vec::new(), &mut paths)?;
        Ok(paths)
    }

    fn follow(
        &mut self,
        tree: &Tree,
        segments: &Segments,
        index: usize,
        trail: &mut Vec<usize>,
        paths: &mut Vec<Path>,
    ) -> Checked<()> {
        let segment = &segments.all[index];
        trail.push(index);
        let target = match segment.target {
            SegmentTarget::Unknown => return Err(Reported),
            SegmentTarget::Internal => Some(Target::Internal),
            SegmentTarget::History(state, kind) => Some(Target::History(state, kind)),
            SegmentTarget::Vertex(vertex) => match tree.vertices[vertex].node {
                Node::State(state) => Some(Target::States(vec![state])),
                Node::Choice(choice) => Some(Target::Choice(choice)),
                Node::Fork => {
                    let branches = &segments.out[vertex];
                    let targets = branches.iter().map(|b| segments.all[*b].target);
                    let targets: Vec<StateId> = targets.filter_map(|t| state_at(tree, t)).collect();
                    let way = trail.iter().chain(branches).copied().collect();
                    let target = Target::States(targets);
                    paths.push(Path {
                        segments: way,
                        target,
                    });
                    None
                }
                Node::Junction => {
                    self.expect_short(trail, segment.span)?;
                    for branch in &segments.out[vertex] {
                        self.follow(tree, segments, *branch, trail, paths)?;
                    }
                    None
                }
                Node::Join => return Err(Reported), // `check_join` refuses what is no state
            },
        };
        if let Some(target) = target {
            let segments = trail.clone();
            paths.push(Path { segments, target });
        }
        if paths.len() > limits::TRANSITIONS {
            let what = "paths through junctions";
            return Err(self.beyond_limit(segment.span, what, limits::TRANSITIONS));
        }
        trail.pop();
        Ok(())
    }

    fn expect_short(&mut self, trail: &[usize], span: Span) -> Checked<()> {
        if trail.len() <= limits::JUNCTION_CHAIN {
            return Ok(());
        }
        Err(self.beyond_limit(span, "junctions on one path", limits::JUNCTION_CHAIN))
    }

    /// Puts a path together; `before` are the segments into the join where it begins.
    fn whole(&mut self, segments: &Segments, before: &[usize], path: &Path) -> Checked<Whole> {
        let parts = || {
            before
                .iter()
                .chain(&path.segments)
                .map(|i| &segments.all[*i])
        };
        if path.segments.len() + before.len() > 1 {
            self.expect_room_for_path(segments, path)?;
        }
        let mut conditions: Vec<Expr> = Vec::new();
        for (number, part) in parts().enumerate() {
            // The first `[else]` of a path is decided by what else the state can do.
            if part.otherwise && number > before.len() {
                conditions.extend(none_of(segments, part));
            }
            conditions.extend(part.condition.clone());
        }
        let labels: Vec<&str> = parts().map(|part| part.label.as_str()).collect();
        let texts = parts().map(|part| part.text.clone());
        Ok(Whole {
            conditions,
            effect: parts().flat_map(|part| part.effect.clone()).collect(),
            label: labels.join("; "),
            texts: texts.filter(|text| !text.is_empty()).collect(),
        })
    }

    /// Each path has its own copy of what stands on it, and beside an `[else]` of what stands there.
    /// The labels say how large that is.
    fn expect_room_for_path(&mut self, segments: &Segments, path: &Path) -> Checked<()> {
        let before = self.path_text;
        for part in path.segments.iter().map(|index| &segments.all[*index]) {
            let beside = match part.otherwise {
                true => &segments.out[part.source][..],
                false => &[],
            };
            let beside = beside.iter().map(|index| segments.all[*index].label.len());
            self.path_text += part.label.len() + beside.sum::<usize>();
        }
        if self.path_text <= limits::PATH_TEXT {
            return Ok(());
        }
        if before > limits::PATH_TEXT {
            return Err(Reported); // said once
        }
        let span = path.segments.first().map(|first| segments.all[*first].span);
        let message = format!(
            "up to this transition the paths through junctions are {} letters long, more than {}",
            self.path_text,
            limits::PATH_TEXT
        );
        Err(self.error(codes::OUT_OF_BOUNDS, span.unwrap_or_default(), message))
    }

    /// What the states ignore, each signal once.
    fn ignored_signals(&mut self, tree: &Tree) -> Vec<(StateId, SignalId, Span)> {
        let mut seen = HashSet::new();
        let mut ignored = Vec::new();
        for (state, names) in &tree.ignores {
            for name in *names {
                if let Ok(signal) = self.signal(name)
                    && seen.insert((*state, signal))
                {
                    ignored.push((*state, signal, name.span));
                }
            }
        }
        ignored
    }

    /// `ignore A;` is an internal transition.
    fn ignore(
        &self,
        machine: &Machine,
        state: StateId,
        signal: SignalId,
        span: Span,
    ) -> Transition {
        let declared = self.model.signal(signal);
        Transition {
            sources: vec![state],
            triggers: vec![Trigger {
                accepts: Accepts::Signal(signal),
                bindings: vec![Binding::Ignored; declared.parameters.len()],
            }],
            guard: Guard::default(),
            effect: Vec::new(),
            target: Target::Internal,
            label: format!("{} : ignore {}", machine.state(state).path, declared.name),
            texts: vec![format!("ignore {}", declared.name)],
            span,
        }
    }

    fn fill_choices(&mut self, tree: &Tree, segments: &Segments, machine: &mut Machine) {
        for (index, segment) in segments.all.iter().enumerate() {
            let Node::Choice(choice) = tree.vertices[segment.source].node else {
                continue;
            };
            for path in self.paths(tree, segments, index).unwrap_or_default() {
                let Ok(whole) = self.whole(segments, &[], &path) else {
                    return;
                };
                machine.choices[choice.index()].branches.push(Branch {
                    condition: all_of(whole.conditions),
                    otherwise: segment.otherwise,
                    effect: whole.effect,
                    target: path.target,
                    label: whole.label,
                    texts: whole.texts,
                    span: segment.span,
                });
            }
        }
    }
}

fn join_sources(tree: &Tree, segments: &Segments, inputs: &[usize]) -> Vec<StateId> {
    let vertices = inputs.iter().map(|i| segments.all[*i].source);
    let states = vertices.filter_map(|v| state_at(tree, SegmentTarget::Vertex(v)));
    states.collect()
}

fn into_join(tree: &Tree, segment: &Segment) -> bool {
    matches!(segment.target, SegmentTarget::Vertex(v) if tree.vertices[v].node == Node::Join)
}

/// `[else]` at a junction: the conditions of all other branches are false.
fn none_of(segments: &Segments, branch: &Segment) -> Vec<Expr> {
    let all = segments.out[branch.source]
        .iter()
        .map(|i| &segments.all[*i]);
    let is_rival = |other: &&Segment| !std::ptr::eq(*other, branch) && !other.otherwise;
    let others = all.filter(is_rival);
    others
        .map(|other| not(other.condition.clone(), other.span))
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

/// All conditions in one, evaluated in order. A balanced tree: there may be thousands of them.
fn all_of(mut conditions: Vec<Expr>) -> Option<Expr> {
    if conditions.len() <= 1 {
        return conditions.pop();
    }
    let right = all_of(conditions.split_off(conditions.len() / 2));
    let (left, right) = (all_of(conditions)?, right?);
    Some(Expr {
        span: left.span.to(right.span),
        ty: Type::Bool,
        kind: ExprKind::Binary(BinaryOperator::And, Box::new(left), Box::new(right)),
    })
}
