//! What one worker has found out lately, in small tables that fit its cache: the ids of pairs, what updates
//! made of blocks, and what groups did. A later entry takes the place of an earlier one.
//!
//! Nothing here is ever wrong, it is only missing: ids and numbers keep their meaning.

use crate::engine::sync::hash;

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
}

/// What a group did, by the ids of the blocks that it looks at. Only groups that look at one or two
/// blocks are remembered.
pub struct RecentResults {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    /// A group, and how many blocks it looked at; plus one.
    group: u64,
    ids: u64,
    leaf: u64,
}

const LOG: u32 = 14;

impl Default for RecentResults {
    fn default() -> RecentResults {
        let entries = vec![Entry::default(); 1 << LOG].into_boxed_slice();
        RecentResults { entries }
    }
}

impl RecentResults {
    #[inline(always)]
    pub fn place(group: u64, ids: u64) -> usize {
        (hash(ids ^ group << 40) >> (u64::BITS - LOG)) as usize
    }

    #[inline(always)]
    pub fn get(&self, place: usize, group: u64, ids: u64) -> Option<u64> {
        let entry = &self.entries[place % (1 << LOG)];
        (entry.group == group + 1 && entry.ids == ids).then_some(entry.leaf)
    }

    #[inline(always)]
    pub fn put(&mut self, place: usize, group: u64, ids: u64, leaf: u64) {
        self.entries[place % (1 << LOG)] = Entry {
            group: group + 1,
            ids,
            leaf,
        };
    }

    pub fn forget(&mut self) {
        self.entries.fill(Entry::default());
    }
}
