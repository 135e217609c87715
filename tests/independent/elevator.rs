//! A cabin, its door and the buttons of all floors, over shared variables and over signals.

use crate::expected::{Constants, judge};
use crate::walk::{Findings, Step, System, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cabin {
    AtFloor,
    Opening,
    Boarding,
    Closing,
    Moving,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Door {
    Shut,
    Opening,
    Open,
    Closing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    Nothing,
    Open,
    Close,
}

/// What both versions have.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Lift {
    cabin: Cabin,
    up: bool,
    floor: usize,
    called: Vec<bool>,
    door: Door,
}

impl Lift {
    fn new(floors: usize) -> Lift {
        Lift { cabin: Cabin::AtFloor, up: false, floor: 0, called: vec![false; floors], door: Door::Shut }
    }

    /// Sets off for a floor that was called, onwards if there is one that way.
    fn depart(&self) -> Option<Lift> {
        let above = self.called[self.floor + 1..].contains(&true);
        let below = self.called[..self.floor].contains(&true);
        let up = above && (self.up || !below);
        (above || below).then(|| Lift { cabin: Cabin::Moving, up, ..self.clone() })
    }

    fn arrive(&self) -> Lift {
        let floor = if self.up { self.floor + 1 } else { self.floor - 1 };
        Lift { cabin: Cabin::AtFloor, floor, ..self.clone() }
    }

    fn answer_call(&self) -> Lift {
        let mut next = Lift { cabin: Cabin::Boarding, ..self.clone() };
        next.called[self.floor] = false;
        next
    }

    fn press(&self, floor: usize) -> Lift {
        let mut next = self.clone();
        next.called[floor] = true;
        next
    }

    fn at(&self, cabin: Cabin) -> Lift {
        Lift { cabin, ..self.clone() }
    }

    fn with(&self, door: Door) -> Lift {
        Lift { door, ..self.clone() }
    }

    fn moves_with_open_door(&self) -> bool {
        self.cabin == Cabin::Moving && self.door != Door::Shut
    }
}

/// The cabin gives orders to the door through one shared variable.
struct Shared {
    floors: usize,
    /// The cabin sets off when it has told the door to close, not when the door has closed.
    impatient: bool,
}

type SharedState = (Lift, Order);

impl Shared {
    fn cabin(&self, (lift, order): &SharedState) -> Option<SharedState> {
        let next = match lift.cabin {
            Cabin::AtFloor if lift.called[lift.floor] => return Some((lift.at(Cabin::Opening), Order::Open)),
            Cabin::AtFloor => lift.depart()?,
            Cabin::Opening if lift.door == Door::Open => lift.answer_call(),
            Cabin::Boarding => {
                let place = if self.impatient { Cabin::AtFloor } else { Cabin::Closing };
                return Some((lift.at(place), Order::Close));
            }
            Cabin::Closing if lift.door == Door::Shut => lift.at(Cabin::AtFloor),
            Cabin::Opening | Cabin::Closing => return None,
            Cabin::Moving => lift.arrive(),
        };
        Some((next, *order))
    }

    fn door(&self, (lift, order): &SharedState) -> Vec<SharedState> {
        match lift.door {
            Door::Shut if *order == Order::Open => vec![(lift.with(Door::Opening), *order)],
            Door::Open if *order == Order::Close => vec![(lift.with(Door::Closing), *order)],
            Door::Shut | Door::Open => Vec::new(),
            Door::Opening => {
                let order = if *order == Order::Open { Order::Nothing } else { *order };
                vec![(lift.with(Door::Open), order)]
            }
            // Somebody may stand in the way.
            Door::Closing => {
                vec![(lift.with(Door::Shut), Order::Nothing), (lift.with(Door::Opening), *order)]
            }
        }
    }
}

impl System for Shared {
    type State = SharedState;

    fn initial(&self) -> SharedState {
        (Lift::new(self.floors), Order::Nothing)
    }

    fn steps(&self, state: &SharedState) -> Vec<Step<SharedState>> {
        let (lift, order) = state;
        let unlit = (0..self.floors).filter(|&floor| !lift.called[floor]);
        let presses = unlit.map(|floor| (lift.press(floor), *order));
        self.cabin(state).into_iter().chain(self.door(state)).chain(presses).map(Step::To).collect()
    }

    fn may_rest(&self, (lift, _): &SharedState) -> bool {
        lift.cabin == Cabin::AtFloor && lift.door == Door::Shut
    }

    fn properties(&self, (lift, _): &SharedState) -> Vec<(&'static str, bool)> {
        vec![("door_shut_while_moving", !lift.moves_with_open_door())]
    }
}

/// The cabin and the door send each other signals; the environment may press a button at any time.
struct Signals {
    floors: usize,
}

/// With what waits in the door's and in the cabin's inbox: the protocol lets no two messages meet.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SignalsState {
    lift: Lift,
    to_door: Option<Order>,
    to_cabin: bool,
}

impl Signals {
    fn cabin(&self, state: &SignalsState) -> Option<SignalsState> {
        let lift = &state.lift;
        let order =
            |cabin, order| SignalsState { lift: lift.at(cabin), to_door: Some(order), ..state.clone() };
        Some(match lift.cabin {
            Cabin::AtFloor if lift.called[lift.floor] => order(Cabin::Opening, Order::Open),
            Cabin::AtFloor => SignalsState { lift: lift.depart()?, ..state.clone() },
            Cabin::Boarding => order(Cabin::Closing, Order::Close),
            Cabin::Moving => SignalsState { lift: lift.arrive(), ..state.clone() },
            Cabin::Opening | Cabin::Closing if !state.to_cabin => return None,
            Cabin::Opening => SignalsState { lift: lift.answer_call(), to_cabin: false, ..state.clone() },
            Cabin::Closing => {
                SignalsState { lift: lift.at(Cabin::AtFloor), to_cabin: false, ..state.clone() }
            }
        })
    }

    fn door(&self, state: &SignalsState) -> Vec<SignalsState> {
        let go = |door, to_door, to_cabin| SignalsState { lift: state.lift.with(door), to_door, to_cabin };
        match (state.lift.door, state.to_door) {
            (Door::Shut, Some(Order::Open)) => vec![go(Door::Opening, None, state.to_cabin)],
            (Door::Open, Some(Order::Close)) => vec![go(Door::Closing, None, state.to_cabin)],
            (Door::Opening, order) => vec![go(Door::Open, order, true)],
            (Door::Closing, order) => vec![go(Door::Shut, order, true)],
            _ => Vec::new(),
        }
    }
}

impl System for Signals {
    type State = SignalsState;

    fn initial(&self) -> SignalsState {
        SignalsState { lift: Lift::new(self.floors), to_door: None, to_cabin: false }
    }

    fn steps(&self, state: &SignalsState) -> Vec<Step<SignalsState>> {
        let press = |floor| SignalsState { lift: state.lift.press(floor), ..state.clone() };
        let presses = (0..self.floors).map(press);
        self.cabin(state).into_iter().chain(self.door(state)).chain(presses).map(Step::To).collect()
    }

    fn properties(&self, state: &SignalsState) -> Vec<(&'static str, bool)> {
        vec![("door_shut_while_moving", !state.lift.moves_with_open_door())]
    }
}

fn explore(constants: &Constants, impatient: bool) -> Findings {
    walk(&Shared { floors: constants.get("FLOORS", 3), impatient })
}

#[test]
fn patient() {
    judge("elevator/patient", |constants| explore(constants, false));
}

#[test]
fn impatient() {
    judge("elevator/impatient", |constants| explore(constants, true));
}

#[test]
fn signals() {
    judge("elevator/signals", |constants| walk(&Signals { floors: constants.get("FLOORS", 3) }));
}
