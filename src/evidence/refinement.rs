//! What a refinement came to: its rounds, what is told apart at the end, and what was assumed.

use std::time::Duration;

use super::trace::Trace;
use crate::csm::Configuration;

#[derive(Clone, Debug, Default)]
pub struct Refinement {
    pub rounds: Vec<RoundFigures>,
    /// In words, a line for each variable that is not known exactly.
    pub precision: Vec<String>,
    pub assumptions: Vec<String>,
    /// Violated properties whose abstract counterexamples had no guesses: they had to be real.
    pub choose_free: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct RoundFigures {
    pub states: u64,
    pub transitions: u64,
    pub elapsed: Duration,
    pub spurious: Vec<Spurious>,
    /// What was split, in words.
    pub splits: Vec<String>,
}

/// A counterexample that was not real.
#[derive(Clone, Debug)]
pub struct Spurious {
    pub property: usize,
    /// The step where it parts from the concrete run, and why.
    pub parted_at: usize,
    pub why: String,
    /// The two runs. A long refinement forgets those of its first rounds.
    pub runs: Option<Runs>,
}

/// The abstract run and the concrete one beside it.
#[derive(Clone, Debug)]
pub struct Runs {
    pub trace: Trace,
    /// What each concrete step led to, as far as the run came.
    pub concrete: Vec<Option<Configuration>>,
    /// Before each step the names of what is relevant.
    pub relevant: Vec<Vec<String>>,
}
