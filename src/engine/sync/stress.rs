//! Many threads at one table, with growth and new keys in between.

use std::ops::Range;

use super::{HashIndex, Ids, NARROW_BITS, ThreadPool, hash};

const BATCH: usize = 64;

/// Inserts keys, beginning in the middle; what each of them is told.
fn insert_from(table: &HashIndex, keys: Range<u64>, start: u64) -> Vec<(u32, bool)> {
    let length = keys.end - keys.start;
    let mut told = vec![(0, false); length as usize];
    let mut ids = Ids::default();
    let order: Vec<u64> = (0..length).map(|key| (key + start) % length).collect();
    for batch in order.chunks(BATCH) {
        assert!(table.reserve(BATCH), "there is room for all");
        let mut new = 0;
        for place in batch {
            let key = keys.start + place;
            let (number, is_new) = table.insert(key, hash(key), &mut ids).expect("memory");
            new += usize::from(is_new);
            told[*place as usize] = (number, is_new);
        }
        table.give_back(BATCH - new);
    }
    told
}

/// All threads insert all keys, each in its own order; the numbers, on which they agree.
fn insert_all(table: &HashIndex, keys: Range<u64>, threads: u64, known: usize) -> Vec<u32> {
    let length = keys.end - keys.start;
    let told: Vec<Vec<(u32, bool)>> = std::thread::scope(|scope| {
        let workers = (0..threads).map(|thread| {
            let (keys, start) = (keys.clone(), thread * length / (2 * threads));
            scope.spawn(move || insert_from(table, keys, start))
        });
        let workers: Vec<_> = workers.collect();
        let told = workers.into_iter().map(|worker| worker.join());
        told.map(|told| told.expect("a worker that ends")).collect()
    });
    for key in 0..length as usize {
        let new = told.iter().filter(|told| told[key].1).count();
        assert_eq!(
            new,
            usize::from(key >= known),
            "key {key} is new {new} times"
        );
        assert!(told.iter().all(|other| other[key].0 == told[0][key].0));
    }
    told[0].iter().map(|(number, _)| *number).collect()
}

fn assert_holds(table: &HashIndex, numbers: &[u32], key_of: impl Fn(u64) -> u64) {
    assert_eq!(table.len(), numbers.len());
    for (key, number) in numbers.iter().enumerate() {
        let key = key_of(key as u64);
        assert_eq!(table.find(key), Some(*number));
        assert_eq!(table.key(*number), key);
    }
    assert_eq!(table.find(u64::MAX - 1), None);
}

#[test]
fn a_key_has_one_number_whoever_inserts_and_whatever_grows() {
    for threads in [2, 4, 8] {
        let pool = ThreadPool::new(threads);
        let mut table = HashIndex::new(NARROW_BITS).expect("memory");
        let mut numbers: Vec<u32> = Vec::new();
        for length in [500, 700, 5_000, 100_000, 120_000] {
            while !table.has_room(length + threads * BATCH) {
                table.grow(&pool).expect("memory");
            }
            assert_holds(&table, &numbers, |key| key);
            let next = insert_all(&table, 0..length as u64, threads as u64, numbers.len());
            assert_eq!(next[..numbers.len()], numbers, "numbers have changed");
            numbers = next;
        }
        assert_holds(&table, &numbers, |key| key);
        let change = |key: u64| key.rotate_left(17) ^ 0x5555;
        let rewritten = table.rekey_each(u64::BITS, change, &pool);
        rewritten.expect("memory");
        assert_holds(&table, &numbers, change);
        table.grow(&pool).expect("memory");
        assert_holds(&table, &numbers, change);
    }
}
