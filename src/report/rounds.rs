//! Why a counterexample was not real: the abstract run and the concrete one side by side.

use super::Report;
use super::narrative::wrap;
use super::wording::{headline, variables};
use crate::evidence::{RoundFigures, Spurious};
use crate::model::Model;
use crate::semantics::Configuration;

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
        lines.push("  so these are told apart from now on:".to_owned());
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
        return wrap("  ", &format!("{name} is not real: at step {step} {why}"));
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
    let Some(known) = known else {
        return Vec::new();
    };
    let old = variables(model, before);
    let new = variables(model, known);
    let real = concrete.map(|concrete| variables(model, concrete));
    let mut lines = Vec::new();
    for (index, (old, new)) in old.iter().zip(&new).enumerate() {
        let real = real.as_ref().map(|real| &real[index]);
        let differs = real.is_some_and(|real| !new.value.may_be(real.value));
        if old.value == new.value && !differs {
            continue;
        }
        let shown = model.show(new.value, &new.ty);
        let truth = match real {
            Some(real) if real.value == new.value => String::new(),
            Some(real) if differs => format!(", but in truth {}", model.show(real.value, &real.ty)),
            Some(real) => format!(", in truth {}", model.show(real.value, &real.ty)),
            None => String::new(),
        };
        lines.push(format!("{} = {shown}{truth}", new.name));
    }
    lines
}
