//! A breadth-first search that shares nothing with the product: the judge of its counts.

use std::collections::HashMap;
use std::hash::Hash;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Distinct states.
    pub states: usize,
    /// Steps out of all states; two steps with the same effect count as two.
    pub transitions: usize,
    /// Breadth-first levels; the initial states are the first.
    pub depth: usize,
    /// States without any step.
    pub stuck: usize,
}

/// Explores the whole space.
pub fn count<S: Clone + Eq + Hash>(initial: S, successors: impl Fn(&S) -> Vec<S>) -> Counts {
    search(initial, successors, |_| false).0
}

/// Explores the whole space; also the fewest steps to a state that is `bad`.
pub fn search<S: Clone + Eq + Hash>(
    initial: S,
    successors: impl Fn(&S) -> Vec<S>,
    bad: impl Fn(&S) -> bool,
) -> (Counts, Option<usize>) {
    let mut level_of = HashMap::from([(initial.clone(), 0)]);
    let mut frontier = vec![initial];
    let mut counts = Counts {
        states: 0,
        transitions: 0,
        depth: 0,
        stuck: 0,
    };
    let mut shortest = None;
    while !frontier.is_empty() {
        counts.depth += 1;
        let mut next = Vec::new();
        for state in &frontier {
            if shortest.is_none() && bad(state) {
                shortest = Some(counts.depth - 1);
            }
            let steps = successors(state);
            counts.transitions += steps.len();
            counts.stuck += usize::from(steps.is_empty());
            for successor in steps {
                if !level_of.contains_key(&successor) {
                    level_of.insert(successor.clone(), counts.depth);
                    next.push(successor);
                }
            }
        }
        frontier = next;
    }
    counts.states = level_of.len();
    (counts, shortest)
}
