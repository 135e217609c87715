//! Running a model step by step: at random, by hand, or along a trace.

mod csm;
mod dve;
mod interactive;
mod random;

pub use csm::Simulation;
pub use dve::DveSimulation;
pub use interactive::interact;
pub use random::{Chooser, Ending, random_run};

use crate::lang::SourceFile;
use crate::report::TraceDocument;

/// A run so far, and what can happen next, in whatever language. Nothing has happened at first: the
/// first step is the start.
pub trait Course {
    /// Something that can happen.
    type Choice;

    /// What can happen now; nothing after a failure.
    fn possible(&self) -> Vec<Self::Choice>;

    fn take(&mut self, choice: Self::Choice);

    /// Takes the last step back; the start stays.
    fn back(&mut self) -> bool;

    /// Steps made, the start among them.
    fn made(&self) -> usize;

    /// A step in words.
    fn describe(&self, index: usize) -> Vec<String>;

    /// What the last step, or the state it led to, violates.
    fn complaints(&self) -> Vec<String>;

    /// A step as one of several to choose from.
    fn choice_line(&self, number: usize, choice: &Self::Choice) -> Vec<String>;

    /// Everything about where it is; none after a failure.
    fn state_lines(&self) -> Option<Vec<String>>;

    /// The run as it is written down.
    fn document(&self, source: &SourceFile) -> TraceDocument;

    /// Steps made after the start.
    fn length(&self) -> usize {
        self.made().saturating_sub(1)
    }

    /// The last step in words, with what is wrong about it and about where it led.
    fn describe_last(&self) -> Vec<String> {
        let Some(index) = self.made().checked_sub(1) else {
            return Vec::new();
        };
        let complaints = self.complaints().into_iter();
        let mut lines = self.describe(index);
        lines.extend(complaints.map(|text| format!("     !  {text}")));
        lines
    }
}
