//! Locals, conditions, loops and choices in effects.

use super::*;

#[test]
fn locals_live_to_the_end_of_their_block() {
    let effect = "int a = 2; if (a == 2) { int b = a + 1; x = b; } { }";
    assert!(
        !errors(&program("", "int x;", effect)).is_empty(),
        "no bare blocks"
    );
    let effect = "int a = 2; if (a == 2) { int b = a + 1; x = b; }
                  for (i in 0..1) { int b; assert b == 0; b = 5; x += b; }
                  assert x == 13; bool t; assert !t; C c; assert c == null; int(4..5) d; assert d == 4;";
    passes("", "int x;", effect);
    let outside = "if (true) { int b = 1; } x = b;";
    assert_eq!(codes(&program("", "int x;", outside)), ["E101"]);
    let loop_variable = "for (i in 0..1) { } x = i;";
    assert_eq!(codes(&program("", "int x;", loop_variable)), ["E101"]);
}

#[test]
fn a_local_hides_nothing() {
    assert_eq!(codes(&program("", "int x;", "int x = 1;")), ["E102"]);
    assert_eq!(codes(&program("int g;", "", "int g = 1;")), ["E102"]);
    assert_eq!(
        codes(&program("", "", "int a; if (true) { int a; }")),
        ["E102"]
    );
    assert_eq!(
        codes(&program("", "", "int i; for (i in 0..1) { }")),
        ["E102"]
    );
}

#[test]
fn locals_of_exit_and_entry_actions_leave_those_of_the_transition_alone() {
    let model = model(
        "signal m(int v);
         class C { int seen, last;
           initial -> S / { send self.m(3); }
           state S { exit / { int v = 7; for (k in 0..1) { last = v + k; } } }
           state T { entry / { int v = 9; } }
           choice Which;
           final Done;
           S -> Which : m(v) / { seen = v; }
           Which -> Done : [v == 3] / { assert v == 3; }
           Which -> T : [else]; }
         object o: C;
         property unfinished : never o in Done;",
    );
    assert_eq!(violated(&model), ["unfinished"]);
    let at = reached(&model, "unfinished");
    assert_eq!(number(&model, &at, "o", "seen"), 3);
    assert_eq!(number(&model, &at, "o", "last"), 8);
}

#[test]
fn if_and_else_take_one_way_each() {
    let effect = "for (i in 0..3) {
                    if (i == 0) { x += 1; } else if (i == 1) { x += 10; } else { x += 100; } }
                  assert x == 211; if (x < 0) { assert false; }";
    passes("", "int x;", effect);
}

#[test]
fn for_runs_over_ranges_arrays_and_objects() {
    let effect = "for (i in 1..4) { x = x * 10 + i; } assert x == 1234;
                  for (i in 3..2) { assert false; }
                  x = 0; for (i in -1..1) { x += i * i; } assert x == 2;
                  x = 0; for (v in a) { x = x * 10 + v; } assert x == 456;
                  for (i in 0..2) { for (j in 0..i) { y++; } } assert y == 6;
                  for (i in 0..2) { a[i] = i; } assert a[0] == 0 && a[2] == 2;";
    passes("", "int x, y; int[3] a = { 4, 5, 6 };", effect);
    let model = model(
        "signal go;
         class Boss { int sum; Worker best; initial -> S; state S; final Done;
           S -> Done / { for (w in pool) { send w.go; sum += w.id; if (w.id == 2) { best = w; } } } }
         class Worker { int id; initial -> S; state S; final T; S -> T : go; }
         object pool[3]: Worker { id = index + 1; }
         object boss: Boss;
         property all_go : never forall(w in pool : w in T);
         property sum : always boss in Done -> boss.sum == 6 && boss.best == pool[1];",
    );
    assert_eq!(violated(&model), ["all_go"]);
    assert_eq!(trace(&model, "all_go").length(), 4);
}

#[test]
fn the_bounds_and_elements_of_a_loop_are_known_before_its_first_round() {
    let effect = "for (i in 0..n) { n = 5; x++; } assert x == 3;
                  for (v in a) { a[1] = 9; x += v; } assert x == 6;";
    passes("", "int n = 2, x; int[2] a = { 1, 2 };", effect);
}

#[test]
fn a_loop_variable_can_be_changed_without_changing_the_rounds() {
    passes(
        "",
        "int x;",
        "for (i in 0..2) { i = i * 10; x += i; } assert x == 30;",
    );
}

/// The values of `o.x` when it is done.
fn outcomes(variables: &str, effect: &str) -> Vec<i64> {
    let text = program("", &format!("int x; {variables}"), effect);
    let model = model(&text);
    let semantics = crisol::csm::Semantics::exact(&model);
    let steps = semantics.successors(&start(&model));
    let mut values: Vec<i64> = steps
        .into_iter()
        .map(|step| match step.result {
            crisol::system::Target::State(at) => number(&model, &at, "o", "x"),
            other => panic!("{other:?}"),
        })
        .collect();
    values.dedup();
    values
}

#[test]
fn choose_gives_every_value_of_a_range_or_set() {
    assert_eq!(outcomes("", "x = choose(2..5);"), [2, 3, 4, 5]);
    assert_eq!(outcomes("int n = 1;", "x = choose(-n..n);"), [-1, 0, 1]);
    assert_eq!(outcomes("", "x = choose(4..4);"), [4]);
    assert_eq!(
        outcomes("int n = 3;", "x = choose { 1, n, n * n };"),
        [1, 3, 9]
    );
    assert_eq!(outcomes("", "x = choose { 5 };"), [5]);
    let twice = "x = choose(0..1) * 10 + choose(0..1);";
    assert_eq!(outcomes("", twice), [0, 1, 10, 11]);
    let in_loop = "for (i in 0..2) { x = x * 2 + choose(0..1); }";
    assert_eq!(outcomes("", in_loop), [0, 1, 2, 3, 4, 5, 6, 7]);
    let condition = "if (choose { true, false }) { x = 1; } else { x = choose(2..3); }";
    assert_eq!(outcomes("", condition), [1, 2, 3]);
}

#[test]
fn choose_takes_truth_values_literals_and_objects() {
    let model = model(
        "enum Colour { Red, Green, Blue }
         class C { Colour c; C other; bool b; initial -> S; quiescent state S; quiescent state T;
           S -> T / { c = choose { Red, Blue }; other = choose { null, o, p }; b = choose { true, c == Red }; } }
         object o, p: C;
         property green : never o.c == Green;
         property other : never o.c == Blue && o.other == p && !o.b;
         property red : always o in T && o.c == Red -> o.b;",
    );
    assert_eq!(violated(&model), ["other"]);
    assert_eq!(trace(&model, "other").length(), 1);
}

#[test]
fn choose_is_for_effects_only() {
    let text = "class C { initial -> S; state S; S -> S : [choose { true, false }]; } object o: C;";
    assert_eq!(codes(text), ["E130"]);
}

#[test]
fn a_place_is_found_after_the_value_that_goes_there() {
    // `x = e`: a value that is wrong is blamed before a place that is.
    goes_wrong(
        "int[2] a; int i = 5; int z;",
        "a[i] = 1 / z;",
        "arithmetic_fault",
        "1 / z",
    );
}

#[test]
fn an_effect_may_stand_without_braces() {
    let model = model(
        "signal m;
         class C { int x; initial -> S / x = 3; state S; final Done;
           S -> S : m / x++;
           S -> Done / x = x + 1; }
         object o: C;
         property four : never o.x == 4;",
    );
    assert_eq!(violated(&model), ["four"]);
}
