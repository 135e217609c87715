//! Threads that insert the same states at once, and states that move from layout to layout.

use super::*;
use crate::engine::Field;

const STATES: u32 = 20_000;
const THREADS: u32 = 4;
const COMPONENTS: usize = 12;
const WIDTH: usize = 5;

/// The components in turn, or in turn from the last to the first, to so many words.
fn layout(words: usize, is_reversed: bool) -> Layout {
    let field = |component: usize| {
        let place = match is_reversed {
            true => COMPONENTS - 1 - component,
            false => component,
        };
        Field {
            word: (place % words) as u8,
            shift: (place / words * WIDTH) as u8,
            width: WIDTH as u8,
        }
    };
    Layout {
        fields: (0..COMPONENTS).map(field).collect(),
        words,
        word_bits: 63,
    }
}

/// A state that no other one equals: some components count, the others are mixed.
fn state<const W: usize>(layout: &Layout, number: u32) -> [u64; W] {
    let mut state = [0; W];
    let mixed = hash(u64::from(number));
    for (component, field) in layout.fields.iter().enumerate() {
        let bits = if component < 4 {
            u64::from(number)
        } else {
            mixed
        };
        field.set(
            &mut state,
            (bits >> (component * WIDTH)) as u32 % (1 << WIDTH),
        );
    }
    state
}

fn insert<const W: usize>(store: &Store, state: [u64; W], inserter: &mut Inserter) -> Option<u32> {
    assert!(store.reserve(1), "there is room for all");
    let unknown = vec![0; store.parts()];
    let key = store.key(&state, &state, &unknown, &mut Vec::new(), inserter);
    let key = key.expect("memory");
    let number = store.insert(key, hash(key), inserter).expect("memory");
    store.settle(1, inserter);
    number
}

/// Inserts all states, beginning in the middle: those that were new, and their numbers.
fn insert_all<const W: usize>(store: &Store, layout: &Layout, start: u32) -> Vec<(u32, u32)> {
    let mut inserter = store.inserter();
    let order = (0..STATES).map(|place| (place + start) % STATES);
    let new = order.filter_map(|which| {
        let number = insert::<W>(store, state(layout, which), &mut inserter)?;
        Some((which, number))
    });
    new.collect()
}

/// A store into which several threads have put all states, and the number of each.
fn filled<const W: usize>(layout: &Layout) -> (Store, Vec<u32>) {
    let mut store = Store::new(layout).expect("memory");
    let most = (STATES + THREADS) as usize;
    store
        .grow(most, &ThreadPool::new(THREADS as usize))
        .expect("memory");
    let mut new: Vec<(u32, u32)> = std::thread::scope(|scope| {
        let starts = (0..THREADS).map(|thread| thread * STATES / THREADS);
        let insert = |start| {
            let store = &store;
            scope.spawn(move || insert_all::<W>(store, layout, start))
        };
        let workers: Vec<_> = starts.map(insert).collect();
        let told = workers.into_iter().map(|worker| worker.join());
        told.flat_map(|told| told.expect("a worker that ends"))
            .collect()
    });
    new.sort_unstable();
    assert!(new.iter().map(|(which, _)| *which).eq(0..STATES));
    (store, new.into_iter().map(|(_, number)| number).collect())
}

/// Every state stands where it did, and is found again.
fn assert_holds<const W: usize>(store: &mut Store, layout: &Layout, numbers: &[u32]) {
    assert_eq!(store.words(), W);
    for (which, number) in numbers.iter().enumerate() {
        let stored = store.state::<W>(*number, &mut Vec::new());
        assert_eq!(stored, state(layout, which as u32));
    }
    store
        .grow(STATES as usize, &ThreadPool::alone())
        .expect("memory");
    assert_eq!(insert_all::<W>(store, layout, 0), []);
}

/// Fills a store of so many words, and takes it through layouts of all sizes.
fn keeps_states<const W: usize>() {
    let mut from = layout(W, false);
    let (mut store, numbers) = filled::<W>(&from);
    assert_holds::<W>(&mut store, &from, &numbers);
    for to in [
        layout(W, true),
        layout(2, false),
        layout(8, true),
        layout(3, false),
        layout(1, false),
        layout(1, true),
    ] {
        store
            .lay_out(&from, &to, &ThreadPool::new(2))
            .expect("memory");
        match to.words {
            1 => assert_holds::<1>(&mut store, &to, &numbers),
            2 => assert_holds::<2>(&mut store, &to, &numbers),
            3 => assert_holds::<3>(&mut store, &to, &numbers),
            _ => assert_holds::<8>(&mut store, &to, &numbers),
        }
        from = to;
    }
}

#[test]
fn states_of_one_word_keep_their_numbers() {
    keeps_states::<1>();
}

#[test]
fn states_of_two_words_keep_their_numbers() {
    keeps_states::<2>();
}

#[test]
fn states_of_three_words_keep_their_numbers() {
    keeps_states::<3>();
}

#[test]
fn states_of_eight_words_keep_their_numbers() {
    keeps_states::<8>();
}

#[test]
fn states_whose_parts_need_more_bits_keep_their_numbers() {
    let layout = layout(3, false);
    let (mut store, numbers) = filled::<3>(&layout);
    store.widen(&ThreadPool::new(2)).expect("memory");
    assert_holds::<3>(&mut store, &layout, &numbers);
}

#[test]
fn states_whose_components_stay_in_their_words_keep_their_numbers() {
    let from = layout(2, false);
    let (mut store, numbers) = filled::<2>(&from);
    let mut to = from.clone();
    for field in &mut to.fields {
        (field.shift, field.width) = (2 * field.shift, 2 * field.width);
    }
    store
        .lay_out(&from, &to, &ThreadPool::new(2))
        .expect("memory");
    for (which, number) in numbers.iter().enumerate() {
        let mut moved = [0; 2];
        from.translation(&to)
            .state(&state::<2>(&from, which as u32), &mut moved);
        assert_eq!(store.state::<2>(*number, &mut Vec::new()), moved);
    }
}
