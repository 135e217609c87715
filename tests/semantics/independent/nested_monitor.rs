//! A buffer whose monitor is held while its threads wait for a semaphore inside, and its repair.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Buffer {
    producers: usize,
    consumers: usize,
    size: usize,
    /// The semaphore is taken before the lock.
    semaphore_first: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// How many of its five steps a thread has done, producers first.
    done: Vec<u8>,
    locked: bool,
    /// The places that a producer, and the items that a consumer, may still ask for.
    permits: [usize; 2],
    items: usize,
}

enum Action {
    Lock,
    Down,
    Move,
    Up,
    Unlock,
}

const NESTED: [Action; 5] = [
    Action::Lock,
    Action::Down,
    Action::Move,
    Action::Up,
    Action::Unlock,
];
const IN_ORDER: [Action; 5] = [
    Action::Down,
    Action::Lock,
    Action::Move,
    Action::Unlock,
    Action::Up,
];

impl Buffer {
    fn step(&self, state: &State, thread: usize) -> Option<State> {
        let kind = usize::from(thread >= self.producers);
        let program = if self.semaphore_first {
            IN_ORDER
        } else {
            NESTED
        };
        let mut next = state.clone();
        match program[state.done[thread] as usize] {
            Action::Lock if state.locked => return None,
            Action::Lock => next.locked = true,
            Action::Down => next.permits[kind] = state.permits[kind].checked_sub(1)?,
            Action::Move if kind == 0 => next.items += 1,
            Action::Move => next.items -= 1,
            Action::Up => next.permits[1 - kind] += 1,
            Action::Unlock => next.locked = false,
        }
        assert!(next.items <= self.size);
        next.done[thread] = (state.done[thread] + 1) % 5;
        Some(next)
    }
}

impl System for Buffer {
    type State = State;

    fn initial(&self) -> State {
        let done = vec![0; self.producers + self.consumers];
        State {
            done,
            locked: false,
            permits: [self.size, 0],
            items: 0,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..state.done.len())
            .filter_map(|thread| self.step(state, thread))
            .map(Step::To)
            .collect()
    }
}

fn explore(constants: &Constants, semaphore_first: bool) -> Findings {
    let producers = constants.get("PRODUCERS", 1);
    let consumers = constants.get("CONSUMERS", 1);
    walk(&Buffer {
        producers,
        consumers,
        size: constants.get("SIZE", 2),
        semaphore_first,
    })
}

#[test]
fn nested() {
    judge("nested_monitor/nested", |constants| {
        explore(constants, false)
    });
}

#[test]
fn semaphore_first() {
    judge("nested_monitor/semaphore_first", |constants| {
        explore(constants, true)
    });
}
