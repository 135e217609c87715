//! Two-phase commit with a coordinator and any number of participants.

use std::collections::VecDeque;

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Protocol {
    participants: usize,
    /// A participant may abort after it has voted yes.
    impatient: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Coordinator {
    Start,
    Collecting,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Participant {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    Prepare,
    Commit,
    Abort,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    coordinator: Coordinator,
    agreed: Vec<bool>,
    votes: VecDeque<(usize, bool)>,
    participants: Vec<(Participant, VecDeque<Order>)>,
}

impl State {
    fn broadcast(&self, coordinator: Coordinator, order: Order) -> State {
        let mut next = State {
            coordinator,
            ..self.clone()
        };
        next.participants
            .iter_mut()
            .for_each(|(_, inbox)| inbox.push_back(order));
        next
    }

    fn with(&self, participant: usize, phase: Participant) -> State {
        let mut next = self.clone();
        next.participants[participant].0 = phase;
        next
    }
}

/// A step to a state whose inboxes are not too full.
fn to(state: State) -> Step<State> {
    let overflow = state.votes.len() > state.participants.len()
        || state.participants.iter().any(|(_, inbox)| inbox.len() > 2);
    if overflow {
        Step::Fault("overflow")
    } else {
        Step::To(state)
    }
}

impl Protocol {
    fn coordinator(&self, state: &State, steps: &mut Vec<Step<State>>) {
        let mut taken = state.clone();
        let vote = taken.votes.pop_front();
        match state.coordinator {
            Coordinator::Start => {
                steps.push(to(state.broadcast(Coordinator::Collecting, Order::Prepare)))
            }
            Coordinator::Collecting => {
                steps.push(to(state.broadcast(Coordinator::Aborted, Order::Abort)));
                let Some((who, yes)) = vote else { return };
                if !yes {
                    return steps.push(to(taken.broadcast(Coordinator::Aborted, Order::Abort)));
                }
                taken.agreed[who] = true;
                let all = taken.agreed.iter().all(|&agreed| agreed);
                steps.push(to(if all {
                    taken.broadcast(Coordinator::Committed, Order::Commit)
                } else {
                    taken
                }));
            }
            Coordinator::Aborted if vote.is_some() => steps.push(to(taken)),
            Coordinator::Committed if vote.is_some() => {
                steps.push(Step::Flawed("implicit_consumption", taken))
            }
            _ => {}
        }
    }

    fn participant(&self, state: &State, who: usize, steps: &mut Vec<Step<State>>) {
        let phase = state.participants[who].0;
        if phase == Participant::Working || self.impatient && phase == Participant::Prepared {
            steps.push(to(state.with(who, Participant::Aborted)));
        }
        let mut taken = state.clone();
        let Some(order) = taken.participants[who].1.pop_front() else {
            return;
        };
        let mut voted = taken.clone();
        match (phase, order) {
            (Participant::Working, Order::Prepare) => {
                voted.votes.push_back((who, true));
                steps.push(to(voted.with(who, Participant::Prepared)));
            }
            (Participant::Aborted, Order::Prepare) => {
                voted.votes.push_back((who, false));
                steps.push(to(voted));
            }
            (Participant::Prepared, Order::Commit) => {
                steps.push(to(taken.with(who, Participant::Committed)))
            }
            (Participant::Prepared, Order::Abort) => {
                steps.push(to(taken.with(who, Participant::Aborted)))
            }
            (Participant::Aborted, Order::Abort) => steps.push(to(taken)),
            (Participant::Aborted, Order::Commit) if self.impatient => steps.push(to(taken)),
            // It can still abort, so the order stays where it is.
            (Participant::Working, _) => {}
            (Participant::Prepared, _) if self.impatient => {}
            _ => steps.push(Step::Flawed("implicit_consumption", taken)),
        }
    }
}

impl System for Protocol {
    type State = State;

    fn initial(&self) -> State {
        State {
            coordinator: Coordinator::Start,
            agreed: vec![false; self.participants],
            votes: VecDeque::new(),
            participants: vec![(Participant::Working, VecDeque::new()); self.participants],
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps = Vec::new();
        self.coordinator(state, &mut steps);
        for who in 0..self.participants {
            self.participant(state, who, &mut steps);
        }
        steps
    }

    fn may_rest(&self, state: &State) -> bool {
        let decided = |phase| matches!(phase, Participant::Committed | Participant::Aborted);
        matches!(
            state.coordinator,
            Coordinator::Committed | Coordinator::Aborted
        ) && state.participants.iter().all(|&(phase, _)| decided(phase))
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let some = |wanted| state.participants.iter().any(|&(phase, _)| phase == wanted);
        let free = some(Participant::Working) || some(Participant::Aborted);
        vec![
            (
                "agreement",
                !(some(Participant::Committed) && some(Participant::Aborted)),
            ),
            (
                "unanimous",
                state.coordinator != Coordinator::Committed || !free,
            ),
        ]
    }
}

fn explore(constants: &Constants, impatient: bool) -> Findings {
    walk(&Protocol {
        participants: constants.get("N", 3),
        impatient,
    })
}

#[test]
fn two_phase_commit() {
    judge("two_phase_commit/two_phase_commit", |constants| {
        explore(constants, false)
    });
}

#[test]
fn two_phase_commit_impatient() {
    judge("two_phase_commit/two_phase_commit_impatient", |constants| {
        explore(constants, true)
    });
}
