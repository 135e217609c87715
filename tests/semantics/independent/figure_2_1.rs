//! Two orthogonal regions, one of them with a composite state.

use crate::independent::expected::{Constants, judge};
use crate::independent::run_to_completion::{
    Environment, Firing, Judged, Machines, Object, Semantics,
};
use crate::independent::walk::{Findings, walk};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Er,
    EvV,
    EvW,
    E1,
}
use Event::*;

/// The reachable states of the second region; the first is in `s4` or `s6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Second {
    S7,
    ProcessS0,
    ProcessS1,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Worker {
    Vacation,
    Work { in_s6: bool, second: Second },
}

struct Figure {
    b: usize,
}

// Object 0 is the worker, object 1 takes its messages.
impl Machines for Figure {
    type Event = Event;
    type Body = Worker;

    fn initial(&self) -> Worker {
        Worker::Work {
            in_s6: false,
            second: Second::S7,
        }
    }

    fn threads(&self) -> Vec<Vec<Object>> {
        vec![vec![0], vec![1]]
    }

    fn environment(&self) -> Vec<(Object, Event)> {
        vec![(0, Er), (0, EvV), (0, EvW)]
    }

    fn fire(&self, &worker: &Worker, object: Object, event: Option<Event>) -> Vec<Firing<Self>> {
        if object == 1 {
            return if event == Some(E1) {
                vec![(worker, vec![])]
            } else {
                vec![]
            };
        }
        match (worker, event) {
            (Worker::Vacation, Some(EvW)) => vec![(self.initial(), vec![])],
            (Worker::Work { .. }, Some(EvV)) => vec![(Worker::Vacation, vec![])],
            (
                Worker::Work {
                    in_s6,
                    second: Second::ProcessS0,
                },
                Some(Er),
            ) if self.b == 0 => {
                vec![(
                    Worker::Work {
                        in_s6,
                        second: Second::ProcessS1,
                    },
                    vec![],
                )]
            }
            (Worker::Work { in_s6, second }, None) => {
                let mut firings = Vec::new();
                if !in_s6 {
                    firings.push((
                        Worker::Work {
                            in_s6: true,
                            second,
                        },
                        vec![],
                    ));
                }
                if second == Second::S7 {
                    firings.push((
                        Worker::Work {
                            in_s6,
                            second: Second::ProcessS0,
                        },
                        vec![(1, E1)],
                    ));
                }
                firings
            }
            _ => vec![],
        }
    }
}

fn explore(constants: &Constants) -> Findings {
    let machines = Figure {
        b: constants.get("B", 0),
    };
    let semantics = Semantics {
        machines,
        environment: Environment::Lazy,
        capacity: 2,
    };
    walk(&Judged {
        semantics,
        properties: |_, state| {
            let second = |states: &[Second]| matches!(state.body, Worker::Work { second, .. } if states.contains(&second));
            let in_s4 = matches!(state.body, Worker::Work { in_s6: false, .. });
            vec![
                ("er_is_never_taken", !second(&[Second::ProcessS1])),
                (
                    "processing_alone",
                    !(second(&[Second::ProcessS0, Second::ProcessS1]) && in_s4),
                ),
            ]
        },
    })
}

#[test]
fn figure_2_1() {
    judge("figure_2_1/figure_2_1", explore);
}
