//! Every warning, where it is right and where it is not.

use super::*;
use crisol::lang::lint;

/// The codes of the warnings, and the pieces of source that they point at.
fn warnings(text: &str) -> Vec<(&'static str, String)> {
    let warnings = lint(&model(text));
    let place = |span: crisol::lang::Span| text[span.start as usize..span.end as usize].to_owned();
    warnings
        .iter()
        .map(|warning| (warning.code, place(warning.span)))
        .collect()
}

#[track_caller]
fn warns(text: &str, code: &'static str, place: &str) {
    assert_eq!(warnings(text), [(code, place.to_owned())], "{text}");
}

#[track_caller]
fn is_clean(text: &str) {
    assert_eq!(warnings(text), [], "{text}");
}

#[test]
fn w201_a_signal_that_nothing_sends_or_takes() {
    warns(
        "signal m, n; class C { initial -> S / { send self.m; } state S; S -> S : m; } object o: C;",
        "W201",
        "n",
    );
    is_clean("signal m; class C { initial -> S; state S { ignore m; } } object o: C;");
    is_clean("signal m; class C { initial -> S; state S { defer m; } } object o: C;");
    is_clean(
        "signal m; class C { initial -> S; state S; } object o: C; property p : never queued(o.m);",
    );
    is_clean(
        "signal m; class C { initial -> S; state S; } object o: C; property p : ltl G !sent(o.m);",
    );
    is_clean("signal m; class C { initial -> S / { send self.m; } state S; } object o: C;");
}

#[test]
fn w202_a_state_that_no_transition_leads_to() {
    let text = "external signal go; class C { initial -> S; state S, T, Lost; S -> T : go; Lost -> S : go; } object o: C;";
    warns(text, "W202", "Lost");
    is_clean(
        "external signal go; class C { initial -> K; state K { initial -> A; state A, B; A -> B : go; } } object o: C;",
    );
    let by_choice = "external signal go; class C { initial -> S; state S, T; choice P; S -> P : go; P -> T; } object o: C;";
    is_clean(by_choice);
    let by_fork = "external signal go; class C { initial -> S; state S; fork F; state K {
        region r { initial -> A; state A; } region s { initial -> B; state B; } } S -> F : go; F -> A; F -> B; } object o: C;";
    is_clean(by_fork);
    let behind_dead = "external signal go; class C { initial -> S; state S, T; S -> T : go [false]; } object o: C;";
    assert_eq!(
        warnings(behind_dead)
            .iter()
            .map(|w| w.0)
            .collect::<Vec<_>>(),
        ["W202", "W203"]
    );
}

#[test]
fn w203_a_transition_that_can_never_fire() {
    let silent = "signal m; class C { initial -> S; state S; S -> S : m; } object o: C;";
    warns(silent, "W203", "S -> S : m;");
    is_clean(&silent.replace("S -> S : m;", "S -> S : m; S -> S / { send self.m; }"));
    let elsewhere = "external signal go to p; class C { initial -> S; state S; S -> S : go; } object o: C; object p: D;
        class D { initial -> S; state S { ignore go; } }";
    warns(elsewhere, "W203", "S -> S : go;");
    let constant = "external signal go; class C { initial -> S; state S; S -> S : go [1 > 2]; int x; } object o: C;";
    warns(constant, "W203", "S -> S : go [1 > 2];");
    is_clean(&constant.replace("1 > 2", "x > 0"));
    is_clean("signal m; class C { initial -> S; state S { ignore m; } } object o: C;");
}

#[test]
fn w204_two_transitions_of_one_state_that_can_both_be_taken() {
    let pair = |first: &str, second: &str| {
        format!(
            "external signal go(int(0..9) v), stop; class C {{ int x; bool b; initial -> S; state S, T; S -> T : {first}; S -> T : {second}; T -> S : stop, go; }} object o: C;"
        )
    };
    for (first, second) in [
        ("go", "go"),
        ("go [x < 3]", "go [x > 1]"),
        ("go(v) [v < 3]", "go(w) [w == 2]"),
        ("go [b]", "go [x == 1]"),
        ("[x == 1]", "[b]"),
        ("go, stop", "stop"),
    ] {
        warns(&pair(first, second), "W204", &format!("S -> T : {second};"));
        let meant = pair(first, second) + "allow nondeterminism;";
        is_clean(&meant);
    }
    for (first, second) in [
        ("go [x < 3]", "go [x >= 3]"),
        ("go(v) [v < 3]", "go(w) [w >= 3]"),
        ("go [b]", "go [!b]"),
        ("go [b]", "go [else]"),
        ("go", "stop"),
        ("[b]", "go [b]"),
        ("go [x == 1 && b]", "go [x == 1 && !b]"),
    ] {
        is_clean(&pair(first, second));
    }
}

#[test]
fn w205_a_guard_that_is_always_true() {
    let text = "const N = 3; external signal go; class C { initial -> S; state S; S -> S : go [N > 2]; } object o: C;";
    warns(text, "W205", "N > 2");
    is_clean(&text.replace("[N > 2]", "[N > x]; int x"));
}

#[test]
fn w206_transitions_without_trigger_and_guard_in_a_circle() {
    let text = "external signal go; class C { bool b; initial -> S; state S, T; S -> T : go; T -> T % ; } object o: C; semantics run_to_completion;";
    warns(&text.replace('%', ""), "W206", "T -> T  ;");
    is_clean(&text.replace('%', ": [b]"));
    is_clean(
        &text
            .replace('%', "")
            .replace("semantics run_to_completion;", ""),
    );
    let circle = "external signal go; class C { initial -> S; state S, T, U; S -> T : go; T -> U; U -> T; } object o: C; semantics run_to_completion;";
    warns(circle, "W206", "T -> U;");
    let finished = "external signal go; class C { initial -> K; state K { initial -> A; state A; final F; A -> F : go; } K -> K; } object o: C; semantics run_to_completion;";
    is_clean(finished);
}

#[test]
fn w207_a_machine_that_never_leaves_its_initial_state() {
    let text =
        "class C { initial -> S; state S, T; S -> T; } object o: C; semantics run_to_completion";
    warns(&format!("{text};"), "W207", "S");
    is_clean(&format!("{text} with initial_step;"));
    is_clean(&format!("{text} with rhapsody_triggers;"));
    let triggered =
        format!("external signal go; {text};").replace("S -> T;", "S -> T; S -> T : go;");
    is_clean(&triggered);
    is_clean(&text.replace(" semantics run_to_completion", ""));
}
