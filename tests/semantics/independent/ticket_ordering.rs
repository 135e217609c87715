//! Two agents sell seats from two data bases that pass the ownership of a flight to each other.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    self, Environment, Firing, Judged, Machines, Object, Whole, completed_steps,
};
use crate::independent::walk::walk;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    VacationStart,
    VacationEnd,
    ReqFlight,
    FlightApproved,
    FlightDenied,
    ReqOwnership,
    GrantOwnership,
}
use Event::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Agent {
    Vacation,
    Idle,
    SendReq,
    Wait4Db,
    Paid,
    LogOrder,
    Broke,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Main {
    Idle,
    Processing,
    Wait4RemDb,
    Approved,
}

/// `main` outlives `transfer`: it is the history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Db {
    transfer: bool,
    main: Main,
    is_my_flight: bool,
    space: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    agents: [(Agent, u8); 2],
    dbs: [Db; 2],
}

pub struct TicketOrdering {
    pub account: u8,
    pub space: u8,
    pub own: [bool; 2],
    /// Seats that must be left before one is sold: 1, or 2 in the variant that gets stuck.
    pub reserve: u8,
}

// Objects 0 and 1 are the agents, 2 and 3 their data bases.
impl Machines for TicketOrdering {
    type Event = Event;
    type Body = Body;

    fn initial(&self) -> Body {
        let db = |own| Db {
            transfer: false,
            main: Main::Idle,
            is_my_flight: own,
            space: self.space,
        };
        Body {
            agents: [(Agent::Vacation, self.account); 2],
            dbs: self.own.map(db),
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![vec![0, 1, 2, 3]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        vec![
            (0, VacationStart),
            (0, VacationEnd),
            (1, VacationStart),
            (1, VacationEnd),
        ]
    }

    fn rhapsody_triggers(&self) -> bool {
        true
    }

    fn fire(&self, body: &Body, object: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        match object {
            0 | 1 => agent(body, object, event),
            _ => self.db(body, object - 2, event),
        }
    }
}

fn agent(body: &Body, agent: usize, event: Option<Event>) -> Vec<Firing<TicketOrdering>> {
    let (state, account) = body.agents[agent];
    let to = |state, account, messages| {
        let mut body = body.clone();
        body.agents[agent] = (state, account);
        (body, messages)
    };
    match (state, event) {
        (Agent::Vacation, Some(VacationEnd)) => vec![to(Agent::Idle, account, vec![])],
        (Agent::Idle, None) => vec![to(Agent::SendReq, account, vec![])],
        (Agent::SendReq, None) => vec![to(Agent::Wait4Db, account, vec![(agent + 2, ReqFlight)])],
        (Agent::Wait4Db, Some(FlightApproved)) => {
            let mut firings = Vec::new();
            if account > 0 {
                firings.push(to(Agent::Paid, account - 1, vec![]));
            }
            if account <= 1 {
                firings.push(to(Agent::Broke, account, vec![]));
            }
            firings
        }
        (Agent::Wait4Db, Some(VacationStart)) => vec![to(Agent::Vacation, account, vec![])],
        (Agent::Paid, None) => vec![to(Agent::LogOrder, account, vec![])],
        (Agent::LogOrder, None) => vec![to(Agent::Idle, account, vec![])],
        (Agent::Broke, None) => vec![to(Agent::Vacation, account, vec![])],
        _ => vec![],
    }
}

impl TicketOrdering {
    fn db(&self, body: &Body, index: usize, event: Option<Event>) -> Vec<Firing<TicketOrdering>> {
        let db = body.dbs[index];
        let to = |db, messages| {
            let mut body = body.clone();
            body.dbs[index] = db;
            vec![(body, messages)]
        };
        let (agent, other) = (index, 3 - index);
        if db.transfer {
            return match event {
                None => to(
                    Db {
                        transfer: false,
                        ..db
                    },
                    vec![(other, GrantOwnership)],
                ),
                Some(_) => vec![],
            };
        }
        match (db.main, event) {
            (Main::Idle, Some(ReqFlight)) => to(
                Db {
                    main: Main::Processing,
                    ..db
                },
                vec![],
            ),
            (Main::Processing, None) if !db.is_my_flight => to(
                Db {
                    main: Main::Wait4RemDb,
                    ..db
                },
                vec![(other, ReqOwnership)],
            ),
            (Main::Processing, None) if db.space >= self.reserve => to(
                Db {
                    main: Main::Approved,
                    space: db.space - 1,
                    ..db
                },
                vec![],
            ),
            (Main::Processing, None) if db.space == 0 => to(
                Db {
                    main: Main::Idle,
                    ..db
                },
                vec![(agent, FlightDenied)],
            ),
            (Main::Wait4RemDb, Some(GrantOwnership)) => to(
                Db {
                    main: Main::Processing,
                    is_my_flight: true,
                    ..db
                },
                vec![],
            ),
            (Main::Approved, None) => to(
                Db {
                    main: Main::Idle,
                    ..db
                },
                vec![(agent, FlightApproved)],
            ),
            (_, Some(ReqOwnership)) => to(
                Db {
                    transfer: true,
                    is_my_flight: false,
                    ..db
                },
                vec![],
            ),
            _ => vec![],
        }
    }
}

type Semantics = run_to_completion::Semantics<TicketOrdering>;
type State = run_to_completion::State<TicketOrdering>;

fn semantics(machines: TicketOrdering, capacity: usize) -> Semantics {
    Semantics {
        machines,
        environment: Environment::Lazy,
        capacity,
    }
}

fn two_owners(state: &State) -> bool {
    state.at_rest() && state.body.dbs.iter().all(|db| db.is_my_flight)
}

/// Both own the flight and do nothing about it, and nobody asks for it.
fn stuck(state: &State) -> bool {
    let waits = |db: &Db| !db.transfer && db.main == Main::Processing && db.is_my_flight;
    let asked = state.threads[0]
        .queue
        .iter()
        .any(|&(_, event)| event == ReqOwnership);
    state.at_rest() && state.body.dbs.iter().all(waits) && !asked
}

fn nondeterministic(semantics: &Semantics, state: &State) -> bool {
    let running = state.threads[0].running;
    running.is_some_and(|(object, event)| semantics.enabled(&state.body, object, event).len() > 1)
}

fn nobody(state: &State, states: &[Agent]) -> bool {
    state
        .body
        .agents
        .iter()
        .all(|(agent, _)| !states.contains(agent))
}

const PAYING: [Agent; 2] = [Agent::Paid, Agent::LogOrder];

fn small_steps(semantics: &Semantics, state: &State) -> Vec<(&'static str, bool)> {
    vec![
        ("one_owner", !two_owners(state)),
        ("deterministic", !nondeterministic(semantics, state)),
        ("nobody_pays", nobody(state, &PAYING)),
        ("nobody_is_broke", nobody(state, &[Agent::Broke])),
    ]
}

fn last_seat(_: &Semantics, state: &State) -> Vec<(&'static str, bool)> {
    vec![("stuck", !stuck(state))]
}

fn whole_steps(_: &Semantics, state: &State) -> Vec<(&'static str, bool)> {
    vec![
        ("one_owner", !two_owners(state)),
        ("nobody_pays", nobody(state, &PAYING)),
    ]
}

fn given(constants: &Constants, own1: bool, reserve: u8) -> Semantics {
    let get = |name, otherwise| constants.get(name, otherwise) as u8;
    let own = [get("OWN1", own1.into()) == 1, get("OWN2", 0) == 1];
    let machines = TicketOrdering {
        account: get("ACCOUNT", 2),
        space: get("SPACE", 2),
        own,
        reserve,
    };
    semantics(machines, constants.get("CAPACITY", 2))
}

#[test]
fn ticket_ordering() {
    judge("ticket_ordering/ticket_ordering", |constants| {
        walk(&Judged {
            semantics: given(constants, true, 1),
            properties: small_steps,
        })
    });
}

#[test]
fn ticket_ordering_last_seat() {
    judge("ticket_ordering/ticket_ordering_last_seat", |constants| {
        walk(&Judged {
            semantics: given(constants, false, 2),
            properties: last_seat,
        })
    });
}

#[test]
fn ticket_ordering_atomic() {
    judge("ticket_ordering/ticket_ordering_atomic", |constants| {
        let semantics = given(constants, false, 1);
        walk(&Whole(Judged {
            semantics,
            properties: whole_steps,
        }))
    });
}

#[test]
fn two_owners_after_eight_steps() {
    for capacity in 2..=4 {
        let machines = TicketOrdering {
            account: 2,
            space: 2,
            own: [false; 2],
            reserve: 1,
        };
        assert_eq!(
            completed_steps(&semantics(machines, capacity), two_owners),
            Some(8)
        );
    }
}

#[test]
fn the_guards_overlap_after_two_steps_for_each_ticket() {
    for account in [1, 2, 3, 5] {
        let machines = TicketOrdering {
            account,
            space: 40,
            own: [true, false],
            reserve: 1,
        };
        let semantics = semantics(machines, 4);
        let steps = completed_steps(&semantics, |state| nondeterministic(&semantics, state));
        assert_eq!(steps, Some(2 * account as usize));
    }
}

#[test]
fn the_last_seats_are_stuck_after_four_steps_and_four_more_for_each_seat() {
    for (space, steps) in [(1, 8), (2, 12)] {
        let machines = TicketOrdering {
            account: 2,
            space,
            own: [false; 2],
            reserve: 2,
        };
        assert_eq!(completed_steps(&semantics(machines, 4), stuck), Some(steps));
    }
}
