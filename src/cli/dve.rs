//! `crisol check` and `crisol count` on DVE models.

use std::path::Path;
use std::time::Instant;

use crisol::checker::{CheckUntil, peak_memory_bytes};
use crisol::dve::{DVE_PROPERTIES, DveState, DveStep, DveSystem, Program, read_with};
use crisol::evidence::StepRecord;
use crisol::lang::SourceFile;
use crisol::report::{
    ChangeDocument, Document, DveMove, PropertyDocument, RegionDocument, SCHEMA, StepDocument,
    TraceDocument, at_standard_width, dve_changes, dve_headline, dve_story, region, verdict_style,
};
use crisol::search::{Bfs, Budget, Completion, Exploration, Progress, StopWhen, Violation};
use crisol::system::{PropertyId, System, Target};

use super::load::{Reading, Rejected, read as read_source};
use super::{Failure, print};

pub fn is_dve(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dve")
}

/// An option of a command: its name, whether it was given, and why it can't apply to DVE models.
pub type Unfit = (&'static str, bool, &'static str);

/// To be silent about an option that can't apply would be to promise what it asks for.
pub fn refuse(path: &Path, options: impl IntoIterator<Item = Unfit>) -> Result<(), Failure> {
    match options.into_iter().find(|(_, is_given, _)| *is_given) {
        None => Ok(()),
        Some((name, _, why)) => {
            let path = path.display();
            let message = format!("error: {path} is a DVE model: {name} can't apply, {why}");
            Err(Failure::Input(message))
        }
    }
}

/// The same for a whole command.
pub fn refuse_command(path: &Path, command: &str) -> Result<(), Failure> {
    if !is_dve(path) {
        return Ok(());
    }
    let path = path.display();
    let message = format!("error: {path} is a DVE model: `crisol {command}` is for .csm models");
    Err(Failure::Input(message))
}

/// Reads a program as the options say.
pub fn load(path: &Path, reading: &Reading) -> Result<(SourceFile, Program), Failure> {
    refuse(path, reading.unfit_for_dve())?;
    let source = read_source(path)?;
    let program = read_with(source.text(), &reading.definitions);
    let program = program.map_err(|errors| Rejected::failure(&source, &errors))?;
    Ok((source, program))
}

const AFTER_THE_FIRST: &str = "the search stopped at the first violation";

pub struct DveRun {
    source: SourceFile,
    program: Program,
    /// Those that were asked for, of `DVE_PROPERTIES`.
    properties: Vec<usize>,
    found: Exploration<DveStep>,
    seconds: f64,
    threads: usize,
    engine: Vec<String>,
}

/// Explores a DVE model for these of its properties.
pub fn explore(
    (source, program): (SourceFile, Program),
    budget: &Budget,
    reset_dead: bool,
    properties: &[usize],
    extent: CheckUntil,
    watch: &mut dyn FnMut(Progress),
) -> DveRun {
    let wanted = properties.iter().copied().map(PropertyId).collect();
    let stop_when = match extent {
        CheckUntil::Everything if properties.is_empty() => StopWhen::Counted,
        CheckUntil::Everything => StopWhen::Everything,
        CheckUntil::Decide => StopWhen::Decide(wanted),
        CheckUntil::FirstViolation => StopWhen::FirstOf(wanted),
    };
    let start = Instant::now();
    let system = DveSystem::new(&program);
    let system = if reset_dead {
        system.resetting()
    } else {
        system
    };
    let explored = Bfs::default().explore(&system, &stop_when, budget, watch);
    let engine = explored.engine.lines(explored.exploration.states);
    let found = explored.exploration;
    let seconds = start.elapsed().as_secs_f64();
    DveRun {
        source,
        program,
        properties: properties.to_vec(),
        found,
        seconds,
        threads: budget.threads(),
        engine,
    }
}

impl DveRun {
    /// What the engine tells about itself.
    pub fn engine(&self) -> &[String] {
        &self.engine
    }

    pub fn is_complete(&self) -> bool {
        self.found.end == Completion::Complete
    }

    pub fn verdict(&self) -> &'static str {
        let verdicts = self.properties.iter().map(|p| self.verdict_on(*p));
        let verdicts: Vec<&str> = verdicts.collect();
        ["violated", "unknown"]
            .into_iter()
            .find(|verdict| verdicts.contains(verdict))
            .unwrap_or("holds")
    }

    fn violation_of(&self, property: usize) -> Option<&Violation<DveStep>> {
        let mut violations = self.found.violations.iter();
        violations.find(|violation| violation.property.0 == property)
    }

    fn shortest(&self) -> Option<&Violation<DveStep>> {
        let violations = self.properties.iter().filter_map(|p| self.violation_of(*p));
        violations.min_by_key(|violation| violation.steps.len())
    }

    fn verdict_on(&self, property: usize) -> &'static str {
        match (self.violation_of(property), &self.found.end) {
            (Some(_), _) => "violated",
            (None, Completion::Complete) => "holds",
            (None, _) => "unknown",
        }
    }

    fn reason(&self) -> Option<String> {
        match &self.found.end {
            Completion::Stopped(reason) => Some(reason.to_string()),
            _ => None,
        }
    }

    /// The states along a trace, found again by the rules themselves.
    fn states(&self, steps: &[DveStep]) -> Vec<DveState> {
        let system = DveSystem::new(&self.program);
        let mut states: Vec<DveState> = Vec::new();
        for step in steps {
            let transitions = match states.last() {
                None => system.initial(),
                Some(state) => system.expand(state).transitions,
            };
            let taken = transitions
                .into_iter()
                .find(|transition| transition.action == *step);
            match taken.map(|transition| transition.target) {
                Some(Target::State(state)) => states.push(state),
                _ => states.extend(states.last().cloned()), // the step that fails
            }
        }
        states
    }

    pub fn text(&self, all_traces: bool) -> String {
        let mut text = String::new();
        for property in &self.properties {
            let (name, verdict) = (DVE_PROPERTIES[*property], self.verdict_on(*property));
            let style = verdict_style(verdict);
            text += &format!("  {style}{verdict:<9}{style:#} {name}\n");
        }
        let told: Vec<&Violation<DveStep>> = match all_traces {
            true => self
                .properties
                .iter()
                .filter_map(|p| self.violation_of(*p))
                .collect(),
            false => self.shortest().into_iter().collect(),
        };
        for violation in told {
            let name = DVE_PROPERTIES[violation.property.0];
            text += &format!("\n{name}, step by step:\n{}", self.story(violation));
        }
        let verdict = self.verdict();
        let style = verdict_style(verdict);
        text + &format!("\n{}: {style}{verdict}{style:#}\n", self.source.name())
    }

    fn story(&self, violation: &Violation<DveStep>) -> String {
        let states = self.states(&violation.steps);
        let steps = violation.steps.iter().zip(&states);
        let moves = steps.map(|(step, state)| DveMove {
            transitions: &step.0,
            values: &state.values,
        });
        dve_story(&self.program, &moves.collect::<Vec<_>>())
    }

    pub fn show_counts(&self) {
        print(&super::count::counts_table(
            self.source.name(),
            [
                self.found.states,
                self.found.transitions,
                self.found.depth,
                self.found.deadlocks,
            ],
            self.seconds,
            self.reason().as_deref(),
        ));
    }

    pub fn document(&self) -> Document {
        let properties = self.properties.iter();
        Document {
            schema: SCHEMA.to_owned(),
            model: self.source.name().to_owned(),
            verdict: self.verdict().to_owned(),
            reason: self.reason(),
            properties: properties.map(|p| self.property(*p)).collect(),
            states: self.found.states,
            transitions: self.found.transitions,
            depth: self.found.depth,
            deadlocks: self.found.deadlocks,
            seconds: self.seconds,
            peak_memory_bytes: peak_memory_bytes(),
            threads: self.threads,
            rounds: 1,
            complete: self.is_complete(),
            dead_states: None,
            dead_transitions: None,
            refinement: None,
            trace: self.shortest().map(|v| self.trace(v.property.0, &v.steps)),
            diagnostics: Vec::new(),
        }
    }

    fn property(&self, property: usize) -> PropertyDocument {
        let violation = self.violation_of(property);
        let name = DVE_PROPERTIES[property];
        let message = match name {
            "deadlock" => "no process can move",
            "assertion_failure" => "an assertion fails",
            _ => "a value is not there: division by zero, or an index outside of its array",
        };
        let is_unknown = self.verdict_on(property) == "unknown";
        PropertyDocument {
            name: name.to_owned(),
            kind: name.to_owned(),
            verdict: self.verdict_on(property).to_owned(),
            reason: is_unknown.then(|| self.reason().unwrap_or(AFTER_THE_FIRST.to_owned())),
            message: violation.map(|_| message.to_owned()),
            region: None,
            trace_length: violation.map(|violation| violation.steps.len() - 1),
            rtc_steps: None,
            trace: violation.map(|v| self.trace(property, &v.steps)),
            story: violation.map(|violation| at_standard_width(|| self.story(violation))),
        }
    }

    fn regions(&self, step: &DveStep) -> Vec<RegionDocument> {
        let taken = step.0.iter().map(|(process, number)| {
            let transition = &self.program.processes[*process].transitions[*number];
            region(&self.source, transition.span)
        });
        taken.collect()
    }

    fn trace(&self, property: usize, steps: &[DveStep]) -> TraceDocument {
        let states = self.states(steps);
        let documents = steps.iter().enumerate().map(|(number, step)| {
            let before = number.checked_sub(1).map(|index| &states[index].values);
            let before = before.unwrap_or(&states[number].values);
            let changed = dve_changes(&self.program, before, &states[number].values);
            StepDocument {
                number,
                summary: dve_headline(&self.program, &step.0),
                step: StepRecord {
                    event: "dve".to_owned(),
                    transitions: step.0.iter().map(|(_, number)| *number as u32).collect(),
                    ..StepRecord::default()
                },
                variables: changed
                    .into_iter()
                    .map(|(name, before, after)| ChangeDocument {
                        name,
                        before: Some(before.to_string()),
                        after: after.to_string(),
                    })
                    .collect(),
                regions: self.regions(step),
                ..StepDocument::default()
            }
        });
        TraceDocument {
            property: Some(DVE_PROPERTIES[property].to_owned()),
            steps: documents.collect(),
            fault: None,
        }
    }
}
