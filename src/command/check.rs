//! `crisol check`

use clap::Args;
use crisol::abstraction::Precision;
use crisol::cegar::Round;
use crisol::evidence::{Findings, overall};
use crisol::model::{Model, nearest};
use crisol::report::{Document, Report, Traces, document, explain, summarise};
use crisol::verify::{Extent, verify_by_refinement};

use super::abstraction::{Abstraction, round_line};
use super::dve;
use super::limits::{Dead, Limits};
use super::load::Input;
use super::{Failure, print, print_error};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    input: Input,

    /// Check this property only (may be given several times)
    #[arg(short, long, value_name = "NAME")]
    property: Vec<String>,

    /// Stop at the first violation instead of deciding every property
    #[arg(long)]
    first: bool,

    /// Tell the traces of all violated properties, not only the shortest
    #[arg(long)]
    all_traces: bool,

    /// Variables that no run can read before they are written again: `reset` them, so that they
    /// do not tell states apart, or `keep` them
    #[arg(long, value_name = "HOW", default_value = "reset")]
    dead_variables: Dead,

    #[command(flatten)]
    abstraction: Abstraction,

    #[command(flatten)]
    limits: Limits,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub fn run(self) -> Result<u8, Failure> {
        if dve::is_dve(&self.input.path) {
            return self.run_dve();
        }
        let (source, model) = self.input.load()?;
        let properties = self.chosen(&model)?;
        let extent = if self.first {
            Extent::FirstViolation
        } else {
            Extent::Decide
        };
        let precision = self.abstraction.precision(&self.input, &model)?;
        let findings = match precision {
            Some(precision) => self.refine(&model, &properties, precision)?,
            None => self
                .limits
                .verify(&model, &properties, extent, self.dead_variables)?,
        };
        let verdict = overall(&findings.judgements);
        let report = Report {
            source: &source,
            model: &model,
            findings: &findings,
        };
        if self.abstraction.explain && !self.json {
            print(&explain(&report));
        }
        match (self.json, self.all_traces) {
            (true, _) => show_json(&report)?,
            (false, true) => print(&summarise(&report, Traces::All)),
            (false, false) => print(&summarise(&report, Traces::Shortest)),
        }
        Ok(exit_code(verdict))
    }

    fn refine(
        &self,
        model: &Model,
        properties: &[usize],
        precision: Precision,
    ) -> Result<Findings, Failure> {
        let budget = self.limits.budget();
        let mut reporter = self.limits.reporter(&budget);
        let options = self.abstraction.options(self.first);
        let quiet = self.limits.quiet;
        let mut tell = |round: &Round| {
            if !quiet {
                print_error(&round_line(model, round));
            }
        };
        let found = verify_by_refinement(
            model,
            properties,
            precision,
            &options,
            &budget,
            &mut |now| reporter.see(now),
            &mut tell,
        );
        drop(reporter);
        let (findings, outcome) =
            found.map_err(|contradiction| Failure::Internal(contradiction.0))?;
        self.limits.tell(&findings.statistics.engine);
        self.abstraction.save(model, &outcome)?;
        Ok(findings)
    }

    fn run_dve(&self) -> Result<u8, Failure> {
        let run = self
            .limits
            .explore_dve(&self.input.path, self.dead_variables, false)?;
        match self.json {
            true => print_json(&run.document())?,
            false => run.show(),
        }
        Ok(exit_code(run.verdict()))
    }

    fn chosen(&self, model: &Model) -> Result<Vec<usize>, Failure> {
        if self.property.is_empty() {
            return Ok((0..model.properties.len()).collect());
        }
        let find = |name: &String| {
            let position = model
                .properties
                .iter()
                .position(|property| property.name == *name);
            position.ok_or_else(|| unknown_property(model, name))
        };
        self.property.iter().map(find).collect()
    }
}

fn exit_code(verdict: &str) -> u8 {
    match verdict {
        "holds" => 0,
        "violated" => 1,
        _ => 2,
    }
}

fn unknown_property(model: &Model, name: &str) -> Failure {
    let names = model
        .properties
        .iter()
        .map(|property| property.name.as_str());
    let all: Vec<&str> = names.clone().collect();
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", all.join(", ")),
    };
    Failure::Input(format!(
        "error: the model has no property `{name}`\nhelp: {hint}"
    ))
}

pub(super) fn show_json(report: &Report<'_>) -> Result<(), Failure> {
    print_json(&document(report))
}

pub(super) fn print_json(document: &Document) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document);
    let text = text.map_err(|error| Failure::Internal(error.to_string()))?;
    print(&(text + "\n"));
    Ok(())
}
