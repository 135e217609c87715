//! The engine that is held to the reference: the one place that knows how it is called.

use crisol::csm::system::CsmSystem;
use crisol::csm::{Semantics, Step};
use crisol::dve::{DveStep, DveSystem, Program};
use crisol::lang::Model;
use crisol::search::{Bfs, Budget, Exploration, StopWhen};

/// With dead variables reset, or as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    Keep,
    Reset,
}

pub fn engine(
    model: &Model,
    dead: Dead,
    threads: usize,
    stop_when: &StopWhen,
    budget: &Budget,
) -> Exploration<Step> {
    let semantics = Semantics::exact(model);
    let system = match dead {
        Dead::Keep => CsmSystem::new(&semantics),
        Dead::Reset => CsmSystem::new(&semantics).resetting(),
    };
    let explored = Bfs.explore(&system, stop_when, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

/// The same for DVE programs.
pub fn dve_engine(
    program: &Program,
    dead: Dead,
    threads: usize,
    stop_when: &StopWhen,
    budget: &Budget,
) -> Exploration<DveStep> {
    let system = match dead {
        Dead::Keep => DveSystem::new(program),
        Dead::Reset => DveSystem::new(program).resetting(),
    };
    let explored = Bfs.explore(&system, stop_when, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

fn with(threads: usize, budget: &Budget) -> Budget {
    Budget {
        threads: Some(threads),
        ..budget.clone()
    }
}
