//! The alternating bit protocol between two lossy lines.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Protocol {
    values: usize,
    capacity: usize,
    /// The sender takes every acknowledgement for the one it waits for.
    any_ack: bool,
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct State {
    waiting: bool,
    bit: bool,
    value: usize,
    expected_bit: bool,
    expected: usize,
    /// In front of the lines.
    data: Vec<(bool, usize)>,
    acks: Vec<bool>,
    /// Behind them, one message each.
    data_arrived: Option<(bool, usize)>,
    ack_arrived: Option<bool>,
}

impl Protocol {
    fn sender(&self, state: &State, steps: &mut Vec<Step<State>>) {
        if !state.waiting {
            let mut next = State {
                waiting: true,
                ..state.clone()
            };
            if next.data.len() < self.capacity {
                next.data.push((state.bit, state.value));
            }
            return steps.push(Step::To(next));
        }
        steps.push(Step::To(State {
            waiting: false,
            ..state.clone()
        }));
        if let Some(bit) = state.ack_arrived {
            let mut next = State {
                ack_arrived: None,
                ..state.clone()
            };
            if self.any_ack || bit == state.bit {
                next.waiting = false;
                next.bit = !state.bit;
                next.value = (state.value + 1) % self.values;
            }
            steps.push(Step::To(next));
        }
    }

    fn receiver(&self, state: &State, steps: &mut Vec<Step<State>>) {
        let Some((bit, value)) = state.data_arrived else {
            return;
        };
        let mut next = State {
            data_arrived: None,
            ..state.clone()
        };
        if bit == state.expected_bit {
            if value != state.expected {
                return steps.push(Step::Fault("assertion_failure"));
            }
            next.expected = (state.expected + 1) % self.values;
            next.expected_bit = !bit;
        }
        if next.acks.len() < self.capacity {
            next.acks.push(bit);
        }
        steps.push(Step::To(next));
    }
}

/// The first message of a line is lost, or arrives if there is room.
fn lines(state: &State, steps: &mut Vec<Step<State>>) {
    if let Some(&frame) = state.data.first() {
        let mut lost = state.clone();
        lost.data.remove(0);
        if state.data_arrived.is_none() {
            steps.push(Step::To(State {
                data_arrived: Some(frame),
                ..lost.clone()
            }));
        }
        steps.push(Step::To(lost));
    }
    if let Some(&ack) = state.acks.first() {
        let mut lost = state.clone();
        lost.acks.remove(0);
        if state.ack_arrived.is_none() {
            steps.push(Step::To(State {
                ack_arrived: Some(ack),
                ..lost.clone()
            }));
        }
        steps.push(Step::To(lost));
    }
}

impl System for Protocol {
    type State = State;

    fn initial(&self) -> State {
        State::default()
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps = Vec::new();
        self.sender(state, &mut steps);
        lines(state, &mut steps);
        self.receiver(state, &mut steps);
        steps
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let behind = (state.expected + self.values - 1) % self.values;
        vec![(
            "no_gap",
            state.value == state.expected || state.value == behind,
        )]
    }
}

fn explore(constants: &Constants, any_ack: bool) -> Findings {
    let values = constants.get("VALUES", 3);
    walk(&Protocol {
        values,
        capacity: constants.get("CAPACITY", 1),
        any_ack,
    })
}

#[test]
fn alternating_bit() {
    judge("alternating_bit/alternating_bit", |constants| {
        explore(constants, false)
    });
}

#[test]
fn alternating_bit_any_ack() {
    judge("alternating_bit/alternating_bit_any_ack", |constants| {
        explore(constants, true)
    });
}
