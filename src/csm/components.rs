//! A configuration part by part: what its parts are, what each holds, and how they are put together
//! again.
//!
//! Invariant: a configuration is the contents of its `groups` and nothing else.

use std::collections::VecDeque;

use super::accesses::Part;
use super::configuration::Configuration;
use super::queues::{QueueChange, queue_of};
use crate::lang::{Message, Model, ObjectId, StateId, ThreadId, Value};

/// What a part holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ComponentValue {
    /// The active states, and the message that was dispatched.
    Control(Vec<Option<StateId>>, Option<Message>),
    Value(Value),
    Queue(Queue),
    /// Which object runs, and how many have made their initial step.
    Thread(Option<ObjectId>, usize),
    Head(Option<(ObjectId, Message)>),
    Waiting(usize),
}

/// What waits, and what each object that takes from it has set aside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue {
    pub waiting: VecDeque<(ObjectId, Message)>,
    pub deferred: Vec<(ObjectId, VecDeque<Message>)>,
}

/// All parts of a model's configurations. An object's parts stand next to each other: they change together.
pub fn parts(model: &Model) -> Vec<Part> {
    let mut parts = Vec::new();
    for object in model.object_ids() {
        parts.push(Part::Control(object));
        let values = 0..model.object(object).values.len();
        parts.extend(values.map(|slot| Part::Value(object, slot)));
        if model.threads.is_empty() {
            parts.push(Part::Queue(queue_of(model, object)));
        }
    }
    for thread in 0..model.threads.len() {
        parts.extend([Part::Thread(ThreadId::new(thread)), Part::Queue(thread)]);
    }
    parts.extend((0..model.global_values.len()).map(Part::Global));
    parts
}

/// The objects that take their messages from a queue.
pub fn members(model: &Model, queue: usize) -> Vec<ObjectId> {
    match model.threads.get(queue) {
        Some(thread) => thread.objects.clone(),
        None => vec![ObjectId::new(queue)],
    }
}

/// What a part holds.
pub fn content(model: &Model, state: &Configuration, part: Part) -> ComponentValue {
    match part {
        Part::Control(object) => {
            let state = state.object(object);
            ComponentValue::Control(state.regions.clone(), state.dispatched.clone())
        }
        Part::Value(object, slot) => ComponentValue::Value(state.object(object).values[slot]),
        Part::Global(slot) => ComponentValue::Value(state.globals[slot]),
        Part::Thread(thread) => {
            let thread = state.thread(thread);
            ComponentValue::Thread(thread.running, thread.started)
        }
        Part::Queue(queue) => ComponentValue::Queue(queue_in(model, state, queue)),
        Part::In(..) | Part::Head(_) | Part::Waiting(_) => unreachable!("a projection"),
    }
}

fn queue_in(model: &Model, state: &Configuration, queue: usize) -> Queue {
    let members = members(model, queue);
    let waiting = match state.threads.get(queue) {
        Some(thread) => thread.queue.clone(),
        None => {
            let object = ObjectId::new(queue);
            let inbox = state.object(object).inbox.iter();
            inbox.map(|message| (object, message.clone())).collect()
        }
    };
    let deferred = members
        .into_iter()
        .map(|o| (o, state.object(o).deferred.clone()));
    Queue {
        waiting,
        deferred: deferred.collect(),
    }
}

fn put_queue(state: &mut Configuration, queue: usize, content: &Queue) {
    for (object, deferred) in &content.deferred {
        state.object_mut(*object).deferred.clone_from(deferred);
    }
    match state.threads.get_mut(queue) {
        Some(thread) => thread.queue.clone_from(&content.waiting),
        None => {
            let inbox = content.waiting.iter().map(|(_, message)| message.clone());
            state.object_mut(ObjectId::new(queue)).inbox = inbox.collect();
        }
    }
}

/// Whether a part holds this: `content` without making it.
pub fn holds(state: &Configuration, part: Part, content: &ComponentValue) -> bool {
    match (part, content) {
        (Part::Control(object), ComponentValue::Control(regions, dispatched)) => {
            let object = state.object(object);
            object.regions == *regions && object.dispatched == *dispatched
        }
        (Part::Value(object, slot), ComponentValue::Value(value)) => {
            state.object(object).values[slot] == *value
        }
        (Part::Global(slot), ComponentValue::Value(value)) => state.globals[slot] == *value,
        (Part::Thread(thread), ComponentValue::Thread(running, started)) => {
            let thread = state.thread(thread);
            thread.running == *running && thread.started == *started
        }
        (Part::Queue(queue), ComponentValue::Queue(content)) => holds_queue(state, queue, content),
        _ => false,
    }
}

fn holds_queue(state: &Configuration, queue: usize, content: &Queue) -> bool {
    let waits = match state.threads.get(queue) {
        Some(thread) => thread.queue == content.waiting,
        None => {
            let inbox = &state.object(ObjectId::new(queue)).inbox;
            inbox
                .iter()
                .eq(content.waiting.iter().map(|(_, message)| message))
        }
    };
    let mut deferred = content.deferred.iter();
    waits && deferred.all(|(object, messages)| state.object(*object).deferred == *messages)
}

/// The configuration that has these contents in these parts, which are all.
pub fn join<'c>(
    model: &Model,
    parts: &[Part],
    contents: impl IntoIterator<Item = &'c ComponentValue>,
) -> Configuration {
    let mut state = Configuration::blank(model);
    for (part, content) in parts.iter().zip(contents) {
        put(&mut state, *part, content);
    }
    state
}

/// Gives a part another content.
pub fn put(state: &mut Configuration, part: Part, content: &ComponentValue) {
    match (part, content) {
        (Part::Control(object), ComponentValue::Control(regions, dispatched)) => {
            let object = state.object_mut(object);
            object.regions.clone_from(regions);
            object.dispatched.clone_from(dispatched);
        }
        (Part::Value(object, slot), ComponentValue::Value(value)) => {
            state.object_mut(object).values[slot] = *value;
        }
        (Part::Global(slot), ComponentValue::Value(value)) => state.globals[slot] = *value,
        (Part::Thread(thread), ComponentValue::Thread(running, started)) => {
            let thread = state.thread_mut(thread);
            (thread.running, thread.started) = (*running, *started);
        }
        (Part::Queue(queue), ComponentValue::Queue(content)) => put_queue(state, queue, content),
        _ => unreachable!("the content of another part"),
    }
}

impl Queue {
    pub fn head(&self) -> Option<&(ObjectId, Message)> {
        self.waiting.front()
    }

    /// How many there are, those set aside included.
    pub fn messages(&self) -> usize {
        let deferred = self.deferred.iter().map(|(_, messages)| messages.len());
        self.waiting.len() + deferred.sum::<usize>()
    }

    pub fn change(&mut self, change: &QueueChange) {
        match change {
            QueueChange::Pop => drop(self.waiting.pop_front()),
            QueueChange::Push(to, message) => self.waiting.push_back((*to, message.clone())),
            QueueChange::Defer(object, message) => {
                self.deferred_of(*object).push_back(message.clone());
            }
            QueueChange::Flush(object) => {
                let deferred = std::mem::take(self.deferred_of(*object));
                for message in deferred.into_iter().rev() {
                    self.waiting.push_front((*object, message));
                }
            }
        }
    }

    fn deferred_of(&mut self, object: ObjectId) -> &mut VecDeque<Message> {
        let found = self.deferred.iter_mut().find(|(other, _)| *other == object);
        &mut found.expect("an object of this queue").1
    }
}
