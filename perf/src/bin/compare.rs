//! Runs Crisol, SPIN and Stateright on the same models, in turns, and keeps and compares what they took.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crisol_perf::contender::Entrant;
use crisol_perf::crisol::{self, Crisol};
use crisol_perf::demands::{Evidence, demands};
use crisol_perf::machine::{Machine, today};
use crisol_perf::measure::Limit;
use crisol_perf::plot::plots;
use crisol_perf::report::report;
use crisol_perf::session::{Run, Session};
use crisol_perf::spin::Spin;
use crisol_perf::stateright::Stateright;
use crisol_perf::suite::{Model, models};
use crisol_perf::{Failure, perf};

/// Compare Crisol with SPIN and Stateright on the same models
#[derive(Parser)]
struct Options {
    /// How often everybody runs each model
    #[arg(long, default_value_t = 5)]
    runs: usize,

    /// How often those run that no demand is about: SPIN's other searches, and Stateright [default: as
    /// often as the others]
    #[arg(long, value_name = "RUNS")]
    side_runs: Option<usize>,

    /// Run this model of suite.toml only; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Stop a run after this many seconds (models without an end have limits of their own)
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    time_limit: u64,

    /// What SPIN may use, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 12_000)]
    memory: u64,

    /// Run nothing: write report and plots of an earlier comparison again
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
}

struct Field {
    crisol: Crisol,
    spin: Spin,
    stateright: Stateright,
}

impl Field {
    fn build(memory: u64) -> Result<Field, Failure> {
        let spin = Spin::find(perf().join("target/spin"), memory)?;
        crisol::build()?;
        Ok(Field {
            crisol: Crisol::find()?,
            spin,
            stateright: Stateright::build()?,
        })
    }

    fn entrants(&self, model: &Model) -> Result<Vec<Entrant>, Failure> {
        let mut entrants = self.crisol.entrants(model);
        entrants.extend(self.spin.entrants(model)?);
        entrants.extend(self.stateright.entrants(model));
        Ok(entrants)
    }

    fn session(&self) -> Result<Session, Failure> {
        Ok(Session {
            date: today()?,
            machine: Machine::this()?,
            versions: vec![
                self.crisol.version()?,
                Spin::version()?,
                Stateright::version()?,
            ],
            runs: Vec::new(),
            failures: Vec::new(),
        })
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.report {
        Some(folder) => again(folder),
        None => compare(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn again(folder: &Path) -> Result<(), Failure> {
    let session = Session::load(folder)?;
    let mut models = models(&[])?;
    models.retain(|model| !session.contenders(&model.name).is_empty());
    keep(&session, &models, folder)?;
    show(&session, &models, folder);
    Ok(())
}

fn compare(options: &Options) -> Result<(), Failure> {
    let models = models(&options.only)?;
    let field = Field::build(options.memory)?;
    let mut session = field.session()?;
    let folder = new_folder(&session);
    for model in &models {
        run_all(&field, model, options, &mut session)?;
        // After each model: what was measured is kept, whatever happens to the rest.
        keep(&session, &models, &folder)?;
    }
    show(&session, &models, &folder);
    Ok(())
}

fn show(session: &Session, models: &[Model], folder: &Path) {
    for demand in demands(&Evidence { session, models }) {
        let found = demand.found.as_ref().map_or("", |found| &found.value);
        println!(
            "{}: {}: {found} (wanted: {})",
            demand.verdict(),
            demand.what,
            demand.wanted
        );
    }
    println!("{}", folder.display());
}

/// All entrants in turns, so that what disturbs the machine for a while disturbs everybody.
fn run_all(
    field: &Field,
    model: &Model,
    options: &Options,
    session: &mut Session,
) -> Result<(), Failure> {
    let entrants = field.entrants(model)?;
    let seconds = model.seconds.unwrap_or(u64::MAX).min(options.time_limit);
    let limit = Duration::from_secs(seconds);
    for round in 1..=options.runs {
        let side_runs = options.side_runs.unwrap_or(options.runs);
        let takes_part = |entrant: &&Entrant| round <= side_runs || !entrant.contender.is_aside();
        for entrant in entrants.iter().filter(takes_part) {
            print!("{} ({round}/{}): ", model.name, options.runs);
            print!("{}: ", entrant.contender);
            std::io::stdout().flush()?;
            match run(entrant, model, round, limit) {
                Ok(run) => session.runs.push(run),
                Err(failure) => {
                    println!("{failure}");
                    session.failures.push(format!("{}: {failure}", model.name));
                }
            }
        }
    }
    Ok(())
}

fn run(entrant: &Entrant, model: &Model, round: usize, limit: Duration) -> Result<Run, Failure> {
    let empty_bytes = entrant.empty_bytes()?;
    let (counts, cost) = entrant.run(Limit::Wall(limit))?;
    println!(
        "{} states, {} transitions, {:.2} s, {:.2} core s, {:.0} MB{}",
        counts.states,
        counts.transitions,
        cost.wall_seconds,
        cost.core_seconds(),
        cost.peak_bytes as f64 / 1e6,
        if counts.complete { "" } else { ", stopped" }
    );
    Ok(Run {
        model: model.name.clone(),
        contender: entrant.contender,
        round,
        counts,
        cost,
        empty_bytes,
        set_up: entrant.set_up.clone(),
    })
}

fn keep(session: &Session, models: &[Model], folder: &Path) -> Result<(), Failure> {
    session.save(folder)?;
    let evidence = Evidence { session, models };
    std::fs::write(folder.join("report.md"), report(&evidence))?;
    plots(&evidence, folder)
}

/// Of this day and machine; the second one of a day is `...-2`.
fn new_folder(session: &Session) -> PathBuf {
    let name = format!("{}-{}", session.date, session.machine.short());
    let runs = perf().join("runs");
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let free = names.find(|name| !runs.join(name).exists());
    runs.join(free.expect("there is no end of numbers"))
}
