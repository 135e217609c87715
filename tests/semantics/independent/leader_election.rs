//! Chang and Roberts' election on a ring.

use std::collections::VecDeque;

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Ring {
    ids: Vec<usize>,
    /// Only the number of leaders is a property, as where two nodes share a number.
    twins: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    Asleep,
    Candidate,
    Relay,
    Leader,
    Done,
}
use Phase::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Message {
    Candidacy(usize),
    Elected(usize),
}
use Message::*;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    phase: Phase,
    leader: usize,
    inbox: VecDeque<Message>,
}

type State = Vec<Node>;

/// What a node does with a message: its next phase, whom it takes for the leader, what it sends on.
type Reaction = (Phase, Option<usize>, Option<Message>);

fn reaction(id: usize, phase: Phase, message: Message) -> Result<Reaction, &'static str> {
    Ok(match (phase, message) {
        (Asleep, Candidacy(n)) if n < id => (Candidate, None, Some(Candidacy(id))),
        (Candidate | Relay, Candidacy(n)) if n < id => (phase, None, None),
        (Asleep | Candidate | Relay, Candidacy(n)) if n > id => (Relay, None, Some(message)),
        (Candidate, Candidacy(n)) if n == id => (Leader, Some(id), Some(Elected(id))),
        (Relay, Elected(n)) => (Done, Some(n), Some(message)),
        (Leader, Elected(n)) if n == id => (Done, None, None),
        (Leader, Elected(_)) => return Err("assertion_failure"),
        _ => return Err("implicit_consumption"),
    })
}

impl Ring {
    fn react(&self, state: &State, node: usize, reaction: Reaction) -> Step<State> {
        let mut next = state.clone();
        let (phase, leader, sent) = reaction;
        next[node].phase = phase;
        next[node].leader = leader.unwrap_or(state[node].leader);
        let neighbour = &mut next[(node + 1) % self.ids.len()];
        neighbour.inbox.extend(sent);
        if neighbour.inbox.len() > self.ids.len() {
            Step::Fault("overflow")
        } else {
            Step::To(next)
        }
    }

    fn take(&self, state: &State, node: usize) -> Option<Step<State>> {
        let mut taken = state.clone();
        let message = taken[node].inbox.pop_front()?;
        let phase = state[node].phase;
        match reaction(self.ids[node], phase, message) {
            Ok(reaction) => Some(self.react(&taken, node, reaction)),
            // Awake or not, a node that can do something else leaves the message alone.
            Err("implicit_consumption") if phase == Asleep => None,
            Err("implicit_consumption") => Some(Step::Flawed("implicit_consumption", taken)),
            Err(fault) => Some(Step::Fault(fault)),
        }
    }
}

impl System for Ring {
    type State = State;

    fn initial(&self) -> State {
        vec![
            Node {
                phase: Asleep,
                leader: 0,
                inbox: VecDeque::new()
            };
            self.ids.len()
        ]
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps = Vec::new();
        for node in 0..self.ids.len() {
            if state[node].phase == Asleep {
                let candidacy = Some(Candidacy(self.ids[node]));
                steps.push(self.react(state, node, (Candidate, None, candidacy)));
            }
            steps.extend(self.take(state, node));
        }
        steps
    }

    fn may_rest(&self, state: &State) -> bool {
        state.iter().all(|node| node.phase == Done)
    }

    fn properties(&self, state: &State) -> Vec<(&'static str, bool)> {
        let leaders = state.iter().filter(|node| node.phase == Leader).count();
        let mut properties = vec![("one_leader", leaders <= 1)];
        if !self.twins {
            let highest = self.ids.len();
            let mut nodes = state.iter().zip(&self.ids);
            let led = nodes.all(|(node, &id)| node.phase != Leader || id == highest);
            let agreed = state
                .iter()
                .all(|node| node.phase != Done || node.leader == highest);
            properties.extend([("the_highest", led), ("all_agree", agreed)]);
        }
        properties
    }
}

fn ring(constants: &Constants) -> Findings {
    let (n, stride) = (constants.get("N", 4), constants.get("STRIDE", 1));
    walk(&Ring {
        ids: (0..n).map(|index| index * stride % n + 1).collect(),
        twins: false,
    })
}

fn ring_of_twins(constants: &Constants) -> Findings {
    let ids = (0..constants.get("N", 4)).map(|index| index / 2 + 1);
    walk(&Ring {
        ids: ids.collect(),
        twins: true,
    })
}

#[test]
fn leader_election() {
    judge("leader_election/leader_election", ring);
}

#[test]
fn leader_election_twins() {
    judge("leader_election/leader_election_twins", ring_of_twins);
}
