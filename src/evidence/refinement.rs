//! What a refinement came to: its rounds, what is told apart at the end, and what was assumed.

use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Refinement {
    pub rounds: Vec<RoundFigures>,
    /// In words, a line for each variable that is not known exactly.
    pub precision: Vec<String>,
    pub assumptions: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct RoundFigures {
    pub states: u64,
    pub transitions: u64,
    pub elapsed: Duration,
    /// For each counterexample that was not real: the property, its step where the runs part, why.
    pub spurious: Vec<(usize, usize, String)>,
    /// What was split, in words.
    pub splits: Vec<String>,
}
