//! A run of a DVE program as a story: who moved where, and which variables changed.

use super::narrative::wrap;
use crate::dve::{Program, Sync};

/// One step: the transitions it takes, as process and number, and the values of all slots after it.
pub struct DveMove<'s> {
    pub transitions: &'s [(usize, usize)],
    pub values: &'s [i32],
}

/// Who moved where: `P_0: NCS -> q1`, with the channel of a handshake.
pub fn dve_headline(program: &Program, transitions: &[(usize, usize)]) -> String {
    let moves = transitions.iter().map(|(process, number)| {
        let process = &program.processes[*process];
        let transition = &process.transitions[*number];
        let (from, to) = (
            &process.states[transition.from],
            &process.states[transition.to],
        );
        let sync = match &transition.sync {
            None => String::new(),
            Some(Sync::Send { channel, .. }) => format!(" ({}!)", program.channels[*channel].name),
            Some(Sync::Receive { channel, .. }) => {
                format!(" ({}?)", program.channels[*channel].name)
            }
        };
        format!("{}: {} -> {}{sync}", process.name, from.name, to.name)
    });
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() {
        "the system starts".to_owned()
    } else {
        moves.join(", ")
    }
}

/// The whole run; the first move brings the system into being.
pub fn dve_story(program: &Program, moves: &[DveMove<'_>]) -> String {
    let mut lines = Vec::new();
    let mut before: Option<&[i32]> = None;
    for (number, step) in moves.iter().enumerate() {
        lines.extend(wrap(
            &format!("{number:>4}  "),
            &dve_headline(program, step.transitions),
        ));
        if let Some(before) = before {
            let changed = dve_changes(program, before, step.values);
            let shown = changed
                .iter()
                .map(|(name, old, new)| format!("{name} = {new}  (was {old})"));
            lines.extend(shown.flat_map(|text| wrap("        ", &text)));
        }
        before = Some(step.values);
    }
    lines.join("\n") + "\n"
}

/// Variables that differ: name, before, after.
pub fn dve_changes(program: &Program, before: &[i32], after: &[i32]) -> Vec<(String, i32, i32)> {
    let mut changed = Vec::new();
    for variable in &program.variables {
        for index in 0..variable.length {
            let slot = variable.first_slot + index;
            if before[slot] != after[slot] {
                let name = match variable.is_array {
                    true => format!("{}[{index}]", variable.name),
                    false => variable.name.clone(),
                };
                changed.push((name, before[slot], after[slot]));
            }
        }
    }
    changed
}
