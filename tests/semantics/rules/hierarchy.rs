//! Composite states and regions: the order of entry and exit, priorities, completion.

use super::*;

/// Three levels deep: A in B in K; and, beside it, Z in Y in X.
const DEEP: &str = "
    initial -> K / { L(1) }
    state K {
      entry / { L(2) } exit / { L(8) }
      initial -> B / { L(3) }
      state B {
        entry / { L(4) } exit / { L(7) }
        initial -> A / { L(5) }
        state A { entry / { L(6) } exit / { L(6) } }
        state A2 { entry / { L(9) } }
      }
    }
    state X { entry / { L(1) } initial -> W; state W;
      state Y { entry / { L(2) } initial -> V; state V; state Z { entry / { L(3) } } } }";

#[test]
fn outermost_is_entered_first_with_the_initial_effects_on_the_way() {
    assert_eq!(story(DEEP, &[]), told("123456", "K B A"));
}

#[test]
fn innermost_is_left_first_and_the_effect_comes_between() {
    let body = format!("{DEEP} K -> X : a / {{ L(0) }}");
    assert_eq!(story(&body, &["a"]), told("12345667801", "X W"));
    let body = format!("{DEEP} A -> Z : a / {{ L(0) }}");
    assert_eq!(story(&body, &["a"]), told("1234566780123", "X Y Z"));
}

#[test]
fn a_transition_to_an_inner_state_skips_the_initial_effects_on_its_way() {
    let body = "initial -> S; state S;
        state K { entry / { L(1) } initial -> A / { L(2) } state A; state B { entry / { L(3) }
          initial -> C / { L(4) } state C; } }
        S -> B : a;";
    assert_eq!(story(body, &["a"]), told("134", "K B C"));
}

#[test]
fn a_transition_inside_a_state_leaves_only_what_is_between() {
    let body = format!("{DEEP} A -> A2 : a / {{ L(0) }}");
    assert_eq!(story(&body, &["a"]), told("123456609", "K B A2"));
}

#[test]
fn a_transition_to_the_state_around_leaves_and_enters_it() {
    let body = format!("{DEEP} A -> B : a / {{ L(0) }}");
    assert_eq!(story(&body, &["a"]), told("123456670456", "K B A"));
    let body = format!("{DEEP} B -> A2 : a / {{ L(0) }}");
    assert_eq!(story(&body, &["a"]), told("12345667049", "K B A2"));
}

#[test]
fn a_transition_to_the_same_state_leaves_and_enters_it() {
    let body = "initial -> S; state S { entry / { L(1) } exit / { L(2) } } S -> S : a / { L(3) }";
    assert_eq!(story(body, &["a", "a"]), told("1231231", "S"));
}

#[test]
fn an_internal_transition_leaves_and_enters_nothing() {
    let body = "initial -> K; state K { entry / { L(1) } exit / { L(2) } on a / { L(3) }
        initial -> A; state A { on b [x == 0] / { L(4) x = 1; } exit / { L(5) } ignore c; } }";
    assert_eq!(story(body, &["a", "b", "a", "c"]), told("1343", "K A"));
}

#[test]
fn inner_transitions_go_before_outer_ones_for_the_same_message_only() {
    let body = "initial -> K; state K { initial -> A; state A;
          A -> A : a [x == 0] / { L(1) x = 1; } }
        state Out;
        K -> Out : a / { L(2) } ";
    assert_eq!(
        story(body, &["a", "a"]),
        told("12", "Out"),
        "the guard of the inner one is false"
    );
    let body = "initial -> K; state K { initial -> A; state A; state B; A -> B : a; }
        state Out;
        K -> Out : b / { L(2) } ";
    assert_eq!(story(body, &["b"]), told("2", "Out"));
}

#[test]
fn an_inner_internal_transition_hides_an_outer_one() {
    let body = "initial -> K; state K { initial -> A; state A { ignore a; } } state Out;
        K -> Out : a;";
    assert_eq!(story(body, &["a"]), told("0", "K A"));
}

#[test]
fn regions_are_entered_and_left_together() {
    let body = "initial -> K; state K { entry / { L(1) } exit / { L(8) }
          region r { initial -> A / { L(2) } state A { entry / { L(3) } exit / { L(6) } } }
          region s { initial -> B / { L(4) } state B { entry / { L(5) } exit / { L(7) } } } }
        state Out;
        B -> Out : a / { L(9) }";
    assert_eq!(story(body, &["a"]), told("123456789", "Out"));
}

#[test]
fn regions_take_one_message_together_in_every_order() {
    let body = "initial -> K; state K {
          region r { initial -> A; state A, A2; A -> A2 : a / { L(1) } }
          region s { initial -> B; state B, B2; B -> B2 : a / { L(2) } }
          region t { initial -> D; state D; } }";
    let both = [told("12", "K A2 B2 D"), told("21", "K A2 B2 D")];
    assert_eq!(stories(body, &["a"]), both);
}

#[test]
fn a_transition_that_leaves_the_state_excludes_one_of_another_region() {
    let body = "initial -> K; state K {
          region r { initial -> A; state A; }
          region s { initial -> B; state B, B2; B -> B2 : a / { L(2) } } }
        state Out;
        A -> Out : a / { L(1) }";
    assert_eq!(
        stories(body, &["a"]),
        [told("1", "Out"), told("2", "K A B2")]
    );
}

#[test]
fn a_choice_that_can_lead_out_of_the_state_excludes_a_transition_of_another_region() {
    // Taken together, the second one would move in a state that has been left.
    let body = "initial -> K; choice Away; state Out;
        state K {
          region r { initial -> A; state A; choice In; A -> In : a; In -> Away : [x == 0]; In -> A : [else]; }
          region s { initial -> B; state B, B2; B -> B2 : a / { L(2) } } }
        Away -> Out / { L(1) }";
    assert_eq!(
        stories(body, &["a"]),
        [told("1", "Out"), told("2", "K A B2")]
    );
}

#[test]
fn completion_waits_for_the_final_state() {
    let body = "initial -> K; state K { initial -> A; state A; final F; A -> F : a / { L(1) } exit / { L(2) } }
        state Out; K -> Out / { L(3) }";
    assert_eq!(story(body, &[]), told("0", "K A"));
    assert_eq!(story(body, &["a"]), told("123", "Out"));
}

#[test]
fn completion_waits_for_every_region_that_has_a_final_state() {
    let body = "initial -> K; state K {
          region r { initial -> A; state A; final F; A -> F : a; }
          region s { initial -> B; state B; final G; B -> G : b; }
          region t { initial -> D; state D; } }
        state Out; K -> Out / { L(1) }";
    assert_eq!(story(body, &["a"]), told("0", "K F B D"));
    assert_eq!(story(body, &["b", "a"]), told("1", "Out"));
}

#[test]
fn a_guard_can_hold_a_completion_back() {
    let body = "initial -> K; state K { initial -> F; final F; on b / { x = 1; } }
        state Out; K -> Out : [x == 1] / { L(1) }";
    assert_eq!(story(body, &[]), told("0", "K F"));
    assert_eq!(story(body, &["b"]), told("1", "Out"));
}

#[test]
fn without_a_final_state_a_transition_without_a_trigger_does_not_wait() {
    let body = "initial -> K; state K { initial -> A; state A; } state Out; K -> Out / { L(1) }";
    assert_eq!(story(body, &[]), told("1", "Out"));
}

#[test]
fn a_triggered_transition_leaves_an_unfinished_state() {
    let body = "initial -> K; state K { initial -> A; state A; final F; A -> F : b; } state Out;
        K -> Out : a;";
    assert_eq!(story(body, &["a"]), told("0", "Out"));
}

#[test]
fn an_inner_final_state_ends_its_region_only() {
    let text = "class C { initial -> K; state K { initial -> F; final F; } } object o: C;";
    assert_eq!(violated(&model(text)), ["deadlock"]);
    let text = "class C { initial -> F; final F; } object o: C;";
    assert_eq!(violated(&model(text)), [""; 0]);
}

#[test]
fn transitions_can_be_written_anywhere_in_the_class() {
    let body = "initial -> K; state Out;
        state K { initial -> A; state A; K.A -> Out : a / { L(1) } }
        Out -> K.A : b / { L(2) }";
    assert_eq!(story(body, &["a", "b"]), told("12", "K A"));
}

#[test]
fn names_of_the_same_region_go_first() {
    let body = "initial -> A; state A, B;
        state K { initial -> A; state A, B; A -> B : a / { L(1) } }
        A -> B : a / { L(2) } B -> K : b;";
    assert_eq!(story(body, &["a", "b", "a"]), told("21", "K B"));
}
