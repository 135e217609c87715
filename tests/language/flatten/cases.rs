//! One small model for each thing that the hierarchy does; `same` compares the whole exploration.

use super::compare::same;

/// A class with signals A and B from outside, a log of what is done, and bad things to find.
fn machine(body: &str) -> String {
    format!(
        "external signal A, B, P(int(0..2) n);
        class C {{ wrap int(0..999) log; int(0..2) x; {body} }}
        object c: C;
        allow implicit_consumption;
        property small : always c.log < 100;
        property tiny : always c.log != 12;
        property zero : always c.x == 0;
        "
    )
}

/// `log(3)` in a body writes the digit 3 behind what is logged.
fn logged(body: &str) -> String {
    let mut text = body.to_owned();
    for digit in 1..=9 {
        let written = format!("log = log * 10 % 1000 + {digit};");
        text = text.replace(&format!("log({digit});"), &written);
    }
    machine(&text)
}

#[test]
fn transitions_of_composite_states() {
    let flat = same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A / x = 1; }
        state T;
        S -> T : B / x = 2;
        T -> S : A;",
    ));
    assert!(flat.contains("I -> T : B"), "{flat}");
    assert!(flat.contains("J -> T : B"), "{flat}");
}

#[test]
fn inner_transitions_go_first() {
    let flat = same(&machine(
        "initial -> S;
        state S {
          initial -> I; state I, J;
          I -> J : A [x == 0] / x = 1;
          J -> I : B / x = 2;
        }
        state T;
        S -> T : A, B;
        T -> S : A;",
    ));
    assert!(flat.contains("I -> T : A [!(x == 0)]"), "{flat}");
    assert!(flat.contains("I -> T : B;"), "{flat}");
    assert!(flat.contains("J -> T : A;"), "{flat}");
    assert!(!flat.contains("J -> T : B"), "{flat}");
}

#[test]
fn inner_guards_know_parameters_by_other_names() {
    let flat = same(&machine(
        "initial -> S;
        state S {
          initial -> I; state I, J;
          I -> J : P(small) [small == 0] / x = small;
          J -> I : P(big) [big == 2] / x = 1;
        }
        state T;
        S -> T : P(k) [k < 2] / x = k;
        S -> S : P;
        T -> S : A;",
    ));
    assert!(flat.contains("P(k) [k < 2 && !(k == 0)]"), "{flat}");
    assert!(flat.contains("P(small_2) [!(small_2 == 0)]"), "{flat}");
}

#[test]
fn three_levels_and_else() {
    same(&machine(
        "initial -> S;
        state S {
          initial -> R;
          state R {
            initial -> I; state I, J;
            I -> J : A [x == 0];
            I -> I : A [else] / x = 0;
            J -> I : B [x == 1];
          }
          state Q;
          R -> Q : B [x == 2];
          R -> R : B [else] / { if (x < 2) { x += 1; } }
          Q -> R : A;
        }
        state T;
        S -> T : A, B;
        T -> S : B [x == 2] / x = 0;
        T -> Q : B [else];",
    ));
}

#[test]
fn transitions_without_a_trigger_inside_and_outside() {
    same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : [x == 0] / x = 1; J -> I : A; }
        quiescent state T;
        S -> T : [x < 2] / x = 2;
        T -> S : B / x = 0;",
    ));
}

#[test]
fn a_guard_that_fails_still_fails_where_it_is_beaten() {
    same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A; J -> I : B; }
        state T;
        S -> T : A [2 / x == 1];
        T -> S : A;",
    ));
}

#[test]
fn entry_exit_and_initial_effects_in_their_order() {
    same(&logged(
        "initial -> S / { log(1); }
        state S {
          entry / { log(2); }
          exit / { log(3); }
          initial -> R / { log(4); }
          state R {
            entry / { log(5); }
            exit / { log(6); }
            initial -> I / { log(7); }
            state I { entry / { log(8); } exit / { log(9); } }
            state J { entry / { log(1); } }
            I -> J : A / { log(2); }
            J -> R : A;
          }
          state Q { exit / { log(4); } }
          R -> Q : B / { log(3); }
          Q -> J : B;
          Q -> S : A;
        }
        state T;
        S -> T : P(n) [n == 1] / { log(5); }
        I -> S : P(n) [n == 2];
        T -> J : A;
        T -> S : B;",
    ));
}

#[test]
fn local_names_of_blocks_that_meet() {
    let flat = same(&machine(
        "initial -> S;
        state S {
          exit / { int k = 1; x = k; }
          entry / { int k = 2; int n = k; x = n; }
          initial -> I / { int k = 0; x = k; }
          state I, J;
          I -> J : A;
        }
        state T;
        S -> T : P(n) / { int k = n; x = k; }
        T -> S : P(n) [n > 0];",
    ));
    assert!(flat.contains("int k_2"), "{flat}");
}

#[test]
fn a_message_that_is_ignored_twice_over() {
    let flat = same(&machine(
        "initial -> S;
        state S { initial -> I; state I { ignore A; on A; } }
        S -> S : B;",
    ));
    assert!(
        flat.contains("ignore A;") && flat.contains("on A;"),
        "{flat}"
    );
}

#[test]
fn internal_transitions_ignore_defer_and_no_flush() {
    same(
        "signal M, N, K;
        external signal Go;
        class C {
          int(0..3) x;
          initial -> S;
          state S {
            on N [x < 2] / { x += 1; }
            ignore K;
            defer M;
            initial -> I;
            state I { on K [x == 0] / { x = 3; } }
            state J { no flush; on N / { x = 0; } }
            I -> J : Go;
            J -> I : Go [x == 1];
          }
          state T { defer N; }
          S -> T : Go;
          T -> J : M;
          T -> S : K;
        }
        class D {
          C c;
          initial -> Idle;
          quiescent state Idle;
          Idle -> Idle : Go / { send c.M; }
          Idle -> Idle : Go / { send c.N; }
          Idle -> Idle : Go / { send c.K; }
        }
        object c: C;
        object d: D { c = c; }
        inbox * capacity 2 on_full cut;
        allow implicit_consumption of (Go);
        environment eager;
        property three : always c.x < 3;
        property set_aside : never c in J && queued(c.M);
        property inside : always c in S;
        property none : never c in J && c.x == 2;",
    );
}

#[test]
fn any_message_but_those_of_its_own_state() {
    same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A / x = 1; J -> I : any [x == 1]; }
        state T;
        S -> T : any / x = 2;
        T -> S : any;",
    ));
}

#[test]
fn completion_waits_for_the_final_state() {
    let flat = same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; final F; I -> J : A; J -> F : A; J -> I : B; }
        state T;
        final End;
        S -> T / x = 1;
        T -> S : A;
        T -> End : B;",
    ));
    assert!(flat.contains("F -> T /"), "{flat}");
    assert!(
        !flat.contains("I -> T") && !flat.contains("J -> T"),
        "{flat}"
    );
    assert!(
        flat.contains("final End;") && !flat.contains("final F"),
        "{flat}"
    );
}

#[test]
fn resting_in_a_quiescent_composite_state() {
    same(&machine(
        "initial -> S;
        quiescent state S { initial -> I; state I; final F; I -> F : A; }
        state T { initial -> U; state U; final V; U -> V : B; }
        I -> T : B;",
    ));
}

#[test]
fn history_of_a_region() {
    let flat = same(&machine(
        "initial -> S;
        state S { history; initial -> I / x = 2; state I, J, K; I -> J : A; J -> K : A; K -> I : A; }
        state T;
        S -> T : B;
        T -> S : B;
        T -> K : A;
        S -> S : P(n) [n == 0];
        T -> S : P(n) [n == 1] / x = n;",
    ));
    assert!(flat.contains("S_history == S_K"), "{flat}");
}

/// A region that was never left, or has ended, starts with its initial effect.
#[test]
fn history_that_starts_afresh() {
    let flat = same(&machine(
        "initial -> T;
        state T;
        state S {
          history;
          initial -> I / { x = (x + 1) % 3; }
          state I, J;
          final F;
          I -> J : A;
          J -> F : A;
        }
        T -> S : A;
        T -> S.history : P(n) [n == 1];
        T -> J : B;
        S -> T : P;",
    ));
    assert!(
        flat.contains("T -> I : A [S_history == S_afresh]"),
        "{flat}"
    );
    assert!(
        flat.contains("F -> T : P / { S_history = S_afresh; }"),
        "{flat}"
    );
}

#[test]
fn deep_history_of_a_region() {
    same(&machine(
        "initial -> S;
        state S {
          deep history;
          initial -> R;
          state R { entry / x = 1; initial -> I; state I, J; I -> J : A; }
          state Q { initial -> M; state M, N; final E; M -> N : A; N -> E : A; }
          R -> Q : P;
          Q -> R : P;
        }
        state T;
        S -> T : B;
        T -> S : B;
        Q -> T / x = 2;
        T -> Q : A;",
    ));
}

#[test]
fn transitions_to_history() {
    same(&machine(
        "initial -> S;
        state S {
          initial -> R / x = 2;
          state R { initial -> I / x = 1; state I, J; I -> J : A; }
          state Q { initial -> M; state M, N; M -> N : A; }
          R -> Q : P(n) [n == 0];
          Q -> R : P(n) [n == 0];
        }
        state T;
        S -> T : B;
        T -> S : A;
        T -> S.history : B;
        T -> S.deep_history : P(n) [n == 1];
        S -> S.history : P(n) [n == 2] / x = 0;",
    ));
}

#[test]
fn history_with_else() {
    same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A; }
        state T;
        S -> T : B / { x = (x + 1) % 3; }
        T -> S : B [x == 1];
        T -> S.history : B [else];",
    ));
}

#[test]
fn choices_in_the_middle_of_leaving() {
    same(&logged(
        "initial -> S;
        state S {
          history;
          exit / { log(3); }
          entry / { log(2); }
          initial -> R;
          choice D;
          state R {
            exit / { log(6); }
            initial -> I; state I, J;
            I -> J : A;
            J -> D : A / { log(1); x = (x + 1) % 3; }
            I -> Out : B / { x = (x + 1) % 3; }
          }
          state Q;
          D -> Q : [x == 1] / { log(4); }
          D -> Out : [x == 2] / { log(5); }
          D -> I : [else] / { log(7); }
          Q -> D : A;
        }
        state T;
        choice Out;
        Out -> T : [x == 0] / { log(8); }
        Out -> S : [x == 1] / { log(9); }
        Out -> S.deep_history : [else];
        T -> Out : A;
        S -> T : P;",
    ));
}

#[test]
fn junctions_decide_before_any_effect() {
    same(&logged(
        "initial -> S;
        state S {
          exit / { log(3); x = 2; }
          initial -> I; state I, J;
          junction Z;
          I -> Z : A / { log(1); }
          J -> Z : A [x < 2] / { log(2); }
          Z -> J : [x == 0] / { x = 1; }
          Z -> T : [else] / { log(4); }
          J -> I : B;
        }
        state T;
        junction Y;
        S -> Y : B / { log(5); }
        Y -> T : [x == 0];
        Y -> S : [x > 0];
        T -> S : A / { x = 0; }
        T -> S : B;",
    ));
}

#[test]
fn a_choice_that_passes_a_parameter_on() {
    same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A; J -> C : P(n); }
        choice C;
        state T;
        S -> C : P(n);
        C -> S : [n == 1] / x = n;
        C -> T : [else] / x = n;
        T -> C : P(n);",
    ));
}

#[test]
fn names_that_occur_twice() {
    let flat = same(&machine(
        "initial -> S;
        state S { initial -> I; state I, J; I -> J : A; J -> Q.I : A; }
        state Q { initial -> I; state I; I -> S.I : B / x = 1; I -> S.J : A; }",
    ));
    assert!(flat.contains("S_I") && flat.contains("Q_I"), "{flat}");
}

#[test]
fn states_that_others_ask_for() {
    let flat = same(
        "external signal Go;
        class C {
          C other;
          initial -> S;
          state S { initial -> I; state I, J; I -> J : Go [!(other in S.J)]; J -> T : Go [other in S]; }
          state T;
          T -> S : Go [other in T || self in S];
        }
        class Watcher {
          bool seen;
          initial -> W;
          quiescent state W;
          W -> W : Go [exists(c in pair : c in S) && !(pair[0] in S)] / { seen = true; }
        }
        object pair[2]: C { other = pair[1 - index]; }
        object w: Watcher;
        allow implicit_consumption;
        property apart : never pair[0] in T && pair[1] in S;
        property all : always forall(c in pair : c in S);
        property one : always count(c in pair : c in S) >= 1;
        property seen : never w.seen;",
    );
    assert!(flat.contains("c in I || c in J"), "{flat}");
}

#[test]
fn run_to_completion_with_and_without_rhapsody() {
    for options in [
        "",
        " with rhapsody_triggers",
        " with rhapsody_triggers, initial_step",
    ] {
        let model = machine(
            "initial -> S;
            state S {
              deep history;
              initial -> I; state I, J, K;
              I -> J : A; J -> K : [x == 0] / x = 1; K -> I : B [x == 1] / x = 0;
            }
            state T;
            S -> T : A / x = 0;
            S -> T : B [x == 1];
            T -> S;",
        );
        same(&format!("{model} semantics run_to_completion{options};"));
    }
}

/// Where somebody else may enable a transition without a trigger, an inner one of them goes before
/// an outer one that a message triggers.
#[test]
fn rhapsody_triggers_where_others_write() {
    let flat = same(
        "bool open;
        external signal Go, Stop;
        class C {
          initial -> S;
          state S { initial -> I; state I, J; I -> J : [open]; J -> I : Go; }
          state T;
          S -> T : Stop;
          T -> S : Go;
        }
        class D { initial -> W; state W; W -> W : Go / { open = !open; } }
        object c: C;
        object d: D;
        semantics run_to_completion with rhapsody_triggers;
        allow implicit_consumption, deadlock;
        property never_out : never c in T && open;
        property deterministic : never nondeterminism;",
    );
    assert!(flat.contains("I -> T : Stop [!open]"), "{flat}");
}
