//! Runs of DVE programs.

use super::Course;
use crate::dve::{DVE_PROPERTIES, DveState, DveStep, Program, Semantics};
use crate::evidence::Run;
use crate::lang::SourceFile;
use crate::report::{Told, TraceDocument, dve_choice_line, dve_state_lines, dve_step};
use crate::system::{PropertyId, System, Target, Transition};

pub struct DveSimulation<'p> {
    semantics: Semantics<'p>,
    run: Run<DveState, DveStep>,
    /// By step: what it violates by itself.
    violated: Vec<Vec<PropertyId>>,
}

impl<'p> DveSimulation<'p> {
    pub fn new(program: &'p Program) -> DveSimulation<'p> {
        DveSimulation {
            semantics: Semantics::new(program),
            run: Run {
                steps: Vec::new(),
                violates: None,
            },
            violated: Vec::new(),
        }
    }

    fn program(&self) -> &'p Program {
        self.semantics.program()
    }
}

impl Course for DveSimulation<'_> {
    type Choice = Transition<DveState, DveStep>;

    fn possible(&self) -> Vec<Self::Choice> {
        match (self.run.now(), self.made()) {
            (Some(now), _) => self.semantics.successors(now),
            (None, 0) => self.semantics.initial(),
            (None, _) => Vec::new(),
        }
    }

    fn take(&mut self, made: Self::Choice) {
        let reached = match made.target {
            Target::State(state) => Some(state),
            Target::Error | Target::Bounded | Target::Truncated => None,
        };
        self.run.steps.push((made.action, reached));
        self.violated.push(made.violated);
    }

    fn back(&mut self) -> bool {
        let can = self.made() > 1;
        if can {
            self.run.steps.pop();
            self.violated.pop();
        }
        can
    }

    fn made(&self) -> usize {
        self.run.steps.len()
    }

    fn describe(&self, index: usize) -> Vec<String> {
        dve_step(self.program(), &self.run, index)
    }

    fn complaints(&self) -> Vec<String> {
        let by_step = self.violated.last().into_iter().flatten().copied();
        let now = self.run.now().into_iter();
        let by_state = now.flat_map(|now| self.semantics.expand(now).violated);
        let names = by_step
            .chain(by_state)
            .map(|property| DVE_PROPERTIES[property.0]);
        names
            .map(|name| format!("{name} is violated here"))
            .collect()
    }

    fn choice_line(&self, number: usize, made: &Self::Choice) -> Vec<String> {
        dve_choice_line(self.program(), number, &made.action)
    }

    fn state_lines(&self) -> Option<Vec<String>> {
        let now = self.run.now();
        now.map(|now| dve_state_lines(self.program(), now))
    }

    fn document(&self, source: &SourceFile) -> TraceDocument {
        self.program().trace_document(source, &self.run)
    }
}
