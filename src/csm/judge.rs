//! Which properties a configuration, or a step, violates.

use std::collections::HashSet;

use super::Semantics;
use super::choices::first_outcomes;
use super::configuration::Configuration;
use super::enabled::{Occasion, compatible};
use super::precision::Precision;
use super::run::Run;
use super::run_to_completion::may_follow;
use super::step::{Event, Fault, Halt, Successor};
use crate::lang::{
    Environment, Expr, FaultKind, Level, Machine, Message, ObjectId, PropertyBody, Transition,
    limits,
};
use crate::system::Target;

/// A property that a configuration violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFault {
    /// One of `Model::properties`.
    pub property: usize,
    /// What is wrong, where the language itself says so.
    pub fault: Option<Fault>,
}

/// What one configuration is found guilty of.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    pub faults: Vec<StateFault>,
    pub is_deadlock: bool,
}

impl<P: Precision> Semantics<'_, P> {
    /// The properties that a fault of a step violates.
    pub fn blamed(&self, fault: &Fault) -> Vec<usize> {
        let properties = self.model.properties.iter().enumerate();
        let concerns = |body: &PropertyBody| match body {
            PropertyBody::NoFault(kind, objects) => {
                *kind == fault.kind && objects.contains(&fault.object)
            }
            _ => false,
        };
        properties
            .filter(|(_, p)| concerns(&p.body))
            .map(|(index, _)| index)
            .collect()
    }

    /// The properties that a configuration violates; its successors are needed to see a deadlock.
    pub fn judge(&self, configuration: &Configuration, successors: &[Successor]) -> Verdicts {
        let mut verdicts = Verdicts {
            is_deadlock: self.is_deadlock(configuration, successors),
            faults: Vec::new(),
        };
        for (property, declared) in self.model.properties.iter().enumerate() {
            let inside_step = !configuration.is_between_steps();
            if declared.level == Level::RunToCompletion && inside_step {
                continue;
            }
            let fault = match &declared.body {
                PropertyBody::NoFault(FaultKind::Deadlock, objects) if verdicts.is_deadlock => {
                    self.deadlock(configuration, objects).map(Some)
                }
                body => self.violation(configuration, body, None),
            };
            let Some(fault) = fault else { continue };
            verdicts.faults.push(StateFault { property, fault });
        }
        verdicts
    }

    /// Whether a configuration violates a property by itself, for all its objects or for these; and
    /// the fault where there is one to be named.
    pub(super) fn violation(
        &self,
        configuration: &Configuration,
        body: &PropertyBody,
        only: Option<&[ObjectId]>,
    ) -> Option<Option<Fault>> {
        match body {
            PropertyBody::Always(expr) => match self.is_true(configuration, expr) {
                Ok(true) => None,
                Ok(false) => Some(None),
                Err(fault) => Some(Some(fault)),
            },
            PropertyBody::NoFault(FaultKind::Nondeterminism, objects) => self
                .nondeterminism(configuration, only.unwrap_or(objects))
                .map(Some),
            PropertyBody::NoFault(FaultKind::Divergence, objects) => self
                .divergence(configuration, only.unwrap_or(objects))
                .map(Some),
            _ => None,
        }
    }

    /// Whether a property holds whatever an abstraction may have forgotten.
    fn is_true(&self, configuration: &Configuration, expr: &Expr) -> Result<bool, Fault> {
        let (outcomes, complete) = first_outcomes(limits::ANSWERS, |choices| {
            Run::of_property(self.model, &self.precision, choices, configuration).holds(expr)
        });
        for (_, outcome) in outcomes {
            match outcome {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(Halt::Fault(fault)) => return Err(fault),
                Err(Halt::Blocked | Halt::Cut) => unreachable!("a property sends nothing"),
            }
        }
        Ok(complete) // what was not looked at may be otherwise
    }

    /// No step is possible, but for the environment offering what would be thrown away; and some
    /// object is not where it may rest.
    fn is_deadlock(&self, configuration: &Configuration, successors: &[Successor]) -> bool {
        let stuck = !successors.iter().any(|successor| successor.is_progress);
        let restless = |object: ObjectId| !self.may_rest(configuration, object);
        stuck && self.model.object_ids().any(restless)
    }

    fn may_rest(&self, configuration: &Configuration, object: ObjectId) -> bool {
        configuration
            .object(object)
            .may_rest(self.model.machine_of(object))
    }

    fn deadlock(&self, configuration: &Configuration, objects: &[ObjectId]) -> Option<Fault> {
        let restless = objects
            .iter()
            .filter(|object| !self.may_rest(configuration, **object));
        let described: Vec<String> = restless
            .clone()
            .map(|o| self.where_is(configuration, *o))
            .collect();
        let object = *restless.clone().next()?;
        Some(Fault {
            kind: FaultKind::Deadlock,
            object,
            span: None,
            message: format!("nothing can happen any more: {}", described.join(", ")),
        })
    }

    fn where_is(&self, configuration: &Configuration, object: ObjectId) -> String {
        let machine = self.model.machine_of(object);
        let active = configuration.object(object).active_states(machine);
        let is_leaf = |id: &&crate::lang::StateId| machine.state(**id).regions.is_empty();
        let leaves = active
            .iter()
            .filter(is_leaf)
            .map(|id| machine.state(*id).path.as_str());
        let name = &self.model.object(object).name;
        format!(
            "{name} waits in {}",
            leaves.collect::<Vec<_>>().join(" and ")
        )
    }

    /// Two transitions of one object are enabled and can't be taken together (Meller 2.3).
    fn nondeterminism(&self, configuration: &Configuration, objects: &[ObjectId]) -> Option<Fault> {
        objects.iter().find_map(|object| {
            let messages = self.messages_at_hand(configuration, *object);
            messages
                .iter()
                .find_map(|message| self.conflict(configuration, *object, message.as_ref()))
        })
    }

    /// The messages that an object may have to decide about now; `None`: no message.
    fn messages_at_hand(
        &self,
        configuration: &Configuration,
        object: ObjectId,
    ) -> Vec<Option<Message>> {
        let state = configuration.object(object);
        if self.model.runs_to_completion().is_some() {
            let thread = self.model.object(object).thread;
            let running = configuration.thread(thread).running == Some(object);
            return if running {
                vec![state.dispatched.clone()]
            } else {
                Vec::new()
            };
        }
        let head = configuration.head(object.index());
        let mut messages = vec![head.map(|(_, message)| message.clone())];
        if self.model.environment == Environment::Lazy {
            let offered = &self.model.object(object).from_environment;
            messages.extend(offered.iter().cloned().map(Some));
        }
        messages
    }

    fn conflict(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: Option<&Message>,
    ) -> Option<Fault> {
        // Under `interleaving` both kinds of transitions are steps of their own, so neither hides
        // the other; priority is among each of them alone.
        let occasions = match (message, self.model.runs_to_completion()) {
            (None, _) => vec![Occasion::Spontaneous],
            (Some(message), None) => vec![Occasion::Message(message), Occasion::Spontaneous],
            (Some(message), Some(_)) => vec![Occasion::of(self.model, message)],
        };
        let (outcomes, complete) = first_outcomes(limits::ANSWERS, |choices| {
            let mut run =
                Run::of_object(self.model, &self.precision, choices, configuration, object);
            let enabled = occasions.iter().map(|occasion| run.enabled(*occasion));
            enabled
                .flat_map(Result::unwrap_or_default)
                .collect::<Vec<_>>()
        });
        let machine = self.model.machine_of(object);
        let name = &self.model.object(object).name;
        let fault = |span, message| Fault {
            kind: FaultKind::Nondeterminism,
            object,
            span,
            message,
        };
        let found = outcomes.iter().find_map(|(_, enabled)| {
            let pairs = enabled.iter().enumerate();
            let mut pairs = pairs.flat_map(|(i, a)| enabled[i + 1..].iter().map(move |b| (*a, *b)));
            let (one, other) = pairs.find(|(a, b)| !compatible(machine, *a, *b))?;
            let (one, other) = (machine.transition(one), machine.transition(other));
            let message = format!("{name} can take `{}` or `{}`", one.label, other.label);
            Some(fault(Some(other.span), message))
        });
        // What was not looked at may be otherwise.
        let unseen = || {
            fault(
                None,
                format!("{name} has too many transitions that may be enabled"),
            )
        };
        found.or_else(|| (!complete).then(unseen))
    }

    /// A cycle of transitions without a trigger inside one run-to-completion step (Meller 1.12).
    fn divergence(&self, configuration: &Configuration, objects: &[ObjectId]) -> Option<Fault> {
        if self.model.threads.is_empty() {
            return None;
        }
        let mut suspects = objects.iter().copied().filter(|object| {
            let id = self.model.object(*object);
            self.may_loop[id.class.index()]
                && configuration.thread(id.thread).running == Some(*object)
                && configuration.object(*object).dispatched.is_none()
        });
        suspects.find_map(|object| self.returns_to_itself(configuration, object))
    }

    fn returns_to_itself(&self, start: &Configuration, object: ObjectId) -> Option<Fault> {
        let thread = self.model.object(object).thread;
        let mut seen = HashSet::new();
        let mut pending = vec![start.clone()];
        while let Some(at) = pending.pop() {
            for successor in self.rules().thread_steps(&at, thread) {
                let fires = matches!(successor.step.event, Event::Fire { .. });
                let Target::State(reached) = successor.result else {
                    continue;
                };
                if !fires {
                    continue;
                }
                if reached == *start {
                    return Some(self.endless(object));
                }
                if seen.insert(reached.clone()) {
                    pending.push(reached);
                }
            }
        }
        None
    }

    fn endless(&self, object: ObjectId) -> Fault {
        let name = &self.model.object(object).name;
        Fault {
            kind: FaultKind::Divergence,
            object,
            span: None,
            message: format!("the step of {name} can go on for ever"),
        }
    }
}

/// Whether some transitions without a trigger can follow each other round in a circle, going by
/// structure alone: what is left when those that nothing follows are taken away, again and again.
pub(crate) fn may_loop(machine: &Machine) -> bool {
    let all = machine.transitions.iter().filter(|t| !t.needs_message());
    let mut left: Vec<&Transition> = all.collect();
    if left.len() > LOOK_CLOSELY {
        return true;
    }
    loop {
        let before = left.len();
        let rest = left.clone();
        left.retain(|first| rest.iter().any(|second| may_follow(machine, first, second)));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

/// Transitions in a machine beyond which a circle is taken for granted instead of looked for.
const LOOK_CLOSELY: usize = 500;
