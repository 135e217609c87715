//! A server that grants one of two clients at a time; each with a thread of its own.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    Environment, Firing, Judged, Machines, Object, Semantics, State, known_at_violation,
};
use crate::independent::walk::{Findings, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    Req(u8),
    Cancel(u8),
    Grant(u8),
    Deny(u8),
    E,
    Ev,
}
use Event::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Server {
    Free,
    Held(u8),
    /// About to grant.
    Granting(u8),
    /// About to deny, while the other one holds.
    Denying(u8),
}

/// What a client is about to do, each a transition of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Client {
    Idle,
    Requesting,
    Req,
    Granted,
    Work,
    Cancelling,
    /// Before the grant: `clr`, then `cancel`.
    Clearing,
    Withdrawing,
    /// After a refusal, `clr`.
    Refused,
    /// `cont`
    Continuing,
    /// `clr`, back to Granted.
    Resting,
}

/// One of the two behaviours of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// May cancel before the grant.
    Hasty,
    /// Cancels only after its grant.
    Patient,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    pub server: Server,
    pub clients: Vec<Client>,
}

/// Object 0 is the server, 1 and 2 the clients. Without a second client the environment plays it.
pub struct Star {
    pub clients: Vec<Kind>,
}

impl Machines for Star {
    type Event = Event;
    type Body = Body;

    fn initial(&self) -> Body {
        Body {
            server: Server::Free,
            clients: vec![Client::Idle; self.clients.len()],
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        (0..=self.clients.len())
            .map(|object| vec![object])
            .collect()
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        let mut events = Vec::new();
        for (index, kind) in self.clients.iter().enumerate() {
            events.push((index + 1, E));
            if *kind == Kind::Hasty {
                events.push((index + 1, Ev));
            }
        }
        if self.clients.len() == 1 {
            events.extend([(0, Cancel(2)), (0, Req(2))]);
        }
        events
    }

    fn fire(&self, body: &Body, object: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        match object {
            0 => self.server(body, event),
            _ => self.client(body, object - 1, event),
        }
    }
}

impl Star {
    /// Nobody: the event leaves the system.
    fn to_client(&self, client: u8, event: Event) -> Vec<(Object, Event)> {
        let here = client as usize <= self.clients.len();
        if here {
            vec![(client as usize, event)]
        } else {
            vec![]
        }
    }

    fn server(&self, body: &Body, event: Option<Event>) -> Vec<Firing<Self>> {
        let (state, messages) = match (body.server, event) {
            (Server::Free, Some(Req(i))) => (Server::Granting(i), vec![]),
            (Server::Granting(i), None) => (Server::Held(i), self.to_client(i, Grant(i))),
            (Server::Held(i), Some(Req(j))) if i != j => (Server::Denying(j), vec![]),
            (Server::Denying(j), None) => (Server::Held(3 - j), self.to_client(j, Deny(j))),
            (Server::Held(i), Some(Cancel(j))) if i == j => (Server::Free, vec![]),
            _ => return vec![],
        };
        vec![(
            Body {
                server: state,
                clients: body.clients.clone(),
            },
            messages,
        )]
    }

    fn client(&self, body: &Body, index: usize, event: Option<Event>) -> Vec<Firing<Self>> {
        let me = index as u8 + 1;
        let (state, messages) = match (self.clients[index], body.clients[index], event) {
            (_, Client::Idle, Some(E)) => (Client::Requesting, vec![]),
            (_, Client::Requesting, None) => (Client::Req, vec![(0, Req(me))]),
            (_, Client::Req, Some(Grant(_))) => (Client::Granted, vec![]),
            (_, Client::Granted, Some(E)) => (Client::Cancelling, vec![]),
            (_, Client::Cancelling, None) => (Client::Idle, vec![(0, Cancel(me))]),
            (Kind::Patient, Client::Req, Some(Deny(_))) => (Client::Idle, vec![]),
            (Kind::Hasty, Client::Req, Some(Deny(_))) => (Client::Refused, vec![]),
            (Kind::Hasty, Client::Refused, None) => (Client::Idle, vec![]),
            (Kind::Hasty, Client::Req, Some(E)) => (Client::Clearing, vec![]),
            (Kind::Hasty, Client::Clearing, None) => (Client::Withdrawing, vec![]),
            (Kind::Hasty, Client::Withdrawing, None) => (Client::Idle, vec![(0, Cancel(me))]),
            (Kind::Hasty, Client::Granted, Some(Ev)) => (Client::Continuing, vec![]),
            (Kind::Hasty, Client::Continuing, None) => (Client::Work, vec![]),
            (Kind::Hasty, Client::Work, Some(Ev)) => (Client::Resting, vec![]),
            (Kind::Hasty, Client::Resting, None) => (Client::Granted, vec![]),
            _ => return vec![],
        };
        let mut clients = body.clients.clone();
        clients[index] = state;
        vec![(
            Body {
                server: body.server,
                clients,
            },
            messages,
        )]
    }
}

fn queued(state: &State<Star>, event: Event) -> bool {
    let mut messages = state.threads.iter().flat_map(|thread| &thread.queue);
    messages.any(|&(_, queued)| queued == event)
}

fn granted_and_denied(state: &State<Star>) -> bool {
    queued(state, Grant(1)) && queued(state, Deny(1))
}

fn both_granted(state: &State<Star>) -> bool {
    queued(state, Grant(1)) && queued(state, Grant(2))
}

fn star(clients: &[Kind], environment: Environment, capacity: usize) -> Semantics<Star> {
    Semantics {
        machines: Star {
            clients: clients.to_vec(),
        },
        environment,
        capacity,
    }
}

fn server_and_client(constants: &Constants, environment: Environment) -> Findings {
    let semantics = star(&[Kind::Hasty], environment, constants.get("CAPACITY", 2));
    walk(&Judged {
        semantics,
        properties: |_, state| vec![("one_answer", !granted_and_denied(state))],
    })
}

fn two_clients(clients: [Kind; 2], capacity: usize) -> Findings {
    let semantics = star(&clients, Environment::Lazy, capacity);
    walk(&Judged {
        semantics,
        properties: |_, state| vec![("one_grant", !both_granted(state))],
    })
}

#[test]
fn server_client() {
    judge("server_client/server_client", |constants| {
        server_and_client(constants, Environment::Lazy)
    });
}

#[test]
fn server_client_eager() {
    judge("server_client/server_client_eager", |constants| {
        server_and_client(constants, Environment::Eager)
    });
}

#[test]
fn patient_clients() {
    judge("star/star", |constants| {
        two_clients([Kind::Patient; 2], constants.get("CAPACITY", 3))
    });
}

#[test]
fn a_hasty_client() {
    let clients = [Kind::Hasty, Kind::Patient];
    judge("star/star_hasty", |constants| {
        two_clients(clients, constants.get("CAPACITY", 2))
    });
}

#[test]
fn a_lazy_environment_is_far_cheaper_than_an_eager_one() {
    for (environment, capacity, known) in [
        (Environment::Lazy, 2, 1109),
        (Environment::Lazy, 3, 1243),
        (Environment::Eager, 2, 24810),
        (Environment::Eager, 3, 163084),
    ] {
        let semantics = star(&[Kind::Hasty], environment, capacity);
        assert_eq!(
            known_at_violation(&semantics, granted_and_denied),
            Some(known)
        );
    }
}
