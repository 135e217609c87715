//! Reads that would be easily overlooked, and writes that are easily taken for certain. Each is
//! named after the mistake that it keeps out.

use crate::dead_variables::examples::example;

/// The plain case: `x` is dead in `S`, where it would have any of four values.
#[test]
fn a_variable_that_is_written_before_it_is_read_is_reset() {
    let text = "
        class A {
          int(0..3) x;
          initial -> S;
          state S, T;
          S -> T / { x = choose(0..3); }
          T -> S / { assert x < 4; }
        }
        object a: A;";
    example(text, (8, 5), &[("a in S", "x"), ("a in T", "")]);
}

#[test]
fn a_variable_that_is_never_read_is_always_dead() {
    let text = "
        class A {
          int(0..3) x = 2;
          initial -> S;
          state S;
          S -> S / { x = choose(0..3); }
        }
        object a: A;";
    example(text, (4, 1), &[("a in S", "x")]);
}

#[test]
fn what_an_assignment_reads_is_read_before_it_writes() {
    let text = "
        class A {
          wrap int(0..3) x;
          initial -> S;
          state S;
          S -> S / { x += 1; }
        }
        object a: A;";
    example(text, (4, 4), &[("a in S", "")]);
}

#[test]
fn a_variable_that_only_a_property_reads_is_kept() {
    let text = "
        class A {
          int(0..3) x;
          initial -> S;
          state S;
          S -> S / { x = choose(0..3); }
        }
        object a: A;
        property small : always a.x < 3;";
    example(text, (4, 4), &[("a in S", "")]);
}

#[test]
fn a_variable_that_only_a_temporal_property_reads_is_kept() {
    let text = "
        class A {
          int(0..3) x;
          initial -> S;
          state S;
          S -> S / { x = choose(0..3); }
        }
        object a: A;
        property again : ltl G F (a.x == 3);";
    example(text, (4, 4), &[("a in S", "")]);
}

#[test]
fn a_variable_that_another_object_reads_through_a_reference_is_kept() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          S -> S / { x = choose(0..1); }
        }
        class B {
          A it;
          initial -> S;
          state S, T;
          S -> T : [it.x == 1];
          T -> S;
        }
        object a: A;
        object b: B { it = a; }";
    example(text, (4, 4), &[("a in S", "")]);
}

#[test]
fn a_variable_that_an_object_of_the_same_class_reads_is_kept() {
    let text = "
        class A {
          A other;
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T / { x = choose(0..1); }
          T -> S : [other.x == 1];
        }
        object a: A { other = b; }
        object b: A { other = a; }";
    example(text, (16, 16), &[("a in S", "")]);
}

/// What others write does not matter as long as nobody but the object itself reads it.
#[test]
fn a_variable_that_another_object_writes_is_reset_all_the_same() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T / { x = 0; }
          T -> S : [x == 0];
        }
        class B {
          A it;
          initial -> S;
          state S;
          S -> S / { it.x = 1; }
        }
        object a: A;
        object b: B { it = a; }";
    example(text, (4, 3), &[("a in S", "x"), ("a in T", "")]);
}

#[test]
fn a_variable_that_is_only_an_index_is_read() {
    let text = "
        class A {
          int(0..1)[2] t = { 0, 1 };
          int(0..1) i;
          initial -> S;
          state S, T;
          S -> T / { i = choose(0..1); }
          T -> S / { t[i] = 0; }
        }
        object a: A;";
    // `t` is never read: what is left is where it would be written.
    example(
        text,
        (7, 3),
        &[("a in S", "t[0] t[1] i"), ("a in T", "t[0] t[1]")],
    );
}

#[test]
fn an_element_that_is_written_at_an_unknown_index_may_have_its_old_value() {
    let text = "
        class A {
          int(0..1)[2] t;
          int(0..1) i;
          initial -> S;
          state S, T;
          S -> T / { i = choose(0..1); t[i] = 1; }
          T -> S : [t[0] == 1 || t[1] == 1];
        }
        object a: A;";
    example(text, (9, 7), &[("a in S", "i"), ("a in T", "i")]);
}

#[test]
fn elements_are_told_apart_where_the_index_is_constant() {
    let text = "
        const LAST = 1;
        class A {
          int(0..1)[2] t;
          initial -> S;
          state S, T;
          S -> T / { t[LAST] = choose(0..1); }
          T -> S : [t[LAST] == t[LAST - 1] || true];
        }
        object a: A;";
    example(text, (4, 3), &[("a in S", "t[1]"), ("a in T", "")]);
}

#[test]
fn a_loop_that_writes_every_element_writes_them_for_certain() {
    let text = "
        class A {
          int(0..1)[2] t;
          initial -> S;
          state S, T;
          S -> T / { for (i in 0..1) { t[i] = choose(0..1); } }
          T -> S : [exists(e in t : e == 1) || true];
        }
        object a: A;";
    example(text, (8, 5), &[("a in S", "t[0] t[1]"), ("a in T", "")]);
}

#[test]
fn a_loop_may_have_no_rounds() {
    let text = "
        class A {
          int(0..1) x, n;
          initial -> S;
          state S, T;
          S -> T / { for (i in 1..n) { x = 0; } n = 0; }
          T -> S / { n = x; x = choose(0..1); }
        }
        object a: A;";
    example(text, (6, 6), &[("a in S", ""), ("a in T", "n")]);
}

#[test]
fn a_loop_whose_variable_is_changed_inside_does_not_go_through_all_elements() {
    let text = "
        class A {
          int(0..1)[2] t;
          initial -> S;
          state S, T;
          S -> T / { for (i in 0..1) { i = 0; t[i] = 0; } }
          T -> S : [t[0] + t[1] < 2] / { t[1] = choose(0..1); }
        }
        object a: A;";
    example(text, (4, 4), &[("a in S", "")]);
}

#[test]
fn a_loop_over_the_elements_of_an_array_reads_them() {
    let text = "
        class A {
          int(0..1)[2] t;
          initial -> S;
          state S, T;
          S -> T / { t[0] = choose(0..1); t[1] = 1 - t[0]; }
          T -> S / { for (e in t) { assert e < 2; } }
        }
        object a: A;";
    example(text, (5, 3), &[("a in S", "t[0] t[1]"), ("a in T", "")]);
}

#[test]
fn what_is_written_on_one_branch_of_an_effect_only_may_have_its_old_value() {
    let text = "
        class A {
          int(0..1) x, y;
          initial -> S;
          state S, T;
          S -> T / { y = choose(0..1); if (y == 0) { x = 1; } }
          T -> S : [x == 1 || y == 1];
        }
        object a: A;";
    example(text, (7, 5), &[("a in S", "y"), ("a in T", "")]);
}

#[test]
fn a_local_variable_of_the_same_value_is_no_write() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T / { int y = 0; y = 1; }
          T -> S : [x == 0] / { x = choose(0..1); }
          T -> S : [x == 1] / { x = choose(0..1); }
        }
        object a: A;";
    example(text, (4, 4), &[("a in S", ""), ("a in T", "")]);
}

#[test]
fn the_target_of_a_message_is_read() {
    let text = "
        signal Go;
        class A {
          B to;
          initial -> S;
          state S, T;
          S -> T / { to = choose { b1, b2 }; }
          T -> S / { send to.Go; }
        }
        class B {
          initial -> S;
          quiescent state S { on Go; }
        }
        object a: A;
        object b1, b2: B;
        inbox * capacity 1 on_full block;";
    example(text, (17, 12), &[("a in S", "to"), ("a in T", "")]);
}

#[test]
fn an_argument_of_a_message_is_read() {
    let text = "
        signal Go(int(0..1) n);
        class A {
          B b;
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T / { x = choose(0..1); }
          T -> S / { send b.Go(x); }
        }
        class B {
          initial -> S;
          quiescent state S { on Go(n) [n == 0]; on Go(n) [n == 1]; }
        }
        object a: A { b = b; }
        object b: B;
        inbox * capacity 1 on_full block;";
    example(text, (10, 9), &[("a in S", "x"), ("a in T", "")]);
}

#[test]
fn a_global_variable_with_one_reader_is_as_good_as_its_own() {
    let text = "
        int(0..1) g;
        class A {
          initial -> S;
          state S, T;
          S -> T / { g = 0; }
          T -> S : [g == 0];
        }
        class B {
          initial -> S;
          state S;
          S -> S / { g = 1; }
        }
        object a: A;
        object b: B;";
    let dead = &[("a in S", "g"), ("a in T", ""), ("b in S", "")];
    example(text, (4, 3), dead);
}

#[test]
fn a_global_variable_with_two_readers_is_kept() {
    let text = "
        int(0..1) g;
        class A {
          initial -> S;
          state S, T;
          S -> T / { g = choose(0..1); }
          T -> S : [g == 0];
        }
        object a, b: A;";
    example(text, (7, 7), &[("a in S", ""), ("b in S", "")]);
}

/// `tmp` is written by each before it reads it, in one step: nobody reads it from before.
#[test]
fn a_global_variable_inside_of_steps_only_is_always_dead() {
    let text = "
        int(0..1) tmp;
        class A {
          initial -> S;
          state S;
          S -> S / { tmp = choose(0..1); assert tmp < 2; }
        }
        object a, b: A;";
    example(text, (2, 1), &[("a in S", "tmp"), ("b in S", "")]);
}
