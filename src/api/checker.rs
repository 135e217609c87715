//! What is asked for, and how far the search goes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::error::Error;
use super::model::Model;
use super::report::Report;
use super::subject::Subject;
use crate::checker::{CheckUntil, DeadVariables};
use crate::search::{Budget, Progress};

/// Checks the properties of a [`Model`], or of anything that is a [`System`](crate::System).
///
/// It does nothing until it is told to [`run`](Checker::run).
#[must_use = "it does nothing until it is run"]
pub struct Checker<'a, T: ?Sized> {
    subject: &'a T,
    pub(super) request: Request<'a>,
}

/// All that can be asked for.
pub struct Request<'a> {
    pub(super) budget: Budget,
    /// All, if none are named.
    pub(super) properties: Vec<String>,
    pub(super) until: CheckUntil,
    pub(super) dead_variables: DeadVariables,
    pub(super) abstraction: Abstraction,
    pub(super) watch: Box<dyn FnMut(Progress) + 'a>,
}

/// How the values of a model are told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Abstraction {
    /// As the model declares; all values where it declares nothing, unless its numbers have no bounds.
    #[default]
    Declared,
    /// Each value by itself.
    Concrete,
    /// All numbers by what the model compares them with, more finely as the proof needs it.
    Auto,
    /// As this text says, which is what a model has between the braces of `abstraction { }`.
    Domains(String),
}

impl<'a, T: Subject + ?Sized> Checker<'a, T> {
    /// All properties, on all cores, without limits.
    pub fn new(subject: &'a T) -> Checker<'a, T> {
        Checker {
            subject,
            request: Request {
                budget: Budget::default(),
                properties: Vec::new(),
                until: CheckUntil::Decide,
                dead_variables: DeadVariables::Reset,
                abstraction: Abstraction::Declared,
                watch: Box::new(|_| {}),
            },
        }
    }

    /// With so many threads. What is found does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.request.budget.threads = Some(threads);
        self
    }

    /// Gives up when the process has so many bytes in memory.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.request.budget.max_memory = Some(bytes);
        self
    }

    /// Gives up after the level of the search on which there are more states than this.
    pub fn max_states(mut self, states: u64) -> Self {
        self.request.budget.max_states = Some(states);
        self
    }

    /// Gives up after this time.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.request.budget.max_time = Some(time);
        self
    }

    /// Gives up soon after somebody sets this.
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.request.budget.interrupt = flag;
        self
    }

    /// Checks this property only, and others that are named so.
    pub fn property(mut self, name: impl Into<String>) -> Self {
        self.request.properties.push(name.into());
        self
    }

    /// Stops at the first violation instead of deciding every property.
    pub fn first_violation(mut self) -> Self {
        self.request.until = CheckUntil::FirstViolation;
        self
    }

    /// Visits every state, whatever is violated.
    pub fn whole_space(mut self) -> Self {
        self.request.until = CheckUntil::Everything;
        self
    }

    /// Calls this now and then while it works.
    pub fn on_progress(mut self, watch: impl FnMut(Progress) + 'a) -> Self {
        self.request.watch = Box::new(watch);
        self
    }

    /// Checks. If a thread panics, that is an error of this call.
    pub fn run(self) -> Result<Report<T::State, T::Action>, Error> {
        let Checker { subject, request } = self;
        let checked = catch_unwind(AssertUnwindSafe(|| subject.check(request)));
        checked.unwrap_or_else(|said| Err(Error::of_panic(&*said)))
    }
}

impl Checker<'_, Model> {
    /// Tells values apart like this.
    pub fn abstraction(mut self, abstraction: Abstraction) -> Self {
        self.request.abstraction = abstraction;
        self
    }

    /// Lets variables tell states apart even where no run can read them any more: more states, the same
    /// verdicts.
    pub fn keep_dead_variables(mut self) -> Self {
        self.request.dead_variables = DeadVariables::Keep;
        self
    }
}

impl Request<'_> {
    /// The numbers of the properties that are to be checked, of these.
    pub(super) fn chosen(&self, names: &[&str]) -> Result<Vec<usize>, Error> {
        if self.properties.is_empty() {
            return Ok((0..names.len()).collect());
        }
        let number = |wanted: &String| {
            let number = names.iter().position(|name| name == wanted);
            number.ok_or_else(|| Error::UnknownProperty(wanted.clone()))
        };
        self.properties.iter().map(number).collect()
    }
}
