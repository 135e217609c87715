//! The tree of a machine: which regions, states and other vertices there are, and how they are
//! named. Built for all classes before any transition is looked at, since expressions ask for the
//! states of other objects.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Checked, Checker, Reported};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Choice, Machine, Region, State, TOP};
use crate::lang::syntax::{Block, Label, Name, Span, StatePath, Target};
use crate::lang::value::{ChoiceId, ClassId, RegionId, StateId};

/// Stands for the initial state of a region until it is known.
pub(super) const NO_STATE: StateId = StateId(u32::MAX);

#[derive(Default)]
pub(crate) struct Tree<'f> {
    pub machine: Machine,
    pub vertices: Vec<Vertex<'f>>,
    by_name: HashMap<&'f str, Vec<usize>>,
    /// For each state its vertex.
    of_state: Vec<usize>,
    pub edges: Vec<Edge<'f>>,
    pub initials: Vec<InitialEdge<'f>>,
    pub actions: Vec<StateAction<'f>>,
    pub defers: Vec<(StateId, &'f [Name])>,
    pub ignores: Vec<(StateId, &'f [Name])>,
    /// It was too large, and what came then is not in it.
    pub is_cut: bool,
}

/// Everything that a transition can start from or lead to.
pub(crate) struct Vertex<'f> {
    pub name: &'f str,
    pub region: RegionId,
    pub node: Node,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    State(StateId),
    Choice(ChoiceId),
    Junction,
    Fork,
    Join,
}

/// A transition as it is written.
pub(crate) struct Edge<'f> {
    /// Where it is written: names of this region go first.
    pub region: RegionId,
    pub source: Source<'f>,
    /// `None`: internal.
    pub target: Option<&'f Target>,
    pub label: &'f Label,
    pub span: Span,
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'f> {
    Path(&'f StatePath),
    State(StateId),
}

pub(crate) struct InitialEdge<'f> {
    pub region: RegionId,
    pub target: &'f StatePath,
    pub effect: Option<&'f Block>,
    pub span: Span,
}

pub(crate) struct StateAction<'f> {
    pub state: StateId,
    pub is_exit: bool,
    pub block: &'f Block,
}

impl Node {
    pub fn kind(self) -> &'static str {
        match self {
            Node::State(_) => "state",
            Node::Choice(_) => "choice",
            Node::Junction => "junction",
            Node::Fork => "fork",
            Node::Join => "join",
        }
    }
}

impl<'f> Tree<'f> {
    pub fn add_region(&mut self, name: &str, parent: Option<StateId>, span: Span) -> RegionId {
        let id = RegionId::new(self.machine.regions.len());
        self.machine.regions.push(Region {
            name: name.to_owned(),
            parent,
            states: Vec::new(),
            initial: NO_STATE,
            initial_effect: Vec::new(),
            initial_text: String::new(),
            history: false,
            deep: false,
            remembers: false,
            span,
        });
        if let Some(parent) = parent {
            self.machine.states[parent.index()].regions.push(id);
        }
        id
    }

    pub fn add_state(&mut self, name: &'f Name, region: RegionId, is_final: bool) -> StateId {
        let id = StateId::new(self.machine.states.len());
        self.machine.states.push(State {
            name: name.text.clone(),
            path: name.text.clone(),
            region,
            regions: Vec::new(),
            is_final,
            quiescent: is_final,
            flushes: true,
            entry: Vec::new(),
            exit: Vec::new(),
            entry_text: String::new(),
            exit_text: String::new(),
            defers: Vec::new(),
            span: name.span,
        });
        self.machine.regions[region.index()].states.push(id);
        self.of_state.push(self.vertices.len());
        self.add_vertex(name, region, Node::State(id));
        id
    }

    pub fn add_vertex(&mut self, name: &'f Name, region: RegionId, node: Node) {
        let of_name = self.by_name.entry(&name.text).or_default();
        of_name.push(self.vertices.len());
        self.vertices.push(Vertex {
            name: &name.text,
            region,
            node,
            span: name.span,
        });
    }

    pub fn add_choice(&mut self, name: &'f Name, region: RegionId) {
        let id = ChoiceId::new(self.machine.choices.len());
        self.machine.choices.push(Choice {
            name: name.text.clone(),
            region,
            branches: Vec::new(),
            span: name.span,
        });
        self.add_vertex(name, region, Node::Choice(id));
    }

    pub fn has_vertex(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub fn vertex_of(&self, state: StateId) -> usize {
        self.of_state[state.index()]
    }

    /// The vertex of a name that stands in a region itself.
    pub fn vertex_in(&self, region: RegionId, name: &str) -> Option<usize> {
        let mut of_name = self.by_name.get(name)?.iter();
        let found = of_name.find(|index| self.vertices[**index].region == region);
        found.copied()
    }

    /// The names of the regions and states around a region, innermost first.
    fn names_outward(&self, region: RegionId) -> impl Iterator<Item = &str> {
        let around = self.machine.regions_around(region);
        let names = around.flat_map(|region| {
            let region = self.machine.region(region);
            let parent = region.parent.map(|state| self.machine.state(state));
            let parent = parent.map(|state| state.name.as_str());
            [Some(region.name.as_str()), parent]
        });
        names.flatten().filter(|name| !name.is_empty())
    }

    /// The whole path of a vertex.
    pub fn full_name(&self, vertex: usize) -> String {
        let vertex = &self.vertices[vertex];
        let mut names: Vec<&str> = self.names_outward(vertex.region).collect();
        names.reverse();
        names.push(vertex.name);
        names.join(".")
    }

    /// The vertices that a path may mean: its last name is theirs, the others are names around
    /// them, in order.
    fn candidates(&self, path: &StatePath) -> Vec<usize> {
        let Some((last, before)) = path.names.split_last() else {
            return Vec::new();
        };
        let fits = |index: &usize| {
            let mut around = self.names_outward(self.vertices[*index].region);
            let mut outward = before.iter().rev();
            outward.all(|name| around.any(|other| other == name.text))
        };
        let of_name = self.by_name.get(last.text.as_str());
        let of_name = of_name.into_iter().flatten().copied();
        of_name.filter(fits).collect()
    }

    /// The one vertex that a path means when it is written in a region; or all it could mean.
    pub fn resolve(&self, path: &StatePath, from: RegionId) -> Result<usize, Vec<usize>> {
        let candidates = self.candidates(path);
        if let [one] = candidates[..] {
            return Ok(one);
        }
        for region in self.machine.regions_around(from) {
            // Where a region has two of one name, that has been reported; it is the first then.
            let is_here = |index: &&usize| self.vertices[**index].region == region;
            if let Some(one) = candidates.iter().find(is_here) {
                return Ok(*one);
            }
        }
        Err(candidates)
    }

    /// Gives every state the shortest path that tells it apart.
    pub fn name_states(&mut self) {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, state) in self.machine.states.iter().enumerate() {
            by_name.entry(&state.name).or_default().push(index);
        }
        let shared = by_name.into_values().filter(|states| states.len() > 1);
        let paths: Vec<(usize, String)> = shared.flat_map(|group| self.tell_apart(group)).collect();
        for (state, path) in paths {
            self.machine.states[state].path = path;
        }
    }

    /// Divides states of the same name by one more name around them, until each stands alone.
    fn tell_apart(&self, group: Vec<usize>) -> Vec<(usize, String)> {
        let outward = |state: &usize| -> Vec<&str> {
            let state = &self.machine.states[*state];
            let around = self.names_outward(state.region);
            std::iter::once(state.name.as_str()).chain(around).collect()
        };
        let paths: HashMap<usize, Vec<&str>> = group.iter().map(|s| (*s, outward(s))).collect();
        let mut told = Vec::new();
        let mut pending = vec![(group, 1)];
        while let Some((group, length)) = pending.pop() {
            let mut divided: HashMap<Option<&&str>, Vec<usize>> = HashMap::new();
            for state in group {
                divided
                    .entry(paths[&state].get(length))
                    .or_default()
                    .push(state);
            }
            for (name, states) in divided {
                if states.len() > 1 && name.is_some() {
                    pending.push((states, length + 1));
                    continue;
                }
                told.extend(states.into_iter().map(|state| {
                    let names = paths[&state].iter().take(length + 1);
                    let names: Vec<&str> = names.rev().copied().collect();
                    (state, names.join("."))
                }));
            }
        }
        told
    }
}

impl Checker<'_> {
    /// The vertex that a path means, or an error that says what there is.
    pub(super) fn vertex(
        &mut self,
        tree: &Tree,
        path: &StatePath,
        from: RegionId,
    ) -> Checked<usize> {
        match tree.resolve(path, from) {
            Ok(vertex) => Ok(vertex),
            Err(_) if tree.is_cut => Err(Reported), // it may be in what is missing
            Err(candidates) if candidates.is_empty() => Err(self.unknown_state(tree, path)),
            Err(candidates) => Err(self.ambiguous_state(tree, path, &candidates)),
        }
    }

    fn unknown_state(&mut self, tree: &Tree, path: &StatePath) -> Reported {
        let written: Vec<&str> = path.names.iter().map(|name| name.text.as_str()).collect();
        let message = format!("unknown state `{}`", written.join("."));
        let last = written.last().copied().unwrap_or_default();
        let help = match tree.by_name.get(last) {
            // The name is there, but not inside of what stands before it.
            Some(found) => format!("there is `{}`", tree.full_name(found[0])),
            None => match self.suggest(last, tree.by_name.keys().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it: `state {last};`"),
            },
        };
        self.report(Diagnostic::error(codes::UNKNOWN_NAME, path.span(), message).help(help))
    }

    fn ambiguous_state(&mut self, tree: &Tree, path: &StatePath, candidates: &[usize]) -> Reported {
        const SHOWN: usize = 4;
        let shown = candidates.iter().take(SHOWN);
        let mut all: Vec<String> = shown.map(|c| format!("`{}`", tree.full_name(*c))).collect();
        if candidates.len() > SHOWN {
            all.push(format!("{} more", candidates.len() - SHOWN));
        }
        let last = path.names.last().map_or("", |name| &name.text);
        let message = format!("there are {} states `{last}`", candidates.len());
        let help = format!("write one of {}", all.join(", "));
        self.report(Diagnostic::error(codes::AMBIGUOUS_STATE, path.span(), message).help(help))
    }

    /// A state of a class, as a property or guard names it.
    pub(super) fn state_of(&mut self, class: ClassId, path: &StatePath) -> Checked<StateId> {
        let tree = Rc::clone(self.trees.get(class.index()).ok_or(Reported)?);
        let vertex = self.vertex(&tree, path, TOP)?;
        match tree.vertices[vertex].node {
            Node::State(state) => Ok(state),
            other => {
                let kind = other.kind();
                let message = format!("an object never rests here: this is a {kind}, no state");
                Err(self.error(codes::NOT_A_STATE, path.span(), message))
            }
        }
    }
}
