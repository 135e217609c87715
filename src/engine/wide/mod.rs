//! States of any width, as trees of pairs (Laarman, van de Pol, Weber: "Parallel recursive state
//! compression for free"), and successors that cost what they change.
//!
//! | file | what it holds |
//! |---|---|
//! | `shape` | the tree: components, blocks of those that change together, the root |
//! | `place` | the state that a worker stands at |
//! | `expand` | from a state to its successors |
//! | `pending` | successors whose keys are still to be found |
//! | `steps` | what groups do, kept from one state to the next |
//! | `step_cache` | what they did lately |
//! | `resolved` | the words in which both of them keep it |
//! | `work` | what groups do, found out |
//! | `result` | what a group does, as the cells of a leaf, for all workers |
//! | `recent` | numbers that a worker has looked up lately |
//!
//! Each component numbers its values. Above them, pairs of numbers are numbered in one table that all share,
//! up to the two children of the root: these are the key of a state. A step changes a few
//! components of one or two blocks, so only the pairs on the way from there to the root are looked up.
//! Nothing is ever laid out anew: numbers only become larger.

mod expand;
mod pending;
mod place;
mod recent;
mod resolved;
mod result;
mod shape;
mod step_cache;
mod steps;
mod work;

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;
use indexmap::IndexSet;

use super::successor_cache::{CacheStatistics, NeedsGrowth, Trees, ValueTable};
use crate::engine::sync::{HashIndex, Interner, NoRoom, OutOfMemory, ThreadPool, hash};
use crate::system::{Factored, GroupId, PropertyId};
use pending::{Paths, Pending};
pub use place::Folder;
use place::{PairNumbers, Place, pair};
use result::BlockUpdate;
use shape::{Join, Kind, NOTHING, Node, Path, Shape};
use steps::Steps;

type Values<S> = ValueTable<<S as Factored>::Value, <S as Factored>::ValueUpdate>;

pub struct TreeSpace<'s, S: Factored> {
    system: &'s S,
    shape: Shape,
    values: Vec<Values<S>>,
    /// Ids of pairs, wherever in the tree they stand.
    pairs: HashIndex,
    results: Trees,
    updates: Interner<BlockUpdate>,
    paths: Interner<Path>,
    /// Groups that are run in every state, those that only judge last.
    roots: Vec<GroupId>,
    violations: CachePadded<RwLock<IndexSet<Vec<PropertyId>>>>,
    misses: CachePadded<AtomicU64>,
    evictions: u64,
}

/// What a worker needs to go through a space.
pub struct Cursor<S: Factored> {
    place: Place,
    steps: Steps,
    /// The results for which `steps` was filled.
    evictions: u64,
    pending: Pending,
    paths: Paths,
    held: Option<Held<S::State>>,
    folder: Option<Folder>,
}

/// A state as the system itself sees it, and what its components hold.
struct Held<State> {
    state: State,
    /// By node.
    inside: Vec<u32>,
}

/// Room that a worker sets aside at once.
const ROOM: usize = 1024;

impl<'s, S: Factored> TreeSpace<'s, S> {
    /// That has seen nothing yet.
    pub fn empty(system: &'s S, components: usize) -> Result<TreeSpace<'s, S>, OutOfMemory> {
        let values = (0..components).map(|_| Values::<S>::default());
        TreeSpace::new(system, values.collect(), IndexSet::from([Vec::new()]))
    }

    /// With values that were seen before, if any were, and sets of properties that were named.
    pub fn new(
        system: &'s S,
        values: Vec<Values<S>>,
        violations: IndexSet<Vec<PropertyId>>,
    ) -> Result<TreeSpace<'s, S>, OutOfMemory> {
        let owners: Vec<usize> = (0..values.len()).map(|c| system.owner(c)).collect();
        let groups = system.groups();
        Ok(TreeSpace {
            system,
            shape: Shape::new(&owners),
            values,
            pairs: HashIndex::new(u64::BITS)?,
            results: Trees::new(groups.count)?,
            updates: Interner::default(),
            paths: Interner::default(),
            roots: [groups.always, groups.judging].concat(),
            violations: CachePadded::new(RwLock::new(violations)),
            misses: CachePadded::default(),
            evictions: 0,
        })
    }

    pub fn cursor(&self) -> Cursor<S> {
        Cursor {
            place: Place::new(&self.shape),
            steps: Steps::new(self.roots.len(), self.shape.blocks().len()),
            evictions: self.evictions,
            pending: Pending::default(),
            paths: Paths::default(),
            held: None,
            folder: None,
        }
    }

    pub fn system(&self) -> &'s S {
        self.system
    }

    pub fn properties(&self, set: u32) -> Vec<PropertyId> {
        let violations = self.violations.read().unwrap_or_else(|p| p.into_inner());
        violations[set as usize].clone()
    }

    pub fn values(&self) -> &[Values<S>] {
        &self.values
    }

    pub fn statistics(&self) -> CacheStatistics {
        let results = self.results.statistics();
        let names = (0..self.values.len()).map(|component| self.system.name(component));
        CacheStatistics {
            values: names
                .zip(self.values.iter().map(Values::<S>::count))
                .collect(),
            bits: 0,
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions,
            results: results.leaves,
            nodes: results.nodes,
            bytes: results.bytes,
        }
    }

    /// What the pairs take.
    pub fn bytes(&self) -> usize {
        self.pairs.bytes()
    }

    /// What room for so many more pairs would take at once.
    pub fn growth_bytes(&self, pairs: usize) -> usize {
        match self.pairs.has_room(pairs) {
            true => 0,
            false => self.pairs.next_index_bytes(),
        }
    }

    /// Makes room for more pairs.
    pub fn grow(&mut self, pairs: usize, pool: &ThreadPool) -> Result<(), NoRoom> {
        while !self.pairs.has_room(pairs) {
            self.pairs.grow(pool)?;
        }
        Ok(())
    }

    /// Makes room for more results: twice as many cells, or, beyond this many bytes, none of the
    /// old results.
    pub fn make_room_for_results(&mut self, most_bytes: usize) -> Result<(), OutOfMemory> {
        if 2 * self.results.bytes() > most_bytes {
            self.results.clear();
            self.evictions += 1;
            return Ok(());
        }
        self.results.grow()
    }

    pub fn folder(&self) -> Folder {
        Folder::new(&self.shape)
    }

    /// The key of a state whose components have values of these numbers.
    pub fn fold(
        &self,
        numbers: impl Iterator<Item = u32>,
        folder: &mut Folder,
    ) -> Result<u64, NeedsGrowth> {
        let mut changed = Vec::new();
        for (component, number) in numbers.enumerate() {
            let leaf = self.shape.leaf(component);
            if std::mem::replace(&mut folder.ids[leaf as usize], number) != number {
                changed.push(leaf);
            }
        }
        for Join { node, left, right } in self.shape.joins(changed, NOTHING) {
            let (left, right) = (folder.ids[left as usize], folder.ids[right as usize]);
            match self.pair_id(left, right, &mut folder.pairs) {
                Ok(id) => folder.ids[node as usize] = id,
                Err(need) => {
                    folder.forget();
                    return Err(need);
                }
            }
        }
        let (left, right) = self.shape.top;
        Ok(pair(folder.ids[left as usize], folder.ids[right as usize]))
    }

    /// The key of a state, if it may have been met: all its parts have numbers.
    pub fn find(&self, state: &S::State) -> Option<u64> {
        let parts = self.system.split(state);
        let mut ids = vec![0; self.shape.nodes()];
        for (component, (values, part)) in self.values.iter().zip(&parts).enumerate() {
            ids[self.shape.leaf(component) as usize] = values.find(part)?;
        }
        for node in 0..self.shape.nodes() {
            if let Kind::Pair(left, right) = self.shape.kind(node as Node) {
                ids[node] = self
                    .pairs
                    .find(pair(ids[left as usize], ids[right as usize]))?;
            }
        }
        let (left, right) = self.shape.top;
        Some(pair(ids[left as usize], ids[right as usize]))
    }

    /// The key of any state.
    pub fn add(&self, state: &S::State, cursor: &mut Cursor<S>) -> Result<u64, NeedsGrowth> {
        let parts = self.system.split(state);
        let numbers = parts.iter().zip(&self.values);
        let numbers = numbers.map(|(part, values)| values.number(part));
        self.fold(numbers, cursor.folder.get_or_insert_with(|| self.folder()))
    }

    /// The state of a key.
    pub fn state(&self, key: u64, cursor: &mut Cursor<S>) -> S::State {
        self.go_to(key, cursor);
        self.hold(&mut cursor.place, &mut cursor.held).clone()
    }

    /// The numbers of the values of all components.
    pub fn numbers<'c>(
        &'c self,
        key: u64,
        cursor: &'c mut Cursor<S>,
    ) -> impl Iterator<Item = u32> + 'c {
        self.go_to(key, cursor);
        let place = &mut cursor.place;
        (0..self.shape.blocks().len()).for_each(|block| self.open(block, place));
        (0..self.values.len()).map(|component| place.inside[self.shape.leaf(component) as usize])
    }

    /// Sets room aside for so many pairs.
    fn reserve(&self, needed: usize, pairs: &mut PairNumbers) -> Result<(), NeedsGrowth> {
        if pairs.room < needed {
            let more = ROOM.max(needed);
            if !self.pairs.reserve(more) {
                return Err(NeedsGrowth::Pairs(more));
            }
            pairs.room += more;
        }
        Ok(())
    }

    /// The id of a pair.
    #[inline(always)]
    fn pair_id(&self, left: u32, right: u32, pairs: &mut PairNumbers) -> Result<u32, NeedsGrowth> {
        let key = pair(left, right);
        let entry = pairs.recent.place(key);
        match pairs.recent.get(entry, key) {
            Some(id) => Ok(id),
            None => {
                let id = self.number_pair(key, pairs)?;
                pairs.recent.put(entry, key, id);
                Ok(id)
            }
        }
    }

    #[inline(never)]
    fn number_pair(&self, key: u64, pairs: &mut PairNumbers) -> Result<u32, NeedsGrowth> {
        self.reserve(1, pairs)?;
        let (id, is_new) = self.pairs.insert(key, hash(key), &mut pairs.ids)?;
        pairs.room -= usize::from(is_new);
        Ok(id)
    }
}
