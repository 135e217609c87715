//! `models/two_phase_commit/two_phase_commit.csm`, step for step.

use stateright::{Model, Property};

use crate::inbox::Inbox;

pub struct TwoPhaseCommit<const N: usize>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Coordinator {
    Start,
    Collecting,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Participant {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Order {
    #[default]
    Prepare,
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Vote {
    who: u8,
    yes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<const N: usize> {
    coordinator: Coordinator,
    agreed: [bool; N],
    votes: Inbox<Vote, N>,
    participants: [Participant; N],
    orders: [Inbox<Order, 2>; N],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The coordinator asks for votes.
    Ask,
    /// The coordinator takes a vote.
    Count,
    /// The coordinator runs out of patience.
    GiveUp,
    /// A participant aborts on its own.
    Refuse(usize),
    /// A participant takes an order.
    Obey(usize),
}

impl<const N: usize> State<N> {
    /// The coordinator enters a state and tells everybody.
    fn enter(&mut self, state: Coordinator, order: Order) {
        self.coordinator = state;
        self.orders.iter_mut().for_each(|inbox| inbox.put(order));
    }

    fn count(&mut self) {
        let Some(vote) = self.votes.take() else {
            return;
        };
        match self.coordinator {
            Coordinator::Collecting if vote.yes => {
                self.agreed[usize::from(vote.who)] = true;
                if self.agreed.iter().all(|&agreed| agreed) {
                    self.enter(Coordinator::Committed, Order::Commit);
                }
            }
            Coordinator::Collecting => self.enter(Coordinator::Aborted, Order::Abort),
            _ => {}
        }
    }

    fn obey(&mut self, who: usize) {
        match self.orders[who].take() {
            Some(Order::Prepare) => {
                let yes = self.participants[who] == Participant::Working;
                if yes {
                    self.participants[who] = Participant::Prepared;
                }
                let who = who as u8;
                self.votes.put(Vote { who, yes });
            }
            Some(Order::Commit) => self.participants[who] = Participant::Committed,
            Some(Order::Abort) => self.participants[who] = Participant::Aborted,
            None => {}
        }
    }

    /// Whether the participant takes the first of its orders.
    fn obeys(&self, who: usize) -> bool {
        match (self.participants[who], self.orders[who].head()) {
            (_, None) | (Participant::Committed, _) => false,
            (Participant::Working, Some(order)) => order == Order::Prepare,
            (Participant::Prepared, Some(order)) => order != Order::Prepare,
            (Participant::Aborted, Some(order)) => order != Order::Commit,
        }
    }

    fn some(&self, wanted: Participant) -> bool {
        self.participants.contains(&wanted)
    }
}

impl<const N: usize> Model for TwoPhaseCommit<N> {
    type State = State<N>;
    type Action = Action;

    fn init_states(&self) -> Vec<State<N>> {
        vec![State {
            coordinator: Coordinator::Start,
            agreed: [false; N],
            votes: Inbox::new(),
            participants: [Participant::Working; N],
            orders: [Inbox::new(); N],
        }]
    }

    fn actions(&self, state: &State<N>, actions: &mut Vec<Action>) {
        match state.coordinator {
            Coordinator::Start => actions.push(Action::Ask),
            Coordinator::Collecting => actions.push(Action::GiveUp),
            _ => {}
        }
        let counts = matches!(
            state.coordinator,
            Coordinator::Collecting | Coordinator::Aborted
        );
        if counts && state.votes.head().is_some() {
            actions.push(Action::Count);
        }
        for who in 0..N {
            if state.participants[who] == Participant::Working {
                actions.push(Action::Refuse(who));
            }
            if state.obeys(who) {
                actions.push(Action::Obey(who));
            }
        }
    }

    fn next_state(&self, last: &State<N>, action: Action) -> Option<State<N>> {
        let mut state = *last;
        match action {
            Action::Ask => state.enter(Coordinator::Collecting, Order::Prepare),
            Action::Count => state.count(),
            Action::GiveUp => state.enter(Coordinator::Aborted, Order::Abort),
            Action::Refuse(who) => state.participants[who] = Participant::Aborted,
            Action::Obey(who) => state.obey(who),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("agreement", |_, state: &State<N>| {
                !(state.some(Participant::Committed) && state.some(Participant::Aborted))
            }),
            Property::always("unanimous", |_, state: &State<N>| {
                state.coordinator != Coordinator::Committed
                    || !(state.some(Participant::Working) || state.some(Participant::Aborted))
            }),
        ]
    }
}
