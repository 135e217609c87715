//! Run to completion: threads, steps and their parts, deferral, options.

use super::*;
use crisol::csm::Event;
use crisol::evidence::Trace;

/// The events of a trace in short.
fn events(model: &Model, trace: &Trace) -> Vec<String> {
    let steps = trace.steps.iter().skip(1);
    steps.map(|step| event(model, &step.step.event)).collect()
}

fn event(model: &Model, event: &Event) -> String {
    let name = |object: &crisol::lang::ObjectId| &model.object(*object).name;
    match event {
        Event::Dispatch {
            object, message, ..
        } => format!("{} gets {}", name(object), model.show_message(message)),
        Event::Defer {
            object, message, ..
        } => format!("{} defers {}", name(object), model.show_message(message)),
        Event::Fire { object, .. } => format!("{} moves", name(object)),
        Event::EndOfStep { object } => format!("{} ends", name(object)),
        Event::Environment { object, .. } => format!("to {}", name(object)),
        Event::Whole(parts) => format!("{} parts", parts.len()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn dispatch_transitions_and_the_end_of_the_step_are_separate_steps() {
    let model = model(
        "external signal go;
         class C { initial -> A; state A, B; state D { ignore go; } A -> B : go; B -> D; }
         object o: C;
         semantics run_to_completion;
         allow deadlock;
         property done : never o in D at rtc;",
    );
    let trace = trace(&model, "done");
    assert_eq!(
        events(&model, &trace),
        ["o gets go", "o moves", "o moves", "o ends"]
    );
    assert_eq!(trace.completed_steps(), 1);
}

/// Two objects that react to `go` in two moves each, together or not.
fn pair(threads: &str) -> Model {
    model(&format!(
        "external signal go;
         class C {{ initial -> A; state A, B; state D {{ ignore go; }} A -> B : go; B -> D; }}
         object o, p: C;
         semantics run_to_completion;
         {threads}
         allow deadlock;
         property inside_both : never o in B && p in B;
         property before : never o in B && p in A;"
    ))
}

#[test]
fn a_thread_takes_the_next_message_only_when_the_object_is_stable() {
    assert_eq!(violated(&pair("thread main { o, p }")), ["before"]);
    assert_eq!(
        violated(&pair("")),
        ["inside_both", "before"],
        "an object on no thread has its own"
    );
    assert_eq!(
        violated(&pair("thread main { o }")),
        ["inside_both", "before"]
    );
}

#[test]
fn an_object_is_on_one_thread_and_threads_need_run_to_completion() {
    let text = "class C { initial -> S; state S; } object o: C; thread a { o }";
    assert_eq!(codes(text), ["E172"]);
    assert_eq!(
        codes(&format!(
            "{text} thread b {{ o }} semantics run_to_completion;"
        )),
        ["E173"]
    );
}

#[test]
fn a_message_that_nothing_takes_is_discarded() {
    let text = "signal m; class C { initial -> S / { send self.m; } quiescent state S; }
        object o: C; semantics run_to_completion;";
    let model = model(text);
    assert_eq!(violated(&model), ["implicit_consumption"]);
    let trace = trace(&model, "implicit_consumption");
    assert_eq!(events(&model, &trace), ["o gets m", "o ends"]);
    assert!(trace.steps[2].after.is_some(), "the run goes on");
}

#[test]
fn transitions_without_a_trigger_wait_for_the_message_to_be_taken() {
    // `B -> D` is enabled after the dispatch, but the message goes first; then it is its turn.
    let model = model(
        "external signal go;
         bool open;
         class C { initial -> A; state A; state B { ignore go; } state D { ignore go; }
           A -> B : go / { open = true; } A -> D : [open]; }
         object o: C;
         semantics run_to_completion;
         allow deadlock;
         property there : never o in B; property elsewhere : never o in D;",
    );
    assert_eq!(violated(&model), ["there"]);
}

#[test]
fn rhapsody_triggers_let_transitions_without_a_trigger_win_and_lose_the_message() {
    let text = "external signal open, go;
        bool is_open;
        class Door { initial -> S; state S { ignore open; } S -> S : open / { is_open = true; } }
        class C { initial -> A; state A; state B { ignore go; } state D { ignore go; }
          A -> B : go; A -> D : [is_open]; }
        object door: Door; object o: C;
        thread main { door, o }
        allow deadlock;
        property there : never o in B; property elsewhere : never o in D;
        semantics run_to_completion";
    assert_eq!(violated(&model(&format!("{text};"))), ["there"]);
    let rhapsody = model(&format!("{text} with rhapsody_triggers;"));
    assert_eq!(violated(&rhapsody), ["there", "elsewhere"]);
    let trace = trace(&rhapsody, "elsewhere");
    let expected = [
        "door gets open",
        "door moves",
        "door ends",
        "o gets go",
        "o moves",
    ];
    assert_eq!(events(&rhapsody, &trace), expected);
}

#[test]
fn an_initial_step_runs_every_object_to_completion_without_a_message() {
    let text = "signal m;
        class C { C other; int n; initial -> A; state A, B; final D;
          A -> B / { n = 1; } B -> D : [n == 1] / { if (other != null) { send other.m; } } D2 -> D2 : m; state D2; }
        object o: C { other = p; } object p: C;
        thread main { o, p }
        allow deadlock, implicit_consumption;
        property done : never o in D && p in D at rtc;
        semantics run_to_completion";
    let without = model(&format!("{text};"));
    assert_eq!(violated(&without), [""; 0], "nothing ever happens");
    assert_eq!(statistics(&without).states, 1);
    let with = model(&format!("{text} with initial_step;"));
    assert_eq!(violated(&with), ["done"]);
    let expected = [
        "o moves", "o moves", "o ends", "p moves", "p moves", "p ends",
    ];
    assert_eq!(
        events(&with, &trace(&with, "done")),
        expected,
        "one after the other"
    );
}

#[test]
fn deferred_messages_of_one_object_let_those_of_others_on_the_thread_pass() {
    let model = model(
        "signal a, b, m;
         class X { Y y; initial -> S / { send y.a; send self.m; send y.b; } state S; final T; S -> T : m; }
         class Y { initial -> S; state S { defer a; } state U; final V; S -> U : b; U -> V : a; }
         object x: X { y = y; } object y: Y;
         thread main { x, y }
         semantics run_to_completion;
         property both : never y in V at rtc;",
    );
    assert_eq!(violated(&model), ["both"]);
    let expected = [
        "y defers a",
        "x gets m",
        "x moves",
        "x ends",
        "y gets b",
        "y moves",
        "y ends",
        "y gets a",
        "y moves",
        "y ends",
    ];
    assert_eq!(events(&model, &trace(&model, "both")), expected);
}

#[test]
fn messages_that_come_back_go_to_the_front_of_the_shared_queue() {
    let model = model(
        "signal a, b, m;
         class X { Y y; initial -> S / { send y.a; send y.b; send self.m; } state S; final T; S -> T : m; }
         class Y { initial -> S; state S { defer a; } state U; final V; S -> U : b; U -> V : a; }
         object x: X { y = y; } object y: Y;
         thread main { x, y }
         semantics run_to_completion;
         property late : never x in T && y in U;",
    );
    assert_eq!(violated(&model), [""; 0]);
}

#[test]
fn regions_take_the_message_together_and_complete_one_by_one() {
    let model = model(
        "external signal go;
         int log;
         class C { initial -> K; state K {
             region r { initial -> A; state A, A2; state A3 { ignore go; } A -> A2 : go; A2 -> A3 / { log = log * 10 + 1; } }
             region s { initial -> B; state B, B2; state B3; B -> B2 : go; B2 -> B3 / { log = log * 10 + 2; } } } }
         object o: C;
         semantics run_to_completion;
         allow deadlock;
         property first : never log == 12; property second : never log == 21;
         property half : never o in A2 && o in B; property one : never o in A3 && o in B2;",
    );
    assert_eq!(violated(&model), ["first", "second", "one"]);
}

#[test]
fn completion_of_composite_states_happens_inside_the_step() {
    let model = model(
        "external signal go;
         class C { initial -> K; state K { initial -> A; state A; final F; A -> F : go; }
           state Out { ignore go; } K -> Out; }
         object o: C;
         semantics run_to_completion;
         allow deadlock;
         property between : never o in K.F at rtc; property out : never o in Out at rtc;",
    );
    assert_eq!(violated(&model), ["out"]);
    assert_eq!(trace(&model, "out").length(), 4);
}

/// Something of everything on one thread.
const OFFICE: &str = "external signal press(int(0..1) n), hold; signal m(int v), back;
    class A { B b; int(0..2) k; initial -> S; quiescent state S; state T { defer m; } choice P; state W;
      S -> P : press(n) / { k = n; } P -> T : [k == 1] / { send b.m(k); } P -> S : [else];
      T -> S : back / { k = choose { 0, 2 }; } S -> W : [k == 2]; W -> S / { k = 0; } ignored; }
    class B { A a; bool twice; initial -> S; quiescent state S; state U, V;
      S -> U : m(v) [v > 0]; U -> V : [!twice] / { twice = true; } U -> S : [twice] / { send a.back; }
      V -> S / { send a.back; } S -> S : hold / { twice = false; } }
    object a: A { b = b; } object b: B { a = a; }
    thread main { a, b }
    inbox main capacity 2 on_full cut;
    allow implicit_consumption;
    property odd : never a.k == 2 at rtc;
    property waits : never a in T && b.twice at rtc;
    property apart : never a in T && b in U at rtc;
    property alone : never a in W at rtc;
    property calm : always a in S && b in S -> a.k < 2 at rtc;";

#[test]
fn atomic_steps_have_the_verdicts_of_small_steps() {
    for options in ["", "initial_step, ", "rhapsody_triggers, "] {
        let text = OFFICE.replace(" ignored;", "");
        let small = options.trim_end_matches(", ");
        let small = if small.is_empty() {
            String::new()
        } else {
            format!(" with {small}")
        };
        let small = model(&format!("{text} semantics run_to_completion{small};"));
        let atomic = format!("{text} semantics run_to_completion with {options}atomic_steps;");
        let atomic = model(&atomic);
        assert_eq!(violated(&small), violated(&atomic), "{options}");
        assert!(statistics(&atomic).states < statistics(&small).states);
        for property in violated(&small) {
            let (one, other) = (trace(&small, &property), trace(&atomic, &property));
            assert!(other.length() <= one.length(), "{property}");
            assert_eq!(other.completed_steps(), one.completed_steps(), "{property}");
        }
    }
}

/// The same model with small and with atomic steps.
fn small_and_atomic(text: &str) -> [Model; 2] {
    ["", " with atomic_steps"]
        .map(|with| model(&format!("{text} semantics run_to_completion{with};")))
}

#[test]
fn atomic_steps_find_a_step_that_never_ends_even_where_it_branches() {
    for model in small_and_atomic(
        "external signal go;
         class C { wrap int(0..9) n; initial -> A; state A, B; A -> B : go; B -> B / { n = n + choose(0..2); } }
         object o: C; allow nondeterminism, implicit_consumption;",
    ) {
        assert_eq!(violated(&model), ["divergence"]);
    }
}

#[test]
fn atomic_steps_find_nondeterminism_inside_a_step() {
    for model in small_and_atomic(
        "external signal go;
         class C { initial -> A; state A, B; A -> B : go; B -> A; B -> A; }
         object o: C;
         property determined : never nondeterminism;",
    ) {
        assert_eq!(violated(&model), ["determined"]);
    }
}

#[test]
fn atomic_steps_find_a_step_that_waits_for_ever() {
    for model in small_and_atomic(
        "external signal go, other; signal m;
         class C { initial -> A; state A, B; A -> A : other; A -> B : go; B -> A / { send self.m; send self.m; } A -> A : m; }
         object o: C; inbox o capacity 1 on_full block;
         environment lazy;",
    ) {
        assert_eq!(violated(&model), ["deadlock"]);
        let at = reached(&model, "deadlock");
        assert_eq!(active(&model, &at, object(&model, "o")), ["B"]);
    }
}

#[test]
fn atomic_steps_call_no_state_dead_that_is_passed_inside_a_step() {
    for model in small_and_atomic(
        "external signal go;
         class C { initial -> A; state A, B, D; A -> B : go; B -> A; }
         object o: C;",
    ) {
        let dead = findings(&model)
            .dead
            .expect("a complete exploration")
            .states;
        let o = object(&model, "o");
        assert_eq!(dead, [(o, state(&model, o, "D"))]);
    }
}

#[test]
fn atomic_steps_that_never_end_are_no_deadlock_where_that_is_allowed() {
    for model in small_and_atomic(
        "external signal go;
         class C { initial -> A; state A; A -> A; A -> A : go; }
         object o: C;
         allow divergence;",
    ) {
        assert_eq!(violated(&model), [""; 0]);
    }
}

/// `stay` leads through the same configuration as the signal that is ignored.
#[test]
fn atomic_steps_that_come_together_on_their_way_are_all_seen() {
    for model in small_and_atomic(
        "external signal nothing, stay;
         class C { initial -> A; state A { ignore nothing; } A -> A : stay; }
         object o: C;",
    ) {
        let findings = findings(&model);
        assert_eq!(findings.dead.expect("a complete check").transitions, []);
        assert_eq!(violated(&model), [""; 0]);
    }
}

#[test]
fn properties_look_between_atomic_steps_only() {
    let text = "external signal go;
        class C { initial -> A; state A, B; A -> B : go; B -> A; } object o: C;
        semantics run_to_completion with atomic_steps;
        property p : never o in B";
    assert!(holds(&model(&format!("{text};")), "p"));
    assert!(holds(&model(&format!("{text} at rtc;")), "p"));
    assert_eq!(codes(&format!("{text} at transition;")), ["E183"]);
}

#[test]
fn atomic_steps_need_a_single_thread() {
    let text = "class C { initial -> S; state S; } object o, p: C;
        semantics run_to_completion with atomic_steps;";
    assert_eq!(codes(text), ["E174"]);
    model(&format!("{text} thread main {{ o, p }}"));
}

#[test]
fn interleaving_has_no_options() {
    let text =
        "class C { initial -> S; state S; } object o: C; semantics interleaving with initial_step;";
    assert_eq!(codes(text), ["E171"]);
}

#[test]
fn divergence_is_a_property_of_run_to_completion_only() {
    let text = "class C { initial -> A; state A; A -> A; } object o: C;";
    let has = |model: &Model| model.properties.iter().any(|p| p.name == "divergence");
    assert!(!has(&model(text)));
    assert!(has(&model(&format!("{text} semantics run_to_completion;"))));
}
