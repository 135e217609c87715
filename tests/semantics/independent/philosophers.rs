//! Dining philosophers who take and put down one fork at a time.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Table {
    philosophers: usize,
    /// The last philosopher takes the forks in the other order.
    asymmetric: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Thinking,
    Waiting,
    Eating,
    Leaving,
}

/// Where every philosopher is, and which forks are taken.
type State = (Vec<Place>, Vec<bool>);

impl Table {
    /// The forks of philosopher `i`, in the order in which they are taken.
    fn forks(&self, i: usize) -> (usize, usize) {
        let (left, right) = (i, (i + 1) % self.philosophers);
        if self.asymmetric && right == 0 {
            (right, left)
        } else {
            (left, right)
        }
    }

    fn step(&self, (places, taken): &State, i: usize) -> Option<State> {
        let (first, second) = self.forks(i);
        let (next, fork, take) = match places[i] {
            Place::Thinking => (Place::Waiting, first, true),
            Place::Waiting => (Place::Eating, second, true),
            Place::Eating => (Place::Leaving, first, false),
            Place::Leaving => (Place::Thinking, second, false),
        };
        if take && taken[fork] {
            return None;
        }
        let (mut places, mut taken) = (places.clone(), taken.clone());
        places[i] = next;
        taken[fork] = take;
        Some((places, taken))
    }
}

impl System for Table {
    type State = State;

    fn initial(&self) -> State {
        (
            vec![Place::Thinking; self.philosophers],
            vec![false; self.philosophers],
        )
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..self.philosophers)
            .filter_map(|i| self.step(state, i))
            .map(Step::To)
            .collect()
    }

    fn properties(&self, (places, _): &State) -> Vec<(&'static str, bool)> {
        let eats = |i: usize| places[i % self.philosophers] == Place::Eating;
        vec![(
            "no_shared_fork",
            !(0..self.philosophers).any(|i| eats(i) && eats(i + 1)),
        )]
    }
}

/// Both by hand. The transfer matrix round the table has the eigenvalues 3 and 0, which makes 3^N states, in two
/// thirds of which a given philosopher has a step. If all take the left fork first, the one in which everybody
/// holds just the right one is not reached; all N have a step there.
fn by_hand(philosophers: usize, asymmetric: bool) -> (usize, usize) {
    let third = 3usize.pow(philosophers as u32 - 1);
    let unreached = usize::from(!asymmetric);
    (
        3 * third - unreached,
        philosophers * (2 * third - unreached),
    )
}

fn explore(constants: &Constants, asymmetric: bool) -> Findings {
    let philosophers = constants.get("N", 3);
    let findings = walk(&Table {
        philosophers,
        asymmetric,
    });
    assert_eq!(
        (findings.states, findings.transitions),
        by_hand(philosophers, asymmetric)
    );
    findings
}

#[test]
fn left_fork_first() {
    judge("philosophers/deadlocking", |constants| {
        explore(constants, false)
    });
}

#[test]
fn one_takes_the_other_fork_first() {
    judge("philosophers/asymmetric", |constants| {
        explore(constants, true)
    });
}
