//! Abstraction and refinement against concrete exploration, and its policies against each other.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use serde::Deserialize;

use crisol_perf::summary::geometric_mean;
use crisol_perf::{Failure, crisol, perf, root};

/// Check the models that need abstraction, concretely and by each policy of refinement
#[derive(Parser)]
struct Options {
    /// Run only models whose paths contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,

    /// Stop a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_limit: u64,

    /// Stop a run after this many rounds
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_rounds: u64,
}

#[derive(Deserialize)]
struct Suite {
    model: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    path: PathBuf,
    /// All if empty.
    property: Vec<String>,
    small: Vec<String>,
}

/// What `crisol check --json` tells.
#[derive(Clone, Deserialize)]
struct Result {
    verdict: String,
    states: u64,
    seconds: f64,
    refinement: Option<Refinement>,
}

#[derive(Clone, Deserialize)]
struct Refinement {
    rounds: Vec<Round>,
}

#[derive(Clone, Deserialize)]
struct Round {
    states: u64,
}

impl Result {
    fn is_decided(&self) -> bool {
        self.verdict != "unknown"
    }

    /// States of all rounds together.
    fn visited(&self) -> u64 {
        match &self.refinement {
            Some(refinement) => refinement.rounds.iter().map(|round| round.states).sum(),
            None => self.states,
        }
    }

    fn shown(&self) -> String {
        let seconds = self.seconds;
        let states = self.visited();
        let verdict = match self.is_decided() {
            true => String::new(),
            false => "not decided, ".to_owned(),
        };
        match &self.refinement {
            Some(refinement) => {
                let rounds = match refinement.rounds.len() {
                    1 => "1 round".to_owned(),
                    several => format!("{several} rounds"),
                };
                format!("{verdict}{rounds}, {states}, {seconds:.2} s")
            }
            None => format!("{verdict}{states}, {seconds:.2} s"),
        }
    }
}

const POLICIES: [&str; 3] = ["boundary", "values", "exact"];

fn main() -> ExitCode {
    match measure(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

fn measure(options: &Options) -> std::result::Result<(), Failure> {
    crisol::build()?;
    let text = std::fs::read_to_string(perf().join("refinement.toml"))?;
    let mut suite: Suite = toml::from_str(&text)?;
    suite
        .model
        .retain(|model| model.path.to_string_lossy().contains(&options.only));
    println!("States are those of all rounds together.\n");
    println!("| model | verdict | concrete | {} |", POLICIES.join(" | "));
    println!("|---|---|---|---|---|---|");
    let mut shares = Vec::new();
    let mut tallies = [const { Vec::new() }; POLICIES.len()];
    for model in &suite.model {
        for define in [&model.small[..], &[]] {
            let concrete = run(model, define, &["--concrete".to_owned()], options)?;
            let mut refined = Vec::new();
            for policy in POLICIES {
                let how = ["--abstract".to_owned(), format!("--refine={policy}")];
                refined.push(run(model, define, &how, options)?);
            }
            print_line(&model.path, define, &concrete, &refined);
            if concrete.is_decided() && refined[0].is_decided() {
                shares.push(refined[0].visited() as f64 / concrete.visited() as f64);
            }
            for (tally, result) in tallies.iter_mut().zip(refined) {
                tally.push(result);
            }
        }
    }
    println!();
    for (policy, tally) in POLICIES.iter().zip(&tallies) {
        let decided: Vec<&Result> = tally.iter().filter(|result| result.is_decided()).collect();
        let states = geometric_mean(decided.iter().map(|result| result.visited() as f64));
        let seconds: f64 = tally.iter().map(|result| result.seconds).sum();
        println!(
            "{policy}: {} of {} decided, geometric mean of their states {:.0}, {seconds:.1} s in all",
            decided.len(),
            tally.len(),
            states.unwrap_or(0.0)
        );
    }
    let share = geometric_mean(shares.iter().copied()).unwrap_or(f64::NAN);
    println!(
        "\nWhere both end ({} models), refinement visits {share:.4} of the concrete states \
         (geometric mean; wanted: at most 0.1).",
        shares.len()
    );
    Ok(())
}

fn print_line(path: &Path, define: &[String], concrete: &Result, refined: &[Result]) {
    let name = format!("{} {}", path.display(), define.join(" "));
    let decided = refined.iter().find(|result| result.is_decided());
    let verdict = decided.map_or("unknown", |result| result.verdict.as_str());
    let shown: Vec<String> = refined.iter().map(Result::shown).collect();
    println!(
        "| {} | {verdict} | {} | {} |",
        name.trim(),
        concrete.shown(),
        shown.join(" | ")
    );
}

fn run(
    model: &Model,
    define: &[String],
    how: &[String],
    options: &Options,
) -> std::result::Result<Result, Failure> {
    let mut command = Command::new(crisol::program());
    command
        .arg("check")
        .arg(root().join("models").join(&model.path));
    command.args(["--json", "--quiet", "--threads=1", "--max-states=5000000"]);
    command.arg(format!("--max-time={}", options.time_limit));
    command.args(how);
    if !how.contains(&"--concrete".to_owned()) {
        command.arg(format!("--max-rounds={}", options.max_rounds));
    }
    command.args(define.iter().flat_map(|define| ["-D", define.as_str()]));
    command.args(model.property.iter().flat_map(|name| ["-p", name.as_str()]));
    let output = command.output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}
