//! SPIN: Promela to C, C to a checker, and what the checker prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::contender::{Contender, Counts, Entrant, Search};
use crate::measure::must;
use crate::suite::{Group, Model};

/// All states, each stored exactly; no partial-order reduction, no fairness, no liveness.
const FULL_SPACE: [&str; 5] = ["-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR"];

/// Bytes that a state may have: of a model that others made, and of one that is wide.
const VECTOR: u32 = 4096;
const WIDE_VECTOR: u32 = 32_768;
/// How deep the search of a wide model goes, of which nobody sees the end; and slots for its states.
const WIDE_SEARCH: [&str; 2] = ["-m1000000", "-w24"];

/// Goes on beyond errors, ignores assertions and end states (deadlocks), and lists nothing.
const EVERYTHING: [&str; 4] = ["-c0", "-A", "-E", "-n"];

pub struct Spin {
    /// Where checkers are built.
    folder: PathBuf,
    /// SPIN stops at this much memory.
    megabytes: u64,
}

impl Spin {
    pub fn find(folder: PathBuf, megabytes: u64) -> Result<Spin, Failure> {
        let missing = "SPIN is not installed: apt-get install spin";
        Command::new("spin")
            .arg("-V")
            .output()
            .map_err(|_| missing)?;
        Ok(Spin { folder, megabytes })
    }

    pub fn version() -> Result<String, Failure> {
        let spin = must(Command::new("spin").arg("-V"))?;
        let gcc = must(Command::new("gcc").arg("--version"))?;
        let first = gcc.lines().next().unwrap_or_default();
        Ok(format!("{}, {first}", spin.trim()))
    }

    pub fn entrants(&self, model: &Model) -> Result<Vec<Entrant>, Failure> {
        if matches!(model.group, Group::Growth | Group::Large) {
            return Ok(Vec::new());
        }
        let folder = self.folder.join(&model.name);
        let defines = model.define.iter().map(|define| format!("-D{define}"));
        generate(&model.promela(), defines, &folder)?;
        [
            Search::DepthFirst,
            Search::Collapse,
            Search::ParallelBreadthFirst,
        ]
        .into_iter()
        .map(|search| self.entrant(model, search, &folder))
        .collect()
    }

    fn entrant(&self, model: &Model, search: Search, folder: &Path) -> Result<Entrant, Failure> {
        self.compile(search, VECTOR, folder, arguments(model, search))
    }

    /// A model that has no end, or one that has it soon.
    pub fn wide_entrant(&self, promela: &Path) -> Result<Entrant, Failure> {
        let folder = self.folder.join(promela.file_stem().unwrap_or_default());
        generate(promela, std::iter::empty(), &folder)?;
        let arguments = EVERYTHING.into_iter().chain(WIDE_SEARCH);
        let arguments = arguments.map(str::to_owned).collect();
        self.compile(Search::DepthFirst, WIDE_VECTOR, &folder, arguments)
    }

    fn compile(
        &self,
        search: Search,
        vector: u32,
        folder: &Path,
        arguments: Vec<String>,
    ) -> Result<Entrant, Failure> {
        let flags = self.compiler_flags(search, vector);
        let program = folder.join(format!("{search:?}"));
        must(
            Command::new("gcc")
                .args(&flags)
                .arg("-o")
                .args([&program, Path::new("pan.c")])
                .current_dir(folder),
        )?;
        Ok(Entrant {
            contender: Contender::Spin(search),
            program,
            idle: "-V",
            set_up: format!("gcc {}; pan {}", flags.join(" "), arguments.join(" ")),
            arguments,
            read,
        })
    }

    fn compiler_flags(&self, search: Search, vector: u32) -> Vec<String> {
        let special = match search {
            Search::DepthFirst => None,
            Search::Collapse => Some("-DCOLLAPSE"),
            Search::ParallelBreadthFirst => Some("-DBFS_PAR"),
        };
        let flags = FULL_SPACE.into_iter().chain(special);
        let vector = format!("-DVECTORSZ={vector}");
        let memory = format!("-DMEMLIM={}", self.megabytes);
        flags.map(str::to_owned).chain([vector, memory]).collect()
    }
}

/// Promela to C. Dead variables keep their values (`-o2`), as they do for Crisol in `count`.
fn generate(
    promela: &Path,
    defines: impl Iterator<Item = String>,
    folder: &Path,
) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    // In the folder, so that the checker does not know where the model was.
    std::fs::copy(promela, folder.join("model.pml"))?;
    must(
        Command::new("spin")
            .arg("-o2")
            .args(defines)
            .args(["-a", "model.pml"])
            .current_dir(folder),
    )?;
    Ok(())
}

fn arguments(model: &Model, search: Search) -> Vec<String> {
    let mut arguments: Vec<String> = EVERYTHING.map(str::to_owned).into();
    if search == Search::ParallelBreadthFirst {
        // This table can't grow, and must not get full.
        arguments.push(format!("-w{}", table_bits(model.states / 3 * 4)));
        arguments.push("-u2".to_owned());
    } else {
        arguments.push(format!("-w{}", table_bits(model.states)));
        arguments.extend(model.stack.map(|stack| format!("-m{stack}")));
    }
    arguments
}

/// A slot for each state.
fn table_bits(states: u64) -> u32 {
    states.next_power_of_two().ilog2()
}

fn read(output: &str) -> Option<Counts> {
    let cut = ["Search not completed", "max search depth too small"];
    Some(Counts {
        states: number(output, " states, stored")?,
        // It counts the initial state among the transitions.
        transitions: number(output, " transitions (= stored+matched)")?.checked_sub(1)?,
        depth: number(output, ", errors:")?,
        complete: !cut.iter().any(|message| output.contains(message)),
    })
}

/// The number before some words. From a hundred million on SPIN prints eight digits and an exponent.
fn number(output: &str, words: &str) -> Option<u64> {
    let before = &output[..output.find(words)?];
    let number: f64 = before.split_whitespace().next_back()?.parse().ok()?;
    Some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
State-vector 140 byte, depth reached 12243593, errors: 0
 14348906 states, stored
1.2914015e+08 states, matched
1.4348906e+08 transitions (= stored+matched)
";

    #[test]
    fn counts_are_read_whether_or_not_they_have_an_exponent() {
        let counts = Counts {
            states: 14_348_906,
            transitions: 143_489_059,
            depth: 12_243_593,
            complete: true,
        };
        assert_eq!(read(OUTPUT), Some(counts));
    }

    #[test]
    fn an_interrupted_search_is_not_complete() {
        let output = format!("Warning: Search not completed\n{OUTPUT}");
        assert!(!read(&output).expect("counts").complete);
    }

    #[test]
    fn every_state_has_a_slot() {
        assert_eq!(table_bits(8_717_688), 24);
        assert_eq!(table_bits(1 << 22), 22);
    }
}
