//! Slots of DVE programs, each case named after the mistake that it keeps out.

use crisol::dve::dead_variables::DeadSlots;
use crisol::dve::system::DveSystem;
use crisol::dve::{Program, read};
use crisol::search::Budget;

use crate::dead_variables::compare::compare;

/// The program has so many states; so many with dead slots reset; and these are dead, by process
/// and state: `P.s: x t[1]`.
#[track_caller]
fn example(text: &str, states: (u64, u64), dead: &[&str]) {
    let program = read(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(shown(&program), dead);
    let dead = DeadSlots::new(&program);
    let compared = compare(&DveSystem::new(&program), &dead, &Budget::default());
    let compared = compared.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((compared.full, compared.reset), states);
}

fn shown(program: &Program) -> Vec<String> {
    let dead = DeadSlots::new(program);
    let mut lines = Vec::new();
    for (index, process) in program.processes.iter().enumerate() {
        for (state, declared) in process.states.iter().enumerate() {
            let slots = dead.at(index, state).iter();
            let names: Vec<String> = slots.map(|slot| name(program, *slot)).collect();
            lines.push(format!(
                "{}.{}: {}",
                process.name,
                declared.name,
                names.join(" ")
            ));
        }
    }
    lines
}

fn name(program: &Program, slot: usize) -> String {
    let mut before = program.variables.iter().rev();
    let variable = before.find(|v| v.first_slot <= slot).expect("a variable");
    match variable.is_array {
        true => format!("{}[{}]", variable.name, slot - variable.first_slot),
        false => variable.name.clone(),
    }
}

#[test]
fn a_variable_is_dead_until_it_is_written_again() {
    let text = "
        process P {
          byte x;
          state s, t;
          init s;
          trans s -> t { effect x = 1; }, s -> t { effect x = 2; }, t -> s { guard x > 0; };
        }
        system async;";
    example(text, (5, 3), &["P.s: P.x", "P.t: "]);
}

#[test]
fn a_variable_that_an_assertion_reads_is_live_where_it_is_asserted() {
    let text = "
        process P {
          byte x;
          state s, t, u;
          init s;
          assert t x < 2;
          trans s -> t { effect x = 1; }, s -> t { effect x = 2; }, t -> u {}, u -> s {};
        }
        system async;";
    example(text, (7, 4), &["P.s: P.x", "P.t: ", "P.u: P.x"]);
}

/// `Q` looks at it too, so that no state of `P` alone can tell.
#[test]
fn a_variable_that_another_process_reads_is_kept() {
    let text = "
        process P {
          byte x;
          state s, t;
          init s;
          trans s -> t { effect x = 1; }, t -> s { guard x == 1; effect x = 2; };
        }
        process Q {
          state s, t;
          init s;
          trans s -> t { guard P->x == 2; };
        }
        system async;";
    example(text, (5, 5), &["P.s: ", "P.t: ", "Q.s: ", "Q.t: "]);
}

/// After its only look, `Q` never looks again; but `P` does not know where `Q` is.
#[test]
fn a_global_variable_with_one_reader_is_dead_when_that_one_says_so() {
    let text = "
        byte g;
        process P {
          state s;
          init s;
          trans s -> s { effect g = 1; }, s -> s { effect g = 2; };
        }
        process Q {
          state s, t;
          init s;
          trans s -> t { guard g == 2; };
        }
        system async;";
    example(text, (5, 4), &["P.s: ", "Q.s: ", "Q.t: g"]);
}

#[test]
fn a_slot_that_nobody_reads_is_always_dead() {
    let text = "
        byte g;
        process P {
          state s;
          init s;
          trans s -> s { effect g = g + 1; };
        }
        process Q {
          byte y;
          state s;
          init s;
          trans s -> s { effect y = 1; };
        }
        system async;";
    // `g` is read, if only to count on: 256 values.
    example(text, (512, 256), &["P.s: Q.y", "Q.s: "]);
}

#[test]
fn an_element_is_written_for_certain_only_at_a_known_index() {
    let text = "
        byte t[2];
        process P {
          byte i;
          state s, u;
          init s;
          trans
            s -> u { effect t[1 - 1] = 1, t[i] = 2; },
            u -> s { guard t[0] + t[1] > 0; effect i = 1 - i; };
        }
        system async;";
    example(text, (7, 7), &["P.s: t[0]", "P.u: "]);
}

#[test]
fn an_index_is_read_before_the_element_is_written() {
    let text = "
        byte t[2];
        process P {
          byte i;
          state s, u;
          init s;
          trans s -> u { effect i = 0; }, s -> u { effect i = 1; }, u -> s { effect t[i] = 1; };
        }
        system async;";
    example(text, (13, 3), &["P.s: t[0] t[1] P.i", "P.u: t[0] t[1]"]);
}

#[test]
fn what_is_received_is_written_and_what_is_sent_is_read() {
    let text = "
        channel c;
        process P {
          byte x;
          state s, t;
          init s;
          trans s -> t { effect x = 1; }, s -> t { effect x = 2; }, t -> s { sync c!x; };
        }
        process Q {
          byte y;
          state s, t;
          init s;
          trans s -> t { sync c?y; effect y = y + 1; }, t -> s { guard y > 0; };
        }
        system async;";
    let dead = &["P.s: P.x", "P.t: ", "Q.s: Q.y", "Q.t: "];
    example(text, (15, 9), dead);
}

/// The values of a message are those from before the step, whatever the receiver stores.
#[test]
fn a_buffered_message_keeps_the_value_of_a_dead_variable() {
    let text = "
        channel {byte} c[1];
        process P {
          byte x;
          state s, t;
          init s;
          trans
            s -> t { effect x = 1; },
            s -> t { effect x = 2; },
            t -> s { sync c!x; effect x = 0; };
        }
        process Q {
          byte y;
          state s;
          init s;
          trans s -> s { sync c?y; };
        }
        system async;";
    example(text, (27, 9), &["P.s: P.x Q.y", "P.t: Q.y", "Q.s: "]);
}
