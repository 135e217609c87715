//! The plain explorer: one thread, breadth first, every state kept as it is.
//!
//! It is the judge of all others, so it stays simple. Invariant: states are numbered in the order
//! in which they are found, so a parent's number is smaller than its child's.

use std::time::Instant;

use indexmap::IndexSet;

use super::{Budget, End, Exploration, Explorer, Goal, Progress, Reason, Violation, Watch};
use crate::system::{Edge, PropertyId, Target, TransitionSystem};

pub struct Sequential;

/// How a state was found: which edge of which state led to it first.
#[derive(Clone, Copy)]
enum Found {
    Initially { edge: usize },
    From { parent: usize, edge: usize },
}

struct Search<'s, S: TransitionSystem> {
    system: &'s S,
    goal: &'s Goal,
    start: Instant,
    states: IndexSet<S::State, foldhash::fast::RandomState>,
    found: Vec<Found>,
    /// Some step has more outcomes than are looked at.
    has_unseen: bool,
    result: Exploration<S::Step>,
}

impl Explorer for Sequential {
    fn explore<S: TransitionSystem>(
        &self,
        system: &S,
        goal: &Goal,
        budget: &Budget,
        watch: &mut Watch<'_, S>,
    ) -> Exploration<S::Step> {
        let mut search = Search {
            system,
            goal,
            start: Instant::now(),
            states: IndexSet::default(),
            found: Vec::new(),
            has_unseen: false,
            result: Exploration {
                end: End::Complete,
                states: 0,
                transitions: 0,
                depth: 0,
                levels: Vec::new(),
                deadlocks: 0,
                was_cut: false,
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

impl<S: TransitionSystem> Search<'_, S> {
    fn run(&mut self, budget: &Budget, watch: &mut Watch<'_, S>) -> End {
        for (edge, initial) in self.system.initial().into_iter().enumerate() {
            self.follow(initial, Found::Initially { edge });
        }
        if self.goal_is_met() {
            return End::GoalMet;
        }
        let mut next = 0;
        while next < self.states.len() {
            self.result.depth += 1;
            let end_of_level = self.states.len();
            self.result.levels.push((end_of_level - next) as u64);
            while next < end_of_level {
                if let Some(reason) = budget.spent(self.start) {
                    return End::Stopped(reason);
                }
                self.expand(next, watch);
                if let Some(reason) = budget.states_far_exceeded(self.states.len() as u64) {
                    return End::Stopped(reason);
                }
                next += 1;
            }
            if self.goal_is_met() {
                return End::GoalMet;
            }
            let states = self.states.len() as u64;
            if let Some(reason) = budget
                .states_spent(states)
                .filter(|_| next < self.states.len())
            {
                return End::Stopped(reason);
            }
        }
        match self.has_unseen {
            false => End::Complete,
            true => End::Stopped(Reason::StepTooLarge(None)),
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
        self.result.transitions += expansion.edges.len() as u64;
        for property in expansion.violated {
            self.violation(property, |search| search.steps_to(parent));
        }
        for (edge, followed) in expansion.edges.into_iter().enumerate() {
            self.follow(followed, Found::From { parent, edge });
        }
    }

    fn follow(&mut self, edge: Edge<S::State, S::Step>, found: Found) {
        for property in &edge.violated {
            self.violation(*property, |search| {
                let mut steps = match found {
                    Found::Initially { .. } => Vec::new(),
                    Found::From { parent, .. } => search.steps_to(parent),
                };
                steps.push(edge.step.clone());
                steps
            });
        }
        match edge.target {
            Target::State(state) => self.add(state, found),
            Target::Cut => self.result.was_cut = true,
            Target::Unseen => self.has_unseen = true,
            Target::Nowhere => {}
        }
    }

    fn add(&mut self, state: S::State, found: Found) {
        if self.states.insert(state) {
            self.found.push(found);
        }
    }

    /// Breadth first, so the first violation of a property has the shortest way to it.
    fn violation(&mut self, property: PropertyId, steps: impl FnOnce(&Self) -> Vec<S::Step>) {
        let known = |violation: &Violation<S::Step>| violation.property == property;
        if self.result.violations.iter().any(known) || !self.goal.wants(property) {
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
    fn steps_to(&self, mut state: usize) -> Vec<S::Step> {
        let mut steps = Vec::new();
        loop {
            match self.found[state] {
                Found::Initially { edge } => {
                    steps.push(self.system.initial().swap_remove(edge).step);
                    steps.reverse();
                    return steps;
                }
                Found::From { parent, edge } => {
                    let mut expansion = self.system.expand(&self.states[parent]);
                    steps.push(expansion.edges.swap_remove(edge).step);
                    state = parent;
                }
            }
        }
    }

    fn goal_is_met(&self) -> bool {
        let violations = &self.result.violations;
        self.goal
            .is_met(|property| violations.iter().any(|v| v.property == property))
    }
}
