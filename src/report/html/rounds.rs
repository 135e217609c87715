//! The rounds of a refinement for the page: what each cost, and why its counterexamples were not
//! real.

use serde::Serialize;

use crate::csm::Configuration;
use crate::evidence::{Refinement, RoundFigures, Runs, Spurious};
use crate::lang::Model;
use crate::report::rounds::{Sight, sights};
use crate::words::{active, headline};

#[derive(Serialize)]
pub struct RefinementView {
    pub rounds: Vec<RoundView>,
    /// What is told apart at the end.
    pub precision: Vec<String>,
    pub assumptions: Vec<String>,
    /// Properties whose abstract counterexamples had no guesses.
    pub choose_free: Vec<usize>,
}

#[derive(Serialize)]
pub struct RoundView {
    pub states: u64,
    pub transitions: u64,
    pub seconds: f64,
    pub splits: Vec<String>,
    pub spurious: Vec<SpuriousView>,
}

#[derive(Serialize)]
pub struct SpuriousView {
    pub property: usize,
    pub parted_at: usize,
    pub why: String,
    /// Forgotten for the first rounds of a long refinement.
    pub steps: Option<Vec<AbstractStepView>>,
}

/// A step of the abstract run, and what the concrete run beside it came to.
#[derive(Serialize)]
pub struct AbstractStepView {
    pub summary: String,
    pub relevant: Vec<String>,
    pub variables: Vec<Sight>,
    /// Objects that changed their state: name, state in the abstract run, state in the concrete one.
    pub states: Vec<(String, String, Option<String>)>,
    /// The concrete run came here.
    pub concrete: bool,
}

pub fn refinement_view(model: &Model, refinement: &Refinement) -> RefinementView {
    let rounds = refinement.rounds.iter();
    RefinementView {
        rounds: rounds.map(|round| round_view(model, round)).collect(),
        precision: refinement.precision.clone(),
        assumptions: refinement.assumptions.clone(),
        choose_free: refinement.choose_free.clone(),
    }
}

fn round_view(model: &Model, round: &RoundFigures) -> RoundView {
    RoundView {
        states: round.states,
        transitions: round.transitions,
        seconds: round.elapsed.as_secs_f64(),
        splits: round.splits.clone(),
        spurious: round
            .spurious
            .iter()
            .map(|spurious| spurious_view(model, spurious))
            .collect(),
    }
}

fn spurious_view(model: &Model, spurious: &Spurious) -> SpuriousView {
    let steps = |runs: &Runs| {
        let numbers = 0..runs.trace.steps.len();
        numbers
            .map(|index| step_view(model, runs, index))
            .collect::<Vec<_>>()
    };
    SpuriousView {
        property: spurious.property,
        parted_at: spurious.parted_at,
        why: spurious.why.clone(),
        steps: spurious.runs.as_ref().map(steps),
    }
}

fn step_view(model: &Model, runs: &Runs, index: usize) -> AbstractStepView {
    let step = &runs.trace.steps[index];
    let before = runs.trace.before(index);
    let known = step.after.as_ref();
    let concrete = runs.concrete.get(index).and_then(Option::as_ref);
    AbstractStepView {
        summary: headline(model, &step.step.event),
        relevant: runs.relevant.get(index).cloned().unwrap_or_default(),
        variables: sights(model, before, known, concrete),
        states: known.map_or(Vec::new(), |known| moved(model, before, known, concrete)),
        concrete: concrete.is_some(),
    }
}

fn moved(
    model: &Model,
    before: &Configuration,
    known: &Configuration,
    concrete: Option<&Configuration>,
) -> Vec<(String, String, Option<String>)> {
    let all = model.object_ids().map(|id| {
        let truth = concrete.map(|concrete| active(model, concrete, id));
        let (old, new) = (active(model, before, id), active(model, known, id));
        let is_told = old != new || truth.as_ref().is_some_and(|truth| *truth != new);
        is_told.then(|| (model.object(id).name.clone(), new, truth))
    });
    all.flatten().collect()
}
