//! The language of DiVinE: what BEEM models ask for that no manual says.

use crisol::dve::{
    ARITHMETIC_FAULT, ASSERTION_FAILURE, DEADLOCK, DveState, DveStep, Program, Semantics, read,
};
use crisol::evidence::{ReplayError, Replayed, replay_run};
use crisol::lang::limits;
use crisol::system::{System, Target};

fn program(text: &str) -> Program {
    read(text).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn refusal(text: &str) -> String {
    let errors = read(text).expect_err("it is refused");
    errors[0].message.clone()
}

/// The values after the only run of so many steps.
fn values_after(text: &str, steps: usize) -> Vec<i32> {
    let program = program(text);
    let system = Semantics::new(&program);
    let state = |target| match target {
        Target::State(state) => state,
        other => panic!("{other:?}"),
    };
    let mut at: DveState = state(system.initial().remove(0).target);
    for _ in 0..steps {
        let mut transitions = system.expand(&at).transitions;
        assert_eq!(transitions.len(), 1);
        at = state(transitions.remove(0).target);
    }
    at.values.to_vec()
}

#[test]
fn an_array_named_without_an_index_is_its_first_element() {
    let text =
        "byte e[3] = {7, 8, 9}; byte x; process P { byte list[2], len; state a, b, c; init a;
        trans a -> b { guard e == 7; effect list[len] = e, len = len + 1; },
              b -> c { effect e = list + 1, x = P->list; }; } system async;";
    assert_eq!(values_after(text, 1), [7, 8, 9, 0, 7, 0, 1]);
    assert_eq!(values_after(text, 2), [8, 8, 9, 7, 7, 0, 1]);
    let message = "channel c; byte e[2]; process S { byte m[2] = {5, 6}; state s, t; init s;
        trans s -> t { sync c!m; }; }
        process R { state s, t; init s; trans s -> t { sync c?e; }; } system async;";
    assert_eq!(values_after(message, 1), [5, 0, 5, 6]);
}

#[test]
fn what_is_no_array_has_no_elements() {
    let text =
        "byte x; process P { state a; init a; trans a -> a { effect x[0] = 1; }; } system async;";
    assert_eq!(refusal(text), "`x` is no array");
}

#[test]
fn expressions_are_bounded_in_height_and_in_number() {
    let guard = |guard: &str| {
        format!(
            "byte x; process P {{ state a; init a; trans a -> a {{ guard {guard}; }}; }} system async;"
        )
    };
    let row = |length: usize| vec!["x"; length].join(" + ");
    program(&guard(&row(limits::NESTING + 1)));
    let height = format!("more than {} levels inside each other", limits::NESTING);
    assert_eq!(refusal(&guard(&row(limits::NESTING + 2))), height);
    let nested = format!("{} == ({})", row(100), row(100));
    program(&guard(&nested));
    let opened = "(".repeat(limits::NESTING);
    assert_eq!(refusal(&guard(&opened)), height);
    let assertions = vec![format!("a: {}", row(100)); limits::TERMS / 199 + 1].join(", ");
    let text =
        format!("byte x; process P {{ state a; init a; assert {assertions}; }} system async;");
    let number = format!("the expressions have more than {} parts", limits::TERMS);
    assert_eq!(refusal(&text), number);
}

#[test]
fn meetings_are_bounded() {
    let ends =
        |count: usize, sync: &str| vec![format!("s -> s {{ sync {sync}; }}"); count].join(", ");
    let text = |count: usize| {
        format!(
            "channel c; process S {{ state s; init s; trans {}; }}
             process R {{ state s; init s; trans {}; }} system async;",
            ends(count, "c!"),
            ends(count, "c?")
        )
    };
    program(&text(256));
    assert_eq!(refusal(&text(257)), "handshakes: 66049 exceeds 65536");
}

/// The search is not believed: what it found is made again, step by step, by the reference.
#[test]
fn only_runs_that_the_reference_can_make_violate_anything() {
    let text = "byte x; process P { state a, b; init a; assert b: x < 2;
        trans a -> b { effect x = x + 1; }, b -> a { guard x < 3; }; } system async;";
    let program = program(text);
    let semantics = Semantics::new(&program);
    let [start, there, back] = [vec![], vec![(0, 0)], vec![(0, 1)]].map(DveStep);
    let once = [start.clone(), there.clone()];
    let twice = [&once[..], &[back.clone(), there.clone()]].concat();
    let assertion = Some(ASSERTION_FAILURE.0);
    let run = replay_run(&semantics, &twice, assertion).expect("a run");
    assert_eq!((run.length(), run.violates()), (3, assertion));
    let refused = |steps: &[DveStep], property| {
        replay_run(&semantics, steps, property).expect_err("it is no counterexample")
    };
    assert_eq!(refused(&once, assertion), ReplayError::Harmless);
    assert_eq!(refused(&twice, Some(DEADLOCK.0)), ReplayError::Harmless);
    assert_eq!(refused(&twice[1..], assertion), ReplayError::Impossible(0));
    let unable = [start, back];
    assert_eq!(refused(&unable, assertion), ReplayError::Impossible(1));
    assert!(replay_run(&semantics, &once, None).is_ok());
}

#[test]
fn a_step_that_fails_ends_a_run() {
    let text =
        "byte x; process P { state a; init a; trans a -> a { effect x = 1 / x; }; } system async;";
    let program = program(text);
    let semantics = Semantics::new(&program);
    let steps = [vec![], vec![(0, 0)], vec![(0, 0)]].map(DveStep);
    let run = replay_run(&semantics, &steps[..2], Some(ARITHMETIC_FAULT.0)).expect("a run");
    assert!(run.now().is_none());
    let further = replay_run(&semantics, &steps, Some(ARITHMETIC_FAULT.0));
    assert_eq!(further.err(), Some(ReplayError::Impossible(2)));
}
