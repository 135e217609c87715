//! Dead variables of a program, and which process decides about each.

use crate::dve::dead_variables::DeadSlots;
use crate::dve::{DveState, Program};
use crate::system::Reset;

pub(super) struct Dead {
    slots: DeadSlots,
    /// By slot: the process whose state says whether it is dead.
    deciders: Vec<Option<usize>>,
}

impl Dead {
    pub fn new(program: &Program) -> Dead {
        let slots = DeadSlots::new(program);
        let mut deciders = vec![None; program.slots.len()];
        for (process, declared) in program.processes.iter().enumerate() {
            for state in 0..declared.states.len() {
                for slot in slots.at(process, state) {
                    deciders[*slot] = Some(process);
                }
            }
        }
        Dead { slots, deciders }
    }

    pub fn decider(&self, slot: usize) -> Option<usize> {
        self.deciders[slot]
    }

    pub fn at(&self, process: usize, state: usize) -> &[usize] {
        self.slots.at(process, state)
    }

    pub fn is_dead(&self, slot: usize, process: usize, state: usize) -> bool {
        self.at(process, state).binary_search(&slot).is_ok()
    }

    pub fn reset(&self, state: &mut DveState) {
        self.slots.reset(state);
    }
}
