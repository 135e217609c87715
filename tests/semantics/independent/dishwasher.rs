//! A dishwasher: its program and its door are orthogonal regions.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    Environment, Firing, Judged, Machines, Object, Semantics, State, completed_steps,
};
use crate::independent::walk::{Findings, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Start,
    Timer,
    OpenDoor,
    CloseDoor,
}
use Event::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum On {
    Filling,
    Washing,
    Rinsing,
    Drying,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Program {
    Off,
    On(On),
    /// With the history.
    Paused(On),
    Service,
}
use Program::*;

/// Pump, heater and light follow from the active states, as the entry and exit actions switch them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Body {
    program: Program,
    open: bool,
    cycles: usize,
}

struct Dishwasher {
    cycles: usize,
    /// The machine starts only with its door closed.
    guarded: bool,
}

impl Dishwasher {
    fn program(&self, body: Body, event: Option<Event>) -> Option<Body> {
        let to = |program| Some(Body { program, ..body });
        match (body.program, event) {
            (Off, Some(Start)) if !(self.guarded && body.open) => to(On(On::Filling)),
            (On(On::Filling), None) => to(On(On::Washing)),
            (On(On::Washing), Some(Timer)) => to(On(On::Rinsing)),
            (On(On::Rinsing), None) => Some(Body {
                program: On(On::Drying),
                cycles: body.cycles + 1,
                ..body
            }),
            (On(On::Drying), Some(Start)) => to(On(On::Filling)),
            (On(On::Drying), None) if body.cycles == self.cycles => to(Service),
            (On(on), Some(OpenDoor)) => to(Paused(on)),
            (Paused(on), Some(CloseDoor)) => to(On(on)),
            _ => None,
        }
    }
}

fn door(body: Body, event: Option<Event>) -> Option<Body> {
    match (body.open, event) {
        (false, Some(OpenDoor)) => Some(Body { open: true, ..body }),
        (true, Some(CloseDoor)) => Some(Body {
            open: false,
            ..body
        }),
        _ => None,
    }
}

impl Machines for Dishwasher {
    type Event = Event;
    type Body = Body;

    fn initial(&self) -> Body {
        Body {
            program: Off,
            open: false,
            cycles: 0,
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![vec![0]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        [Start, Timer, OpenDoor, CloseDoor]
            .map(|event| (0, event))
            .to_vec()
    }

    fn fire(&self, &body: &Body, _: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        let program = self.program(body, event);
        let door = door(body, event);
        let bodies = match (program, door) {
            // Together, in either order, to the same end.
            (Some(program), Some(door)) => vec![
                Body {
                    open: door.open,
                    ..program
                };
                2
            ],
            (program, door) => program.into_iter().chain(door).collect(),
        };
        bodies.into_iter().map(|body| (body, vec![])).collect()
    }
}

fn semantics(cycles: usize, guarded: bool) -> Semantics<Dishwasher> {
    Semantics {
        machines: Dishwasher { cycles, guarded },
        environment: Environment::Lazy,
        capacity: 1,
    }
}

fn explore(constants: &Constants, guarded: bool) -> Findings {
    walk(&Judged {
        semantics: semantics(constants.get("CYCLES", 3), guarded),
        properties: |_, state| {
            let Body { program, open, .. } = state.body;
            let at_work = matches!(program, On(On::Washing | On::Drying));
            vec![
                ("dry_floor", !(open && at_work)),
                ("no_service", program != Service),
            ]
        },
    })
}

#[test]
fn dishwasher() {
    judge("dishwasher/dishwasher", |constants| {
        explore(constants, true)
    });
}

#[test]
fn dishwasher_open_door() {
    judge("dishwasher/dishwasher_open_door", |constants| {
        explore(constants, false)
    });
}

#[test]
fn service_after_two_steps_for_each_cycle() {
    for cycles in [1, 3, 20] {
        let semantics = semantics(cycles, true);
        let serviced = |state: &State<Dishwasher>| state.at_rest() && state.body.program == Service;
        assert_eq!(completed_steps(&semantics, serviced), Some(2 * cycles));
    }
}
