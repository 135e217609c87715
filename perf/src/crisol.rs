//! Crisol itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::contender::{Contender, Counts, Entrant};
use crate::measure::must;
use crate::suite::{Group, Model};
use crate::{Failure, root};

pub struct Crisol {
    program: PathBuf,
    has_threads: bool,
}

impl Crisol {
    /// The binary that was built last.
    pub fn find() -> Result<Crisol, Failure> {
        Crisol::at(&program())
    }

    pub fn at(program: &Path) -> Result<Crisol, Failure> {
        let program = program.canonicalize()?;
        let help = must(Command::new(&program).args(["count", "--help"]))?;
        let has_threads = help.contains("--threads");
        Ok(Crisol {
            program,
            has_threads,
        })
    }

    pub fn version(&self) -> Result<String, Failure> {
        let version = must(Command::new(&self.program).arg("--version"))?;
        let commit = must(
            Command::new("git")
                .args(["describe", "--always", "--dirty"])
                .current_dir(root()),
        );
        Ok(format!(
            "{} {}",
            version.trim(),
            commit.unwrap_or_default().trim()
        ))
    }

    /// The ways in which it takes part in the comparison of a model.
    pub fn entrants(&self, model: &Model) -> Vec<Entrant> {
        let threads: &[usize] = match model.group {
            _ if !self.has_threads => &[1],
            Group::Growth => &[1],
            Group::Large => &[2],
            Group::Beem | Group::Messages => &[1, 2],
        };
        let mut options: Vec<String> = model.define.iter().map(|d| format!("-D{d}")).collect();
        if model.group == Group::Growth {
            options.push(format!("--max-states={}", model.states));
        }
        let entrant = |&threads| self.entrant(&model.path(), &options, threads);
        threads.iter().map(entrant).collect()
    }

    pub fn entrant(&self, path: &Path, options: &[String], threads: usize) -> Entrant {
        let mut options = options.to_vec();
        options.push("--json".to_owned());
        if self.has_threads {
            options.push(format!("--threads={threads}"));
        }
        let file = path.file_name().unwrap_or_default().display();
        let set_up = format!("count {file} {}", options.join(" "));
        let mut arguments = vec!["count".to_owned(), path.display().to_string()];
        arguments.extend(options);
        Entrant {
            contender: Contender::Crisol { threads },
            program: self.program.clone(),
            arguments,
            idle: "--version",
            set_up,
            read,
        }
    }
}

/// As servers and packages have it, which is the fastest.
const PROFILE: &str = "max";

/// The binary that [`build`] makes.
pub fn program() -> PathBuf {
    root().join("target").join(PROFILE).join("crisol")
}

/// `cargo build` leaves a binary that is up to date as it is.
pub fn build() -> Result<(), Failure> {
    must(
        Command::new("cargo")
            .args(["build", "--profile", PROFILE])
            .current_dir(root()),
    )?;
    Ok(())
}

fn read(output: &str) -> Option<Counts> {
    #[derive(Deserialize)]
    struct Report {
        states: u64,
        transitions: u64,
        depth: u64,
        complete: bool,
    }
    // Progress and warnings come before the object.
    let object = &output[output.find("{\n")?..];
    let report: Report = serde_json::from_str(object).ok()?;
    Some(Counts {
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        complete: report.complete,
    })
}
