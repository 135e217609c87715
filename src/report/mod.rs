//! Every way of showing a verdict.

mod excerpt;
mod json;
mod narrative;
mod summary;
mod wording;

pub use json::{Document, TraceDocument, document, steps_in, trace_document};
pub use narrative::{choice_line, describe_step, narrate, state_lines};
pub use summary::summarise;

use std::time::Duration;

use crate::evidence::Judgement;
use crate::model::{Model, ObjectId, SourceFile, StateId, TransitionId};

/// What a check has to report.
pub struct Report<'a> {
    pub source: &'a SourceFile,
    pub model: &'a Model,
    pub judgements: &'a [Judgement],
    pub statistics: Statistics,
    /// States that no run enters, transitions that no run takes: known after a complete exploration.
    pub dead: Option<Dead>,
}

#[derive(Clone, Debug, Default)]
pub struct Dead {
    pub states: Vec<(ObjectId, StateId)>,
    pub transitions: Vec<(ObjectId, TransitionId)>,
}

#[derive(Clone, Debug)]
pub struct Statistics {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub deadlocks: u64,
    pub elapsed: Duration,
    pub peak_memory_bytes: u64,
    pub threads: usize,
    /// Explorations under one precision each; 1 without abstraction.
    pub rounds: u64,
    /// Why the exploration ended before it had seen everything, if it did.
    pub stopped: Option<String>,
}
