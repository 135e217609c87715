//! A pipeline of stages with one-place connectors; item 0 tells a stage to stop.

use crate::independent::expected::{Constants, judge};
use crate::independent::walk::{Findings, Step, System, walk};

struct Pipeline {
    stages: usize,
    items: usize,
    /// A stage ends on any item that is not 0.
    negation_dropped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Taking,
    Holding(usize),
    Giving(usize),
    Stopping,
    Leaving,
    Ended,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Feeder {
    Adding(usize),
    Stopping,
    Ended,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    feeder: Feeder,
    stop_called: bool,
    stage: Vec<Stage>,
    listener_ended: bool,
    connector: Vec<Option<usize>>,
}

impl Pipeline {
    fn feed(&self, state: &State) -> Option<State> {
        let mut next = state.clone();
        match state.feeder {
            Feeder::Adding(sent) if sent == self.items => {
                next.feeder = Feeder::Stopping;
                next.stop_called = true;
            }
            Feeder::Adding(sent) => {
                put(&mut next.connector[0], sent + 1)?;
                next.feeder = Feeder::Adding(sent + 1);
            }
            Feeder::Stopping => {
                put(&mut next.connector[0], 0)?;
                next.feeder = Feeder::Ended;
            }
            Feeder::Ended => return None,
        }
        Some(next)
    }

    fn stage(&self, state: &State, i: usize) -> Option<Step<State>> {
        let mut next = state.clone();
        next.stage[i] = match state.stage[i] {
            Stage::Taking => Stage::Holding(next.connector[i].take()?),
            Stage::Holding(item) if (item == 0) == self.negation_dropped => Stage::Giving(item),
            Stage::Holding(_) => Stage::Stopping,
            Stage::Giving(item) => {
                put(&mut next.connector[i + 1], item)?;
                Stage::Taking
            }
            Stage::Stopping => {
                put(&mut next.connector[i + 1], 0)?;
                Stage::Leaving
            }
            Stage::Leaving if !state.stop_called => return Some(Step::Fault("assertion_failure")),
            Stage::Leaving => Stage::Ended,
            Stage::Ended => return None,
        };
        Some(Step::To(next))
    }

    fn listen(&self, state: &State) -> Option<State> {
        if state.listener_ended {
            return None;
        }
        let mut next = state.clone();
        next.listener_ended = next.connector[self.stages].take()? == 0;
        Some(next)
    }
}

fn put(connector: &mut Option<usize>, item: usize) -> Option<()> {
    if connector.is_some() {
        return None;
    }
    *connector = Some(item);
    Some(())
}

impl System for Pipeline {
    type State = State;

    fn initial(&self) -> State {
        State {
            feeder: Feeder::Adding(0),
            stop_called: false,
            stage: vec![Stage::Taking; self.stages],
            listener_ended: false,
            connector: vec![None; self.stages + 1],
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let ends = self
            .feed(state)
            .into_iter()
            .chain(self.listen(state))
            .map(Step::To);
        ends.chain((0..self.stages).filter_map(|i| self.stage(state, i)))
            .collect()
    }

    fn may_rest(&self, state: &State) -> bool {
        let stages_ended = state.stage.iter().all(|&stage| stage == Stage::Ended);
        state.feeder == Feeder::Ended && state.listener_ended && stages_ended
    }
}

fn explore(constants: &Constants, negation_dropped: bool) -> Findings {
    let stages = constants.get("STAGES", 2);
    walk(&Pipeline {
        stages,
        items: constants.get("ITEMS", 2),
        negation_dropped,
    })
}

#[test]
fn correct() {
    judge("pipeline/correct", |constants| explore(constants, false));
}

#[test]
fn negation_dropped() {
    judge("pipeline/negation_dropped", |constants| {
        explore(constants, true)
    });
}
