//! Successors whose keys are still to be found. All of a batch go up the tree together, level by level, so that
//! the memory that they need is asked for long before it is used.

use std::collections::HashMap;

use super::place::{PairNumbers, pair};
use super::shape::Path;
use crate::engine::sync::{HashIndex, OutOfMemory, hash};

#[derive(Default)]
pub struct Pending {
    /// The ids that each successor is made of, one successor after the other.
    pub slots: Vec<u32>,
    pub successors: Vec<Successor>,
    active: Vec<u32>,
    missed: Vec<Missed>,
}

#[derive(Clone, Copy)]
pub struct Successor {
    /// Its first slot.
    pub start: u32,
    /// The number of its path, as the worker knows it.
    pub path: u32,
}

/// The paths that a worker has come across, side by side.
#[derive(Default)]
pub struct Paths {
    paths: Vec<Path>,
    /// From the number that all workers know to the worker's own.
    numbers: HashMap<u32, u32>,
}

impl Paths {
    #[inline(always)]
    pub fn get(&self, own: u32) -> &Path {
        &self.paths[own as usize]
    }

    /// The worker's own number of a path.
    pub fn number(&mut self, number: u32, path: impl FnOnce(u32) -> Path) -> u32 {
        *self.numbers.entry(number).or_insert_with(|| {
            self.paths.push(path(number));
            self.paths.len() as u32 - 1
        })
    }
}

/// A pair whose id the worker does not remember.
struct Missed {
    key: u64,
    hash: u64,
    /// The id that it seems to have; 0 if it seems to be new.
    guess: u32,
    /// Where its id goes.
    slot: u32,
}

impl Pending {
    pub fn clear(&mut self) {
        self.slots.clear();
        self.successors.clear();
    }

    /// Adds a successor; its slots come next.
    #[inline(always)]
    pub fn begin(&mut self, path: u32) {
        self.successors.push(Successor {
            start: self.slots.len() as u32,
            path,
        });
    }

    /// Takes back all but so many.
    pub fn truncate(&mut self, successors: usize) {
        if let Some(first) = self.successors.get(successors) {
            self.slots.truncate(first.start as usize);
            self.successors.truncate(successors);
        }
    }

    /// Finds all keys. There must be room for as many pairs as are
    /// joined; how many were new.
    pub fn resolve(
        &mut self,
        paths: &Paths,
        table: &HashIndex,
        pairs: &mut PairNumbers,
        keys: &mut [u64],
    ) -> Result<usize, OutOfMemory> {
        let mut new = 0;
        self.active.clear();
        self.active.extend(0..self.successors.len() as u32);
        let mut round = 0;
        while !self.active.is_empty() {
            self.join(round, paths, table, pairs);
            new += self.number_missed(table, pairs)?;
            round += 1;
        }
        for (successor, key) in self.successors.iter().zip(keys) {
            let path = paths.get(successor.path);
            let slot = |slot: u32| self.slots[(successor.start + slot) as usize];
            *key = pair(slot(path.top.0), slot(path.top.1));
        }
        Ok(new)
    }

    /// Joins one pair of each successor that has so many.
    fn join(&mut self, round: usize, paths: &Paths, table: &HashIndex, pairs: &PairNumbers) {
        let (slots, missed) = (&mut self.slots, &mut self.missed);
        missed.clear();
        self.active.retain(|number| {
            let successor = self.successors[*number as usize];
            let path = paths.get(successor.path);
            let Some((left, right)) = path.joins.get(round) else {
                return false;
            };
            let slot = |slot: u32| (successor.start + slot) as usize;
            let key = pair(slots[slot(*left)], slots[slot(*right)]);
            let result = slot(path.first_join + round as u32);
            match pairs.recent.get(pairs.recent.place(key), key) {
                Some(id) => slots[result] = id,
                None => {
                    let hash = hash(key);
                    table.prefetch_line(hash);
                    missed.push(Missed {
                        key,
                        hash,
                        guess: 0,
                        slot: result as u32,
                    });
                }
            }
            round + 1 < path.joins.len()
        });
    }

    fn number_missed(
        &mut self,
        table: &HashIndex,
        pairs: &mut PairNumbers,
    ) -> Result<usize, OutOfMemory> {
        let mut new = 0;
        for missed in &mut self.missed {
            missed.guess = table.guess(missed.hash);
        }
        for missed in &self.missed {
            let mut id = missed.guess;
            if id == 0 || !table.is_right(id, missed.key) {
                let (number, is_new) = table.insert(missed.key, missed.hash, &mut pairs.ids)?;
                id = number;
                new += usize::from(is_new);
            }
            self.slots[missed.slot as usize] = id;
            let entry = pairs.recent.place(missed.key);
            pairs.recent.put(entry, missed.key, id);
        }
        Ok(new)
    }
}
