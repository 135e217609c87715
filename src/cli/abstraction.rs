//! The options of a check that are about abstraction and refinement.

use std::path::PathBuf;

use clap::Args;
use crisol::abstraction::cegar::{Options, Policy, RefinementResult, Round};
use crisol::abstraction::{self, Precision};
use crisol::checker::split_line;
use crisol::lang::{Model, SourceFile};

use super::Failure;
use super::dve::Unfit;
use super::file::write_whole;
use super::load::{Loaded, Reading, read};

/// The precision at the beginning.
#[derive(Args)]
pub struct Beginning {
    /// Abstract all numbers, also where the model declares no abstraction
    #[arg(long = "abstract", conflicts_with = "concrete")]
    everything: bool,

    /// Take every value as it is, also where the model declares an abstraction
    #[arg(long)]
    concrete: bool,

    /// Tell apart the values of a variable like this, for example "Agent.account : sign" (may be given
    /// several times; nothing of what the model declares is used then)
    #[arg(long, value_name = "DECLARATION", conflicts_with_all = ["concrete", "precision"])]
    domain: Vec<String>,

    /// Begin with the precision in this file: an `abstraction { }`, as it is in models
    #[arg(long, value_name = "FILE", conflicts_with = "concrete")]
    precision: Option<PathBuf>,
}

#[derive(Args)]
pub struct Abstraction {
    #[command(flatten)]
    beginning: Beginning,

    /// How a spurious counterexample refines the precision: all `values` that the expression
    /// to blame came to, the `boundary` where it changes, or the variables as `exact` [default: boundary]
    #[arg(long, value_name = "HOW")]
    refine: Option<Refine>,

    /// Give up after this many rounds of refinement
    #[arg(long, value_name = "N")]
    max_rounds: Option<u64>,

    /// Write down the precision at the end, so that it can be given again
    #[arg(long, value_name = "FILE")]
    pub save_precision: Option<PathBuf>,

    /// Show for each round why its counterexample was spurious, and how the precision was refined
    #[arg(long)]
    pub explain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Refine {
    Values,
    Boundary,
    Exact,
}

const NO_ABSTRACTION: &str = "as such models are explored without abstraction";

impl Beginning {
    pub fn unfit_for_dve(&self) -> [Unfit; 3] {
        [
            ("--abstract", self.everything, NO_ABSTRACTION),
            ("--domain", !self.domain.is_empty(), NO_ABSTRACTION),
            ("--precision", self.precision.is_some(), NO_ABSTRACTION),
        ]
    }

    /// What to begin with; none where nothing is to be abstracted.
    pub fn precision(
        &self,
        reading: &Reading,
        loaded: &Loaded,
    ) -> Result<Option<Precision>, Failure> {
        let written = match &self.precision {
            Some(path) => Some(read(path)?),
            None if self.domain.is_empty() => None,
            None => Some(self.declarations()),
        };
        let beginning = match written {
            _ if self.concrete => abstraction::Beginning::Concrete,
            Some(written) => {
                abstraction::Beginning::Given(reading.load_abstraction(&loaded.source, &written)?)
            }
            None if self.everything => abstraction::Beginning::Auto,
            None => abstraction::Beginning::Declared,
        };
        Ok(beginning.precision(&loaded.model))
    }

    /// What the command line declares, as a file.
    fn declarations(&self) -> SourceFile {
        let lines = self
            .domain
            .iter()
            .map(|line| format!("  {};\n", line.trim_end_matches(';')));
        let text = format!("abstraction {{\n{}}}\n", lines.collect::<String>());
        SourceFile::new("--domain", text)
    }
}

impl Abstraction {
    pub fn unfit_for_dve(&self) -> impl Iterator<Item = Unfit> {
        let own = [
            ("--refine", self.refine.is_some(), NO_ABSTRACTION),
            ("--max-rounds", self.max_rounds.is_some(), NO_ABSTRACTION),
            (
                "--save-precision",
                self.save_precision.is_some(),
                NO_ABSTRACTION,
            ),
            ("--explain", self.explain, NO_ABSTRACTION),
        ];
        self.beginning.unfit_for_dve().into_iter().chain(own)
    }

    pub fn precision(
        &self,
        reading: &Reading,
        loaded: &Loaded,
    ) -> Result<Option<Precision>, Failure> {
        self.beginning.precision(reading, loaded)
    }

    pub fn options(&self, first_only: bool) -> Options {
        let defaults = Options::default();
        Options {
            policy: match self.refine {
                Some(Refine::Values) => Policy::Values,
                Some(Refine::Boundary) | None => Policy::Boundary,
                Some(Refine::Exact) => Policy::Exact,
            },
            max_rounds: self.max_rounds,
            keep_rounds: match self.explain {
                true => usize::MAX - 1,
                false => defaults.keep_rounds,
            },
            first_only,
            ..defaults
        }
    }

    /// Writes down the precision at the end, if that was asked for.
    pub fn save(&self, model: &Model, outcome: &RefinementResult) -> Result<(), Failure> {
        let Some(path) = &self.save_precision else {
            return Ok(());
        };
        write_whole(path, outcome.precision.text(model).as_bytes())
    }
}

/// One round while it runs.
pub fn round_line(model: &Model, round: &Round) -> String {
    let (number, states) = (round.number, round.states);
    let seconds = round.elapsed.as_secs_f64();
    let mut line = format!("round {number}: {states} states, {seconds:.2} s");
    if let Some(spurious) = round.spurious.first() {
        let name = &model.properties[spurious.property].name;
        let step = spurious.parted_at;
        line += &format!("; {name} is spurious: step {step} has no concrete counterpart");
    }
    let splits: Vec<String> = round
        .splits
        .iter()
        .map(|split| split_line(model, split))
        .collect();
    if !splits.is_empty() {
        line += &format!("; now {}", splits.join("; "));
    }
    line + "\n"
}
