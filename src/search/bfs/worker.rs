//! One worker: expands states in batches, so that memory is asked for long before it is needed.
//!
//! A batch is all or nothing: what it found counts only when all its successors are in the store.
//! So a batch that meets an obstacle is simply done again when the obstacle is out of the way.

use super::frontier::{Run, extend};
use super::recent_cache::RecentCache;
use crate::engine::sync::{OutOfMemory, hash};
use crate::engine::{Expansion, Inserter, NeedsGrowth, Positions, Store, SuccessorCache};
use crate::system::{Factored, PropertyId};

/// Successors in a batch: enough to hide the latency of memory, few enough to stay in the cache.
const BATCH: usize = 256;

/// What a worker can't do while others work, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Room in the store for so many states.
    Room(usize),
    Layout,
    /// Room for more lessons.
    Lessons,
    Memory,
}

impl From<NeedsGrowth> for Need {
    fn from(need: NeedsGrowth) -> Need {
        match need {
            NeedsGrowth::Layout => Need::Layout,
            NeedsGrowth::Trees => Need::Lessons,
            NeedsGrowth::Memory => Need::Memory,
        }
    }
}

/// A violation: by a state, or by a step out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViolationAt {
    pub property: PropertyId,
    pub state: u32,
    pub by_step: bool,
}

/// What was found on the current level.
#[derive(Clone, Debug, Default)]
pub struct LevelResult {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub was_bounded: bool,
    pub was_truncated: bool,
    /// Tasks that were run or remembered.
    pub lookups: u64,
    pub violations: Vec<ViolationAt>,
    /// Of the new states: they belong to the next level.
    pub ahead: Vec<ViolationAt>,
    /// The new states.
    pub runs: Vec<Run>,
}

#[derive(Default)]
pub struct Worker {
    /// Of the store for which the rest was made.
    version: u64,
    inserter: Inserter,
    recent: RecentCache,
    pub found_here: LevelResult,
    /// New states that are still to be judged.
    unjudged: Vec<u32>,
    findings: Expansion,
    positions: Positions,
    scratch: Positions,
}

/// A successor that the store is asked for.
struct Asked {
    key: u64,
    hash: u64,
    /// The number that it seems to have; 0 if it seems to be new.
    guess: u32,
    /// Which of the successors it is.
    place: u32,
}

/// One batch.
struct Batch<const W: usize> {
    /// States that are expanded, and the numbers of their parts one after the other.
    parents: Vec<[u64; W]>,
    parts: Vec<u32>,
    /// Where the successors of each parent end.
    ends: Vec<usize>,
    successors: Vec<[u64; W]>,
    asked: Vec<Asked>,
    /// New states: their numbers, and which successors they are.
    new: Vec<(u32, u32)>,
    transitions: u64,
    deadlocks: u64,
    was_bounded: bool,
    was_truncated: bool,
    violations: Vec<ViolationAt>,
}

impl<const W: usize> Batch<W> {
    fn new() -> Batch<W> {
        Batch {
            parents: Vec::with_capacity(BATCH),
            parts: Vec::new(),
            ends: Vec::new(),
            successors: Vec::with_capacity(2 * BATCH),
            asked: Vec::with_capacity(2 * BATCH),
            new: Vec::with_capacity(BATCH),
            transitions: 0,
            deadlocks: 0,
            was_bounded: false,
            was_truncated: false,
            violations: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.parents.clear();
        self.parts.clear();
        self.ends.clear();
        self.successors.clear();
        self.asked.clear();
        self.new.clear();
        self.violations.clear();
        (self.transitions, self.deadlocks) = (0, 0);
        (self.was_bounded, self.was_truncated) = (false, false);
    }
}

impl Worker {
    pub fn new(store: &Store) -> Worker {
        Worker {
            version: store.version(),
            inserter: store.inserter(),
            ..Worker::default()
        }
    }

    /// Takes note if the store has other tables than before, or other keys.
    pub fn adapt(&mut self, store: &Store) {
        if self.version != store.version() {
            self.version = store.version();
            self.inserter.adapt(store);
            self.recent.forget();
        }
    }

    /// Whether states that were found are still to be judged: `expand` does that first.
    pub fn has_unjudged(&self) -> bool {
        !self.unjudged.is_empty()
    }

    /// Expands states from the front of a run until all are expanded, or something is needed first.
    pub fn expand<S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        store: &Store,
        run: &mut Run,
        is_stopped: &impl Fn() -> bool,
        sees: &impl Fn(u64, u64),
    ) -> Option<Need> {
        match store.words() {
            1 => self.expand_words::<1, S>(cache, store, run, is_stopped, sees),
            2 => self.expand_words::<2, S>(cache, store, run, is_stopped, sees),
            3 => self.expand_words::<3, S>(cache, store, run, is_stopped, sees),
            4 => self.expand_words::<4, S>(cache, store, run, is_stopped, sees),
            8 => self.expand_words::<8, S>(cache, store, run, is_stopped, sees),
            16 => self.expand_words::<16, S>(cache, store, run, is_stopped, sees),
            _ => self.expand_words::<32, S>(cache, store, run, is_stopped, sees),
        }
    }

    fn expand_words<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        store: &Store,
        run: &mut Run,
        is_stopped: &impl Fn() -> bool,
        sees: &impl Fn(u64, u64),
    ) -> Option<Need> {
        let mut batch = Batch::<W>::new();
        if let Err(need) = self.judge_rest::<W, S>(cache, store) {
            return Some(need.into());
        }
        while run.start < run.end && !is_stopped() {
            batch.clear();
            let (next, need) = self.generate(cache, store, run.clone(), &mut batch);
            let successors = batch.successors.len();
            if !store.reserve(successors) {
                return Some(Need::Room(successors));
            }
            let inserted = self.insert(store, &mut batch);
            let new = store.settle(successors, &mut self.inserter) as u64;
            if inserted.is_err() {
                return Some(Need::Memory);
            }
            self.found_here.take(&mut batch, new);
            self.found_here.lookups += std::mem::take(&mut self.findings.lookups);
            sees(new, batch.transitions);
            run.start = next;
            let judged = self.judge(cache, &batch);
            if let Some(need) = need.or(judged.err()) {
                return Some(need.into());
            }
        }
        None
    }

    /// Judges those new states of a batch of which there may be more to say than of those before them.
    fn judge<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        batch: &Batch<W>,
    ) -> Result<(), NeedsGrowth> {
        if !cache.has_judges() {
            return Ok(());
        }
        let mut parent = 0;
        let mut judged = Ok(());
        for (number, place) in &batch.new {
            while batch.ends[parent] <= *place as usize {
                parent += 1;
            }
            let state = &batch.successors[*place as usize];
            if cache.must_judge(state, &batch.parents[parent], &mut self.findings) {
                if judged.is_ok() {
                    judged = self.judge_state(cache, *number, state);
                }
                if judged.is_err() {
                    self.unjudged.push(*number);
                }
            }
        }
        judged
    }

    /// Judges the states that met an obstacle before.
    fn judge_rest<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        store: &Store,
    ) -> Result<(), NeedsGrowth> {
        while let Some(number) = self.unjudged.last().copied() {
            let state = store.state::<W>(number, &mut self.positions);
            self.judge_state(cache, number, &state)?;
            self.unjudged.pop();
        }
        Ok(())
    }

    fn judge_state<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        number: u32,
        state: &[u64; W],
    ) -> Result<(), NeedsGrowth> {
        cache.judge(state, &mut self.findings)?;
        for set in &self.findings.by_state {
            let violated = cache.properties(*set).into_iter();
            self.found_here
                .ahead
                .extend(violated.map(|property| ViolationAt {
                    property,
                    state: number,
                    by_step: false,
                }));
        }
        Ok(())
    }

    /// Fills a batch; the first state that is not in it, and what was in the way if something was.
    fn generate<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        store: &Store,
        run: Run,
        batch: &mut Batch<W>,
    ) -> (u32, Option<NeedsGrowth>) {
        let mut number = run.start;
        while number < run.end && batch.successors.len() < BATCH {
            let state = store.state::<W>(number, &mut self.positions);
            let before = batch.successors.len();
            let successors = &mut batch.successors;
            let expanded = cache.expand(&state, &mut self.findings, |next| successors.push(next));
            if let Err(need) = expanded {
                batch.successors.truncate(before);
                return (number, Some(need));
            }
            if W > 1 || cache.has_judges() {
                batch.parents.push(state);
                batch.parts.extend_from_slice(&self.positions);
                batch.ends.push(batch.successors.len());
            }
            self.account(cache, number, &state, batch);
            number += 1;
        }
        (number, None)
    }

    /// What was found in a state besides its successors.
    #[inline(always)]
    fn account<const W: usize, S: Factored>(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        number: u32,
        state: &[u64; W],
        batch: &mut Batch<W>,
    ) {
        let findings = &self.findings;
        batch.transitions += findings.transitions;
        batch.was_bounded |= findings.was_bounded;
        batch.was_truncated |= findings.was_truncated;
        let is_clean = findings.by_state.is_empty() && findings.by_steps.is_empty();
        if is_clean && findings.is_progress {
            return;
        }
        let mut by_state: Vec<PropertyId> = Vec::new();
        if !findings.is_progress {
            let deadlock_info = cache.system().deadlock_info(&cache.unpack(state));
            batch.deadlocks += u64::from(deadlock_info.is_deadlock);
            by_state.extend(deadlock_info.violated);
        }
        by_state.extend(
            findings
                .by_state
                .iter()
                .flat_map(|set| cache.properties(*set)),
        );
        let by_steps = findings
            .by_steps
            .iter()
            .flat_map(|set| cache.properties(*set));
        let violation = |by_step| {
            move |property| ViolationAt {
                property,
                state: number,
                by_step,
            }
        };
        batch
            .violations
            .extend(by_state.into_iter().map(violation(false)));
        batch.violations.extend(by_steps.map(violation(true)));
    }

    /// Asks for what the keys of states of several words need.
    fn prefetch_words<const W: usize>(store: &Store, batch: &Batch<W>) {
        let mut start = 0;
        for (parent, end) in batch.parents.iter().zip(&batch.ends) {
            for child in &batch.successors[start..*end] {
                store.prefetch_words(child, parent);
            }
            start = *end;
        }
    }

    /// Three passes over a batch, each asking for the memory that the next one needs: the line of
    /// the index, the key behind the slot, and then the insertion itself.
    fn insert<const W: usize>(
        &mut self,
        store: &Store,
        batch: &mut Batch<W>,
    ) -> Result<(), OutOfMemory> {
        if W > 1 {
            Worker::prefetch_words(store, batch);
        }
        let mut parent = 0;
        for (place, successor) in batch.successors.iter().enumerate() {
            let key = if W == 1 {
                successor[0]
            } else {
                while batch.ends[parent] <= place {
                    parent += 1;
                }
                let known = &batch.parts[parent * store.parts()..][..store.parts()];
                let from = &batch.parents[parent];
                store.key(
                    successor,
                    from,
                    known,
                    &mut self.scratch,
                    &mut self.inserter,
                )?
            };
            let hash = hash(key);
            if !self.recent.meet(key, hash) {
                store.prefetch_line(hash);
                batch.asked.push(Asked {
                    key,
                    hash,
                    guess: 0,
                    place: place as u32,
                });
            }
        }
        for asked in &mut batch.asked {
            asked.guess = store.guess(asked.hash);
        }
        for asked in &batch.asked {
            if asked.guess != 0 && store.is_right(asked.guess, asked.key) {
                continue; // most successors were seen before
            }
            if let Some(number) = store.insert(asked.key, asked.hash, &mut self.inserter)? {
                extend(&mut self.found_here.runs, number);
                batch.new.push((number, asked.place));
            }
        }
        Ok(())
    }

    /// Adds a state from outside; whether there was room for it.
    pub fn add<const W: usize>(
        &mut self,
        store: &Store,
        state: [u64; W],
    ) -> Result<bool, OutOfMemory> {
        if !store.reserve(1) {
            return Ok(false);
        }
        let mut batch = Batch::<W>::new();
        batch.parents.push(state);
        batch.parts.resize(store.parts(), 0);
        batch.ends.push(1);
        batch.successors.push(state);
        self.insert(store, &mut batch)?;
        self.unjudged
            .extend(batch.new.iter().map(|(number, _)| *number));
        self.found_here.states += store.settle(1, &mut self.inserter) as u64;
        Ok(true)
    }
}

impl LevelResult {
    fn take<const W: usize>(&mut self, batch: &mut Batch<W>, new: u64) {
        self.states += new;
        self.transitions += batch.transitions;
        self.deadlocks += batch.deadlocks;
        self.was_bounded |= batch.was_bounded;
        self.was_truncated |= batch.was_truncated;
        self.violations.append(&mut batch.violations);
    }

    /// Joins what another worker found; its new states stay its own.
    pub fn join(&mut self, other: LevelResult) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.deadlocks += other.deadlocks;
        self.was_bounded |= other.was_bounded;
        self.was_truncated |= other.was_truncated;
        self.lookups += other.lookups;
        self.violations.extend(other.violations);
        self.ahead.extend(other.ahead);
    }
}
