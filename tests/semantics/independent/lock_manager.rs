//! A manager that lends one lock to several clients.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    self, Environment, Firing, Judged, Machines, Object, Semantics,
};
use crate::independent::walk::{Findings, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Start,
    Finish,
    Request(Object),
    Release,
    Grant,
}
use Event::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Client {
    Idle,
    Asking,
    Waiting,
    Using,
    Leaving,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Body {
    clients: Vec<Client>,
    busy: bool,
    operations: usize,
}

struct Locks {
    clients: usize,
    /// Operations that go well.
    fault_at: Option<usize>,
}

impl Locks {
    fn manager(&self) -> Object {
        self.clients
    }

    fn fire_manager(&self, body: &Body, event: Option<Event>) -> Option<Firing<Self>> {
        let operations = self
            .fault_at
            .map_or(0, |fault_at| fault_at.min(body.operations + 1));
        let to = |busy| Body {
            busy,
            operations,
            ..body.clone()
        };
        match (body.busy, event?) {
            (false, Request(from)) => Some((to(true), vec![(from, Grant)])),
            (true, Release) => Some((to(false), vec![])),
            (true, Request(from)) if self.fault_at == Some(body.operations) => {
                Some((body.clone(), vec![(from, Grant)]))
            }
            _ => None,
        }
    }

    fn fire_client(
        &self,
        body: &Body,
        client: Object,
        event: Option<Event>,
    ) -> Option<Firing<Self>> {
        let (to, messages) = match (body.clients[client], event) {
            (Client::Idle, Some(Start)) => (Client::Asking, vec![]),
            (Client::Asking, None) => (Client::Waiting, vec![(self.manager(), Request(client))]),
            (Client::Waiting, Some(Grant)) => (Client::Using, vec![]),
            (Client::Using, Some(Finish)) => (Client::Leaving, vec![]),
            (Client::Leaving, None) => (Client::Idle, vec![(self.manager(), Release)]),
            _ => return None,
        };
        let mut next = body.clone();
        next.clients[client] = to;
        Some((next, messages))
    }
}

impl Machines for Locks {
    type Event = Event;
    type Body = Body;

    fn initial(&self) -> Body {
        Body {
            clients: vec![Client::Idle; self.clients],
            busy: false,
            operations: 0,
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![(0..self.clients).collect(), vec![self.manager()]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        (0..self.clients)
            .flat_map(|client| [(client, Start), (client, Finish)])
            .collect()
    }

    fn defers(&self, body: &Body, object: Object, event: Event) -> bool {
        object == self.manager() && body.busy && matches!(event, Request(_))
    }

    fn must_be_taken(&self, event: Event) -> bool {
        !matches!(event, Start | Finish)
    }

    fn fire(&self, body: &Body, object: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        let firing = if object == self.manager() {
            self.fire_manager(body, event)
        } else {
            self.fire_client(body, object, event)
        };
        firing.into_iter().collect()
    }
}

fn exclusive(state: &run_to_completion::State<Locks>) -> bool {
    let holds = |client: &&Client| matches!(client, Client::Using | Client::Leaving);
    state.body.clients.iter().filter(holds).count() <= 1
}

fn explore(constants: &Constants, fault_at: Option<usize>) -> Findings {
    let clients = constants.get("CLIENTS", 3);
    let machines = Locks { clients, fault_at };
    // At most one grant per client is under way, so the bound of the manager's queue serves for both.
    let semantics = Semantics {
        machines,
        environment: Environment::Lazy,
        capacity: 2 * clients,
    };
    walk(&Judged {
        semantics,
        properties: |_, state| vec![("mutual_exclusion", exclusive(state))],
    })
}

#[test]
fn lock_manager() {
    judge("lock_manager/lock_manager", |constants| {
        explore(constants, None)
    });
}

#[test]
fn lock_manager_forgetful() {
    let fault_at = |constants: &Constants| constants.get("FAULT_AT", 4);
    judge("lock_manager/lock_manager_forgetful", |constants| {
        explore(constants, Some(fault_at(constants)))
    });
}
