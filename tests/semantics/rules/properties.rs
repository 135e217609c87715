//! Built-in faults, declared properties, and what they can ask.

use super::*;

/// A fault of every kind in one system, each by an object of its own.
const ALL_WRONG: &str = "signal m, kept;
    class Asserts { initial -> S; quiescent state S, T; S -> T / { assert false; } }
    class Consumes { initial -> S / { send self.m; } quiescent state S; }
    class Keeps { initial -> S / { send self.kept; } quiescent state S; }
    class Overflows { initial -> S; quiescent state S, T; S -> T / { send self.m; send self.m; } }
    class Waits { initial -> S; state S; }
    class Divides { int z; initial -> S; quiescent state S, T; S -> T / { z = 1 / z; } }
    class Refers { Refers r; initial -> S; quiescent state S, T; S -> T / { r.r = null; } }
    object asserts: Asserts; object consumes: Consumes; object keeps: Keeps; object overflows: Overflows;
    object waits: Waits; object divides: Divides; object refers: Refers;
    inbox overflows capacity 1;";

const FAULTS: [&str; 6] = [
    "assertion_failure",
    "implicit_consumption",
    "overflow",
    "deadlock",
    "arithmetic_fault",
    "reference_fault",
];

#[test]
fn every_fault_is_a_property_unless_it_is_allowed() {
    assert_eq!(
        violated(&model(ALL_WRONG)),
        FAULTS.map(String::from)[..]
            .iter()
            .filter(|f| *f != "deadlock")
            .cloned()
            .collect::<Vec<_>>()
    );
    for allowed in FAULTS {
        let model = model(&format!("{ALL_WRONG} allow {allowed};"));
        assert!(!model.properties.iter().any(|p| p.name == allowed));
        assert!(!violated(&model).contains(&allowed.to_owned()));
    }
    let all = format!("{ALL_WRONG} allow {};", FAULTS.join(", "));
    assert_eq!(violated(&model(&all)), [""; 0]);
}

#[test]
fn implicit_consumption_can_be_allowed_for_single_signals() {
    let found = |line: &str| {
        let model = model(&format!("{ALL_WRONG} {line}"));
        violated(&model).contains(&"implicit_consumption".to_owned())
    };
    assert!(found("allow implicit_consumption of (m);"));
    assert!(found("allow implicit_consumption of (kept);"));
    assert!(!found("allow implicit_consumption of (m, kept);"));
    assert!(!found(
        "allow implicit_consumption of (m), implicit_consumption of (kept);"
    ));
    let wrong = format!("{ALL_WRONG} allow overflow of (m);");
    assert_eq!(codes(&wrong), ["E177"]);
}

#[test]
fn a_fault_can_be_asked_for_of_some_objects_although_it_is_allowed() {
    let text = format!(
        "{ALL_WRONG} allow implicit_consumption;
         property one : never implicit_consumption of consumes;
         property other : never implicit_consumption of divides, refers;
         property both : never implicit_consumption of divides, keeps;"
    );
    let found = violated(&model(&text));
    assert!(found.contains(&"one".to_owned()) && found.contains(&"both".to_owned()));
    assert!(!found.contains(&"other".to_owned()));
}

#[test]
fn always_and_never_look_at_every_state_that_is_reached() {
    let text =
        "class C { int(0..3) n; initial -> S; quiescent state S; S -> S : [n < 3] / { n++; } }
        object o: C;
        property small : always o.n < 3; property all : always o.n <= 3;
        property never_two : never o.n == 2; property never_four : never o.n == 4;
        property at_start : always o.n != 0;";
    let model = model(text);
    assert_eq!(violated(&model), ["small", "never_two", "at_start"]);
    assert_eq!(trace(&model, "small").length(), 3);
    assert_eq!(trace(&model, "never_two").length(), 2);
    assert_eq!(trace(&model, "at_start").length(), 0);
}

#[test]
fn a_property_that_can_not_be_evaluated_is_violated_and_says_why() {
    let text = "class C { C next; int z; initial -> S; quiescent state S; S -> S : [next != null] / { next = null; } }
        object o: C { next = o; }
        property p : always o.next.z == 0; property q : always 1 / o.z == 1;";
    let (fault, blamed) = blame(text, "p");
    assert_eq!(blamed, "o.next.z");
    assert_eq!(fault.kind.name(), "reference_fault");
    assert_eq!(trace(&model(text), "p").length(), 1);
    assert_eq!(blame(text, "q").1, "1 / o.z");
}

#[test]
fn quantifiers_run_over_objects_ranges_and_arrays() {
    let model = model(
        "int[3] g = { 2, 3, 4 };
         class C { int id; int[2] a = { 5, 6 }; initial -> S; quiescent state S, T; S -> T; }
         object pool[3]: C { id = index; }
         property some : always exists(p in pool : p.id == 2);
         property none : always !exists(p in pool : p.id == 3);
         property each : always forall(p in pool : p.id < 3 && forall(v in p.a : v > 4));
         property range : always forall(i in 0..2 : g[i] == i + 2);
         property empty : always forall(i in 1..0 : false) && !exists(i in 1..0 : true) && count(i in 1..0 : true) == 0;
         property elements : always count(v in g : v >= 3) == 2;
         property at_most_two : always count(p in pool : p in T) <= 2;
         property nested : always exists(p in pool : exists(q in pool : p != q && q.id == p.id + 1));",
    );
    assert_eq!(violated(&model), ["at_most_two"]);
    assert_eq!(trace(&model, "at_most_two").length(), 3);
}

#[test]
fn quantifiers_stand_in_guards_and_effects_too() {
    passes(
        "",
        "int[3] a = { 1, 2, 3 };",
        "assert forall(v in a : v > 0); assert count(i in 0..2 : a[i] > 1) == 2;",
    );
    let body = "initial -> S; state S, T; S -> T : [exists(i in 0..3 : i == x + 3)] / { L(1) }";
    assert_eq!(story(body, &[]), told("1", "T"));
}

#[test]
fn queued_tells_what_waits_and_queued_before_in_which_order() {
    let model = model(
        "signal a, b;
         class Sender { R r; initial -> S; state S, T; final U; S -> T / { send r.a; } T -> U / { send r.b; } }
         class R { initial -> S; quiescent state S { defer a; } quiescent state T { ignore b; no flush; } S -> T : b; }
         object s: Sender { r = r; } object r, q: R;
         property a_waits : never queued(r.a); property any_a : never queued(a);
         property elsewhere : never queued(q.a);
         property in_order : never queued_before(r.a, r.b);
         property other_order : never queued_before(r.b, r.a);
         property before_itself : never queued_before(r.a, r.a);
         property set_aside : never r in T && queued(r.a);",
    );
    assert_eq!(violated(&model), ["a_waits", "any_a", "in_order"]);
    assert_eq!(trace(&model, "a_waits").length(), 1);
    assert_eq!(trace(&model, "in_order").length(), 2);
}

#[test]
fn queued_looks_into_the_queue_of_the_thread() {
    let model = model(
        "signal a, b;
         class C { C other; initial -> S; state S; final T; S -> T / { send other.a; send self.b; } }
         class D { initial -> S; quiescent state S { ignore a; } }
         object o: C { other = o; }
         semantics run_to_completion with initial_step;
         allow implicit_consumption;
         property order : never queued_before(o.a, o.b); property a_waits : never queued(o.a) && idle(o);",
    );
    assert_eq!(violated(&model), ["order", "a_waits"]);
}

#[test]
fn enabled_tells_whether_an_object_has_a_transition_to_take() {
    let model = model(
        "signal m;
         class A { B b; initial -> S; state S; final T; S -> T / { send b.m; } }
         class B { initial -> S; state S; final T; S -> T : m; }
         object a: A { b = b; } object b: B;
         property a_can : always enabled(a) || a in T; property b_never : never enabled(b);
         property b_before : never enabled(b) && a in S; property after : never enabled(b) && b in T;",
    );
    assert_eq!(violated(&model), ["b_never"]);
    assert_eq!(trace(&model, "b_never").length(), 1);
}

#[test]
fn enabled_goes_by_the_rules_of_run_to_completion() {
    let model = model(
        "external signal go;
         class C { bool open; initial -> A; quiescent state A { ignore go; } quiescent state B { ignore go; } A -> B : [open]; }
         class Opener { initial -> S; quiescent state S; S -> S : go / { o.open = true; } }
         object o: C; object opener: Opener;
         semantics run_to_completion;
         environment eager;
         inbox * capacity 1;
         property internal_only : never enabled(o) && o in A && !o.open;",
    );
    assert!(
        !holds(&model, "internal_only"),
        "`ignore go` is a transition for go"
    );
    let message_first = "signal m, other;
        class C { initial -> A / { send self.m; } quiescent state A, B; A -> B : [true || A2]; bool A2; }
        object o: C; semantics run_to_completion; allow implicit_consumption;
        property p : never enabled(o) && !idle(o);";
    let model = crate::rules::model(message_first);
    assert!(
        holds(&model, "p"),
        "nothing takes m, and before its end nothing else is possible"
    );
}

#[test]
fn idle_tells_whether_an_object_is_between_steps() {
    let model = model(
        "external signal go;
         class C { initial -> S; quiescent state S; S -> S : go; } object o, p: C;
         semantics run_to_completion;
         property o_idle : always idle(o); property one : always idle(o) || idle(p);
         property at_rtc : always idle(o) && idle(p) at rtc;",
    );
    assert_eq!(violated(&model), ["o_idle", "one"]);
    let interleaving = "class C { initial -> S; quiescent state S; S -> S; } object o: C; property p : always idle(o);";
    assert!(holds(&crate::rules::model(interleaving), "p"));
}

#[test]
fn states_and_messages_can_be_asked_about_in_properties_only_where_that_is_possible() {
    let text = "signal m; class C { initial -> S; state S; S -> S : [%]; } object o: C;";
    for asked in [
        "queued(o.m)",
        "queued_before(o.m, o.m)",
        "enabled(o)",
        "idle(o)",
    ] {
        assert_eq!(codes(&text.replace('%', asked)), ["E131"], "{asked}");
    }
    model(&text.replace('%', "o in S"));
    let choice = "class C { initial -> S; state S, T; choice P; S -> P; P -> T; } object o: C; property p : never o in P;";
    assert_eq!(codes(choice), ["E152"]);
}

#[test]
fn a_deadlock_needs_an_object_that_may_not_rest() {
    let found = |states: &str| {
        let text = format!(
            "class C {{ initial -> S; {states} }}
             class Rests {{ initial -> S; quiescent state S; }}
             object o: C; object r: Rests;"
        );
        violated(&model(&text))
    };
    assert_eq!(found("state S;"), ["deadlock"]);
    assert_eq!(found("quiescent state S;"), [""; 0]);
    assert_eq!(found("final S;"), [""; 0]);
    assert_eq!(
        found("state S { initial -> A; quiescent state A; }"),
        [""; 0]
    );
    assert_eq!(
        found("quiescent state S { initial -> A; state A; }"),
        [""; 0]
    );
    assert_eq!(found("state S { initial -> A; final A; }"), ["deadlock"]);
    let regions = "state S { region r { initial -> A; quiescent state A; } region s { initial -> B; state B; } }";
    assert_eq!(found(regions), [""; 0]);
    assert_eq!(found("state S; S -> S;"), [""; 0], "a step is possible");
}

#[test]
fn a_deadlock_says_who_waits_where_and_can_be_asked_of_some() {
    let text = "class C { initial -> K; state K { initial -> A; state A; } }
        class D { initial -> S; quiescent state S; }
        object o: C; object d: D;
        property of_o : never deadlock of o; property of_d : never deadlock of d;";
    let model = model(text);
    assert_eq!(violated(&model), ["deadlock", "of_o"]);
    let message = fault_of(&model, "deadlock").message;
    assert_eq!(message, "nothing can happen any more: o waits in A");
}

#[test]
fn never_nondeterminism_finds_transitions_that_exclude_each_other() {
    let text = "signal m;
        class C { int x; initial -> S / { send self.m; } quiescent state S, T; quiescent state U; S -> T : m; S -> U : m [x == %]; }
        class D { initial -> K / { send self.m; } quiescent state K {
          region r { initial -> A; state A, B; A -> B : m; } region s { initial -> P; state P, Q; P -> Q : m; } } }
        object o: C; object d: D;
        property all : never nondeterminism; property of_o : never nondeterminism of o;
        property of_d : never nondeterminism of d;";
    let text = text.replace(
        "quiescent state S, T; quiescent state U;",
        "quiescent state S, T, U;",
    );
    assert_eq!(violated(&model(&text.replace('%', "0"))), ["all", "of_o"]);
    assert_eq!(
        violated(&model(&text.replace('%', "1"))),
        [""; 0],
        "regions react together"
    );
    let (fault, blamed) = blame(&text.replace('%', "0"), "all");
    assert_eq!(blamed, "S -> U : m [x == 0];");
    assert_eq!(
        fault.message,
        "o can take `S -> T : m` or `S -> U : m [x == 0]`"
    );
}

#[test]
fn transitions_without_a_trigger_compete_with_those_for_the_message() {
    let text = "signal m; class C { initial -> S / { send self.m; } quiescent state S, T; S -> T : m; S -> T; T -> T : m; }
        object o: C; property p : never nondeterminism;";
    assert_eq!(violated(&model(text)), ["p"]);
    let rtc = format!("{text} semantics run_to_completion;");
    assert_eq!(violated(&model(&rtc)), [""; 0], "the message goes first");
}

#[test]
fn formulas_and_livelock_are_unknown_and_say_why() {
    let model = model(
        "signal m(int v);
         class C { initial -> S / { send self.m(3); } quiescent state S; S -> S : m; } object o: C;
         property answered : ltl G (o in S -> F sent(o.m(x) | x > 2)) && (true U o in S) && X true;
         property got : ltl F received(o.m) || G true W false R true;
         property moves : never livelock;
         property plain : always true;",
    );
    for (property, reason) in [
        (
            "answered",
            "temporal formulas are not checked by this version of crisol",
        ),
        (
            "got",
            "temporal formulas are not checked by this version of crisol",
        ),
        ("moves", "livelock is not checked by this version of crisol"),
    ] {
        match verdict(&model, property) {
            Verdict::Unknown(unknown) => assert_eq!(unknown.to_string(), reason),
            other => panic!("{property} is {}", other.name()),
        }
    }
    assert!(holds(&model, "plain"));
}

#[test]
fn temporal_operators_are_names_elsewhere() {
    passes(
        "int G = 1;",
        "int F = 2, U = 3;",
        "assert G + F + U == 6; int X = 4; assert X == 4;",
    );
    let wrong =
        "class C { initial -> S; state S; } object o: C; property p : always sent(o.m); signal m;";
    assert_eq!(codes(wrong), ["E132"]);
}
