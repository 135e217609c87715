//! Numbers for contents of a component: new ones, known ones, and what a change makes of them.

use std::hint::black_box;

use crisol::engine::pieces::ValueTable;
use criterion::{Criterion, Throughput};

const CONTENTS: u32 = 10_000;

/// Contents of the size of a queue with a few messages.
type Queues = ValueTable<Vec<u32>, u32>;

fn queue(number: u32) -> Vec<u32> {
    vec![number % 7, number % 100, number]
}

fn filled(queues: &[Vec<u32>]) -> Queues {
    let values = Queues::default();
    for queue in queues {
        values.number(queue);
    }
    values
}

pub fn benches(criterion: &mut Criterion) {
    let queues: Vec<Vec<u32>> = (0..CONTENTS).map(queue).collect();
    let known = filled(&queues);
    for value in 0..CONTENTS {
        let next = (value + 1) % CONTENTS;
        known.remember(0, value, next).expect("memory");
    }
    let mut bundle = criterion.benchmark_group("intern");
    bundle.throughput(Throughput::Elements(u64::from(CONTENTS)));
    bundle.bench_function("new contents", |bencher| bencher.iter(|| filled(&queues)));
    bundle.bench_function("known contents", |bencher| {
        bencher.iter(|| {
            for queue in &queues {
                black_box(known.number(queue));
            }
        });
    });
    bundle.bench_function("known changes", |bencher| {
        bencher.iter(|| {
            for value in 0..CONTENTS {
                black_box(known.changed(0, value));
            }
        });
    });
}
