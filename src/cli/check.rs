//! `crisol check`

use std::path::{Path, PathBuf};

use clap::Args;
use crisol::abstraction::Precision;
use crisol::abstraction::cegar::Round;
use crisol::checker::{
    Certified, CheckUntil, NotCertified, Proof, abstract_proofs, certify, certify_dve,
    concrete_proofs, verify_by_refinement,
};
use crisol::dve::DVE_PROPERTIES;
use crisol::evidence::certificate::Subject;
use crisol::evidence::{CheckResult, overall};
use crisol::lang::{Model, nearest};
use crisol::report::{Report, Told, Traces, document, explain, summarise};

use super::abstraction::{Abstraction, round_line};
use crisol::search::{Budget, Progress};

use super::certify::Certify;
use super::html::Html;
use super::limits::{Dead, Limits};
use super::load::{Loaded, Reading};
use super::output::Output;
use super::several::{Checked, check_all};
use super::{Failure, dve, print_error};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Check {
    /// The models, .csm and .dve files; - is standard input
    #[arg(value_name = "MODEL", required = true)]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

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
    /// do not tell states apart, or `keep` them [default: reset]
    #[arg(long, value_name = "HOW")]
    dead_variables: Option<Dead>,

    #[command(flatten)]
    abstraction: Abstraction,

    #[command(flatten)]
    certificate: Certify,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    html: Html,
}

const AFTER_HELP: &str = "With several models each is checked in turn, one that can't be read does \
not stop the others, and the exit code is the worst: 4 internal error, 3 bad input, 1 violated, \
2 unknown, 0 all hold, in this order.";

impl Check {
    pub fn run(self) -> Result<u8, Failure> {
        let is_saved = self.abstraction.save_precision.is_some();
        for (name, is_given) in [
            ("--save-precision", is_saved),
            ("--certify", self.certificate.is_wanted()),
            ("--html", self.html.is_wanted()),
        ] {
            if is_given && self.paths.len() > 1 {
                let message = format!("error: {name} is for one model at a time");
                return Err(Failure::Input(message));
            }
        }
        self.html.prepare()?;
        let quiet = self.limits.quiet;
        check_all(&self.paths, &self.output, quiet, |path| {
            match dve::is_dve(path) {
                true => self.check_dve(path),
                false => self.check(path),
            }
        })
    }

    fn check(&self, path: &Path) -> Result<Checked, Failure> {
        let loaded = self.reading.load(path)?;
        let (source, model) = (&loaded.source, &loaded.model);
        let (findings, proofs) = self.findings(&loaded)?;
        let report = Report {
            source,
            model,
            findings: &findings,
        };
        self.html.write(&report)?;
        let subject = Subject::new(source.text(), &self.reading.definitions, model);
        let is_certified = self.certify(&findings, |path, budget, watch| {
            certify(model, &subject, &findings, &proofs, path, budget, watch)
        })?;
        let rounds = match self.abstraction.explain {
            true => explain(&report),
            false => String::new(),
        };
        let mut checked = self.told(&report, is_certified);
        checked.text = rounds + &checked.text;
        checked.document.diagnostics = loaded.warnings.clone();
        Ok(checked)
    }

    fn told<M: Told>(&self, report: &Report<'_, M>, is_certified: bool) -> Checked {
        let verdict = match is_certified {
            true => overall(&report.findings.results),
            false => "unknown", // what was asked for is not there
        };
        let traces = match self.all_traces {
            true => Traces::All,
            false => Traces::Shortest,
        };
        Checked {
            document: document(report),
            text: summarise(report, traces),
            exit_code: exit_code(verdict),
        }
    }

    /// Writes the certificate, if one is wanted; whether all is well.
    fn certify<T>(
        &self,
        findings: &CheckResult<T>,
        write: impl FnOnce(&Path, &Budget, &mut dyn FnMut(Progress)) -> Result<Certified, NotCertified>,
    ) -> Result<bool, Failure> {
        let budget = self.limits.budget();
        self.certificate.write(findings, |path| {
            let mut reporter = self.limits.reporter(&budget);
            write(path, &budget, &mut |now| reporter.see(now))
        })
    }

    fn findings(&self, loaded: &Loaded) -> Result<(CheckResult, Vec<Proof>), Failure> {
        let model = &loaded.model;
        let names: Vec<&str> = model.properties.iter().map(|p| p.name.as_str()).collect();
        let properties = self.chosen(&names)?;
        match self.abstraction.precision(&self.reading, loaded)? {
            Some(_) if self.dead_variables == Some(Dead::Keep) => Err(Failure::Input(
                "error: `--dead-variables keep` can't apply: refinement resets them".to_owned(),
            )),
            Some(precision) => self.refine(model, &properties, precision),
            None if self.abstraction.save_precision.is_some() => Err(Failure::Input(
                "error: --save-precision can't apply: nothing is abstracted\n\
                 help: --abstract abstracts all numbers"
                    .to_owned(),
            )),
            None => {
                let dead = self.dead_variables.unwrap_or(Dead::Reset);
                let findings = self
                    .limits
                    .verify(model, &properties, self.extent(), dead)?;
                let proofs = concrete_proofs(&findings);
                Ok((findings, proofs))
            }
        }
    }

    fn refine(
        &self,
        model: &Model,
        properties: &[usize],
        precision: Precision,
    ) -> Result<(CheckResult, Vec<Proof>), Failure> {
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
        let (findings, outcome) = found.map_err(|error| Failure::Internal(error.0))?;
        self.limits.tell(&findings.statistics.engine);
        self.abstraction.save(model, &outcome)?;
        Ok((findings, abstract_proofs(&outcome)))
    }

    fn check_dve(&self, path: &Path) -> Result<Checked, Failure> {
        dve::refuse(path, self.abstraction.unfit_for_dve())?;
        let (source, program) = dve::load(path, &self.reading)?;
        let properties = self.chosen(&DVE_PROPERTIES)?;
        let dead = self.dead_variables.unwrap_or(Dead::Reset);
        let findings = self
            .limits
            .verify_dve(&program, &properties, self.extent(), dead)?;
        let subject = Subject::of_dve(source.text(), &self.reading.definitions);
        let is_certified = self.certify(&findings, |path, budget, watch| {
            certify_dve(&program, &subject, &findings, path, budget, watch)
        })?;
        let report = Report {
            source: &source,
            model: &program,
            findings: &findings,
        };
        self.html.write(&report)?;
        Ok(self.told(&report, is_certified))
    }

    fn extent(&self) -> CheckUntil {
        match self.first {
            true => CheckUntil::FirstViolation,
            false => CheckUntil::Decide,
        }
    }

    /// The properties to check, by their numbers among all.
    fn chosen(&self, names: &[&str]) -> Result<Vec<usize>, Failure> {
        if self.property.is_empty() {
            return Ok((0..names.len()).collect());
        }
        let find = |wanted: &String| {
            let position = names.iter().position(|name| name == wanted);
            position.ok_or_else(|| unknown_property(names, wanted))
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

fn unknown_property(names: &[&str], name: &str) -> Failure {
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", names.join(", ")),
    };
    Failure::Input(format!(
        "error: the model has no property `{name}`\nhelp: {hint}"
    ))
}
