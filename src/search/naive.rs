//! The plain explorer: one thread, breadth first, every state kept as it is.
//!
//! It is the judge of all others, so it stays simple. Invariant: states are numbered in the order
//! in which they are found, so a parent's number is smaller than its child's.

use std::time::Instant;

use indexmap::IndexSet;

use super::{
    Budget, Completion, Exploration, Explorer, Progress, Reason, StopWhen, Violation, Watch,
};
use crate::system::{PropertyId, System, Target, Transition};

pub struct Naive;

/// How a state was found: which edge of which state led to it first.
#[derive(Clone, Copy)]
enum Found {
    Initially { transition: usize },
    From { parent: usize, transition: usize },
}

struct Search<'s, S: System> {
    system: &'s S,
    stop_when: &'s StopWhen,
    start: Instant,
    states: IndexSet<S::State, foldhash::fast::RandomState>,
    found: Vec<Found>,
    /// Some step has more outcomes than are looked at.
    was_truncated: bool,
    result: Exploration<S::Action>,
}

impl Explorer for Naive {
    fn explore<S: System>(
        &self,
        system: &S,
        stop_when: &StopWhen,
        budget: &Budget,
        watch: &mut Watch<'_, S>,
    ) -> Exploration<S::Action> {
        let mut search = Search {
            system,
            stop_when,
            start: Instant::now(),
            states: IndexSet::default(),
            found: Vec::new(),
            was_truncated: false,
            result: Exploration {
                end: Completion::Complete,
                states: 0,
                transitions: 0,
                depth: 0,
                levels: Vec::new(),
                deadlocks: 0,
                was_bounded: false,
                violations: Vec::new(),
            },
        };
        search.result.end = search.run(budget, watch);
        search.result.states = search.states.len() as u64;
        let violations = &mut search.result.violations;
        violations.sort_by_key(|violation| (violation.steps.len(), violation.property));
        search.result
    }
}

impl<S: System> Search<'_, S> {
    fn run(&mut self, budget: &Budget, watch: &mut Watch<'_, S>) -> Completion {
        for (transition, initial) in self.system.initial().into_iter().enumerate() {
            self.follow(initial, Found::Initially { transition });
        }
        if self.goal_is_met() {
            return Completion::GoalMet;
        }
        let mut next = 0;
        while next < self.states.len() {
            self.result.depth += 1;
            let end_of_level = self.states.len();
            self.result.levels.push((end_of_level - next) as u64);
            while next < end_of_level {
                if let Some(reason) = budget.spent(self.start) {
                    return Completion::Stopped(reason);
                }
                self.expand(next, watch);
                if let Some(reason) = budget.states_far_exceeded(self.states.len() as u64) {
                    return Completion::Stopped(reason);
                }
                next += 1;
            }
            if self.goal_is_met() {
                return Completion::GoalMet;
            }
            let states = self.states.len() as u64;
            if let Some(reason) = budget
                .states_spent(states)
                .filter(|_| next < self.states.len())
            {
                return Completion::Stopped(reason);
            }
        }
        match self.was_truncated {
            false => Completion::Complete,
            true => Completion::Stopped(Reason::StepTooLarge(None)),
        }
    }

    fn expand(&mut self, parent: usize, watch: &mut Watch<'_, S>) {
        let state = &self.states[parent];
        let expansion = self.system.expand(state);
        let progress = Progress {
            states: self.states.len() as u64,
            transitions: self.result.transitions,
            level: self.result.depth,
            frontier: 0,
            elapsed: self.start.elapsed(),
        };
        watch(state, &expansion, progress);
        self.result.deadlocks += u64::from(expansion.is_deadlock);
        self.result.transitions += expansion.transitions.len() as u64;
        for property in expansion.violated {
            self.violation(property, |search| search.steps_to(parent));
        }
        for (transition, followed) in expansion.transitions.into_iter().enumerate() {
            self.follow(followed, Found::From { parent, transition });
        }
    }

    fn follow(&mut self, transition: Transition<S::State, S::Action>, found: Found) {
        for property in &transition.violated {
            self.violation(*property, |search| {
                let mut steps = match found {
                    Found::Initially { .. } => Vec::new(),
                    Found::From { parent, .. } => search.steps_to(parent),
                };
                steps.push(transition.action.clone());
                steps
            });
        }
        match transition.target {
            Target::State(state) => self.add(state, found),
            Target::Bounded => self.result.was_bounded = true,
            Target::Truncated => self.was_truncated = true,
            Target::Error => {}
        }
    }

    fn add(&mut self, state: S::State, found: Found) {
        if self.states.insert(state) {
            self.found.push(found);
        }
    }

    /// Breadth first, so the first violation of a property has the shortest way to it.
    fn violation(&mut self, property: PropertyId, steps: impl FnOnce(&Self) -> Vec<S::Action>) {
        let known = |violation: &Violation<S::Action>| violation.property == property;
        if self.result.violations.iter().any(known) || !self.stop_when.wants(property) {
            return;
        }
        let steps = steps(self);
        self.result.violations.push(Violation {
            property,
            steps,
            is_choose_free: false, // not known: only the first way was looked at
        });
    }

    /// The way to a state, found again from parent to parent.
    fn steps_to(&self, mut state: usize) -> Vec<S::Action> {
        let mut steps = Vec::new();
        loop {
            match self.found[state] {
                Found::Initially { transition } => {
                    steps.push(self.system.initial().swap_remove(transition).action);
                    steps.reverse();
                    return steps;
                }
                Found::From { parent, transition } => {
                    let mut expansion = self.system.expand(&self.states[parent]);
                    steps.push(expansion.transitions.swap_remove(transition).action);
                    state = parent;
                }
            }
        }
    }

    fn goal_is_met(&self) -> bool {
        let violations = &self.result.violations;
        self.stop_when
            .is_met(|property| violations.iter().any(|v| v.property == property))
    }
}
