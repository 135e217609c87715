//! Things in the order in which they came, which can be read without a lock while others are added.
//!
//! Invariant: a thing never moves. Each board is as long as all before it together.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const FIRST_LOG: u32 = 5;
const BOARDS: usize = (u32::BITS - FIRST_LOG) as usize;

type Board<T> = Box<[OnceLock<T>]>;

pub struct Shelf<T> {
    boards: [OnceLock<Board<T>>; BOARDS],
    /// Places given out.
    taken: AtomicUsize,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Shelf {
            boards: [const { OnceLock::new() }; BOARDS],
            taken: AtomicUsize::new(0),
        }
    }
}

/// The board of a place, how long it is, and where on it the place is.
fn locate(place: usize) -> (usize, usize, usize) {
    let shifted = place + (1 << FIRST_LOG);
    let log = shifted.ilog2();
    ((log - FIRST_LOG) as usize, 1 << log, shifted ^ (1 << log))
}

impl<T> Shelf<T> {
    pub fn count(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Adds a thing; where it stands.
    pub fn push(&self, thing: T) -> usize {
        // Relaxed: each place is given out once; the thing is published by its OnceLock.
        let place = self.taken.fetch_add(1, Ordering::Relaxed);
        let (board, length, at) = locate(place);
        let board =
            self.boards[board].get_or_init(|| (0..length).map(|_| OnceLock::new()).collect());
        let is_free = board[at].set(thing).is_ok();
        assert!(is_free, "a place that was given out twice");
        place
    }

    /// What was pushed to a place.
    pub fn get(&self, place: usize) -> &T {
        let (board, _, at) = locate(place);
        let thing = self.boards[board].get().and_then(|board| board[at].get());
        thing.expect("a place where something was put")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn things_stay_where_they_were_put() {
        let shelf: Shelf<String> = Shelf::default();
        let places: Vec<usize> = (0..1_000).map(|n: u32| shelf.push(n.to_string())).collect();
        assert_eq!(places, (0..1_000).collect::<Vec<usize>>());
        assert_eq!(shelf.count(), 1_000);
        assert!(
            places
                .iter()
                .all(|place| *shelf.get(*place) == place.to_string())
        );
    }
}
