//! A model as components: each object's control state, each variable, each queue and each thread.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::CsmSystem;
use crate::csm::{
    ComponentValue, Configuration, CsmGroup, Part, Precision, QueueChange, Semantics, Successor,
    content, is_active, join, parts, put,
};
use crate::lang::{ObjectId, StateId, Value, Variable};
use crate::system::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, LocalTransition, Projection, PropertyId,
    Read, Target, Update,
};

/// The first message of a queue.
const HEAD: Projection = Projection(1);
/// How many messages a queue holds.
const WAITING: Projection = Projection(2);

/// Which components and groups a model has.
pub(super) struct Plan {
    parts: Vec<Part>,
    components: HashMap<Part, usize>,
    /// By component, where it is a control state, and projection: the state that is asked for.
    asked: Vec<[OnceLock<StateId>; Projection::COUNT]>,
    groups: Vec<CsmGroup>,
}

impl Plan {
    pub fn new<P: Precision>(semantics: &Semantics<'_, P>) -> Plan {
        let parts = parts(semantics.model());
        let components = parts.iter().copied().zip(0..).collect();
        Plan {
            asked: parts.iter().map(|_| Default::default()).collect(),
            parts,
            components,
            groups: semantics.groups(),
        }
    }

    fn read(&self, part: Part) -> Read {
        let (part, projection) = match part {
            Part::Head(queue) => (Part::Queue(queue), HEAD),
            Part::Waiting(queue) => (Part::Queue(queue), WAITING),
            Part::In(object, state) => (Part::Control(object), self.projection_of(object, state)),
            part => (part, Projection::WHOLE),
        };
        Read {
            component: self.components[&part],
            projection,
        }
    }

    /// Whether a state is active is a projection of the control state; the whole where others have taken all.
    fn projection_of(&self, object: ObjectId, state: StateId) -> Projection {
        let asked = &self.asked[self.components[&Part::Control(object)]];
        let mut projections = asked.iter().zip(0..).skip(1);
        let own = projections.find(|(asked, _)| *asked.get_or_init(|| state) == state);
        own.map_or(Projection::WHOLE, |(_, projection)| Projection(projection))
    }
}

impl<P: Precision + Sync> Factored for CsmSystem<'_, '_, P> {
    type Value = ComponentValue;
    type ValueUpdate = Vec<QueueChange>;

    fn name(&self, component: usize) -> String {
        let model = self.semantics.model();
        let object = |object: ObjectId| model.object(object).name.as_str();
        match self.plan.parts[component] {
            Part::Control(id) | Part::In(id, _) => format!("state of {}", object(id)),
            Part::Value(id, slot) => {
                let variables = &model.class_of(id).variables;
                let holds = |v: &&Variable| (v.offset..v.offset + v.ty.length()).contains(&slot);
                let name = variables
                    .iter()
                    .find(holds)
                    .map_or("?", |v| v.name.as_str());
                format!("{}.{name}", object(id))
            }
            Part::Global(slot) => {
                let holds = |v: &&Variable| (v.offset..v.offset + v.ty.length()).contains(&slot);
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

    fn split(&self, state: &Configuration) -> Vec<ComponentValue> {
        let model = self.semantics.model();
        let state = self.canonical(state);
        let parts = self.plan.parts.iter();
        parts.map(|part| content(model, &state, *part)).collect()
    }

    fn join(&self, contents: &[&ComponentValue]) -> Configuration {
        join(
            self.semantics.model(),
            &self.plan.parts,
            contents.iter().copied(),
        )
    }

    fn put(&self, state: &mut Configuration, component: usize, content: &ComponentValue) {
        put(state, self.plan.parts[component], content);
    }

    /// Objects, then threads, then global variables.
    fn owner(&self, component: usize) -> usize {
        let model = self.semantics.model();
        let objects = model.objects.len();
        let threads = model.threads.len();
        match self.plan.parts[component] {
            Part::Control(object) | Part::In(object, _) | Part::Value(object, _) => object.index(),
            Part::Thread(thread) => objects + thread.index(),
            Part::Queue(queue) | Part::Head(queue) | Part::Waiting(queue) => match threads {
                0 => queue,
                _ => objects + queue,
            },
            Part::Global(slot) => {
                let holds = |v: &Variable| (v.offset..v.offset + v.ty.length()).contains(&slot);
                let variable = model.globals.iter().position(holds);
                objects + threads + variable.unwrap_or(slot)
            }
        }
    }

    fn groups(&self) -> Groups {
        let groups = &self.plan.groups;
        let all = (0..groups.len() as u32).map(GroupId);
        let (judging, always) =
            all.partition(|group| matches!(groups[group.0 as usize], CsmGroup::Property(_)));
        Groups {
            count: groups.len(),
            always,
            judging,
        }
    }

    fn run(
        &self,
        group: GroupId,
        state: &Configuration,
    ) -> GroupResult<ComponentValue, Vec<QueueChange>> {
        let group = self.plan.groups[group.0 as usize];
        let ((mut successors, fault), notes) = self.semantics.watched(|semantics| {
            let successors = semantics.successors_of(group, state);
            (successors, semantics.fault_of(group, state))
        });
        self.cover(state, &successors);
        for successor in &mut successors {
            if let Target::State(after) = &mut successor.result {
                self.reset(after);
            }
        }
        let mut seen = notes.seen;
        if !matches!(group, CsmGroup::Property(_)) {
            // It may have asked in the middle of a step: what was true then depends on all that came before.
            for part in &mut seen {
                if let Part::In(object, _) = *part {
                    *part = Part::Control(object);
                }
            }
        }
        if self.semantics.looks_ahead(group) {
            for part in &mut seen {
                if let Part::Head(queue) | Part::Waiting(queue) = *part {
                    *part = Part::Queue(queue);
                }
            }
            seen.extend(&notes.written); // it may have compared what it came to with this state
        }
        let mut reads: Vec<Read> = Vec::new();
        let mut read = |read: Read| {
            if !reads.contains(&read) {
                reads.push(read);
            }
        };
        seen.iter().for_each(|part| read(self.plan.read(*part)));
        let deciders = notes.written.iter().filter_map(|part| self.decider(*part));
        deciders.for_each(|object| read(self.plan.read(Part::Control(object))));
        for part in &notes.written {
            if self.may_be_left_alone(*part, state, &successors) {
                read(self.plan.read(*part));
            }
        }
        let written = &notes.written;
        let transitions = successors
            .iter()
            .map(|successor| self.local_transition(state, successor, written));
        GroupResult {
            transitions: transitions.collect(),
            then: Vec::new(),
            violated: fault
                .into_iter()
                .map(|fault| PropertyId(fault.property))
                .collect(),
            reads,
        }
    }

    fn projection(&self, read: Read, content: &ComponentValue) -> ComponentValue {
        match (content, read.projection) {
            (ComponentValue::Queue(queue), HEAD) => ComponentValue::Head(queue.head().cloned()),
            (ComponentValue::Queue(queue), _) => ComponentValue::Waiting(queue.messages()),
            (ComponentValue::Control(regions, _), projection) => {
                let Part::Control(object) = self.plan.parts[read.component] else {
                    unreachable!("the content of another component");
                };
                let state = self.plan.asked[read.component][projection.0 as usize].get();
                let state = state.expect("a projection that was given to a state");
                let machine = self.semantics.model().machine_of(object);
                ComponentValue::Value(Value::Bool(is_active(regions, machine, *state)))
            }
            _ => unreachable!("only queues and control states have projections"),
        }
    }

    fn apply(&self, changes: &Vec<QueueChange>, content: &ComponentValue) -> ComponentValue {
        let ComponentValue::Queue(queue) = content else {
            unreachable!("only queues change by parts");
        };
        let mut queue = queue.clone();
        changes.iter().for_each(|change| queue.change(change));
        ComponentValue::Queue(queue)
    }

    fn deadlock_info(&self, state: &Configuration) -> DeadlockInfo {
        let verdicts = self.semantics.judge(state, &[]);
        let faults = verdicts.faults.iter();
        DeadlockInfo {
            is_deadlock: verdicts.is_deadlock,
            violated: faults.map(|fault| PropertyId(fault.property)).collect(),
        }
    }
}

impl<P: Precision> CsmSystem<'_, '_, P> {
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
            Target::State(after) => content(model, after, part) == before,
            _ => false,
        })
    }

    fn local_transition(
        &self,
        state: &Configuration,
        successor: &Successor,
        written: &[Part],
    ) -> LocalTransition<ComponentValue, Vec<QueueChange>> {
        let fault = successor.fault.as_ref();
        let blamed = fault
            .map(|fault| self.semantics.blamed(fault))
            .unwrap_or_default();
        let (end, updates) = match &successor.result {
            Target::State(after) => (
                Target::State(()),
                self.updates(state, after, successor, written),
            ),
            Target::Error => (Target::Error, Vec::new()),
            Target::Bounded => (Target::Bounded, Vec::new()),
            Target::Truncated => (Target::Truncated, Vec::new()),
        };
        LocalTransition {
            end,
            updates,
            violated: blamed.into_iter().map(PropertyId).collect(),
            is_progress: successor.is_progress,
        }
    }

    fn updates(
        &self,
        before: &Configuration,
        after: &Configuration,
        successor: &Successor,
        written: &[Part],
    ) -> Vec<(usize, Update<ComponentValue, Vec<QueueChange>>)> {
        let model = self.semantics.model();
        let mut updates = Vec::new();
        let (made_dead, others) = self.made_dead(after, written);
        for part in made_dead {
            let content = content(model, after, part);
            updates.push((self.plan.components[&part], Update::Set(content)));
        }
        for part in &others {
            let content_after = content(model, after, *part);
            if content_after != content(model, before, *part) {
                updates.push((self.plan.components[part], Update::Set(content_after)));
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
            updates.push((
                self.plan.components[&Part::Queue(queue)],
                Update::Apply(changes),
            ));
        }
        updates
    }

    fn canonical(&self, state: &Configuration) -> Configuration {
        let mut canonical = state.clone();
        self.reset(&mut canonical);
        canonical
    }

    /// The object whose states say whether a variable is dead.
    fn decider(&self, part: Part) -> Option<ObjectId> {
        let dead = self.dead.as_ref()?;
        match part {
            Part::Global(slot) => dead.decider(slot),
            Part::Value(object, slot) => dead.may_be_dead(object, slot).then_some(object),
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
            match &successor.result {
                Target::State(after) => coverage.see_state(model, after),
                Target::Truncated => coverage.see_too_many(model, &successor.step),
                Target::Error | Target::Bounded => {}
            }
        }
    }
}
