//! The states of one level, shared out between workers.
//!
//! States of a level have consecutive numbers, in runs: each worker found some. A worker expands
//! what it found itself, piece by piece, and then helps the others. Invariant: each state of the
//! level is given out once.

use std::ops::Range;

use crate::engine::Run;
use crate::engine::sync::{AtomicUsize, Ordering};

/// States in a piece: enough that taking one costs nothing, few enough to share out small levels.
/// Where the program is tested, pieces are small: then threads meet on small models, too.
const PIECE: u32 = if cfg!(debug_assertions) { 4 } else { 256 };

#[derive(Default)]
pub struct Frontier {
    /// By worker.
    shares: Vec<Share>,
}

#[derive(Default)]
struct Share {
    pieces: Vec<Run>,
    /// The next piece to be taken.
    next: AtomicUsize,
}

impl Frontier {
    /// By worker: the runs that it found.
    pub fn new(found: &[Vec<Run>]) -> Frontier {
        let shares = found.iter().map(|runs| Share {
            pieces: runs.iter().flat_map(pieces).collect(),
            next: AtomicUsize::new(0),
        });
        Frontier {
            shares: shares.collect(),
        }
    }

    /// A piece that nobody has taken yet: an own one, or else another worker's.
    pub fn take(&self, worker: usize) -> Option<Run> {
        let (before, from) = self.shares.split_at(worker.min(self.shares.len()));
        from.iter().chain(before).find_map(Share::take)
    }

    pub fn states(&self) -> u64 {
        let pieces = self.shares.iter().flat_map(|share| &share.pieces);
        pieces.map(|run| u64::from(run.end - run.start)).sum()
    }
}

impl Share {
    fn take(&self) -> Option<Run> {
        // Relaxed: pieces do not change while they are given out, and each index is given once.
        if self.next.load(Ordering::Relaxed) >= self.pieces.len() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.pieces.get(index).cloned()
    }
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

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::engine::sync::loom_tests::model;

    fn take_all(frontier: &Frontier, worker: usize) -> Vec<u32> {
        std::iter::from_fn(|| frontier.take(worker))
            .flatten()
            .collect()
    }

    #[test]
    fn a_piece_that_is_given_out_twice_or_never() {
        model(|| {
            let frontier = Arc::new(Frontier::new(&[vec![0..1, 5..7], vec![9..10]]));
            let shared = frontier.clone();
            let other = thread::spawn(move || take_all(&shared, 1));
            let mut taken = take_all(&frontier, 0);
            taken.extend(other.join().expect("the other thread"));
            taken.sort_unstable();
            assert_eq!(taken, [0, 5, 6, 9]);
        });
    }
}
