//! Szymanski's mutual exclusion: a waiting room whose door is closed by the last who enters.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

struct WaitingRoom {
    processes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Idle,
    Outside,
    Doorway,
    Inside,
    Holding,
    Listening,
    Closing,
    Queueing,
    Critical,
}

/// Where the processes are, and their flags, 0 to 4.
type State = (Vec<Place>, Vec<u8>);

impl WaitingRoom {
    /// Where process `me` may go, and the flag that it then shows.
    fn next(&self, (place, flag): &State, me: usize) -> Option<(Place, u8)> {
        let mine = flag[me];
        let any = |value| flag.contains(&value);
        match place[me] {
            Place::Idle => Some((Place::Outside, 1)),
            Place::Outside => flag
                .iter()
                .all(|&f| f < 3)
                .then_some((Place::Doorway, mine)),
            Place::Doorway => Some((Place::Inside, 3)),
            Place::Inside => Some((
                if any(1) {
                    Place::Holding
                } else {
                    Place::Closing
                },
                mine,
            )),
            Place::Holding => Some((Place::Listening, 2)),
            Place::Listening => any(4).then_some((Place::Closing, mine)),
            Place::Closing => Some((Place::Queueing, 4)),
            Place::Queueing => flag[..me]
                .iter()
                .all(|&f| f < 2)
                .then_some((Place::Critical, mine)),
            Place::Critical => flag[me + 1..]
                .iter()
                .all(|f| !(2..=3).contains(f))
                .then_some((Place::Idle, 0)),
        }
    }

    fn step(&self, state: &State, me: usize) -> Option<State> {
        let (place, flag) = self.next(state, me)?;
        let mut next = state.clone();
        (next.0[me], next.1[me]) = (place, flag);
        Some(next)
    }
}

impl System for WaitingRoom {
    type State = State;

    fn initial(&self) -> State {
        (vec![Place::Idle; self.processes], vec![0; self.processes])
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..self.processes)
            .filter_map(|me| self.step(state, me))
            .map(Step::To)
            .collect()
    }

    fn properties(&self, (place, _): &State) -> Vec<(&'static str, bool)> {
        let critical = place
            .iter()
            .filter(|&&place| place == Place::Critical)
            .count();
        vec![("mutex", critical <= 1)]
    }
}

#[test]
fn waiting_room() {
    judge("szymanski/szymanski", |constants| {
        walk(&WaitingRoom {
            processes: constants.get("N", 3),
        })
    });
}
