//! What must hold at each vertex before paths through it can be followed: what a choice, junction,
//! fork or join connects, and that junctions do not lead round in a circle.

use super::segments::{Segment, SegmentTarget, Segments};
use super::tree::{Node, Tree};
use super::{Checked, Checker};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::Span;
use crate::lang::value::StateId;

/// Where a search for circles has been.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// On the way here.
    Open,
    Done,
}

impl Checker<'_> {
    /// Whether all vertices are sound.
    pub(super) fn check_vertices(&mut self, tree: &Tree, segments: &Segments) -> bool {
        let reported = self.findings.count;
        for vertex in 0..tree.vertices.len() {
            self.check_connections(tree, segments, vertex);
            let _ = match tree.vertices[vertex].node {
                Node::Join => self.check_join(tree, segments, vertex),
                Node::Fork => self.check_fork(tree, segments, vertex),
                Node::Choice(_) | Node::Junction => self.check_else(tree, segments, vertex),
                Node::State(_) => Ok(()),
            };
        }
        self.check_circles(tree, segments);
        self.findings.count == reported
    }

    /// That enough transitions lead in and out. Where one is missing because its end is misspelt,
    /// nobody needs to hear that it is missing.
    fn check_connections(&mut self, tree: &Tree, segments: &Segments, index: usize) {
        let vertex = &tree.vertices[index];
        let name = vertex.name;
        let out = match segments.misses_source {
            true => usize::MAX,
            false => segments.out[index].len(),
        };
        let into = match segments.misses_target || segments.misses_source {
            true => usize::MAX,
            false => segments.into[index].len(),
        };
        let (message, help) = match vertex.node {
            Node::State(state) => return self.check_final(tree, segments, state, index),
            Node::Choice(_) | Node::Junction if out == 0 => (
                format!("nothing leads on from {} `{name}`", vertex.node.kind()),
                format!("give it branches: `{name} -> A : [x > 0]; {name} -> B : [else];`"),
            ),
            Node::Fork if out < 2 => (
                format!(
                    "fork `{name}` needs two transitions out, and has {}",
                    count(out)
                ),
                "a fork leads to a state in each of several regions".to_owned(),
            ),
            Node::Join if into < 2 => (
                format!(
                    "join `{name}` needs two transitions in, and has {}",
                    count(into)
                ),
                "a join is reached from a state in each of several regions".to_owned(),
            ),
            Node::Join if out == 0 => (
                format!("nothing leads on from join `{name}`"),
                format!("say where it leads: `{name} -> A;`"),
            ),
            _ => return,
        };
        let error = Diagnostic::error(codes::TOO_FEW_TRANSITIONS, vertex.span, message);
        self.report(error.help(help));
    }

    fn check_final(&mut self, tree: &Tree, segments: &Segments, state: StateId, index: usize) {
        let declared = tree.machine.state(state);
        let (true, Some(first)) = (declared.is_final, segments.out[index].first()) else {
            return;
        };
        let name = &declared.name;
        let message = format!("this transition leaves `{name}`, which is final");
        let help = format!("the region ends in a final state; declare `state {name};` instead");
        let span = segments.all[*first].span;
        self.report(Diagnostic::error(codes::FINAL_LEFT, span, message).help(help));
    }

    fn check_else(&mut self, tree: &Tree, segments: &Segments, index: usize) -> Checked<()> {
        let branches = segments.out[index].iter().map(|i| &segments.all[*i]);
        let Some(second) = branches.filter(|branch| branch.otherwise).nth(1) else {
            return Ok(());
        };
        let vertex = &tree.vertices[index];
        let message = format!(
            "a second [else] at {} `{}`",
            vertex.node.kind(),
            vertex.name
        );
        let help = "one of them could never be told from the other; give it a guard";
        Err(self.report(Diagnostic::error(codes::SECOND_ELSE, second.span, message).help(help)))
    }

    fn check_join(&mut self, tree: &Tree, segments: &Segments, join: usize) -> Checked<()> {
        let mut sources = Vec::new();
        for input in segments.into[join]
            .iter()
            .map(|index| &segments.all[*index])
        {
            let source = &tree.vertices[input.source];
            let Node::State(state) = source.node else {
                let (name, kind) = (source.name, source.node.kind());
                let message = format!("a join joins states, and `{name}` is a {kind}");
                return Err(self.error(codes::BAD_JOIN, input.span, message));
            };
            if !input.triggers.is_empty() || input.otherwise {
                let what = if input.otherwise {
                    "[else]"
                } else {
                    "a trigger"
                };
                let message = format!("a transition into a join can't have {what}");
                let help = "put it on the transition that leaves the join";
                let error = Diagnostic::error(codes::BAD_JOIN, input.span, message);
                return Err(self.report(error.help(help)));
            }
            self.expect_orthogonal(tree, &sources, state, (codes::BAD_JOIN, input.span))?;
            sources.push(state);
        }
        Ok(())
    }

    fn check_fork(&mut self, tree: &Tree, segments: &Segments, fork: usize) -> Checked<()> {
        let mut targets = Vec::new();
        for branch in segments.out[fork].iter().map(|index| &segments.all[*index]) {
            if branch.condition.is_some() || branch.otherwise {
                let message = "a transition out of a fork can't have a guard";
                let help = "all of them are taken; put the guard on the transition into the fork";
                let error = Diagnostic::error(codes::BAD_FORK, branch.span, message);
                return Err(self.report(error.help(help)));
            }
            let state = match branch.target {
                SegmentTarget::Unknown => continue,
                target => state_at(tree, target),
            };
            let Some(state) = state else {
                let message = "a fork leads to states, nothing else";
                return Err(self.error(codes::BAD_FORK, branch.span, message));
            };
            self.expect_orthogonal(tree, &targets, state, (codes::BAD_FORK, branch.span))?;
            targets.push(state);
        }
        Ok(())
    }

    /// Forks and joins are for states that can be active together.
    fn expect_orthogonal(
        &mut self,
        tree: &Tree,
        others: &[StateId],
        state: StateId,
        (code, span): (&'static str, Span),
    ) -> Checked<()> {
        let mut others = others.iter();
        let Some(other) = others.find(|other| !tree.machine.orthogonal(**other, state)) else {
            return Ok(());
        };
        let names = [*other, state].map(|state| format!("`{}`", tree.machine.state(state).path));
        let message = match *other == state {
            true => format!("{} is named twice", names[0]),
            false => format!("{} and {} are never active together", names[0], names[1]),
        };
        let help = "take states from different regions of one state";
        Err(self.report(Diagnostic::error(code, span, message).help(help)))
    }

    fn check_circles(&mut self, tree: &Tree, segments: &Segments) {
        let mut marks = vec![Mark::New; tree.vertices.len()];
        for start in 0..tree.vertices.len() {
            if tree.vertices[start].node == Node::Junction && marks[start] == Mark::New {
                self.circles_from(tree, segments, start, &mut marks);
            }
        }
    }

    /// Depth first, without recursion: a chain of junctions may be long.
    fn circles_from(&mut self, tree: &Tree, segments: &Segments, start: usize, marks: &mut [Mark]) {
        let mut way = vec![(start, 0)];
        marks[start] = Mark::Open;
        while let Some((vertex, next)) = way.last_mut() {
            let Some(segment) = segments.out[*vertex].get(*next) else {
                marks[*vertex] = Mark::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let segment = &segments.all[*segment];
            let SegmentTarget::Vertex(target) = segment.target else {
                continue;
            };
            if tree.vertices[target].node != Node::Junction {
                continue;
            }
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    way.push((target, 0));
                }
                Mark::Open => self.circle(tree, &way, target, segment),
                Mark::Done => {}
            }
        }
    }

    fn circle(&mut self, tree: &Tree, way: &[(usize, usize)], back: usize, closing: &Segment) {
        const SHOWN: usize = 5;
        let on_circle = way.iter().skip_while(|(vertex, _)| *vertex != back);
        let mut names: Vec<&str> = on_circle.map(|(v, _)| tree.vertices[*v].name).collect();
        if names.len() > SHOWN {
            names.splice(SHOWN - 1..names.len() - 1, ["..."]);
        }
        names.push(tree.vertices[back].name);
        let message = format!("junctions lead round in a circle: {}", names.join(" -> "));
        let help = "a path through junctions is taken in one step; put a state on it";
        let error = Diagnostic::error(codes::JUNCTION_CIRCLE, closing.span, message);
        self.report(error.help(help));
    }
}

fn count(transitions: usize) -> &'static str {
    match transitions {
        0 => "none",
        _ => "one",
    }
}

/// The state that a segment leads to, if it leads to one.
pub(super) fn state_at(tree: &Tree, target: SegmentTarget) -> Option<StateId> {
    let SegmentTarget::Vertex(vertex) = target else {
        return None;
    };
    match tree.vertices[vertex].node {
        Node::State(state) => Some(state),
        _ => None,
    }
}
