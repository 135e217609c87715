//! Two agents sell seats from two data bases that pass the ownership of a flight to each other.

use crate::run_to_completion::{Environment, Firing, Machines, Object, Semantics, State, completed_steps};

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
        let db = |own| Db { transfer: false, main: Main::Idle, is_my_flight: own, space: self.space };
        Body { agents: [(Agent::Vacation, self.account); 2], dbs: self.own.map(db) }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![vec![0, 1, 2, 3]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        vec![(0, VacationStart), (0, VacationEnd), (1, VacationStart), (1, VacationEnd)]
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
                None => to(Db { transfer: false, ..db }, vec![(other, GrantOwnership)]),
                Some(_) => vec![],
            };
        }
        match (db.main, event) {
            (Main::Idle, Some(ReqFlight)) => to(Db { main: Main::Processing, ..db }, vec![]),
            (Main::Processing, None) if !db.is_my_flight => {
                to(Db { main: Main::Wait4RemDb, ..db }, vec![(other, ReqOwnership)])
            }
            (Main::Processing, None) if db.space >= self.reserve => {
                to(Db { main: Main::Approved, space: db.space - 1, ..db }, vec![])
            }
            (Main::Processing, None) if db.space == 0 => {
                to(Db { main: Main::Idle, ..db }, vec![(agent, FlightDenied)])
            }
            (Main::Wait4RemDb, Some(GrantOwnership)) => {
                to(Db { main: Main::Processing, is_my_flight: true, ..db }, vec![])
            }
            (Main::Approved, None) => to(Db { main: Main::Idle, ..db }, vec![(agent, FlightApproved)]),
            (_, Some(ReqOwnership)) => to(Db { transfer: true, is_my_flight: false, ..db }, vec![]),
            _ => vec![],
        }
    }
}


mod tests {
    use super::*;
    use crate::search;

    #[test]
    fn rtc() {
        let sem = |account, space, own, reserve, capacity| Semantics { machines: TicketOrdering { account, space, own, reserve }, environment: Environment::Lazy, capacity };
        for cap in [2,3,4] {
        let s = sem(2, 2, [false; 2], 1, cap);
        println!("mutex FF {cap} {:?}", completed_steps(&s, |c| c.at_rest() && c.body.dbs.iter().all(|d| d.is_my_flight)));
        let s = sem(1, 1, [false; 2], 2, cap);
        let stuck = |c: &State<TicketOrdering>| c.at_rest() && c.body.dbs.iter().all(|d| d.main == Main::Processing && !d.transfer && d.is_my_flight);
        println!("livelock 1 {cap} {:?}", completed_steps(&s, stuck));
        for acc in [1,2] {
        let s = sem(acc, 2, [false; 2], 2, cap);
        println!("livelock 2 acc {acc} {cap} {:?}", completed_steps(&s, stuck));
        }
        }
        for account in [1,2,3,5] {
            for cap in [2,4] {
            let s = sem(account, 40, [true,false], 1, cap);
            println!("nondet {account} {cap} {:?}", completed_steps(&s, |c| matches!(c.threads[0].running, Some((o, e)) if s.enabled(&c.body, o, e).len() > 1)));
            }
        }
    }
}
