//! One step replayed, with the answers that were given the first time, and a journal of it.

use std::cell::RefCell;

use super::Semantics;
use super::choices::Choices;
use super::configuration::Configuration;
use super::enabled::Occasion;
use super::journal::{Entry, recording};
use super::precision::Precision;
use super::queues::queue_of;
use super::run::Run;
use super::step::{Event, Origin, Step, Successor};
use crate::lang::{Environment, Message, ObjectId};
use crate::system::Target;

/// The step that is replayed: only this event happens, and choices are answered from the list.
struct Script {
    event: Event,
    answers: Vec<u32>,
    used: usize,
}

thread_local! {
    static SCRIPT: RefCell<Option<Script>> = const { RefCell::new(None) };
}

/// The answers that are left, if there is a script.
pub(super) fn answers() -> Option<Vec<u32>> {
    SCRIPT.with_borrow(|script| {
        let script = script.as_ref()?;
        Some(script.answers[script.used.min(script.answers.len())..].to_vec())
    })
}

/// So many of them were given.
pub(super) fn answered(count: usize) {
    SCRIPT.with_borrow_mut(|script| {
        if let Some(script) = script {
            script.used += count;
        }
    });
}

/// Whether an event may happen: any, unless there is a script.
pub(super) fn is_wanted(event: &Event) -> bool {
    SCRIPT.with_borrow(|script| script.as_ref().is_none_or(|script| script.event == *event))
}

impl<P: Precision> Semantics<'_, P> {
    /// Makes a step again. None if it is not possible there.
    pub fn retrace(
        &self,
        configuration: &Configuration,
        step: &Step,
    ) -> Option<(Successor, Vec<Entry>)> {
        if let Event::Whole(parts) = &step.event {
            self.model
                .runs_to_completion()?
                .atomic_steps
                .then_some(())?;
            return self.retrace_parts(configuration, step, parts);
        }
        if !self.is_at_hand(configuration, &step.event) {
            return None;
        }
        let script = Script {
            event: step.event.clone(),
            answers: step.choices.clone(),
            used: 0,
        };
        SCRIPT.replace(Some(script));
        let (successors, entries) = recording(|| self.candidates(configuration, &step.event));
        SCRIPT.replace(None);
        let found = successors.into_iter().find(|made| made.step == *step)?;
        Some((found, entries))
    }

    fn retrace_parts(
        &self,
        configuration: &Configuration,
        whole: &Step,
        parts: &[Step],
    ) -> Option<(Successor, Vec<Entry>)> {
        let mut at = configuration.clone();
        let mut all: Option<(Successor, Vec<Entry>)> = None;
        for part in parts {
            let (successor, mut entries) = self.retrace(&at, part)?;
            if let Target::State(reached) = &successor.result {
                at = reached.clone();
            }
            all = Some(match all {
                None => (successor, entries),
                Some((before, mut earlier)) => {
                    earlier.append(&mut entries);
                    (before.followed_by(successor), earlier)
                }
            });
        }
        let (mut successor, entries) = all?;
        successor.step = whole.clone();
        Some((successor, entries))
    }

    /// Whether a message is where the event says that it is, and the thread of its object is free.
    fn is_at_hand(&self, configuration: &Configuration, event: &Event) -> bool {
        let completes = self.model.runs_to_completion().is_some();
        let running = |object: ObjectId| {
            let thread = self.model.object(object).thread;
            configuration.thread(thread).running
        };
        let runs = |object: ObjectId| completes && running(object) == Some(object);
        let is_free = |object: ObjectId| !completes || running(object).is_none();
        let waits = |object: ObjectId, message: &Message, origin: Origin| match origin {
            Origin::Inbox => {
                let head = configuration.head(queue_of(self.model, object));
                head == Some((object, message))
            }
            Origin::Environment => {
                self.model.environment == Environment::Lazy && self.may_come(object, message)
            }
        };
        match event {
            Event::Start | Event::Whole(_) => true,
            Event::Environment { object, message } => {
                self.model.environment == Environment::Eager && self.may_come(*object, message)
            }
            Event::EndOfStep { object } => runs(*object),
            Event::Fire { object, .. } | Event::Consume { object, .. } if completes => {
                runs(*object)
            }
            Event::Dispatch { .. } if !completes => false,
            event => event.occasion().is_none_or(|(object, message, origin)| {
                is_free(object) && waits(object, message, origin)
            }),
        }
    }

    /// Whether the environment may send this to an object.
    fn may_come(&self, object: ObjectId, message: &Message) -> bool {
        self.model.object(object).from_environment.contains(message)
    }

    /// The rules that can bring an event about, and no others: each asks for its own answers.
    fn candidates(&self, configuration: &Configuration, event: &Event) -> Vec<Successor> {
        let rules = self.rules();
        let interleaves = self.model.runs_to_completion().is_none();
        match (event, event.occasion()) {
            (Event::Start, _) => self.initial(),
            (Event::Whole(_), _) => Vec::new(), // made part by part
            (Event::Environment { object, message }, _) => {
                rules.environment_step(configuration, *object, message)
            }
            (Event::Fire { object, .. }, None) if interleaves => {
                rules.spontaneous_steps(configuration, *object)
            }
            (_, Some((object, message, origin))) if interleaves => {
                rules.message_steps(configuration, object, message, origin)
            }
            (
                Event::Fire { object, .. }
                | Event::Consume { object, .. }
                | Event::EndOfStep { object },
                _,
            ) => rules.running_steps(configuration, *object),
            (_, Some((object, message, origin))) => {
                rules.take_message(configuration, object, message, origin)
            }
            (Event::Defer { .. } | Event::Dispatch { .. }, None) => {
                unreachable!("they are about a message")
            }
        }
    }

    /// How the guards of an object come out for a message, or without one, under first choices.
    pub fn guards(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: Option<&Message>,
    ) -> Vec<Entry> {
        let occasions = match message {
            Some(message) => vec![Occasion::Spontaneous, Occasion::Message(message)],
            None => vec![Occasion::Spontaneous],
        };
        let ((), entries) = recording(|| {
            let mut choices = Choices::default();
            let mut run = Run::of_object(
                self.model,
                &self.precision,
                &mut choices,
                configuration,
                object,
            );
            for occasion in occasions {
                let _ = run.enabled(occasion); // what it noted is wanted, also if a guard fails
            }
        });
        entries
    }

    /// How an invariant comes out, for each way to choose.
    pub fn property_nodes(&self, configuration: &Configuration, property: usize) -> Vec<Entry> {
        let body = &self.model.properties[property].body;
        let crate::lang::PropertyBody::Always(expr) = body else {
            return Vec::new();
        };
        let ((), entries) = recording(|| {
            let outcomes = super::all_outcomes(|choices| {
                let mut run = Run::of_property(self.model, &self.precision, choices, configuration);
                let holds = run.holds(expr).unwrap_or(false);
                super::journal::act(ObjectId(0), || super::journal::Action::Assert(holds));
            });
            drop(outcomes);
        });
        entries
    }
}
