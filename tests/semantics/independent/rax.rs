//! Two tasks that wait for each other's events; the test of the counter and the wait are two steps.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

struct Tasks {
    /// The counters of the events wrap round at this value.
    modulus: usize,
    /// A task tests the counter and begins to wait in one step, and counts the events from the very first.
    fixed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Start,
    Test,
    Calling,
    Waiting,
    Copy,
    Signal,
}

/// Task `i` waits for event `i` and signals event `1 - i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    place: [Place; 2],
    seen: [usize; 2],
    event: [usize; 2],
    waiting: [bool; 2],
}

impl Tasks {
    /// The first task signals after it has copied the counter, the second before it tests.
    fn step(&self, state: &State, i: usize) -> Option<State> {
        let mut next = *state;
        let first = i == 0;
        match state.place[i] {
            Place::Start => {
                next.seen[i] = state.event[i];
                next.place[i] = if first { Place::Test } else { Place::Signal };
            }
            Place::Test if state.seen[i] != state.event[i] => next.place[i] = Place::Copy,
            Place::Test if !self.fixed => next.place[i] = Place::Calling,
            Place::Test | Place::Calling => {
                (next.place[i], next.waiting[i]) = (Place::Waiting, true)
            }
            Place::Waiting if state.waiting[i] => return None,
            Place::Waiting => next.place[i] = Place::Copy,
            Place::Copy => {
                next.seen[i] = state.event[i];
                next.place[i] = Place::Signal;
            }
            Place::Signal => {
                next.event[1 - i] = (state.event[1 - i] + 1) % self.modulus;
                next.waiting[1 - i] = false;
                next.place[i] = Place::Test;
            }
        }
        Some(next)
    }
}

impl System for Tasks {
    type State = State;

    fn initial(&self) -> State {
        let place = if self.fixed {
            [Place::Test, Place::Signal]
        } else {
            [Place::Start; 2]
        };
        State {
            place,
            seen: [0; 2],
            event: [0; 2],
            waiting: [false; 2],
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..2)
            .filter_map(|i| self.step(state, i))
            .map(Step::To)
            .collect()
    }
}

#[test]
fn race_between_test_and_wait() {
    judge("rax/race", |constants| {
        walk(&Tasks {
            modulus: constants.get("LAST", 3) + 1,
            fixed: false,
        })
    });
}

#[test]
fn fixed() {
    judge("rax/fixed", |constants| {
        walk(&Tasks {
            modulus: constants.get("LAST", 3) + 1,
            fixed: true,
        })
    });
}
