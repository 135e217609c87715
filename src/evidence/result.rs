//! What a check found: the verdicts, and the figures that belong to them.

use std::time::Duration;

use super::refinement::Refinement;
use super::samples::Samples;
use super::trace::Trace;
use super::verdict::PropertyResult;
use crate::lang::{ObjectId, StateId, TransitionId};

#[derive(Clone, Debug)]
pub struct CheckResult<T = Trace> {
    pub results: Vec<PropertyResult<T>>,
    pub statistics: Statistics,
    /// Every reachable state was seen, under no abstraction.
    pub complete: bool,
    /// Known after a complete exploration of objects only.
    pub dead: Option<Dead>,
    /// Where there was abstraction.
    pub refinement: Option<Refinement>,
}

/// States that no run enters, and transitions that no run takes.
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
    /// What the fast explorer tells about itself, line by line.
    pub engine: Vec<String>,
    /// States by level, those of the last round; states by time, those of all.
    pub samples: Samples,
    /// Why the exploration ended before it had seen everything, if it did.
    pub stopped: Option<String>,
}
