//! A gate and the tracks that it protects.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    self, Environment, Firing, Judged, Machines, Object, Semantics,
};
use crate::independent::walk::{Findings, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Arrive,
    Depart,
    Moved,
    Approach(Object),
    Leave,
    Go,
}
use Event::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Track {
    Away,
    Near,
    Crossing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Barrier {
    Open,
    Lowering,
    Closed,
    Raising,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Body {
    tracks: Vec<Track>,
    barrier: Barrier,
    first: Option<Object>,
    trains: usize,
}

struct Crossing {
    tracks: usize,
    /// The gate counts the trains.
    counts: bool,
}

impl Crossing {
    fn gate(&self) -> Object {
        self.tracks
    }

    fn fire_gate(&self, body: &Body, event: Option<Event>) -> Option<Firing<Self>> {
        let to = |barrier| Body {
            barrier,
            ..body.clone()
        };
        let one_more = body.trains + usize::from(self.counts);
        Some(match (body.barrier, event?) {
            (Barrier::Open | Barrier::Raising, Approach(track)) => (
                Body {
                    first: Some(track),
                    ..to(Barrier::Lowering)
                },
                vec![],
            ),
            (Barrier::Lowering, Moved) => {
                let next = Body {
                    first: None,
                    trains: one_more,
                    ..to(Barrier::Closed)
                };
                (next, vec![(body.first?, Go)])
            }
            (Barrier::Closed, Approach(track)) => (
                Body {
                    trains: one_more,
                    ..body.clone()
                },
                vec![(track, Go)],
            ),
            (Barrier::Closed, Leave) if body.trains > 1 => (
                Body {
                    trains: body.trains - 1,
                    ..body.clone()
                },
                vec![],
            ),
            (Barrier::Closed, Leave) => (
                Body {
                    trains: 0,
                    ..to(Barrier::Raising)
                },
                vec![],
            ),
            (Barrier::Raising, Moved) => (to(Barrier::Open), vec![]),
            _ => return None,
        })
    }
}

fn fire_track(
    body: &Body,
    track: Object,
    gate: Object,
    event: Option<Event>,
) -> Option<Firing<Crossing>> {
    let (to, messages) = match (body.tracks[track], event?) {
        (Track::Away, Arrive) => (Track::Near, vec![(gate, Approach(track))]),
        (Track::Near, Go) => (Track::Crossing, vec![]),
        (Track::Crossing, Depart) => (Track::Away, vec![(gate, Leave)]),
        _ => return None,
    };
    let mut next = body.clone();
    next.tracks[track] = to;
    Some((next, messages))
}

impl Machines for Crossing {
    type Event = Event;
    type Body = Body;

    fn initial(&self) -> Body {
        Body {
            tracks: vec![Track::Away; self.tracks],
            barrier: Barrier::Open,
            first: None,
            trains: 0,
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![(0..self.tracks).collect(), vec![self.gate()]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        let tracks = (0..self.tracks).flat_map(|track| [(track, Arrive), (track, Depart)]);
        tracks.chain([(self.gate(), Moved)]).collect()
    }

    fn defers(&self, body: &Body, object: Object, event: Event) -> bool {
        object == self.gate() && body.barrier == Barrier::Lowering && matches!(event, Approach(_))
    }

    fn must_be_taken(&self, event: Event) -> bool {
        !matches!(event, Arrive | Depart | Moved)
    }

    fn fire(&self, body: &Body, object: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        let firing = if object == self.gate() {
            self.fire_gate(body, event)
        } else {
            fire_track(body, object, self.gate(), event)
        };
        firing.into_iter().collect()
    }
}

fn safe(state: &run_to_completion::State<Crossing>) -> bool {
    !state.body.tracks.contains(&Track::Crossing) || state.body.barrier == Barrier::Closed
}

fn explore(constants: &Constants, counts: bool) -> Findings {
    let tracks = constants.get("TRACKS", 3);
    // The queue of the tracks is never longer than theirs is of tracks, so one bound serves for both.
    let machines = Crossing { tracks, counts };
    let semantics = Semantics {
        machines,
        environment: Environment::Lazy,
        capacity: 2 * tracks,
    };
    walk(&Judged {
        semantics,
        properties: |_, state| vec![("safe", safe(state))],
    })
}

#[test]
fn level_crossing() {
    judge("level_crossing/level_crossing", |constants| {
        explore(constants, true)
    });
}

#[test]
fn level_crossing_no_count() {
    judge("level_crossing/level_crossing_no_count", |constants| {
        explore(constants, false)
    });
}
