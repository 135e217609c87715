//! The engine that is held to the reference: the one place that knows how it is called.

use crisol::explore::{Budget, Exploration, Explorer, Goal, Sequential};
use crisol::import::dve::Program;
use crisol::model::Model;
use crisol::semantics::{Semantics, Step};
use crisol::system::{DveStep, DveSystem, Reference};

/// As long as there is no other engine, the reference agrees with itself.
pub fn engine(model: &Model, _threads: usize, goal: &Goal, budget: &Budget) -> Exploration<Step> {
    let semantics = Semantics::exact(model);
    let system = Reference::new(&semantics);
    Sequential.explore(&system, goal, budget, &mut |_, _, _| {})
}

/// The same for DVE programs.
pub fn dve_engine(
    program: &Program,
    _threads: usize,
    goal: &Goal,
    budget: &Budget,
) -> Exploration<DveStep> {
    Sequential.explore(&DveSystem::new(program), goal, budget, &mut |_, _, _| {})
}
