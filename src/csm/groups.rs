//! Successors piece by piece: each piece looks at little, and together they are all successors.

use super::configuration::Configuration;
use super::judge::StateFault;
use super::precision::Precision;
use super::step::{Origin, Successor};
use super::{Semantics, accesses};
use crate::lang::{
    Environment, FaultKind, Level, ObjectId, PropertyBody, Semantics as Kind, ThreadId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsmGroup {
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
    pub fn groups(&self) -> Vec<CsmGroup> {
        let mut groups = match self.model.semantics {
            Kind::Interleaving => self.groups_of_objects(),
            Kind::RunToCompletion(options) if options.atomic_steps => vec![CsmGroup::Whole],
            Kind::RunToCompletion(_) => self.groups_of_threads(),
        };
        for (number, property) in self.model.properties.iter().enumerate() {
            match &property.body {
                PropertyBody::Always(_) => groups.push(CsmGroup::Property(number)),
                PropertyBody::NoFault(
                    FaultKind::Nondeterminism | FaultKind::Divergence,
                    objects,
                ) => {
                    groups.extend(
                        objects
                            .iter()
                            .map(|object| CsmGroup::PropertyOf(number, *object)),
                    );
                }
                _ => {}
            }
        }
        groups
    }

    fn groups_of_objects(&self) -> Vec<CsmGroup> {
        let mut groups = Vec::new();
        for object in self.model.object_ids() {
            let mut transitions = self.model.machine_of(object).transitions.iter();
            if transitions.any(|transition| !transition.needs_message()) {
                groups.push(CsmGroup::Spontaneous(object));
            }
            groups.push(CsmGroup::Head(object));
            groups.extend(self.groups_of_environment(object));
        }
        groups
    }

    fn groups_of_threads(&self) -> Vec<CsmGroup> {
        let threads = (0..self.model.threads.len()).map(ThreadId::new);
        let groups = threads.map(CsmGroup::Thread);
        let objects = self.model.object_ids();
        let environment = objects.flat_map(|object| self.groups_of_environment(object));
        groups.chain(environment).collect()
    }

    fn groups_of_environment(&self, object: ObjectId) -> Vec<CsmGroup> {
        let messages = 0..self.model.object(object).from_environment.len();
        let group = |message: usize| match self.model.environment {
            Environment::Lazy => CsmGroup::Offered(object, message),
            Environment::Eager => CsmGroup::Environment(object, message),
        };
        messages.map(group).collect()
    }

    /// The successors that a piece gives.
    pub fn successors_of(&self, group: CsmGroup, configuration: &Configuration) -> Vec<Successor> {
        let rules = self.rules();
        let message =
            |object: ObjectId, number: usize| &self.model.object(object).from_environment[number];
        match group {
            CsmGroup::Spontaneous(object) => rules.spontaneous_steps(configuration, object),
            CsmGroup::Head(object) => rules.head_steps(configuration, object),
            CsmGroup::Offered(object, number) => self.offered(configuration, object, number),
            CsmGroup::Environment(object, number) => {
                rules.environment_step(configuration, object, message(object, number))
            }
            CsmGroup::Thread(thread) => match configuration.thread(thread).running {
                Some(object) => rules.running_steps(configuration, object),
                None => rules.dispatch_steps(configuration, thread),
            },
            CsmGroup::Whole => self.atomic_steps(configuration),
            CsmGroup::Property(_) | CsmGroup::PropertyOf(..) => Vec::new(),
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
    pub fn fault_of(&self, group: CsmGroup, configuration: &Configuration) -> Option<StateFault> {
        let (property, object) = match group {
            CsmGroup::Property(property) => (property, None),
            CsmGroup::PropertyOf(property, object) => (property, Some(object)),
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
    pub fn looks_ahead(&self, group: CsmGroup) -> bool {
        match group {
            CsmGroup::Whole => true,
            CsmGroup::PropertyOf(property, _) => matches!(
                self.model.properties[property].body,
                PropertyBody::NoFault(FaultKind::Divergence, _)
            ),
            _ => false,
        }
    }

    /// The same with notes of what it depends on.
    pub fn watched<T>(&self, run: impl FnOnce(&Self) -> T) -> (T, accesses::Accesses) {
        accesses::watching(|| run(self))
    }
}
