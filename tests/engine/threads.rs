//! What an exploration finds does not depend on how many threads explore, and all of them come home.

use std::fmt::Debug;
use std::sync::mpsc;
use std::time::Duration;

use crate::common;
use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::dve::read;
use crisol::dve::system::DveSystem;
use crisol::search::{Bfs, Budget, Completion, Exploration, Reason, StopWhen};
use crisol::system::{Factored, PropertyId};

/// Three counters that wrap: 64,000 states on levels wide enough to be shared, and one state that
/// violates an assertion.
const COUNTERS: &str = "
    byte a; byte b; byte c;
    process A { state s; init s; trans s -> s { effect a = (a + 1) % 40; }; }
    process B { state s; init s; trans s -> s { effect b = (b + 1) % 40; }; }
    process C { state s; init s; trans s -> s { effect c = (c + 1) % 40; }; }
    process D { state s; init s; assert s: not (a == 30 and b == 20 and c == 10); }
    system async;";

fn explore<S: Factored>(
    system: &S,
    stop_when: &StopWhen,
    budget: &Budget,
) -> Exploration<S::Action> {
    let explored = Bfs::default().explore(system, stop_when, budget, &mut |_| {});
    explored.exploration
}

fn with_threads(threads: usize) -> Budget {
    Budget {
        threads: Some(threads),
        ..Budget::default()
    }
}

/// Explores again and again; all that is found must be the same, down to the steps.
fn assert_same_for_all_threads<S>(system: &S)
where
    S: Factored<Action: Debug>,
{
    let with = |threads| {
        let found = explore(system, &StopWhen::Everything, &with_threads(threads));
        format!("{found:#?}")
    };
    let alone = with(1);
    for threads in [1, 2, 2, 4, 4, 8, 8] {
        assert_eq!(with(threads), alone, "{threads} threads");
    }
}

#[test]
fn shipped_models_give_the_same_with_every_number_of_threads() {
    for path in [
        "alternating_bit/alternating_bit_any_ack.csm",
        "dishwasher/dishwasher_open_door.csm",
        "elevator/signals_eager.csm",
        "level_crossing/level_crossing_no_count.csm",
        "lock_manager/lock_manager_forgetful.csm",
        "philosophers/deadlocking.csm",
        "replicated_workers/off_by_one.csm",
    ] {
        let model = common::shipped(path, &[]);
        let semantics = Semantics::exact(&model);
        assert_same_for_all_threads(&CsmSystem::new(&semantics));
    }
}

#[test]
fn a_dve_program_gives_the_same_with_every_number_of_threads() {
    let program = read(COUNTERS).expect("a program");
    assert_same_for_all_threads(&DveSystem::new(&program));
}

/// A counter whose every value is a lesson of its own to the assertion, so that room must be made for lessons
/// before some value can be judged: whichever of them is the one that violates it.
#[test]
fn a_state_that_must_wait_to_be_judged_is_not_forgotten() {
    for wrong in 0..250 {
        let program = format!(
            "int a; int b; int c; int d;
             process P {{ state s; init s; assert s: a + b + c + d != 4 * {wrong};
                 trans s -> s {{ guard a < 250; effect a = a + 1, b = a, c = a, d = a; }}; }}
             system async;"
        );
        let program = read(&program).expect("a program");
        let found = explore(
            &DveSystem::new(&program),
            &StopWhen::Everything,
            &with_threads(1),
        );
        let assertion = found
            .violations
            .iter()
            .find(|v| v.property == PropertyId(0));
        assert_eq!(assertion.map(|v| v.steps.len()), Some(1 + wrong), "{wrong}");
    }
}

/// From one state, `width` steps of each of two processes: the third level is far larger than the
/// second, so that one thread meets the limit at once, while others are still waking up.
fn fan(width: usize) -> String {
    let process = |name: &str| {
        let step = |value: usize| format!("s -> t {{ effect {name} = {value}; }}");
        let steps: Vec<String> = (0..width).map(step).collect();
        let steps = steps.join(", ");
        format!("process P{name} {{ state s, t; init s; trans {steps}; }}\n")
    };
    let processes = process("a") + &process("b");
    format!("int a; int b;\n{processes}system async;")
}

/// What work on a thread of its own comes to, which must not take for ever.
pub fn in_time<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || done.send(work()));
    let came_home = is_done.recv_timeout(Duration::from_secs(100));
    came_home.expect("threads wait for each other without end")
}

#[test]
fn a_search_that_is_stopped_does_not_wait_for_a_thread_that_has_left() {
    in_time(|| {
        let program = read(&fan(300)).expect("a program");
        let system = DveSystem::new(&program);
        let budget = Budget {
            max_states: Some(700),
            ..with_threads(8)
        };
        for _ in 0..50 {
            let found = explore(&system, &StopWhen::Everything, &budget);
            assert_eq!(found.end, Completion::Stopped(Reason::StateLimit(700)));
        }
    });
}

#[test]
fn a_search_that_rests_between_levels_finds_what_one_in_one_go_finds() {
    let program = read(COUNTERS).expect("a program");
    let system = DveSystem::new(&program);
    for threads in [1, 4] {
        let budget = with_threads(threads);
        let whole = explore(&system, &StopWhen::Everything, &budget);
        let bfs = Bfs::default();
        let mut search = bfs
            .begin(&system, &StopWhen::Everything, &budget)
            .expect("memory");
        let mut rests = 0;
        while !search.is_over() {
            let before = search.levels();
            search.go_on(1 + rests % 3, &mut |_| {});
            assert!(search.levels() <= before + 1 + rests % 3);
            rests += 1;
        }
        assert!(rests > 20, "{rests} rests");
        let rested = search.finish(&mut |_| {}).exploration;
        assert_eq!(format!("{rested:#?}"), format!("{whole:#?}"));
    }
}

#[test]
fn a_search_that_is_left_in_the_middle_claims_no_end() {
    let program = read(COUNTERS).expect("a program");
    let system = DveSystem::new(&program);
    let budget = with_threads(2);
    let mut search = Bfs::default()
        .begin(&system, &StopWhen::Everything, &budget)
        .expect("memory");
    search.go_on(5, &mut |_| {});
    let found = search.finish(&mut |_| {}).exploration;
    assert_eq!(found.end, Completion::Stopped(Reason::Interrupted));
}
