//! Models of the table under loom. Each is named after what it keeps out.
//!
//! `RUSTFLAGS="--cfg loom" cargo test --lib --target-dir target/loom loom` runs them, and those of the
//! other folders.

use loom::sync::Arc;
use loom::thread;

use super::{HashIndex, Ids};

/// All orders of events with so many thread switches that are not forced: loom's authors have
/// found nearly all bugs with two or three.
pub fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

/// Inserts keys that all have one hash: they compete for the same slots, and tags tell nothing.
fn insert(table: &HashIndex, keys: &[u64]) -> Vec<(u32, bool)> {
    const HASH: u64 = 5;
    let mut ids = Ids::default();
    let insert = |key: &u64| {
        let (number, is_new) = table.insert(*key, HASH, &mut ids).expect("memory");
        assert_eq!(table.key(number), *key, "a number whose key is not written");
        (number, is_new)
    };
    keys.iter().map(insert).collect()
}

/// What this thread and another one are told about their keys.
fn race(ours: &'static [u64], theirs: &'static [u64]) -> [Vec<(u32, bool)>; 2] {
    let table = Arc::new(HashIndex::new(u64::BITS).expect("memory"));
    let shared = table.clone();
    let other = thread::spawn(move || insert(&shared, theirs));
    let told = insert(&table, ours);
    [told, other.join().expect("the other thread")]
}

#[test]
fn two_numbers_for_one_key() {
    model(|| {
        let [ours, theirs] = race(&[7], &[7]);
        assert_eq!(ours[0].0, theirs[0].0);
        assert!(ours[0].1 ^ theirs[0].1, "the key is new to one of the two");
    });
}

#[test]
fn one_number_for_two_keys() {
    model(|| {
        let [ours, theirs] = race(&[7], &[8]);
        assert_ne!(ours[0].0, theirs[0].0);
        assert!(ours[0].1 && theirs[0].1);
    });
}

#[test]
fn a_key_that_is_overlooked_behind_another_one() {
    model(|| {
        let [ours, theirs] = race(&[7, 8], &[8, 7]);
        for (our, their) in [(ours[0], theirs[1]), (ours[1], theirs[0])] {
            assert_eq!(our.0, their.0);
            assert!(our.1 ^ their.1);
        }
    });
}

#[test]
fn more_room_promised_than_there_is() {
    model(|| {
        let table = Arc::new(HashIndex::new(u64::BITS).expect("memory"));
        let shared = table.clone();
        let other = thread::spawn(move || shared.reserve(4));
        let both = table.reserve(4) & other.join().expect("the other thread");
        assert!(!both, "the least index has room for seven keys");
        assert!(table.len() <= 4);
    });
}
