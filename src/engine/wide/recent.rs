//! What one worker has found out lately, in small tables that fit its cache: the ids of pairs, what updates
//! made of blocks, what groups did. A later entry takes the place of an earlier one.
//!
//! Nothing here is ever wrong, it is only missing: ids and numbers keep their meaning.

/// From a key of 64 bits to a number.
pub struct RecentNumbers {
    entries: Box<[(u64, u32)]>,
    shift: u32,
}

/// In an entry that was never written.
const NONE: u32 = u32::MAX;

impl RecentNumbers {
    pub fn new(log: u32) -> RecentNumbers {
        RecentNumbers {
            entries: vec![(0, NONE); 1 << log].into_boxed_slice(),
            shift: u64::BITS - log,
        }
    }

    /// Where a key has its place.
    #[inline(always)]
    pub fn place(&self, key: u64) -> usize {
        (key.rotate_left(16).wrapping_mul(0x9fb2_1c65_1e98_df25) >> self.shift) as usize
    }

    #[inline(always)]
    pub fn get(&self, place: usize, key: u64) -> Option<u32> {
        let (known, number) = self.entries[place];
        (known == key && number != NONE).then_some(number)
    }

    #[inline(always)]
    pub fn put(&mut self, place: usize, key: u64, number: u32) {
        self.entries[place] = (key, number);
    }

    pub fn forget(&mut self) {
        self.entries.fill((0, NONE));
    }
}
