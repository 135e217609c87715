//! Workers that take work from a pool and put new work into it, until all of them find it empty.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Pool {
    workers: usize,
    /// The work at the start, and how much more may come.
    items: usize,
    fresh: usize,
    /// The workers stop when all but one of them rest.
    off_by_one: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Asking,
    Working,
    Resting,
    Leaving,
    Ended,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    place: Vec<Place>,
    pool: usize,
    fresh: usize,
    idle: usize,
    done: bool,
}

impl Pool {
    fn all_idle(&self, state: &State) -> bool {
        state.idle + usize::from(self.off_by_one) >= self.workers
    }

    /// Every change of the shared variables, and the next place, that worker `i` may make.
    fn steps_of(&self, state: &State, i: usize) -> Vec<Step<State>> {
        let go = |place, change: &dyn Fn(&mut State)| {
            let mut next = state.clone();
            next.place[i] = place;
            change(&mut next);
            Step::To(next)
        };
        match state.place[i] {
            Place::Asking if state.done => vec![go(Place::Leaving, &|_| ())],
            Place::Asking if state.pool > 0 => vec![go(Place::Working, &|next| next.pool -= 1)],
            Place::Asking => vec![go(Place::Resting, &|next| next.idle += 1)],
            Place::Working => {
                let produce = |made| {
                    go(Place::Asking, &|next| {
                        (next.pool, next.fresh) = (state.pool + made, state.fresh - made)
                    })
                };
                let finish = go(Place::Asking, &|next| next.done = true);
                (0..=state.fresh).map(produce).chain([finish]).collect()
            }
            Place::Resting => {
                let mut steps = Vec::new();
                if !state.done && state.pool > 0 {
                    steps.push(go(Place::Asking, &|next| next.idle -= 1));
                }
                if state.done || self.all_idle(state) {
                    steps.push(go(Place::Leaving, &|_| ()));
                }
                steps
            }
            Place::Leaving if state.pool > 0 && !state.done => {
                vec![Step::Fault("assertion_failure")]
            }
            Place::Leaving => vec![go(Place::Ended, &|_| ())],
            Place::Ended => Vec::new(),
        }
    }
}

impl System for Pool {
    type State = State;

    fn initial(&self) -> State {
        let place = vec![Place::Asking; self.workers];
        State {
            place,
            pool: self.items,
            fresh: self.fresh,
            idle: 0,
            done: false,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        (0..self.workers)
            .flat_map(|i| self.steps_of(state, i))
            .collect()
    }

    fn may_rest(&self, state: &State) -> bool {
        state.place.iter().all(|&place| place == Place::Ended)
    }
}

fn explore(constants: &Constants, off_by_one: bool) -> Findings {
    let workers = constants.get("WORKERS", 3);
    let items = constants.get("ITEMS", 2);
    walk(&Pool {
        workers,
        items,
        fresh: constants.get("FRESH", 2),
        off_by_one,
    })
}

#[test]
fn correct() {
    judge("replicated_workers/correct", |constants| {
        explore(constants, false)
    });
}

#[test]
fn off_by_one() {
    judge("replicated_workers/off_by_one", |constants| {
        explore(constants, true)
    });
}
