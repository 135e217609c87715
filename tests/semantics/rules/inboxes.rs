//! What a send into a full inbox does, under both semantics.

use super::*;

/// A sender with three messages for a receiver that has room for `capacity`.
fn sender(semantics: &str, policy: &str) -> Model {
    model(&format!(
        "signal m(int v);
         class A {{ B b; int(0..3) n; initial -> S; state S; final T;
           S -> S : [n < 3] / {{ n++; send b.m(n); }} S -> T : [n == 3]; }}
         class B {{ int log; initial -> S; quiescent state S; S -> S : m(v) / {{ log = log * 10 + v; }} }}
         object a: A {{ b = b; }}
         object b: B;
         inbox b capacity 2 on_full {policy};
         semantics {semantics};
         property all : never b.log == 123;
         property not_the_last : never b.log == 12 && a in T && !queued(m) && idle(b);
         property never_full : always !(a in T);"
    ))
}

const BOTH: [&str; 2] = ["interleaving", "run_to_completion with initial_step"];

#[test]
fn violate_is_a_fault() {
    for semantics in BOTH {
        let model = sender(semantics, "violate");
        let found = violated(&model);
        assert!(
            found.contains(&"overflow".to_owned()),
            "{semantics}: {found:?}"
        );
        assert!(found.contains(&"all".to_owned()), "{semantics}: {found:?}");
        assert!(holds(&model, "not_the_last"), "{semantics}");
    }
    assert_eq!(trace(&sender(BOTH[0], "violate"), "overflow").length(), 3);
}

#[test]
fn block_makes_the_transition_wait_and_loses_nothing() {
    for semantics in BOTH {
        let model = sender(semantics, "block");
        assert_eq!(violated(&model), ["all", "never_full"], "{semantics}");
    }
}

#[test]
fn lose_drops_the_message_that_has_no_room() {
    for semantics in BOTH {
        let model = sender(semantics, "lose");
        assert_eq!(
            violated(&model),
            ["all", "not_the_last", "never_full"],
            "{semantics}"
        );
    }
}

#[test]
fn cut_ends_the_run_and_the_verdict_says_so() {
    for semantics in BOTH {
        let model = sender(semantics, "cut");
        assert_eq!(violated(&model), ["all", "never_full"], "{semantics}");
        let verdict = verdict(&model, "not_the_last");
        assert!(
            matches!(verdict, Verdict::Holds { up_to_bound: true }),
            "{semantics}"
        );
    }
    let roomy = model(
        "signal m; class C { initial -> S / { send self.m; } state S; final T; S -> T : m; }
         object o: C; inbox * capacity 1 on_full cut;",
    );
    let verdict = verdict(&roomy, "overflow");
    assert!(matches!(verdict, Verdict::Holds { up_to_bound: false }));
}

#[test]
fn an_inbox_holds_four_unless_said_otherwise() {
    let sends = |count: usize| {
        let effect = "send self.m; ".repeat(count);
        let text = program("signal m;", "", &effect) + "allow implicit_consumption;";
        violated(&model(&text))
    };
    assert_eq!(sends(4), ["unfinished"]);
    assert_eq!(sends(5), ["overflow"]);
}

#[test]
fn what_is_said_of_one_inbox_goes_before_what_is_said_of_all() {
    let text = "signal m; class C { initial -> S; quiescent state S; S -> S : m; }
        class D { initial -> S; quiescent state S; }
        object a, b: C; object pool[2]: D;
        inbox a capacity 7 on_full lose; inbox * capacity 2 on_full block; inbox pool[1] capacity 9;
        inbox C capacity 5;";
    let model = model(text);
    let inbox = |name: &str| {
        let inbox = model.object(object(&model, name)).inbox;
        (inbox.capacity, inbox.on_full)
    };
    use crisol::lang::OnFull;
    assert_eq!(inbox("pool[0]"), (2, OnFull::Block));
    assert_eq!(inbox("pool[1]"), (9, OnFull::Violate));
    assert_eq!(inbox("b"), (5, OnFull::Violate));
    assert_eq!(
        inbox("a"),
        (7, OnFull::Lose),
        "what is said of an object goes before what is said of its class"
    );
}

#[test]
fn deferred_messages_take_room() {
    let text = "signal m, go;
        class A { B b; int(0..9) n; initial -> S; state S; final T;
          S -> S : [n < 2] / { n++; send b.m; } S -> T : [n == 2] / { send b.go; } }
        class B { initial -> S; quiescent state S { defer m; } quiescent state T { ignore m; } S -> T : go; }
        object a: A { b = b; } object b: B;
        inbox b capacity %;
        property done : never b in T;";
    assert_eq!(violated(&model(&text.replace('%', "3"))), ["done"]);
    let full = model(&text.replace('%', "2"));
    assert_eq!(
        violated(&full),
        ["overflow"],
        "also where both messages are set aside"
    );
    let rtc = text.replace('%', "2") + "semantics run_to_completion with initial_step;";
    assert_eq!(violated(&model(&rtc)), ["overflow"]);
}

#[test]
fn a_send_that_waits_for_itself_is_a_deadlock() {
    let text = "inbox o capacity 1 on_full block;\n".to_owned()
        + &program("signal m;", "", "send self.m; send self.m;");
    let model = model(&text);
    assert_eq!(violated(&model), ["deadlock"]);
    assert_eq!(trace(&model, "deadlock").length(), 0);
}

#[test]
fn a_send_that_waits_at_the_start_is_a_deadlock_and_not_an_empty_model() {
    let model = model(
        "signal m; class C { initial -> S / { send self.m; send self.m; } quiescent state S; S -> S : m; }
         object o: C; inbox o capacity 1 on_full block;",
    );
    assert_eq!(violated(&model), ["deadlock"]);
    let fault = fault_of(&model, "deadlock");
    assert_eq!(
        fault.message,
        "o waits for room in an inbox before anything can happen"
    );
}

#[test]
fn only_the_choices_that_find_room_are_made_where_the_others_wait() {
    let model = model(
        "signal m;
         class A { B b, c; initial -> S; state S; final T;
           S -> T / { B to = choose { b, c }; send to.m; send to.m; } }
         class B { bool got; initial -> S; quiescent state S; S -> S : m / { got = true; } }
         object a: A { b = b; c = c; } object b, c: B;
         inbox b capacity 1 on_full block; inbox c capacity 2;
         property b_gets : never b.got; property c_gets : never c.got;",
    );
    assert_eq!(violated(&model), ["c_gets"]);
}

#[test]
fn objects_on_one_thread_share_its_inbox() {
    let text = "signal m;
        class A { B b, c; initial -> S; state S; final T; S -> T / { send b.m; send c.m; } }
        class B { initial -> S; state S; final T; S -> T : m; }
        object a: A { b = b; c = c; } object b, c: B;
        thread pair { b, c }
        inbox % capacity 1;
        semantics run_to_completion with initial_step;";
    assert!(violated(&model(&text.replace('%', "pair"))).contains(&"overflow".to_owned()));
    assert_eq!(violated(&model(&text.replace('%', "a"))), [""; 0]);
    assert_eq!(codes(&text.replace('%', "b")), ["E176"]);
}
