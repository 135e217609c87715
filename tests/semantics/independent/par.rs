//! Positive acknowledgement with retransmission, in discrete time.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Protocol {
    frame_delay: usize,
    ack_delay: usize,
    timeout: usize,
    values: usize,
}

type Frame = (bool, usize);

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct State {
    number: bool,
    value: usize,
    /// While the sender waits.
    timer: Option<usize>,
    awaited: bool,
    expected: usize,
    /// On the lines, with the time that is left. The line keeps what it carried last.
    frame: Option<usize>,
    last_frame: Frame,
    ack: Option<usize>,
    /// Sent, and not taken yet: in front of a line and behind it.
    frames_sent: Vec<Frame>,
    frames_arrived: Vec<Frame>,
    acks_sent: usize,
    acks_arrived: usize,
}

/// A step that ends with these messages sent and not taken yet.
fn to(state: State) -> Step<State> {
    let waiting = [
        state.frames_sent.len(),
        state.frames_arrived.len(),
        state.acks_sent,
        state.acks_arrived,
    ];
    if waiting.iter().any(|&messages| messages > 2) {
        return Step::Fault("overflow");
    }
    if waiting.iter().sum::<usize>() > 4 {
        Step::Fault("arithmetic_fault")
    } else {
        Step::To(state)
    }
}

impl Protocol {
    fn tick(state: &State) -> Option<State> {
        let frames_under_way = state.frames_sent.len() + state.frames_arrived.len();
        let clocks = [state.timer, state.frame, state.ack];
        if frames_under_way + state.acks_sent + state.acks_arrived > 0 || clocks.contains(&Some(0))
        {
            return None;
        }
        let [timer, frame, ack] = clocks.map(|left| left.map(|left| left - 1));
        Some(State {
            timer,
            frame,
            ack,
            ..state.clone()
        })
    }

    fn sender(&self, state: &State, steps: &mut Vec<Step<State>>) {
        let mut next = state.clone();
        if state.timer.is_none() {
            next.frames_sent.push((state.number, state.value));
            next.timer = Some(self.timeout);
            return steps.push(to(next));
        }
        next.timer = None;
        if state.timer == Some(0) {
            steps.push(to(next.clone()));
        }
        if state.acks_arrived > 0 {
            next.acks_arrived -= 1;
            next.number = !state.number;
            next.value = (state.value + 1) % self.values;
            steps.push(to(next));
        }
    }

    fn frame_line(&self, state: &State, steps: &mut Vec<Step<State>>) {
        if let Some(&frame) = state.frames_sent.first() {
            let mut next = state.clone();
            next.frames_sent.remove(0);
            if state.frame.is_none() {
                next.frame = Some(self.frame_delay);
                next.last_frame = frame;
            }
            steps.push(to(next));
        }
        if state.frame.is_some() {
            steps.push(to(State {
                frame: None,
                ..state.clone()
            }));
        }
        if state.frame == Some(0) {
            let mut next = State {
                frame: None,
                ..state.clone()
            };
            next.frames_arrived.push(state.last_frame);
            steps.push(to(next));
        }
    }

    fn ack_line(&self, state: &State, steps: &mut Vec<Step<State>>) {
        if state.acks_sent > 0 {
            let ack = state.ack.or(Some(self.ack_delay));
            steps.push(to(State {
                acks_sent: state.acks_sent - 1,
                ack,
                ..state.clone()
            }));
        }
        if state.ack.is_some() {
            steps.push(to(State {
                ack: None,
                ..state.clone()
            }));
        }
        if state.ack == Some(0) {
            let acks_arrived = state.acks_arrived + 1;
            steps.push(to(State {
                ack: None,
                acks_arrived,
                ..state.clone()
            }));
        }
    }

    fn receiver(&self, state: &State, steps: &mut Vec<Step<State>>) {
        let Some(&(number, value)) = state.frames_arrived.first() else {
            return;
        };
        let mut next = State {
            acks_sent: state.acks_sent + 1,
            ..state.clone()
        };
        next.frames_arrived.remove(0);
        if number == state.awaited {
            if value != state.expected {
                return steps.push(Step::Fault("assertion_failure"));
            }
            next.expected = (value + 1) % self.values;
            next.awaited = !number;
        }
        steps.push(to(next));
    }
}

impl System for Protocol {
    type State = State;

    fn initial(&self) -> State {
        State::default()
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps: Vec<_> = Self::tick(state).map(Step::To).into_iter().collect();
        self.sender(state, &mut steps);
        self.frame_line(state, &mut steps);
        self.ack_line(state, &mut steps);
        self.receiver(state, &mut steps);
        steps
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let behind = (state.expected + self.values - 1) % self.values;
        vec![
            (
                "one_at_a_time",
                state.frame.is_none() || state.ack.is_none(),
            ),
            (
                "no_gap",
                state.value == state.expected || state.value == behind,
            ),
        ]
    }
}

fn explore(constants: &Constants, timeout: usize) -> Findings {
    walk(&Protocol {
        frame_delay: constants.get("FRAME_DELAY", 2),
        ack_delay: constants.get("ACK_DELAY", 2),
        timeout: constants.get("TIMEOUT", timeout),
        values: constants.get("VALUES", 3),
    })
}

#[test]
fn par() {
    judge("par/par", |constants| explore(constants, 5));
}

#[test]
fn par_short_timer() {
    judge("par/par_short_timer", |constants| explore(constants, 3));
}
