//! Things in the order in which they came, which can be read without a lock while others are added.
//!
//! Invariant: a thing never moves. Each board is as long as all before it together.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const FIRST_LOG: u32 = 5;
const BLOCKS: usize = (u32::BITS - FIRST_LOG) as usize;

type Block<T> = Box<[OnceLock<T>]>;

pub struct AppendList<T> {
    blocks: [OnceLock<Block<T>>; BLOCKS],
    /// Places given out.
    taken: AtomicUsize,
}

impl<T> Default for AppendList<T> {
    fn default() -> Self {
        AppendList {
            blocks: [const { OnceLock::new() }; BLOCKS],
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

impl<T> AppendList<T> {
    pub fn count(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Adds a thing; where it stands.
    pub fn push(&self, thing: T) -> usize {
        // Relaxed: each place is given out once; the thing is published by its OnceLock.
        let place = self.taken.fetch_add(1, Ordering::Relaxed);
        let (block, length, at) = locate(place);
        let block =
            self.blocks[block].get_or_init(|| (0..length).map(|_| OnceLock::new()).collect());
        let is_free = block[at].set(thing).is_ok();
        assert!(is_free, "a place that was given out twice");
        place
    }

    /// What was pushed to a place.
    pub fn get(&self, place: usize) -> &T {
        let (block, _, at) = locate(place);
        let thing = self.blocks[block].get().and_then(|block| block[at].get());
        thing.expect("a place where something was put")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn things_stay_where_they_were_put() {
        let list: AppendList<String> = AppendList::default();
        let places: Vec<usize> = (0..1_000).map(|n: u32| list.push(n.to_string())).collect();
        assert_eq!(places, (0..1_000).collect::<Vec<usize>>());
        assert_eq!(list.count(), 1_000);
        assert!(
            places
                .iter()
                .all(|place| *list.get(*place) == place.to_string())
        );
    }
}
