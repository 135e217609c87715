//! The engine that is held to the reference: the one place that knows how it is called.

use crisol::csm::system::CsmSystem;
use crisol::csm::{Exact, Semantics, Step};
use crisol::dve::system::DveSystem;
use crisol::dve::{DveStep, Program};
use crisol::lang::Model;
use crisol::search::{Bfs, Budget, Completion, Exploration, StopWhen, Width};
use crisol::system::{Factored, Whole};

/// With dead variables reset, or as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    Keep,
    Reset,
}

pub fn system<'s, 'm>(semantics: &'s Semantics<'m, Exact>, dead: Dead) -> CsmSystem<'s, 'm, Exact> {
    match dead {
        Dead::Keep => CsmSystem::new(semantics),
        Dead::Reset => CsmSystem::new(semantics).resetting(),
    }
}

pub fn dve_system(program: &Program, dead: Dead) -> DveSystem<'_> {
    match dead {
        Dead::Keep => DveSystem::new(program),
        Dead::Reset => DveSystem::new(program).resetting(),
    }
}

pub fn engine(
    model: &Model,
    dead: Dead,
    threads: usize,
    stop_when: &StopWhen,
    budget: &Budget,
) -> Exploration<Step> {
    let semantics = Semantics::exact(model);
    let system = system(&semantics, dead);
    in_both_forms(&system, stop_when, &with(threads, budget))
}

/// The same for DVE programs.
pub fn dve_engine(
    program: &Program,
    dead: Dead,
    threads: usize,
    stop_when: &StopWhen,
    budget: &Budget,
) -> Exploration<DveStep> {
    let system = dve_system(program, dead);
    let found = in_both_forms(&system, stop_when, &with(threads, budget));
    as_a_whole(&system, stop_when, &with(threads, budget), &found);
    found
}

/// A system whose states have no parts must come to the same, too.
fn as_a_whole(
    system: &DveSystem<'_>,
    stop_when: &StopWhen,
    budget: &Budget,
    expected: &Exploration<DveStep>,
) {
    let whole = Whole::new(system);
    let found = Bfs::default().explore(&whole, stop_when, budget, &mut |_| {});
    let found = found.exploration;
    if matches!(expected.end, Completion::Stopped(_)) {
        return;
    }
    assert_eq!(
        (
            found.states,
            found.transitions,
            found.deadlocks,
            &found.levels
        ),
        (
            expected.states,
            expected.transitions,
            expected.deadlocks,
            &expected.levels
        ),
    );
    for (found, expected) in found.violations.iter().zip(&expected.violations) {
        let steps: Vec<&DveStep> = found.steps.iter().map(|made| &made.action).collect();
        assert_eq!(found.property, expected.property);
        assert!(steps.into_iter().eq(&expected.steps));
    }
    assert_eq!(found.violations.len(), expected.violations.len());
}

/// States of a word and trees must come to the same.
fn in_both_forms<S>(system: &S, stop_when: &StopWhen, budget: &Budget) -> Exploration<S::Action>
where
    S: Factored<Action: PartialEq + std::fmt::Debug>,
{
    let [packed, trees] = [Width::AsNeeded, Width::Any].map(|width| {
        let explored = Bfs { width }.explore(system, stop_when, budget, &mut |_| {});
        explored.exploration
    });
    if packed.end != Completion::Complete && packed.end != Completion::GoalMet {
        return packed;
    }
    let counts = |e: &Exploration<S::Action>| (e.states, e.transitions, e.depth, e.deadlocks);
    assert_eq!(counts(&packed), counts(&trees));
    assert_eq!((&packed.end, &packed.levels), (&trees.end, &trees.levels));
    assert_eq!(packed.was_bounded, trees.was_bounded);
    let traces = |exploration: &Exploration<S::Action>| -> Vec<_> {
        let violations = exploration.violations.iter();
        violations
            .map(|v| (v.property, v.steps.clone(), v.is_choose_free))
            .collect()
    };
    assert_eq!(traces(&packed), traces(&trees));
    packed
}

fn with(threads: usize, budget: &Budget) -> Budget {
    Budget {
        threads: Some(threads),
        ..budget.clone()
    }
}
