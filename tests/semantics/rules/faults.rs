//! Every fault has its place in the source.

use super::*;

#[test]
fn a_false_assertion() {
    let text = program("", "int x = 2;", "x = x + 1; assert x == 2; x = 0;");
    let (fault, blamed) = blame(&text, "assertion_failure");
    assert_eq!(blamed, "assert x == 2;");
    assert_eq!(fault.message, "the assertion is false");
}

#[test]
fn use_of_null() {
    let kind = "reference_fault";
    let variables = "C next; int x; int[2] a; bool b;";
    goes_wrong(variables, "x = next.x;", kind, "next.x");
    goes_wrong(variables, "next.x = 1;", kind, "next.x = 1;");
    goes_wrong(variables, "x = next.next.x;", kind, "next.next");
    goes_wrong(variables, "x = next.a[0];", kind, "next.a[0]");
    goes_wrong(variables, "b = next in Done;", kind, "next");
    let text = program("signal m;", variables, "send next.m;");
    assert_eq!(blame(&text, kind).1, "next");
}

#[test]
fn an_index_outside_an_array() {
    let kind = "reference_fault";
    let variables = "int[3] a; int i = 3; int j = -1;";
    goes_wrong(variables, "a[i] = 1;", kind, "i");
    goes_wrong(variables, "i = a[j + 0];", kind, "j + 0");
    let text = "class C { int i = 2; C c; initial -> S; state S; S -> S / { c = pool[i]; } }
                object pool[2]: C;";
    let (fault, blamed) = blame(text, kind);
    assert_eq!(blamed, "i");
    assert_eq!(fault.message, "index 2 is outside 0..1");
}

#[test]
fn an_empty_choose() {
    let kind = "arithmetic_fault";
    goes_wrong("int x = 1;", "x = choose(x..0);", kind, "choose(x..0)");
}

#[test]
fn a_choice_without_a_branch_that_is_enabled() {
    let text = "class C { int x; initial -> S; state S, T; choice Which;
                  S -> Which / { x = 3; }
                  Which -> S : [x < 3];
                  Which -> T : [x > 3]; }
                object o: C;";
    let (fault, blamed) = blame(text, "reference_fault");
    assert_eq!(blamed, "Which");
    assert_eq!(fault.message, "no branch of choice Which can be taken");
}

#[test]
fn choices_that_never_come_to_an_end_blame_a_choice() {
    let text = "class C { initial -> S; state S; choice Round;
                  S -> Round; Round -> Round; }
                object o: C;";
    let (fault, blamed) = blame(text, "reference_fault");
    assert_eq!(blamed, "Round", "{}", fault.message);
}

#[test]
fn a_fault_in_a_guard_belongs_to_the_guard() {
    let text = "signal m(int v);
                class C { int x; initial -> S / { send self.m(0); }
                  state S; S -> S : m(v) [1 / v == 1]; }
                object o: C;";
    let (fault, blamed) = blame(text, "arithmetic_fault");
    assert_eq!(blamed, "1 / v");
    assert_eq!(fault.message, "division by zero");
}

#[test]
fn a_parameter_that_does_not_fit_the_variable_that_takes_it() {
    let text = "signal m(int v);
                class C { int(0..3) x; initial -> S / { send self.m(4); }
                  state S; S -> S : m(x); }
                object o: C;";
    assert_eq!(blame(text, "arithmetic_fault").1, "S -> S : m(x);");
}

#[test]
fn an_argument_that_does_not_fit_its_parameter() {
    let text = program(
        "signal m(int(0..3) v);",
        "int x = 2;",
        "send self.m(x * 2);",
    );
    assert_eq!(blame(&text, "arithmetic_fault").1, "x * 2");
}

#[test]
fn a_send_into_a_full_inbox() {
    let text =
        "inbox o capacity 1;\n".to_owned() + &program("signal m;", "", "send self.m; send o.m;");
    let (fault, blamed) = blame(&text, "overflow");
    assert_eq!(blamed, "send o.m;");
    assert_eq!(fault.message, "no room for m: the inbox of o holds 1");
}

#[test]
fn implicit_consumption_blames_the_state() {
    let text = "signal m;
                class C { initial -> K / { send self.m; }
                  state K { initial -> Inner; state Inner; } }
                object o: C;";
    let (fault, blamed) = blame(text, "implicit_consumption");
    assert_eq!(blamed, "Inner");
    assert_eq!(
        fault.message,
        "o in state Inner neither receives nor defers m"
    );
}

#[test]
fn a_fault_at_the_start_is_found_without_a_step() {
    for place in [
        "initial -> S / { assert false; } state S;",
        "initial -> S; state S { entry / { assert false; } }",
        "initial -> S; state S { initial -> T / { assert false; } state T; }",
    ] {
        let text = format!("class C {{ {place} }} object o: C;");
        let model = model(&text);
        assert_eq!(trace(&model, "assertion_failure").length(), 0, "{place}");
        assert_eq!(blame(&text, "assertion_failure").1, "assert false;");
    }
}

#[test]
fn a_fault_in_an_entry_or_exit_action_belongs_to_the_step() {
    for (entry, exit) in [("assert false;", ""), ("", "assert false;")] {
        let text = format!(
            "class C {{ initial -> S; state S {{ exit / {{ {exit} }} }}
               state T {{ entry / {{ {entry} }} }} S -> T; }}
             object o: C;"
        );
        let model = model(&text);
        assert_eq!(trace(&model, "assertion_failure").length(), 1);
    }
}
