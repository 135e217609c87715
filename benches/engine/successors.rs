//! Successors of packed states, when everything is learnt.

use std::hint::black_box;

use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::dve::{DveSystem, read};
use crisol::engine::{Expansion, NeedsGrowth, SuccessorCache};
use crisol::search::{Budget, Explorer, Naive, StopWhen};
use crisol::system::Factored;
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
    measure(criterion, "model", &CsmSystem::new(&semantics));
}

fn measure<S: Factored>(criterion: &mut Criterion, name: &str, system: &S) {
    let states = reachable(system);
    let cache = SuccessorCache::new(system, &states).expect("few components");
    match cache.layout().words {
        1 => measure_words::<1, S>(criterion, name, cache, &states),
        2 => measure_words::<2, S>(criterion, name, cache, &states),
        _ => measure_words::<4, S>(criterion, name, cache, &states),
    }
}

fn reachable<S: Factored>(system: &S) -> Vec<S::State> {
    let mut states = Vec::new();
    let (stop_when, budget) = (StopWhen::Everything, Budget::default());
    Naive.explore(system, &stop_when, &budget, &mut |state, _, _| {
        states.push(state.clone());
    });
    states
}

fn measure_words<const W: usize, S: Factored>(
    criterion: &mut Criterion,
    name: &str,
    mut cache: SuccessorCache<'_, S>,
    states: &[S::State],
) {
    let pack = |state| cache.pack::<W>(state).expect("its contents were seen");
    let states: Vec<[u64; W]> = states.iter().map(pack).collect();
    let successors: u64 = states.iter().map(|state| insert(&mut cache, state)).sum();
    let mut findings = Expansion::default();
    let mut bundle = criterion.benchmark_group("successors");
    bundle.throughput(Throughput::Elements(successors));
    bundle.bench_function(name, |bencher| {
        bencher.iter(|| {
            for state in &states {
                let show = |successor| {
                    black_box(successor);
                };
                cache.expand(state, &mut findings, show).expect("learnt");
            }
        });
    });
}

/// How many successors a state has; afterwards they are known.
fn insert<const W: usize, S: Factored>(cache: &mut SuccessorCache<'_, S>, state: &[u64; W]) -> u64 {
    let mut findings = Expansion::default();
    while let Err(need) = cache.expand(state, &mut findings, |_| {}) {
        assert_eq!(need, NeedsGrowth::Trees, "all contents were seen");
        cache.make_room_for_results(1 << 30).expect("memory");
    }
    findings.transitions
}
