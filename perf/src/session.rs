//! All runs of one comparison, as they are kept: nothing in a report that can't be made from them again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::contender::{Contender, Counts};
use crate::machine::Machine;
use crate::measure::Cost;

#[derive(Debug, Serialize, Deserialize)]
pub struct Session {
    pub date: String,
    pub machine: Machine,
    pub versions: Vec<String>,
    pub runs: Vec<Run>,
    /// Runs that gave no counts, and what was printed instead.
    pub failures: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Run {
    pub model: String,
    pub contender: Contender,
    pub round: usize,
    pub counts: Counts,
    pub cost: Cost,
    /// The memory of the program that does nothing.
    pub empty_bytes: u64,
    pub set_up: String,
}

impl Session {
    pub fn of<'a>(
        &'a self,
        model: &'a str,
        contender: Contender,
    ) -> impl Iterator<Item = &'a Run> + Clone {
        self.runs
            .iter()
            .filter(move |run| run.model == model && run.contender == contender)
    }

    /// Those who ran a model, in the order of their first run.
    pub fn contenders(&self, model: &str) -> Vec<Contender> {
        let mut contenders = Vec::new();
        for run in self.runs.iter().filter(|run| run.model == model) {
            if !contenders.contains(&run.contender) {
                contenders.push(run.contender);
            }
        }
        contenders
    }

    pub fn load(folder: &Path) -> Result<Session, Failure> {
        let text = std::fs::read_to_string(folder.join("runs.json"))?;
        Ok(serde_json::from_str(&text)?)
    }

    pub fn save(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self)?;
        Ok(std::fs::write(folder.join("runs.json"), text)?)
    }
}
