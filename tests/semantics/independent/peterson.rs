//! Peterson's mutual exclusion for two processes, and its generalisation to N, the filter.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

struct Two {
    /// A process gives way before it says that it wants to enter.
    swapped: bool,
}

/// Where the two processes are (0 idle, 1 asking, 2 waiting, 3 critical), what they want, whose turn it is.
type TwoState = ([u8; 2], [bool; 2], usize);

impl System for Two {
    type State = TwoState;

    fn initial(&self) -> TwoState {
        ([0; 2], [false; 2], 0)
    }

    fn steps(&self, &(place, wants, turn): &TwoState) -> Vec<Step<TwoState>> {
        let mut steps = Vec::new();
        for me in 0..2 {
            let (mut place, mut wants, mut turn) = (place, wants, turn);
            match place[me] {
                0 | 1 if (place[me] == 0) != self.swapped => wants[me] = true,
                0 | 1 => turn = 1 - me,
                2 if wants[1 - me] && turn != me => continue,
                2 => {}
                _ => wants[me] = false,
            }
            place[me] = (place[me] + 1) % 4;
            steps.push(Step::To((place, wants, turn)));
        }
        steps
    }

    fn properties(&self, (place, ..): &TwoState) -> Vec<(&'static str, bool)> {
        vec![("mutex", *place != [3, 3])]
    }
}

struct Filter {
    processes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Idle,
    Entering,
    Waiting,
    Critical,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct FilterState {
    place: Vec<Place>,
    /// 0 outside, else the level that the process has come to.
    level: Vec<usize>,
    /// Who came last to a level.
    last: Vec<usize>,
}

impl Filter {
    fn may_climb(&self, state: &FilterState, me: usize) -> bool {
        let mine = state.level[me];
        state.last[mine] != me
            || (0..self.processes).all(|other| other == me || state.level[other] < mine)
    }

    fn step(&self, state: &FilterState, me: usize) -> Option<FilterState> {
        let mut next = state.clone();
        next.place[me] = match state.place[me] {
            Place::Idle => {
                next.level[me] = 1;
                Place::Entering
            }
            Place::Entering => {
                next.last[state.level[me]] = me;
                Place::Waiting
            }
            Place::Waiting if !self.may_climb(state, me) => return None,
            Place::Waiting if state.level[me] == self.processes - 1 => Place::Critical,
            Place::Waiting => {
                next.level[me] += 1;
                Place::Entering
            }
            Place::Critical => {
                next.level[me] = 0;
                Place::Idle
            }
        };
        Some(next)
    }
}

impl System for Filter {
    type State = FilterState;

    fn initial(&self) -> FilterState {
        let n = self.processes;
        FilterState {
            place: vec![Place::Idle; n],
            level: vec![0; n],
            last: vec![0; n],
        }
    }

    fn steps(&self, state: &FilterState) -> Vec<Step<FilterState>> {
        (0..self.processes)
            .filter_map(|me| self.step(state, me))
            .map(Step::To)
            .collect()
    }

    fn properties(&self, state: &FilterState) -> Vec<(&'static str, bool)> {
        let critical = state
            .place
            .iter()
            .filter(|&&place| place == Place::Critical)
            .count();
        vec![("mutex", critical <= 1)]
    }
}

#[test]
fn two_processes() {
    judge("peterson/two", |_| walk(&Two { swapped: false }));
}

#[test]
fn turn_before_flag() {
    judge("peterson/swapped", |_| walk(&Two { swapped: true }));
}

#[test]
fn filter() {
    judge("peterson/filter", |constants| {
        walk(&Filter {
            processes: constants.get("N", 3),
        })
    });
}
