//! The engine that is held to the reference: the one place that knows how it is called.

use crisol::explore::{Budget, Exploration, Goal, Parallel};
use crisol::import::dve::Program;
use crisol::model::Model;
use crisol::semantics::{Semantics, Step};
use crisol::system::{DveStep, DveSystem, Reference};

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
    goal: &Goal,
    budget: &Budget,
) -> Exploration<Step> {
    let semantics = Semantics::exact(model);
    let system = match dead {
        Dead::Keep => Reference::new(&semantics),
        Dead::Reset => Reference::new(&semantics).resetting(),
    };
    let explored = Parallel.explore(&system, goal, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

/// The same for DVE programs.
pub fn dve_engine(
    program: &Program,
    dead: Dead,
    threads: usize,
    goal: &Goal,
    budget: &Budget,
) -> Exploration<DveStep> {
    let system = match dead {
        Dead::Keep => DveSystem::new(program),
        Dead::Reset => DveSystem::new(program).resetting(),
    };
    let explored = Parallel.explore(&system, goal, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

fn with(threads: usize, budget: &Budget) -> Budget {
    Budget {
        threads: Some(threads),
        ..budget.clone()
    }
}
