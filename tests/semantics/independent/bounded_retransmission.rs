//! The bounded retransmission protocol, whose timers run out only after a loss.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Protocol {
    chunks: usize,
    repetitions: usize,
    /// The sender may say that it does not know whether the last chunk has arrived.
    dont_know: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sender {
    Idle,
    Sending,
    Waiting,
    GivingUp,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Confirmed {
    Pending,
    Ok,
    NotOk,
    DontKnow,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Indicated {
    Nothing,
    First,
    Incomplete,
    Complete,
    Failed,
}

/// The one message that is under way; the parties take turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Message {
    None,
    FrameToLine(Frame),
    FrameToReceiver(Frame),
    AckToLine,
    AckToSender,
    Timeout,
    Expire,
    Settled,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Frame {
    toggle: bool,
    chunk: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    sender: Sender,
    chunk: usize,
    repeated: usize,
    toggle: bool,
    /// The toggle that the receiver waits for; `following`: it has seen one.
    awaited: bool,
    following: bool,
    delivered: usize,
    confirmed: Confirmed,
    indicated: Indicated,
    message: Message,
}

impl Protocol {
    fn acknowledged(&self, state: &State) -> State {
        let next = State {
            toggle: !state.toggle,
            repeated: 0,
            message: Message::None,
            ..state.clone()
        };
        if state.chunk < self.chunks {
            State {
                sender: Sender::Sending,
                chunk: state.chunk + 1,
                ..next
            }
        } else {
            State {
                sender: Sender::Idle,
                confirmed: Confirmed::Ok,
                ..next
            }
        }
    }

    fn timed_out(&self, state: &State) -> State {
        if state.repeated < self.repetitions {
            let repeated = state.repeated + 1;
            return State {
                sender: Sender::Sending,
                repeated,
                message: Message::None,
                ..state.clone()
            };
        }
        let unsure = self.dont_know && state.chunk == self.chunks;
        let confirmed = if unsure {
            Confirmed::DontKnow
        } else {
            Confirmed::NotOk
        };
        State {
            sender: Sender::GivingUp,
            confirmed,
            message: Message::Expire,
            ..state.clone()
        }
    }

    fn received(&self, state: &State, frame: Frame) -> Step<State> {
        let next = State {
            message: Message::AckToLine,
            ..state.clone()
        };
        if state.following && frame.toggle != state.awaited {
            return Step::To(next);
        }
        let before = if frame.chunk == 1 { 0 } else { state.delivered };
        if frame.chunk != before + 1 {
            return Step::Fault("assertion_failure");
        }
        let indicated = match frame.chunk {
            chunk if chunk == self.chunks => Indicated::Complete,
            1 => Indicated::First,
            _ => Indicated::Incomplete,
        };
        let awaited = !frame.toggle;
        Step::To(State {
            following: true,
            delivered: frame.chunk,
            awaited,
            indicated,
            ..next
        })
    }

    fn expired(&self, state: &State) -> State {
        let failed = state.following && state.indicated != Indicated::Complete;
        let indicated = if failed {
            Indicated::Failed
        } else {
            state.indicated
        };
        State {
            following: false,
            indicated,
            message: Message::Settled,
            ..state.clone()
        }
    }
}

impl System for Protocol {
    type State = State;

    fn initial(&self) -> State {
        State {
            sender: Sender::Idle,
            chunk: 1,
            repeated: 0,
            toggle: false,
            awaited: false,
            following: false,
            delivered: 0,
            confirmed: Confirmed::Pending,
            indicated: Indicated::Nothing,
            message: Message::None,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let pass = |message| {
            Step::To(State {
                message,
                ..state.clone()
            })
        };
        match (state.message, state.sender) {
            (Message::None, Sender::Idle) => vec![Step::To(State {
                sender: Sender::Sending,
                confirmed: Confirmed::Pending,
                indicated: Indicated::Nothing,
                chunk: 1,
                repeated: 0,
                ..state.clone()
            })],
            (Message::None, Sender::Sending) => {
                let message = Message::FrameToLine(Frame {
                    toggle: state.toggle,
                    chunk: state.chunk,
                });
                vec![Step::To(State {
                    sender: Sender::Waiting,
                    message,
                    ..state.clone()
                })]
            }
            (Message::FrameToLine(frame), _) => {
                vec![
                    pass(Message::FrameToReceiver(frame)),
                    pass(Message::Timeout),
                ]
            }
            (Message::AckToLine, _) => vec![pass(Message::AckToSender), pass(Message::Timeout)],
            (Message::FrameToReceiver(frame), _) => vec![self.received(state, frame)],
            (Message::AckToSender, _) => vec![Step::To(self.acknowledged(state))],
            (Message::Timeout, _) => vec![Step::To(self.timed_out(state))],
            (Message::Expire, _) => vec![Step::To(self.expired(state))],
            (Message::Settled, _) => {
                vec![Step::To(State {
                    sender: Sender::Idle,
                    message: Message::None,
                    ..state.clone()
                })]
            }
            (Message::None, _) => vec![],
        }
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let told = |confirmed| state.sender == Sender::Idle && state.confirmed == confirmed;
        let complete = state.indicated == Indicated::Complete;
        let unsaid = told(Confirmed::Pending) || told(Confirmed::NotOk);
        vec![
            ("told_ok", !told(Confirmed::Ok) || complete),
            ("told_not_ok", !told(Confirmed::NotOk) || !complete),
            ("told_complete", !(unsaid && complete)),
        ]
    }
}

fn explore(constants: &Constants, dont_know: bool) -> Findings {
    let repetitions = constants.get("MAX", 2);
    walk(&Protocol {
        chunks: constants.get("N", 3),
        repetitions,
        dont_know,
    })
}

#[test]
fn bounded_retransmission() {
    judge(
        "bounded_retransmission/bounded_retransmission",
        |constants| explore(constants, true),
    );
}

#[test]
fn bounded_retransmission_no_dont_know() {
    judge(
        "bounded_retransmission/bounded_retransmission_no_dont_know",
        |constants| explore(constants, false),
    );
}
