//! Inserting keys that are new, and keys that are there, with one thread and with two.

use std::ops::Range;

use crisol::engine::sync::{HashIndex, Ids, ThreadPool, hash};
use criterion::{BatchSize, Criterion, Throughput};

/// So many that the index does not fit into a second-level cache.
const KEYS: u64 = 1 << 20;
const BATCH: u64 = 256;

fn with_room() -> HashIndex {
    let mut table = HashIndex::new(u64::BITS).expect("memory");
    while !table.has_room((KEYS + 2 * BATCH) as usize) {
        table.grow(&ThreadPool::alone()).expect("memory");
    }
    table
}

/// Keys in batches, whose lines are asked for before they are used, as a worker does.
fn insert(table: &HashIndex, keys: Range<u64>) {
    let mut ids = Ids::default();
    let mut hashes = Vec::with_capacity(BATCH as usize);
    for start in keys.clone().step_by(BATCH as usize) {
        assert!(table.reserve(BATCH as usize));
        hashes.clear();
        hashes.extend((start..keys.end.min(start + BATCH)).map(|key| (key, hash(key))));
        hashes
            .iter()
            .for_each(|(_, hash)| table.prefetch_line(*hash));
        let guesses: Vec<u32> = hashes.iter().map(|(_, hash)| table.guess(*hash)).collect();
        let mut new = 0;
        for ((key, hash), guess) in hashes.iter().zip(guesses) {
            if guess != 0 && table.is_right(guess, *key) {
                continue;
            }
            let (_, is_new) = table.insert(*key, *hash, &mut ids).expect("memory");
            new += usize::from(is_new);
        }
        table.give_back(BATCH as usize - new);
    }
}

/// Shares the keys out between threads.
fn insert_all(table: &HashIndex, threads: u64) {
    let share = KEYS / threads;
    std::thread::scope(|scope| {
        for thread in 1..threads {
            scope.spawn(move || insert(table, thread * share..(thread + 1) * share));
        }
        insert(table, 0..share);
    });
}

pub fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS));
    group.sample_size(10);
    let full = with_room();
    insert_all(&full, 1);
    for threads in [1, 2] {
        group.bench_function(format!("new keys, {threads} threads"), |bencher| {
            let insert = |table: &mut HashIndex| insert_all(table, threads);
            bencher.iter_batched_ref(with_room, insert, BatchSize::PerIteration);
        });
        group.bench_function(format!("known keys, {threads} threads"), |bencher| {
            bencher.iter(|| insert_all(&full, threads));
        });
    }
}
