//! Choice and junction, fork and join.

use super::*;

const WAYS: &str = "initial -> S; state S { exit / { L(1) } } state Low, High;
    S -> P : a / { x = 5; L(2) }
    P -> Low : [x < 3] / { L(3) }
    P -> High : [x >= 3] / { L(4) }";

#[test]
fn a_choice_is_decided_after_the_effects_on_the_way_to_it() {
    let body = format!("choice P; {WAYS}");
    assert_eq!(story(&body, &["a"]), told("124", "High"));
}

#[test]
fn a_junction_is_decided_before_any_effect() {
    let body = format!("junction P; {WAYS}");
    assert_eq!(story(&body, &["a"]), told("123", "Low"));
}

#[test]
fn a_choice_takes_any_branch_that_is_open_and_else_only_if_none_is() {
    let body = "choice P; initial -> S; state S, T, U, V;
        S -> P : a; P -> T : [x == 0]; P -> U : [x < 1]; P -> V : [else];";
    assert_eq!(stories(body, &["a"]), [told("0", "T"), told("0", "U")]);
    let closed = body
        .replace("[x == 0]", "[x == 1]")
        .replace("[x < 1]", "[x > 1]");
    assert_eq!(stories(&closed, &["a"]), [told("0", "V")]);
}

#[test]
fn a_branch_without_a_guard_is_always_open() {
    let body = "choice P; initial -> S; state S, T, U; S -> P : a; P -> T; P -> U : [x == 0];";
    assert_eq!(stories(body, &["a"]), [told("0", "T"), told("0", "U")]);
}

#[test]
fn choices_follow_each_other_each_decided_in_its_turn() {
    let body = "choice P, Q; initial -> S; state S, T, U;
        S -> P : a / { x = 1; } P -> Q : [x == 1] / { x = 2; L(1) } P -> T : [else];
        Q -> U : [x == 2] / { L(2) } Q -> T : [else];";
    assert_eq!(story(body, &["a"]), told("12", "U"));
}

#[test]
fn the_parameters_of_a_message_are_known_beyond_choices_and_junctions() {
    for kind in ["choice", "junction"] {
        let text = format!(
            "signal Order(int n, int m);
             class C {{ int got; initial -> S / {{ send self.Order(4, 7); }}
               state S, T, U; {kind} P, Q;
               S -> P : Order(n, m) / {{ got = n; }}
               P -> Q : [n == 4] / {{ got += m; }}
               P -> T : [else];
               Q -> U : [m == 7] / {{ got += n * 100; }}
               Q -> T : [else]; }}
             object o: C;
             allow deadlock;
             property sum : never o.got == 411 && o in U;"
        );
        assert_eq!(violated(&model(&text)), ["sum"], "{kind}");
    }
}

#[test]
fn a_name_that_only_one_way_to_a_choice_binds_is_not_known_beyond_it() {
    let text = "signal A(int n), B(int n), D;
        class C { initial -> S; state S, T; choice P; S -> P : A(n); S -> P : %; P -> T : [n > 0]; }
        object o: C;";
    assert_eq!(codes(&text.replace('%', "D")), ["E101"]);
    model(&text.replace('%', "B(n)"));
}

#[test]
fn a_choice_can_lead_out_of_composite_states() {
    let body = "initial -> K; state Out;
        state K { exit / { L(4) } initial -> B; state B { exit / { L(3) } initial -> A;
          state A { exit / { L(1) } } choice P; state D { entry / { L(7) } }
          A -> P : a / { L(2) } P -> Out : [yes] / { L(5) } P -> D : [else] / { L(6) } } }";
    assert_eq!(story(body, &["a"]), told("12345", "Out"));
    let stays = body.replace("[yes]", "[!yes]");
    assert_eq!(story(&stays, &["a"]), told("1267", "K B D"));
}

#[test]
fn a_choice_inside_a_state_is_reached_before_the_state_is_entered() {
    let body = "initial -> S; state S;
        state K { entry / { L(3) } initial -> A; state A, B; choice P;
          P -> A : [x == 0] / { L(2) } P -> B : [else]; }
        S -> K.P : a / { L(1) }";
    assert_eq!(story(body, &["a"]), told("123", "K A"));
}

#[test]
fn junctions_join_and_split_in_chains() {
    let body = "initial -> S; state S, T, U, V; junction J, K;
        S -> J : a [yes] / { L(1) } T -> J : b / { L(2) }
        J -> K / { L(3) } K -> T : [x == 0] / { x = 1; L(4) } K -> U : [else] / { L(5) }";
    assert_eq!(story(body, &["a", "b"]), told("134235", "U"));
}

#[test]
fn a_transition_whose_junction_has_no_open_branch_is_not_enabled() {
    let body = "initial -> S; state S { defer a; } state T; junction J;
        S -> J : a / { L(1) } J -> T : [x == 1]; S -> S : b / { x = 1; L(2) }";
    assert_eq!(
        story(body, &["a", "b"]),
        told("21", "T"),
        "deferred until it can be taken"
    );
}

#[test]
fn else_at_a_junction_is_the_rest_of_its_own_branches() {
    let body = "initial -> S; state S, T, U, V; junction J;
        S -> J : a; J -> T : [x == 1]; J -> U : [x == 2]; J -> V : [else];";
    for (x, state) in [(1, "T"), (2, "U"), (3, "V")] {
        let body = body.replace(
            "S -> J : a;",
            &format!("S -> J : a; S -> S : b / {{ x = {x}; }}"),
        );
        assert_eq!(story(&body, &["b", "a"]), told("0", state));
    }
}

#[test]
fn two_else_at_one_junction_or_choice_are_refused() {
    for kind in ["junction", "choice"] {
        let text = format!(
            "signal a; class C {{ initial -> S; state S, T; {kind} J;
               S -> J : a; J -> S : [else]; J -> T : [else]; }}
             object o: C;"
        );
        assert_eq!(codes(&text), ["E164"], "{kind}");
    }
}

#[test]
fn a_junction_leads_to_history_forks_and_choices() {
    let body = "initial -> K; junction J; choice P; state Out;
        state K { initial -> A; state A, B; A -> B : a; }
        K -> Out : b; Out -> J : c; J -> K.history : [yes] / { L(1) } J -> P : [else];
        P -> Out;";
    assert_eq!(story(body, &["a", "b", "c"]), told("1", "K B"));
}

#[test]
fn a_fork_enters_the_named_states_and_the_rest_by_default() {
    let body = "initial -> S; state S; fork F;
        state K { entry / { L(3) }
          region r { initial -> A / { L(9) } state A; state A2 { entry / { L(4) } } }
          region s { initial -> B / { L(9) } state B; state B2 { entry / { L(5) } } }
          region t { initial -> D / { L(6) } state D; } }
        S -> F : a / { L(1) } F -> K.r.A2 / { L(2) } F -> B2;";
    assert_eq!(story(body, &["a"]), told("123456", "K A2 B2 D"));
}

#[test]
fn a_join_waits_for_all_its_states_and_leaves_them_together() {
    let body = "initial -> K; state Out; join J;
        state K { exit / { L(3) }
          region r { initial -> A; state A; state A2 { exit / { L(1) } } A -> A2 : a; }
          region s { initial -> B; state B; state B2 { exit / { L(2) } } B -> B2 : b; } }
        A2 -> J / { L(4) } B2 -> J : [yes] / { L(5) } J -> Out / { L(6) }";
    assert_eq!(story(body, &["a"]), told("0", "K A2 B"));
    assert_eq!(story(body, &["b", "a"]), told("123456", "Out"));
}

#[test]
fn a_join_may_wait_for_a_message_and_go_before_the_state_around() {
    let body = "initial -> K; state Out, Other; join J;
        state K {
          region r { initial -> A; state A; }
          region s { initial -> B; state B, B2; B -> B2 : b; } }
        A -> J; B2 -> J; J -> Out : a / { L(1) } K -> Other : a / { L(2) }";
    assert_eq!(story(body, &["a"]), told("2", "Other"));
    assert_eq!(story(body, &["b", "a"]), told("1", "Out"));
}

#[test]
fn vertices_that_make_no_sense_are_refused() {
    let class =
        |body: &str| format!("signal a; class C {{ initial -> S; state S; {body} }} object o: C;");
    for (body, code) in [
        ("final F; S -> F; F -> S;", "E162"),
        ("choice P; S -> P;", "E158"),
        ("fork F; S -> F; F -> S;", "E158"),
        ("junction J; S -> J; J -> J;", "E160"),
        ("junction J; S -> J; J -> S : a;", "E157"),
        ("state T; join J; S -> J; T -> J; J -> S;", "E159"),
        ("state T; fork F; S -> F; F -> S; F -> T;", "E161"),
    ] {
        assert_eq!(codes(&class(body)), [code], "{body}");
    }
}
