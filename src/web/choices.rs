//! The steps that are possible, in words, and which properties each of them leads to a violation of.

use serde::Serialize;

use crate::csm::{Configuration, Exact, Fault, Semantics, Step, Successor};
use crate::evidence::{StepRecord, TraceStep};
use crate::report::step_words;

#[derive(Serialize)]
pub struct ChoiceView {
    pub step: StepRecord,
    pub summary: String,
    /// In the words of the model.
    pub labels: Vec<String>,
    /// What `choose` gives.
    pub chosen: Vec<String>,
    pub object: Option<u32>,
    /// The properties that it violates, or that are violated where it leads.
    pub violates: Vec<usize>,
    /// The run goes on with this one.
    pub taken: bool,
}

/// A violated property, and how.
#[derive(Serialize)]
pub struct Complaint {
    pub property: usize,
    pub text: String,
}

pub fn choices(
    semantics: &Semantics<'_, Exact>,
    possible: Vec<Successor>,
    taken: Option<&Step>,
) -> Vec<ChoiceView> {
    let view = |successor: Successor| {
        let model = semantics.model();
        let words = step_words(model, &successor);
        let is_taken = taken == Some(&successor.step);
        let step = TraceStep::from(successor);
        let found = complaints(semantics, &step);
        ChoiceView {
            object: step.step.event.object().map(|object| object.0),
            step: StepRecord::of(model, &step.step),
            summary: words.summary,
            labels: words.labels,
            chosen: words.chosen,
            violates: found.iter().map(|complaint| complaint.property).collect(),
            taken: is_taken,
        }
    };
    possible.into_iter().map(view).collect()
}

/// What a step, or the configuration that it led to, violates.
pub fn complaints(semantics: &Semantics<'_, Exact>, step: &TraceStep) -> Vec<Complaint> {
    let by_step = step
        .fault
        .iter()
        .flat_map(|fault| by_fault(semantics, fault));
    let there = step
        .after
        .iter()
        .flat_map(|after| in_state(semantics, after));
    by_step.chain(there).collect()
}

fn by_fault(semantics: &Semantics<'_, Exact>, fault: &Fault) -> Vec<Complaint> {
    let blamed = semantics.blamed(fault).into_iter();
    let complaint = |property| Complaint {
        property,
        text: fault.message.clone(),
    };
    blamed.map(complaint).collect()
}

fn in_state(semantics: &Semantics<'_, Exact>, now: &Configuration) -> Vec<Complaint> {
    let verdicts = semantics.judge(now, &semantics.successors(now));
    let complaint = |found: crate::csm::StateFault| Complaint {
        property: found.property,
        text: match found.fault {
            Some(fault) => fault.message,
            None => "does not hold here".to_owned(),
        },
    };
    verdicts.faults.into_iter().map(complaint).collect()
}
