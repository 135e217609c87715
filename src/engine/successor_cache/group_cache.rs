//! What bundles of groups did in states that look the same to them, remembered by each worker for
//! itself: a small table that fits its cache, where what comes later takes the place of what came before.
//!
//! Nothing here is ever wrong, it is only missing: an entry is found by all the bits that its results
//! looked at.

use super::bundles::{Bundles, Key, PROJECTION_WORDS};

/// Bytes for all bundles together: they should fit the second cache.
const BYTES: usize = 1 << 19;
const MOST_SLOTS: usize = 1 << 12;
/// Leaves that an entry has room for.
const LEAVES: usize = 7;
/// Words that an entry has besides its key: the leaves, and how many they are, plus one.
const TAIL: usize = LEAVES.div_ceil(2);
/// Words of a cache line.
const LINE: usize = 8;
/// A bundle is judged after so many look-ups.
const TRIAL: u32 = 1 << 12;

#[derive(Clone, Debug, Default)]
pub struct GroupCache {
    version: u64,
    words: usize,
    /// The logarithm of the slots of a bundle.
    log: u32,
    slots: Vec<u64>,
    /// Where the first entry stands: at the beginning of a cache line, as all of them do.
    first: usize,
    /// Misses and look-ups by bundle.
    tallies: Vec<(u32, u32)>,
    /// By place of projections and content: their bits, and one that says that they are known.
    pub rows: Vec<Vec<u64>>,
    /// By component and content: what judges see of it (`property_support`).
    pub judged: Vec<Vec<u64>>,
}

/// Says of the bits of projections that they are known.
pub const KNOWN: u64 = 1 << 63;

impl GroupCache {
    /// Forgets everything if it has another meaning now.
    #[inline(always)]
    pub fn adapt(&mut self, bundles: &Bundles) {
        if self.version != bundles.version {
            self.forget(bundles);
        }
    }

    #[cold]
    fn forget(&mut self, bundles: &Bundles) {
        let entry = (1 + PROJECTION_WORDS + TAIL).next_multiple_of(LINE);
        let is_used = bundles.bundles.iter().any(|bundle| bundle.is_cached);
        let count = if is_used { bundles.bundles.len() } else { 0 };
        let slots = (BYTES / size_of::<u64>() / entry / count.max(1)).clamp(1, MOST_SLOTS);
        let log = slots.ilog2();
        let slots = vec![0u64; ((count * entry) << log) + LINE];
        *self = GroupCache {
            version: bundles.version,
            words: entry,
            log,
            first: slots.as_ptr().align_offset(LINE * size_of::<u64>()) % LINE,
            slots,
            tallies: vec![(0, 0); count],
            rows: vec![Vec::new(); bundles.projections.len()],
            judged: vec![Vec::new(); bundles.judged.components()],
        };
    }

    /// Whether entries of a bundle are found often enough.
    #[inline(always)]
    pub fn is_worthwhile(&self, bundle: usize) -> bool {
        let (misses, all) = self.tallies[bundle];
        all < TRIAL || misses < all / 4
    }

    #[inline(always)]
    fn slot(&self, bundle: usize, key: &Key) -> usize {
        let mix = |hash: u64, word: &u64| {
            (hash.rotate_left(29) ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25)
        };
        let hash = key.projections.iter().fold(mix(0, &key.state), mix);
        let slot = (hash >> 32) as usize & ((1 << self.log) - 1);
        self.first + ((bundle << self.log) + slot) * self.words
    }

    /// The leaves that a bundle comes to.
    #[inline(always)]
    pub fn find(&mut self, bundle: usize, key: &Key) -> Option<([u32; LEAVES], usize)> {
        let slot = self.slot(bundle, key);
        let entry = &self.slots[slot..][..1 + PROJECTION_WORDS + TAIL];
        let (words, tail) = entry.split_at(1 + PROJECTION_WORDS);
        let half = |place: usize| (tail[place / 2] >> (32 * (place % 2))) as u32;
        let count = half(LEAVES) as usize;
        let is_here = words[0] == key.state && words[1..] == key.projections && count > 0;
        let tally = &mut self.tallies[bundle];
        *tally = (tally.0 + u32::from(!is_here), tally.1 + 1);
        if tally.1 > 1 << 30 {
            *tally = (tally.0 / 2, tally.1 / 2);
        }
        let leaves = std::array::from_fn(half);
        is_here.then(|| (leaves, (count - 1).min(LEAVES)))
    }

    /// Remembers them, if they are few.
    pub fn put(&mut self, bundle: usize, key: &Key, leaves: &[u32]) {
        if leaves.len() > LEAVES {
            return;
        }
        let slot = self.slot(bundle, key);
        let entry = &mut self.slots[slot..][..1 + PROJECTION_WORDS + TAIL];
        entry[0] = key.state;
        entry[1..][..PROJECTION_WORDS].copy_from_slice(&key.projections);
        let leaf = |place: usize| leaves.get(place).map_or(0, |leaf| u64::from(*leaf));
        let tail = &mut entry[1 + PROJECTION_WORDS..];
        for (place, word) in tail.iter_mut().enumerate() {
            *word = leaf(2 * place) | leaf(2 * place + 1) << 32;
        }
        tail[TAIL - 1] |= (leaves.len() as u64 + 1) << 32;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::engine::successor_cache::bundles::Roots;
    use crate::engine::successor_cache::layout::Layout;
    use crate::system::GroupId;

    fn group_cache() -> GroupCache {
        let mut bundles = Bundles::new(2);
        let layout = Layout::plan(&[5]).expect("few");
        let roots = Roots {
            groups: vec![GroupId(0), GroupId(1)],
            always: 2,
        };
        bundles.plan(&roots, &layout, 0, |_| 0);
        bundles.bundles[0].is_cached = true;
        let mut group_cache = GroupCache::default();
        group_cache.adapt(&bundles);
        group_cache
    }

    fn key(number: u64) -> Key {
        Key {
            state: number,
            projections: [number, 0],
        }
    }

    #[test]
    fn leaves_are_found_by_the_key_with_which_they_were_put() {
        let mut group_cache = group_cache();
        assert!(group_cache.find(0, &key(0)).is_none(), "nothing was put");
        for number in 0..100_000 {
            let leaves: Vec<u32> = (0..(number % 8) as u32).collect();
            group_cache.put(0, &key(number), &leaves);
            let (found, count) = group_cache.find(0, &key(number)).expect("it was just put");
            assert_eq!(found[..count], leaves);
            if number > 0 {
                let other = group_cache.find(0, &key(number - 1));
                assert!(other.is_none_or(|(_, count)| count as u64 == (number - 1) % 8));
            }
        }
    }

    #[test]
    fn what_has_too_many_leaves_is_not_kept() {
        let mut group_cache = group_cache();
        group_cache.put(0, &key(1), &[7; LEAVES + 1]);
        assert!(group_cache.find(0, &key(1)).is_none());
    }

    #[test]
    fn a_group_that_is_seldom_found_is_given_up() {
        let mut group_cache = group_cache();
        for number in 0..u64::from(TRIAL) {
            assert!(group_cache.is_worthwhile(0));
            assert!(group_cache.find(0, &key(number)).is_none());
        }
        assert!(!group_cache.is_worthwhile(0));
    }
}
