//! How an exploration went: states by level, and states by time.
//!
//! Invariant: never more than `MOST` of either, however long it took; what is left out is spread
//! evenly, and the first and the last sample are always kept.

use std::time::Duration;

/// As many points as a chart can show.
const MOST: usize = 400;

#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub levels: Vec<LevelSample>,
    pub pace: Pace,
}

/// Levels that follow each other, and the states on them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSample {
    /// The initial states are level 1.
    pub first: u64,
    pub levels: u64,
    pub states: u64,
}

/// How many states had been seen at what time, over all explorations of a check.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    samples: Vec<PaceSample>,
    /// The time between two samples, doubled whenever there are too many.
    apart: Duration,
    /// States of the explorations that have ended.
    before: u64,
    last: Option<PaceSample>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceSample {
    pub elapsed: Duration,
    pub states: u64,
}

/// The states of each level, several levels together where there are too many.
pub fn by_level(states: &[u64]) -> Vec<LevelSample> {
    let together = states.len().div_ceil(MOST).max(1);
    let pieces = states.chunks(together).zip((1..).step_by(together));
    let sample = |(piece, first): (&[u64], u64)| LevelSample {
        first,
        levels: piece.len() as u64,
        states: piece.iter().sum(),
    };
    pieces.map(sample).collect()
}

impl Pace {
    /// `elapsed` since the check began; `states` of the exploration that is under way.
    pub fn see(&mut self, elapsed: Duration, states: u64) {
        let so_far = self.last.map_or(0, |last| last.states);
        if self.before + states < so_far {
            self.before = so_far; // another exploration has begun
        }
        let sample = PaceSample {
            elapsed,
            states: self.before + states,
        };
        self.last = Some(sample);
        let due = self.samples.last().map(|last| last.elapsed + self.apart);
        if due.is_none_or(|due| elapsed >= due) {
            self.keep(sample);
        }
    }

    fn keep(&mut self, sample: PaceSample) {
        self.samples.push(sample);
        if self.samples.len() >= MOST {
            let mut index = 0;
            self.samples.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            let average = sample.elapsed / self.samples.len() as u32;
            self.apart = (self.apart * 2).max(average);
        }
    }

    /// In the order of time, the last one that was seen at the end.
    pub fn samples(&self) -> Vec<PaceSample> {
        let mut samples = self.samples.clone();
        samples.extend(self.last.filter(|last| samples.last() != Some(last)));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overnight_run_stays_small_and_keeps_its_ends() {
        let mut pace = Pace::default();
        for second in 0..60 * 60 * 12 {
            pace.see(Duration::from_secs(second), second * 1000);
        }
        let samples = pace.samples();
        assert!((MOST / 4..=MOST + 1).contains(&samples.len()));
        assert_eq!(samples[0].states, 0);
        assert_eq!(samples.last().map(|last| last.states), Some(43_199_000));
        assert!(samples.is_sorted_by_key(|sample| sample.elapsed));
    }

    #[test]
    fn the_states_of_all_rounds_are_added_up() {
        let mut pace = Pace::default();
        for (second, states) in [(1, 10), (2, 50), (3, 5), (4, 60), (5, 2)] {
            pace.see(Duration::from_secs(second), states);
        }
        let states: Vec<u64> = pace.samples().iter().map(|sample| sample.states).collect();
        assert_eq!(states, [10, 50, 55, 110, 112]);
    }

    #[test]
    fn many_levels_are_put_together() {
        let samples = by_level(&vec![3; 1001]);
        assert_eq!(samples.len(), 334);
        assert_eq!(samples[1].first, 4);
        assert_eq!(samples[1].states, 9);
        assert_eq!(
            samples.iter().map(|sample| sample.states).sum::<u64>(),
            3003
        );
        assert_eq!(by_level(&[1, 2]).len(), 2);
        assert!(by_level(&[]).is_empty());
    }
}
