//! States that one worker has met lately: a small table that fits its cache, where what comes later takes
//! the place of what came before.
//!
//! Half of all successors were seen a moment ago, since steps of different objects lead to the same state
//! in either order. Whoever meets them here need not ask for the store, which is far away:
//! two_phase_commit and anderson.6 became a sixth faster. The same for the words of states gave nothing.
//!
//! Nothing here is ever wrong, it is only missing: keys are compared whole, and all is forgotten when
//! keys get another meaning (`StateSpace::version`).

/// Entries: 256 KB, a part of the second cache.
const LOG: u32 = 15;

pub struct RecentCache {
    /// Keys plus one; 0 where there is none.
    keys: Box<[u64]>,
}

impl Default for RecentCache {
    fn default() -> RecentCache {
        let keys = vec![0; 1 << LOG].into_boxed_slice();
        RecentCache { keys }
    }
}

impl RecentCache {
    /// Whether a key was met lately; now it is. Who asks must put it into the store if it was not.
    #[inline(always)]
    pub fn meet(&mut self, key: u64, hash: u64) -> bool {
        let met = &mut self.keys[(hash >> 16) as usize % (1 << LOG)];
        let is_known = *met == key + 1;
        *met = key + 1;
        is_known
    }

    pub fn forget(&mut self) {
        self.keys.fill(0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::engine::sync::hash;

    #[test]
    fn a_key_is_met_only_after_it_was_met_before() {
        let mut states = RecentCache::default();
        let mut met = 0;
        for round in 0..2 {
            for key in 0..30_000 {
                let is_known = states.meet(key, hash(key));
                assert!(round == 1 || !is_known, "{key} was never met");
                assert!(states.meet(key, hash(key)), "{key} was just met");
                met += u32::from(is_known);
            }
        }
        assert!(met > 10_000, "most are still there: {met}");
        states.forget();
        assert!(!states.meet(29_999, hash(29_999)));
    }
}
