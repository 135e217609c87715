//! What can't be flattened exactly is not flattened at all.

use crisol::lang::{flatten, parse};

fn refused(text: &str, reason: &str) {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}");
    let found = flatten(&file).expect_err("a refusal");
    assert_eq!(found[0].code, "E190", "{found:?}");
    let message = &found[0].message;
    assert!(message.contains(reason), "{message}");
}

#[test]
fn regions_side_by_side() {
    let text = "class C {
        initial -> Both;
        state Both { region a { initial -> A; state A; } region b { initial -> B; state B; } }
    } object c: C;";
    refused(text, "state `Both` has several regions");
}

#[test]
fn an_object_that_asks_for_its_own_state_in_an_effect() {
    let text = "external signal Go; class C {
        bool inside;
        initial -> S;
        state S { initial -> A; state A, B; A -> B : Go / { inside = self in S; } }
    } object c: C;";
    refused(text, "its own state");
}

#[test]
fn guards_that_see_the_message_stored_in_different_variables() {
    let text = "external signal Go(int(0..1) n); class C {
        int(0..1) x, y;
        initial -> S;
        state S { initial -> A; state A, B; A -> B : Go(x) [x > y]; }
        state T;
        S -> T : Go(y);
    } object c: C;";
    refused(text, "different variables");
}

#[test]
fn a_guard_that_names_what_the_outer_trigger_hides() {
    let text = "const n = 1; external signal Go(int(0..1) value); class C {
        int(0..1) x;
        initial -> S;
        state S { initial -> A; state A, B; A -> B : Go [x == n]; }
        state T;
        S -> T : Go(n) [n > 0];
    } object c: C;";
    refused(text, "`n` means something else");
}

#[test]
fn an_entry_action_that_names_what_a_trigger_hides() {
    let text = "const n = 1; external signal Go(int(0..1) value); class C {
        int(0..1) x;
        initial -> T;
        state S { entry / x = n; initial -> A; state A; }
        state T;
        T -> S : Go(n) [n > 0];
    } object c: C;";
    refused(text, "gives `n` another meaning");
}

#[test]
fn messages_before_outer_transitions_without_a_trigger_under_rhapsody() {
    let text = "bool open; external signal Go; class C {
        initial -> S;
        state S { initial -> A; state A, B; A -> B : Go / { open = true; } }
        state T;
        S -> T : [open];
    } object c: C; semantics run_to_completion with rhapsody_triggers;";
    refused(text, "may go before this transition");
}

#[test]
fn nondeterminism_that_the_hierarchy_hides() {
    let text = "external signal Go; class C {
        initial -> S;
        state S { initial -> A; state A, B; A -> B; }
        state T;
        S -> T : Go;
    } object c: C; property p : never nondeterminism;";
    refused(text, "never nondeterminism");
}
