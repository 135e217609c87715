//! Dekker's mutual exclusion for two processes.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

struct Dekker;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Idle,
    Wanting,
    Yielding,
    Critical,
    Releasing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    place: [Place; 2],
    wants: [bool; 2],
    turn: usize,
}

impl Dekker {
    fn step(&self, state: &State, me: usize) -> Option<State> {
        let mut next = *state;
        let mut go = |place, wants| (next.place[me], next.wants[me]) = (place, wants);
        match state.place[me] {
            Place::Idle => go(Place::Wanting, true),
            Place::Wanting if !state.wants[1 - me] => go(Place::Critical, true),
            Place::Wanting if state.turn != me => go(Place::Yielding, false),
            Place::Yielding if state.turn == me => go(Place::Wanting, true),
            Place::Wanting | Place::Yielding => return None,
            Place::Critical => (next.place[me], next.turn) = (Place::Releasing, 1 - me),
            Place::Releasing => go(Place::Idle, false),
        }
        Some(next)
    }
}

impl System for Dekker {
    type State = State;

    fn initial(&self) -> State {
        State {
            place: [Place::Idle; 2],
            wants: [false; 2],
            turn: 0,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..2)
            .filter_map(|me| self.step(state, me))
            .map(Step::To)
            .collect()
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        vec![("mutex", state.place != [Place::Critical; 2])]
    }
}

#[test]
fn two_processes() {
    judge("dekker/dekker", |_| walk(&Dekker));
}
