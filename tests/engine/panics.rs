//! A system that panics makes the caller panic, with what it said, and no thread is waited for in vain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crisol::search::{Bfs, Budget, Progress, StopWhen};
use crisol::system::{Label, LabelId, System, Transition, Whole};

use super::threads::in_time;

/// Each number leads to twice itself, and to one more: levels wide enough to be shared.
struct Numbers {
    /// Where it panics.
    trap: u32,
}

const MOST: u32 = 20_000;

impl System for Numbers {
    type State = u32;
    type Action = &'static str;

    fn initial(&self) -> Vec<Transition<u32, &'static str>> {
        vec![Transition::new("begin", 1)]
    }

    fn successors(&self, state: &u32) -> Vec<Transition<u32, &'static str>> {
        assert!(*state != self.trap, "{state} is a trap");
        let next = [("double", 2 * state), ("one more", 2 * state + 1)].into_iter();
        let next = next.filter(|(_, next)| *next < MOST);
        next.map(|(action, next)| Transition::new(action, next))
            .collect()
    }

    fn labels(&self) -> Vec<Label> {
        Vec::new()
    }

    fn label(&self, label: LabelId, _: &u32) -> bool {
        panic!("there is no label {}", label.0)
    }
}

/// How many states an exploration finds, or else what the panic says.
fn explore(trap: u32, threads: usize, watch: fn(Progress)) -> Result<u64, String> {
    let budget = Budget {
        threads: Some(threads),
        ..Budget::default()
    };
    in_time(move || {
        let (numbers, mut watch) = (Numbers { trap }, watch);
        let system = Whole::new(&numbers);
        let explore =
            || Bfs::default().explore(&system, &StopWhen::Everything, &budget, &mut watch);
        match catch_unwind(AssertUnwindSafe(explore)) {
            Ok(explored) => Ok(explored.exploration.states),
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
        let states = explore(MOST, threads, |_| {}).expect("nothing panics");
        assert_eq!(states, u64::from(MOST) - 1);
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
