//! Successors of packed states, when everything is learnt.

use std::hint::black_box;

use crisol::explore::{Budget, Explorer, Goal, Sequential};
use crisol::import::dve::read;
use crisol::semantics::Semantics;
use crisol::system::{Components, DveSystem, Findings, Memo, Obstacle, Reference};
use criterion::{Criterion, Throughput};

use crate::checks::shipped;

/// Three processes that pass numbers on through arrays and a channel.
const PROGRAM: &str = "
    byte at[3]; byte turn; byte passed;
    channel {byte} c[2];
    process A { state s, t; init s;
        trans s -> t { guard turn == 0; effect at[0] = (at[0] + 1) % 20, turn = 1; },
              t -> s { sync c!at[0]; }; }
    process B { byte got; state s, t; init s;
        trans s -> t { sync c?got; },
              t -> s { effect at[1] = (at[1] + got) % 20, turn = 0; }; }
    process C { state s, t; init s;
        trans s -> t { effect at[2] = (at[2] + 1) % 20; },
              t -> s { guard at[2] > at[1]; effect passed = (passed + 1) % 5; },
              t -> s { guard at[2] <= at[1]; }; }
    system async;";

pub fn benches(criterion: &mut Criterion) {
    let program = read(PROGRAM).expect("a program");
    measure(criterion, "DVE program", &DveSystem::new(&program));
    let model = shipped("philosophers/deadlocking");
    let semantics = Semantics::exact(&model);
    measure(criterion, "model", &Reference::new(&semantics));
}

fn measure<S: Components>(criterion: &mut Criterion, name: &str, system: &S) {
    let states = reachable(system);
    let memo = Memo::new(system, &states).expect("few components");
    match memo.layout().words {
        1 => measure_words::<1, S>(criterion, name, memo, &states),
        2 => measure_words::<2, S>(criterion, name, memo, &states),
        _ => measure_words::<4, S>(criterion, name, memo, &states),
    }
}

fn reachable<S: Components>(system: &S) -> Vec<S::State> {
    let mut states = Vec::new();
    let (goal, budget) = (Goal::Everything, Budget::default());
    Sequential.explore(system, &goal, &budget, &mut |state, _, _| {
        states.push(state.clone());
    });
    states
}

fn measure_words<const W: usize, S: Components>(
    criterion: &mut Criterion,
    name: &str,
    mut memo: Memo<'_, S>,
    states: &[S::State],
) {
    let pack = |state| memo.pack::<W>(state).expect("its contents were seen");
    let states: Vec<[u64; W]> = states.iter().map(pack).collect();
    let successors: u64 = states.iter().map(|state| learn(&mut memo, state)).sum();
    let mut findings = Findings::default();
    let mut group = criterion.benchmark_group("successors");
    group.throughput(Throughput::Elements(successors));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for state in &states {
                let show = |successor| {
                    black_box(successor);
                };
                memo.expand(state, &mut findings, show).expect("learnt");
            }
        });
    });
}

/// How many successors a state has; afterwards they are known.
fn learn<const W: usize, S: Components>(memo: &mut Memo<'_, S>, state: &[u64; W]) -> u64 {
    let mut findings = Findings::default();
    while let Err(obstacle) = memo.expand(state, &mut findings, |_| {}) {
        assert_eq!(obstacle, Obstacle::Trees, "all contents were seen");
        memo.make_room_for_lessons(1 << 30).expect("memory");
    }
    findings.edges
}
