//! Running a model step by step: at random, by hand, or along a trace.

mod interactive;
mod random;

pub use interactive::interact;
pub use random::{Chooser, Ending, random_run};

use crate::csm::{Configuration, Exact, Semantics, Successor};
use crate::evidence::{Trace, TraceStep};
use crate::lang::Model;
use crate::report::describe_step;

/// A run so far, and what can happen next.
pub struct Simulation<'m> {
    semantics: Semantics<'m, Exact>,
    trace: Trace,
}

impl<'m> Simulation<'m> {
    /// Nothing has happened: the first step is the start.
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

    /// Steps made after the start.
    pub fn length(&self) -> usize {
        self.trace.length()
    }

    pub fn now(&self) -> Option<&Configuration> {
        self.trace.steps.last().and_then(|step| step.after.as_ref())
    }

    /// What can happen now; nothing after a failure.
    pub fn possible(&self) -> Vec<Successor> {
        match self.trace.steps.last() {
            None => self.semantics.initial(),
            Some(TraceStep {
                after: Some(now), ..
            }) => self.semantics.successors(now),
            Some(_) => Vec::new(),
        }
    }

    pub fn take(&mut self, successor: Successor) {
        self.trace.steps.push(TraceStep::from(successor));
    }

    /// Takes the last step back; the start stays.
    pub fn back(&mut self) -> bool {
        let can = self.trace.steps.len() > 1;
        if can {
            self.trace.steps.pop();
        }
        can
    }

    /// The last step in words, with what is wrong about it and about where it led.
    pub fn describe_last(&self) -> Vec<String> {
        let Some(index) = self.trace.steps.len().checked_sub(1) else {
            return Vec::new();
        };
        let step = &self.trace.steps[index];
        let mut lines = describe_step(self.model(), index, self.trace.before(index), step);
        lines.extend(
            self.complaints()
                .into_iter()
                .map(|text| format!("     !  {text}")),
        );
        lines
    }

    /// What the last step, or the configuration it led to, violates.
    pub fn complaints(&self) -> Vec<String> {
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
