//! The states of one level, shared out between workers.
//!
//! States of a level have consecutive numbers, in runs: each worker found some. A worker expands
//! what it found itself, piece by piece, and then helps the others. Invariant: each state of the
//! level is given out once.

use std::ops::Range;

use crossbeam_deque::{Injector, Steal};

use crate::engine::Run;

/// States in a piece: enough that taking one costs nothing, few enough to share out small levels.
/// Where the program is tested, pieces are small: then threads meet on small models, too.
const PIECE: u32 = if cfg!(debug_assertions) { 4 } else { 256 };

#[derive(Default)]
pub struct Frontier {
    /// By worker: the pieces that it found.
    shares: Vec<Injector<Run>>,
    states: u64,
}

impl Frontier {
    /// By worker: the runs that it found.
    pub fn new(found: &[Vec<Run>]) -> Frontier {
        let runs = found.iter().flatten();
        Frontier {
            states: runs.map(|run| u64::from(run.end - run.start)).sum(),
            shares: found.iter().map(|runs| share(runs)).collect(),
        }
    }

    /// A piece that nobody has taken yet: an own one, or else another worker's.
    pub fn take(&self, worker: usize) -> Option<Run> {
        let (before, from) = self.shares.split_at(worker.min(self.shares.len()));
        let shares = || from.iter().chain(before);
        loop {
            match shares().map(Injector::steal).collect() {
                Steal::Success(run) => return Some(run),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }

    pub fn states(&self) -> u64 {
        self.states
    }
}

fn share(runs: &[Run]) -> Injector<Run> {
    let share = Injector::new();
    runs.iter()
        .flat_map(pieces)
        .for_each(|piece| share.push(piece));
    share
}

fn pieces(run: &Run) -> impl Iterator<Item = Run> + use<> {
    let Range { start, end } = *run;
    let starts = (start..end).step_by(PIECE as usize);
    starts.map(move |start| start..end.min(start + PIECE))
}

/// Adds a number to runs, of which it most often continues the last.
pub fn extend(runs: &mut Vec<Run>, number: u32) {
    match runs.last_mut() {
        Some(run) if run.end == number => run.end += 1,
        _ => runs.push(number..number + 1),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_given_out_once_whoever_asks() {
        let frontier = Frontier::new(&[
            vec![1..1000, 2000..2001],
            vec![],
            vec![5000..5200, 5200..5300],
        ]);
        assert_eq!(frontier.states(), 1300);
        let mut seen: Vec<u32> = Vec::new();
        for worker in [2, 0, 1].into_iter().cycle() {
            match frontier.take(worker) {
                Some(run) => seen.extend(run),
                None => break,
            }
        }
        seen.sort_unstable();
        let all: Vec<u32> = (1..1000).chain([2000]).chain(5000..5300).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn consecutive_numbers_are_one_run() {
        let mut runs = Vec::new();
        [3, 4, 5, 9, 10]
            .into_iter()
            .for_each(|n| extend(&mut runs, n));
        assert_eq!(runs, [3..6, 9..11]);
    }
}
