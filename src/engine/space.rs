//! The states of a system that were met, each with a number, and where they lead: all that a search needs
//! to know. How states are stored, and how steps are remembered, is nobody else's business.
//!
//! A state has a key of 64 bits. While all components fit one word, that is the state itself
//! (`successor_cache`); when they don't any more, it is the root of a tree (`wide`). The number of a state
//! is that of its key, and stays the same whatever grows or changes its form.
//!
//! Workers share a space while they expand. What they can't do side by side they ask for (`Pause`), and
//! somebody who has the space alone provides it.

use std::sync::{Mutex, RwLock};

use super::batch::{Run, SpaceWorker, StateId, StateKey, Wanted};
use super::successor_cache::{CacheStatistics, Expansion, Field, NeedsGrowth, SuccessorCache};
use super::wide::{Cursor, Folder, TreeSpace};
use crate::engine::sync::{HashIndex, NoRoom, OutOfMemory, ThreadPool};
use crate::system::{DeadlockInfo, Factored, LabelId, PropertyId};

pub struct StateSpace<'s, S: Factored> {
    pub(super) form: Form<'s, S>,
    pub(super) states: HashIndex,
    /// Another number whenever keys have changed their meaning.
    pub(super) version: u64,
}

#[expect(clippy::large_enum_variant, reason = "a search has one of it")]
pub(super) enum Form<'s, S: Factored> {
    Packed(SuccessorCache<'s, S>),
    Tree(TreeSpace<'s, S>),
}

/// What a worker can't do while others work, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Room for so many states.
    States(usize),
    /// Room for values that components have not had before.
    Values,
    /// Room for more results.
    Results,
    /// Room for so many pairs.
    Pairs(usize),
    Memory,
}

impl From<NeedsGrowth> for Pause {
    fn from(need: NeedsGrowth) -> Pause {
        match need {
            NeedsGrowth::Layout => Pause::Values,
            NeedsGrowth::Trees => Pause::Results,
            NeedsGrowth::Pairs(pairs) => Pause::Pairs(pairs),
            NeedsGrowth::Memory => Pause::Memory,
        }
    }
}

impl From<OutOfMemory> for Pause {
    fn from(_: OutOfMemory) -> Pause {
        Pause::Memory
    }
}

/// With more components a word would hardly be enough for long, and planning it takes longer than it helps: 2 s
/// for 200 processes with 60 variables each.
const MOST_PACKED: usize = 2048;
/// Cells of results have numbers of 32 bits.
const MOST_RESULT_BYTES: usize = (1 << 32) * size_of::<u64>();

/// Which form states are to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// One word while that is enough.
    #[default]
    AsNeeded,
    /// Trees from the beginning.
    Any,
}

impl<'s, S: Factored> StateSpace<'s, S> {
    /// A space in which the values of these states have numbers. The states are still to be added.
    pub fn new(system: &'s S, initial: &[S::State], width: Width) -> Result<Self, NoRoom> {
        let components = initial.first().map_or(0, |state| system.split(state).len());
        if components > MOST_PACKED {
            return Ok(StateSpace {
                form: Form::Tree(TreeSpace::empty(system, components)?),
                states: HashIndex::new(u64::BITS)?,
                version: 0,
            });
        }
        let cache = SuccessorCache::new(system, initial)?;
        let bits = cache.layout().word_bits;
        let mut space = StateSpace {
            form: Form::Packed(cache),
            states: HashIndex::new(bits)?,
            version: 0,
        };
        if width == Width::Any || !space.is_packed_enough() {
            space.widen(&ThreadPool::alone())?;
        }
        Ok(space)
    }

    /// Whether the values that were seen fit the word.
    fn is_packed_enough(&self) -> bool {
        match &self.form {
            Form::Packed(cache) => cache.layout().fields.len() == cache.values().len(),
            Form::Tree(_) => true,
        }
    }

    pub fn worker(&self) -> SpaceWorker<S> {
        SpaceWorker::new(self)
    }

    pub fn system(&self) -> &'s S {
        match &self.form {
            Form::Packed(cache) => cache.system(),
            Form::Tree(tree) => tree.system(),
        }
    }

    /// The number of a state that was met.
    pub fn find(&self, state: &S::State) -> Option<StateId> {
        let StateKey(key) = self.key_of(state)?;
        self.states.find(key).map(StateId)
    }

    /// The key of a state, if it may have been met: all its parts were.
    pub fn key_of(&self, state: &S::State) -> Option<StateKey> {
        Some(StateKey(match &self.form {
            Form::Packed(cache) => cache.pack(state)?,
            Form::Tree(tree) => tree.find(state)?,
        }))
    }

    /// The key of a state that was met.
    pub fn key(&self, id: StateId) -> StateKey {
        StateKey(self.states.key(id.0))
    }

    /// The state of a number.
    pub fn state(&self, id: StateId, worker: &mut SpaceWorker<S>) -> S::State {
        let key = self.states.key(id.0);
        match &self.form {
            Form::Packed(cache) => cache.unpack(key),
            Form::Tree(tree) => tree.state(key, worker.cursor(tree)),
        }
    }

    /// For each component, the number of what it holds.
    pub fn numbers(&self, id: StateId, worker: &mut SpaceWorker<S>, numbers: &mut Vec<u32>) {
        let key = self.states.key(id.0);
        numbers.clear();
        match &self.form {
            Form::Packed(cache) => {
                numbers.extend(cache.layout().fields.iter().map(|field| field.get(key)));
            }
            Form::Tree(tree) => numbers.extend(tree.numbers(key, worker.cursor(tree))),
        }
    }

    /// By component: all that it was seen with, in the order of the numbers.
    pub fn values(&self) -> Vec<Vec<S::Value>> {
        let tables = match &self.form {
            Form::Packed(cache) => cache.values(),
            Form::Tree(tree) => tree.values(),
        };
        tables.iter().map(|table| table.all()).collect()
    }

    /// Adds a state from outside; its number if it is new.
    pub fn add(
        &self,
        state: &S::State,
        worker: &mut SpaceWorker<S>,
    ) -> Result<Option<StateId>, Pause> {
        worker.adapt(self);
        let key = match &self.form {
            Form::Packed(cache) => cache.pack(state).ok_or(Pause::Values)?,
            Form::Tree(tree) => tree.add(state, worker.cursor(tree))?,
        };
        worker.add(self, key)
    }

    /// Expands states from the front of a run; what was found is in the worker's batch. Something may be
    /// needed before it can go on.
    pub fn expand(
        &self,
        worker: &mut SpaceWorker<S>,
        run: &mut Run,
        wanted: Wanted,
    ) -> Option<Pause> {
        worker.adapt(self);
        worker.expand(self, run, wanted)
    }

    /// All successors of a state, known ones too, for whoever has the space alone.
    pub fn successors<'w>(
        &mut self,
        id: StateId,
        worker: &'w mut SpaceWorker<S>,
    ) -> Result<&'w [StateId], NoRoom> {
        let mut run = id.0..id.0 + 1;
        while !run.is_empty() {
            if let Some(pause) = self.expand(worker, &mut run, Wanted::All) {
                self.provide(pause, usize::MAX, &ThreadPool::alone())?;
            }
        }
        Ok(&worker.batch.successors)
    }

    /// Whether that is true in a state.
    pub fn label(&self, label: LabelId, id: StateId, worker: &mut SpaceWorker<S>) -> bool {
        self.system().label(label, &self.state(id, worker))
    }

    /// What a pause would take at once.
    pub fn growth_bytes(&self, pause: Pause) -> usize {
        match (pause, &self.form) {
            (Pause::States(states), _) if !self.states.has_room(states) => {
                self.states.next_index_bytes()
            }
            (Pause::Pairs(pairs), Form::Tree(tree)) => tree.growth_bytes(pairs),
            _ => 0,
        }
    }

    /// Does what could not be done while others worked, if nobody has done it since.
    pub fn provide(
        &mut self,
        pause: Pause,
        most_result_bytes: usize,
        pool: &ThreadPool,
    ) -> Result<(), NoRoom> {
        let most_result_bytes = most_result_bytes.min(MOST_RESULT_BYTES);
        match (pause, &mut self.form) {
            (Pause::Memory, _) => Err(NoRoom::Memory),
            (Pause::States(states), _) => {
                while !self.states.has_room(states) {
                    self.states.grow(pool)?;
                }
                Ok(())
            }
            (Pause::Results, Form::Packed(cache)) => {
                Ok(cache.make_room_for_results(most_result_bytes)?)
            }
            (Pause::Results, Form::Tree(tree)) => {
                Ok(tree.make_room_for_results(most_result_bytes)?)
            }
            (Pause::Values, Form::Packed(_)) => self.lay_out(pool),
            (Pause::Pairs(pairs), Form::Tree(tree)) => tree.grow(pairs * pool.threads(), pool),
            // Asked for before another worker changed the form.
            (Pause::Values, Form::Tree(_)) | (Pause::Pairs(_), Form::Packed(_)) => Ok(()),
        }
    }

    /// Lets what was learnt make remembering better.
    pub fn between_levels(&mut self) {
        if let Form::Packed(cache) = &mut self.form {
            cache.rebundle_if_outdated();
        }
    }

    /// Gives components more bits, or all states another form if a word has not so many.
    fn lay_out(&mut self, pool: &ThreadPool) -> Result<(), NoRoom> {
        let Form::Packed(cache) = &mut self.form else {
            return Ok(());
        };
        if !cache.is_too_small() {
            return Ok(()); // another worker was here before
        }
        let Some(before) = cache.make_room() else {
            return self.widen(pool);
        };
        self.version += 1;
        let translation = before.translation(cache.layout());
        let bits = cache.layout().word_bits;
        self.states
            .rekey_each(bits, |key| translation.state(key), pool)
    }

    /// From words to trees.
    fn widen(&mut self, pool: &ThreadPool) -> Result<(), NoRoom> {
        let Form::Packed(cache) = &mut self.form else {
            return Ok(());
        };
        self.version += 1;
        let fields = cache.layout().fields.clone();
        let tree = cache.take_tree()?;
        let folding = Folding {
            fields: &fields,
            tree: RwLock::new(tree),
            folders: Mutex::default(),
        };
        self.states
            .rekey(u64::BITS, |keys| folding.fold(keys), pool)?;
        let tree = folding.tree.into_inner().unwrap_or_else(|p| p.into_inner());
        self.form = Form::Tree(tree);
        Ok(())
    }

    pub fn statistics(&self) -> CacheStatistics {
        match &self.form {
            Form::Packed(cache) => cache.statistics(),
            Form::Tree(tree) => tree.statistics(),
        }
    }

    /// What the states take.
    pub fn bytes(&self) -> usize {
        let pairs = match &self.form {
            Form::Packed(_) => 0,
            Form::Tree(tree) => tree.bytes(),
        };
        self.states.bytes() + pairs
    }
}

/// All states folded to trees, by several threads.
struct Folding<'a, 's, S: Factored> {
    fields: &'a [Field],
    /// Threads share it while they fold; whoever needs more room has it alone.
    tree: RwLock<TreeSpace<'s, S>>,
    /// Of threads that are between two pieces.
    folders: Mutex<Vec<Folder>>,
}

impl<S: Factored> Folding<'_, '_, S> {
    fn fold(&self, keys: &mut [u64]) -> Result<(), NoRoom> {
        let folders = || self.folders.lock().unwrap_or_else(|p| p.into_inner());
        let tree = || self.tree.read().unwrap_or_else(|p| p.into_inner());
        let known = folders().pop();
        let mut folder = known.unwrap_or_else(|| tree().folder());
        for key in &mut *keys {
            *key = loop {
                let numbers = self.fields.iter().map(|field| field.get(*key));
                let folded = tree().fold(numbers, &mut folder);
                match folded {
                    Ok(folded) => break folded,
                    Err(NeedsGrowth::Memory) => return Err(NoRoom::Memory),
                    Err(need) => {
                        let more = if let NeedsGrowth::Pairs(more) = need {
                            more
                        } else {
                            0
                        };
                        let mut tree = self.tree.write().unwrap_or_else(|p| p.into_inner());
                        tree.grow(more, &ThreadPool::alone())?;
                    }
                }
            };
        }
        folders().push(folder);
        Ok(())
    }
}

/// What both forms can do.
pub(super) trait Expand {
    /// What a worker needs for it.
    type Cursor;

    /// Adds the keys of all successors of a state, or so many of any keys that `resolve` is to replace.
    /// Says what else was found in it.
    fn expand(
        &self,
        key: u64,
        cursor: &mut Self::Cursor,
        findings: &mut Expansion,
        successors: &mut Vec<u64>,
    ) -> Result<(), NeedsGrowth>;

    /// Finds the keys of all successors since the last time.
    fn resolve(&self, cursor: &mut Self::Cursor, keys: &mut [u64]) -> Result<(), NeedsGrowth>;

    fn deadlock_info(&self, key: u64, cursor: &mut Self::Cursor) -> DeadlockInfo;

    fn properties(&self, set: u32) -> Vec<PropertyId>;
}

impl<S: Factored> Expand for SuccessorCache<'_, S> {
    type Cursor = ();

    #[inline(always)]
    fn expand(
        &self,
        key: u64,
        (): &mut (),
        findings: &mut Expansion,
        successors: &mut Vec<u64>,
    ) -> Result<(), NeedsGrowth> {
        self.expand(key, findings, |successor| successors.push(successor))
    }

    fn resolve(&self, (): &mut (), _: &mut [u64]) -> Result<(), NeedsGrowth> {
        Ok(())
    }

    fn deadlock_info(&self, key: u64, (): &mut ()) -> DeadlockInfo {
        self.system().deadlock_info(&self.unpack(key))
    }

    fn properties(&self, set: u32) -> Vec<PropertyId> {
        self.properties(set)
    }
}

impl<S: Factored> Expand for TreeSpace<'_, S> {
    type Cursor = Cursor<S>;

    #[inline(always)]
    fn expand(
        &self,
        key: u64,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
        successors: &mut Vec<u64>,
    ) -> Result<(), NeedsGrowth> {
        let count = self.expand(key, cursor, findings)?;
        successors.resize(successors.len() + count, 0);
        Ok(())
    }

    fn resolve(&self, cursor: &mut Cursor<S>, keys: &mut [u64]) -> Result<(), NeedsGrowth> {
        self.resolve(cursor, keys)
    }

    fn deadlock_info(&self, key: u64, cursor: &mut Cursor<S>) -> DeadlockInfo {
        self.system().deadlock_info(&self.state(key, cursor))
    }

    fn properties(&self, set: u32) -> Vec<PropertyId> {
        self.properties(set)
    }
}
