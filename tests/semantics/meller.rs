//! Meller, *Model Checking Techniques for Behavioral UML Models*: the facts about states, steps and
//! properties that the reference semantics must show (rows S1 - S13 and P1 - P4 of its table; B3 is
//! in `flatten.rs`).

use std::collections::HashSet;

use crate::common::*;
use crisol::csm::{Configuration, Event, Semantics, Step, possible_active_sets};
use crisol::evidence::Verdict;
use crisol::lang::{Environment, FaultKind, Message, Model, lint};
use crisol::system::Target;

fn message(model: &Model, name: &str) -> Message {
    Message {
        signal: signal(model, name),
        arguments: [].into(),
    }
}

/// The figure's machine with these states active.
fn figure(b: &str, active: &[&str]) -> (Model, Configuration) {
    let model = shipped("figure_2_1/figure_2_1.csm", &[("B", b)]);
    let mut at = start(&model);
    put(&model, &mut at, object(&model, "worker"), active);
    (model, at)
}

fn codes(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<&str> = errors(text).iter().map(|error| error.code).collect();
    codes.dedup();
    codes
}

fn class(body: &str) -> String {
    format!("signal e; class C {{ {body} }} object o: C;")
}

/// S1. Two of the errors of definition 2.1 can't be written down: a state with a region in it is
/// composite by that, and nesting by braces has no circles.
#[test]
fn s1_regions_have_states_and_one_of_them_is_initial() {
    assert_eq!(codes(&class("state A;")), ["E154"], "no initial state");
    assert_eq!(
        codes(&class(
            "initial -> A; initial -> B; state A, B; A -> B : e;"
        )),
        ["E154"],
        "two"
    );
    let empty = "initial -> K; state K { region r { } region s { initial -> A; state A; } }";
    assert_eq!(codes(&class(empty)), ["E154"], "an empty region");
    let outside = "initial -> A; state A; region r { initial -> B; state B; }";
    assert_eq!(
        codes(&class(outside)),
        ["E150"],
        "a region outside of any state"
    );
    let elsewhere = "initial -> K; state K { region r { initial -> B; state A; } region s { initial -> B; state B; } }";
    assert_eq!(
        codes(&class(elsewhere)),
        ["E153"],
        "the initial state of another region"
    );
}

#[test]
fn s1_no_transition_leads_into_another_region_of_the_same_state() {
    let crossing = "initial -> K; state K {
        region r { initial -> A; state A; }
        region s { initial -> B; state B; }
        A -> B : e;
    }";
    assert_eq!(codes(&class(crossing)), ["E155"]);
}

#[test]
fn s2_possible_active_states_of_figure_2_1() {
    let (model, _) = figure("0", &[]);
    let worker = object(&model, "worker");
    let machine = model.machine_of(worker);
    let name = |set: &Vec<_>| {
        set.iter()
            .map(|id| machine.state(*id).name.clone())
            .collect()
    };
    let sets: Vec<HashSet<String>> = possible_active_sets(machine).iter().map(name).collect();
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|name| name.to_string())
            .collect::<HashSet<_>>()
    };
    assert_eq!(sets.len(), 16);
    assert!(sets.contains(&set(&["Vacation"])));
    assert!(sets.contains(&set(&["Work", "s6", "process", "s0"])));
}

/// Example 2.8.
#[test]
fn s3_enabled_transitions_depend_on_state_event_and_guard() {
    for (b, expected) in [("0", vec!["s0 -> s1 : er [b == 0]"]), ("1", vec![])] {
        let (model, at) = figure(b, &["s6", "process", "s0"]);
        let worker = object(&model, "worker");
        let enabled = Semantics::exact(&model).enabled(&at, worker, Some(&message(&model, "er")));
        let labels = enabled.iter().map(|id| model.transition_label(worker, *id));
        assert_eq!(labels.collect::<Vec<_>>(), expected, "b = {b}");
    }
}

/// Example 2.10, with the event that its transition needs.
#[test]
fn s4_a_transition_moves_its_own_region_and_consumes_the_event() {
    let (model, mut at) = figure("0", &["s6", "process", "s0"]);
    let worker = object(&model, "worker");
    at.object_mut(worker).dispatched = Some(message(&model, "er"));
    at.threads[model.object(worker).thread.index()].running = Some(worker);
    let steps = Semantics::exact(&model).successors(&at);
    let fired: Vec<_> = steps
        .iter()
        .filter(|s| matches!(s.step.event, Event::Fire { .. }))
        .collect();
    assert_eq!(fired.len(), 1);
    let Target::State(after) = &fired[0].result else {
        panic!("{:?}", fired[0].fault)
    };
    assert_eq!(
        active(&model, after, worker),
        ["Work", "s6", "process", "s1"]
    );
    assert_eq!(after.object(worker).dispatched, None);
}

/// Example 2.11.
#[test]
fn s5_maximal_orthogonal_sets() {
    let (model, at) = figure("0", &["s4", "s7"]);
    let worker = object(&model, "worker");
    let semantics = Semantics::exact(&model);
    let enabled = semantics.enabled(&at, worker, None);
    let labels: Vec<_> = enabled
        .iter()
        .map(|id| model.transition_label(worker, *id))
        .collect();
    assert_eq!(labels, ["s4 -> s6", "s7 -> process / { send itsTrgt.e1; }"]);
    assert_eq!(
        semantics.maximal_sets(worker, &enabled),
        [enabled],
        "both together, neither alone"
    );
}

#[test]
fn s6_inner_transitions_go_before_outer_ones() {
    let text = "
        const INNER = true;
        external signal e;
        class C {
          initial -> K;
          state K { initial -> A; state A; state B; A -> B : e [INNER]; }
          state Out { ignore e; }
          K -> Out : e;
        }
        object o: C;
        semantics run_to_completion;
        allow deadlock;
        property stays_inside : never o in Out;
        property never_inside : never o in B;";
    let both = model(text);
    assert_eq!(
        trace(&both, "never_inside").length(),
        2,
        "dispatch, then the inner transition"
    );
    assert_eq!(
        trace(&both, "stays_inside").completed_steps(),
        1,
        "the outer one only once in B"
    );
    let outer = model_with(text, &[("INNER", "false")]);
    assert_eq!(trace(&outer, "stays_inside").length(), 2);
    assert!(holds(&outer, "never_inside"));
}

#[test]
fn s7_an_event_that_nobody_takes_is_discarded() {
    let model = model(
        "external signal e, other;
         class C { initial -> A; state A { } state B; A -> B : other; }
         object o: C;
         semantics run_to_completion;
         environment lazy;
         allow deadlock, implicit_consumption;
         external signal unknown to o;",
    );
    let semantics = Semantics::exact(&model);
    let at = start(&model);
    let dispatches = |step: &&crisol::csm::Successor| match &step.step.event {
        Event::Dispatch { message, .. } => model.signal(message.signal).name == "unknown",
        _ => false,
    };
    let steps = semantics.successors(&at);
    let dispatched = steps.iter().find(dispatches).expect("a dispatch");
    let Target::State(inside) = &dispatched.result else {
        panic!()
    };
    let next = semantics.successors(inside);
    let events: Vec<&Event> = next.iter().map(|successor| &successor.step.event).collect();
    assert_eq!(
        events,
        [&Event::EndOfStep {
            object: object(&model, "o")
        }]
    );
    let Target::State(after) = &next[0].result else {
        panic!()
    };
    assert_eq!(*after, at, "nothing else changes");
}

#[test]
fn s8_regions_consume_one_event_together_in_every_order() {
    let model = model(
        "external signal e;
         class C {
           int(0..2) x;
           initial -> K;
           state K {
             region r { initial -> A; state A, B; A -> B : e / { x = 1; } }
             region s { initial -> P; state P, Q; P -> Q : e / { x = 2; } }
           }
         }
         object o: C;
         semantics run_to_completion;
         allow deadlock, implicit_consumption;
         property one : never o in B && o.x == 1;
         property two : never o in B && o.x == 2;
         property together : always (o in B) == (o in Q);",
    );
    assert_eq!(trace(&model, "one").length(), 2);
    assert_eq!(trace(&model, "two").length(), 2);
    assert!(holds(&model, "together"));
}

#[test]
fn s9_a_data_base_comes_back_to_where_it_waited() {
    let model = shipped("ticket_ordering/ticket_ordering.csm", &[]);
    let db = object(&model, "db1");
    let mut at = start(&model);
    put(&model, &mut at, db, &["Wait4RemDb"]);
    let office = model.object(db).thread.index();
    at.threads[office].running = Some(db);
    at.object_mut(db).dispatched = Some(message(&model, "evReqOwnership"));
    let semantics = Semantics::exact(&model);
    let mut visited = Vec::new();
    loop {
        let mut next = semantics.successors(&at);
        assert_eq!(next.len(), 1);
        let Target::State(after) = next.remove(0).result else {
            panic!()
        };
        at = after;
        visited.push(active(&model, &at, db).join("."));
        if at.threads[office].running.is_none() {
            break;
        }
    }
    assert_eq!(visited, ["Transfer", "Main.Wait4RemDb", "Main.Wait4RemDb"]);
}

/// One object counts up in two transitions, the other looks.
fn two_machines(threads: &str) -> Model {
    model(&format!(
        "external signal go, look;
         int(0..2) x;
         class Counter {{
           initial -> A; state A, B; state C {{ ignore go; }}
           A -> B : go / {{ x = 1; }}
           B -> C / {{ x = 2; }}
         }}
         class Observer {{
           bool saw;
           initial -> W; state W;
           W -> W : look / {{ saw = x == 1; }}
         }}
         object counter: Counter;
         object observer: Observer;
         {threads}
         semantics run_to_completion;
         allow deadlock;
         property unseen : never observer.saw;"
    ))
}

#[test]
fn s10_steps_of_two_threads_interleave_and_those_of_one_never() {
    assert!(
        !holds(&two_machines(""), "unseen"),
        "each on a thread of its own"
    );
    assert!(holds(
        &two_machines("thread main { counter, observer }"),
        "unseen"
    ));
}

/// How many configurations a breadth-first search has seen when it generates the first one that
/// violates a property.
fn seen_until_violation(model: &Model, property: &str) -> usize {
    let index = model
        .properties
        .iter()
        .position(|p| p.name == property)
        .expect("a property");
    let semantics = Semantics::exact(model);
    let mut seen = HashSet::from([start(model)]);
    let mut queue = std::collections::VecDeque::from([start(model)]);
    while let Some(at) = queue.pop_front() {
        for successor in semantics.successors(&at) {
            let Target::State(next) = successor.result else {
                continue;
            };
            if !seen.insert(next.clone()) {
                continue;
            }
            if semantics
                .judge(&next, &[])
                .faults
                .iter()
                .any(|fault| fault.property == index)
            {
                return seen.len();
            }
            queue.push_back(next);
        }
    }
    panic!("{property} is not violated");
}

/// The numbers hold for one order of steps only: the environment's events in alphabetical order,
/// which is why the signals are declared so.
#[test]
fn s11_a_lazy_environment_gives_the_verdicts_of_an_eager_one_with_far_fewer_configurations() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/models/server_client/server_client.csm"
    );
    let text = std::fs::read_to_string(path).expect("the model");
    let text = text.replace(
        "external signal req2, cancel2;",
        "external signal cancel2, req2;",
    );
    for (capacity, lazy, eager) in [("2", 1109, 24810), ("3", 1243, 163084)] {
        let mut model = model_with(&text, &[("CAPACITY", capacity)]);
        model.environment = Environment::Lazy;
        assert_eq!(
            seen_until_violation(&model, "one_answer"),
            lazy,
            "lazy, capacity {capacity}"
        );
        model.environment = Environment::Eager;
        assert_eq!(
            seen_until_violation(&model, "one_answer"),
            eager,
            "eager, capacity {capacity}"
        );
    }
}

#[test]
fn s11_mutual_exclusion_of_the_ticket_office_under_both_environments() {
    for (owner, expected) in [("false", false), ("true", true)] {
        let define = [
            ("OWN1", owner),
            ("ACCOUNT", "1"),
            ("SPACE", "1"),
            ("CAPACITY", "2"),
        ];
        let mut model = shipped("ticket_ordering/ticket_ordering.csm", &define);
        assert_eq!(holds(&model, "one_owner"), expected, "lazy, own1 = {owner}");
        model.environment = Environment::Eager;
        model.threads[0].inbox.capacity = 3; // messages of the environment take room, too
        assert_eq!(
            holds(&model, "one_owner"),
            expected,
            "eager, own1 = {owner}"
        );
    }
}

#[test]
fn s12_a_bound_that_was_hit_is_said() {
    let verdict_at = |capacity| {
        let model = shipped("server_client/server_client.csm", &[("CAPACITY", capacity)]);
        verdict(&model, "one_answer")
    };
    assert!(matches!(
        verdict_at("1"),
        Verdict::Holds { up_to_bound: true }
    ));
    let Verdict::Violated(trace) = verdict_at("2") else {
        panic!("not violated")
    };
    assert_eq!(trace.length(), 26);
}

#[test]
fn s13_a_step_that_can_go_on_for_ever_is_reported() {
    let model = model(
        "external signal e;
         class C { initial -> A; state A, B; A -> B : e; B -> B; }
         object o: C;
         semantics run_to_completion;
         allow implicit_consumption;",
    );
    assert_eq!(trace(&model, "divergence").length(), 2);
    let warnings = lint(&model);
    assert!(
        warnings.iter().any(|warning| warning.code == "W206"),
        "{warnings:#?}"
    );
}

#[test]
fn s13_a_long_step_that_ends_is_no_divergence() {
    let model = model(
        "external signal e;
         class C {
           int(0..9) n;
           initial -> A; state A, B;
           A -> B : e / { n = 0; }
           B -> B : [n < 9] / { n += 1; }
           B -> A : [n == 9];
         }
         object o: C;
         semantics run_to_completion;",
    );
    assert!(holds(&model, "divergence"));
}

#[test]
fn p1_a_flag_that_is_raised_and_lowered_within_one_step() {
    let model = model(
        "external signal e;
         class C {
           bool flag;
           initial -> A; state A, B;
           A -> B : e / { flag = true; }
           B -> A / { flag = false; }
         }
         object o: C;
         semantics run_to_completion;
         property at_rtc : never o.flag at rtc;
         property at_transition : never o.flag at transition;",
    );
    assert!(holds(&model, "at_rtc"));
    assert_eq!(trace(&model, "at_transition").length(), 2);
}

#[test]
fn p2_dead_states_of_the_ticket_office() {
    type Case<'c> = (&'c [(&'c str, &'c str)], Option<u64>, &'c [&'c str]);
    let cases: [Case<'_>; 3] = [
        (
            &[("ACCOUNT", "0"), ("SPACE", "1")],
            Some(6129),
            &["Paid", "LogOrder"],
        ),
        (&[("ACCOUNT", "2"), ("SPACE", "1")], None, &["Broke"]),
        (
            &[("ACCOUNT", "2"), ("SPACE", "2"), ("OWN1", "false")],
            None,
            &[],
        ),
    ];
    for (define, states, dead) in cases {
        let model = shipped("ticket_ordering/ticket_ordering.csm", define);
        let found = findings(&model);
        if let Some(states) = states {
            assert_eq!(found.statistics.states, states);
        }
        let agents = [object(&model, "a1"), object(&model, "a2")];
        let expected = agents
            .iter()
            .flat_map(|a| dead.iter().map(|s| (*a, state(&model, *a, s))));
        let expected: HashSet<_> = expected.collect();
        let found = found.dead.expect("a complete exploration").states;
        assert_eq!(
            found.into_iter().collect::<HashSet<_>>(),
            expected,
            "{define:?}"
        );
    }
}

#[test]
fn p3_mutual_exclusion_is_broken_after_eight_steps_in_the_known_order() {
    let define = [("OWN1", "false"), ("CAPACITY", "4")];
    let model = shipped("ticket_ordering/ticket_ordering.csm", &define);
    let trace = trace(&model, "one_owner");
    assert_eq!(trace.completed_steps(), 8);
    let dispatched = trace.steps.iter().filter_map(|step| match &step.step {
        Step {
            event: Event::Dispatch {
                object, message, ..
            },
            ..
        } => Some(format!(
            "{}:{}",
            model.object(*object).name,
            model.signal(message.signal).name
        )),
        _ => None,
    });
    let mut dispatched: Vec<String> = dispatched.collect();
    let mut known = [
        "a1:evVacationEnd",
        "a2:evVacationEnd",
        "db1:evReqFlight",
        "db2:evReqFlight",
        "db2:evReqOwnership",
        "db1:evReqOwnership",
        "db1:evGrantOwnership",
        "db2:evGrantOwnership",
    ];
    // The two halves of the office are alike: which of them goes first is free.
    dispatched.sort();
    known.sort();
    assert_eq!(dispatched, known);
}

#[test]
fn p3_with_one_owner_at_first_there_is_always_at_most_one() {
    let model = shipped("ticket_ordering/ticket_ordering.csm", &[("CAPACITY", "4")]);
    assert!(holds(&model, "one_owner"));
}

#[test]
fn p4_the_planted_conflict_comes_after_two_steps_for_each_ticket() {
    for account in [1, 2, 3, 5] {
        let text = account.to_string();
        let define = [
            ("ACCOUNT", text.as_str()),
            ("SPACE", "40"),
            ("CAPACITY", "4"),
        ];
        let model = shipped("ticket_ordering/ticket_ordering.csm", &define);
        let found = first_violation(&model, "deterministic");
        assert_eq!(found, 2 * account, "account = {account}");
    }
}

/// Completed run-to-completion steps before the first violation; the whole space is large.
fn first_violation(model: &Model, property: &str) -> usize {
    let index = model
        .properties
        .iter()
        .position(|p| p.name == property)
        .expect("a property");
    let budget = crisol::search::Budget::default();
    let extent = crisol::checker::CheckUntil::FirstViolation;
    let found = crisol::checker::verify(
        model,
        &[index],
        extent,
        crisol::checker::DeadVariables::Keep,
        &budget,
        &mut |_| {},
    );
    let found = found.expect("no contradiction");
    let trace = found.results[0]
        .verdict
        .trace()
        .expect("a violation")
        .clone();
    let fault = trace
        .violates
        .as_ref()
        .and_then(|(_, fault)| fault.as_ref());
    assert_eq!(
        fault.map(|fault| fault.kind),
        Some(FaultKind::Nondeterminism)
    );
    trace.completed_steps()
}

/// An inner transition without a trigger and an outer one for the message are both possible steps.
#[test]
fn a_conflict_between_an_inner_and_an_outer_transition_is_seen_under_interleaving() {
    let model = model(
        "external signal e;
         class C {
           initial -> K;
           state K { initial -> A; state A, B; A -> B; }
           state Out { ignore e; }
           K -> Out : e;
         }
         object o: C;
         allow deadlock;
         property deterministic : never nondeterminism;",
    );
    assert_eq!(trace(&model, "deterministic").length(), 0);
}

/// An ignored message of the environment changes nothing, so it is no way out of a deadlock.
#[test]
fn a_deadlock_is_seen_past_signals_that_are_ignored() {
    for semantics in ["interleaving", "run_to_completion"] {
        for environment in ["lazy", "eager"] {
            let model = model(&format!(
                "external signal want;
                 class C {{ initial -> A; state A {{ ignore want; }} }}
                 object o: C;
                 semantics {semantics};
                 environment {environment};"
            ));
            assert_eq!(
                trace(&model, "deadlock").length(),
                0,
                "{semantics}, {environment}"
            );
        }
    }
}
