//! The whole graph of a small system: its states in the order of breadth-first search, and every step
//! between them.

use indexmap::IndexSet;

use crate::system::{Edge, PropertyId, Target, TransitionSystem};

pub struct StateGraph<S: TransitionSystem> {
    pub states: IndexSet<S::State, foldhash::fast::RandomState>,
    /// What is wrong with each state.
    pub judgements: Vec<Judgement>,
    /// How the system comes into being.
    pub starts: Vec<Move<S::Step>>,
    /// In the order of the states that they leave.
    pub moves: Vec<(usize, Move<S::Step>)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    pub violated: Vec<PropertyId>,
    pub is_deadlock: bool,
}

#[derive(Clone, Debug)]
pub struct Move<Step> {
    pub step: Step,
    pub to: Arrival,
    /// The properties that the step itself violates.
    pub violated: Vec<PropertyId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The number of a state.
    State(usize),
    /// The step failed.
    Nowhere,
    /// The run was cut, at a bound that the model sets.
    Cut,
    /// The step has more outcomes than are looked at.
    Unseen,
}

/// There are more states than were asked for; so many had been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub usize);

/// All that can be reached, unless there are more than `most` states.
pub fn state_graph<S: TransitionSystem>(
    system: &S,
    most: usize,
) -> Result<StateGraph<S>, TooLarge> {
    let mut graph = StateGraph {
        states: IndexSet::default(),
        judgements: Vec::new(),
        starts: Vec::new(),
        moves: Vec::new(),
    };
    for edge in system.initial() {
        let start = graph.arrive(edge);
        graph.starts.push(start);
    }
    let mut next = 0;
    while let Some(state) = graph.states.get_index(next) {
        if graph.states.len() > most {
            return Err(TooLarge(graph.states.len()));
        }
        let expansion = system.expand(state);
        graph.judgements.push(Judgement {
            violated: expansion.violated,
            is_deadlock: expansion.is_deadlock,
        });
        for edge in expansion.edges {
            let made = graph.arrive(edge);
            graph.moves.push((next, made));
        }
        next += 1;
    }
    Ok(graph)
}

impl<S: TransitionSystem> StateGraph<S> {
    fn arrive(&mut self, edge: Edge<S::State, S::Step>) -> Move<S::Step> {
        let to = match edge.target {
            Target::State(state) => Arrival::State(self.states.insert_full(state).0),
            Target::Nowhere => Arrival::Nowhere,
            Target::Cut => Arrival::Cut,
            Target::Unseen => Arrival::Unseen,
        };
        Move {
            step: edge.step,
            to,
            violated: edge.violated,
        }
    }
}
