//! Producers and consumers on a monitor with one set of waiters.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Buffer {
    producers: usize,
    consumers: usize,
    size: usize,
    /// A change wakes all waiters, not just any one.
    notify_all: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    items: usize,
    /// Whether a thread stands in the monitor's `wait`, producers first.
    inside_wait: Vec<bool>,
    /// Whether it has not been notified yet.
    asleep: Vec<bool>,
}

impl Buffer {
    fn blocked(&self, items: usize, thread: usize) -> bool {
        items
            == if thread < self.producers {
                self.size
            } else {
                0
            }
    }

    /// What may come of a call that changes the number of items.
    fn change(&self, state: &State, thread: usize) -> Vec<State> {
        let mut changed = state.clone();
        if thread < self.producers {
            changed.items += 1;
        } else {
            changed.items -= 1;
        }
        let sleepers: Vec<usize> = (0..state.asleep.len())
            .filter(|&t| state.asleep[t])
            .collect();
        if self.notify_all || sleepers.is_empty() {
            changed.asleep.fill(false);
            return vec![changed];
        }
        let wake = |&sleeper: &usize| {
            let mut woken = changed.clone();
            woken.asleep[sleeper] = false;
            woken
        };
        sleepers.iter().map(wake).collect()
    }

    fn steps_of(&self, state: &State, thread: usize) -> Vec<State> {
        let mut next = state.clone();
        if state.inside_wait[thread] {
            next.inside_wait[thread] = false;
            return if state.asleep[thread] {
                Vec::new()
            } else {
                vec![next]
            };
        }
        if self.blocked(state.items, thread) {
            next.inside_wait[thread] = true;
            next.asleep[thread] = true;
            return vec![next];
        }
        self.change(state, thread)
    }
}

impl System for Buffer {
    type State = State;

    fn initial(&self) -> State {
        let threads = self.producers + self.consumers;
        State {
            items: 0,
            inside_wait: vec![false; threads],
            asleep: vec![false; threads],
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..state.asleep.len())
            .flat_map(|thread| self.steps_of(state, thread))
            .map(Step::To)
            .collect()
    }
}

fn explore(constants: &Constants, notify_all: bool) -> Findings {
    let producers = constants.get("PRODUCERS", 2);
    let consumers = constants.get("CONSUMERS", 2);
    walk(&Buffer {
        producers,
        consumers,
        size: constants.get("SIZE", 1),
        notify_all,
    })
}

#[test]
fn notify_wakes_one() {
    judge("bounded_buffer/notify", |constants| {
        explore(constants, false)
    });
}

#[test]
fn notify_wakes_all() {
    judge("bounded_buffer/notify_all", |constants| {
        explore(constants, true)
    });
}
