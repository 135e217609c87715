//! A step that is found out while it is noted what it depends on.

use super::DveSystem;
use super::dead::Dead;
use super::factored::{COMMITTED, DveUpdate, HEAD, WAITING};
use super::groups::Plan;
use crate::dve::evaluate::World;
use crate::dve::{ARITHMETIC_FAULT, DveState, DveValue, Part, Program};
use crate::system::{LocalTransition, Projection, PropertyId, Read, Target, Update};

/// A state that notes what is looked at, and keeps what is written apart.
pub(super) struct Recording<'a> {
    plan: &'a Plan,
    dead: Option<&'a Dead>,
    /// Processes that have moved, and where to.
    moved: Vec<(usize, usize)>,
    program: &'a Program,
    state: &'a DveState,
    pub reads: Vec<Read>,
    updates: Vec<(usize, Update<DveValue, DveUpdate>)>,
    pub transitions: Vec<LocalTransition<DveValue, DveUpdate>>,
}

impl<'a> Recording<'a> {
    pub fn new(system: &'a DveSystem<'_>, state: &'a DveState) -> Recording<'a> {
        Recording {
            plan: &system.plan,
            dead: system.dead.as_ref(),
            moved: Vec::new(),
            program: system.program,
            state,
            reads: Vec::new(),
            updates: Vec::new(),
            transitions: Vec::new(),
        }
    }

    fn read(&mut self, component: Option<usize>, projection: Projection) {
        let read = component.map(|component| Read {
            component,
            projection,
        });
        let new = read.filter(|read| !self.reads.contains(read));
        self.reads.extend(new);
    }

    pub fn is_committed(&mut self, process: usize) -> bool {
        let states = &self.program.processes[process].states;
        if states.iter().any(|state| state.is_committed) {
            self.read(self.plan.at[process], COMMITTED);
        }
        states[self.state.processes[process] as usize].is_committed
    }

    /// What was written to a component during this step.
    fn written(&self, component: Option<usize>) -> Option<i32> {
        let written = self
            .updates
            .iter()
            .find(|(other, _)| Some(*other) == component);
        match written {
            Some((_, Update::Set(DveValue::Number(number)))) => Some(*number),
            _ => None,
        }
    }

    fn write(&mut self, component: Option<usize>, number: i32) {
        let component = component.expect("what is written is a component");
        self.updates.retain(|(other, _)| *other != component);
        let content = DveValue::Number(number);
        self.updates.push((component, Update::Set(content)));
    }

    pub fn succeeds(&mut self) {
        self.reset_dead();
        let updates = std::mem::take(&mut self.updates);
        self.end(Target::State(()), updates, Vec::new());
    }

    /// Gives dead variables their fixed value: those that a move has made dead, and those that were
    /// written while dead, which depends on where the process is that decides about them.
    fn reset_dead(&mut self) {
        let Some(dead) = self.dead else { return };
        let written: Vec<usize> = self
            .updates
            .iter()
            .map(|(component, _)| *component)
            .collect();
        for component in written {
            let Part::Slot(slot) = self.plan.parts[component] else {
                continue;
            };
            if let Some(decider) = dead.decider(slot) {
                let state = self.at(decider);
                if dead.is_dead(slot, decider, state) {
                    self.write(Some(component), 0);
                }
            }
        }
        for (process, state) in std::mem::take(&mut self.moved) {
            for slot in dead.at(process, state) {
                if self.plan.slots[*slot].is_some() {
                    self.write(self.plan.slots[*slot], 0);
                }
            }
        }
    }

    pub fn fails(&mut self) {
        self.moved.clear();
        self.updates.clear();
        self.end(Target::Error, Vec::new(), vec![ARITHMETIC_FAULT]);
    }

    fn end(
        &mut self,
        end: Target<()>,
        updates: Vec<(usize, Update<DveValue, DveUpdate>)>,
        violated: Vec<PropertyId>,
    ) {
        self.transitions.push(LocalTransition {
            end,
            updates,
            violated,
            is_progress: true,
        });
    }
}

/// A step does one thing to one channel, so its queue need not be followed.
impl World for Recording<'_> {
    fn value(&mut self, slot: usize) -> i32 {
        let component = self.plan.slots[slot];
        if let Some(number) = self.written(component) {
            return number;
        }
        self.read(component, Projection::WHOLE);
        self.state.values[slot]
    }

    fn set_value(&mut self, slot: usize, value: i32) {
        self.write(self.plan.slots[slot], value);
    }

    fn at(&mut self, process: usize) -> usize {
        let component = self.plan.at[process];
        if let Some(number) = self.written(component) {
            return number as usize;
        }
        self.read(component, Projection::WHOLE);
        self.state.processes[process] as usize
    }

    fn set_at(&mut self, process: usize, state: usize) {
        self.moved.push((process, state));
        if self.plan.at[process].is_some() {
            self.write(self.plan.at[process], state as i32);
        }
    }

    fn waiting(&mut self, channel: usize) -> usize {
        self.read(self.plan.channels[channel], WAITING);
        self.state.channels[channel].len()
    }

    fn push(&mut self, channel: usize, message: Vec<i32>) {
        let change = DveUpdate::Queue {
            pops: 0,
            pushes: vec![message],
        };
        let component = self.plan.channels[channel].expect("it has room");
        self.updates.push((component, Update::Apply(change)));
    }

    fn pop(&mut self, channel: usize) -> Vec<i32> {
        self.read(self.plan.channels[channel], HEAD);
        let change = DveUpdate::Queue {
            pops: 1,
            pushes: Vec::new(),
        };
        let component = self.plan.channels[channel].expect("it has room");
        self.updates.push((component, Update::Apply(change)));
        self.state.channels[channel][0].clone()
    }
}
