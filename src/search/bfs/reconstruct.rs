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

use super::frontier::{Frontier, Run};
use crate::engine::sync::ThreadPool;
use crate::engine::{Expansion, Store, SuccessorCache};
use crate::system::{Factored, PropertyId, Target, Transition};

/// States that are looked at, beyond one for each level, in search of a way without guesses.
const MOST_EXPANDED: usize = 20_000;

/// States of one level that lie on a shortest way.
type Predecessors<const W: usize> = HashSet<[u64; W], RandomState>;

pub struct Reconstruction<'a, 's, S: Factored> {
    pub cache: &'a SuccessorCache<'s, S>,
    pub store: &'a Store,
    /// The states of each level down to the one where the violation was seen.
    pub levels: &'a [Vec<Run>],
    pub pool: &'a ThreadPool,
}

impl<S: Factored> Reconstruction<'_, '_, S>
where
    S::State: Send + Sync,
{
    /// The steps to one of these states of the last level; and then, if a property is given, one
    /// that violates it. Also whether none of them is a guess.
    pub fn steps(&self, states: &[u32], violated: Option<PropertyId>) -> (Vec<S::Step>, bool) {
        match self.store.words() {
            1 => self.steps_of::<1>(states, violated),
            2 => self.steps_of::<2>(states, violated),
            3 => self.steps_of::<3>(states, violated),
            4 => self.steps_of::<4>(states, violated),
            8 => self.steps_of::<8>(states, violated),
            16 => self.steps_of::<16>(states, violated),
            _ => self.steps_of::<32>(states, violated),
        }
    }

    fn steps_of<const W: usize>(
        &self,
        states: &[u32],
        violated: Option<PropertyId>,
    ) -> (Vec<S::Step>, bool) {
        let last = states
            .iter()
            .map(|number| self.store.state::<W>(*number, &mut Vec::new()));
        let mut kept: Vec<Predecessors<W>> = vec![last.collect()];
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
    fn without_guesses<const W: usize>(
        &self,
        kept: &[Predecessors<W>],
        violated: Option<PropertyId>,
    ) -> Option<Vec<S::Step>> {
        let system = self.cache.system();
        let mut steps: Vec<S::Step> = Vec::new();
        let mut open = vec![system.initial().into_iter()];
        let mut in_vain: Vec<Predecessors<W>> = vec![Predecessors::default(); kept.len()];
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
            let Some((step, state)) = self.step_into(transition, &kept[level]) else {
                continue;
            };
            let packed = self.cache.pack::<W>(&state)?;
            if !in_vain[level].insert(packed) {
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
                    let guilty = |transition: &Transition<S::State, S::Step>| {
                        transition.is_choose_free && transition.violated.contains(&property)
                    };
                    if let Some(transition) = last.find(guilty) {
                        steps.push(transition.step);
                        return Some(steps);
                    }
                    steps.pop();
                }
            }
        }
        None
    }

    /// The states of a level from which a step leads to one of these.
    fn before<const W: usize>(&self, level: &[Run], targets: &Predecessors<W>) -> Predecessors<W> {
        let frontier = Frontier::new(&[level.to_vec()]);
        let work = || {
            let mut kept = Predecessors::default();
            let (mut findings, mut positions) = (Expansion::default(), Vec::new());
            while let Some(run) = frontier.take(0) {
                for number in run {
                    let state = self.store.state::<W>(number, &mut positions);
                    if self.leads_to(&state, targets, &mut findings) {
                        kept.insert(state);
                    }
                }
            }
            kept
        };
        self.pool.together(work).into_iter().flatten().collect()
    }

    /// Whether a step leads from a state to one of these.
    fn leads_to<const W: usize>(
        &self,
        state: &[u64; W],
        targets: &Predecessors<W>,
        findings: &mut Expansion,
    ) -> bool {
        let mut leads = false;
        let show = |successor| leads |= targets.contains(&successor);
        match self.cache.expand(state, findings, show) {
            Ok(()) => leads,
            // Lessons were forgotten since, and there is no room to learn them again.
            Err(_) => {
                let transitions = self
                    .cache
                    .system()
                    .expand(&self.cache.unpack(state))
                    .transitions;
                let mut transitions = transitions.into_iter();
                transitions.any(|transition| self.step_into(transition, targets).is_some())
            }
        }
    }

    /// The way forward, on the states of the system itself.
    fn follow<const W: usize>(
        &self,
        kept: &[Predecessors<W>],
        violated: Option<PropertyId>,
    ) -> Vec<S::Step> {
        let system = self.cache.system();
        let mut steps = Vec::new();
        let mut transitions = system.initial();
        let mut state = None;
        for kept in kept {
            let next = transitions
                .into_iter()
                .find_map(|transition| self.step_into(transition, kept));
            let (step, reached) = next.expect("a step that was found before");
            steps.push(step);
            transitions = system.expand(&reached).transitions;
            state = Some(reached);
        }
        if let (Some(property), Some(state)) = (violated, state) {
            let mut transitions = system.expand(&state).transitions.into_iter();
            let last = transitions.find(|transition| transition.violated.contains(&property));
            steps.push(last.expect("a step that was seen before").step);
        }
        steps
    }

    fn step_into<const W: usize>(
        &self,
        transition: Transition<S::State, S::Step>,
        kept: &Predecessors<W>,
    ) -> Option<(S::Step, S::State)> {
        let Target::State(state) = transition.target else {
            return None;
        };
        let packed = self.cache.pack::<W>(&state)?;
        kept.contains(&packed).then_some((transition.step, state))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::worker::Worker;
    use super::*;
    use crate::dve::{DveState, DveSystem, read};
    use crate::system::System;

    /// Two numbers that count together: their lessons take more cells than there are at first.
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
        let cache = SuccessorCache::new(&system, &states).expect("few components");
        let store = Store::new(cache.layout()).expect("memory");
        let mut worker = Worker::new(&store);
        for state in &states {
            let packed = cache.pack::<1>(state).expect("its contents were seen");
            assert_eq!(worker.add(&store, packed), Ok(true));
        }
        let numbers = 1..=states.len() as u32;
        let level = |state: u32| std::iter::once(state..state + 1).collect();
        let levels: Vec<Vec<Run>> = numbers.map(level).collect();
        let way = Reconstruction {
            cache: &cache,
            store: &store,
            levels: &levels,
            pool: &ThreadPool::new(2),
        };
        let (steps, is_choose_free) = way.steps(&[states.len() as u32], None);
        assert_eq!((steps.len(), is_choose_free), (states.len(), true));
        assert_eq!(states.len(), 501);
    }
}
