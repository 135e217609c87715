//! `crisol check` and `crisol count` on DVE models.

use std::path::Path;
use std::time::Instant;

use crisol::evidence::StepRecord;
use crisol::explore::{Budget, End, Exploration, Explorer, Goal, Parallel, Progress, Sequential};
use crisol::import::dve::{Program, read};
use crisol::model::{Colour, SourceFile, render};
use crisol::report::{
    ChangeDocument, Document, DveMove, PropertyDocument, SCHEMA, StepDocument, TraceDocument,
    dve_changes, dve_headline, dve_story,
};
use crisol::system::{
    DVE_PROPERTIES, DveState, DveStep, DveSystem, PropertyId, Target, TransitionSystem,
};
use crisol::verify::peak_memory_bytes;

use super::load;
use super::{Failure, print};

pub fn is_dve(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dve")
}

pub struct DveRun {
    source: SourceFile,
    program: Program,
    found: Exploration<DveStep>,
    seconds: f64,
    threads: usize,
    engine: Vec<String>,
}

/// Explores a DVE model; `everything`: also beyond violations.
pub fn explore(
    path: &Path,
    budget: &Budget,
    reset_dead: bool,
    everything: bool,
    watch: &mut dyn FnMut(Progress),
) -> Result<DveRun, Failure> {
    let source = load::read(path)?;
    let program = read(source.text());
    let program =
        program.map_err(|errors| Failure::Input(render(&source, &errors, Colour::Coloured)))?;
    let goal = match everything {
        true => Goal::Everything,
        false => Goal::Decide((0..DVE_PROPERTIES.len()).map(PropertyId).collect()),
    };
    let start = Instant::now();
    let system = DveSystem::new(&program);
    let system = if reset_dead {
        system.resetting()
    } else {
        system
    };
    let mut engine = Vec::new();
    let found = match Parallel.explore(&system, &goal, budget, watch) {
        Some(explored) => {
            engine = explored.engine.lines(explored.exploration.states);
            explored.exploration
        }
        None => Sequential.explore(&system, &goal, budget, &mut |_, _, now| watch(now)),
    };
    let seconds = start.elapsed().as_secs_f64();
    Ok(DveRun {
        source,
        program,
        found,
        seconds,
        threads: budget.threads(),
        engine,
    })
}

impl DveRun {
    /// What the engine tells about itself.
    pub fn engine(&self) -> &[String] {
        &self.engine
    }

    pub fn is_complete(&self) -> bool {
        self.found.end == End::Complete
    }

    pub fn verdict(&self) -> &'static str {
        match (self.found.violations.is_empty(), &self.found.end) {
            (false, _) => "violated",
            (true, End::Complete) => "holds",
            (true, _) => "unknown",
        }
    }

    fn verdict_on(&self, property: usize) -> &'static str {
        let violated = self
            .found
            .violations
            .iter()
            .any(|v| v.property.0 == property);
        match (violated, &self.found.end) {
            (true, _) => "violated",
            (false, End::Complete) => "holds",
            (false, _) => "unknown",
        }
    }

    fn reason(&self) -> Option<String> {
        match &self.found.end {
            End::Stopped(reason) => Some(reason.to_string()),
            _ => None,
        }
    }

    /// The states along a trace, found again by the rules themselves.
    fn states(&self, steps: &[DveStep]) -> Vec<DveState> {
        let system = DveSystem::new(&self.program);
        let mut states: Vec<DveState> = Vec::new();
        for step in steps {
            let edges = match states.last() {
                None => system.initial(),
                Some(state) => system.expand(state).edges,
            };
            let taken = edges.into_iter().find(|edge| edge.step == *step);
            match taken.map(|edge| edge.target) {
                Some(Target::State(state)) => states.push(state),
                _ => states.extend(states.last().cloned()), // the step that fails
            }
        }
        states
    }

    pub fn show(&self) {
        let mut text = String::new();
        for (property, name) in DVE_PROPERTIES.iter().enumerate() {
            text += &format!("  {:<9} {name}\n", self.verdict_on(property));
        }
        if let Some(violation) = self.found.violations.iter().min_by_key(|v| v.steps.len()) {
            let states = self.states(&violation.steps);
            let moves = violation
                .steps
                .iter()
                .zip(&states)
                .map(|(step, state)| DveMove {
                    transitions: &step.0,
                    values: &state.values,
                });
            let moves: Vec<DveMove<'_>> = moves.collect();
            text += &format!(
                "\n{}, step by step:\n",
                DVE_PROPERTIES[violation.property.0]
            );
            text += &dve_story(&self.program, &moves);
        }
        text += &format!("\n{}: {}\n", self.source.name(), self.verdict());
        print(&text);
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
        let properties = DVE_PROPERTIES.iter().enumerate().map(|(property, name)| {
            let violation = self
                .found
                .violations
                .iter()
                .find(|v| v.property.0 == property);
            PropertyDocument {
                name: (*name).to_owned(),
                verdict: self.verdict_on(property).to_owned(),
                reason: self.reason(),
                trace_length: violation.map(|violation| violation.steps.len() - 1),
                rtc_steps: None,
                trace: violation.map(|v| self.trace(v.property.0, &v.steps)),
            }
        });
        let shortest = self.found.violations.iter().min_by_key(|v| v.steps.len());
        Document {
            schema: SCHEMA.to_owned(),
            model: self.source.name().to_owned(),
            verdict: self.verdict().to_owned(),
            reason: self.reason(),
            properties: properties.collect(),
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
            trace: shortest.map(|v| self.trace(v.property.0, &v.steps)),
        }
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
