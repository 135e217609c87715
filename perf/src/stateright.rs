//! Stateright, on models that `perf/stateright` has for it.

use std::path::PathBuf;
use std::process::Command;

use crate::contender::{Contender, Counts, Entrant};
use crate::measure::must;
use crate::suite::Model;
use crate::{Failure, perf};

pub struct Stateright {
    program: PathBuf,
}

impl Stateright {
    pub fn build() -> Result<Stateright, Failure> {
        let folder = perf().join("stateright");
        must(
            Command::new("cargo")
                .args(["build", "--release"])
                .current_dir(&folder),
        )?;
        let program = folder.join("target/release/crisol-perf-stateright");
        Ok(Stateright { program })
    }

    /// As `Cargo.lock` has it.
    pub fn version() -> Result<String, Failure> {
        let lock = std::fs::read_to_string(perf().join("stateright/Cargo.lock"))?;
        let package = lock
            .split("[[package]]")
            .find(|p| p.contains("name = \"stateright\""));
        let version = package.and_then(|p| p.split("version = \"").nth(1)?.split('"').next());
        Ok(format!("Stateright {}", version.unwrap_or("?")))
    }

    pub fn entrants(&self, model: &Model) -> Vec<Entrant> {
        let Some(arguments) = &model.stateright else {
            return Vec::new();
        };
        [1, 2]
            .map(|threads| self.entrant(arguments, threads))
            .into()
    }

    fn entrant(&self, arguments: &[String], threads: usize) -> Entrant {
        let mut arguments = arguments.to_vec();
        arguments.push(threads.to_string());
        Entrant {
            contender: Contender::Stateright { threads },
            program: self.program.clone(),
            set_up: arguments.join(" "),
            arguments,
            idle: "--version",
            read,
        }
    }
}

fn read(output: &str) -> Option<Counts> {
    serde_json::from_str(output.lines().last()?).ok()
}
