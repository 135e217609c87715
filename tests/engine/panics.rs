//! A system that panics makes the caller panic, with what it said, and no thread is waited for in vain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crisol::search::{Bfs, Budget, Exploration, Progress, StopWhen};
use crisol::system::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, LocalTransition, Read, Successors,
    System, Target, Transition, Update,
};

use super::threads::in_time;

/// Each number leads to twice itself, and to one more: levels wide enough to be shared.
struct Numbers {
    /// Where it panics.
    trap: u32,
}

const MOST: u32 = 20_000;

fn next(number: u32) -> impl Iterator<Item = u32> {
    [2 * number, 2 * number + 1]
        .into_iter()
        .filter(|next| *next < MOST)
}

impl System for Numbers {
    type State = u32;
    type Step = u32;

    fn initial(&self) -> Vec<Transition<u32, u32>> {
        vec![transition(1)]
    }

    fn expand(&self, state: &u32) -> Successors<u32, u32> {
        assert!(*state != self.trap, "{state} is a trap");
        Successors {
            transitions: next(*state).map(transition).collect(),
            violated: Vec::new(),
            is_deadlock: false,
        }
    }
}

fn transition(to: u32) -> Transition<u32, u32> {
    Transition {
        step: to,
        target: Target::State(to),
        violated: Vec::new(),
        is_choose_free: true,
    }
}

/// The whole number is one component.
impl Factored for Numbers {
    type Value = u32;
    type ValueUpdate = ();

    fn name(&self, _: usize) -> String {
        "number".to_owned()
    }

    fn split(&self, state: &u32) -> Vec<u32> {
        vec![*state]
    }

    fn join(&self, contents: &[&u32]) -> u32 {
        *contents[0]
    }

    fn put(&self, state: &mut u32, _: usize, content: &u32) {
        *state = *content;
    }

    fn owner(&self, _: usize) -> usize {
        0
    }

    fn groups(&self) -> Groups {
        Groups {
            count: 1,
            always: vec![GroupId(0)],
            judging: Vec::new(),
        }
    }

    fn run(&self, _: GroupId, state: &u32) -> GroupResult<u32, ()> {
        let transitions = self.expand(state).transitions.into_iter();
        GroupResult {
            reads: vec![Read::whole(0)],
            then: Vec::new(),
            violated: Vec::new(),
            transitions: transitions
                .map(|transition| LocalTransition {
                    end: Target::State(()),
                    updates: vec![(0, Update::Set(transition.step))],
                    violated: Vec::new(),
                    is_progress: true,
                })
                .collect(),
        }
    }

    fn projection(&self, _: Read, content: &u32) -> u32 {
        *content
    }

    fn apply(&self, (): &(), content: &u32) -> u32 {
        *content
    }

    fn deadlock_info(&self, _: &u32) -> DeadlockInfo {
        DeadlockInfo::default()
    }
}

/// What an exploration finds, or else what the panic says.
fn explore(trap: u32, threads: usize, watch: fn(Progress)) -> Result<Exploration<u32>, String> {
    let budget = Budget {
        threads: Some(threads),
        ..Budget::default()
    };
    in_time(move || {
        let (system, mut watch) = (Numbers { trap }, watch);
        let explore =
            || Bfs::default().explore(&system, &StopWhen::Everything, &budget, &mut watch);
        match catch_unwind(AssertUnwindSafe(explore)) {
            Ok(explored) => Ok(explored.exploration),
            Err(said) => Err(said.downcast_ref::<String>().expect("words").clone()),
        }
    })
}

#[test]
fn a_panic_of_a_worker_is_one_of_the_caller() {
    for threads in [1, 4] {
        // On the first level; on one that a worker expands alone; and on one that all share.
        for trap in [1, 5, 9_999, 19_999] {
            let said = explore(trap, threads, |_| {}).expect_err("it panics");
            assert_eq!(said, format!("{trap} is a trap"), "{threads} threads");
        }
        let explored = explore(MOST, threads, |_| {}).expect("nothing panics");
        assert_eq!(explored.states, u64::from(MOST) - 1);
    }
}

#[test]
fn a_panic_of_whoever_watches_is_one_of_the_caller() {
    for threads in [1, 4] {
        let watch = |now: Progress| panic!("watched at level {}", now.level.min(1));
        let said = explore(MOST, threads, watch).expect_err("it panics");
        assert_eq!(said, "watched at level 1");
    }
}
