//! Numbers for contents of a component: new ones, known ones, and what a change makes of them.

use std::hint::black_box;

use crisol::system::pieces::Contents;
use criterion::{Criterion, Throughput};

const CONTENTS: u32 = 10_000;

/// Contents of the size of a queue with a few messages.
type Queues = Contents<Vec<u32>, u32>;

fn queue(number: u32) -> Vec<u32> {
    vec![number % 7, number % 100, number]
}

fn filled(queues: &[Vec<u32>]) -> Queues {
    let contents = Queues::default();
    for queue in queues {
        contents.number(queue);
    }
    contents
}

pub fn benches(criterion: &mut Criterion) {
    let queues: Vec<Vec<u32>> = (0..CONTENTS).map(queue).collect();
    let known = filled(&queues);
    for content in 0..CONTENTS {
        let next = (content + 1) % CONTENTS;
        known.remember(0, content, next).expect("memory");
    }
    let mut group = criterion.benchmark_group("intern");
    group.throughput(Throughput::Elements(u64::from(CONTENTS)));
    group.bench_function("new contents", |bencher| bencher.iter(|| filled(&queues)));
    group.bench_function("known contents", |bencher| {
        bencher.iter(|| {
            for queue in &queues {
                black_box(known.number(queue));
            }
        });
    });
    group.bench_function("known changes", |bencher| {
        bencher.iter(|| {
            for content in 0..CONTENTS {
                black_box(known.changed(0, content));
            }
        });
    });
}
