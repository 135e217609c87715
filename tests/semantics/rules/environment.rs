//! External signals, and the two kinds of environment.

use super::*;
use crisol::lang::Environment;

fn both(text: &str) -> [Model; 2] {
    ["lazy", "eager"].map(|kind| model(&format!("{text} environment {kind};")))
}

#[test]
fn the_environment_sends_to_every_class_that_names_the_signal() {
    let model = model(
        "external signal go, stop, hold;
         class A { initial -> S; quiescent state S { ignore stop; } S -> S : go; }
         class B { initial -> S; quiescent state S { ignore hold; } }
         class D { initial -> S; quiescent state S; }
         object a: A; object b: B; object d: D;",
    );
    let offered = |name: &str| {
        let messages = &model.object(object(&model, name)).from_environment;
        messages
            .iter()
            .map(|m| model.show_message(m))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(offered("a"), "go stop");
    assert_eq!(offered("b"), "hold");
    assert_eq!(offered("d"), "");
}

#[test]
fn the_environment_sends_to_those_that_are_named() {
    let text = "external signal go to pool[1], lone;
        class C { initial -> S; state S; state T { ignore go; } S -> T : go; }
        object pool[3]: C; object lone: C;
        allow deadlock;
        property first : never pool[0] in T; property second : never pool[1] in T;
        property lone : never lone in T;";
    for model in both(text) {
        assert_eq!(violated(&model), ["second", "lone"]);
    }
}

#[test]
fn the_environment_picks_any_value_for_each_parameter() {
    let text = "enum Colour { Red, Green }
        external signal go(int(1..3) n, Colour c, bool b, C who);
        class C { int sum; C last; initial -> S; quiescent state S;
          S -> S : go(n, c, b, who) / { sum = n * 100 + (c == Green ? 10 : 0) + (b ? 1 : 0); last = who; } }
        object o, p: C;
        property largest : never o.sum == 311 && o.last == p;
        property smallest : never o.sum == 100 && o.last == null;
        property beyond : never o.sum > 311 || (o.sum < 100 && o.sum != 0);";
    let lazy = model(text);
    assert_eq!(lazy.objects[0].from_environment.len(), 3 * 2 * 2 * 3);
    assert_eq!(violated(&lazy), ["largest", "smallest"]);
    let unbounded =
        "external signal go(nat n); class C { initial -> S; state S; S -> S : go; } object o: C;";
    assert_eq!(codes(unbounded), ["E181"]);
    assert_eq!(codes(&unbounded.replace("nat", "int")), ["E181"]);
}

/// A lamp with a signal of its own beside those of the environment.
const LAMP: &str = "external signal press, hold; signal tick;
    class Lamp { Timer timer; int(0..3) n; initial -> Off; quiescent state Off { ignore tick, hold; } state On, Bright;
      Off -> On : press / { send timer.tick; n = 0; }
      On -> Bright : press; On -> Off : tick; Bright -> Off : tick / { assert n < 2; }
      On -> On : hold [n < 3] / { n++; } }
    class Timer { Lamp lamp; initial -> S; quiescent state S; state T; S -> T : tick; T -> S / { send lamp.tick; } }
    object lamp: Lamp { timer = timer; } object timer: Timer { lamp = lamp; }
    allow implicit_consumption;
    property dark : never lamp in Bright;
    property never_three : never lamp.n == 3;
    property waits : never lamp in On && timer in T;
    property not_both : never lamp in Bright && lamp.n == 4 - 4 && timer in S && !queued(tick);";

#[test]
fn lazy_and_eager_give_the_same_verdicts() {
    for semantics in ["interleaving", "run_to_completion"] {
        let text = format!("{LAMP} semantics {semantics}; inbox * capacity 3 on_full cut;");
        let [lazy, eager] = both(&text);
        assert_eq!(violated(&lazy), violated(&eager), "{semantics}");
        assert!(statistics(&lazy).states < statistics(&eager).states);
    }
}

#[test]
fn an_eager_environment_does_not_send_into_a_full_inbox() {
    let model = model(
        "external signal go;
         class C { initial -> S; quiescent state S; S -> S : go; } object o: C;
         inbox o capacity 2; environment eager;
         property full : never count(i in 0..0 : queued(o.go)) > 1;",
    );
    assert_eq!(violated(&model), [""; 0]);
    assert_eq!(
        statistics(&model).states,
        3,
        "none, one or two messages wait"
    );
}

#[test]
fn eager_is_chosen_where_the_model_can_see_the_difference() {
    let text = |state: &str, property: &str| {
        format!(
            "external signal go; signal m;
             class C {{ initial -> S; quiescent state S {{ {state} }} state T; S -> S : go; T -> T : m; }}
             object o: C; property p : {property};"
        )
    };
    let kind = |state: &str, property: &str| model(&text(state, property)).environment;
    assert_eq!(kind("", "always true"), Environment::Lazy);
    assert_eq!(kind("", "never queued(o.m)"), Environment::Lazy);
    assert_eq!(kind("defer m;", "always true"), Environment::Lazy);
    assert_eq!(kind("", "never queued(o.go)"), Environment::Eager);
    assert_eq!(
        kind("", "never queued_before(o.m, o.go)"),
        Environment::Eager
    );
    assert_eq!(kind("defer go;", "always true"), Environment::Eager);
    assert_eq!(kind("", "never enabled(o)"), Environment::Eager);
    for (state, property) in [
        ("", "never queued(o.go)"),
        ("defer go;", "always true"),
        ("", "never enabled(o)"),
    ] {
        assert_eq!(
            codes(&(text(state, property) + "environment lazy;")),
            ["E182"]
        );
    }
}

#[test]
fn what_is_enabled_counts_messages_of_the_environment() {
    let model = model(
        "external signal go;
         class C { initial -> S; quiescent state S; S -> S : go; } object o: C;
         property p : never enabled(o);",
    );
    assert_eq!(trace(&model, "p").length(), 1, "once one has been sent");
}

#[test]
fn the_environment_sending_what_would_be_thrown_away_does_not_hide_a_deadlock() {
    for model in both(
        "external signal go;
         class C { initial -> S; state S, T; S -> T : go; } object o: C; allow implicit_consumption;",
    ) {
        assert_eq!(violated(&model), ["deadlock"]);
    }
}

#[test]
fn external_signals_are_sent_by_the_environment_only() {
    let text = program("external signal go;", "", "send self.go;");
    assert_eq!(codes(&text), ["E142"]);
    let text = "signal m to o; class C { initial -> S; state S; S -> S : m; } object o: C;";
    assert_eq!(codes(text), ["E180"]);
}
