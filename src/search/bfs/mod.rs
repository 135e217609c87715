//! The fast explorer: breadth first on all cores, above a `StateSpace`.
//!
//! | file | what it holds |
//! |---|---|
//! | `frontier` | the states of a level, shared out between workers |
//! | `level` | what was found on a level |
//! | `reconstruct` | the way to a violation, found again level by level |
//! | `state_set` | all states, at the end |
//!
//! Workers go through a level together and wait for each other at its end; so counts, and the length
//! of the shortest way to a violation, do not depend on how many there are. While they work they share
//! a read lock, which each of them holds until the level ends or somebody wants the space alone. Whoever needs
//! what the others must not see half done (a larger index, another form) takes the write lock between
//! two batches. What workers touch together they touch seldom, and count (`Touches`).

mod frontier;
mod level;
mod reconstruct;
mod state_set;
mod statistics;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::{Budget, Completion, Exploration, Progress, Reason, StopWhen, Violation};
use crate::engine::sync::{NoRoom, ThreadPool};
use crate::engine::{Pause, Run, SpaceWorker, StateId, StateSpace, ViolationAt, Wanted, Width};
use crate::system::{Factored, PropertyId, Target, Transition};
pub use frontier::Frontier;
use level::LevelResult;
pub use level::Touches;
pub use state_set::StateSet;
pub use statistics::EngineStatistics;

#[derive(Default)]
pub struct Bfs {
    pub width: Width,
}

/// Transitions after which a worker tells the others how many it has seen.
const COUNT_EVERY: u64 = if cfg!(debug_assertions) { 64 } else { 1 << 14 };

/// A level with fewer states is not worth waking the others for; but where the program is tested,
/// threads are to meet.
const WORTH_SHARING: u64 = if cfg!(debug_assertions) { 1 } else { 512 };
/// How often budgets are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A search that can be stopped between two levels, and gone on with.
pub struct Search<'s, S: Factored> {
    stop_when: &'s StopWhen,
    budget: &'s Budget,
    start: Instant,
    pool: ThreadPool,
    /// What workers read together, and only one may change at a time.
    space: RwLock<CachePadded<StateSpace<'s, S>>>,
    /// Whoever waits to have `space` alone holds it, so that no reader overtakes. Without it a worker
    /// that reads again and again always did: with two threads the other slept for 100 ms after
    /// each growth of the store.
    gate: CachePadded<Mutex<()>>,
    /// How many wait for it: readers let go between two batches.
    waiting: CachePadded<AtomicUsize>,
    frontier: RwLock<Frontier>,
    barrier: Barrier,
    end: Mutex<Option<Completion>>,
    /// What the first worker that panicked said.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// The search is to end as soon as can be; may become true at any time.
    is_over: AtomicBool,
    /// The workers are to go home. Changes only while all but one of them wait, so that all see
    /// the same: whoever left alone would be waited for without end.
    is_closed: AtomicBool,
    /// The level after which to rest.
    last_level: usize,
    states: CachePadded<AtomicU64>,
    transitions: CachePadded<AtomicU64>,
    totals: Mutex<Totals>,
}

struct Worker<S: Factored> {
    space: SpaceWorker<S>,
    found_here: LevelResult,
    /// What the others have not been told of: states, transitions.
    untold: (u64, u64),
}

type Reading<'a, 's, S> = RwLockReadGuard<'a, CachePadded<StateSpace<'s, S>>>;

/// What is known at the end of a level.
#[derive(Default)]
struct Totals {
    found_here: LevelResult,
    /// By worker: the states of the next level.
    next: Vec<Vec<Run>>,
    /// The states of each level, the initial ones first.
    levels: Vec<Vec<Run>>,
    frontier: u64,
    /// What the states of this level violate: it was seen when they were found.
    ahead: Vec<ViolationAt>,
    found: Vec<Found>,
}

/// The first sight of a violated property: how many levels down, and where.
struct Found {
    property: PropertyId,
    place: Place,
}

enum Place {
    /// The system does not even come into being: by this one of its initial edges.
    Initial(usize),
    /// These states of the last of so many levels, or steps out of them.
    Level {
        depth: usize,
        states: Vec<StateId>,
        by_step: bool,
    },
}

/// An exploration with the numbers behind it.
pub struct Explored<Step> {
    pub exploration: Exploration<Step>,
    pub engine: EngineStatistics,
}

impl Bfs {
    /// Visits every state that can be reached, level by level, until the goal is met at the end of
    /// a level, the budget is spent, or there are no more. If a worker panics, the others stop, and the
    /// caller goes on panicking in its place.
    pub fn explore<S: Factored>(
        &self,
        system: &S,
        stop_when: &StopWhen,
        budget: &Budget,
        watch: &mut dyn FnMut(Progress),
    ) -> Explored<S::Action> {
        self.explore_and_show(system, stop_when, budget, watch, &mut |_| {})
    }

    /// The same; if every reachable state was seen, they are all shown at the end.
    pub fn explore_and_show<S: Factored>(
        &self,
        system: &S,
        stop_when: &StopWhen,
        budget: &Budget,
        watch: &mut dyn FnMut(Progress),
        show: &mut dyn FnMut(&StateSet<'_, '_, S>),
    ) -> Explored<S::Action> {
        let mut search = match self.begin(system, stop_when, budget) {
            Ok(search) => search,
            Err(why) => return not_begun(why),
        };
        search.go_on(usize::MAX, watch);
        search.finish(show)
    }

    /// A search that has seen the initial states.
    pub fn begin<'s, S: Factored>(
        &self,
        system: &'s S,
        stop_when: &'s StopWhen,
        budget: &'s Budget,
    ) -> Result<Search<'s, S>, Reason> {
        let initial = system.initial();
        let states: Vec<S::State> = initial.iter().filter_map(reached).collect();
        let space = StateSpace::new(system, &states, self.width).map_err(reason)?;
        let search = Search::new(space, stop_when, budget);
        search.see_initial(&initial, &states);
        Ok(search)
    }
}

fn reached<State: Clone, Step>(transition: &Transition<State, Step>) -> Option<State> {
    match &transition.target {
        Target::State(state) => Some(state.clone()),
        _ => None,
    }
}

impl<'s, S: Factored> Search<'s, S> {
    fn new(space: StateSpace<'s, S>, stop_when: &'s StopWhen, budget: &'s Budget) -> Search<'s, S> {
        let threads = budget.threads();
        Search {
            stop_when,
            budget,
            start: Instant::now(),
            pool: ThreadPool::new(threads),
            space: RwLock::new(CachePadded::new(space)),
            gate: CachePadded::default(),
            waiting: CachePadded::default(),
            frontier: RwLock::default(),
            barrier: Barrier::new(threads),
            end: Mutex::default(),
            panic: Mutex::default(),
            is_over: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            last_level: 0,
            states: CachePadded::default(),
            transitions: CachePadded::default(),
            totals: Mutex::default(),
        }
    }

    fn pass_the_gate(&self) -> MutexGuard<'_, ()> {
        self.gate
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn read(&self) -> Reading<'_, 's, S> {
        drop(self.pass_the_gate());
        self.space
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> RwLockWriteGuard<'_, CachePadded<StateSpace<'s, S>>> {
        // Relaxed: it only asks the others to come by.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let _gate = self.pass_the_gate();
        let space = self.space.write();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        space.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Only the first reason to stop is kept.
    fn stop(&self, end: Completion) {
        let mut known = self
            .end
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        known.get_or_insert(end);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether there is nothing to go on with.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Levels that were expanded, or are about to be.
    pub fn levels(&self) -> usize {
        self.totals().levels.len()
    }

    /// Goes on for so many levels, or until it is over.
    pub fn go_on(&mut self, levels: usize, watch: &mut dyn FnMut(Progress)) {
        self.last_level = self.levels().saturating_add(levels);
        self.run(watch);
        self.go_on_panicking();
    }

    fn is_at_rest(&self) -> bool {
        self.is_over() || self.levels() >= self.last_level
    }

    /// Puts the initial states into the store and into the first frontier.
    fn see_initial(&self, initial: &[Transition<S::State, S::Action>], states: &[S::State]) {
        for (number, transition) in initial.iter().enumerate() {
            match transition.target {
                Target::Bounded => self.totals().found_here.was_bounded = true,
                Target::Truncated => self.totals().found_here.was_truncated = true,
                Target::State(_) | Target::Error => {}
            }
            for property in &transition.violated {
                self.found(*property, Place::Initial(number));
            }
        }
        let mut worker = self.worker();
        for state in states {
            if !self.add(state, &mut worker) {
                break;
            }
        }
        self.expand_all(&mut (0..0), &mut worker, &mut None); // judges them
        self.states
            .store(worker.found_here.states, Ordering::Relaxed);
        self.totals().next = vec![std::mem::take(&mut worker.found_here.runs)];
        self.totals().found_here.join(worker.found_here);
        self.next_level();
    }

    fn worker(&self) -> Worker<S> {
        Worker {
            space: self.read().worker(),
            found_here: LevelResult::default(),
            untold: (0, 0),
        }
    }

    /// Adds an initial state; whether there was room for it.
    fn add(&self, state: &S::State, worker: &mut Worker<S>) -> bool {
        while !self.is_over() {
            let added = self.read().add(state, &mut worker.space);
            match added {
                Ok(number) => {
                    number
                        .into_iter()
                        .for_each(|number| worker.found_here.add(number));
                    return true;
                }
                Err(pause) => self.provide(pause),
            }
        }
        false
    }

    /// Lets the workers work, while this thread looks after the budget.
    fn run(&self, watch: &mut dyn FnMut(Progress)) {
        if self.is_at_rest() {
            return;
        }
        self.is_closed.store(false, Ordering::Relaxed);
        let monitor = std::thread::current();
        let working = AtomicU64::new(self.pool.threads() as u64);
        let workers: Vec<Worker<S>> = (0..self.pool.threads()).map(|_| self.worker()).collect();
        std::thread::scope(|scope| {
            for (me, worker) in workers.into_iter().enumerate() {
                let (monitor, working) = (monitor.clone(), &working);
                scope.spawn(move || {
                    self.work(me, worker);
                    working.fetch_sub(1, Ordering::Relaxed);
                    monitor.unpark();
                });
            }
            while working.load(Ordering::Relaxed) > 0 {
                std::thread::park_timeout(LOOK_EVERY);
                self.guarded(|| watch(self.progress()));
                if let Some(reason) = self.budget.spent(self.start) {
                    self.stop(Completion::Stopped(reason));
                }
            }
        });
    }

    fn progress(&self) -> Progress {
        let totals = self.totals();
        Progress {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            level: totals.levels.len() as u64,
            frontier: totals.frontier,
            elapsed: self.start.elapsed(),
        }
    }

    fn work(&self, me: usize, mut worker: Worker<S>) {
        loop {
            self.barrier.wait(); // the next level is ready, or all is over
            if self.is_closed.load(Ordering::Relaxed) {
                return;
            }
            self.guarded(|| self.expand_level(me, &mut worker));
            if self.barrier.wait().is_leader() {
                self.guarded(|| self.between_levels(me, &mut worker));
                // Relaxed: the barrier that the others wait at publishes it.
                self.is_closed.store(self.is_at_rest(), Ordering::Relaxed);
            }
        }
    }

    /// What one worker does while the others wait: it makes the next level ready, and expands it
    /// itself if it is small.
    fn between_levels(&self, me: usize, worker: &mut Worker<S>) {
        self.next_level();
        while !self.is_at_rest() && self.totals().frontier < WORTH_SHARING {
            self.expand_level(me, worker);
            self.next_level();
        }
    }

    /// Work that may panic: then the search is over. The worker itself comes to the next barrier all the
    /// same, where the others would wait for it for ever.
    fn guarded(&self, work: impl FnOnce()) {
        // What is left half done is not looked at any more: the caller goes on panicking.
        if let Err(said) = catch_unwind(AssertUnwindSafe(work)) {
            self.panicked().get_or_insert(said);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    fn panicked(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.panic
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Panics as a worker did, in the thread of whoever began the search.
    fn go_on_panicking(&self) {
        if let Some(said) = self.panicked().take() {
            resume_unwind(said);
        }
    }

    fn expand_level(&self, me: usize, worker: &mut Worker<S>) {
        let frontier = self
            .frontier
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut space = None;
        while let Some(mut run) = frontier.take(me) {
            worker.found_here.touches.pieces += 1;
            self.expand_all(&mut run, worker, &mut space);
        }
        self.tell(worker);
        let mut found_here = std::mem::take(&mut worker.found_here);
        let mut totals = self.totals();
        totals.next.push(std::mem::take(&mut found_here.runs));
        totals.found_here.join(found_here);
    }

    /// Expands all states of a run, and judges what is found. Keeps the lock for the next run.
    fn expand_all<'a>(
        &'a self,
        run: &mut Run,
        worker: &mut Worker<S>,
        space: &mut Option<Reading<'a, 's, S>>,
    ) {
        while (run.start < run.end || worker.space.has_unjudged()) && !self.is_over() {
            let reading = space.get_or_insert_with(|| {
                worker.found_here.touches.locks += 1;
                self.read()
            });
            let pause = reading.expand(&mut worker.space, run, Wanted::New);
            self.note_batch(worker);
            if let Some(pause) = pause {
                *space = None;
                self.provide(pause);
            } else if self.waiting.load(Ordering::Relaxed) > 0 {
                *space = None;
            }
        }
    }

    fn note_batch(&self, worker: &mut Worker<S>) {
        let batch = &mut worker.space.batch;
        worker.untold.0 += batch.new.len() as u64;
        worker.untold.1 += batch.transitions;
        worker.found_here.take(batch);
        if worker.untold.1 >= COUNT_EVERY {
            self.tell(worker);
        }
    }

    /// Tells the others, and whoever watches, how much was found.
    fn tell(&self, worker: &mut Worker<S>) {
        worker.found_here.touches.counts += 1;
        let (states, transitions) = std::mem::take(&mut worker.untold);
        let before = self.states.fetch_add(states, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
        if let Some(reason) = self.budget.states_far_exceeded(before + states) {
            self.stop(Completion::Stopped(reason));
        }
    }

    /// Does what can't be done while others work.
    fn provide(&self, pause: Pause) {
        let mut space = self.write();
        let more = space.growth_bytes(pause) as u64;
        if let Some(limit) = self.budget.exceeded_with(more).filter(|_| more > 0) {
            return self.stop(Completion::Stopped(limit));
        }
        let provided = space.provide(pause, self.most_result_bytes(), &self.pool);
        if let Err(why) = provided {
            self.stop(Completion::Stopped(reason(why)));
        }
    }

    /// An eighth of the memory: the states need the rest.
    fn most_result_bytes(&self) -> usize {
        let limit = self.budget.max_memory.unwrap_or(8 << 30);
        (limit / 8) as usize
    }

    /// Closes a level and makes the next one ready. Nobody else works meanwhile.
    fn next_level(&self) {
        self.write().between_levels();
        let totals = &mut *self.totals();
        let depth = totals.levels.len();
        let mut violations = std::mem::take(&mut totals.found_here.violations);
        let ahead = std::mem::take(&mut totals.found_here.ahead);
        violations.extend(std::mem::replace(&mut totals.ahead, ahead));
        for (property, place) in first_sights(depth, &violations) {
            totals.found(property, place, self.stop_when);
        }
        let next = std::mem::take(&mut totals.next);
        let frontier = Frontier::new(&next);
        totals.frontier = frontier.states();
        if self.goal_is_met(totals) {
            self.stop(Completion::GoalMet);
        } else if totals.frontier == 0 {
            self.stop(match totals.found_here.was_truncated {
                false => Completion::Complete,
                true => Completion::Stopped(Reason::StepTooLarge(None)),
            });
        } else if let Some(reason) = self
            .budget
            .states_spent(self.states.load(Ordering::Relaxed))
        {
            self.stop(Completion::Stopped(reason));
        }
        if totals.frontier > 0 && !self.is_over() {
            totals.levels.push(next.into_iter().flatten().collect());
        }
        *self
            .frontier
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner()) = frontier;
    }

    fn found(&self, property: PropertyId, place: Place) {
        self.totals().found(property, place, self.stop_when);
    }

    fn goal_is_met(&self, totals: &Totals) -> bool {
        self.stop_when
            .is_met(|property| totals.found.iter().any(|f| f.property == property))
    }

    /// What was found. A search that might have gone on is one that was interrupted.
    pub fn finish(self, show: &mut dyn FnMut(&StateSet<'_, '_, S>)) -> Explored<S::Action> {
        let totals = self
            .totals
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let space = self
            .space
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let end = self
            .end
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let states = self.states.load(Ordering::Relaxed);
        if end == Some(Completion::Complete) {
            show(&StateSet {
                space: &space,
                levels: &totals.levels,
                states,
                was_bounded: totals.found_here.was_bounded,
            });
        }
        // Where memory has ended, states may be half laid out: no way can be found any more, and what
        // has no trace is not claimed.
        let violations = match end {
            Some(Completion::Stopped(Reason::OutOfMemory)) => Vec::new(),
            _ => violations(&space, &totals, &self.pool),
        };
        let exploration = Exploration {
            end: end.unwrap_or(Completion::Stopped(Reason::Interrupted)),
            states,
            transitions: totals.found_here.transitions,
            depth: totals.levels.len() as u64,
            levels: totals.levels.iter().map(|runs| size(runs)).collect(),
            deadlocks: totals.found_here.deadlocks,
            was_bounded: totals.found_here.was_bounded,
            violations,
        };
        let engine = EngineStatistics {
            cache: space.statistics(),
            lookups: totals.found_here.lookups,
            transitions: totals.found_here.transitions,
            touches: totals.found_here.touches,
            store_bytes: space.bytes(),
        };
        Explored {
            exploration,
            engine,
        }
    }
}

fn reason(why: NoRoom) -> Reason {
    match why {
        NoRoom::Memory => Reason::OutOfMemory,
        NoRoom::Numbers => Reason::OutOfNumbers,
    }
}

/// What a search that never began tells.
fn not_begun<Step>(why: Reason) -> Explored<Step> {
    Explored {
        exploration: Exploration {
            end: Completion::Stopped(why),
            states: 0,
            transitions: 0,
            depth: 0,
            levels: Vec::new(),
            deadlocks: 0,
            was_bounded: false,
            violations: Vec::new(),
        },
        engine: EngineStatistics::default(),
    }
}

/// The ways to all that was found, the shortest first.
fn violations<S: Factored>(
    space: &StateSpace<'_, S>,
    totals: &Totals,
    pool: &ThreadPool,
) -> Vec<Violation<S::Action>> {
    let initial = space.system().initial();
    let found = totals.found.iter().map(|found| {
        let (steps, is_choose_free) = way(space, found, totals, &initial, pool);
        Violation {
            property: found.property,
            steps,
            is_choose_free,
        }
    });
    let mut violations: Vec<_> = found.collect();
    violations.sort_by_key(|violation| (violation.steps.len(), violation.property));
    violations
}

/// The steps to what was found, and whether none of them is a guess.
fn way<S: Factored>(
    space: &StateSpace<'_, S>,
    found: &Found,
    totals: &Totals,
    initial: &[Transition<S::State, S::Action>],
    pool: &ThreadPool,
) -> (Vec<S::Action>, bool) {
    match &found.place {
        Place::Initial(transition) => {
            let transition = &initial[*transition];
            (vec![transition.action.clone()], transition.is_choose_free)
        }
        Place::Level {
            depth,
            states,
            by_step,
        } => {
            let way = reconstruct::Reconstruction {
                space,
                levels: &totals.levels[..*depth],
                pool,
            };
            way.steps(states, by_step.then_some(found.property))
        }
    }
}

/// The states of a level.
fn size(runs: &[Run]) -> u64 {
    runs.iter().map(|run| u64::from(run.end - run.start)).sum()
}

/// For each property the states, or else the steps, that violate it on a level.
fn first_sights(depth: usize, violations: &[ViolationAt]) -> Vec<(PropertyId, Place)> {
    let mut properties: Vec<PropertyId> = violations.iter().map(|s| s.property).collect();
    properties.sort_unstable();
    properties.dedup();
    let place = |property: PropertyId| {
        let those = |by_step: bool| {
            let here = violations
                .iter()
                .filter(|s| s.property == property && s.by_step == by_step);
            here.map(|s| s.state).collect::<Vec<StateId>>()
        };
        let states = those(false);
        let by_step = states.is_empty();
        let states = if by_step { those(true) } else { states };
        Place::Level {
            depth,
            states,
            by_step,
        }
    };
    properties
        .iter()
        .map(|property| (*property, place(*property)))
        .collect()
}

impl Totals {
    /// Only the first sight counts: it has the shortest way.
    fn found(&mut self, property: PropertyId, place: Place, stop_when: &StopWhen) {
        let is_known = self.found.iter().any(|found| found.property == property);
        if !is_known && stop_when.wants(property) {
            self.found.push(Found { property, place });
        }
    }
}
