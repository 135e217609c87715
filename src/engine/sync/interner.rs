//! Things of any kind, each with a small number: found by their hash, and by their number without a lock.
//!
//! Invariant: a number, once given, keeps its meaning.
//!
//! Whoever has a number can read what it stands for, if the number came to it by a lock or by an
//! Acquire that pairs with a Release after `number`: then it was written before.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::append_list::AppendList;
use super::atomics::RwLock;

/// Threads that look for different things seldom meet at one lock.
#[cfg(not(loom))]
const SHARDS: usize = 8;
#[cfg(loom)]
const SHARDS: usize = 1;

pub struct Interner<T> {
    /// By a few bits of their hashes: the hash of each thing, and its number.
    shards: [RwLock<HashTable<(u64, u32)>>; SHARDS],
    things: AppendList<T>,
    hasher: RandomState,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            shards: std::array::from_fn(|_| RwLock::default()),
            things: AppendList::default(),
            hasher: RandomState::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub fn count(&self) -> usize {
        self.things.count()
    }

    /// What a number that was given out stands for.
    pub fn thing(&self, number: u32) -> &T {
        self.things.get(number as usize)
    }

    fn is(&self, (other, number): &(u64, u32), hash: u64, thing: &T) -> bool {
        *other == hash && self.thing(*number) == thing
    }

    fn shard(&self, hash: u64) -> &RwLock<HashTable<(u64, u32)>> {
        // Neither the highest bits nor the lowest: the tables use those.
        &self.shards[(hash >> 32) as usize % SHARDS]
    }

    pub fn find(&self, thing: &T) -> Option<u32> {
        self.find_hashed(self.hasher.hash_one(thing), thing)
    }

    fn find_hashed(&self, hash: u64, thing: &T) -> Option<u32> {
        let shard = self.shard(hash).read();
        let shard = shard.unwrap_or_else(|poisoned| poisoned.into_inner());
        let found = shard.find(hash, |known| self.is(known, hash, thing));
        found.map(|(_, number)| *number)
    }

    /// The number of a thing, which is added if it is new.
    pub fn number(&self, thing: &T) -> u32 {
        let hash = self.hasher.hash_one(thing);
        let known = self.find_hashed(hash, thing);
        known.unwrap_or_else(|| self.add(hash, thing))
    }

    #[cold]
    fn add(&self, hash: u64, thing: &T) -> u32 {
        let shard = self.shard(hash).write();
        let mut shard = shard.unwrap_or_else(|poisoned| poisoned.into_inner());
        let is_it = |known: &(u64, u32)| self.is(known, hash, thing);
        match shard.entry(hash, is_it, |(hash, _)| *hash) {
            Entry::Occupied(known) => known.get().1,
            Entry::Vacant(place) => {
                let number = self.things.push(thing.clone()) as u32;
                place.insert((hash, number));
                number
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn threads_that_number_the_same_things_agree() {
        let interner: Interner<String> = Interner::default();
        let all = |start: usize| -> Vec<u32> {
            let order = (0..2_000).map(|place| (place + start) % 2_000);
            let mut numbers = vec![0; 2_000];
            order.for_each(|place| numbers[place] = interner.number(&place.to_string()));
            numbers
        };
        let told: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|t| scope.spawn(move || all(t * 500))).collect();
            let told = threads.into_iter().map(|thread| thread.join());
            told.map(|told| told.expect("a thread that ends")).collect()
        });
        assert!(told.iter().all(|numbers| *numbers == told[0]));
        assert_eq!(interner.count(), 2_000);
        for (place, number) in told[0].iter().enumerate() {
            assert_eq!(*interner.thing(*number), place.to_string());
            assert_eq!(interner.find(&place.to_string()), Some(*number));
        }
        assert_eq!(interner.find(&"x".to_owned()), None);
    }
}
