//! Sharing out a level of a million states.

use std::hint::black_box;

use crisol::search::pieces::Frontier;
use criterion::{BatchSize, Criterion};

const WORKERS: usize = 2;
const RUNS: u32 = 1 << 10;
const RUN: u32 = 1 << 10;

/// Runs as workers leave them behind: of one length, those of the others in between.
fn level() -> Frontier {
    let mut found = vec![Vec::new(); WORKERS];
    for run in 0..RUNS {
        found[run as usize % WORKERS].push(run * RUN..(run + 1) * RUN);
    }
    Frontier::new(&found)
}

fn take_all(frontier: &Frontier, worker: usize) {
    while let Some(run) = frontier.take(worker) {
        black_box(run);
    }
}

pub fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frontier");
    group.bench_function("make", |bencher| bencher.iter(level));
    group.bench_function("take, 1 thread", |bencher| {
        bencher.iter_batched_ref(level, |level| take_all(level, 0), BatchSize::LargeInput);
    });
    group.bench_function("take, 2 threads", |bencher| {
        let take = |level: &mut Frontier| {
            let level = &*level;
            std::thread::scope(|scope| {
                scope.spawn(|| take_all(level, 1));
                take_all(level, 0);
            });
        };
        bencher.iter_batched_ref(level, take, BatchSize::LargeInput);
    });
}
