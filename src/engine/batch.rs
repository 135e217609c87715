//! One worker: expands states in batches, so that memory is asked for long before it is needed.
//!
//! A batch is all or nothing: what it found counts only when all its successors have numbers.
//! So a batch that has to wait for something is simply done again when that is there.

use std::ops::Range;

use super::recent_cache::RecentCache;
use super::space::{Expand, Form, Pause, StateSpace};
use super::successor_cache::{Expansion, NeedsGrowth, SuccessorCache};
use super::wide::{Cursor, TreeSpace};
use crate::engine::sync::{Ids, OutOfMemory, hash};
use crate::system::{Factored, PropertyId};

/// Successors in a batch: enough to hide the latency of memory, few enough to stay in the cache.
const BATCH: usize = 256;

/// A state that was met, by its number among all: dense, from 1 on, and the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// What a state is known by inside of its space, as long as nothing grows: found without a look at the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateKey(pub(super) u64);

/// The numbers of states that follow each other.
pub type Run = Range<u32>;

/// Which successors are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that nobody has met before.
    New,
    /// All.
    All,
    /// The keys of all, which is faster: they are not looked for in the index.
    Keys,
}

/// A violation: by a state, or by a step out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViolationAt {
    pub property: PropertyId,
    pub state: StateId,
    pub by_step: bool,
}

/// What was found in some states.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// New states, in the order of their numbers where nobody else adds some.
    pub new: Vec<StateId>,
    /// All successors of one state after the other, if all were wanted; and where those of each end.
    pub successors: Vec<StateId>,
    /// The same, if keys were wanted.
    pub keys: Vec<StateKey>,
    pub ends: Vec<usize>,
    pub transitions: u64,
    pub deadlocks: u64,
    pub was_bounded: bool,
    pub was_truncated: bool,
    /// Groups that were run, or remembered.
    pub lookups: u64,
    /// Times that room for states was set aside.
    pub reservations: u64,
    pub violations: Vec<ViolationAt>,
    /// By new states: they are known before these are expanded.
    pub ahead: Vec<ViolationAt>,
}

impl Batch {
    /// All but what was judged ahead: that counts as soon as it is known.
    fn clear(&mut self) {
        self.new.clear();
        self.successors.clear();
        self.keys.clear();
        self.ends.clear();
        self.violations.clear();
        (self.transitions, self.deadlocks) = (0, 0);
        (self.lookups, self.reservations) = (0, 0);
        (self.was_bounded, self.was_truncated) = (false, false);
    }
}

pub struct SpaceWorker<S: Factored> {
    /// Of the space for which the rest was made.
    version: u64,
    ids: Ids,
    recent: RecentCache,
    cursor: Option<Cursor<S>>,
    findings: Expansion,
    /// New states that are still to be judged.
    unjudged: Vec<u32>,
    /// States for which there is room set aside.
    room: usize,
    pub batch: Batch,
    parents: Vec<u64>,
    /// Where the successors of each parent end.
    ends: Vec<usize>,
    successors: Vec<u64>,
    asked: Vec<Asked>,
    /// New states: their numbers, and which successors they are.
    new: Vec<(u32, u32)>,
}

/// A successor that is looked for.
struct Asked {
    key: u64,
    hash: u64,
    /// The number that it seems to have; 0 if it seems to be new.
    guess: u32,
    /// Which of the successors it is.
    place: u32,
}

impl<S: Factored> SpaceWorker<S> {
    pub(super) fn new(space: &StateSpace<'_, S>) -> SpaceWorker<S> {
        SpaceWorker {
            version: space.version,
            ids: Ids::default(),
            recent: RecentCache::default(),
            cursor: None,
            findings: Expansion::default(),
            unjudged: Vec::new(),
            room: 0,
            batch: Batch::default(),
            parents: Vec::with_capacity(BATCH),
            ends: Vec::new(),
            successors: Vec::with_capacity(2 * BATCH),
            asked: Vec::with_capacity(2 * BATCH),
            new: Vec::with_capacity(BATCH),
        }
    }

    /// Takes note if keys mean something else than before.
    pub(super) fn adapt(&mut self, space: &StateSpace<'_, S>) {
        if self.version != space.version {
            self.version = space.version;
            self.recent.forget();
        }
    }

    pub(super) fn cursor(&mut self, tree: &TreeSpace<'_, S>) -> &mut Cursor<S> {
        self.cursor.get_or_insert_with(|| tree.cursor())
    }

    /// Whether states that were found are still to be judged: `expand` does that first.
    pub fn has_unjudged(&self) -> bool {
        !self.unjudged.is_empty()
    }

    /// Adds a state from outside; its number if it is new.
    pub(super) fn add(
        &mut self,
        space: &StateSpace<'_, S>,
        key: u64,
    ) -> Result<Option<StateId>, Pause> {
        if !space.states.reserve(1) {
            return Err(Pause::States(1));
        }
        let (number, is_new) = space.states.insert(key, hash(key), &mut self.ids)?;
        if !is_new {
            space.states.give_back(1);
            return Ok(None);
        }
        if let Form::Packed(_) = space.form {
            self.unjudged.push(number); // nothing is judged when it is expanded
        }
        Ok(Some(StateId(number)))
    }

    /// Expands states from the front of a run, and says what is needed before more can be expanded.
    pub(super) fn expand(
        &mut self,
        space: &StateSpace<'_, S>,
        run: &mut Run,
        wanted: Wanted,
    ) -> Option<Pause> {
        self.batch.clear();
        self.batch.ahead.clear();
        match &space.form {
            Form::Packed(cache) => {
                if let Err(need) = self.judge_rest(space, cache) {
                    return Some(need.into());
                }
                let pause = self.expand_with(space, cache, &mut (), run, wanted);
                let judged = self.judge(cache);
                pause.or(judged.err().map(Pause::from))
            }
            Form::Tree(tree) => {
                self.unjudged.clear(); // they are judged when they are expanded
                let mut cursor = self.cursor.take().unwrap_or_else(|| tree.cursor());
                let pause = self.expand_with(space, tree, &mut cursor, run, wanted);
                self.cursor = Some(cursor);
                pause
            }
        }
    }

    #[inline(always)]
    fn expand_with<E: Expand>(
        &mut self,
        space: &StateSpace<'_, S>,
        form: &E,
        cursor: &mut E::Cursor,
        run: &mut Run,
        wanted: Wanted,
    ) -> Option<Pause> {
        self.new.clear();
        let (next, need) = self.generate(space, form, cursor, run.clone());
        let reserved = self.successors.len();
        if let Err(need) = form.resolve(cursor, &mut self.successors) {
            self.batch.clear();
            return Some(need.into());
        }
        if wanted == Wanted::Keys {
            self.batch
                .keys
                .extend(self.successors.iter().copied().map(StateKey));
            self.batch.ends.extend_from_slice(&self.ends);
            run.start = next;
            return need.map(Pause::from);
        }
        if self.room < reserved && !self.set_room_aside(space, reserved) {
            self.batch.clear();
            return Some(Pause::States(reserved));
        }
        let inserted = match wanted == Wanted::New {
            true => self.insert(space),
            false => self.insert_all(space),
        };
        self.room -= self.new.len();
        if inserted.is_err() {
            return Some(Pause::Memory);
        }
        self.batch
            .new
            .extend(self.new.iter().map(|(number, _)| StateId(*number)));
        self.batch.lookups = std::mem::take(&mut self.findings.lookups);
        run.start = next;
        need.map(Pause::from)
    }

    /// Sets room aside for so many states, and more if there is plenty; whether there was enough.
    fn set_room_aside(&mut self, space: &StateSpace<'_, S>, states: usize) -> bool {
        self.batch.reservations += 1;
        let room = space.states.reserve_some(states - self.room);
        self.room += room;
        room > 0
    }

    /// Finds the successors of some states; the first state of which they are not among them, and what
    /// was in the way if something was.
    #[inline(always)]
    fn generate<E: Expand>(
        &mut self,
        space: &StateSpace<'_, S>,
        form: &E,
        cursor: &mut E::Cursor,
        run: Run,
    ) -> (u32, Option<NeedsGrowth>) {
        self.parents.clear();
        self.ends.clear();
        self.successors.clear();
        let mut number = run.start;
        while number < run.end && self.successors.len() < BATCH {
            let key = space.states.key(number);
            let before = self.successors.len();
            let (findings, successors) = (&mut self.findings, &mut self.successors);
            if let Err(need) = form.expand(key, cursor, findings, successors) {
                self.successors.truncate(before);
                return (number, Some(need));
            }
            self.parents.push(key);
            self.ends.push(self.successors.len());
            self.account(form, cursor, number, key);
            number += 1;
        }
        (number, None)
    }

    /// What was found in a state besides its successors.
    #[inline(always)]
    fn account<E: Expand>(&mut self, form: &E, cursor: &mut E::Cursor, number: u32, key: u64) {
        let findings = &self.findings;
        self.batch.transitions += findings.transitions;
        self.batch.was_bounded |= findings.was_bounded;
        self.batch.was_truncated |= findings.was_truncated;
        let is_clean = findings.by_state.is_empty() && findings.by_steps.is_empty();
        if !is_clean || !findings.is_progress {
            self.account_rest(form, cursor, number, key);
        }
    }

    #[inline(never)]
    fn account_rest<E: Expand>(&mut self, form: &E, cursor: &mut E::Cursor, number: u32, key: u64) {
        let findings = &self.findings;
        let mut by_state: Vec<PropertyId> = Vec::new();
        if !findings.is_progress {
            let deadlock_info = form.deadlock_info(key, cursor);
            self.batch.deadlocks += u64::from(deadlock_info.is_deadlock);
            by_state.extend(deadlock_info.violated);
        }
        let properties = |sets: &[u32]| -> Vec<PropertyId> {
            sets.iter().flat_map(|set| form.properties(*set)).collect()
        };
        by_state.extend(properties(&findings.by_state));
        let by_steps = properties(&findings.by_steps);
        let violation = |by_step| {
            move |property| ViolationAt {
                property,
                state: StateId(number),
                by_step,
            }
        };
        let violations = &mut self.batch.violations;
        violations.extend(by_state.into_iter().map(violation(false)));
        violations.extend(by_steps.into_iter().map(violation(true)));
    }

    /// Three passes over the successors, each asking for the memory that the next one needs: the line of
    /// the index, the key behind the slot, and then the insertion itself.
    #[inline(always)]
    fn insert(&mut self, space: &StateSpace<'_, S>) -> Result<(), OutOfMemory> {
        self.asked.clear();
        for (place, key) in self.successors.iter().copied().enumerate() {
            let hash = hash(key);
            if !self.recent.meet(key, hash) {
                space.states.prefetch_line(hash);
                self.asked.push(Asked {
                    key,
                    hash,
                    guess: 0,
                    place: place as u32,
                });
            }
        }
        for asked in &mut self.asked {
            asked.guess = space.states.guess(asked.hash);
        }
        for asked in &self.asked {
            if asked.guess != 0 && space.states.is_right(asked.guess, asked.key) {
                continue; // most successors were seen before
            }
            let (number, is_new) = space.states.insert(asked.key, asked.hash, &mut self.ids)?;
            if is_new {
                self.new.push((number, asked.place));
            }
        }
        Ok(())
    }

    /// The numbers of all successors.
    fn insert_all(&mut self, space: &StateSpace<'_, S>) -> Result<(), OutOfMemory> {
        for (place, key) in self.successors.iter().enumerate() {
            let (number, is_new) = space.states.insert(*key, hash(*key), &mut self.ids)?;
            if is_new {
                self.new.push((number, place as u32));
            }
            self.batch.successors.push(StateId(number));
        }
        self.batch.ends.extend_from_slice(&self.ends);
        Ok(())
    }

    /// Judges those new states of a batch of which there may be more to say than of those before them.
    fn judge(&mut self, cache: &SuccessorCache<'_, S>) -> Result<(), NeedsGrowth> {
        if !cache.has_judges() {
            return Ok(());
        }
        let mut parent = 0;
        let mut judged = Ok(());
        let new = std::mem::take(&mut self.new);
        for (number, place) in new.iter().copied() {
            while self.ends[parent] <= place as usize {
                parent += 1;
            }
            let state = self.successors[place as usize];
            if cache.must_judge(state, self.parents[parent], &mut self.findings) {
                if judged.is_ok() {
                    judged = self.judge_state(cache, number, state);
                }
                if judged.is_err() {
                    self.unjudged.push(number);
                }
            }
        }
        self.new = new;
        judged
    }

    /// Judges the states that had to wait for something.
    fn judge_rest(
        &mut self,
        space: &StateSpace<'_, S>,
        cache: &SuccessorCache<'_, S>,
    ) -> Result<(), NeedsGrowth> {
        while let Some(number) = self.unjudged.last().copied() {
            self.judge_state(cache, number, space.states.key(number))?;
            self.unjudged.pop();
        }
        Ok(())
    }

    fn judge_state(
        &mut self,
        cache: &SuccessorCache<'_, S>,
        number: u32,
        state: u64,
    ) -> Result<(), NeedsGrowth> {
        cache.judge(state, &mut self.findings)?;
        for set in &self.findings.by_state {
            let violated = cache.properties(*set).into_iter();
            self.batch
                .ahead
                .extend(violated.map(|property| ViolationAt {
                    property,
                    state: StateId(number),
                    by_step: false,
                }));
        }
        Ok(())
    }
}
