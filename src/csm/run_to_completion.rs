//! `semantics run_to_completion` (Meller chapters 2 and 3; section 1.8 of its table of steps).
//!
//! DISP, TRANS, EndRTC and ENV are separate steps. A thread takes its next message only when the
//! object that has the last one is stable.

use super::choices::Answers;
use super::configuration::Configuration;
use super::enabled::{GuardFault, Occasion, maximal_sets, orders};
use super::precision::Precision;
use super::queues::QueueChange;
use super::run::{Rules, Run};
use super::step::{Event, Halt, Origin, Successor};
use crate::lang::{Environment, Message, ObjectId, ThreadId, Transition, TransitionId};

impl<P: Precision> Rules<'_, P> {
    pub(super) fn completion_steps(&self, configuration: &Configuration) -> Vec<Successor> {
        let threads = (0..self.model.threads.len()).map(ThreadId::new);
        threads
            .flat_map(|thread| self.thread_steps(configuration, thread))
            .collect()
    }

    pub(super) fn thread_steps(
        &self,
        configuration: &Configuration,
        thread: ThreadId,
    ) -> Vec<Successor> {
        let mut steps = match configuration.thread(thread).running {
            Some(object) => self.running_steps(configuration, object),
            None => self.idle_steps(configuration, thread),
        };
        if self.model.environment == Environment::Eager {
            for object in &self.model.threads[thread.index()].objects {
                steps.extend(self.environment_steps(configuration, *object));
            }
        }
        steps
    }

    /// DISP: the head of the queue; or, from a lazy environment, anything it may send (1.12).
    fn idle_steps(&self, configuration: &Configuration, thread: ThreadId) -> Vec<Successor> {
        let mut steps = self.dispatch_steps(configuration, thread);
        if self.model.environment == Environment::Lazy {
            for object in &self.model.threads[thread.index()].objects {
                for message in &self.model.object(*object).from_environment {
                    let origin = Origin::Environment;
                    steps.extend(self.take_message(configuration, *object, message, origin));
                }
            }
        }
        steps
    }

    /// DISP of the head of the queue.
    pub(super) fn dispatch_steps(
        &self,
        configuration: &Configuration,
        thread: ThreadId,
    ) -> Vec<Successor> {
        let head = configuration.head(thread.index());
        head.map_or(Vec::new(), |(object, message)| {
            self.take_message(configuration, object, message, Origin::Inbox)
        })
    }

    /// A message that the object's state defers, and that nothing takes, is set aside (UML 2.5,
    /// 14.2.3.4.4; Meller has no deferral). All others are dispatched.
    pub(super) fn take_message(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: &Message,
        origin: Origin,
    ) -> Vec<Successor> {
        let look = |run: &mut Run<'_, P>| {
            // A guard that fails is reported where the transition would be taken.
            let enabled = run.enabled(Occasion::of(self.model, message));
            let deferred = enabled.as_ref().is_ok_and(Vec::is_empty) && run.defers(object, message);
            let useful = match enabled {
                Ok(enabled) => self.lead_anywhere(run, &enabled),
                Err(_) => true,
            };
            run.forget_guard(); // nothing of it is needed to take the message
            (deferred, useful)
        };
        let dispatch = || Event::Dispatch {
            object,
            message: message.clone(),
            origin,
        };
        let steps = |choices: &Answers, (deferred, useful): (bool, bool)| {
            let event = match deferred {
                true => Event::Defer {
                    object,
                    message: message.clone(),
                    origin,
                },
                false => dispatch(),
            };
            let mut taken = self.perform(configuration, object, event, choices, |run| {
                if deferred && origin == Origin::Environment && !run.has_room(object) {
                    return Err(Halt::Blocked);
                }
                run.dispatch(object, message.clone(), origin, deferred);
                Ok(None)
            });
            for step in &mut taken {
                step.is_progress &= origin == Origin::Inbox || deferred || useful;
            }
            taken
        };
        self.steps_after(configuration, object, dispatch, look, steps)
    }

    /// TRANS while something is enabled, EndRTC when nothing is.
    pub(super) fn running_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
    ) -> Vec<Successor> {
        let dispatched = configuration.object(object).dispatched.clone();
        let occasion = match &dispatched {
            Some(message) => Occasion::of(self.model, message),
            None => Occasion::Spontaneous,
        };
        let steps =
            |choices: &Answers, enabled: Result<Vec<TransitionId>, GuardFault>| match enabled {
                Err(fault) => self.failed_guard(configuration, object, &dispatched, choices, fault),
                Ok(enabled) if enabled.is_empty() => {
                    self.end_of_step(configuration, object, &dispatched, choices)
                }
                Ok(enabled) => {
                    self.transition_steps(configuration, object, &dispatched, choices, &enabled)
                }
            };
        self.steps_after(
            configuration,
            object,
            || Event::EndOfStep { object },
            |run| run.enabled(occasion),
            steps,
        )
    }

    fn failed_guard(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        dispatched: &Option<Message>,
        choices: &Answers,
        fault: GuardFault,
    ) -> Vec<Successor> {
        let trigger = (dispatched.clone(), Origin::Inbox);
        self.guard_fault(configuration, object, trigger, choices, fault)
    }

    /// Transitions that consume the message fire together in every order (maxORTH); those without
    /// a trigger one at a time. Under `rhapsody_triggers` such a one may win over the message, which
    /// is then lost (1.10).
    fn transition_steps(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        dispatched: &Option<Message>,
        choices: &Answers,
        enabled: &[TransitionId],
    ) -> Vec<Successor> {
        let machine = self.model.machine_of(object);
        let triggered = |id: &&TransitionId| machine.transition(**id).needs_message();
        let consuming: Vec<TransitionId> = enabled.iter().filter(triggered).copied().collect();
        let spontaneous = enabled.iter().filter(|id| !triggered(id));
        let together = maximal_sets(machine, &consuming);
        let alone = spontaneous.map(|id| (vec![*id], None));
        let together = together.iter().flat_map(|set| orders(set));
        let together = together.map(|set| (set, dispatched.clone()));
        let mut steps = Vec::new();
        for (transitions, message) in together.chain(alone) {
            let event = Event::Fire {
                object,
                transitions: transitions.clone(),
                message: message.clone(),
                origin: Origin::Inbox,
            };
            steps.extend(self.perform(configuration, object, event, choices, |run| {
                run.configuration.object_mut(object).dispatched = None;
                run.fire(&transitions, message.as_ref())?;
                Ok(None)
            }));
        }
        steps
    }

    /// EndRTC: the object is stable; a message that is still there is discarded.
    fn end_of_step(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        dispatched: &Option<Message>,
        choices: &Answers,
    ) -> Vec<Successor> {
        let event = Event::EndOfStep { object };
        self.perform(configuration, object, event, choices, |run| {
            let discarded = dispatched.as_ref();
            let fault = discarded.and_then(|message| run.implicit_consumption(object, message));
            run.finish_step(object);
            Ok(fault)
        })
    }
}

impl<P: Precision> Run<'_, P> {
    fn dispatch(&mut self, object: ObjectId, message: Message, origin: Origin, deferred: bool) {
        if origin == Origin::Inbox {
            self.change_queue(object, QueueChange::Pop);
        }
        if deferred {
            return self.change_queue(object, QueueChange::Defer(object, message));
        }
        let thread = self.model.object(object).thread;
        self.configuration.thread_mut(thread).running = Some(object);
        self.configuration.object_mut(object).dispatched = Some(message);
    }

    /// The thread is idle again; or, while objects make their initial steps, turns to the next.
    fn finish_step(&mut self, object: ObjectId) {
        let id = self.model.object(object).thread;
        let members = &self.model.threads[id.index()].objects;
        let thread = self.configuration.thread_mut(id);
        thread.running = members.get(thread.started).copied();
        thread.started = members.len().min(thread.started + 1);
        self.configuration.object_mut(object).dispatched = None;
    }

    /// `initial_step`: every thread begins with its first object inside a step without a message.
    pub(super) fn begin_initial_steps(&mut self) {
        for (index, thread) in self.model.threads.iter().enumerate() {
            let state = self.configuration.thread_mut(ThreadId::new(index));
            state.running = thread.objects.first().copied();
            state.started = 1.min(thread.objects.len());
        }
    }
}

/// Whether one transition without a trigger can directly follow another in the same object.
pub(super) fn may_follow(
    machine: &crate::lang::Machine,
    first: &Transition,
    second: &Transition,
) -> bool {
    if first.is_internal() {
        return true; // it changes no state, so whatever was active still is
    }
    let targets = machine.possible_targets(&first.target);
    let related = |target, source| {
        target == source || machine.is_inside(target, source) || machine.is_inside(source, target)
    };
    targets.iter().any(|target| {
        second
            .sources
            .iter()
            .any(|source| related(*target, *source))
    })
}
