//! DVE programs on the page: processes are its objects, channels that hold messages its variables.

use std::borrow::Cow;

use super::scene::{ObjectScene, PropertyScene, Scene, VariableScene, line};
use super::shown::Shown;
use super::steps::{ObjectView, RunView, StepView};
use crate::dve::{DVE_PROPERTIES, DveState, DveStep, Program, drawn};
use crate::evidence::{Run, StepRecord};
use crate::lang::{Model, SourceFile, visible};
use crate::report::Told;
use crate::report::dve::shown;
use crate::words::dve_headline;

impl Shown for Program {
    fn scene(&self, source: &SourceFile) -> Scene {
        let processes = self.processes.iter().zip(0..);
        Scene {
            model: visible(source.name()),
            file: visible(source.name()),
            source: source.text().lines().map(visible).collect(),
            classes: self.processes.iter().map(|p| p.name.clone()).collect(),
            objects: processes
                .map(|(process, class)| ObjectScene {
                    name: process.name.clone(),
                    class,
                    queue: String::new(),
                    capacity: 0,
                    line: line(source, process.span),
                })
                .collect(),
            variables: variables(self),
            properties: DVE_PROPERTIES
                .iter()
                .map(|name| PropertyScene {
                    name: (*name).to_owned(),
                    text: String::new(),
                    line: None,
                })
                .collect(),
        }
    }

    fn run_view(&self, source: &SourceFile, trace: &Run<DveState, DveStep>) -> RunView {
        let steps = 0..trace.steps.len();
        RunView {
            property: trace.violates,
            sentence: trace.violates.map(|_| self.conclusion(source, trace)),
            line: self.blamed(trace).map(|span| line(source, span)),
            steps: steps
                .map(|index| step_view(source, self, trace, index))
                .collect(),
        }
    }

    fn drawn(&self, source: &SourceFile) -> Cow<'_, Model> {
        Cow::Owned(drawn(self, source))
    }
}

/// Elements in the order of their slots, then channels.
fn variables(program: &Program) -> Vec<VariableScene> {
    let slots = program.variables.iter().flat_map(|variable| {
        let (_, own) = variable
            .name
            .split_once('.')
            .unwrap_or(("", &variable.name));
        (0..variable.length).map(move |index| VariableScene {
            object: variable.process.map(|process| process as u32),
            name: match variable.is_array {
                true => format!("{own}[{index}]"),
                false => own.to_owned(),
            },
        })
    });
    let channels = program
        .channels
        .iter()
        .filter(|channel| channel.capacity > 0);
    let channels = channels.map(|channel| VariableScene {
        object: None,
        name: channel.name.clone(),
    });
    slots.chain(channels).collect()
}

/// In the order of `variables`.
fn values(program: &Program, state: &DveState) -> Vec<String> {
    let values = state.values.iter().map(i32::to_string);
    let channels = program.channels.iter().zip(&state.channels);
    let channels = channels.filter(|(channel, _)| channel.capacity > 0);
    let waiting = channels.map(|(_, waiting)| shown(waiting).join(", "));
    values.chain(waiting).collect()
}

fn step_view(
    source: &SourceFile,
    program: &Program,
    trace: &Run<DveState, DveStep>,
    index: usize,
) -> StepView {
    let (step, after) = &trace.steps[index];
    let first = step.0.first();
    let taken = step.0.iter();
    let taken = taken.map(|(process, number)| &program.processes[*process].transitions[*number]);
    let mut lines: Vec<usize> = taken.map(|taken| line(source, taken.span)).collect();
    lines.dedup();
    let fails = after.is_none();
    StepView {
        summary: dve_headline(program, &step.0),
        event: StepRecord::of_dve(program, step).event,
        object: first.map(|(process, _)| *process as u32),
        labels: Vec::new(),
        transitions: first
            .map(|(_, number)| *number as u32)
            .into_iter()
            .collect(),
        branches: Vec::new(),
        lines,
        chosen: Vec::new(),
        taken: None,
        sent: Vec::new(),
        fault: fails.then(|| program.conclusion(source, trace)),
        failed: fails,
        objects: after.as_ref().map_or_else(Vec::new, |after| {
            changed_objects(program, trace.before(index), after)
        }),
        variables: after.as_ref().map_or_else(Vec::new, |after| {
            changed_variables(program, trace.before(index), after)
        }),
    }
}

fn changed_objects(
    program: &Program,
    before: Option<&DveState>,
    after: &DveState,
) -> Vec<(u32, ObjectView)> {
    let all = program.processes.iter().zip(&after.processes).enumerate();
    let changed = all
        .filter(|(number, (_, at))| before.is_none_or(|before| before.processes[*number] != **at));
    let view = changed.map(|(number, (process, at))| {
        let view = ObjectView {
            states: vec![*at],
            active: process.states[*at as usize].name.clone(),
            inbox: Vec::new(),
            deferred: Vec::new(),
            given: None,
            busy: false,
        };
        (number as u32, view)
    });
    view.collect()
}

fn changed_variables(
    program: &Program,
    before: Option<&DveState>,
    after: &DveState,
) -> Vec<(u32, String)> {
    let old = before.map(|before| values(program, before));
    let new = values(program, after).into_iter().enumerate();
    let changed = new.filter(|(index, value)| old.as_ref().is_none_or(|old| old[*index] != *value));
    changed
        .map(|(index, value)| (index as u32, value))
        .collect()
}
