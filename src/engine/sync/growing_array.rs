//! An array that grows without moving: each segment is as long as all before it together.
//!
//! Invariant: an element never changes its address, so readers need no lock.

use std::sync::OnceLock;

use super::memory::{Blank, OutOfMemory, Pages};

const FIRST: usize = 1 << FIRST_LOG;
#[cfg(not(loom))]
const FIRST_LOG: u32 = 8;
#[cfg(loom)]
const FIRST_LOG: u32 = 3;
const SEGMENTS: usize = 32 - FIRST_LOG as usize + 1;

pub struct GrowingArray<T> {
    segments: [OnceLock<Pages<T>>; SEGMENTS],
}

impl<T: Blank> Default for GrowingArray<T> {
    fn default() -> Self {
        let array = GrowingArray {
            segments: [const { OnceLock::new() }; SEGMENTS],
        };
        // Loom does not see a OnceLock: its models make do with the first segment, which is there
        // before their threads are.
        if cfg!(loom) {
            let _ = array.at(0);
        }
        array
    }
}

/// The segment of an index, and the place in it.
#[inline(always)]
fn locate(index: usize) -> (usize, usize) {
    let shifted = index + FIRST;
    let log = shifted.ilog2();
    ((log - FIRST_LOG) as usize, shifted ^ (1 << log))
}

impl<T: Blank> GrowingArray<T> {
    /// The element, if its segment exists.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<&T> {
        let (segment, place) = locate(index);
        self.segments.get(segment)?.get()?.get(place)
    }

    /// The element; its segment is made if need be. Two threads may both make it: one wins.
    pub fn at(&self, index: usize) -> Result<&T, OutOfMemory> {
        if let Some(element) = self.get(index) {
            return Ok(element);
        }
        let (segment, place) = locate(index);
        let cell = self.segments.get(segment).ok_or(OutOfMemory)?;
        if cell.get().is_none() {
            let _ = cell.set(Pages::new(FIRST << segment)?); // another thread was first
        }
        cell.get()
            .and_then(|segment| segment.get(place))
            .ok_or(OutOfMemory)
    }

    /// All elements of the segments that exist, blank ones included.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let segments = self.segments.iter();
        segments
            .filter_map(OnceLock::get)
            .flat_map(|pages| pages.iter())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn every_index_has_its_own_place() {
        let array: GrowingArray<AtomicU32> = GrowingArray::default();
        for index in 0..10_000 {
            array
                .at(index)
                .unwrap()
                .store(index as u32, Ordering::Relaxed);
        }
        for index in 0..10_000 {
            assert_eq!(
                array.get(index).unwrap().load(Ordering::Relaxed),
                index as u32
            );
        }
        assert!(array.get(1 << 20).is_none());
    }
}
