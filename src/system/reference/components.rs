//! A model as components: each object's control state, each variable, each queue and each thread.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Reference;
use crate::model::{ObjectId, StateId, Value};
use crate::semantics::{
    Configuration, Content, Outcome, Part, Piece, Precision, QueueChange, Semantics, Successor,
    content, is_active, join, parts,
};
use crate::system::{
    Components, Effect, EffectEnd, Facet, Lesson, Look, PropertyId, Stuck, Task, Tasks, Write,
};

/// The first message of a queue.
const HEAD: Facet = Facet(1);
/// How many messages a queue holds.
const WAITING: Facet = Facet(2);

/// Which components and tasks a model has.
pub(super) struct Plan {
    parts: Vec<Part>,
    components: HashMap<Part, usize>,
    /// By component, where it is a control state, and facet: the state that is asked for.
    asked: Vec<[OnceLock<StateId>; Facet::COUNT]>,
    pieces: Vec<Piece>,
}

impl Plan {
    pub fn new<P: Precision>(semantics: &Semantics<'_, P>) -> Plan {
        let parts = parts(semantics.model());
        let components = parts.iter().copied().zip(0..).collect();
        Plan {
            asked: parts.iter().map(|_| Default::default()).collect(),
            parts,
            components,
            pieces: semantics.pieces(),
        }
    }

    fn look(&self, part: Part) -> Look {
        let (part, facet) = match part {
            Part::Head(queue) => (Part::Queue(queue), HEAD),
            Part::Waiting(queue) => (Part::Queue(queue), WAITING),
            Part::In(object, state) => (Part::Control(object), self.facet_of(object, state)),
            part => (part, Facet::WHOLE),
        };
        Look {
            component: self.components[&part],
            facet,
        }
    }

    /// Whether a state is active is a facet of the control state; the whole where others have taken all.
    fn facet_of(&self, object: ObjectId, state: StateId) -> Facet {
        let asked = &self.asked[self.components[&Part::Control(object)]];
        let mut facets = asked.iter().zip(0..).skip(1);
        let own = facets.find(|(asked, _)| *asked.get_or_init(|| state) == state);
        own.map_or(Facet::WHOLE, |(_, facet)| Facet(facet))
    }
}

impl<P: Precision + Sync> Components for Reference<'_, '_, P> {
    type Content = Content;
    type Change = Vec<QueueChange>;

    fn name(&self, component: usize) -> String {
        let model = self.semantics.model();
        let object = |object: ObjectId| model.object(object).name.as_str();
        match self.plan.parts[component] {
            Part::Control(id) | Part::In(id, _) => format!("state of {}", object(id)),
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

    fn join(&self, contents: &[&Content]) -> Configuration {
        join(
            self.semantics.model(),
            &self.plan.parts,
            contents.iter().copied(),
        )
    }

    fn tasks(&self) -> Tasks {
        let pieces = &self.plan.pieces;
        let all = (0..pieces.len() as u32).map(Task);
        let (judging, always) =
            all.partition(|task| matches!(pieces[task.0 as usize], Piece::Property(_)));
        Tasks {
            count: pieces.len(),
            always,
            judging,
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
        if !matches!(piece, Piece::Property(_)) {
            // It may have asked in the middle of a step: what was true then depends on all that came before.
            for part in &mut seen {
                if let Part::In(object, _) = *part {
                    *part = Part::Control(object);
                }
            }
        }
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
        match (content, look.facet) {
            (Content::Queue(queue), HEAD) => Content::Head(queue.head().cloned()),
            (Content::Queue(queue), _) => Content::Waiting(queue.messages()),
            (Content::Control(regions, _), facet) => {
                let Part::Control(object) = self.plan.parts[look.component] else {
                    unreachable!("the content of another component");
                };
                let state = self.plan.asked[look.component][facet.0 as usize].get();
                let state = state.expect("a facet that was given to a state");
                let machine = self.semantics.model().machine_of(object);
                Content::Value(Value::Bool(is_active(regions, machine, *state)))
            }
            _ => unreachable!("only queues and control states have facets"),
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
            Outcome::Unseen => (EffectEnd::Unseen, Vec::new()),
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
            match &successor.result {
                Outcome::Reached(after) => coverage.see_state(model, after),
                Outcome::Unseen => coverage.see_too_many(model, &successor.step),
                Outcome::Failed | Outcome::Cut => {}
            }
        }
    }
}
