//! A run of a DVE program as a story: who moved where, and which variables changed.

use super::narrative::wrap;
use crate::dve::Program;
use crate::words::dve_headline;

/// One step: the transitions it takes, as process and number, and the values of all slots after it.
pub struct DveMove<'s> {
    pub transitions: &'s [(usize, usize)],
    pub values: &'s [i32],
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
