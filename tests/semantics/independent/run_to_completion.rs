//! The small steps of run to completion, for machines that are coded by hand: dispatch, transition
//! and end of the step are three kinds of steps, threads interleave between them.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use crate::independent::walk::{self, System};

pub type Object = usize;

/// What one transition does: the bodies after it, and the messages that it sends.
pub type Firing<M> = (<M as Machines>::Body, Vec<(Object, <M as Machines>::Event)>);

pub trait Machines {
    type Event: Copy + Eq + Hash;
    /// Active states, histories and variables of all objects.
    type Body: Clone + Eq + Hash;

    fn initial(&self) -> Self::Body;

    /// The objects of each thread.
    fn threads(&self) -> Vec<Vec<Object>>;

    /// The transitions of `object` that take `event`, or that have no trigger.
    fn fire(
        &self,
        body: &Self::Body,
        object: Object,
        event: Option<Self::Event>,
    ) -> Vec<Firing<Self>>;

    /// What the environment sends, and to whom. Only what some object takes somewhere.
    fn environment(&self) -> Vec<(Object, Self::Event)>;

    /// Whether `object` sets aside `event` when it is its turn, as none of its transitions takes.
    fn defers(&self, _: &Self::Body, _object: Object, _event: Self::Event) -> bool {
        false
    }

    /// Whether it is a fault to discard `event`.
    fn must_be_taken(&self, _event: Self::Event) -> bool {
        false
    }

    /// Whether transitions without a trigger compete with those for a dispatched event.
    fn rhapsody_triggers(&self) -> bool {
        false
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread<E> {
    pub queue: Vec<(Object, E)>,
    pub deferred: Vec<(Object, E)>,
    /// The object inside a step, and the event that it has not taken yet.
    pub running: Option<(Object, Option<E>)>,
}

impl<E> Thread<E> {
    /// Puts what `object` has deferred back in front.
    fn recall(&mut self, object: Object) {
        let deferred = std::mem::take(&mut self.deferred);
        let (recalled, others): (Vec<_>, Vec<_>) =
            deferred.into_iter().partition(|&(to, _)| to == object);
        self.deferred = others;
        self.queue.splice(0..0, recalled);
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration<B, E> {
    pub body: B,
    pub threads: Vec<Thread<E>>,
}

impl<B, E> Configuration<B, E> {
    /// Whether no object is inside a step.
    pub fn at_rest(&self) -> bool {
        self.threads.iter().all(|thread| thread.running.is_none())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// Offered at dispatch, never queued.
    Lazy,
    /// Sending is a step, into the queue.
    Eager,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Environment,
    Dispatch,
    Transition,
    End,
}

pub struct Semantics<M> {
    pub machines: M,
    pub environment: Environment,
    /// Of every queue. A run that would exceed it is cut.
    pub capacity: usize,
}

pub type State<M> = Configuration<<M as Machines>::Body, <M as Machines>::Event>;

pub enum End<S> {
    At(S),
    /// A message was discarded that must be taken.
    Discarded(S),
    /// A message did not fit.
    Cut,
}

impl<S> End<S> {
    fn reached(self) -> Option<S> {
        match self {
            End::At(successor) | End::Discarded(successor) => Some(successor),
            End::Cut => None,
        }
    }
}

pub type Steps<M> = Vec<(Step, End<State<M>>)>;

impl<M: Machines> Semantics<M> {
    pub fn initial(&self) -> State<M> {
        let idle = |_| Thread {
            queue: Vec::new(),
            deferred: Vec::new(),
            running: None,
        };
        Configuration {
            body: self.machines.initial(),
            threads: self.machines.threads().iter().map(idle).collect(),
        }
    }

    /// Where the steps lead that are not cut.
    pub fn successors(&self, state: &State<M>) -> Vec<State<M>> {
        self.steps(state)
            .into_iter()
            .filter_map(|(_, end)| end.reached())
            .collect()
    }

    pub fn steps(&self, state: &State<M>) -> Steps<M> {
        let mut steps = Vec::new();
        for thread in 0..state.threads.len() {
            match state.threads[thread].running {
                Some((object, event)) => self.inside(state, thread, object, event, &mut steps),
                None => self.dispatch(state, thread, &mut steps),
            }
            self.environment(state, thread, &mut steps);
        }
        steps
    }

    /// Whether anything can happen but the environment sending what would be thrown away.
    fn can_go_on(&self, state: &State<M>) -> bool {
        let mut offered = self.machines.environment().into_iter();
        state
            .threads
            .iter()
            .any(|thread| thread.running.is_some() || !thread.queue.is_empty())
            || offered.any(|(to, event)| !self.enabled(&state.body, to, Some(event)).is_empty())
    }

    /// The transitions that are enabled inside a step.
    pub fn enabled(
        &self,
        body: &M::Body,
        object: Object,
        event: Option<M::Event>,
    ) -> Vec<Firing<M>> {
        let mut firings = self.machines.fire(body, object, event);
        if event.is_some() && self.machines.rhapsody_triggers() {
            firings.extend(self.machines.fire(body, object, None));
        }
        firings
    }

    fn thread_of(&self, object: Object) -> usize {
        let threads = self.machines.threads();
        threads
            .iter()
            .position(|objects| objects.contains(&object))
            .unwrap()
    }

    /// False if there is no room. What is deferred takes room, too.
    fn push(&self, state: &mut State<M>, object: Object, event: M::Event) -> bool {
        let thread = &mut state.threads[self.thread_of(object)];
        thread.queue.push((object, event));
        thread.queue.len() + thread.deferred.len() <= self.capacity
    }

    fn inside(
        &self,
        state: &State<M>,
        thread: usize,
        object: Object,
        event: Option<M::Event>,
        steps: &mut Steps<M>,
    ) {
        let firings = self.enabled(&state.body, object, event);
        if firings.is_empty() {
            steps.push((Step::End, self.end(state, thread, event)));
        }
        for (body, messages) in firings {
            let mut successor = Configuration {
                body,
                threads: state.threads.clone(),
            };
            successor.threads[thread].running = Some((object, None));
            successor.threads[thread].recall(object);
            let fits = messages
                .iter()
                .all(|&(to, event)| self.push(&mut successor, to, event));
            steps.push((
                Step::Transition,
                if fits { End::At(successor) } else { End::Cut },
            ));
        }
    }

    fn end(&self, state: &State<M>, thread: usize, event: Option<M::Event>) -> End<State<M>> {
        let mut successor = state.clone();
        successor.threads[thread].running = None;
        match event {
            Some(event) if self.machines.must_be_taken(event) => End::Discarded(successor),
            _ => End::At(successor),
        }
    }

    fn dispatch(&self, state: &State<M>, thread: usize, steps: &mut Steps<M>) {
        if let Some(&(object, event)) = state.threads[thread].queue.first() {
            let mut successor = state.clone();
            successor.threads[thread].queue.remove(0);
            let deferred = self.enabled(&state.body, object, Some(event)).is_empty()
                && self.machines.defers(&state.body, object, event);
            if deferred {
                successor.threads[thread].deferred.push((object, event));
            } else {
                successor.threads[thread].running = Some((object, Some(event)));
            }
            steps.push((Step::Dispatch, End::At(successor)));
        }
    }

    fn environment(&self, state: &State<M>, thread: usize, steps: &mut Steps<M>) {
        let idle = state.threads[thread].running.is_none();
        for (object, event) in self.machines.environment() {
            let mut successor = state.clone();
            if self.thread_of(object) != thread {
                continue;
            }
            match self.environment {
                Environment::Lazy if idle => {
                    successor.threads[thread].running = Some((object, Some(event)));
                    steps.push((Step::Dispatch, End::At(successor)));
                }
                Environment::Eager if self.push(&mut successor, object, event) => {
                    steps.push((Step::Environment, End::At(successor)));
                }
                _ => {}
            }
        }
    }
}

/// The declared properties, each with whether it holds in a state.
type Properties<M> = fn(&Semantics<M>, &State<M>) -> Vec<(&'static str, bool)>;

/// With properties of states, for the walk.
pub struct Judged<M: Machines> {
    pub semantics: Semantics<M>,
    pub properties: Properties<M>,
}

impl<M: Machines> System for Judged<M> {
    type State = State<M>;

    fn initial(&self) -> State<M> {
        self.semantics.initial()
    }

    fn steps(&self, state: &State<M>) -> Vec<walk::Step<State<M>>> {
        let step = |(_, end)| match end {
            End::At(successor) => walk::Step::To(successor),
            End::Discarded(successor) => walk::Step::Flawed("implicit_consumption", successor),
            End::Cut => walk::Step::Cut,
        };
        self.semantics.steps(state).into_iter().map(step).collect()
    }

    fn can_go_on(&self, state: &State<M>, _: &[walk::Step<State<M>>]) -> bool {
        self.semantics.can_go_on(state)
    }

    fn properties(&self, state: &State<M>) -> Vec<(&'static str, bool)> {
        (self.properties)(&self.semantics, state)
    }
}

/// The same in whole run-to-completion steps, for systems with a single thread.
pub struct Whole<M: Machines>(pub Judged<M>);

impl<M: Machines> Whole<M> {
    /// Every way to the end of the step that `state` is inside.
    fn finish(&self, state: &State<M>, ends: &mut Vec<walk::Step<State<M>>>) {
        for step in self.0.steps(state) {
            match step {
                walk::Step::To(inside) if !inside.at_rest() => self.finish(&inside, ends),
                end => ends.push(end),
            }
        }
    }
}

impl<M: Machines> System for Whole<M> {
    type State = State<M>;

    fn initial(&self) -> State<M> {
        self.0.initial()
    }

    fn steps(&self, state: &State<M>) -> Vec<walk::Step<State<M>>> {
        let mut ends = Vec::new();
        self.finish(state, &mut ends);
        ends
    }

    fn can_go_on(&self, state: &State<M>, _: &[walk::Step<State<M>>]) -> bool {
        self.0.semantics.can_go_on(state)
    }

    fn properties(&self, state: &State<M>) -> Vec<(&'static str, bool)> {
        self.0.properties(state)
    }
}

/// How many configurations a breadth-first search knows when it first generates a `bad` one, this
/// one included. The order is that of `steps`, the queue first in first out.
pub fn known_at_violation<M: Machines>(
    semantics: &Semantics<M>,
    bad: impl Fn(&State<M>) -> bool,
) -> Option<usize> {
    let mut known = HashSet::from([semantics.initial()]);
    let mut queue = VecDeque::from([semantics.initial()]);
    while let Some(state) = queue.pop_front() {
        for successor in semantics.successors(&state) {
            if known.insert(successor.clone()) {
                if bad(&successor) {
                    return Some(known.len());
                }
                queue.push_back(successor);
            }
        }
    }
    None
}

/// The fewest completed run-to-completion steps before a `bad` configuration.
pub fn completed_steps<M: Machines>(
    semantics: &Semantics<M>,
    bad: impl Fn(&State<M>) -> bool,
) -> Option<usize> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([(semantics.initial(), 0)]);
    while let Some((state, completed)) = queue.pop_front() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if bad(&state) {
            return Some(completed);
        }
        // Only the end of a step costs: what costs nothing goes to the front of the queue.
        for (step, end) in semantics.steps(&state) {
            match (step, end.reached()) {
                (Step::End, Some(successor)) => queue.push_back((successor, completed + 1)),
                (_, Some(successor)) => queue.push_front((successor, completed)),
                (_, None) => {}
            }
        }
    }
    None
}
