//! All successors of stored states, in both of their forms, when everything is learnt.

use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::dve::read;
use crisol::dve::system::DveSystem;
use crisol::engine::sync::ThreadPool;
use crisol::engine::{Run, SpaceWorker, StateSpace, Wanted, Width};
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

/// What results may take.
const MOST_BYTES: usize = 1 << 30;

pub fn benches(criterion: &mut Criterion) {
    let program = read(PROGRAM).expect("a program");
    measure(criterion, "DVE program", &DveSystem::new(&program));
    let model = shipped("philosophers/deadlocking");
    let semantics = Semantics::exact(&model);
    measure(criterion, "model", &CsmSystem::new(&semantics));
}

fn measure<S: Factored>(criterion: &mut Criterion, name: &str, system: &S) {
    let states = reachable(system);
    let mut group = criterion.benchmark_group("successors");
    for (form, width) in [("packed", Width::AsNeeded), ("trees", Width::Any)] {
        let (space, mut worker) = learnt(system, &states, width);
        let all = 1..states.len() as u32 + 1;
        group.throughput(Throughput::Elements(expand(
            &space,
            &mut worker,
            all.clone(),
        )));
        group.bench_function(format!("{name}, {form}"), |bencher| {
            bencher.iter(|| expand(&space, &mut worker, all.clone()));
        });
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

/// A space with these states, and a worker that has seen where they lead.
fn learnt<'s, S: Factored>(
    system: &'s S,
    states: &[S::State],
    width: Width,
) -> (StateSpace<'s, S>, SpaceWorker<S>) {
    let pool = ThreadPool::new(1);
    let mut space = StateSpace::new(system, states, width).expect("memory");
    let mut worker = space.worker();
    for state in states {
        while let Err(pause) = space.add(state, &mut worker) {
            space.provide(pause, MOST_BYTES, &pool).expect("memory");
        }
    }
    let mut rest = 1..states.len() as u32 + 1;
    while !rest.is_empty() {
        if let Some(pause) = space.expand(&mut worker, &mut rest, Wanted::All) {
            space.provide(pause, MOST_BYTES, &pool).expect("memory");
        }
    }
    (space, worker)
}

/// Expands all states; the number of transitions.
fn expand<S: Factored>(
    space: &StateSpace<'_, S>,
    worker: &mut SpaceWorker<S>,
    mut rest: Run,
) -> u64 {
    let mut transitions = 0;
    while !rest.is_empty() {
        assert_eq!(space.expand(worker, &mut rest, Wanted::All), None);
        transitions += worker.batch.transitions;
    }
    transitions
}
