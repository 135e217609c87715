//! Reads and writes that depend on how machines move. Each is named after the mistake that it keeps
//! out.

use crate::dead_variables::examples::example;

#[test]
fn the_exit_action_of_an_outer_state_reads_for_all_states_inside() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            exit / { assert x == 0; }
            initial -> In;
            state In, Out;
            In -> Out;
          }
          S -> Outer / { x = choose(0..1); }
          Outer.Out -> S;
        }
        object a: A;";
    let dead = &[
        ("a in S", "x"),
        ("a in Outer and In", ""),
        ("a in Outer and Out", ""),
    ];
    example(text, (5, 5), dead);
}

#[test]
fn the_exit_action_of_an_inner_state_reads_when_the_outer_one_is_left() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            initial -> In;
            state In { exit / { assert x == 0; } }
            state Quiet;
          }
          S -> Outer / { x = choose(0..1); }
          S -> Outer.Quiet / { x = choose(0..1); }
          Outer -> S;
        }
        object a: A;";
    let dead = &[
        ("a in S", "x"),
        ("a in Outer and In", ""),
        ("a in Outer and Quiet", "x"),
    ];
    example(text, (6, 4), dead);
}

#[test]
fn the_exit_action_of_a_source_writes_before_the_effect_reads() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state T { exit / { x = 0; } }
          S -> T / { x = choose(0..1); }
          T -> S / { assert x == 0; }
        }
        object a: A;";
    example(text, (3, 2), &[("a in S", "x"), ("a in T", "x")]);
}

#[test]
fn the_exit_action_of_an_inner_state_need_not_be_run() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            initial -> In;
            state In { exit / { x = 0; } }
            state Quiet;
          }
          S -> Outer / { x = choose(0..1); }
          S -> Outer.Quiet / { x = choose(0..1); }
          Outer -> S / { assert x == 0; }
        }
        object a: A;";
    let dead = &[
        ("a in S", "x"),
        ("a in Outer and In", ""),
        ("a in Outer and Quiet", ""),
    ];
    example(text, (5, 5), dead);
}

#[test]
fn a_transition_inside_a_state_does_not_run_its_exit_action() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            exit / { x = 0; }
            initial -> In;
            state In, Out;
            In -> Out;
          }
          S -> Outer / { x = choose(0..1); }
          Outer.Out -> S : [x < 2];
        }
        object a: A;";
    let dead = &[
        ("a in S", "x"),
        ("a in Outer and In", ""),
        ("a in Outer and Out", ""),
    ];
    example(text, (5, 5), dead);
}

#[test]
fn an_entry_action_reads_for_those_who_enter() {
    let text = "
        class A {
          int(0..1) x, y;
          initial -> S;
          state S, U;
          state T { entry / { y = x; x = 0; } }
          U -> S / { x = choose(0..1); }
          S -> T;
          T -> U : [y < 2];
        }
        object a: A;";
    let dead = &[("a in S", "y"), ("a in T", "x"), ("a in U", "x y")];
    example(text, (8, 5), dead);
}

#[test]
fn an_initial_effect_is_not_run_when_a_state_is_entered_by_name() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          state Outer {
            initial -> In / { x = 0; }
            state In;
          }
          S -> Outer;
          T -> Outer.In;
          Outer.In -> S : [x == 0] / { x = choose(0..1); }
          Outer.In -> T : [x == 0] / { x = choose(0..1); }
          Outer.In -> S : [x == 1];
        }
        object a: A;";
    let dead = &[("a in S", "x"), ("a in T", ""), ("a in Outer and In", "")];
    example(text, (6, 5), dead);
}

#[test]
fn history_comes_back_to_a_state_that_reads() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            history;
            initial -> P;
            state P, Q;
            P -> Q / { x = choose(0..1); }
            Q -> P : [x == 0];
          }
          S -> Outer;
          Outer.Q -> S;
        }
        object a: A;";
    // Outside the history is still known: S comes after P (at the start) or Q.
    let dead = &[
        ("a in S", ""),
        ("a in Outer and P", "x"),
        ("a in Outer and Q", ""),
    ];
    example(text, (6, 6), dead);
}

#[test]
fn a_region_with_history_need_not_run_its_initial_effect() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            history;
            initial -> P / { x = 0; }
            state P;
            P -> P : [x < 2] / { x = choose(0..1); }
          }
          S -> Outer;
          Outer.P -> S;
        }
        object a: A;";
    // In S it is known whether P was there before.
    example(text, (5, 5), &[("a in S", ""), ("a in Outer and P", "")]);
}

#[test]
fn deep_history_comes_back_to_a_state_at_any_depth() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            initial -> Middle;
            state Middle {
              initial -> P;
              state P, Q;
              P -> Q / { x = choose(0..1); }
              Q -> P : [x == 0];
            }
          }
          S -> Outer.deep_history;
          Outer.Middle.Q -> S;
        }
        object a: A;";
    let dead = &[("a in S", ""), ("a in Outer and Middle and P", "x")];
    example(text, (6, 6), dead);
}

#[test]
fn shallow_history_does_not_come_back_to_what_lies_deeper() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            initial -> Middle;
            state Middle {
              initial -> P;
              state P, Q;
              P -> Q / { x = choose(0..1); }
              Q -> P : [x == 0];
            }
          }
          S -> Outer.history;
          Outer.Middle.Q -> S;
        }
        object a: A;";
    let dead = &[("a in S", "x"), ("a in Outer and Middle and P", "x")];
    example(text, (6, 4), dead);
}

#[test]
fn an_orthogonal_region_reads_what_another_one_has_just_written() {
    let text = "
        class A {
          int(0..1) x;
          initial -> W;
          state W {
            region a {
              initial -> A0;
              state A0, A1;
              A0 -> A1 / { x = choose(0..1); }
              A1 -> A0;
            }
            region b {
              initial -> B0;
              state B0, B1;
              B0 -> B1 : [x == 1];
              B1 -> B0;
            }
          }
        }
        object a: A;";
    example(
        text,
        (8, 8),
        &[("a in W and A0 and B0", ""), ("a in W and A1 and B1", "")],
    );
}

#[test]
fn only_the_regions_that_read_a_variable_decide_about_it() {
    let text = "
        class A {
          int(0..1) x;
          initial -> W;
          state W {
            region a {
              initial -> A0;
              state A0;
              A0 -> A0 / { x = choose(0..1); }
            }
            region b {
              initial -> B0;
              state B0, B1;
              B0 -> B1 / { x = 0; }
              B1 -> B0 : [x == 1];
            }
          }
        }
        object a: A;";
    example(
        text,
        (4, 3),
        &[("a in W and A0 and B0", "x"), ("a in W and A0 and B1", "")],
    );
}

#[test]
fn a_region_reads_after_another_one_in_the_same_step() {
    let text = "
        external signal Go;
        class A {
          int(0..1) x, y;
          initial -> W;
          state W {
            region a {
              initial -> A0;
              state A0;
              A0 -> A0 : Go / { x = choose(0..1); }
            }
            region b {
              initial -> B0;
              state B0;
              B0 -> B0 : Go / { y = x; }
            }
          }
        }
        object a: A;
        property never_told : always a.y == 0;";
    example(text, (4, 4), &[("a in W and A0 and B0", "")]);
}

#[test]
fn a_choice_decides_after_the_effect() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T, U;
          choice C;
          S -> C / { x = choose(0..1); }
          C -> T : [x == 0];
          C -> U : [else];
          T -> S;
          U -> S : [x == 1];
        }
        object a: A;";
    example(
        text,
        (4, 3),
        &[("a in S", "x"), ("a in T", "x"), ("a in U", "")],
    );
}

#[test]
fn what_a_choice_asks_for_is_read() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T, U;
          choice C;
          S -> C;
          C -> T : [x == 0];
          C -> U : [else];
          T -> S / { x = choose(0..1); }
          U -> S / { x = choose(0..1); }
        }
        object a: A;";
    example(
        text,
        (4, 4),
        &[("a in S", ""), ("a in T", "x"), ("a in U", "x")],
    );
}

#[test]
fn what_one_branch_of_a_choice_writes_may_have_its_old_value_after_another() {
    let text = "
        class A {
          int(0..1) x, y;
          initial -> S;
          state S, T, U;
          choice C;
          S -> C / { y = choose(0..1); }
          C -> T : [y == 0] / { x = 0; }
          C -> T : [else];
          T -> U : [x < 2];
          U -> S / { x = choose(0..1); }
        }
        object a: A;";
    let dead = &[("a in S", "y"), ("a in T", "y"), ("a in U", "x y")];
    example(text, (10, 5), dead);
}

#[test]
fn each_branch_of_a_choice_goes_its_own_way() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T, U;
          choice C;
          S -> C;
          C -> T / { x = choose(0..1); }
          C -> U;
          T -> S : [x < 2];
          U -> S;
        }
        object a: A;
        allow nondeterminism;";
    example(
        text,
        (6, 4),
        &[("a in S", "x"), ("a in T", ""), ("a in U", "x")],
    );
}

#[test]
fn a_branch_that_leaves_more_runs_more_exit_actions() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state Outer {
            exit / { assert x == 0; }
            initial -> In;
            state In;
            choice C;
            In -> C;
          }
          S -> Outer / { x = choose(0..1); }
          Outer.C -> S;
        }
        object a: A;";
    example(text, (3, 3), &[("a in S", "x"), ("a in Outer and In", "")]);
}

#[test]
fn a_circle_of_choices_has_an_end() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          choice C, D;
          S -> C;
          C -> D / { x = choose(0..1); }
          D -> C : [x == 0];
          D -> T : [else];
          T -> S : [x == 1];
        }
        object a: A;
        allow reference_fault;";
    example(text, (3, 2), &[("a in S", "x"), ("a in T", "")]);
}

#[test]
fn the_guard_of_a_join_reads_for_all_its_sources() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S;
          state W {
            region a {
              initial -> A0;
              state A0, A1;
              A0 -> A1;
            }
            region b {
              initial -> B0;
              state B0, B1;
              B0 -> B1;
            }
          }
          join J;
          S -> W / { x = choose(0..1); }
          W.A1 -> J;
          W.B1 -> J;
          J -> S : [x == 0];
        }
        object a: A;
        allow deadlock;";
    let dead = &[
        ("a in S", "x"),
        ("a in W and A0 and B0", ""),
        ("a in W and A1 and B1", ""),
    ];
    example(text, (9, 9), dead);
}

#[test]
fn a_fork_enters_states_that_read_in_each_region() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          state W {
            region a {
              initial -> A0;
              state A0, A1;
            }
            region b {
              initial -> B0;
              state B0, B1;
              B1 -> B0 : [x == 1];
            }
          }
          fork F;
          T -> S / { x = choose(0..1); }
          S -> F;
          F -> W.A1;
          F -> W.B1;
          W -> T;
        }
        object a: A;";
    let dead = &[
        ("a in S", ""),
        ("a in T", "x"),
        ("a in W and A1 and B1", ""),
    ];
    example(text, (7, 6), dead);
}

#[test]
fn the_guard_that_a_deferred_message_waits_for_is_read() {
    let text = "
        signal Go;
        external signal Next;
        class A {
          int(0..1) x;
          initial -> S;
          state S { defer Go; }
          state T { ignore Next; }
          S -> T : Next;
          T -> S : Go [x == 0] / { x = choose(0..1); }
          T -> S : Go [x == 1] / { x = choose(0..1); }
        }
        class B {
          A it;
          initial -> S;
          state S;
          S -> S / { send it.Go; }
        }
        object a: A;
        object b: B { it = a; }
        inbox * capacity 1 on_full block;";
    example(text, (10, 10), &[("a in S", ""), ("a in T", "")]);
}

#[test]
fn a_parameter_that_is_stored_is_written_before_the_guard_reads() {
    let text = "
        external signal Go(int(0..1) x);
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T : Go(x) [x == 1];
          S -> S : Go(x) [x == 0];
          T -> S : Go(_);
        }
        object a: A;";
    example(text, (3, 2), &[("a in S", "x"), ("a in T", "x")]);
}

#[test]
fn a_parameter_that_only_one_of_two_triggers_stores_may_have_its_old_value() {
    let text = "
        external signal Go(int(0..1) x), Stop;
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T : Go(x), Stop;
          T -> S : Go(_) [x < 2];
          T -> S : Stop;
        }
        object a: A;";
    example(text, (4, 4), &[("a in S", ""), ("a in T", "")]);
}

#[test]
fn an_internal_transition_reads() {
    let text = "
        external signal Go, Next;
        class A {
          int(0..1) x;
          initial -> S;
          state S { ignore Go; }
          state T {
            on Go [x == 1] / { assert false; }
            on Go [else];
          }
          S -> T : Next / { x = choose(0..1); }
          T -> S : Next;
        }
        object a: A;";
    example(text, (4, 3), &[("a in S", "x"), ("a in T", "")]);
}

#[test]
fn the_message_that_is_lost_to_a_transition_without_a_trigger_stores_nothing() {
    let text = "
        external signal Go(int(0..1) x);
        class A {
          int(0..1) x;
          initial -> S;
          state S, T, U;
          S -> U : Go(x);
          S -> T : [x == 0];
          T -> S : Go(x);
          U -> S : Go(_);
        }
        object a: A;
        semantics run_to_completion with rhapsody_triggers;
        allow nondeterminism;";
    example(
        text,
        (20, 20),
        &[("a in S", ""), ("a in T", "x"), ("a in U", "")],
    );
}

/// `x` is never read; but whether a step goes on for ever is seen by the whole configuration.
#[test]
fn a_step_that_never_ends_is_found_whatever_it_writes() {
    let text = "
        external signal Go;
        class A {
          int(0..1) x;
          initial -> S;
          state S, L, M;
          S -> L : Go;
          L -> M / { x = 1; }
          M -> L;
        }
        object a: A;
        semantics run_to_completion;";
    example(text, (5, 5), &[("a in S", ""), ("a in L", "")]);
}

/// Where nobody asks, it does not matter.
#[test]
fn a_step_that_never_ends_does_not_matter_where_that_is_allowed() {
    let text = "
        external signal Go;
        class A {
          int(0..1) x;
          initial -> S;
          state S, L, M;
          S -> L : Go;
          L -> M / { x = 1; }
          M -> L;
        }
        object a: A;
        semantics run_to_completion;
        allow divergence;";
    example(text, (5, 4), &[("a in S", "x"), ("a in L", "x")]);
}

/// Two ways through a step that meet are one: which of them is left depends on `x`.
#[test]
fn whole_steps_keep_all_variables() {
    let text = "
        external signal Go;
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T : Go / { x = choose(0..1); }
          T -> S;
        }
        object a: A;
        semantics run_to_completion with atomic_steps;";
    example(text, (2, 2), &[("a in S", "")]);
}

/// The property asks for the guard, and the guard for `x`.
#[test]
fn what_is_enabled_depends_on_what_guards_read() {
    let text = "
        class A {
          int(0..1) x;
          initial -> S;
          state S, T;
          S -> T / { x = choose(0..1); }
          T -> S : [self.x == 0];
        }
        object a: A;
        property goes_on : always enabled(a);
        allow deadlock;";
    example(text, (3, 3), &[("a in S", "x"), ("a in T", "")]);
}
