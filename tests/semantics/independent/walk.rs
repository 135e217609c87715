//! A breadth-first walk over a hand-coded system whose steps may end in a fault.
//!
//! Like `search` it shares nothing with the product; beyond it, one walk finds the shortest way to every
//! fault and to every state that breaks a property.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

pub enum Step<S> {
    To(S),
    /// The step breaks this built-in property and leads to no state.
    Fault(&'static str),
    /// The step breaks this built-in property, and the run goes on.
    Flawed(&'static str, S),
    /// The run ends here, at a bound that the model sets.
    Cut,
}

pub trait System {
    type State: Clone + Eq + Hash;

    fn initial(&self) -> Self::State;

    fn steps(&self, state: &Self::State) -> Vec<Step<Self::State>>;

    /// Whether anything can happen but the environment sending what would be thrown away.
    fn can_go_on(&self, _: &Self::State, steps: &[Step<Self::State>]) -> bool {
        !steps.is_empty()
    }

    /// Whether every object is in a quiescent or a final state, so that to wait here is no deadlock.
    fn may_rest(&self, _: &Self::State) -> bool {
        false
    }

    /// The declared properties, each with whether it holds in this state.
    fn properties(&self, _: &Self::State) -> Vec<(&'static str, bool)> {
        Vec::new()
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    pub states: usize,
    /// Steps out of all states, those that end in a fault included.
    pub transitions: usize,
    /// Breadth-first levels; the initial state is the first.
    pub depth: usize,
    pub deadlocks: usize,
    /// The fewest steps to a violation, for every declared property and every fault that was met.
    pub properties: BTreeMap<String, Option<usize>>,
}

impl Findings {
    fn violated(&mut self, property: &str, steps: usize) {
        self.properties
            .entry(property.to_string())
            .or_default()
            .get_or_insert(steps);
    }

    fn observe<T: System>(&mut self, system: &T, state: &T::State, steps_so_far: usize) {
        for (name, holds) in system.properties(state) {
            if holds {
                self.properties.entry(name.to_string()).or_default();
            } else {
                self.violated(name, steps_so_far);
            }
        }
    }
}

pub fn walk<T: System>(system: &T) -> Findings {
    let mut findings = Findings::default();
    let mut seen = HashSet::from([system.initial()]);
    let mut frontier = vec![system.initial()];
    while !frontier.is_empty() {
        let steps_so_far = findings.depth;
        findings.depth += 1;
        let mut next = Vec::new();
        for state in &frontier {
            findings.observe(system, state, steps_so_far);
            let steps = system.steps(state);
            findings.transitions += steps.len();
            if !system.can_go_on(state, &steps) && !system.may_rest(state) {
                findings.deadlocks += 1;
                findings.violated("deadlock", steps_so_far);
            }
            for step in steps {
                let (fault, reached) = match step {
                    Step::To(state) => (None, Some(state)),
                    Step::Fault(name) => (Some(name), None),
                    Step::Flawed(name, state) => (Some(name), Some(state)),
                    Step::Cut => (None, None),
                };
                if let Some(name) = fault {
                    findings.violated(name, steps_so_far + 1);
                }
                next.extend(reached.filter(|state| seen.insert(state.clone())));
            }
        }
        frontier = next;
    }
    findings.states = seen.len();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::independent::search;

    /// Two counters that go round in steps of one and two.
    struct Counters;

    impl System for Counters {
        type State = (u8, u8);

        fn initial(&self) -> (u8, u8) {
            (0, 0)
        }

        fn steps(&self, state: &(u8, u8)) -> Vec<Step<(u8, u8)>> {
            successors(state).into_iter().map(Step::To).collect()
        }
    }

    fn successors(&(a, b): &(u8, u8)) -> Vec<(u8, u8)> {
        vec![((a + 1) % 5, b), (a, (b + 2) % 6)]
    }

    #[test]
    fn agrees_with_the_plain_search_where_nothing_fails() {
        let plain = search::count((0, 0), successors);
        let findings = walk(&Counters);
        assert_eq!(
            (findings.states, findings.transitions, findings.depth),
            (15, 30, 7)
        );
        assert_eq!((plain.states, plain.transitions, plain.depth), (15, 30, 7));
    }
}
