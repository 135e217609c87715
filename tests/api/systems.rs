//! Systems written in Rust.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crisol::{Checker, Error, Label, LabelId, Reason, System, Transition, Unknown, Verdict};

/// Tiles on a board with one hole, 2 x 4: half of all 8! orders can be reached.
struct Tiles {
    /// Panics when this tile stands at the end of a board that is otherwise in order.
    trap: bool,
}

const WIDTH: usize = 4;
const ORDERED: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

impl System for Tiles {
    type State = [u8; 8];
    type Action = u8;

    fn initial(&self) -> Vec<Transition<[u8; 8], u8>> {
        vec![Transition::new(0, ORDERED)]
    }

    fn successors(&self, tiles: &[u8; 8]) -> Vec<Transition<[u8; 8], u8>> {
        assert!(!self.trap || tiles[7] != 0, "the hole is in the corner");
        let hole = tiles.iter().position(|tile| *tile == 0).expect("a hole");
        let (row, column) = (hole / WIDTH, hole % WIDTH);
        let neighbours = [
            (column > 0).then(|| hole - 1),
            (column + 1 < WIDTH).then(|| hole + 1),
            Some((1 - row) * WIDTH + column),
        ];
        let moves = neighbours.into_iter().flatten().map(|place| {
            let mut after = *tiles;
            after.swap(hole, place);
            Transition::new(tiles[place], after)
        });
        moves.collect()
    }

    fn labels(&self) -> Vec<Label> {
        vec![
            Label::always("complete"),
            Label::never("mirrored"),
            Label::never("swapped"),
        ]
    }

    fn label(&self, LabelId(label): LabelId, tiles: &[u8; 8]) -> bool {
        match label {
            0 => tiles.iter().map(|tile| u32::from(*tile)).sum::<u32>() == 28,
            1 => *tiles == [7, 6, 5, 4, 3, 2, 1, 0],
            _ => *tiles == [0, 2, 1, 3, 4, 5, 6, 7],
        }
    }
}

#[test]
fn all_orders_of_a_board_are_found_on_any_number_of_threads() {
    let mut traces = Vec::new();
    for threads in [1, 2, 4] {
        let tiles = Tiles { trap: false };
        let report = Checker::new(&tiles)
            .threads(threads)
            .whole_space()
            .run()
            .expect("a report");
        assert_eq!(report.figures().states, 20_160);
        assert_eq!(report.figures().deadlocks, 0);
        assert!(report.verdict("complete").expect("checked").holds());
        assert!(report.verdict("nothing").is_none());
        let odd = report.verdict("swapped").expect("checked");
        assert!(odd.holds(), "an odd permutation: {odd}");
        let trace = report.verdict("mirrored").and_then(Verdict::trace);
        traces.push(trace.expect("an even permutation").clone());
    }
    assert!(traces.iter().all(|trace| *trace == traces[0]));
    let trace = &traces[0];
    assert_eq!(trace.last(), Some(&[7, 6, 5, 4, 3, 2, 1, 0]));
    for pair in trace.steps().windows(2) {
        let (before, after) = (
            pair[0].state.expect("a board"),
            pair[1].state.expect("a board"),
        );
        let made = Tiles { trap: false }.successors(&before);
        let is_possible = made.iter().any(|made| made.action == pair[1].action);
        assert!(is_possible && before != after);
    }
}

/// Two counters without end.
struct Endless;

impl System for Endless {
    type State = (u64, u64);
    type Action = &'static str;

    fn initial(&self) -> Vec<Transition<(u64, u64), &'static str>> {
        vec![Transition::new("begin", (0, 0))]
    }

    fn successors(&self, (left, right): &(u64, u64)) -> Vec<Transition<(u64, u64), &'static str>> {
        vec![
            Transition::new("left", (left + 1, *right)),
            Transition::new("right", (*left, right + 1)),
        ]
    }

    fn labels(&self) -> Vec<Label> {
        vec![Label::never("negative"), Label::never("both")]
    }

    fn label(&self, LabelId(label): LabelId, (left, right): &(u64, u64)) -> bool {
        label == 1 && *left > 0 && *right > 0
    }
}

#[test]
fn a_search_that_gives_up_says_why() {
    let unknown = |checker: Checker<'_, Endless>| {
        let report = checker.property("negative").run().expect("a report");
        match report.verdict("negative").expect("it is checked") {
            Verdict::Unknown(why) => why.clone(),
            other => panic!("it can't be known: {other}"),
        }
    };
    assert_eq!(
        unknown(Checker::new(&Endless).max_states(100)),
        Unknown::Stopped(Reason::StateLimit(100))
    );
    let soon = Duration::from_millis(20);
    assert_eq!(
        unknown(Checker::new(&Endless).max_time(soon)),
        Unknown::Stopped(Reason::TimeLimit(soon))
    );
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Checker::new(&Endless).on_progress(|_| stop.store(true, Ordering::Relaxed));
    assert_eq!(
        unknown(stopping.interrupt(Arc::clone(&stop))),
        Unknown::Stopped(Reason::Interrupted)
    );
    let first = Checker::new(&Endless).property("both").first_violation();
    assert_eq!(unknown(first), Unknown::FirstViolation);
    let memory = unknown(Checker::new(&Endless).memory(1));
    assert_eq!(memory, Unknown::Stopped(Reason::MemoryLimit(1)));
}

#[test]
fn a_panic_of_a_system_is_an_error() {
    for threads in [1, 4] {
        let checked = Checker::new(&Tiles { trap: true }).threads(threads).run();
        match checked {
            Err(Error::Panicked(said)) => assert_eq!(said, "the hole is in the corner"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_property_that_is_not_there_is_an_error() {
    let checked = Checker::new(&Tiles { trap: false })
        .property("compleat")
        .run();
    let error = checked.expect_err("a name that is none");
    assert_eq!(error.to_string(), "there is no property `compleat`");
}

/// A beginning that is wrong, and a state from which nothing is possible.
struct Stuck;

impl System for Stuck {
    type State = ();
    type Action = &'static str;

    fn initial(&self) -> Vec<Transition<(), &'static str>> {
        vec![Transition::new("begin", ())]
    }

    fn successors(&self, (): &()) -> Vec<Transition<(), &'static str>> {
        Vec::new()
    }

    fn labels(&self) -> Vec<Label> {
        vec![Label::always("moves")]
    }

    fn label(&self, _: LabelId, state: &()) -> bool {
        !self.successors(state).is_empty()
    }
}

#[test]
fn what_is_wrong_at_the_beginning_has_a_trace_without_steps() {
    let report = Checker::new(&Stuck).run().expect("a report");
    let (name, trace) = report.shortest().expect("it is violated");
    assert_eq!((name, trace.len(), trace.is_empty()), ("moves", 0, true));
    assert_eq!(trace.steps()[0].action, "begin");
    assert!(!report.holds());
    assert_eq!(report.figures().states, 1);
}
