//! A model as components: each object's control state, each variable, each queue and each thread.

use std::collections::{HashMap, VecDeque};

use super::Reference;
use crate::model::{Message, Model, ObjectId, StateId, ThreadId, Value};
use crate::semantics::{
    Configuration, Outcome, Part, Piece, Precision, QueueChange, Semantics, Successor, queue_of,
};
use crate::system::{
    Components, Effect, EffectEnd, Facet, Lesson, Look, PropertyId, Stuck, Task, Tasks, Write,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
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
    waiting: VecDeque<(ObjectId, Message)>,
    deferred: Vec<(ObjectId, VecDeque<Message>)>,
}

/// The first message of a queue.
const HEAD: Facet = Facet(1);
/// How many messages a queue holds.
const WAITING: Facet = Facet(2);

/// Which components and tasks a model has.
pub(super) struct Plan {
    parts: Vec<Part>,
    components: HashMap<Part, usize>,
    pieces: Vec<Piece>,
}

impl Plan {
    pub fn new<P: Precision>(semantics: &Semantics<'_, P>) -> Plan {
        let parts = parts(semantics.model());
        let components = parts.iter().copied().zip(0..).collect();
        Plan {
            parts,
            components,
            pieces: semantics.pieces(),
        }
    }

    fn look(&self, part: Part) -> Look {
        let (part, facet) = match part {
            Part::Head(queue) => (Part::Queue(queue), HEAD),
            Part::Waiting(queue) => (Part::Queue(queue), WAITING),
            part => (part, Facet::WHOLE),
        };
        Look {
            component: self.components[&part],
            facet,
        }
    }
}

/// An object's parts stand next to each other: they change together.
fn parts(model: &Model) -> Vec<Part> {
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
fn members(model: &Model, queue: usize) -> Vec<ObjectId> {
    match model.threads.get(queue) {
        Some(thread) => thread.objects.clone(),
        None => vec![ObjectId::new(queue)],
    }
}

fn content(model: &Model, state: &Configuration, part: Part) -> Content {
    match part {
        Part::Control(object) => {
            let state = state.object(object);
            Content::Control(state.regions.clone(), state.dispatched.clone())
        }
        Part::Value(object, slot) => Content::Value(state.object(object).values[slot]),
        Part::Global(slot) => Content::Value(state.globals[slot]),
        Part::Thread(thread) => {
            let thread = state.thread(thread);
            Content::Thread(thread.running, thread.started)
        }
        Part::Queue(queue) => Content::Queue(queue_in(model, state, queue)),
        Part::Head(_) | Part::Waiting(_) => unreachable!("a facet of a queue"),
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

impl Queue {
    fn change(&mut self, change: &QueueChange) {
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

impl<P: Precision + Sync> Components for Reference<'_, '_, P> {
    type Content = Content;
    type Change = Vec<QueueChange>;

    fn name(&self, component: usize) -> String {
        let model = self.semantics.model();
        let object = |object: ObjectId| model.object(object).name.as_str();
        match self.plan.parts[component] {
            Part::Control(id) => format!("state of {}", object(id)),
            Part::Value(id, slot) => {
                let variables = &model.class_of(id).variables;
                let holds = |v: &&crate::model::Variable| {
                    (v.offset..v.offset + v.ty.length()).contains(&slot)
                };
                let name = variables
                    .iter()
                    .find(holds)
                    .map_or("?", |v| v.name.as_str());
                format!("{}.{name}", object(id))
            }
            Part::Global(slot) => {
                let holds = |v: &&crate::model::Variable| {
                    (v.offset..v.offset + v.ty.length()).contains(&slot)
                };
                let name = model
                    .globals
                    .iter()
                    .find(holds)
                    .map_or("?", |v| v.name.as_str());
                name.to_owned()
            }
            Part::Thread(thread) => format!("thread {}", model.threads[thread.index()].name),
            Part::Queue(queue) | Part::Head(queue) | Part::Waiting(queue) => {
                match model.threads.get(queue) {
                    Some(thread) => format!("queue of {}", thread.name),
                    None => format!("inbox of {}", object(ObjectId::new(queue))),
                }
            }
        }
    }

    fn split(&self, state: &Configuration) -> Vec<Content> {
        let model = self.semantics.model();
        let state = self.canonical(state);
        let parts = self.plan.parts.iter();
        parts.map(|part| content(model, &state, *part)).collect()
    }

    fn join(&self, contents: &[Content]) -> Configuration {
        let mut state = Configuration::blank(self.semantics.model());
        for (part, content) in self.plan.parts.iter().zip(contents) {
            match (part, content) {
                (Part::Control(object), Content::Control(regions, dispatched)) => {
                    let object = state.object_mut(*object);
                    object.regions.clone_from(regions);
                    object.dispatched.clone_from(dispatched);
                }
                (Part::Value(object, slot), Content::Value(value)) => {
                    state.object_mut(*object).values[*slot] = *value;
                }
                (Part::Global(slot), Content::Value(value)) => state.globals[*slot] = *value,
                (Part::Thread(thread), Content::Thread(running, started)) => {
                    let thread = state.thread_mut(*thread);
                    (thread.running, thread.started) = (*running, *started);
                }
                (Part::Queue(queue), Content::Queue(content)) => {
                    put_queue(&mut state, *queue, content);
                }
                _ => unreachable!("the content of another component"),
            }
        }
        state
    }

    fn tasks(&self) -> Tasks {
        let count = self.plan.pieces.len();
        Tasks {
            count,
            always: (0..count as u32).map(Task).collect(),
        }
    }

    fn run(&self, task: Task, state: &Configuration) -> Lesson<Content, Vec<QueueChange>> {
        let piece = self.plan.pieces[task.0 as usize];
        let ((mut successors, fault), notes) = self.semantics.watched(|semantics| {
            let successors = semantics.successors_of(piece, state);
            (successors, semantics.fault_of(piece, state))
        });
        self.cover(state, &successors);
        for successor in &mut successors {
            if let Outcome::Reached(after) = &mut successor.result {
                self.reset(after);
            }
        }
        let mut seen = notes.seen;
        if self.semantics.looks_ahead(piece) {
            for part in &mut seen {
                if let Part::Head(queue) | Part::Waiting(queue) = *part {
                    *part = Part::Queue(queue);
                }
            }
            seen.extend(&notes.written); // it may have compared what it came to with this state
        }
        let mut looks: Vec<Look> = Vec::new();
        let mut look = |look: Look| {
            if !looks.contains(&look) {
                looks.push(look);
            }
        };
        seen.iter().for_each(|part| look(self.plan.look(*part)));
        let deciders = notes.written.iter().filter_map(|part| self.decider(*part));
        deciders.for_each(|object| look(self.plan.look(Part::Control(object))));
        for part in &notes.written {
            if self.may_be_left_alone(*part, state, &successors) {
                look(self.plan.look(*part));
            }
        }
        let written = &notes.written;
        let effects = successors
            .iter()
            .map(|successor| self.effect(state, successor, written));
        Lesson {
            effects: effects.collect(),
            then: Vec::new(),
            violated: fault
                .into_iter()
                .map(|fault| PropertyId(fault.property))
                .collect(),
            looks,
        }
    }

    fn facet(&self, look: Look, content: &Content) -> Content {
        let Content::Queue(queue) = content else {
            unreachable!("only queues have facets");
        };
        match look.facet {
            HEAD => Content::Head(queue.waiting.front().cloned()),
            _ => {
                let deferred = queue.deferred.iter().map(|(_, messages)| messages.len());
                Content::Waiting(queue.waiting.len() + deferred.sum::<usize>())
            }
        }
    }

    fn apply(&self, changes: &Vec<QueueChange>, content: &Content) -> Content {
        let Content::Queue(queue) = content else {
            unreachable!("only queues change by parts");
        };
        let mut queue = queue.clone();
        changes.iter().for_each(|change| queue.change(change));
        Content::Queue(queue)
    }

    fn stuck(&self, state: &Configuration) -> Stuck {
        let verdicts = self.semantics.judge(state, &[]);
        let faults = verdicts.faults.iter();
        Stuck {
            is_deadlock: verdicts.is_deadlock,
            violated: faults.map(|fault| PropertyId(fault.property)).collect(),
        }
    }
}

impl<P: Precision> Reference<'_, '_, P> {
    /// Whether some step leaves a part that others write as it was: then what it was matters, since
    /// elsewhere the same step may or may not have written it.
    fn may_be_left_alone(
        &self,
        part: Part,
        state: &Configuration,
        successors: &[Successor],
    ) -> bool {
        let model = self.semantics.model();
        let before = content(model, state, part);
        successors.iter().any(|successor| match &successor.result {
            Outcome::Reached(after) => content(model, after, part) == before,
            _ => false,
        })
    }

    fn effect(
        &self,
        state: &Configuration,
        successor: &Successor,
        written: &[Part],
    ) -> Effect<Content, Vec<QueueChange>> {
        let fault = successor.fault.as_ref();
        let blamed = fault
            .map(|fault| self.semantics.blamed(fault))
            .unwrap_or_default();
        let (end, writes) = match &successor.result {
            Outcome::Reached(after) => (
                EffectEnd::State,
                self.writes(state, after, successor, written),
            ),
            Outcome::Failed => (EffectEnd::Nowhere, Vec::new()),
            Outcome::Cut => (EffectEnd::Cut, Vec::new()),
        };
        Effect {
            end,
            writes,
            violated: blamed.into_iter().map(PropertyId).collect(),
            is_progress: successor.is_progress,
        }
    }

    fn writes(
        &self,
        before: &Configuration,
        after: &Configuration,
        successor: &Successor,
        written: &[Part],
    ) -> Vec<(usize, Write<Content, Vec<QueueChange>>)> {
        let model = self.semantics.model();
        let mut writes = Vec::new();
        let (made_dead, others) = self.made_dead(after, written);
        for part in made_dead {
            let content = content(model, after, part);
            writes.push((self.plan.components[&part], Write::Set(content)));
        }
        for part in &others {
            let content_after = content(model, after, *part);
            if content_after != content(model, before, *part) {
                writes.push((self.plan.components[part], Write::Set(content_after)));
            }
        }
        let mut queues: Vec<usize> = successor
            .queue_changes
            .iter()
            .map(|(queue, _)| *queue)
            .collect();
        queues.sort_unstable();
        queues.dedup();
        for queue in queues {
            let changes = successor
                .queue_changes
                .iter()
                .filter(|(other, _)| *other == queue);
            let changes = changes.map(|(_, change)| change.clone()).collect();
            writes.push((
                self.plan.components[&Part::Queue(queue)],
                Write::Apply(changes),
            ));
        }
        writes
    }

    fn canonical(&self, state: &Configuration) -> Configuration {
        let mut canonical = state.clone();
        self.reset(&mut canonical);
        canonical
    }

    fn reset(&self, state: &mut Configuration) {
        if let Some(dead) = &self.dead {
            dead.reset(state);
        }
    }

    /// The object whose states say whether a global variable is dead.
    fn decider(&self, part: Part) -> Option<ObjectId> {
        match (part, &self.dead) {
            (Part::Global(slot), Some(dead)) => dead.decider(slot),
            _ => None,
        }
    }

    /// Of what a step leads to: variables that are dead because the step changed the states that
    /// decide about them; and the other parts that were written.
    fn made_dead(&self, after: &Configuration, written: &[Part]) -> (Vec<Part>, Vec<Part>) {
        let mut made_dead = Vec::new();
        if let Some(dead) = &self.dead {
            for part in written {
                if let Part::Control(object) = *part {
                    let state = after.object(object);
                    let own = dead.dead(object, state);
                    made_dead.extend(own.map(|(slot, _)| Part::Value(object, slot)));
                    let globals = dead.dead_globals(object, state);
                    made_dead.extend(globals.map(|(slot, _)| Part::Global(slot)));
                }
            }
        }
        let others = written
            .iter()
            .copied()
            .filter(|part| !made_dead.contains(part));
        let others = others.collect();
        (made_dead, others)
    }

    fn cover(&self, state: &Configuration, successors: &[Successor]) {
        let model = self.semantics.model();
        let mut coverage = self
            .coverage
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        coverage.see_state(model, state);
        for successor in successors {
            coverage.see_step(model, &successor.step);
            if let Outcome::Reached(after) = &successor.result {
                coverage.see_state(model, after);
            }
        }
    }
}
