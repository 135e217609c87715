//! Shallow and deep history, by region and by target.

use super::*;

/// A state with three levels; `a` moves one step inside, `b` leaves, `c` comes back.
fn clock(outer: &str, inner: &str, back: &str) -> String {
    format!(
        "initial -> Out; state Out;
         state K {{ {outer} initial -> A / {{ L(1) }}
           state A;
           state B {{ {inner} initial -> D / {{ L(2) }} state D, E; D -> E : d; }}
           A -> B : a; }}
         K -> Out : b; Out -> {back} : c;"
    )
}

#[test]
fn without_history_a_state_is_entered_from_its_beginning() {
    let body = clock("", "", "K");
    assert_eq!(story(&body, &["c", "a", "d", "b", "c"]), told("121", "K A"));
}

#[test]
fn shallow_history_of_a_region_remembers_its_own_state_only() {
    let body = clock("history;", "", "K");
    assert_eq!(
        story(&body, &["c", "a", "d", "b", "c"]),
        told("122", "K B D")
    );
    assert_eq!(
        story(&body, &["c", "b", "c"]),
        told("1", "K A"),
        "A was left last"
    );
}

#[test]
fn deep_history_of_a_region_remembers_what_is_inside_too() {
    let body = clock("deep history;", "", "K");
    assert_eq!(
        story(&body, &["c", "a", "d", "b", "c"]),
        told("12", "K B E")
    );
}

#[test]
fn inner_history_alone_counts_when_the_inner_state_is_entered() {
    let body = clock("", "history;", "K");
    let signals = ["c", "a", "d", "b", "c", "a"];
    assert_eq!(story(&body, &signals), told("121", "K B E"));
}

#[test]
fn history_by_target_is_for_that_transition_only() {
    let shallow = clock("", "", "K.history");
    assert_eq!(
        story(&shallow, &["c", "a", "d", "b", "c"]),
        told("122", "K B D")
    );
    let deep = clock("", "", "K.deep_history");
    assert_eq!(
        story(&deep, &["c", "a", "d", "b", "c"]),
        told("12", "K B E")
    );
    let both = clock("", "", "K.history") + "state Other; Out -> Other : a; Other -> K : a;";
    let signals = ["c", "a", "b", "a", "a", "b", "c"];
    assert_eq!(
        story(&both, &signals),
        told("121", "K A"),
        "entered by K, then left in A"
    );
}

#[test]
fn the_first_entry_by_history_is_an_entry_from_the_beginning_with_its_effects() {
    for (outer, back) in [
        ("history;", "K"),
        ("deep history;", "K"),
        ("", "K.history"),
        ("", "K.deep_history"),
    ] {
        let body = clock(outer, "", back);
        assert_eq!(story(&body, &["c"]), told("1", "K A"), "{outer} {back}");
    }
}

#[test]
fn history_at_the_top_changes_nothing_at_the_start() {
    assert_eq!(
        story("history; initial -> S / { L(1) } state S;", &[]),
        told("1", "S")
    );
}

#[test]
fn a_region_that_has_ended_starts_afresh() {
    for (region, back) in [("history;", "K"), ("", "K.history")] {
        let body = format!(
            "initial -> K; state Out;
             state K {{ {region} initial -> A / {{ L(1) }} state A; final F; A -> F : a; }}
             K -> Out : b; Out -> {back} : c;"
        );
        assert_eq!(story(&body, &["a", "b", "c"]), told("11", "K A"), "{back}");
        assert_eq!(story(&body, &["b", "c"]), told("1", "K A"), "{back}");
    }
}

#[test]
fn every_region_has_a_history_of_its_own() {
    let body = "initial -> K; state Out;
        state K {
          region r { history; initial -> A; state A, A2; A -> A2 : a; }
          region s { initial -> B; state B, B2; B -> B2 : a; } }
        K -> Out : b; Out -> K : c;";
    assert_eq!(story(body, &["a", "b", "c"]), told("0", "K A2 B"));
    let by_target = body
        .replace("history;", "")
        .replace("-> K : c", "-> K.history : c");
    assert_eq!(story(&by_target, &["a", "b", "c"]), told("0", "K A2 B2"));
}

#[test]
fn history_entered_from_inside_comes_back_to_where_it_was() {
    let body = "initial -> K; state K { exit / { L(2) } entry / { L(1) }
        initial -> A; state A, B; A -> B : a; } K -> K.history : b;";
    assert_eq!(story(body, &["a", "b"]), told("121", "K B"));
}

#[test]
fn a_history_that_a_join_or_fork_leaves_is_kept() {
    let body = "initial -> K; state Out; join J; fork F;
        state K {
          region r { history; initial -> A; state A, A2; A -> A2 : a; }
          region s { history; initial -> B; state B, B2; B -> B2 : a; } }
        K.r.A2 -> J; K.s.B2 -> J; J -> Out : b / { L(1) }
        Out -> K : c; Out -> F : d; F -> K.r.A; F -> K.s.B2;";
    assert_eq!(story(body, &["a", "b", "c"]), told("1", "K A2 B2"));
    assert_eq!(
        story(body, &["a", "b", "d"]),
        told("1", "K A B2"),
        "a fork goes before history"
    );
}

#[test]
fn where_a_region_was_left_is_part_of_a_state_only_if_somebody_can_ask() {
    let states = |target: &str| {
        let text = format!(
            "class C {{ initial -> Out; state Out; state K {{ initial -> A; state A, B; A -> B; }}
               Out -> {target}; A -> Out; B -> Out; }}
             object o: C;"
        );
        statistics(&model(&text)).states
    };
    assert_eq!(states("K"), 3);
    assert_eq!(states("K.history"), 4, "outside, having left A or B");
}

#[test]
fn only_a_state_with_states_inside_has_a_history() {
    let text = "class C { initial -> S; state S; S -> S.history; } object o: C;";
    assert_eq!(codes(text), ["E156"]);
}
