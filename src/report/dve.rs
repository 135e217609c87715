//! Runs of DVE programs as stories and as documents: who moved where, and what changed.

use super::document::{ChangeDocument, FaultDocument, InboxDocument, StepDocument, TraceDocument};
use super::excerpt::{excerpt, place, region};
use super::narrative::wrap;
use super::told::{Property, Told};
use crate::dve::{ARITHMETIC_FAULT, ASSERTION_FAILURE, DVE_PROPERTIES, DveState, DveStep, Program};
use crate::evidence::{Run, StepRecord};
use crate::lang::{SourceFile, Span};
use crate::system::PropertyId;
use crate::words::dve_headline;

type Trace = Run<DveState, DveStep>;

/// One step: who moved where, and what changed; at the start, where everybody is.
pub fn dve_step(program: &Program, trace: &Trace, index: usize) -> Vec<String> {
    let (step, after) = &trace.steps[index];
    let mut lines = wrap(&format!("{index:>4}  "), &dve_headline(program, &step.0));
    let detail = "        ";
    let Some(after) = after else {
        return lines;
    };
    match trace.before(index) {
        None => {
            for (process, state) in program.processes.iter().zip(&after.processes) {
                let state = &process.states[*state as usize].name;
                lines.extend(wrap(detail, &format!("{} in {state}", process.name)));
            }
        }
        Some(before) => {
            for (name, old, new) in numbers(program, before, after) {
                lines.extend(wrap(detail, &format!("{name} = {new}  (was {old})")));
            }
            for (name, waiting) in queues(program, Some(before), after) {
                lines.extend(wrap(
                    detail,
                    &format!("{name}: {}", shown(waiting).join(", ")),
                ));
            }
        }
    }
    lines
}

/// A step as one of several to choose from.
pub fn dve_choice_line(program: &Program, number: usize, step: &DveStep) -> Vec<String> {
    wrap(&format!("{number:>4}  "), &dve_headline(program, &step.0))
}

/// Everything about a state.
pub fn dve_state_lines(program: &Program, state: &DveState) -> Vec<String> {
    let mut lines = Vec::new();
    for (process, at) in program.processes.iter().zip(&state.processes) {
        let at = &process.states[*at as usize].name;
        lines.extend(wrap("      ", &format!("{} in {at}", process.name)));
    }
    let slots = 0..program.slots.len();
    let values =
        slots.map(|slot| format!("{} = {}", program.name_of_slot(slot), state.values[slot]));
    let values: Vec<String> = values.collect();
    if !values.is_empty() {
        lines.extend(wrap("      ", &values.join(", ")));
    }
    for (name, waiting) in queues(program, None, state) {
        lines.extend(wrap(
            "      ",
            &format!("{name}: {}", shown(waiting).join(", ")),
        ));
    }
    lines
}

/// Variables that differ: name, before, after.
fn numbers(program: &Program, before: &DveState, after: &DveState) -> Vec<(String, i32, i32)> {
    let pairs = before.values.iter().zip(&after.values).enumerate();
    let changed = pairs.filter(|(_, (old, new))| old != new);
    changed
        .map(|(slot, (old, new))| (program.name_of_slot(slot), *old, *new))
        .collect()
}

/// Channels that hold something else than before, or anything at all.
fn queues<'p, 's>(
    program: &'p Program,
    before: Option<&DveState>,
    after: &'s DveState,
) -> Vec<(&'p str, &'s [Vec<i32>])> {
    let all = program.channels.iter().zip(&after.channels).enumerate();
    let differs = |channel: usize, now: &Vec<Vec<i32>>| match before {
        Some(before) => before.channels[channel] != *now,
        None => !now.is_empty(),
    };
    all.filter(|(number, (_, now))| differs(*number, now))
        .map(|(_, (channel, now))| (channel.name.as_str(), now.as_slice()))
        .collect()
}

/// `(1, 2)`, `3`, `()`
pub(super) fn shown(messages: &[Vec<i32>]) -> Vec<String> {
    let message = |values: &Vec<i32>| match &values[..] {
        [value] => value.to_string(),
        values => {
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            format!("({})", values.join(", "))
        }
    };
    messages.iter().map(message).collect()
}

impl Told for Program {
    type Trace = Trace;

    fn property(&self, property: usize) -> Property<'_> {
        let name = DVE_PROPERTIES[property];
        Property {
            name,
            kind: name,
            span: None,
        }
    }

    fn ends_runs(&self, property: usize) -> bool {
        PropertyId(property) == ARITHMETIC_FAULT
    }

    fn narrate(&self, source: &SourceFile, trace: &Trace) -> String {
        let mut lines: Vec<String> = Vec::new();
        for index in 0..trace.steps.len() {
            lines.extend(dve_step(self, trace, index));
        }
        if let Some(property) = trace.violates {
            let name = DVE_PROPERTIES[property];
            let sentence = format!("{name}: {}.", self.conclusion(source, trace));
            lines.push(String::new());
            lines.extend(wrap("      ", &sentence));
            let blamed = self.blamed(trace).map(|span| excerpt(source, span));
            lines.extend(
                blamed
                    .into_iter()
                    .flatten()
                    .map(|line| format!("    {line}")),
            );
        }
        lines.join("\n") + "\n"
    }

    fn conclusion(&self, source: &SourceFile, trace: &Trace) -> String {
        let at = self.blamed(trace).map(|span| place(source, span));
        let at = at.map(|place| format!(" ({place})")).unwrap_or_default();
        match trace.violates.map(PropertyId) {
            Some(ASSERTION_FAILURE) => format!("an assertion does not hold here{at}"),
            Some(ARITHMETIC_FAULT) => {
                format!("division by zero, or an index outside of its array{at}")
            }
            _ => "no process can move".to_owned(),
        }
    }

    fn blamed(&self, trace: &Trace) -> Option<Span> {
        match trace.violates.map(PropertyId) {
            Some(ASSERTION_FAILURE) => self.broken_assertion(trace.now()?),
            Some(ARITHMETIC_FAULT) => {
                let (step, _) = trace.steps.last()?;
                let (process, number) = step.0.first()?;
                Some(self.processes[*process].transitions[*number].span)
            }
            _ => None,
        }
    }

    fn trace_document(&self, source: &SourceFile, trace: &Trace) -> TraceDocument {
        let fails = trace
            .violates
            .is_some_and(|p| PropertyId(p) == ARITHMETIC_FAULT);
        TraceDocument {
            property: trace
                .violates
                .map(|property| DVE_PROPERTIES[property].to_owned()),
            steps: (0..trace.steps.len())
                .map(|index| step_document(source, self, trace, index))
                .collect(),
            fault: fails.then(|| FaultDocument {
                kind: DVE_PROPERTIES[ARITHMETIC_FAULT.0].to_owned(),
                object: who_moved(self, trace),
                message: self.conclusion(source, trace),
                place: self.blamed(trace).map(|span| place(source, span)),
            }),
        }
    }
}

/// The process that begins the last step.
fn who_moved(program: &Program, trace: &Trace) -> String {
    let last = trace.steps.last().and_then(|(step, _)| step.0.first());
    last.map(|(process, _)| program.processes[*process].name.clone())
        .unwrap_or_default()
}

fn step_document(
    source: &SourceFile,
    program: &Program,
    trace: &Trace,
    index: usize,
) -> StepDocument {
    let (step, after) = &trace.steps[index];
    let before = trace.before(index);
    let after = after.as_ref();
    let taken = step.0.iter().map(|(process, number)| {
        let process = &program.processes[*process];
        (process, &process.transitions[*number])
    });
    StepDocument {
        number: index,
        summary: dve_headline(program, &step.0),
        step: StepRecord::of_dve(program, step),
        labels: taken
            .clone()
            .map(|(process, transition)| {
                let name = |state: usize| &process.states[state].name;
                format!("{} -> {}", name(transition.from), name(transition.to))
            })
            .collect(),
        states: after.map_or_else(Vec::new, |after| states(program, before, after)),
        variables: after.map_or_else(Vec::new, |after| variables(program, before, after)),
        inboxes: after.map_or_else(Vec::new, |after| inboxes(program, before, after)),
        regions: taken
            .map(|(_, transition)| region(source, transition.span))
            .collect(),
        ..StepDocument::default()
    }
}

fn states(program: &Program, before: Option<&DveState>, after: &DveState) -> Vec<ChangeDocument> {
    let name = |process: usize, state: &DveState| {
        let process_states = &program.processes[process].states;
        process_states[state.processes[process] as usize]
            .name
            .clone()
    };
    let processes = program.processes.iter().enumerate();
    let all = processes.map(|(number, process)| ChangeDocument {
        name: process.name.clone(),
        before: before.map(|before| name(number, before)),
        after: name(number, after),
    });
    all.filter(|change| change.before.as_ref() != Some(&change.after))
        .collect()
}

fn variables(
    program: &Program,
    before: Option<&DveState>,
    after: &DveState,
) -> Vec<ChangeDocument> {
    let all = after
        .values
        .iter()
        .enumerate()
        .map(|(slot, value)| ChangeDocument {
            name: program.name_of_slot(slot),
            before: before.map(|before| before.values[slot].to_string()),
            after: value.to_string(),
        });
    all.filter(|change| change.before.as_ref() != Some(&change.after))
        .collect()
}

fn inboxes(program: &Program, before: Option<&DveState>, after: &DveState) -> Vec<InboxDocument> {
    let changed = queues(program, before, after).into_iter();
    let document = changed.map(|(name, waiting)| InboxDocument {
        object: name.to_owned(),
        queued: shown(waiting),
        deferred: Vec::new(),
    });
    document.collect()
}
