//! What a transition waits for: triggers, parameters, `any`, `[else]`, deferral.

use super::*;

#[test]
fn several_triggers_share_a_transition() {
    let body = "initial -> S; state S; S -> S : a, b / { L(1) } S -> S : c / { L(2) }";
    assert_eq!(story(body, &["a", "c", "b"]), told("121", "S"));
}

#[test]
fn a_name_must_be_bound_by_each_of_several_triggers() {
    let text = "signal A(int n), B(int m, int n), D;
        class C { int got; initial -> S / { send self.B(1, 8); } quiescent state S;
          S -> S : %  / { got += n; } }
        object o: C; property eight : never o.got == 8;";
    assert_eq!(
        violated(&model(&text.replace('%', "A(n), B(_, n)"))),
        ["eight"]
    );
    assert_eq!(codes(&text.replace('%', "A(n), D")), ["E101"]);
    assert_eq!(codes(&text.replace('%', "A(n), B(n)")), ["E129"]);
}

#[test]
fn a_parameter_goes_to_the_class_variable_of_its_name_before_the_guard() {
    let model = model(
        "signal Order(int(0..9) seats, int other);
         class C { int seats = 1; initial -> S / { send self.Order(6, 2); send self.Order(7, 3); }
           state S, T; final U;
           S -> T : Order(seats, _) [seats == 6];
           T -> U : Order(_, _); }
         object o: C;
         property stored : never o in U && o.seats == 6;
         property before : never o in S && o.seats == 6;",
    );
    assert_eq!(violated(&model), ["stored"]);
    assert_eq!(trace(&model, "stored").length(), 2);
}

#[test]
fn a_message_whose_guard_is_false_stores_nothing() {
    let model = model(
        "signal Order(int seats);
         class C { int seats = 1; initial -> S / { send self.Order(6); } quiescent state S;
           S -> S : Order(seats) [seats < 6]; }
         object o: C;
         property stored : never o.seats != 1;",
    );
    assert_eq!(violated(&model), ["implicit_consumption"]);
}

#[test]
fn parameters_may_be_left_out_altogether_or_one_by_one() {
    let model = model(
        "signal Order(int x, int y);
         class C { int sum; initial -> S / { send self.Order(1, 2); } state S, T; final U;
           S -> T : Order / { send self.Order(3, 4); }
           T -> U : Order(_, y) / { sum = y; } }
         object o: C;
         property four : never o.sum == 4;",
    );
    assert_eq!(violated(&model), ["four"]);
}

#[test]
fn any_takes_every_message_that_the_state_does_not_name() {
    let body = "initial -> S; state S { ignore b; defer c; } state T { ignore c; }
        S -> S : a / { L(1) } S -> T : any / { L(2) }";
    assert_eq!(story(body, &["a", "b", "c", "d"]), told("12", "T"));
    let inner =
        "initial -> K; state K { initial -> A; state A; A -> A : any / { L(1) } } state Out;
        K -> Out : a / { L(2) }";
    assert_eq!(
        story(inner, &["a"]),
        told("1", "K A"),
        "A itself does not name a"
    );
    let guarded = "initial -> S; state S; S -> S : a [x == 1] / { L(1) } S -> S : any / { L(2) }";
    assert_eq!(story(guarded, &["b"]), told("2", "S"));
}

#[test]
fn any_takes_external_signals_too() {
    let model = model(
        "external signal go;
         class C { initial -> S; state S; state T { ignore go; } S -> T : any; }
         object o: C;
         allow deadlock;
         property there : never o in T;",
    );
    assert_eq!(trace(&model, "there").length(), 1);
}

#[test]
fn else_holds_if_no_other_transition_for_the_message_does() {
    let body = "initial -> S; state S; S -> S : a [x == 0] / { x = 1; L(1) }
        S -> S : a [x == 1] / { x = 2; L(2) } S -> S : a [else] / { L(3) } S -> S : b / { L(4) }";
    assert_eq!(story(body, &["a", "a", "a", "b"]), told("1234", "S"));
    let shared = "initial -> S; state S; S -> S : a, b [yes] / { L(1) yes = false; }
        S -> S : b [else] / { L(2) } S -> S : a [else] / { L(3) }";
    assert_eq!(story(shared, &["b", "b", "a"]), told("123", "S"));
}

#[test]
fn else_without_a_trigger_looks_at_those_without_a_trigger() {
    let body =
        "initial -> S; state S, T, U; S -> T : [x == 1] / { L(1) } S -> U : [else] / { L(2) }
        S -> S : a;";
    assert_eq!(story(body, &[]), told("2", "U"));
}

#[test]
fn deferred_messages_come_back_in_order_when_a_state_is_entered() {
    let body = "initial -> S; state S { defer a, b; } state T;
        S -> T : c / { L(1) } T -> T : a / { L(2) } T -> T : b / { L(3) } T -> T : d / { L(4) }";
    assert_eq!(story(body, &["a", "b", "a", "c", "d"]), told("12324", "T"));
}

#[test]
fn what_a_transition_takes_is_not_deferred() {
    let body = "initial -> S; state S { defer a; } state T; S -> T : a [yes] / { L(1) }";
    assert_eq!(story(body, &["a"]), told("1", "T"));
    let outer = "initial -> K; state K { initial -> S; state S { defer a; } } state T; K -> T : a / { L(1) }";
    assert_eq!(story(outer, &["a"]), told("1", "T"));
}

#[test]
fn a_deferral_of_an_outer_state_holds_inside() {
    let body = "initial -> K; state K { defer a; initial -> S; state S; } state T { ignore a; }
        K -> T : b / { L(1) }";
    assert_eq!(story(body, &["a", "b"]), told("1", "T"));
}

#[test]
fn the_innermost_state_that_is_entered_decides_whether_messages_stay_set_aside() {
    let body = "initial -> S; state S { defer a; }
        state K { % initial -> A; state A { # } } K -> K : a / { L(1) } S -> K : b;";
    let told_with =
        |outer, inner| story(&body.replace('%', outer).replace('#', inner), &["a", "b"]).0;
    assert_eq!(told_with("", ""), "1");
    assert_eq!(told_with("no flush;", ""), "1");
    assert_eq!(told_with("", "no flush;"), "0");
}

#[test]
fn self_sends_wait_behind_what_is_there_already() {
    let body = "initial -> S; state S; S -> S : a / { L(1) send self.c; send self.d; }
        S -> S : b / { L(2) } S -> S : c / { L(3) } S -> S : d / { L(4) }";
    assert_eq!(story(body, &["a", "b"]), told("1234", "S"));
}

#[test]
fn sends_of_entry_actions_at_the_start_reach_objects_that_are_entered_later() {
    let model = model(
        "signal m;
         class A { B b; initial -> S; state S { entry / { send b.m; } } final T; S -> T; }
         class B { int n; initial -> S / { n = 5; } state S; final T; S -> T : m / { assert n == 5; } }
         object a: A { b = b; }
         object b: B;
         property there : never b in T;",
    );
    assert_eq!(violated(&model), ["there"]);
    assert_eq!(trace(&model, "there").length(), 1);
}

#[test]
fn choose_in_initial_effects_gives_several_starts() {
    let model = model(
        "class C { int x; initial -> K / { x = choose(1..3); }
           state K { initial -> S / { x = x * 10 + choose(0..1); } quiescent state S; } }
         object o: C;
         property all : never o.x == 31;
         property none : never o.x == 12;",
    );
    assert_eq!(violated(&model), ["all"]);
    assert_eq!(trace(&model, "all").length(), 0);
    assert_eq!(statistics(&model).states, 6);
}
