//! The two fragments of code with which Pasareanu, Dwyer and Visser explain spurious errors.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

/// A loop that asserts `!done`, beside a thread that sets it.
struct Loop {
    rounds: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Test,
    Body,
    Increment,
    End,
}

/// Where the loop is, its counter, and whether the other thread has set `done` (and so ended).
type LoopState = (Place, usize, bool);

impl System for Loop {
    type State = LoopState;

    fn initial(&self) -> LoopState {
        (Place::Test, 0, false)
    }

    fn steps(&self, &(place, i, done): &LoopState) -> Vec<Step<LoopState>> {
        let mut steps = Vec::new();
        match place {
            Place::Test if i < self.rounds => steps.push(Step::To((Place::Body, i, done))),
            Place::Test => steps.push(Step::To((Place::End, i, done))),
            Place::Body if done => steps.push(Step::Fault("assertion_failure")),
            Place::Body => steps.push(Step::To((Place::Increment, i, done))),
            Place::Increment => steps.push(Step::To((Place::Test, i + 1, done))),
            Place::End => {}
        }
        if !done {
            steps.push(Step::To((place, i, true)));
        }
        steps
    }

    fn may_rest(&self, &(place, _, done): &LoopState) -> bool {
        place == Place::End && done
    }
}

/// `x = 1; y = x + 1; assert x < y`.
struct Straight;

impl System for Straight {
    type State = (u8, i32, i32);

    fn initial(&self) -> Self::State {
        (1, 0, 0)
    }

    fn steps(&self, &(place, x, y): &Self::State) -> Vec<Step<Self::State>> {
        match place {
            1 => vec![Step::To((2, 1, y))],
            2 => vec![Step::To((3, x, x + 1))],
            3 if x < y => vec![Step::To((4, x, y))],
            3 => vec![Step::Fault("assertion_failure")],
            _ => Vec::new(),
        }
    }

    fn may_rest(&self, state: &Self::State) -> bool {
        state.0 == 4
    }
}

#[test]
fn loop_beside_a_thread() {
    judge("pasareanu/loop", |constants| {
        walk(&Loop {
            rounds: constants.get("ROUNDS", 2),
        })
    });
}

#[test]
fn straight_line() {
    judge("pasareanu/straight", |_| walk(&Straight));
}
