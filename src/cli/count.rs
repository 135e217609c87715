//! `crisol count`

use clap::Args;
use crisol::checker::{CheckUntil, peak_memory_bytes};
use crisol::dve::DVE_PROPERTIES;
use crisol::evidence::Statistics;
use crisol::lang::SourceFile;
use crisol::report::{Report, Told, document};

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
        let everything = CheckUntil::Everything;
        let findings = self
            .limits
            .verify(&model, &properties, everything, self.dead_variables)?;
        self.show(&Report {
            source: &source,
            model: &model,
            findings: &findings,
        })
    }

    fn run_dve(&self) -> Result<u8, Failure> {
        let (source, program) = dve::load(&self.input.path, &self.input.reading)?;
        let properties = self.properties(DVE_PROPERTIES.len());
        let everything = CheckUntil::Everything;
        let findings =
            self.limits
                .verify_dve(&program, &properties, everything, self.dead_variables)?;
        self.show(&Report {
            source: &source,
            model: &program,
            findings: &findings,
        })
    }

    fn show<M: Told>(&self, report: &Report<'_, M>) -> Result<u8, Failure> {
        match self.json {
            true => print(&pretty(&document(report))?),
            false => print(&counts(report.source, &report.findings.statistics)),
        }
        Ok(if report.findings.complete { 0 } else { 2 })
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

/// States, transitions, depth and deadlocks, and what they cost.
fn counts(source: &SourceFile, statistics: &Statistics) -> String {
    let Statistics {
        states,
        transitions,
        depth,
        deadlocks,
        ..
    } = statistics;
    let name = source.name();
    let seconds = statistics.elapsed.as_secs_f64();
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
    if let Some(why) = &statistics.stopped {
        text += &format!("  not complete: {why}\n");
    }
    text
}
