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
const LEAVES: usize = 7;
/// Words that an entry has besides its key: the leaves, and how many they are, plus one.
const TAIL: usize = LEAVES.div_ceil(2);
/// Words of a cache line.
const LINE: usize = 8;
/// A group is judged after so many look-ups.
const TRIAL: u32 = 1 << 12;

#[derive(Clone, Debug, Default)]
pub struct Recall {
    version: u64,
    words: usize,
    /// The logarithm of the slots of a group.
    log: u32,
    slots: Vec<u64>,
    /// Where the first entry stands: at the beginning of a cache line, as all of them do.
    first: usize,
    /// Misses and look-ups by group.
    tallies: Vec<(u32, u32)>,
    /// By place of facets and content: their bits, and one that says that they are known.
    pub rows: Vec<Vec<u64>>,
    /// By component and content: what judges see of it (`judged`).
    pub judged: Vec<Vec<u64>>,
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
        let entry = (words + FACET_WORDS + TAIL).next_multiple_of(LINE);
        let is_used = groups.groups.iter().any(|group| group.is_recalled);
        let count = if is_used { groups.groups.len() } else { 0 };
        let slots = (BYTES / size_of::<u64>() / entry / count.max(1)).clamp(1, MOST_SLOTS);
        let log = slots.ilog2();
        let slots = vec![0u64; ((count * entry) << log) + LINE];
        *self = Recall {
            version: groups.version,
            words: entry,
            log,
            first: slots.as_ptr().align_offset(LINE * size_of::<u64>()) % LINE,
            slots,
            tallies: vec![(0, 0); count],
            rows: vec![Vec::new(); groups.facets.len()],
            judged: vec![Vec::new(); groups.judged.components()],
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
        self.first + ((group << self.log) + slot) * self.words
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
        let half = |place: usize| (tail[place / 2] >> (32 * (place % 2))) as u32;
        let count = half(LEAVES) as usize;
        let is_here = words[..W] == key.state && words[W..] == key.facets && count > 0;
        let tally = &mut self.tallies[group];
        *tally = (tally.0 + u32::from(!is_here), tally.1 + 1);
        if tally.1 > 1 << 30 {
            *tally = (tally.0 / 2, tally.1 / 2);
        }
        let leaves = std::array::from_fn(half);
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
        let tail = &mut entry[W + FACET_WORDS..];
        for (place, word) in tail.iter_mut().enumerate() {
            *word = leaf(2 * place) | leaf(2 * place + 1) << 32;
        }
        tail[TAIL - 1] |= (leaves.len() as u64 + 1) << 32;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::system::Task;
    use crate::system::memo::groups::Roots;
    use crate::system::memo::layout::Layout;

    fn recall() -> Recall {
        let mut groups = Groups::new(2);
        let layout = Layout::plan(&[5]).expect("few");
        let roots = Roots {
            tasks: vec![Task(0), Task(1)],
            always: 2,
        };
        groups.plan(&roots, &layout, 0, |_| 0);
        groups.groups[0].is_recalled = true;
        let mut recall = Recall::default();
        recall.adapt(&groups, 1);
        recall
    }

    fn key(number: u64) -> Key<1> {
        Key {
            state: [number],
            facets: [number, 0],
        }
    }

    #[test]
    fn leaves_are_found_by_the_key_with_which_they_were_put() {
        let mut recall = recall();
        assert!(recall.find(0, &key(0)).is_none(), "nothing was put");
        for number in 0..100_000 {
            let leaves: Vec<u32> = (0..(number % 8) as u32).collect();
            recall.put(0, &key(number), &leaves);
            let (found, count) = recall.find(0, &key(number)).expect("it was just put");
            assert_eq!(found[..count], leaves);
            if number > 0 {
                let other = recall.find(0, &key(number - 1));
                assert!(other.is_none_or(|(_, count)| count as u64 == (number - 1) % 8));
            }
        }
    }

    #[test]
    fn what_has_too_many_leaves_is_not_kept() {
        let mut recall = recall();
        recall.put(0, &key(1), &[7; LEAVES + 1]);
        assert!(recall.find(0, &key(1)).is_none());
    }

    #[test]
    fn a_group_that_is_seldom_found_is_given_up() {
        let mut recall = recall();
        for number in 0..u64::from(TRIAL) {
            assert!(recall.is_worthwhile(0));
            assert!(recall.find(0, &key(number)).is_none());
        }
        assert!(!recall.is_worthwhile(0));
    }
}
