//! `crisol count`

use clap::Args;
use crisol::checker::{CheckUntil, peak_memory_bytes};
use crisol::dve::DVE_PROPERTIES;
use crisol::evidence::CheckResult;
use crisol::lang::SourceFile;
use crisol::report::{Report, document};

use super::limits::{Dead, Limits};
use super::load::Input;
use super::output::pretty;
use super::{Failure, dve, print};

#[derive(Args)]
pub struct Count {
    #[command(flatten)]
    input: Input,

    /// Variables that no run can read before they are written again: `reset` them, so that they
    /// do not tell states apart, or `keep` them
    #[arg(long, value_name = "HOW", default_value = "keep")]
    dead_variables: Dead,

    #[command(flatten)]
    limits: Limits,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Count {
    pub fn run(self) -> Result<u8, Failure> {
        if dve::is_dve(&self.input.path) {
            return self.run_dve();
        }
        let (source, model) = self.input.load()?;
        let properties = self.properties(model.properties.len());
        let findings = self.limits.verify(
            &model,
            &properties,
            CheckUntil::Everything,
            self.dead_variables,
        )?;
        let complete = findings.dead.is_some();
        if self.json {
            print(&pretty(&document(&Report {
                source: &source,
                model: &model,
                findings: &findings,
            }))?);
        } else {
            print(&counts(&source, &findings));
        }
        Ok(if complete { 0 } else { 2 })
    }

    fn run_dve(&self) -> Result<u8, Failure> {
        let properties = self.properties(DVE_PROPERTIES.len());
        let loaded = dve::load(&self.input.path, &self.input.reading)?;
        let everything = CheckUntil::Everything;
        let run = self
            .limits
            .explore_dve(loaded, self.dead_variables, &properties, everything);
        match self.json {
            true => print(&pretty(&run.document())?),
            false => run.show_counts(),
        }
        Ok(if run.is_complete() { 0 } else { 2 })
    }

    /// The properties whose violations are told: counts alone need none.
    fn properties(&self, all: usize) -> Vec<usize> {
        if self.json {
            (0..all).collect()
        } else {
            Vec::new()
        }
    }
}

fn counts(source: &SourceFile, findings: &CheckResult) -> String {
    let s = &findings.statistics;
    let counts = [s.states, s.transitions, s.depth, s.deadlocks];
    counts_table(
        source.name(),
        counts,
        s.elapsed.as_secs_f64(),
        s.stopped.as_deref(),
    )
}

/// States, transitions, depth and deadlocks, and what they cost.
pub(super) fn counts_table(
    name: &str,
    [states, transitions, depth, deadlocks]: [u64; 4],
    seconds: f64,
    stopped: Option<&str>,
) -> String {
    let megabytes = peak_memory_bytes() as f64 / 1e6;
    let mut text = format!(
        "{name}
  states       {states:>12}
  transitions  {transitions:>12}
  depth        {depth:>12}
  deadlocks    {deadlocks:>12}
  seconds      {seconds:>12.2}
  memory       {megabytes:>9.0} MB
"
    );
    if let Some(why) = stopped {
        text += &format!("  not complete: {why}\n");
    }
    text
}
