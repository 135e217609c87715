//! The way to a violation, found again: no state remembers where it came from.
//!
//! From the last level back to the first, the states are kept from which a step leads to a state that
//! was kept before. Then the way goes forward, by the first step of each state, in the order of the
//! semantics, that leads to a state that was kept. So it is the first of all shortest ways, whatever
//! the workers did in which order; and it costs no memory until it is asked for.
//!
//! Under an abstraction a way without guesses is preferred. If there is one among the shortest, it
//! runs through states that were kept: the exploration itself need not look for it.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::frontier::Frontier;
use crate::engine::sync::ThreadPool;
use crate::engine::{Run, SpaceWorker, StateId, StateKey, StateSpace, Wanted};
use crate::system::{Factored, PropertyId, Target, Transition};

/// States that are looked at, beyond one for each level, in search of a way without guesses.
const MOST_EXPANDED: usize = 20_000;

/// States of one level that lie on a shortest way.
type Predecessors = HashSet<StateKey, RandomState>;

pub struct Reconstruction<'a, 's, S: Factored> {
    pub space: &'a StateSpace<'s, S>,
    /// The states of each level down to the one where the violation was seen.
    pub levels: &'a [Vec<Run>],
    pub pool: &'a ThreadPool,
}

impl<S: Factored> Reconstruction<'_, '_, S> {
    /// The steps to one of these states of the last level; and then, if a property is given, one
    /// that violates it. Also whether none of them is a guess.
    pub fn steps(
        &self,
        states: &[StateId],
        violated: Option<PropertyId>,
    ) -> (Vec<S::Action>, bool) {
        let mut kept: Vec<Predecessors> =
            vec![states.iter().map(|state| self.space.key(*state)).collect()];
        for level in self.levels[..self.levels.len() - 1].iter().rev() {
            let before = self.before(level, kept.last().expect("there is one"));
            kept.push(before);
        }
        kept.reverse();
        match self.without_guesses(&kept, violated) {
            Some(steps) => (steps, true),
            None => (self.follow(&kept, violated), false),
        }
    }

    /// The first way without guesses, found by going back where there is none. Where everything is
    /// known, that is the first way, and nothing is gone back.
    fn without_guesses(
        &self,
        kept: &[Predecessors],
        violated: Option<PropertyId>,
    ) -> Option<Vec<S::Action>> {
        let system = self.space.system();
        let mut steps: Vec<S::Action> = Vec::new();
        let mut open = vec![system.initial().into_iter()];
        let mut in_vain: Vec<Predecessors> = vec![Predecessors::default(); kept.len()];
        let mut patience = MOST_EXPANDED + kept.len();
        while let Some(level) = open.len().checked_sub(1) {
            let Some(transition) = open[level].next() else {
                open.pop();
                steps.pop();
                continue;
            };
            if !transition.is_choose_free {
                continue;
            }
            let Some((step, state, key)) = self.step_into(transition, &kept[level]) else {
                continue;
            };
            if !in_vain[level].insert(key) {
                continue; // gone from there before, or going
            }
            patience = patience.checked_sub(1)?;
            steps.push(step);
            let next = || system.expand(&state).transitions;
            match (level + 1 == kept.len(), violated) {
                (false, _) => open.push(next().into_iter()),
                (true, None) => return Some(steps),
                (true, Some(property)) => {
                    let mut last = next().into_iter();
                    let guilty = |transition: &Transition<S::State, S::Action>| {
                        transition.is_choose_free && transition.violated.contains(&property)
                    };
                    if let Some(transition) = last.find(guilty) {
                        steps.push(transition.action);
                        return Some(steps);
                    }
                    steps.pop();
                }
            }
        }
        None
    }

    /// The states of a level from which a step leads to one of these.
    fn before(&self, level: &[Run], targets: &Predecessors) -> Predecessors {
        let frontier = Frontier::new(&[level.to_vec()]);
        let work = || {
            let mut kept = Predecessors::default();
            let mut worker = self.space.worker();
            while let Some(run) = frontier.take(0) {
                self.leading_to(run, targets, &mut worker, &mut kept);
            }
            kept
        };
        self.pool.together(work).into_iter().flatten().collect()
    }

    /// Keeps the states of a run from which a step leads to one of these.
    fn leading_to(
        &self,
        mut run: Run,
        targets: &Predecessors,
        worker: &mut SpaceWorker<S>,
        kept: &mut Predecessors,
    ) {
        while run.start < run.end {
            let first = run.start;
            let pause = self.space.expand(worker, &mut run, Wanted::Keys);
            let mut from = 0;
            for (number, end) in (first..).zip(&worker.batch.ends) {
                let successors = &worker.batch.keys[from..*end];
                from = *end;
                if successors.iter().any(|next| targets.contains(next)) {
                    kept.insert(self.space.key(StateId(number)));
                }
            }
            if pause.is_some() && run.start < run.end {
                // Results were forgotten since, and there is no room to learn them again.
                let state = StateId(run.start);
                if self.leads_to(state, targets, worker) {
                    kept.insert(self.space.key(state));
                }
                run.start += 1;
            }
        }
    }

    /// Whether a step of the system leads from a state to one of these.
    fn leads_to(
        &self,
        state: StateId,
        targets: &Predecessors,
        worker: &mut SpaceWorker<S>,
    ) -> bool {
        let state = self.space.state(state, worker);
        let mut transitions = self.space.system().expand(&state).transitions.into_iter();
        transitions.any(|transition| self.step_into(transition, targets).is_some())
    }

    /// The way forward, on the states of the system itself.
    fn follow(&self, kept: &[Predecessors], violated: Option<PropertyId>) -> Vec<S::Action> {
        let system = self.space.system();
        let mut steps = Vec::new();
        let mut transitions = system.initial();
        let mut state = None;
        for kept in kept {
            let next = transitions
                .into_iter()
                .find_map(|transition| self.step_into(transition, kept));
            let (step, reached, _) = next.expect("a step that was found before");
            steps.push(step);
            transitions = system.expand(&reached).transitions;
            state = Some(reached);
        }
        if let (Some(property), Some(state)) = (violated, state) {
            let mut transitions = system.expand(&state).transitions.into_iter();
            let last = transitions.find(|transition| transition.violated.contains(&property));
            steps.push(last.expect("a step that was seen before").action);
        }
        steps
    }

    fn step_into(
        &self,
        transition: Transition<S::State, S::Action>,
        kept: &Predecessors,
    ) -> Option<(S::Action, S::State, StateKey)> {
        let Target::State(state) = transition.target else {
            return None;
        };
        let key = self.space.key_of(&state)?;
        kept.contains(&key)
            .then_some((transition.action, state, key))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::dve::system::DveSystem;
    use crate::dve::{DveState, read};
    use crate::engine::Width;
    use crate::system::System;

    /// Two numbers that count together: their results take more cells than there are at first.
    const PROGRAM: &str = "
        int a; int b;
        process P { state s; init s;
            trans s -> s { guard a < 500 and b < 500; effect a = a + 1, b = b + 1; }; }
        system async;";

    /// The only run.
    fn run(system: &DveSystem<'_>) -> Vec<DveState> {
        let mut states = Vec::new();
        let mut transitions = system.initial();
        while let Some(Target::State(state)) = transitions.pop().map(|transition| transition.target)
        {
            transitions = system.expand(&state).transitions;
            states.push(state);
        }
        states
    }

    #[test]
    fn a_way_is_found_when_there_is_no_room_for_its_lessons() {
        let program = read(PROGRAM).expect("a program");
        let system = DveSystem::new(&program);
        let states = run(&system);
        let space = StateSpace::new(&system, &states, Width::AsNeeded).expect("memory");
        let mut worker = space.worker();
        for (state, number) in states.iter().zip(1..) {
            assert_eq!(space.add(state, &mut worker), Ok(Some(StateId(number))));
        }
        let numbers = 1..=states.len() as u32;
        let level = |state: u32| std::iter::once(state..state + 1).collect();
        let levels: Vec<Vec<Run>> = numbers.map(level).collect();
        let way = Reconstruction {
            space: &space,
            levels: &levels,
            pool: &ThreadPool::new(2),
        };
        let (steps, is_choose_free) = way.steps(&[StateId(states.len() as u32)], None);
        assert_eq!((steps.len(), is_choose_free), (states.len(), true));
        assert_eq!(states.len(), 501);
    }
}
