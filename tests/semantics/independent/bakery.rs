//! Lamport's bakery for two processes in Saidi's three versions, with tickets up to a bound.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

/// Version A draws a ticket in one step.
struct Atomic {
    max: usize,
}

/// Where the two processes are (1 idle, 2 waiting, 3 critical), and their tickets.
type AtomicState = ([u8; 2], [usize; 2]);

/// Whether process `i` with ticket `y[i]` goes before the other; on equal tickets the first does.
fn first_in_line(y: [usize; 2], i: usize) -> bool {
    y[1 - i] == 0 || y[i] < y[1 - i] || (i == 0 && y[0] == y[1])
}

impl System for Atomic {
    type State = AtomicState;

    fn initial(&self) -> AtomicState {
        ([1, 1], [0, 0])
    }

    fn steps(&self, &(place, y): &AtomicState) -> Vec<Step<AtomicState>> {
        let mut steps = Vec::new();
        for i in 0..2 {
            let (mut place, mut y) = (place, y);
            match place[i] {
                1 if y[1 - i] < self.max => (place[i], y[i]) = (2, y[1 - i] + 1),
                2 if first_in_line(y, i) => place[i] = 3,
                3 => (place[i], y[i]) = (1, 0),
                _ => continue,
            }
            steps.push(Step::To((place, y)));
        }
        steps
    }

    fn properties(&self, (place, _): &AtomicState) -> Vec<(&'static str, bool)> {
        vec![("mutex", *place != [3, 3])]
    }
}

/// Versions B and C read the other's ticket and take their own in two steps.
struct Split {
    max: usize,
    /// Version C: a process says (with x) that it is choosing, and the other waits for it.
    guarded: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SplitState {
    /// As in the source, 1 to 7; 7 is the critical section.
    place: [u8; 2],
    x: [bool; 2],
    t: [usize; 2],
    y: [usize; 2],
}

impl Split {
    fn start(&self) -> u8 {
        if self.guarded { 1 } else { 2 }
    }

    fn steps_of(&self, state: &SplitState, i: usize) -> Option<SplitState> {
        let mut next = *state;
        let other = 1 - i;
        match state.place[i] {
            1 => (next.x[i], next.place[i]) = (true, 2),
            2 if state.y[other] < self.max => (next.t[i], next.place[i]) = (state.y[other] + 1, 3),
            // There is no ticket left: go away, so that the other does not wait for this one's choice.
            2 if self.guarded => (next.x[i], next.place[i]) = (false, 1),
            3 => (next.y[i], next.place[i]) = (state.t[i], if self.guarded { 4 } else { 5 }),
            4 => (next.x[i], next.place[i]) = (false, 5),
            5 if !state.x[other] => next.place[i] = 6,
            6 if first_in_line(state.y, i) => next.place[i] = 7,
            7 => (next.y[i], next.place[i]) = (0, self.start()),
            _ => return None,
        }
        Some(next)
    }
}

impl System for Split {
    type State = SplitState;

    fn initial(&self) -> SplitState {
        SplitState {
            place: [self.start(); 2],
            x: [false; 2],
            t: [0; 2],
            y: [0; 2],
        }
    }

    fn steps(&self, state: &SplitState) -> Vec<Step<SplitState>> {
        (0..2)
            .filter_map(|i| self.steps_of(state, i))
            .map(Step::To)
            .collect()
    }

    fn properties(&self, state: &SplitState) -> Vec<(&'static str, bool)> {
        vec![("mutex", state.place != [7, 7])]
    }
}

#[test]
fn version_a() {
    judge("bakery/a", |constants| {
        walk(&Atomic {
            max: constants.get("MAX", 4),
        })
    });
}

#[test]
fn version_b() {
    judge("bakery/b", |constants| {
        walk(&Split {
            max: constants.get("MAX", 4),
            guarded: false,
        })
    });
}

#[test]
fn version_c() {
    judge("bakery/c", |constants| {
        walk(&Split {
            max: constants.get("MAX", 4),
            guarded: true,
        })
    });
}
