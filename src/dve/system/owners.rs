//! Which process a variable belongs to. What belongs together stands together in the tree of a state, so that
//! a step changes few of its branches.
//!
//! DVE has no inboxes: a queue between processes is a global array that its receiver shifts and its senders write
//! to. It belongs to whoever mentions it most.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::dve::{Expr, Place, Program, Sync, Transition};

/// By slot: a process, or else a number of its own for each variable, beyond those of the processes.
pub fn owners(program: &Program) -> Vec<usize> {
    let mentions = mentions(program);
    let mut owners = vec![0; program.slots.len()];
    for (number, variable) in program.variables.iter().enumerate() {
        let owner = variable
            .process
            .or_else(|| main_user(&mentions[variable.first_slot]));
        let owner = owner.unwrap_or(program.processes.len() + number);
        owners[variable.first_slot..][..variable.length].fill(owner);
    }
    owners
}

/// The process that has at least half of all mentions.
fn main_user(mentions: &HashMap<usize, usize>) -> Option<usize> {
    let all: usize = mentions.values().sum();
    let first_of_most = mentions
        .iter()
        .max_by_key(|(user, count)| (*count, Reverse(*user)));
    first_of_most.and_then(|(user, count)| (2 * count >= all).then_some(*user))
}

/// By first slot of a variable, and process: how often it is mentioned, what is asked before a step twice.
fn mentions(program: &Program) -> Vec<HashMap<usize, usize>> {
    let mut mentions = vec![HashMap::new(); program.slots.len()];
    for (number, process) in program.processes.iter().enumerate() {
        let mut see = |place: &Place, weight: usize| {
            *mentions[place.first_slot].entry(number).or_default() += weight;
        };
        for transition in &process.transitions {
            places(transition, &mut see);
        }
    }
    mentions
}

fn places(transition: &Transition, see: &mut impl FnMut(&Place, usize)) {
    if let Some(guard) = &transition.guard {
        places_in(guard, &mut |place| see(place, 2));
    }
    let mut once = |place: &Place| see(place, 1);
    for effect in &transition.effects {
        place_itself(&effect.place, &mut once);
        places_in(&effect.value, &mut once);
    }
    match &transition.sync {
        Some(Sync::Send { values, .. }) => {
            values.iter().for_each(|value| places_in(value, &mut once));
        }
        Some(Sync::Receive { places, .. }) => {
            places
                .iter()
                .for_each(|place| place_itself(place, &mut once));
        }
        None => {}
    }
}

fn place_itself(place: &Place, see: &mut dyn FnMut(&Place)) {
    see(place);
    if let Some(index) = &place.index {
        places_in(index, see);
    }
}

fn places_in(expr: &Expr, see: &mut dyn FnMut(&Place)) {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => {}
        Expr::Read(place) => place_itself(place, see),
        Expr::Unary(_, operand) => places_in(operand, see),
        Expr::Binary(_, left, right, _) => {
            places_in(left, see);
            places_in(right, see);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dve::read;

    #[test]
    fn a_queue_belongs_to_the_process_that_takes_from_it() {
        let program = read(
            "byte q[3]; byte n; byte turn; byte unused;
            process Sender { byte own; state s; init s;
                trans s -> s { guard n < 3; effect q[n] = own, n = n + 1, turn = 1; }; }
            process Receiver { state s; init s;
                trans s -> s { guard n > 0 and q[0] > 0; effect q[0] = q[1], q[1] = q[2], n = n - 1; },
                      s -> s { guard n > 0 and turn == 1; }; }
            process Other { state s; init s; trans s -> s { guard turn == 0; },
                s -> s { effect turn = 0; }; }
            system async;",
        )
        .expect("a program");
        let owners = owners(&program);
        let owner = |name: &str| {
            let variable = program.variables.iter().find(|v| v.name == name);
            owners[variable.expect("it is declared").first_slot]
        };
        assert_eq!(owner("q"), 1);
        assert_eq!(owner("n"), 1);
        assert_eq!(owner("Sender.own"), 0);
        assert_eq!(owner("turn"), 2, "half of all mentions");
        assert!(owner("unused") > 2);
    }
}
