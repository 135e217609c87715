//! Ojala, chapter 2: what is enabled when, and what the events do.

use crate::common::*;
use crisol::csm::{Configuration, Event, Semantics};
use crisol::lang::Model;
use crisol::system::Target;

/// An object with these states and transitions, and `signals` waiting in its inbox.
fn waiting(body: &str, signals: &[&str]) -> (Model, Configuration) {
    let model = model(&format!(
        "signal a(int v), b(int v);
         class C {{ int x; initial -> S; {body} }}
         object o: C;
         allow nondeterminism;"
    ));
    let mut at = start(&model);
    let o = object(&model, "o");
    for (value, name) in signals.iter().enumerate() {
        let message = crisol::lang::Message {
            signal: signal(&model, name),
            arguments: [crisol::lang::Value::Int(value as i64 + 1)].into(),
        };
        at.object_mut(o).inbox.push_back(message);
    }
    (model, at)
}

/// The events that are enabled, in short: `TRANS 0`, `IMPL`, `DEFER`.
fn events(model: &Model, at: &Configuration) -> Vec<String> {
    let steps = Semantics::exact(model).successors(at);
    let name = |event: &Event| match event {
        Event::Fire { transitions, .. } => format!("TRANS {}", transitions[0].0),
        Event::Consume { .. } => "IMPL".to_owned(),
        Event::Defer { .. } => "DEFER".to_owned(),
        other => panic!("{other:?}"),
    };
    steps.iter().map(|step| name(&step.step.event)).collect()
}

/// The configuration after the only event.
fn after(model: &Model, at: &Configuration) -> Configuration {
    let mut steps = Semantics::exact(model).successors(at);
    assert_eq!(steps.len(), 1, "{:?}", events(model, at));
    match steps.remove(0).result {
        Target::State(configuration) => configuration,
        other => panic!("{other:?}"),
    }
}

fn inbox(model: &Model, at: &Configuration) -> (Vec<String>, Vec<String>) {
    let state = at.object(object(model, "o"));
    let show = |message| model.show_message(message);
    (
        state.inbox.iter().map(show).collect(),
        state.deferred.iter().map(show).collect(),
    )
}

#[test]
fn a_transition_needs_its_signal_at_the_head_of_the_inbox() {
    let body = "state S, T; S -> T : a;";
    let (model, at) = waiting(body, &["a", "b"]);
    assert_eq!(events(&model, &at), ["TRANS 0"]);
    let (model, at) = waiting(body, &["b", "a"]);
    assert_eq!(
        events(&model, &at),
        ["IMPL"],
        "2.3: b is at the head and nothing takes it"
    );
    let (model, at) = waiting(body, &[]);
    assert!(events(&model, &at).is_empty());
}

#[test]
fn the_guard_is_evaluated_after_the_message_is_received() {
    // 2.3: in exec_recv(C, o, trig), so x has the value of the parameter already.
    let body = "state S, T; S -> T : a(x) [x == 1];";
    let (model, at) = waiting(body, &["a"]);
    assert_eq!(events(&model, &at), ["TRANS 0"]);
    let o = object(&model, "o");
    let reached = after(&model, &at);
    assert_eq!(reached.object(o).values, [crisol::lang::Value::Int(1)]);
    assert_eq!(inbox(&model, &reached).0, [""; 0]);
}

#[test]
fn a_guard_that_is_false_leaves_the_variables_as_they_were() {
    let body = "state S, T; S -> T : a(x) [x == 7];";
    let (model, at) = waiting(body, &["a"]);
    assert_eq!(events(&model, &at), ["IMPL"]);
    let reached = after(&model, &at);
    assert_eq!(
        reached.object(object(&model, "o")).values,
        [crisol::lang::Value::Int(0)]
    );
}

#[test]
fn transitions_without_a_trigger_compete_with_triggered_ones() {
    let (model, at) = waiting("state S, T; S -> T : a; S -> S;", &["a"]);
    assert_eq!(events(&model, &at), ["TRANS 1", "TRANS 0"]);
}

#[test]
fn nothing_is_consumed_or_deferred_while_the_object_has_an_enabled_transition() {
    // 2.3: "the object o has no enabled transitions", also none without a trigger.
    let (model, at) = waiting("state S, T; S -> T;", &["b"]);
    assert_eq!(events(&model, &at), ["TRANS 0"]);
    let (model, at) = waiting("state S { defer b; } state T; S -> T;", &["b"]);
    assert_eq!(events(&model, &at), ["TRANS 0"]);
}

#[test]
fn a_message_is_deferred_where_the_state_says_so_and_consumed_where_not() {
    let (model, at) = waiting("state S { defer b; } state T; S -> T : a;", &["b", "a"]);
    assert_eq!(events(&model, &at), ["DEFER"]);
    assert_eq!(
        inbox(&model, &after(&model, &at)),
        (vec!["a(2)".into()], vec!["b(1)".into()])
    );
    let (model, at) = waiting("state S; state T; S -> T : a;", &["b", "a"]);
    assert_eq!(events(&model, &at), ["IMPL"]);
    assert_eq!(
        inbox(&model, &after(&model, &at)),
        (vec!["a(2)".into()], vec![])
    );
}

#[test]
fn entering_a_flush_state_puts_deferred_messages_back_in_front_in_their_order() {
    // 2.2.5: concat(DeferQueue, InputQueue).
    let body = "state S { defer b; } state T; S -> T : a;";
    let (model, at) = waiting(body, &["b", "b", "a", "b"]);
    let deferred = after(&model, &after(&model, &at));
    assert_eq!(inbox(&model, &deferred).1, ["b(1)", "b(2)"]);
    let flushed = after(&model, &deferred);
    assert_eq!(
        inbox(&model, &flushed),
        (vec!["b(1)".into(), "b(2)".into(), "b(4)".into()], vec![])
    );
}

#[test]
fn a_state_without_flush_leaves_deferred_messages_set_aside() {
    let body = "state S { defer b; } state T { no flush; } S -> T : a;";
    let (model, at) = waiting(body, &["b", "a"]);
    let moved = after(&model, &after(&model, &at));
    assert_eq!(inbox(&model, &moved), (vec![], vec!["b(1)".into()]));
}

#[test]
fn a_transition_to_the_same_state_flushes_and_an_internal_one_does_not() {
    let (model, at) = waiting("state S { defer b; } S -> S : a;", &["b", "a"]);
    assert_eq!(
        inbox(&model, &after(&model, &after(&model, &at))).0,
        ["b(1)"]
    );
    let (model, at) = waiting("state S { defer b; on a; }", &["b", "a"]);
    assert_eq!(
        inbox(&model, &after(&model, &after(&model, &at))).1,
        ["b(1)"]
    );
}

#[test]
fn effects_run_in_order_and_the_step_is_atomic() {
    let model = model(
        "class C { int x; initial -> S; state S; final T;
           S -> T / { x = 1; assert x == 1; x = x + 1; assert x == 2; } }
         object o: C;
         property whole : never o.x == 1;",
    );
    assert!(
        holds(&model, "whole"),
        "nobody sees x between two statements"
    );
    assert!(holds(&model, "assertion_failure"));
}

#[test]
fn a_failed_assertion_ends_the_run() {
    let model = model(
        "class C { int x; initial -> S; state S; state T; final U;
           S -> T / { x = 1; assert x == 2; x = 3; }
           T -> U; }
         object o: C;
         property beyond : never o.x == 3;",
    );
    let trace = trace(&model, "assertion_failure");
    assert_eq!(trace.length(), 1);
    assert!(
        trace.steps[1].after.is_none(),
        "no configuration is left (⊥)"
    );
    assert!(holds(&model, "beyond"));
    assert_eq!(statistics(&model).states, 1);
}

#[test]
fn a_message_is_formed_with_the_values_at_the_time_of_the_send() {
    let model = model(
        "signal m(int v);
         class A { B b; int x = 5; initial -> S; state S; final T;
           S -> T / { send b.m(x); x = 6; send b.m(x); } }
         class B { int sum; initial -> S; quiescent state S; S -> S : m(v) / { sum = sum * 10 + v; } }
         object a: A { b = b; }
         object b: B;
         property in_order : never b.sum == 56;
         property wrong : never b.sum == 65 || b.sum == 66;",
    );
    assert_eq!(trace(&model, "in_order").length(), 3);
    assert!(holds(&model, "wrong"));
}

#[test]
fn messages_from_one_object_to_another_keep_their_order_when_one_is_deferred() {
    let model = model(
        "signal early, late;
         class A { B b; initial -> S; state S; final T; S -> T / { send b.early; send b.late; } }
         class B { initial -> First; state First { defer early; } state Second; final Both;
           First -> Second : late; Second -> Both : early; }
         object a: A { b = b; }
         object b: B;
         property both : never b in Both;",
    );
    assert_eq!(
        trace(&model, "both").length(),
        4,
        "send, defer, late, early"
    );
    assert!(holds(&model, "implicit_consumption"));
    assert!(holds(&model, "deadlock"));
}
