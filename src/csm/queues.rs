//! The queues in which messages wait: one for each object under `interleaving`, one for each thread
//! under `run_to_completion`. Messages that an object sets aside count as waiting in its queue.

use std::sync::Arc;

use super::accesses::{Part, see};
use super::configuration::{Configuration, ObjectState};
use super::precision::Precision;
use super::run::Run;
use crate::lang::{Message, Model, ObjectId};

/// Something that happens to a queue, whatever else it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QueueChange {
    /// The first message leaves.
    Pop,
    /// A message for an object comes to the end.
    Push(ObjectId, Message),
    /// An object sets a message aside.
    Defer(ObjectId, Message),
    /// What an object has set aside returns to the front, in its order (Ojala 2.2.5).
    Flush(ObjectId),
}

/// The number of the queue in which messages for an object wait.
pub fn queue_of(model: &Model, object: ObjectId) -> usize {
    match model.threads.is_empty() {
        true => object.index(),
        false => model.object(object).thread.index(),
    }
}

impl Configuration {
    /// The first message of a queue, and whom it is for.
    pub(super) fn head(&self, queue: usize) -> Option<(ObjectId, &Message)> {
        see(Part::Head(queue));
        match self.threads.get(queue) {
            Some(thread) => thread
                .queue
                .front()
                .map(|(object, message)| (*object, message)),
            None => {
                let object = ObjectId::new(queue);
                let inbox = &self.unseen(object).inbox;
                inbox.front().map(|message| (object, message))
            }
        }
    }

    /// The first message of a queue.
    pub fn first_message(&self, queue: usize) -> Option<Message> {
        self.head(queue).map(|(_, message)| message.clone())
    }

    /// How many messages a queue holds, those set aside included.
    pub(super) fn waiting(&self, model: &Model, queue: usize) -> usize {
        see(Part::Waiting(queue));
        let deferred = |object: &ObjectId| self.unseen(*object).deferred.len();
        match self.threads.get(queue) {
            Some(thread) => {
                let members = &model.threads[queue].objects;
                thread.queue.len() + members.iter().map(deferred).sum::<usize>()
            }
            None => {
                let object = ObjectId::new(queue);
                self.unseen(object).inbox.len() + deferred(&object)
            }
        }
    }

    /// The messages of a queue in order.
    pub(super) fn messages(&self, queue: usize) -> Vec<(ObjectId, &Message)> {
        see(Part::Queue(queue));
        match self.threads.get(queue) {
            Some(thread) => thread
                .queue
                .iter()
                .map(|(object, message)| (*object, message))
                .collect(),
            None => {
                let object = ObjectId::new(queue);
                self.unseen(object)
                    .inbox
                    .iter()
                    .map(|message| (object, message))
                    .collect()
            }
        }
    }

    fn change_queue(&mut self, queue: usize, change: &QueueChange) {
        match (change, self.threads.get_mut(queue)) {
            (QueueChange::Pop, Some(thread)) => drop(thread.queue.pop_front()),
            (QueueChange::Pop, None) => {
                drop(self.unseen_mut(ObjectId::new(queue)).inbox.pop_front())
            }
            (QueueChange::Push(to, message), Some(thread)) => {
                thread.queue.push_back((*to, message.clone()));
            }
            (QueueChange::Push(to, message), None) => {
                self.unseen_mut(*to).inbox.push_back(message.clone());
            }
            (QueueChange::Defer(object, message), _) => {
                self.unseen_mut(*object).deferred.push_back(message.clone());
            }
            (QueueChange::Flush(object), _) => self.flush(queue, *object),
        }
    }

    fn flush(&mut self, queue: usize, object: ObjectId) {
        if self.unseen(object).deferred.is_empty() {
            return;
        }
        let state = self.unseen_mut(object);
        let deferred = std::mem::take(&mut state.deferred);
        for message in deferred.into_iter().rev() {
            match self.threads.get_mut(queue) {
                Some(thread) => thread.queue.push_front((object, message)),
                None => self.unseen_mut(object).inbox.push_front(message),
            }
        }
    }

    /// An object, when only its messages are of interest.
    fn unseen(&self, object: ObjectId) -> &ObjectState {
        &self.objects[object.index()]
    }

    fn unseen_mut(&mut self, object: ObjectId) -> &mut ObjectState {
        Arc::make_mut(&mut self.objects[object.index()])
    }
}

impl<P: Precision> Run<'_, P> {
    /// Changes the queue of an object, and keeps a record of it.
    pub(super) fn change_queue(&mut self, object: ObjectId, change: QueueChange) {
        let queue = queue_of(self.model, object);
        self.configuration.change_queue(queue, &change);
        self.queue_changes.push((queue, change));
    }
}
