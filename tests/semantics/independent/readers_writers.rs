//! Lea's readers and writers, with writers preferred: a monitor with four counters.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Library {
    readers: usize,
    writers: usize,
    /// The readers' loop waits while they are allowed in.
    negation_dropped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Outside,
    Waiting,
    Inside,
    Writing,
    Leaving,
}

/// The counters are what the places say; only the flags of the sleepers are extra.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Readers first.
    place: Vec<Place>,
    asleep: Vec<bool>,
}

impl Library {
    fn is_reader(&self, thread: usize) -> bool {
        thread < self.readers
    }

    fn count(&self, state: &State, readers: bool, is: impl Fn(Place) -> bool) -> usize {
        (0..state.place.len())
            .filter(|&t| self.is_reader(t) == readers && is(state.place[t]))
            .count()
    }

    fn active(&self, state: &State, readers: bool) -> usize {
        self.count(state, readers, |place| {
            !matches!(place, Place::Outside | Place::Waiting)
        })
    }

    fn admits(&self, state: &State, thread: usize) -> bool {
        if !self.is_reader(thread) {
            return self.active(state, true) == 0 && self.active(state, false) == 0;
        }
        let waiting_writers = self.count(state, false, |place| place == Place::Waiting);
        (self.active(state, false) == 0 && waiting_writers == 0) != self.negation_dropped
    }

    fn writing(&self, state: &State) -> bool {
        state.place.contains(&Place::Writing)
    }

    fn step(&self, state: &State, thread: usize) -> Option<Step<State>> {
        let mut next = state.clone();
        next.place[thread] = match state.place[thread] {
            Place::Waiting if state.asleep[thread] => return None,
            Place::Outside | Place::Waiting if self.admits(state, thread) => Place::Inside,
            Place::Outside | Place::Waiting => {
                next.asleep[thread] = true;
                Place::Waiting
            }
            Place::Inside if !self.is_reader(thread) => Place::Writing,
            Place::Inside if self.writing(state) => return Some(Step::Fault("assertion_failure")),
            Place::Inside | Place::Writing => Place::Leaving,
            Place::Leaving => {
                next.asleep.fill(false);
                Place::Outside
            }
        };
        Some(Step::To(next))
    }
}

impl System for Library {
    type State = State;

    fn initial(&self) -> State {
        let threads = self.readers + self.writers;
        State {
            place: vec![Place::Outside; threads],
            asleep: vec![false; threads],
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..state.place.len())
            .filter_map(|thread| self.step(state, thread))
            .collect()
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        vec![("one_writer", self.active(state, false) <= 1)]
    }
}

fn explore(constants: &Constants, negation_dropped: bool) -> Findings {
    let readers = constants.get("READERS", 2);
    walk(&Library {
        readers,
        writers: constants.get("WRITERS", 2),
        negation_dropped,
    })
}

#[test]
fn correct() {
    judge("readers_writers/correct", |constants| {
        explore(constants, false)
    });
}

#[test]
fn negation_dropped() {
    judge("readers_writers/negation_dropped", |constants| {
        explore(constants, true)
    });
}
