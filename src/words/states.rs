//! The states of a graph in words, each by itself. Variables that are the same in all of them are left
//! out.

use super::dve::dve_headline;
use super::steps::{headline, object_line, variables};
use crate::csm::{Configuration, Event};
use crate::dve::Program;
use crate::lang::{Model, Value};

pub struct Words<'m> {
    model: &'m Model,
    /// For each variable whether it differs anywhere.
    differs: Vec<bool>,
}

impl<'m> Words<'m> {
    pub fn new<'c>(
        model: &'m Model,
        configurations: impl Iterator<Item = &'c Configuration>,
    ) -> Words<'m> {
        let values = configurations.map(|configuration| {
            let shown = variables(model, configuration).into_iter();
            shown.map(|shown| shown.value).collect()
        });
        let differs = differing::<Value>(values);
        Words { model, differs }
    }

    pub fn state(&self, configuration: &Configuration) -> Vec<String> {
        let objects = self.model.object_ids();
        let mut lines: Vec<String> = objects
            .map(|object| object_line(self.model, configuration, object))
            .collect();
        for (shown, differs) in variables(self.model, configuration)
            .iter()
            .zip(&self.differs)
        {
            if *differs {
                let value = self.model.show(shown.value, &shown.ty);
                lines.push(format!("{} = {value}", shown.name));
            }
        }
        for (thread, declared) in configuration.threads.iter().zip(&self.model.threads) {
            if let Some(object) = thread.running {
                let object = &self.model.object(object).name;
                lines.push(format!("{} is busy with {object}", declared.name));
            }
        }
        lines
    }

    /// Who does what.
    pub fn step(&self, event: &Event) -> String {
        headline(self.model, event)
    }
}

/// The same for DVE programs.
pub struct DveWords<'p> {
    program: &'p Program,
    differs: Vec<bool>,
}

impl<'p> DveWords<'p> {
    /// `values` are those of all slots, in each state.
    pub fn new<'v>(program: &'p Program, values: impl Iterator<Item = &'v [i32]>) -> DveWords<'p> {
        let differs = differing(values.map(<[i32]>::to_vec));
        DveWords { program, differs }
    }

    pub fn state(
        &self,
        values: &[i32],
        processes: &[u32],
        channels: &[Vec<Vec<i32>>],
    ) -> Vec<String> {
        let mut lines = Vec::new();
        for (process, state) in self.program.processes.iter().zip(processes) {
            let state = &process.states[*state as usize].name;
            lines.push(format!("{} in {state}", process.name));
        }
        for variable in &self.program.variables {
            for index in 0..variable.length {
                let slot = variable.first_slot + index;
                if self.differs.get(slot) == Some(&true) {
                    let element = match variable.is_array {
                        true => format!("[{index}]"),
                        false => String::new(),
                    };
                    lines.push(format!("{}{element} = {}", variable.name, values[slot]));
                }
            }
        }
        for (channel, content) in self.program.channels.iter().zip(channels) {
            if !content.is_empty() {
                lines.push(format!("{}: {content:?}", channel.name));
            }
        }
        lines
    }

    pub fn step(&self, transitions: &[(usize, usize)]) -> String {
        dve_headline(self.program, transitions)
    }
}

/// For each place whether the rows differ there.
fn differing<T: PartialEq>(mut rows: impl Iterator<Item = Vec<T>>) -> Vec<bool> {
    let Some(first) = rows.next() else {
        return Vec::new();
    };
    let mut differs = vec![false; first.len()];
    for row in rows {
        for (place, (one, other)) in first.iter().zip(&row).enumerate() {
            differs[place] |= one != other;
        }
    }
    differs
}
