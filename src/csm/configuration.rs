//! A configuration: everything that a run can still depend on (Ojala 2.1.3, Meller 1.4).
//!
//! Invariant: equal configurations have the same future. What is only history is kept in one form:
//! a region that is not active has its last state if some entry can ask for it, and otherwise what
//! `Region::fresh` says.

use std::collections::VecDeque;
use std::sync::Arc;

use super::accesses::{Part, see, write};
use crate::lang::{Machine, Message, Model, ObjectId, Region, RegionId, StateId, ThreadId, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// Global variables, arrays element by element.
    pub globals: Vec<Value>,
    /// By object. Shared between configurations until one of them writes.
    pub(super) objects: Vec<Arc<ObjectState>>,
    /// By thread; none under `interleaving`.
    pub threads: Vec<ThreadState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectState {
    /// By region: the active state if the region is active (ω in Meller), otherwise the state to
    /// come back to (H).
    pub regions: Vec<Option<StateId>>,
    pub values: Vec<Value>,
    /// Under `run_to_completion` always empty: the thread has the queue.
    pub inbox: VecDeque<Message>,
    pub deferred: VecDeque<Message>,
    /// The message that was dispatched and is not consumed yet (ρ in Meller).
    pub dispatched: Option<Message>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    pub queue: VecDeque<(ObjectId, Message)>,
    /// The object that is inside a run-to-completion step (id in Meller).
    pub running: Option<ObjectId>,
    /// How many objects have made, or need not make, their initial step.
    pub started: usize,
}

impl Configuration {
    /// Before anything is entered: variables have their initial values, queues are empty.
    pub fn blank(model: &Model) -> Configuration {
        let object = |id: ObjectId| {
            let machine = model.machine_of(id);
            Arc::new(ObjectState {
                regions: machine.regions.iter().map(Region::fresh).collect(),
                values: model.object(id).values.clone(),
                inbox: VecDeque::new(),
                deferred: VecDeque::new(),
                dispatched: None,
            })
        };
        let thread = |thread: &crate::lang::Thread| ThreadState {
            queue: VecDeque::new(),
            running: None,
            started: thread.objects.len(),
        };
        Configuration {
            globals: model.global_values.clone(),
            objects: model.object_ids().map(object).collect(),
            threads: model.threads.iter().map(thread).collect(),
        }
    }

    /// All objects in order, for those who compare configurations.
    pub fn states(&self) -> impl Iterator<Item = &ObjectState> {
        self.objects.iter().map(Arc::as_ref)
    }

    /// Whether two configurations have an object in common. If not, it may still be the same.
    pub fn shares(&self, other: &Configuration, object: ObjectId) -> bool {
        Arc::ptr_eq(
            &self.objects[object.index()],
            &other.objects[object.index()],
        )
    }

    /// The control state of an object; its variables and messages have their own ways in.
    pub fn object(&self, id: ObjectId) -> &ObjectState {
        see(Part::Control(id));
        &self.objects[id.index()]
    }

    /// Whether a state of an object is active: all that many properties ask.
    pub(super) fn is_in(&self, machine: &Machine, id: ObjectId, state: StateId) -> bool {
        see(Part::In(id, state));
        self.objects[id.index()].is_active(machine, state)
    }

    pub fn object_mut(&mut self, id: ObjectId) -> &mut ObjectState {
        write(Part::Control(id));
        Arc::make_mut(&mut self.objects[id.index()])
    }

    pub fn thread(&self, id: ThreadId) -> &ThreadState {
        see(Part::Thread(id));
        &self.threads[id.index()]
    }

    pub fn thread_mut(&mut self, id: ThreadId) -> &mut ThreadState {
        write(Part::Thread(id));
        &mut self.threads[id.index()]
    }

    pub(super) fn value(&self, id: ObjectId, slot: usize) -> Value {
        see(Part::Value(id, slot));
        self.objects[id.index()].values[slot]
    }

    pub(super) fn set_value(&mut self, id: ObjectId, slot: usize, value: Value) {
        write(Part::Value(id, slot));
        Arc::make_mut(&mut self.objects[id.index()]).values[slot] = value;
    }

    pub(super) fn global(&self, slot: usize) -> Value {
        see(Part::Global(slot));
        self.globals[slot]
    }

    pub(super) fn set_global(&mut self, slot: usize, value: Value) {
        write(Part::Global(slot));
        self.globals[slot] = value;
    }

    /// Whether no object is inside a run-to-completion step.
    pub fn is_between_steps(&self) -> bool {
        let mut threads = (0..self.threads.len()).map(ThreadId::new);
        threads.all(|id| self.thread(id).running.is_none())
    }
}

/// Whether a state is active where the regions of its machine are in these.
pub fn is_active(regions: &[Option<StateId>], machine: &Machine, state: StateId) -> bool {
    let mut around = machine.states_around(state);
    around.all(|state| regions[machine.state(state).region.index()] == Some(state))
}

impl ObjectState {
    pub fn is_region_active(&self, machine: &Machine, region: RegionId) -> bool {
        let parent = machine.region(region).parent;
        parent.is_none_or(|state| self.is_active(machine, state))
    }

    pub fn is_active(&self, machine: &Machine, state: StateId) -> bool {
        is_active(&self.regions, machine, state)
    }

    /// The active states, outer ones before inner ones.
    pub fn active_states(&self, machine: &Machine) -> Vec<StateId> {
        let ids = machine.state_ids();
        ids.filter(|state| self.is_active(machine, *state))
            .collect()
    }

    /// Waiting for ever is a proper end: the machine has ended, or an active state says so.
    pub fn may_rest(&self, machine: &Machine) -> bool {
        let active = self.active_states(machine);
        let rests = |state: &StateId| {
            let state = machine.state(*state);
            let ends = state.is_final && machine.region(state.region).parent.is_none();
            ends || (state.quiescent && !state.is_final)
        };
        active.iter().any(rests)
    }
}
