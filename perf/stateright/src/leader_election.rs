//! `models/leader_election/leader_election.csm`, step for step.

use stateright::{Model, Property};

use crate::inbox::Inbox;

pub struct LeaderElection<const N: usize> {
    /// How the numbers lie on the ring; prime to N.
    pub stride: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Asleep,
    Candidate,
    Relay,
    Leader,
    Done,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Message {
    #[default]
    Nothing,
    Candidacy(u8),
    Elected(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node<const N: usize> {
    phase: Phase,
    /// 0: not known yet.
    leader: u8,
    inbox: Inbox<Message, N>,
}

pub type State<const N: usize> = [Node<N>; N];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A node wakes up by itself.
    Wake(usize),
    /// A node takes a message.
    Take(usize),
}

impl<const N: usize> LeaderElection<N> {
    fn id(&self, node: usize) -> u8 {
        (node * self.stride % N + 1) as u8
    }

    /// The node enters a phase and tells the next one.
    fn tell(&self, state: &mut State<N>, node: usize, phase: Phase, message: Message) {
        state[node].phase = phase;
        state[(node + 1) % N].inbox.put(message);
    }

    fn candidacy(&self, state: &mut State<N>, node: usize, number: u8) {
        let id = self.id(node);
        if number > id {
            self.tell(state, node, Phase::Relay, Message::Candidacy(number));
        } else if number == id {
            state[node].leader = id;
            self.tell(state, node, Phase::Leader, Message::Elected(id));
        } else if state[node].phase == Phase::Asleep {
            self.tell(state, node, Phase::Candidate, Message::Candidacy(id));
        }
    }

    fn elected(&self, state: &mut State<N>, node: usize, number: u8) {
        if state[node].phase == Phase::Leader {
            state[node].phase = Phase::Done;
        } else {
            state[node].leader = number;
            self.tell(state, node, Phase::Done, Message::Elected(number));
        }
    }
}

fn nodes<const N: usize>(state: &State<N>, phase: Phase) -> impl Iterator<Item = usize> {
    (0..N).filter(move |&node| state[node].phase == phase)
}

impl<const N: usize> Model for LeaderElection<N> {
    type State = State<N>;
    type Action = Action;

    fn init_states(&self) -> Vec<State<N>> {
        let node = Node {
            phase: Phase::Asleep,
            leader: 0,
            inbox: Inbox::new(),
        };
        vec![[node; N]]
    }

    fn actions(&self, state: &State<N>, actions: &mut Vec<Action>) {
        for (index, node) in state.iter().enumerate() {
            if node.phase == Phase::Asleep {
                actions.push(Action::Wake(index));
            }
            if node.inbox.head().is_some() {
                actions.push(Action::Take(index));
            }
        }
    }

    fn next_state(&self, last: &State<N>, action: Action) -> Option<State<N>> {
        let mut state = *last;
        match action {
            Action::Wake(node) => {
                let message = Message::Candidacy(self.id(node));
                self.tell(&mut state, node, Phase::Candidate, message);
            }
            Action::Take(node) => match state[node].inbox.take()? {
                Message::Candidacy(number) => self.candidacy(&mut state, node, number),
                Message::Elected(number) => self.elected(&mut state, node, number),
                Message::Nothing => return None,
            },
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("one_leader", |_, state| {
                nodes(state, Phase::Leader).count() <= 1
            }),
            Property::always("the_highest", |model: &Self, state| {
                nodes(state, Phase::Leader).all(|node| usize::from(model.id(node)) == N)
            }),
            Property::always("all_agree", |_, state| {
                nodes(state, Phase::Done).all(|node| usize::from(state[node].leader) == N)
            }),
        ]
    }
}
