//! Traces: a run of the concrete model, replayed step by step by the reference semantics.

use std::fmt;

use crate::csm::{Configuration, Event, Fault, Precision, Semantics, Sent, Step, Successor};
use crate::lang::{ChoiceId, Type, Value};
use crate::system::Target;

/// A run that ends in a violation, or wherever it was left.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What was before anything was entered.
    pub blank: Configuration,
    /// The first one brings the system into being.
    pub steps: Vec<TraceStep>,
    /// The property that it violates, of `Model::properties`, and how.
    pub violates: Option<(usize, Option<Fault>)>,
}

#[derive(Clone, Debug)]
pub struct TraceStep {
    pub step: Step,
    /// `None` if the step failed.
    pub after: Option<Configuration>,
    pub sent: Vec<Sent>,
    pub branches: Vec<(ChoiceId, usize)>,
    pub chosen: Vec<(Value, Type)>,
    pub fault: Option<Fault>,
}

/// A trace that is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// This step, counted from 0 for the start, is not possible there.
    Impossible(usize),
    /// All steps are possible, but the property holds at the end.
    Harmless,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Impossible(step) => write!(f, "step {step} is not possible"),
            ReplayError::Harmless => f.write_str("the property is not violated at its end"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The program itself is wrong: a search gave a trace that the reference semantics refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError(pub String);

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InternalError {}

impl Trace {
    /// Steps of the system; coming into being is none.
    pub fn length(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// How many run-to-completion steps were completed.
    pub fn completed_steps(&self) -> usize {
        self.steps.iter().map(|step| ends_in(&step.step)).sum()
    }

    /// The configuration before a step.
    pub fn before(&self, index: usize) -> &Configuration {
        let reached = self.steps[..index]
            .iter()
            .rev()
            .find_map(|step| step.after.as_ref());
        reached.unwrap_or(&self.blank)
    }
}

/// How many run-to-completion steps end in a step, which may be a whole one.
fn ends_in(step: &Step) -> usize {
    match &step.event {
        Event::EndOfStep { .. } => 1,
        Event::Whole(parts) => parts.iter().map(ends_in).sum(),
        _ => 0,
    }
}

/// Makes the steps again. With a property, the last one must violate it.
pub fn replay<P: Precision>(
    semantics: &Semantics<'_, P>,
    steps: &[Step],
    property: Option<usize>,
) -> Result<Trace, ReplayError> {
    let mut trace = Trace {
        blank: Configuration::blank(semantics.model()),
        steps: Vec::new(),
        violates: None,
    };
    for (index, step) in steps.iter().enumerate() {
        let starts = step.event == Event::Start;
        let at = match trace.steps.last() {
            None if starts => Some(&trace.blank),
            Some(TraceStep { after, .. }) if !starts => after.as_ref(), // none after a failed step
            _ => None,
        };
        let made = at.and_then(|at| again(semantics, at, step));
        let successor = made.ok_or(ReplayError::Impossible(index))?;
        trace.steps.push(TraceStep::from(successor));
    }
    if let Some(property) = property {
        trace.violates = Some((property, conviction(semantics, &trace, property)?));
    }
    Ok(trace)
}

/// A step replayed. Where whole steps are one, only all of them tell which are whole.
fn again<P: Precision>(
    semantics: &Semantics<'_, P>,
    at: &Configuration,
    step: &Step,
) -> Option<Successor> {
    let whole_steps = semantics
        .model()
        .runs_to_completion()
        .is_some_and(|options| options.atomic_steps);
    if whole_steps && step.event != Event::Start {
        let mut possible = semantics.successors(at).into_iter();
        return possible.find(|successor| successor.step == *step);
    }
    let made = semantics.retrace(at, step).map(|(successor, _)| successor);
    made.or_else(|| {
        // A choice among too many values is a fault only as long as nobody has chosen.
        let possible = match step.event {
            Event::Start => semantics.initial(),
            _ => semantics.successors(at),
        };
        possible.into_iter().find(|made| made.step == *step)
    })
}

/// How the end of a trace violates a property.
fn conviction<P: Precision>(
    semantics: &Semantics<'_, P>,
    trace: &Trace,
    property: usize,
) -> Result<Option<Fault>, ReplayError> {
    let last = trace.steps.last().ok_or(ReplayError::Harmless)?;
    if let Some(fault) = &last.fault
        && semantics.blamed(fault).contains(&property)
    {
        return Ok(Some(fault.clone()));
    }
    let end = last.after.as_ref().ok_or(ReplayError::Harmless)?;
    let verdicts = semantics.judge(end, &semantics.successors(end));
    let mut faults = verdicts.faults.into_iter();
    let found = faults.find(|found| found.property == property);
    found.map(|found| found.fault).ok_or(ReplayError::Harmless)
}

impl From<Successor> for TraceStep {
    fn from(successor: Successor) -> TraceStep {
        TraceStep {
            step: successor.step,
            after: match successor.result {
                Target::State(configuration) => Some(configuration),
                Target::Error | Target::Bounded | Target::Truncated => None,
            },
            sent: successor.sent,
            branches: successor.branches,
            chosen: successor.chosen,
            fault: successor.fault,
        }
    }
}
