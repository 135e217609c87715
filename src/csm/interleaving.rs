//! `semantics interleaving` (Ojala chapter 2): a step is one event of one object.
//!
//! Ojala's machines are flat. Where regions react to the same message, their transitions are one
//! event, as in Meller 1.7; for a flat machine this is Ojala's rule to the letter.

use super::choices::{Answers, distinct_outcomes};
use super::configuration::Configuration;
use super::enabled::{GuardFault, Occasion, maximal_sets, orders};
use super::precision::Precision;
use super::queues::QueueChange;
use super::run::{Rules, Run};
use super::step::{Event, Fault, Halt, Origin, Successor};
use crate::lang::{Environment, FaultKind, Message, ObjectId, TransitionId};

/// What an object can do about a message, under one set of choices.
#[derive(PartialEq)]
struct Reaction {
    spontaneous: Vec<TransitionId>,
    triggered: Vec<TransitionId>,
    deferred: bool,
}

impl<P: Precision> Rules<'_, P> {
    pub(super) fn interleaving_steps(&self, configuration: &Configuration) -> Vec<Successor> {
        let objects = self.model.object_ids();
        objects
            .flat_map(|object| self.steps_of(configuration, object))
            .collect()
    }

    fn steps_of(&self, configuration: &Configuration, object: ObjectId) -> Vec<Successor> {
        let mut steps = self.spontaneous_steps(configuration, object);
        steps.extend(self.head_steps(configuration, object));
        match self.model.environment {
            Environment::Lazy => {
                for message in &self.model.object(object).from_environment {
                    let origin = Origin::Environment;
                    steps.extend(self.message_steps(configuration, object, message, origin));
                }
            }
            Environment::Eager => steps.extend(self.environment_steps(configuration, object)),
        }
        steps
    }

    pub(super) fn head_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
    ) -> Vec<Successor> {
        let head = configuration.head(object.index());
        head.map_or(Vec::new(), |(_, message)| {
            self.message_steps(configuration, object, message, Origin::Inbox)
        })
    }

    /// TRANS without a trigger (2.3): these compete with the triggered ones.
    pub(super) fn spontaneous_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
    ) -> Vec<Successor> {
        let event = |transitions| Event::Fire {
            object,
            transitions,
            message: None,
            origin: Origin::Inbox,
        };
        let steps = |choices: &Answers, enabled: Result<Vec<TransitionId>, GuardFault>| {
            let mut steps = Vec::new();
            match enabled {
                Err(fault) => {
                    let trigger = (None, Origin::Inbox);
                    steps.extend(self.guard_fault(configuration, object, trigger, choices, fault));
                }
                Ok(enabled) => {
                    for transition in enabled {
                        let event = event(vec![transition]);
                        steps.extend(self.perform(configuration, object, event, choices, |run| {
                            run.fire(&[transition], None)?;
                            Ok(None)
                        }));
                    }
                }
            }
            steps
        };
        self.steps_after(
            configuration,
            object,
            || event(Vec::new()),
            |run| run.enabled(Occasion::Spontaneous),
            steps,
        )
    }

    /// A step that fails already in a guard.
    pub(super) fn guard_fault(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        (message, origin): (Option<Message>, Origin),
        choices: &Answers,
        (transition, halt): GuardFault,
    ) -> Vec<Successor> {
        let transitions = vec![transition];
        let event = Event::Fire {
            object,
            transitions,
            message,
            origin,
        };
        self.perform(configuration, object, event, choices, |_| Err(halt.clone()))
    }

    /// TRANS with a trigger, IMPL and DEFER, for a message at the head of the queue. IMPL and DEFER
    /// only if the object has no enabled transition at all (2.3).
    pub(super) fn message_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: &Message,
        origin: Origin,
    ) -> Vec<Successor> {
        let event = || Event::Fire {
            object,
            transitions: Vec::new(),
            message: Some(message.clone()),
            origin,
        };
        let look = |run: &mut Run<'_, P>| {
            Ok::<_, GuardFault>(Reaction {
                spontaneous: run.enabled(Occasion::Spontaneous)?,
                triggered: run.enabled(Occasion::Message(message))?,
                deferred: run.defers(object, message),
            })
        };
        let steps = |choices: &Answers, reaction| match reaction {
            // Reported with its own step.
            Err((id, _)) if self.is_spontaneous(object, id) => Vec::new(),
            Err(fault) => {
                let trigger = (Some(message.clone()), origin);
                self.guard_fault(configuration, object, trigger, choices, fault)
            }
            Ok(reaction) => {
                let message = (message, origin);
                self.reaction_steps(configuration, object, message, choices, reaction)
            }
        };
        self.steps_after(configuration, object, event, look, steps)
    }

    fn is_spontaneous(&self, object: ObjectId, id: TransitionId) -> bool {
        !self.model.machine_of(object).transition(id).needs_message()
    }

    fn reaction_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        (message, origin): (&Message, Origin),
        choices: &Answers,
        reaction: Reaction,
    ) -> Vec<Successor> {
        if !reaction.triggered.is_empty() {
            let machine = self.model.machine_of(object);
            let sets = maximal_sets(machine, &reaction.triggered);
            let all = sets.iter().flat_map(|set| orders(set));
            return all
                .flat_map(|transitions| {
                    self.fire_steps(
                        configuration,
                        object,
                        (message, origin),
                        choices,
                        transitions,
                    )
                })
                .collect();
        }
        if !reaction.spontaneous.is_empty() {
            return Vec::new();
        }
        if reaction.deferred {
            return self.defer_steps(configuration, object, (message, origin), choices);
        }
        self.consume_steps(configuration, object, (message, origin), choices)
    }

    /// 2.4.1: receive, effects, goto.
    fn fire_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        (message, origin): (&Message, Origin),
        choices: &Answers,
        transitions: Vec<TransitionId>,
    ) -> Vec<Successor> {
        let event = Event::Fire {
            object,
            transitions: transitions.clone(),
            message: Some(message.clone()),
            origin,
        };
        let mut steps = self.perform(configuration, object, event, choices, |run| {
            run.remove_head(object, origin);
            run.fire(&transitions, Some(message))?;
            Ok(None)
        });
        let is_inert = self.are_inert(object, &transitions);
        for step in &mut steps {
            step.is_progress &= origin == Origin::Inbox || !is_inert;
        }
        steps
    }

    fn are_inert(&self, object: ObjectId, transitions: &[TransitionId]) -> bool {
        let machine = self.model.machine_of(object);
        transitions
            .iter()
            .all(|id| machine.transition(*id).is_inert())
    }

    /// 2.4.2: the message is gone, everything else is as before.
    fn consume_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        (message, origin): (&Message, Origin),
        choices: &Answers,
    ) -> Vec<Successor> {
        let event = Event::Consume {
            object,
            message: message.clone(),
            origin,
        };
        let mut steps = self.perform(configuration, object, event, choices, |run| {
            run.remove_head(object, origin);
            Ok(run.implicit_consumption(object, message))
        });
        for step in &mut steps {
            step.is_progress &= origin == Origin::Inbox;
        }
        steps
    }

    /// 2.4.3: the message moves to the end of the defer queue.
    fn defer_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        (message, origin): (&Message, Origin),
        choices: &Answers,
    ) -> Vec<Successor> {
        let event = Event::Defer {
            object,
            message: message.clone(),
            origin,
        };
        self.perform(configuration, object, event, choices, |run| {
            if origin == Origin::Environment && !run.has_room(object) {
                return Err(Halt::Blocked);
            }
            run.remove_head(object, origin);
            run.change_queue(object, QueueChange::Defer(object, message.clone()));
            Ok(None)
        })
    }

    /// The environment sends whatever the object may get from it, while there is room.
    pub(super) fn environment_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
    ) -> Vec<Successor> {
        let mut steps = Vec::new();
        for message in &self.model.object(object).from_environment {
            steps.extend(self.environment_step(configuration, object, message));
        }
        steps
    }

    pub(super) fn environment_step(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: &Message,
    ) -> Vec<Successor> {
        let event = Event::Environment {
            object,
            message: message.clone(),
        };
        let mut sent = self.perform(configuration, object, event, &Answers::default(), |run| {
            if !run.has_room(object) {
                return Err(Halt::Blocked);
            }
            run.enqueue(object, message.clone());
            Ok(None)
        });
        for step in &mut sent {
            step.is_progress &= self.could_use(configuration, object, message);
        }
        sent
    }

    /// Whether one of these transitions of the actor changes anything; or, inside a
    /// run-to-completion step, gives one without a trigger its turn.
    pub(super) fn lead_anywhere(&self, run: &mut Run<'_, P>, enabled: &[TransitionId]) -> bool {
        if !self.are_inert(run.actor, enabled) {
            return true;
        }
        let begins_step = self.model.runs_to_completion().is_some() && !enabled.is_empty();
        let follows = |run: &mut Run<'_, P>| run.enabled(Occasion::Spontaneous);
        begins_step && follows(run).is_ok_and(|enabled| !enabled.is_empty())
    }

    /// Whether the object would do anything with a message but throw it away.
    pub(super) fn could_use(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: &Message,
    ) -> bool {
        let (outcomes, complete) = distinct_outcomes(|choices| {
            let mut run =
                Run::of_object(self.model, self.precision, choices, configuration, object);
            let enabled = run.enabled(Occasion::of(self.model, message));
            let enabled = enabled.unwrap_or_default();
            let useful = run.defers(object, message) || self.lead_anywhere(&mut run, &enabled);
            run.forget_guard();
            useful
        });
        // Where an abstraction leaves it open, nobody may rely on it.
        let is_open = outcomes
            .iter()
            .any(|(answers, useful)| !answers.is_choose_free && !useful);
        complete && !is_open && outcomes.iter().any(|(_, useful)| *useful)
    }
}

impl<P: Precision> Run<'_, P> {
    fn remove_head(&mut self, object: ObjectId, origin: Origin) {
        if origin == Origin::Inbox {
            self.change_queue(object, QueueChange::Pop);
        }
    }

    pub(super) fn implicit_consumption(
        &self,
        object: ObjectId,
        message: &Message,
    ) -> Option<Fault> {
        if self.model.signal(message.signal).may_be_lost {
            return None;
        }
        let machine = self.model.machine_of(object);
        let active = self.configuration.object(object).active_states(machine);
        let innermost = active.last().map(|state| machine.state(*state));
        let name = &self.model.object(object).name;
        let shown = self.model.show_message(message);
        let place = innermost.map_or("", |state| state.path.as_str());
        Some(Fault {
            kind: FaultKind::ImplicitConsumption,
            object,
            span: innermost.map(|state| state.span),
            message: format!("{name} in state {place} neither receives nor defers {shown}"),
        })
    }
}
