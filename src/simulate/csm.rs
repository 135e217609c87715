//! Runs of models of our language.

use super::Course;
use crate::csm::{Configuration, Exact, Semantics, Successor};
use crate::evidence::{Trace, TraceStep};
use crate::lang::{Model, SourceFile};
use crate::report::{TraceDocument, choice_line, describe_step, state_lines, trace_document};

pub struct Simulation<'m> {
    semantics: Semantics<'m, Exact>,
    trace: Trace,
}

impl<'m> Simulation<'m> {
    pub fn new(model: &'m Model) -> Simulation<'m> {
        let trace = Trace {
            blank: Configuration::blank(model),
            steps: Vec::new(),
            violates: None,
        };
        let semantics = Semantics::exact(model);
        Simulation { semantics, trace }
    }

    pub fn model(&self) -> &'m Model {
        self.semantics.model()
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    pub fn now(&self) -> Option<&Configuration> {
        self.trace.steps.last().and_then(|step| step.after.as_ref())
    }
}

impl Course for Simulation<'_> {
    type Choice = Successor;

    fn possible(&self) -> Vec<Successor> {
        match self.trace.steps.last() {
            None => self.semantics.initial(),
            Some(TraceStep {
                after: Some(now), ..
            }) => self.semantics.successors(now),
            Some(_) => Vec::new(),
        }
    }

    fn take(&mut self, successor: Successor) {
        self.trace.steps.push(TraceStep::from(successor));
    }

    fn back(&mut self) -> bool {
        let can = self.trace.steps.len() > 1;
        if can {
            self.trace.steps.pop();
        }
        can
    }

    fn made(&self) -> usize {
        self.trace.steps.len()
    }

    fn describe(&self, index: usize) -> Vec<String> {
        let (before, step) = (self.trace.before(index), &self.trace.steps[index]);
        describe_step(self.model(), index, before, step)
    }

    fn choice_line(&self, number: usize, successor: &Successor) -> Vec<String> {
        choice_line(self.model(), number, successor)
    }

    fn state_lines(&self) -> Option<Vec<String>> {
        self.now().map(|now| state_lines(self.model(), now))
    }

    fn document(&self, source: &SourceFile) -> TraceDocument {
        trace_document(source, self.model(), &self.trace)
    }

    fn complaints(&self) -> Vec<String> {
        let Some(last) = self.trace.steps.last() else {
            return Vec::new();
        };
        let properties = &self.model().properties;
        let mut found = Vec::new();
        if let Some(fault) = &last.fault {
            for property in self.semantics.blamed(fault) {
                found.push(format!("{}: {}", properties[property].name, fault.message));
            }
        }
        if let Some(now) = &last.after {
            let verdicts = self.semantics.judge(now, &self.semantics.successors(now));
            for state_fault in verdicts.faults {
                let name = &properties[state_fault.property].name;
                found.push(match state_fault.fault {
                    Some(fault) => format!("{name}: {}", fault.message),
                    None => format!("{name} does not hold here"),
                });
            }
        }
        found
    }
}
