//! What was found on one level, by one worker or by all of them.

use super::frontier::extend;
use crate::engine::{Batch, Run, StateId, ViolationAt};

/// How often workers touched what they share with each other, whoever else was there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// Pieces of the frontier that were taken.
    pub pieces: u64,
    /// Times that the space was locked.
    pub locks: u64,
    /// Times that room for states was set aside.
    pub reservations: u64,
    /// Times that counts were told.
    pub counts: u64,
}

impl std::ops::AddAssign for Touches {
    fn add_assign(&mut self, other: Touches) {
        self.pieces += other.pieces;
        self.locks += other.locks;
        self.reservations += other.reservations;
        self.counts += other.counts;
    }
}

#[derive(Clone, Debug, Default)]
pub struct LevelResult {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub was_bounded: bool,
    pub was_truncated: bool,
    /// Groups that were run, or remembered.
    pub lookups: u64,
    pub touches: Touches,
    pub violations: Vec<ViolationAt>,
    /// Of the new states: they belong to the next level.
    pub ahead: Vec<ViolationAt>,
    /// The new states.
    pub runs: Vec<Run>,
}

impl LevelResult {
    /// Adds a new state.
    pub fn add(&mut self, state: StateId) {
        self.states += 1;
        extend(&mut self.runs, state.0);
    }

    pub fn take(&mut self, batch: &mut Batch) {
        batch.new.iter().for_each(|state| self.add(*state));
        self.transitions += batch.transitions;
        self.deadlocks += batch.deadlocks;
        self.was_bounded |= batch.was_bounded;
        self.was_truncated |= batch.was_truncated;
        self.lookups += batch.lookups;
        self.touches.reservations += batch.reservations;
        self.violations.append(&mut batch.violations);
        self.ahead.append(&mut batch.ahead);
    }

    /// Joins what another worker found; its new states stay its own.
    pub fn join(&mut self, other: LevelResult) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.deadlocks += other.deadlocks;
        self.was_bounded |= other.was_bounded;
        self.was_truncated |= other.was_truncated;
        self.lookups += other.lookups;
        self.touches += other.touches;
        self.violations.extend(other.violations);
        self.ahead.extend(other.ahead);
    }
}
