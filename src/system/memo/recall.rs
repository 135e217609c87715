//! What groups of tasks did in states that look the same to them, remembered by each worker for
//! itself: a small table that fits its cache, where what comes later takes the place of what came before.
//!
//! Nothing here is ever wrong, it is only missing: an entry is found by all the bits that its lessons
//! looked at.

use super::groups::{FACET_WORDS, Groups, Key};

/// Bytes for all groups together: they should fit the second cache.
const BYTES: usize = 1 << 19;
const MOST_SLOTS: usize = 1 << 12;
/// Leaves that an entry has room for.
const LEAVES: usize = 3;
/// Words that an entry has besides its key: the leaves, and how many they are, plus one.
const TAIL: usize = 2;
/// A group is judged after so many look-ups.
const TRIAL: u32 = 1 << 12;

#[derive(Clone, Debug, Default)]
pub struct Recall {
    version: u64,
    words: usize,
    /// The logarithm of the slots of a group.
    log: u32,
    slots: Vec<u64>,
    /// Misses and look-ups by group.
    tallies: Vec<(u32, u32)>,
    /// By place of facets and content: their bits, and one that says that they are known.
    pub rows: Vec<Vec<u64>>,
}

/// Says of the bits of facets that they are known.
pub const KNOWN: u64 = 1 << 63;

impl Recall {
    /// Forgets everything if it has another meaning now.
    #[inline(always)]
    pub fn adapt(&mut self, groups: &Groups, words: usize) {
        if self.version != groups.version {
            self.forget(groups, words);
        }
    }

    #[cold]
    fn forget(&mut self, groups: &Groups, words: usize) {
        let entry = words + FACET_WORDS + TAIL;
        let count = groups.groups.len().max(1);
        let slots = (BYTES / size_of::<u64>() / entry / count).clamp(1, MOST_SLOTS);
        *self = Recall {
            version: groups.version,
            words: entry,
            log: slots.ilog2(),
            slots: vec![0; (count * entry) << slots.ilog2()],
            tallies: vec![(0, 0); count],
            rows: vec![Vec::new(); groups.facets.len()],
        };
    }

    /// Whether entries of a group are found often enough.
    #[inline(always)]
    pub fn is_worthwhile(&self, group: usize) -> bool {
        let (misses, all) = self.tallies[group];
        all < TRIAL || misses < all / 4
    }

    #[inline(always)]
    fn slot<const W: usize>(&self, group: usize, key: &Key<W>) -> usize {
        let words = key.state.iter().chain(&key.facets);
        let mix = |hash: u64, word: &u64| {
            (hash.rotate_left(29) ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25)
        };
        let hash = words.fold(0, mix);
        let slot = (hash >> 32) as usize & ((1 << self.log) - 1);
        ((group << self.log) + slot) * self.words
    }

    /// The leaves that a group comes to.
    #[inline(always)]
    pub fn find<const W: usize>(
        &mut self,
        group: usize,
        key: &Key<W>,
    ) -> Option<([u32; LEAVES], usize)> {
        let slot = self.slot(group, key);
        let entry = &self.slots[slot..][..W + FACET_WORDS + TAIL];
        let (words, tail) = entry.split_at(W + FACET_WORDS);
        let count = (tail[1] >> 32) as usize;
        let is_here = words[..W] == key.state && words[W..] == key.facets && count > 0;
        let tally = &mut self.tallies[group];
        *tally = (tally.0 + u32::from(!is_here), tally.1 + 1);
        if tally.1 > 1 << 30 {
            *tally = (tally.0 / 2, tally.1 / 2);
        }
        let leaves = [tail[0] as u32, (tail[0] >> 32) as u32, tail[1] as u32];
        is_here.then(|| (leaves, (count - 1).min(LEAVES)))
    }

    /// Remembers them, if they are few.
    pub fn put<const W: usize>(&mut self, group: usize, key: &Key<W>, leaves: &[u32]) {
        if leaves.len() > LEAVES {
            return;
        }
        let slot = self.slot(group, key);
        let entry = &mut self.slots[slot..][..W + FACET_WORDS + TAIL];
        entry[..W].copy_from_slice(&key.state);
        entry[W..][..FACET_WORDS].copy_from_slice(&key.facets);
        let leaf = |place: usize| leaves.get(place).map_or(0, |leaf| u64::from(*leaf));
        entry[W + FACET_WORDS] = leaf(0) | leaf(1) << 32;
        entry[W + FACET_WORDS + 1] = leaf(2) | (leaves.len() as u64 + 1) << 32;
    }
}
