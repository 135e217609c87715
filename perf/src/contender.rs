//! Who takes part, and how: a program, its arguments, and how its counts are read.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::measure::{Cost, Limit, measure};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Contender {
    Crisol { threads: usize },
    Spin(Search),
    Stateright { threads: usize },
}

/// How SPIN searches; always the full space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Search {
    DepthFirst,
    /// With compressed states.
    Collapse,
    /// Two processes; states are kept as hashes only, so that it may miss some.
    ParallelBreadthFirst,
}

impl Contender {
    /// Whether it is measured for comparison only, and nothing is demanded of it.
    pub fn is_aside(self) -> bool {
        !matches!(
            self,
            Contender::Crisol { .. } | Contender::Spin(Search::DepthFirst)
        )
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Contender::Crisol { threads } => {
                write!(f, "Crisol, {threads} thread{}", plural(*threads))
            }
            Contender::Spin(Search::DepthFirst) => write!(f, "SPIN"),
            Contender::Spin(Search::Collapse) => write!(f, "SPIN, collapse"),
            Contender::Spin(Search::ParallelBreadthFirst) => write!(f, "SPIN, parallel BFS"),
            Contender::Stateright { threads } => {
                write!(f, "Stateright, {threads} thread{}", plural(*threads))
            }
        }
    }
}

fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    /// Whether the whole space was seen.
    pub complete: bool,
}

/// A contender that is ready to run on one model.
#[derive(Clone)]
pub struct Entrant {
    pub contender: Contender,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// What makes the program end at once: the memory that it takes then is no state's.
    pub idle: &'static str,
    /// How it was built and called, without the paths of one machine.
    pub set_up: String,
    pub read: fn(&str) -> Option<Counts>,
}

impl Entrant {
    pub fn run(&self, limit: Limit) -> Result<(Counts, Cost), Failure> {
        let measured = measure(&self.program, &self.arguments, limit)?;
        let counts = (self.read)(&measured.output);
        let unread = || {
            format!(
                "{}: {}, no counts in its output:\n{}",
                self.contender, measured.status, measured.output
            )
        };
        Ok((counts.ok_or_else(unread)?, measured.cost))
    }

    /// The memory of the program that does nothing.
    pub fn empty_bytes(&self) -> Result<u64, Failure> {
        let idle = [self.idle.to_owned()];
        let measured = measure(&self.program, &idle, Limit::Wall(Duration::from_secs(10)))?;
        Ok(measured.cost.peak_bytes)
    }
}
