//! Steps: what can happen, and what comes of it.

use std::hash::Hash;

use crate::lang::{ChoiceId, FaultKind, Message, ObjectId, Span, TransitionId, Type, Value};
use crate::system::Target;

use super::configuration::Configuration;
use super::queues::QueueChange;

/// One atomic event, with the answers to its choices: enough to do it again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub event: Event,
    pub choices: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The system comes into being: initial states are entered.
    Start,
    /// TRANS: one transition, or one of each of several regions, in this order.
    Fire {
        object: ObjectId,
        transitions: Vec<TransitionId>,
        /// The message that triggered it, if one did.
        message: Option<Message>,
        origin: Origin,
    },
    /// IMPL: the first message, which nothing takes, is thrown away.
    Consume {
        object: ObjectId,
        message: Message,
        origin: Origin,
    },
    /// DEFER: the first message is set aside.
    Defer {
        object: ObjectId,
        message: Message,
        origin: Origin,
    },
    /// ENV: the environment puts a message into an inbox.
    Environment { object: ObjectId, message: Message },
    /// DISP: a thread takes a message and gives it to its object.
    Dispatch {
        object: ObjectId,
        message: Message,
        origin: Origin,
    },
    /// EndRTC: the object is stable again.
    EndOfStep { object: ObjectId },
    /// A whole run-to-completion step as one.
    Whole(Vec<Step>),
}

/// Where a message came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Inbox,
    /// Straight from a lazy environment.
    Environment,
}

/// A step that is possible in a configuration.
#[derive(Clone, Debug)]
pub struct Successor {
    pub step: Step,
    pub result: Target<Configuration>,
    /// What it did wrong; where there is a fault and a configuration, the run can go on.
    pub fault: Option<Fault>,
    pub sent: Vec<Sent>,
    /// What happened to which queue, in order.
    pub queue_changes: Vec<(usize, QueueChange)>,
    /// The branches that were taken at choices, in order.
    pub branches: Vec<(ChoiceId, usize)>,
    /// What `choose` gave, in order.
    pub chosen: Vec<(Value, Type)>,
    /// Not only the environment offering what would be thrown away, and not only possible because
    /// an abstraction does not know better.
    pub is_progress: bool,
    /// No choice was made for what an abstraction has forgotten (Pasareanu 4.5).
    pub is_choose_free: bool,
}

/// Something that the language calls wrong, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub object: ObjectId,
    /// `None` where no piece of source is to blame.
    pub span: Option<Span>,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sent {
    pub to: ObjectId,
    pub message: Message,
    /// The inbox was full and its policy is `lose`.
    pub lost: bool,
}

impl Successor {
    /// All that it does; by which choices does not matter.
    pub(super) fn deed(&self) -> impl Hash + Eq {
        let fault = self.fault.as_ref().map(|fault| {
            let place = fault.span.map(|span| (span.start, span.end));
            (fault.kind, fault.object, place, &fault.message)
        });
        (
            &self.step.event,
            &self.result,
            fault,
            &self.sent,
            &self.queue_changes,
            &self.branches,
            self.is_progress,
        )
    }
}

impl Event {
    /// The object that acts.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Event::Start => None,
            Event::Fire { object, .. }
            | Event::Consume { object, .. }
            | Event::Defer { object, .. }
            | Event::Environment { object, .. }
            | Event::Dispatch { object, .. }
            | Event::EndOfStep { object } => Some(*object),
            Event::Whole(steps) => steps.first().and_then(|step| step.event.object()),
        }
    }

    /// The transition that is taken first, if one is.
    pub fn first_transition(&self) -> Option<TransitionId> {
        match self {
            Event::Fire { transitions, .. } => transitions.first().copied(),
            Event::Whole(steps) => steps.iter().find_map(|step| step.event.first_transition()),
            _ => None,
        }
    }

    /// The object that is given a message, the message, and where it came from.
    pub fn occasion(&self) -> Option<(ObjectId, &Message, Origin)> {
        match self {
            Event::Fire {
                object,
                message: Some(message),
                origin,
                ..
            }
            | Event::Consume {
                object,
                message,
                origin,
            }
            | Event::Defer {
                object,
                message,
                origin,
            }
            | Event::Dispatch {
                object,
                message,
                origin,
            } => Some((*object, message, *origin)),
            Event::Whole(steps) => steps.first().and_then(|step| step.event.occasion()),
            _ => None,
        }
    }
}

/// Why the execution of an effect stops before its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Halt {
    Fault(Fault),
    /// A send waits for room.
    Blocked,
    /// A send would exceed a capacity whose policy is `cut`.
    Cut,
}
