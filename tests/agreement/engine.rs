//! The engine that is held to the reference: the one place that knows how it is called.

use crisol::explore::{Budget, Exploration, Goal, Parallel};
use crisol::import::dve::Program;
use crisol::model::Model;
use crisol::semantics::{Semantics, Step};
use crisol::system::{DveStep, DveSystem, Reference};

pub fn engine(model: &Model, threads: usize, goal: &Goal, budget: &Budget) -> Exploration<Step> {
    let semantics = Semantics::exact(model);
    let system = Reference::new(&semantics);
    let explored = Parallel.explore(&system, goal, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

/// The same for DVE programs.
pub fn dve_engine(
    program: &Program,
    threads: usize,
    goal: &Goal,
    budget: &Budget,
) -> Exploration<DveStep> {
    let system = DveSystem::new(program);
    let explored = Parallel.explore(&system, goal, &with(threads, budget), &mut |_| {});
    explored.expect("small states can be packed").exploration
}

fn with(threads: usize, budget: &Budget) -> Budget {
    Budget {
        threads: Some(threads),
        ..budget.clone()
    }
}
