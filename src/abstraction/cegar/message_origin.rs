//! Which action sent the messages that wait, in both models: what is received can then be traced
//! back to where it was computed.

use std::collections::{HashMap, VecDeque};

use super::analysis::Pair;
use crate::csm::{Action, Entry, Event, QueueChange, Successor, queue_of};
use crate::lang::{Model, ObjectId};

/// Which send each waiting message came from, in both models.
#[derive(Default)]
pub struct MessageOrigins {
    concrete: Mailbox,
    known: Mailbox,
}

#[derive(Default)]
struct Mailbox {
    queues: HashMap<usize, VecDeque<(ObjectId, Option<usize>)>>,
    deferred: HashMap<ObjectId, VecDeque<Option<usize>>>,
    /// The message that was taken last by each object.
    taken: HashMap<ObjectId, Option<usize>>,
}

impl MessageOrigins {
    /// Who sent the message that an event is about.
    pub fn receive(&self, model: &Model, event: &Event) -> (Option<usize>, Option<usize>) {
        event
            .object()
            .map_or((None, None), |object| self.of(model, object))
    }

    /// Who sent the message that an object has at hand.
    pub fn of(&self, model: &Model, object: ObjectId) -> (Option<usize>, Option<usize>) {
        (
            self.concrete.first(model, object),
            self.known.first(model, object),
        )
    }

    /// Keeps up with what a step did to the queues.
    pub fn send(&mut self, pairs: &[Pair], first: usize, concrete: &Successor, known: &Successor) {
        let sends = |entry: fn(&Pair) -> &Entry| -> Vec<usize> {
            let kept = pairs
                .iter()
                .enumerate()
                .filter(|(_, pair)| matches!(entry(pair).action, Action::Send { lost: false, .. }));
            kept.map(|(index, _)| first + index).collect()
        };
        let object = concrete.step.event.object();
        self.concrete.change(
            object,
            &concrete.queue_changes,
            sends(|pair| &pair.concrete),
        );
        self.known
            .change(object, &known.queue_changes, sends(|pair| &pair.known));
    }
}

impl Mailbox {
    fn first(&self, model: &Model, object: ObjectId) -> Option<usize> {
        if model.runs_to_completion().is_some()
            && let Some(taken) = self.taken.get(&object)
        {
            return *taken;
        }
        let queue = self.queues.get(&queue_of(model, object))?;
        queue.front().and_then(|(_, sender)| *sender)
    }

    fn change(
        &mut self,
        object: Option<ObjectId>,
        changes: &[(usize, QueueChange)],
        senders: Vec<usize>,
    ) {
        let mut senders = senders.into_iter();
        let mut popped = None;
        for (queue, change) in changes {
            match change {
                QueueChange::Pop => {
                    let first = self.queues.entry(*queue).or_default().pop_front();
                    popped = first.and_then(|(_, sender)| sender);
                    if let Some(object) = object {
                        self.taken.insert(object, popped);
                    }
                }
                QueueChange::Push(to, _) => {
                    let sender = senders.next();
                    self.queues
                        .entry(*queue)
                        .or_default()
                        .push_back((*to, sender));
                }
                QueueChange::Defer(object, _) => {
                    self.deferred.entry(*object).or_default().push_back(popped);
                }
                QueueChange::Flush(object) => {
                    let back = self.deferred.remove(object).unwrap_or_default();
                    let queue = self.queues.entry(*queue).or_default();
                    for sender in back.into_iter().rev() {
                        queue.push_front((*object, sender));
                    }
                }
            }
        }
    }
}
