//! Why a counterexample was not real: the abstract run and the concrete one side by side.

use serde::Serialize;

use super::Report;
use super::narrative::wrap;
use crate::csm::Configuration;
use crate::evidence::{RoundFigures, Spurious};
use crate::lang::Model;
use crate::words::{headline, variables};

/// All rounds of a refinement; nothing where there was none.
pub fn explain(report: &Report<'_>) -> String {
    let Some(refinement) = &report.findings.refinement else {
        return String::new();
    };
    let rounds = refinement.rounds.iter().zip(1..);
    let told = rounds.map(|(round, number)| explain_round(report.model, number, round));
    told.collect::<Vec<_>>().join("\n") + "\n"
}

fn explain_round(model: &Model, number: usize, round: &RoundFigures) -> String {
    let seconds = round.elapsed.as_secs_f64();
    let mut lines = vec![format!(
        "Round {number}: {} states, {seconds:.2} s",
        round.states
    )];
    for spurious in &round.spurious {
        lines.extend(story(model, spurious));
    }
    if !round.splits.is_empty() {
        lines.push("  so these partitions are refined:".to_owned());
        for split in &round.splits {
            lines.extend(wrap("    ", split));
        }
    }
    lines.join("\n") + "\n"
}

fn story(model: &Model, spurious: &Spurious) -> Vec<String> {
    let name = &model.properties[spurious.property].name;
    let Some(runs) = &spurious.runs else {
        let (step, why) = (spurious.parted_at, &spurious.why);
        return wrap("  ", &format!("{name} is spurious: at step {step} {why}"));
    };
    let mut lines = vec![format!(
        "  an abstract run violates {name}; the concrete run beside it does not"
    )];
    for (index, step) in runs.trace.steps.iter().enumerate() {
        let is_parting = index == spurious.parted_at;
        if index > spurious.parted_at {
            let left = runs.trace.steps.len() - index;
            lines.push(format!("        ... {left} more in the abstract run only"));
            break;
        }
        if let Some(relevant) = runs.relevant.get(index).filter(|names| !names.is_empty()) {
            lines.extend(wrap("        relevant: ", &relevant.join(", ")));
        }
        let mark = if is_parting { "->" } else { "  " };
        lines.extend(wrap(
            &format!("{mark}{index:>4}  "),
            &headline(model, &step.step.event),
        ));
        let known = step.after.as_ref();
        let concrete = runs.concrete.get(index).and_then(Option::as_ref);
        for line in changes(model, runs.trace.before(index), known, concrete) {
            lines.extend(wrap("        ", &line));
        }
        if is_parting {
            lines.extend(wrap("        here they part: ", &spurious.why));
        }
    }
    lines
}

/// What a step changed, as both runs see it: `waited = 1..9, in truth 1`.
fn changes(
    model: &Model,
    before: &Configuration,
    known: Option<&Configuration>,
    concrete: Option<&Configuration>,
) -> Vec<String> {
    let seen = sights(model, before, known, concrete).into_iter();
    let line = |sight: Sight| {
        let truth = match sight.truth {
            Some(truth) if truth == sight.known => String::new(),
            Some(truth) if sight.differs => format!(", but in truth {truth}"),
            Some(truth) => format!(", in truth {truth}"),
            None => String::new(),
        };
        format!("{} = {}{truth}", sight.name, sight.known)
    };
    seen.map(line).collect()
}

/// A variable as the abstract run knows it, and as the concrete one has it.
#[derive(Serialize)]
pub struct Sight {
    pub name: String,
    pub known: String,
    /// None where there is no concrete run any more.
    pub truth: Option<String>,
    /// What is known is wrong.
    pub differs: bool,
}

/// The variables that a step changed, or that are not what they are known to be.
pub(super) fn sights(
    model: &Model,
    before: &Configuration,
    known: Option<&Configuration>,
    concrete: Option<&Configuration>,
) -> Vec<Sight> {
    let Some(known) = known else {
        return Vec::new();
    };
    let old = variables(model, before);
    let new = variables(model, known);
    let real = concrete.map(|concrete| variables(model, concrete));
    let mut sights = Vec::new();
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        let real = real.as_ref().map(|real| &real[index]);
        let differs = real.is_some_and(|real| !new.value.may_be(real.value));
        if old.value != new.value || differs {
            sights.push(Sight {
                known: model.show(new.value, &new.ty),
                truth: real.map(|real| model.show(real.value, &real.ty)),
                name: new.name,
                differs,
            });
        }
    }
    sights
}
