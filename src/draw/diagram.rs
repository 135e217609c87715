//! A machine as a drawing shows it: vertices in regions, and edges between them.
//!
//! A transition with several sources or targets gets a bar for its join or fork back; the place
//! where a history is asked for, and where a region starts, are vertices too. What the formats
//! have in common is decided here.
//!
//! Invariant: the first vertices are the states, in their order.

use std::collections::HashMap;

use crate::lang::{
    ChoiceId, HistoryKind, Machine, RegionId, StateId, Target, Transition, TransitionId,
};

pub struct Diagram<'m> {
    pub machine: &'m Machine,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub kind: Kind,
    pub region: RegionId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    State(StateId),
    Choice(ChoiceId),
    Initial(RegionId),
    History(HistoryKind),
    Fork,
    Join,
}

pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub texts: Vec<String>,
    pub origin: Origin,
}

/// What of the model an edge shows, or a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Initial(RegionId),
    Transition(TransitionId),
    Branch(ChoiceId, usize),
}

impl<'m> Diagram<'m> {
    pub fn of(machine: &'m Machine) -> Diagram<'m> {
        let mut builder = Builder::new(machine);
        builder.add_initials();
        builder.add_transitions();
        builder.add_branches();
        builder.diagram
    }

    /// The state that a vertex is, if it is one.
    pub fn state(&self, vertex: usize) -> Option<StateId> {
        match self.vertices[vertex].kind {
            Kind::State(state) => Some(state),
            _ => None,
        }
    }

    pub fn vertices_in(&self, region: RegionId) -> impl Iterator<Item = usize> + '_ {
        let all = 0..self.vertices.len();
        all.filter(move |vertex| self.vertices[*vertex].region == region)
    }

    pub fn is_initial(&self, vertex: usize) -> bool {
        matches!(self.vertices[vertex].kind, Kind::Initial(_))
    }

    /// The name that stands beside a symbol.
    pub fn caption(&self, vertex: usize) -> Option<&str> {
        match self.vertices[vertex].kind {
            Kind::Choice(choice) => Some(&self.machine.choice(choice).name),
            Kind::State(state) if self.machine.state(state).is_final => {
                Some(&self.machine.state(state).name)
            }
            _ => None,
        }
    }

    /// The regions inside a vertex.
    pub fn regions_of(&self, vertex: usize) -> &[RegionId] {
        let state = self.state(vertex);
        state.map_or(&[], |state| &self.machine.state(state).regions)
    }

    /// The edges for which a region is the innermost that holds both ends.
    pub fn edges_in(&self, region: RegionId) -> impl Iterator<Item = &Edge> {
        let place = |vertex: usize| self.vertices[vertex].region;
        self.edges.iter().filter(move |edge| {
            let common = self.machine.common_region(place(edge.from), place(edge.to));
            common == region
        })
    }

    /// A vertex and the states around it, outwards.
    pub fn outwards(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(vertex), |inner| {
            let region = self.vertices[*inner].region;
            self.machine.region(region).parent.map(StateId::index)
        })
    }
}

/// The internal transitions of a state, in order.
pub fn internal(
    machine: &Machine,
    state: StateId,
) -> impl Iterator<Item = (TransitionId, &Transition)> {
    let all = machine
        .transition_ids()
        .map(|id| (id, machine.transition(id)));
    all.filter(move |(_, transition)| {
        transition.is_internal() && transition.sources.first() == Some(&state)
    })
}

struct Builder<'m> {
    diagram: Diagram<'m>,
    /// Where the history of a state is asked for.
    histories: HashMap<(StateId, HistoryKind), usize>,
}

impl<'m> Builder<'m> {
    fn new(machine: &'m Machine) -> Builder<'m> {
        let states = machine.state_ids().map(|state| Vertex {
            kind: Kind::State(state),
            region: machine.state(state).region,
        });
        let choices = machine.choices.iter().enumerate();
        let choices = choices.map(|(index, choice)| Vertex {
            kind: Kind::Choice(ChoiceId::new(index)),
            region: choice.region,
        });
        Builder {
            diagram: Diagram {
                machine,
                vertices: states.chain(choices).collect(),
                edges: Vec::new(),
            },
            histories: HashMap::new(),
        }
    }

    fn add_vertex(&mut self, kind: Kind, region: RegionId) -> usize {
        self.diagram.vertices.push(Vertex { kind, region });
        self.diagram.vertices.len() - 1
    }

    fn add_edge(&mut self, from: usize, to: usize, origin: Origin, texts: &[String]) {
        let texts = texts.to_vec();
        let edge = Edge {
            from,
            to,
            texts,
            origin,
        };
        self.diagram.edges.push(edge);
    }

    fn choice(&self, choice: ChoiceId) -> usize {
        self.diagram.machine.states.len() + choice.index()
    }

    /// Each region starts at a dot; one with history of its own goes through that.
    fn add_initials(&mut self) {
        let machine = self.diagram.machine;
        for (index, region) in machine.regions.iter().enumerate() {
            let id = RegionId::new(index);
            let origin = Origin::Initial(id);
            let mut from = self.add_vertex(Kind::Initial(id), id);
            if let Some(kind) = declared_history(machine, id) {
                let history = self.add_vertex(Kind::History(kind), id);
                self.add_edge(from, history, origin, &[]);
                from = history;
            }
            let text = match region.initial_text.is_empty() {
                true => Vec::new(),
                false => vec![format!("/ {}", region.initial_text)],
            };
            self.add_edge(from, region.initial.index(), origin, &text);
        }
    }

    fn add_transitions(&mut self) {
        let machine = self.diagram.machine;
        for (index, transition) in machine.transitions.iter().enumerate() {
            if transition.is_internal() {
                continue; // stands in the box of its state
            }
            let origin = Origin::Transition(TransitionId::new(index));
            let from = self.source(&transition.sources, origin);
            self.add_target(from, &transition.target, origin, &transition.texts);
        }
    }

    fn add_branches(&mut self) {
        let machine = self.diagram.machine;
        for (index, choice) in machine.choices.iter().enumerate() {
            let choice_id = ChoiceId::new(index);
            for (number, branch) in choice.branches.iter().enumerate() {
                let origin = Origin::Branch(choice_id, number);
                let from = self.choice(choice_id);
                self.add_target(from, &branch.target, origin, &branch.texts);
            }
        }
    }

    fn source(&mut self, sources: &[StateId], origin: Origin) -> usize {
        if let [one] = sources {
            return one.index();
        }
        let join = self.add_vertex(Kind::Join, self.region_of_all(sources));
        for source in sources {
            self.add_edge(source.index(), join, origin, &[]);
        }
        join
    }

    fn add_target(&mut self, from: usize, target: &Target, origin: Origin, texts: &[String]) {
        match target {
            Target::Internal => {}
            Target::Choice(choice) => self.add_edge(from, self.choice(*choice), origin, texts),
            Target::History(state, kind) => {
                let history = self.history(*state, *kind);
                self.add_edge(from, history, origin, texts);
            }
            Target::States(states) => match states[..] {
                [one] => self.add_edge(from, one.index(), origin, texts),
                _ => {
                    let fork = self.add_vertex(Kind::Fork, self.region_of_all(states));
                    self.add_edge(from, fork, origin, texts);
                    for state in states {
                        self.add_edge(fork, state.index(), origin, &[]);
                    }
                }
            },
        }
    }

    fn history(&mut self, state: StateId, kind: HistoryKind) -> usize {
        if let Some(known) = self.histories.get(&(state, kind)) {
            return *known;
        }
        let declared = self.diagram.machine.state(state);
        // The type checker lets only states with regions have one.
        let inside = declared.regions.first().copied();
        let vertex = self.add_vertex(Kind::History(kind), inside.unwrap_or(declared.region));
        self.histories.insert((state, kind), vertex);
        vertex
    }

    /// The region around the state whose regions hold these states.
    fn region_of_all(&self, states: &[StateId]) -> RegionId {
        let machine = self.diagram.machine;
        let regions = states.iter().map(|state| machine.state(*state).region);
        let common = regions.reduce(|one, other| machine.common_region(one, other));
        common.unwrap_or(crate::lang::TOP)
    }
}

/// `history;` in a region; not what a deep one around it brings.
fn declared_history(machine: &Machine, region: RegionId) -> Option<HistoryKind> {
    let declared = machine.region(region);
    let mut around = machine.regions_around(region).skip(1);
    let inherited = around.any(|outer| machine.region(outer).deep);
    match (declared.history, declared.deep) {
        (_, true) => Some(HistoryKind::Deep),
        (true, false) if !inherited => Some(HistoryKind::Shallow),
        _ => None,
    }
}
