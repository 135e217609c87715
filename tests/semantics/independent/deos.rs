//! A kernel that schedules three threads by their budgets, a clock, and threads that make system calls.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

const MAIN: usize = 0;
const CHILD: usize = 1;
const THREADS: usize = 3;

struct Kernel {
    period: usize,
    budget: [usize; THREADS],
    /// What the main thread gives to its child.
    moved: usize,
    /// The main thread gets the child's whole budget back at once, whatever the child has used of it.
    refunds_all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    Dispatch,
    User,
    Interrupt,
    Service(Call),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Call {
    Yield,
    Create,
    Delete,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    phase: Phase,
    /// The thread that runs; `THREADS` if none does.
    running: usize,
    elapsed: usize,
    budget: [usize; THREADS],
    left: [usize; THREADS],
}

impl Kernel {
    fn dispatch(&self, state: &State) -> Step<State> {
        if state
            .left
            .iter()
            .any(|&left| left > self.period - state.elapsed)
        {
            return Step::Fault("assertion_failure");
        }
        let running = (0..THREADS)
            .find(|&thread| state.left[thread] > 0)
            .unwrap_or(THREADS);
        Step::To(State {
            phase: Phase::User,
            running,
            ..*state
        })
    }

    fn tick(&self, state: &State) -> State {
        let mut next = State {
            phase: Phase::Dispatch,
            elapsed: state.elapsed + 1,
            ..*state
        };
        if state.running < THREADS {
            next.left[state.running] -= 1;
        }
        if next.elapsed == self.period {
            next.elapsed = 0;
            next.left = next.budget;
        }
        next
    }

    fn serve(&self, state: &State, call: Call) -> State {
        let mut next = State {
            phase: Phase::Dispatch,
            ..*state
        };
        match (call, state.running) {
            (Call::Yield, thread) => next.left[thread] = 0,
            (Call::Create, MAIN) if state.budget[CHILD] == 0 && state.left[MAIN] >= self.moved => {
                for time in [&mut next.budget, &mut next.left] {
                    time[MAIN] -= self.moved;
                    time[CHILD] = self.moved;
                }
            }
            (Call::Delete, CHILD) => {
                next.budget[MAIN] += self.moved;
                next.left[MAIN] += if self.refunds_all {
                    self.moved
                } else {
                    state.left[CHILD]
                };
                next.budget[CHILD] = 0;
                next.left[CHILD] = 0;
            }
            _ => {}
        }
        next
    }
}

impl System for Kernel {
    type State = State;

    fn initial(&self) -> State {
        let Kernel { budget, .. } = *self;
        State {
            phase: Phase::Dispatch,
            running: THREADS,
            elapsed: 0,
            budget,
            left: budget,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        match state.phase {
            Phase::Dispatch => vec![self.dispatch(state)],
            Phase::Interrupt => vec![Step::To(self.tick(state))],
            Phase::Service(call) => vec![Step::To(self.serve(state, call))],
            Phase::User => {
                let calls = [Call::Yield, Call::Create, Call::Delete].map(Phase::Service);
                let calls = if state.running < THREADS {
                    &calls[..]
                } else {
                    &[]
                };
                let phases = [Phase::Interrupt].into_iter().chain(calls.iter().copied());
                phases
                    .map(|phase| Step::To(State { phase, ..*state }))
                    .collect()
            }
        }
    }
}

fn explore(constants: &Constants, refunds_all: bool) -> Findings {
    let budget = [
        constants.get("MAIN_BUDGET", 3),
        0,
        constants.get("OTHER_BUDGET", 2),
    ];
    let moved = constants.get("MOVED", 2);
    walk(&Kernel {
        period: constants.get("PERIOD", 5),
        budget,
        moved,
        refunds_all,
    })
}

#[test]
fn refunds_all() {
    judge("deos/refund_all", |constants| explore(constants, true));
}

#[test]
fn refunds_what_is_left() {
    judge("deos/refund_left", |constants| explore(constants, false));
}
