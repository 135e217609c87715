//! Successors piece by piece: each piece looks at little, and together they are all successors.

use super::configuration::Configuration;
use super::judge::StateFault;
use super::precision::Precision;
use super::step::{Origin, Successor};
use super::{Semantics, notes};
use crate::model::{
    Environment, FaultKind, Level, ObjectId, PropertyBody, Semantics as Kind, ThreadId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Transitions of an object without a trigger.
    Spontaneous(ObjectId),
    /// What an object does with the first message of its inbox.
    Head(ObjectId),
    /// What it does with one that the environment may give it.
    Offered(ObjectId, usize),
    /// The environment puts a message into its inbox.
    Environment(ObjectId, usize),
    /// The object of a thread that is running, or the first message of its queue.
    Thread(ThreadId),
    /// Everything: whole steps can't be told apart before they are made.
    Whole,
    /// A property, for all its objects.
    Property(usize),
    /// A property, for one of its objects.
    PropertyOf(usize, ObjectId),
}

impl<P: Precision> Semantics<'_, P> {
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces = match self.model.semantics {
            Kind::Interleaving => self.pieces_of_objects(),
            Kind::RunToCompletion(options) if options.atomic_steps => vec![Piece::Whole],
            Kind::RunToCompletion(_) => self.pieces_of_threads(),
        };
        for (number, property) in self.model.properties.iter().enumerate() {
            match &property.body {
                PropertyBody::Always(_) => pieces.push(Piece::Property(number)),
                PropertyBody::NoFault(
                    FaultKind::Nondeterminism | FaultKind::Divergence,
                    objects,
                ) => {
                    pieces.extend(
                        objects
                            .iter()
                            .map(|object| Piece::PropertyOf(number, *object)),
                    );
                }
                _ => {}
            }
        }
        pieces
    }

    fn pieces_of_objects(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for object in self.model.object_ids() {
            let mut transitions = self.model.machine_of(object).transitions.iter();
            if transitions.any(|transition| !transition.needs_message()) {
                pieces.push(Piece::Spontaneous(object));
            }
            pieces.push(Piece::Head(object));
            pieces.extend(self.pieces_of_environment(object));
        }
        pieces
    }

    fn pieces_of_threads(&self) -> Vec<Piece> {
        let threads = (0..self.model.threads.len()).map(ThreadId::new);
        let pieces = threads.map(Piece::Thread);
        let objects = self.model.object_ids();
        let environment = objects.flat_map(|object| self.pieces_of_environment(object));
        pieces.chain(environment).collect()
    }

    fn pieces_of_environment(&self, object: ObjectId) -> Vec<Piece> {
        let messages = 0..self.model.object(object).from_environment.len();
        let piece = |message: usize| match self.model.environment {
            Environment::Lazy => Piece::Offered(object, message),
            Environment::Eager => Piece::Environment(object, message),
        };
        messages.map(piece).collect()
    }

    /// The successors that a piece gives.
    pub fn successors_of(&self, piece: Piece, configuration: &Configuration) -> Vec<Successor> {
        let rules = self.rules();
        let message =
            |object: ObjectId, number: usize| &self.model.object(object).from_environment[number];
        match piece {
            Piece::Spontaneous(object) => rules.spontaneous_steps(configuration, object),
            Piece::Head(object) => rules.head_steps(configuration, object),
            Piece::Offered(object, number) => self.offered(configuration, object, number),
            Piece::Environment(object, number) => {
                rules.environment_step(configuration, object, message(object, number))
            }
            Piece::Thread(thread) => match configuration.thread(thread).running {
                Some(object) => rules.running_steps(configuration, object),
                None => rules.dispatch_steps(configuration, thread),
            },
            Piece::Whole => self.atomic_steps(configuration),
            Piece::Property(_) | Piece::PropertyOf(..) => Vec::new(),
        }
    }

    fn offered(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        number: usize,
    ) -> Vec<Successor> {
        let message = &self.model.object(object).from_environment[number];
        let (rules, origin) = (self.rules(), Origin::Environment);
        match self.model.semantics {
            Kind::Interleaving => rules.message_steps(configuration, object, message, origin),
            Kind::RunToCompletion(_) => {
                let thread = self.model.object(object).thread;
                match configuration.thread(thread).running {
                    Some(_) => Vec::new(),
                    None => rules.take_message(configuration, object, message, origin),
                }
            }
        }
    }

    /// The property that a piece finds violated.
    pub fn fault_of(&self, piece: Piece, configuration: &Configuration) -> Option<StateFault> {
        let (property, object) = match piece {
            Piece::Property(property) => (property, None),
            Piece::PropertyOf(property, object) => (property, Some(object)),
            _ => return None,
        };
        let declared = &self.model.properties[property];
        if declared.level == Level::RunToCompletion && !configuration.is_between_steps() {
            return None;
        }
        let only = object.as_ref().map(std::slice::from_ref);
        let fault = self.violation(configuration, &declared.body, only)?;
        Some(StateFault { property, fault })
    }

    /// Whether a piece looks at configurations further on than the one that it is asked about: what
    /// it notes about queues is then not true of the first.
    pub fn looks_ahead(&self, piece: Piece) -> bool {
        match piece {
            Piece::Whole => true,
            Piece::PropertyOf(property, _) => matches!(
                self.model.properties[property].body,
                PropertyBody::NoFault(FaultKind::Divergence, _)
            ),
            _ => false,
        }
    }

    /// The same with notes of what it depends on.
    pub fn watched<T>(&self, run: impl FnOnce(&Self) -> T) -> (T, notes::Notes) {
        notes::watching(|| run(self))
    }
}
