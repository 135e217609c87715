//! The whole graph of a small system: its states in the order of breadth-first search, and every step
//! between them.

use indexmap::IndexSet;

use crate::system::{PropertyId, System, Target, Transition};

pub struct StateGraph<S: System> {
    pub states: IndexSet<S::State, foldhash::fast::RandomState>,
    /// What is wrong with each state.
    pub results: Vec<StateResult>,
    /// How the system comes into being.
    pub starts: Vec<Move<S::Action>>,
    /// In the order of the states that they leave.
    pub moves: Vec<(usize, Move<S::Action>)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateResult {
    pub violated: Vec<PropertyId>,
    pub is_deadlock: bool,
}

#[derive(Clone, Debug)]
pub struct Move<Step> {
    pub step: Step,
    pub to: Target<usize>,
    /// The properties that the step itself violates.
    pub violated: Vec<PropertyId>,
}

/// There are more states than were asked for; so many had been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub usize);

/// All that can be reached, unless there are more than `most` states.
pub fn state_graph<S: System>(system: &S, most: usize) -> Result<StateGraph<S>, TooLarge> {
    let mut graph = StateGraph {
        states: IndexSet::default(),
        results: Vec::new(),
        starts: Vec::new(),
        moves: Vec::new(),
    };
    for transition in system.initial() {
        let start = graph.arrive(transition);
        graph.starts.push(start);
    }
    let mut next = 0;
    while let Some(state) = graph.states.get_index(next) {
        if graph.states.len() > most {
            return Err(TooLarge(graph.states.len()));
        }
        let expansion = system.expand(state);
        graph.results.push(StateResult {
            violated: expansion.violated,
            is_deadlock: expansion.is_deadlock,
        });
        for transition in expansion.transitions {
            let made = graph.arrive(transition);
            graph.moves.push((next, made));
        }
        next += 1;
    }
    Ok(graph)
}

impl<S: System> StateGraph<S> {
    fn arrive(&mut self, transition: Transition<S::State, S::Action>) -> Move<S::Action> {
        let to = match transition.target {
            Target::State(state) => Target::State(self.states.insert_full(state).0),
            Target::Error => Target::Error,
            Target::Bounded => Target::Bounded,
            Target::Truncated => Target::Truncated,
        };
        Move {
            step: transition.action,
            to,
            violated: transition.violated,
        }
    }
}
