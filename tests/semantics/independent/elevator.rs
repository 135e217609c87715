//! A cabin, its door and the buttons of all floors, over shared variables and over signals.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

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
        Lift {
            cabin: Cabin::AtFloor,
            up: false,
            floor: 0,
            called: vec![false; floors],
            door: Door::Shut,
        }
    }

    /// Sets off for a floor that was called, onwards if there is one that way.
    fn depart(&self) -> Option<Lift> {
        let above = self.called[self.floor + 1..].contains(&true);
        let below = self.called[..self.floor].contains(&true);
        let up = above && (self.up || !below);
        (above || below).then(|| Lift {
            cabin: Cabin::Moving,
            up,
            ..self.clone()
        })
    }

    fn arrive(&self) -> Lift {
        let floor = if self.up {
            self.floor + 1
        } else {
            self.floor - 1
        };
        Lift {
            cabin: Cabin::AtFloor,
            floor,
            ..self.clone()
        }
    }

    fn answer_call(&self) -> Lift {
        let mut next = Lift {
            cabin: Cabin::Boarding,
            ..self.clone()
        };
        next.called[self.floor] = false;
        next
    }

    fn press(&self, floor: usize) -> Lift {
        let mut next = self.clone();
        next.called[floor] = true;
        next
    }

    fn at(&self, cabin: Cabin) -> Lift {
        Lift {
            cabin,
            ..self.clone()
        }
    }

    fn with(&self, door: Door) -> Lift {
        Lift {
            door,
            ..self.clone()
        }
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
            Cabin::AtFloor if lift.called[lift.floor] => {
                return Some((lift.at(Cabin::Opening), Order::Open));
            }
            Cabin::AtFloor => lift.depart()?,
            Cabin::Opening if lift.door == Door::Open => lift.answer_call(),
            Cabin::Boarding => {
                let place = if self.impatient {
                    Cabin::AtFloor
                } else {
                    Cabin::Closing
                };
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
                let order = if *order == Order::Open {
                    Order::Nothing
                } else {
                    *order
                };
                vec![(lift.with(Door::Open), order)]
            }
            // Somebody may stand in the way.
            Door::Closing => {
                vec![
                    (lift.with(Door::Shut), Order::Nothing),
                    (lift.with(Door::Opening), *order),
                ]
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
        self.cabin(state)
            .into_iter()
            .chain(self.door(state))
            .chain(presses)
            .map(Step::To)
            .collect()
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
    /// Presses wait in the cabin's inbox, in line with the door's answers.
    eager: bool,
}

const CAPACITY: usize = 4;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Message {
    Press(usize),
    /// The door has opened or closed: where the cabin is tells which.
    Answer,
}

/// With the two inboxes; no two orders to the door ever meet.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SignalsState {
    lift: Lift,
    to_door: Option<Order>,
    to_cabin: Vec<Message>,
}

impl SignalsState {
    fn with(&self, lift: Lift) -> SignalsState {
        SignalsState {
            lift,
            ..self.clone()
        }
    }
}

impl Signals {
    /// What the cabin does of its own accord.
    fn cabin(&self, state: &SignalsState) -> Option<SignalsState> {
        let lift = &state.lift;
        let order = |cabin, order| SignalsState {
            to_door: Some(order),
            ..state.with(lift.at(cabin))
        };
        match lift.cabin {
            Cabin::AtFloor if lift.called[lift.floor] => Some(order(Cabin::Opening, Order::Open)),
            Cabin::AtFloor => lift.depart().map(|lift| state.with(lift)),
            Cabin::Boarding => Some(order(Cabin::Closing, Order::Close)),
            Cabin::Moving => Some(state.with(lift.arrive())),
            Cabin::Opening | Cabin::Closing => None,
        }
    }

    fn take_message(&self, state: &SignalsState) -> Option<SignalsState> {
        let lift = &state.lift;
        let next = match (state.to_cabin.first()?, lift.cabin) {
            (Message::Press(floor), _) => lift.press(*floor),
            (Message::Answer, Cabin::Opening) => lift.answer_call(),
            (Message::Answer, Cabin::Closing) => lift.at(Cabin::AtFloor),
            (Message::Answer, _) => unreachable!("the cabin waits for every answer"),
        };
        Some(SignalsState {
            to_cabin: state.to_cabin[1..].to_vec(),
            ..state.with(next)
        })
    }

    fn door(&self, state: &SignalsState) -> Option<Step<SignalsState>> {
        let (door, answers) = match (state.lift.door, state.to_door) {
            (Door::Shut, Some(Order::Open)) => (Door::Opening, false),
            (Door::Open, Some(Order::Close)) => (Door::Closing, false),
            (Door::Opening, _) => (Door::Open, true),
            (Door::Closing, _) => (Door::Shut, true),
            _ => return None,
        };
        let mut next = state.with(state.lift.with(door));
        if !answers {
            next.to_door = None;
        } else if next.to_cabin.len() == CAPACITY {
            return Some(Step::Fault("overflow"));
        } else {
            next.to_cabin.push(Message::Answer);
        }
        Some(Step::To(next))
    }

    fn press(&self, state: &SignalsState, floor: usize) -> Option<SignalsState> {
        if !self.eager {
            return Some(state.with(state.lift.press(floor)));
        }
        let mut next = state.clone();
        next.to_cabin.push(Message::Press(floor));
        (next.to_cabin.len() <= CAPACITY).then_some(next)
    }
}

impl System for Signals {
    type State = SignalsState;

    fn initial(&self) -> SignalsState {
        SignalsState {
            lift: Lift::new(self.floors),
            to_door: None,
            to_cabin: Vec::new(),
        }
    }

    fn steps(&self, state: &SignalsState) -> Vec<Step<SignalsState>> {
        let presses = (0..self.floors).filter_map(|floor| self.press(state, floor));
        let cabin = self
            .cabin(state)
            .into_iter()
            .chain(self.take_message(state));
        cabin
            .chain(presses)
            .map(Step::To)
            .chain(self.door(state))
            .collect()
    }

    fn properties(&self, state: &SignalsState) -> Vec<(&'static str, bool)> {
        vec![("door_shut_while_moving", !state.lift.moves_with_open_door())]
    }
}

fn explore(constants: &Constants, impatient: bool) -> Findings {
    walk(&Shared {
        floors: constants.get("FLOORS", 3),
        impatient,
    })
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
    judge("elevator/signals", |constants| {
        walk(&Signals {
            floors: constants.get("FLOORS", 3),
            eager: false,
        })
    });
}

#[test]
fn signals_wait_in_line() {
    judge("elevator/signals_eager", |constants| {
        walk(&Signals {
            floors: constants.get("FLOORS", 3),
            eager: true,
        })
    });
}
