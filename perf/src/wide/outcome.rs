//! What came out for one model and one checker.

use std::fmt;

use super::{Language, Model};
use crate::contender::Counts;
use crate::measure::Cost;
use crate::summary::median;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Ours(Language),
    /// An earlier binary of ours.
    Old(Language),
    Spin,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (who, language) = match self {
            Who::Spin => return write!(f, "SPIN"),
            Who::Ours(language) => ("Crisol", language),
            Who::Old(language) => ("old", language),
        };
        write!(f, "{who}, {}", language.extension())
    }
}

/// One run, and what the same program took for the very first states: its tables, and the model itself.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub counts: Counts,
    pub cost: Cost,
    pub first_states: u64,
    pub first_bytes: u64,
}

impl Sample {
    fn per_core_second(&self, number: u64) -> f64 {
        number as f64 / self.cost.core_seconds()
    }

    /// Resident memory that came with states, over these.
    fn bytes_per_state(&self) -> f64 {
        let bytes = self.cost.peak_bytes.saturating_sub(self.first_bytes);
        let states = self.counts.states.saturating_sub(self.first_states);
        bytes as f64 / states.max(1) as f64
    }
}

/// Medians of all runs.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub model: Model,
    pub who: Who,
    pub states: u64,
    pub transitions_per_core_second: f64,
    pub states_per_core_second: f64,
    pub bytes_per_state: f64,
}

impl Outcome {
    /// `None` without a run.
    pub fn of(model: Model, who: Who, samples: &[Sample]) -> Option<Outcome> {
        let of = |value: fn(&Sample) -> f64| median(samples.iter().map(value).collect());
        Some(Outcome {
            model,
            who,
            states: of(|sample| sample.counts.states as f64)? as u64,
            transitions_per_core_second: of(|sample| {
                sample.per_core_second(sample.counts.transitions)
            })?,
            states_per_core_second: of(|sample| sample.per_core_second(sample.counts.states))?,
            bytes_per_state: of(Sample::bytes_per_state)?,
        })
    }
}
