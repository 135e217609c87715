//! A control and its motor; with a control that can be hurried, or without.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Control {
    Idle,
    Busy,
    Hurried,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    control: Control,
    is_on: bool,
    /// Waiting for the motor, and for the control: each gets one kind of message only.
    starts: u8,
    dones: u8,
}

struct Pump {
    can_be_hurried: bool,
}

const CAPACITY: u8 = 4;

fn start(state: &State, control: Control) -> Step<State> {
    if state.starts == CAPACITY {
        return Step::Fault("overflow");
    }
    let starts = state.starts + 1;
    Step::To(State {
        control,
        starts,
        ..state.clone()
    })
}

impl System for Pump {
    type State = State;

    fn initial(&self) -> State {
        State {
            control: Control::Idle,
            is_on: false,
            starts: 0,
            dones: 0,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps = vec![match state.control {
            Control::Idle => start(state, Control::Busy),
            Control::Busy if self.can_be_hurried => start(state, Control::Hurried),
            _ => Step::To(state.clone()),
        }];
        if state.dones > 0 {
            let dones = state.dones - 1;
            let taken = State {
                control: Control::Idle,
                dones,
                ..state.clone()
            };
            steps.push(match state.control {
                Control::Idle => Step::Flawed("implicit_consumption", taken),
                _ => Step::To(taken),
            });
        }
        if state.is_on && state.dones == CAPACITY {
            steps.push(Step::Fault("overflow"));
        } else if state.is_on {
            steps.push(Step::To(State {
                is_on: false,
                dones: state.dones + 1,
                ..state.clone()
            }));
        } else if state.starts > 0 {
            steps.push(Step::To(State {
                is_on: true,
                starts: state.starts - 1,
                ..state.clone()
            }));
        }
        steps
    }

    fn can_go_on(&self, _: &State, _: &[Step<State>]) -> bool {
        true // the button can always be pushed, and the control is never deaf to it for good
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let at_rest = state.control != Control::Idle || !state.is_on;
        let name = if self.can_be_hurried {
            "rests_when_off"
        } else {
            "one_at_a_time"
        };
        vec![(name, at_rest)]
    }
}

#[test]
fn pump() {
    judge("pump/pump", |_| {
        walk(&Pump {
            can_be_hurried: false,
        })
    });
}

#[test]
fn impatient_pump() {
    judge("pump/impatient", |_| {
        walk(&Pump {
            can_be_hurried: true,
        })
    });
}
