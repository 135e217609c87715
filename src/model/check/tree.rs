//! The tree of a machine: which regions, states and other vertices there are, and how they are
//! named. Built for all classes before any transition is looked at, since expressions ask for the
//! states of other objects.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Checked, Checker, Reported};
use crate::model::diagnostics::{Diagnostic, nearest};
use crate::model::limits;
use crate::model::machine::{Choice, Machine, Region, State, TOP};
use crate::model::syntax::{
    Block, Element, ElementKind, Label, Name, Span, StatePath, Target, VertexKind,
};
use crate::model::value::{ChoiceId, ClassId, RegionId, StateId};

/// Stands for the initial state of a region until it is known.
pub(super) const NO_STATE: StateId = StateId(u32::MAX);

#[derive(Clone, Default)]
pub(crate) struct Tree {
    pub machine: Machine,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
    pub initials: Vec<InitialEdge>,
    pub actions: Vec<StateAction>,
    pub defers: Vec<(StateId, Vec<Name>)>,
    pub ignores: Vec<(StateId, Vec<Name>)>,
}

/// Everything that a transition can start from or lead to.
#[derive(Clone)]
pub(crate) struct Vertex {
    pub name: String,
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
#[derive(Clone)]
pub(crate) struct Edge {
    /// Where it is written: names of this region go first.
    pub region: RegionId,
    pub source: Source,
    /// `None`: internal.
    pub target: Option<Target>,
    pub label: Label,
    pub span: Span,
}

#[derive(Clone)]
pub(crate) enum Source {
    Path(StatePath),
    State(StateId),
}

#[derive(Clone)]
pub(crate) struct InitialEdge {
    pub region: RegionId,
    pub target: StatePath,
    pub effect: Option<Block>,
    pub span: Span,
}

#[derive(Clone)]
pub(crate) struct StateAction {
    pub state: StateId,
    pub is_exit: bool,
    pub block: Block,
}

impl Tree {
    fn add_region(&mut self, name: &str, parent: Option<StateId>, span: Span) -> RegionId {
        let id = RegionId::new(self.machine.regions.len());
        self.machine.regions.push(Region {
            name: name.to_owned(),
            parent,
            states: Vec::new(),
            initial: NO_STATE,
            initial_effect: Vec::new(),
            history: false,
            remembers: false,
            span,
        });
        if let Some(parent) = parent {
            self.machine.states[parent.index()].regions.push(id);
        }
        id
    }

    fn add_state(
        &mut self,
        name: &Name,
        region: RegionId,
        is_final: bool,
        quiescent: bool,
    ) -> StateId {
        let id = StateId::new(self.machine.states.len());
        self.machine.states.push(State {
            name: name.text.clone(),
            path: name.text.clone(),
            region,
            regions: Vec::new(),
            is_final,
            quiescent,
            flushes: true,
            entry: Vec::new(),
            exit: Vec::new(),
            defers: Vec::new(),
            span: name.span,
        });
        self.machine.regions[region.index()].states.push(id);
        self.add_vertex(name, region, Node::State(id));
        id
    }

    fn add_vertex(&mut self, name: &Name, region: RegionId, node: Node) {
        self.vertices.push(Vertex {
            name: name.text.clone(),
            region,
            node,
            span: name.span,
        });
    }

    fn add_choice(&mut self, name: &Name, region: RegionId) {
        let id = ChoiceId::new(self.machine.choices.len());
        self.machine.choices.push(Choice {
            name: name.text.clone(),
            region,
            branches: Vec::new(),
            span: name.span,
        });
        self.add_vertex(name, region, Node::Choice(id));
    }

    /// The names of the states and regions around a region, outermost first.
    fn names_around(&self, region: RegionId) -> Vec<&str> {
        let mut names = Vec::new();
        for region in self.machine.regions_around(region) {
            let region = self.machine.region(region);
            names.push(region.name.as_str());
            names.extend(
                region
                    .parent
                    .map(|state| self.machine.state(state).name.as_str()),
            );
        }
        names.reverse();
        names.retain(|name| !name.is_empty());
        names
    }

    /// The vertices that a path may mean: its last name is theirs, the others are names around
    /// them, in order.
    fn candidates(&self, path: &StatePath) -> Vec<usize> {
        let Some((last, before)) = path.names.split_last() else {
            return Vec::new();
        };
        let fits = |vertex: &Vertex| {
            vertex.name == last.text && {
                let mut around = self.names_around(vertex.region).into_iter();
                before
                    .iter()
                    .all(|name| around.any(|other| other == name.text))
            }
        };
        let all = self.vertices.iter().enumerate();
        all.filter(|(_, vertex)| fits(vertex))
            .map(|(index, _)| index)
            .collect()
    }

    /// The one vertex that a path means when it is written in a region; or all it could mean.
    pub fn resolve(&self, path: &StatePath, from: RegionId) -> Result<usize, Vec<usize>> {
        let candidates = self.candidates(path);
        for region in self.machine.regions_around(from) {
            let here = candidates
                .iter()
                .filter(|i| self.vertices[**i].region == region);
            if let [one] = here.collect::<Vec<_>>()[..] {
                return Ok(*one);
            }
        }
        match candidates[..] {
            [one] => Ok(one),
            _ => Err(candidates),
        }
    }

    /// The shortest paths that tell states of the same name apart.
    fn name_states(&mut self) {
        let full = |state: &State| {
            let mut names = self.names_around(state.region);
            names.push(&state.name);
            names.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let paths: Vec<Vec<String>> = self.machine.states.iter().map(full).collect();
        let mut count: HashMap<String, usize> = HashMap::new();
        for state in &self.machine.states {
            *count.entry(state.name.clone()).or_default() += 1;
        }
        for (state, path) in self.machine.states.iter_mut().zip(&paths) {
            if count[&state.name] == 1 {
                continue;
            }
            let unique = |tail: &&[String]| paths.iter().filter(|p| p.ends_with(tail)).count() == 1;
            let tails = (0..path.len()).rev().map(|start| &path[start..]);
            let shortest = tails.into_iter().find(unique).unwrap_or(path);
            state.path = shortest.join(".");
        }
    }
}

impl Checker {
    pub(super) fn grow_tree(&mut self, name: Span, body: &[Element]) -> Tree {
        let mut tree = Tree::default();
        let top = tree.add_region("", None, name);
        self.grow_region(&mut tree, top, None, body);
        tree.name_states();
        tree
    }

    /// The elements of a region; `owner` is the state whose only region it is, if it has no name.
    fn grow_region(
        &mut self,
        tree: &mut Tree,
        region: RegionId,
        owner: Option<StateId>,
        body: &[Element],
    ) {
        for element in body {
            self.grow_element(tree, region, owner, element);
        }
    }

    fn grow_element(
        &mut self,
        tree: &mut Tree,
        region: RegionId,
        owner: Option<StateId>,
        element: &Element,
    ) {
        if tree.vertices.len() >= limits::STATES || tree.machine.regions.len() >= limits::STATES {
            let message = format!("more than {} states in one class", limits::STATES);
            if tree.vertices.len() == limits::STATES {
                self.error("E113", element.span, message);
                tree.vertices.push(tree.vertices[0].clone()); // said once
            }
            return;
        }
        match &element.kind {
            ElementKind::Variable(_) if region == TOP => {}
            ElementKind::Variable(_) => {
                let help = "declare it in the class, or as a local variable in an effect";
                self.misplaced(element.span, "variables belong to classes", help);
            }
            ElementKind::Initial { target, effect } => tree.initials.push(InitialEdge {
                region,
                target: target.clone(),
                effect: effect.clone(),
                span: element.span,
            }),
            ElementKind::State {
                quiescent,
                names,
                body,
            } => {
                for name in names {
                    self.expect_new_vertex(tree, name, region);
                    let state = tree.add_state(name, region, false, *quiescent);
                    if let Some(body) = body {
                        self.grow_state(tree, state, body);
                    }
                }
            }
            ElementKind::Region { name, .. } => {
                let help = format!(
                    "put it in a state: `state All {{ region {} ... }}`",
                    name.text
                );
                self.misplaced(element.span, "regions stand in states", &help);
            }
            ElementKind::Vertices { kind, names } => {
                for name in names {
                    self.expect_new_vertex(tree, name, region);
                    match kind {
                        VertexKind::Final => _ = tree.add_state(name, region, true, true),
                        VertexKind::Choice => tree.add_choice(name, region),
                        VertexKind::Junction => tree.add_vertex(name, region, Node::Junction),
                        VertexKind::Fork => tree.add_vertex(name, region, Node::Fork),
                        VertexKind::Join => tree.add_vertex(name, region, Node::Join),
                    }
                }
            }
            ElementKind::Transition {
                source,
                target,
                label,
            } => tree.edges.push(Edge {
                region,
                source: Source::Path(source.clone()),
                target: Some(target.clone()),
                label: label.clone(),
                span: element.span,
            }),
            ElementKind::History { deep } => {
                tree.machine.regions[region.index()].history = true;
                tree.machine.regions[region.index()].remembers = *deep; // spread to what is inside later
            }
            _ => match owner {
                Some(state) => self.grow_state_element(tree, state, element),
                None => {
                    let help = "put it in the braces of a state";
                    self.misplaced(element.span, "this belongs to a state", help);
                }
            },
        }
    }

    fn grow_state(&mut self, tree: &mut Tree, state: StateId, body: &[Element]) {
        let has_regions = body
            .iter()
            .any(|e| matches!(e.kind, ElementKind::Region { .. }));
        let is_composite = |element: &Element| {
            use ElementKind::*;
            matches!(
                element.kind,
                State { .. } | Vertices { .. } | Initial { .. } | History { .. }
            )
        };
        if has_regions {
            self.grow_regions(tree, state, body);
        } else if body.iter().any(is_composite) {
            let span = tree.machine.state(state).span;
            let region = tree.add_region("", Some(state), span);
            self.grow_region(tree, region, Some(state), body);
        } else {
            for element in body {
                self.grow_state_element(tree, state, element);
            }
        }
    }

    fn grow_regions(&mut self, tree: &mut Tree, state: StateId, body: &[Element]) {
        for element in body {
            match &element.kind {
                ElementKind::Region { name, body } => {
                    let siblings = &tree.machine.state(state).regions;
                    let taken = |id: &RegionId| tree.machine.region(*id).name == name.text;
                    if siblings.iter().any(taken) {
                        self.already_declared(name, "region");
                    }
                    let region = tree.add_region(&name.text, Some(state), name.span);
                    self.grow_region(tree, region, None, body);
                }
                _ => self.grow_state_element(tree, state, element),
            }
        }
    }

    /// What belongs to a state itself, whether it is simple or composite.
    fn grow_state_element(&mut self, tree: &mut Tree, state: StateId, element: &Element) {
        let region = tree.machine.state(state).region;
        let mut action = |is_exit, block: &Block| {
            let block = block.clone();
            tree.actions.push(StateAction {
                state,
                is_exit,
                block,
            });
        };
        match &element.kind {
            ElementKind::Entry(block) => action(false, block),
            ElementKind::Exit(block) => action(true, block),
            ElementKind::Defer(names) => tree.defers.push((state, names.clone())),
            ElementKind::Ignore(names) => tree.ignores.push((state, names.clone())),
            ElementKind::NoFlush => tree.machine.states[state.index()].flushes = false,
            ElementKind::Internal(label) => tree.edges.push(Edge {
                region,
                source: Source::State(state),
                target: None,
                label: label.clone(),
                span: element.span,
            }),
            ElementKind::Transition {
                source,
                target,
                label,
            } => tree.edges.push(Edge {
                region: *tree.machine.state(state).regions.first().unwrap_or(&region),
                source: Source::Path(source.clone()),
                target: Some(target.clone()),
                label: label.clone(),
                span: element.span,
            }),
            ElementKind::Variable(_) => {
                let help = "declare it in the class, or as a local variable in an effect";
                self.misplaced(element.span, "variables belong to classes", help);
            }
            _ => {
                let help = "put it in one of the regions";
                self.misplaced(element.span, "this state has named regions", help);
            }
        }
    }

    fn misplaced(&mut self, span: Span, message: &str, help: &str) -> Reported {
        self.report(Diagnostic::error("E150", span, message).help(help))
    }

    fn expect_new_vertex(&mut self, tree: &Tree, name: &Name, region: RegionId) {
        let same = |vertex: &Vertex| vertex.region == region && vertex.name == name.text;
        if tree.vertices.iter().any(same) {
            self.already_declared(name, "state");
        }
    }

    /// The vertex that a path means, or an error that says what there is.
    pub(super) fn vertex(
        &mut self,
        tree: &Tree,
        path: &StatePath,
        from: RegionId,
    ) -> Checked<usize> {
        match tree.resolve(path, from) {
            Ok(vertex) => Ok(vertex),
            Err(candidates) if candidates.is_empty() => Err(self.unknown_state(tree, path)),
            Err(candidates) => Err(self.ambiguous_state(tree, path, &candidates)),
        }
    }

    fn unknown_state(&mut self, tree: &Tree, path: &StatePath) -> Reported {
        let written: Vec<&str> = path.names.iter().map(|name| name.text.as_str()).collect();
        let message = format!("unknown state `{}`", written.join("."));
        let known = tree.vertices.iter().map(|vertex| vertex.name.as_str());
        let last = written.last().copied().unwrap_or_default();
        let help = match nearest(last, known) {
            Some(near) if near != last => format!("did you mean `{near}`?"),
            _ => format!("declare it: `state {last};`"),
        };
        self.report(Diagnostic::error("E101", path.span(), message).help(help))
    }

    fn ambiguous_state(&mut self, tree: &Tree, path: &StatePath, candidates: &[usize]) -> Reported {
        let full = |index: &usize| {
            let vertex = &tree.vertices[*index];
            let mut names = tree.names_around(vertex.region);
            names.push(&vertex.name);
            format!("`{}`", names.join("."))
        };
        let all: Vec<String> = candidates.iter().map(full).collect();
        let message = "there are several states of this name";
        let help = format!("write one of {}", all.join(", "));
        self.report(Diagnostic::error("E151", path.span(), message).help(help))
    }

    /// A state of a class, as a property or guard names it.
    pub(super) fn state_of(&mut self, class: ClassId, path: &StatePath) -> Checked<StateId> {
        let Some(tree) = self.trees.get(class.index()) else {
            return Err(self.error("E101", path.span(), "states are not known here"));
        };
        let tree = Rc::clone(tree);
        let vertex = self.vertex(&tree, path, TOP)?;
        match tree.vertices[vertex].node {
            Node::State(state) => Ok(state),
            _ => {
                let message = "an object never rests here: this is no state";
                Err(self.error("E152", path.span(), message))
            }
        }
    }
}
