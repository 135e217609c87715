//! Counts the instances of the BEEM collection and compares with what was published.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crisol_perf::Failure;
use crisol_perf::beem::{Published, folder, published};
use crisol_perf::contender::Counts;
use crisol_perf::crisol::{self, Crisol};
use crisol_perf::measure::Limit;

/// Count the states of the BEEM models and compare with the published numbers
#[derive(Parser)]
struct Options {
    /// Leave out instances with more states than this
    #[arg(long, value_name = "STATES", default_value_t = 20_000_000)]
    most: u64,

    /// Run only instances whose names begin like this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,

    /// Threads of Crisol
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Stop a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    time_limit: u64,
}

fn main() -> ExitCode {
    match check_all(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

/// How many instances are wrong.
fn check_all(options: &Options) -> Result<usize, Failure> {
    crisol::build()?;
    let crisol = Crisol::find()?;
    let mut instances = published(options.most)?;
    instances.retain(|instance| instance.name.starts_with(&options.only));
    println!("| name | published | states | transitions | levels | seconds | bytes per state | |");
    println!("|---|--:|--:|--:|--:|--:|--:|---|");
    let mut wrong = 0;
    for instance in &instances {
        let right = check(&crisol, instance, options).unwrap_or_else(|failure| {
            println!(
                "| {} | {} | WRONG: {failure} |",
                instance.name, instance.states
            );
            false
        });
        wrong += usize::from(!right);
    }
    println!("\n{} instances, {wrong} wrong", instances.len());
    Ok(wrong)
}

/// Counts one instance and prints its line; whether it is as published.
fn check(crisol: &Crisol, instance: &Published, options: &Options) -> Result<bool, Failure> {
    let path = folder().join(format!("{}.dve", instance.name));
    // An incomplete count says how far somebody came: as far is enough.
    let most = format!("--max-states={}", instance.states);
    let limits: &[String] = if instance.complete { &[] } else { &[most] };
    let entrant = crisol.entrant(&path, limits, options.threads);
    let empty_bytes = entrant.empty_bytes()?;
    let (found, cost) = entrant.run(Limit::Wall(Duration::from_secs(options.time_limit)))?;
    let verdict = judge(instance, &found);
    println!(
        "| {} | {} | {} | {} | {} | {:.2} | {:.1} | {verdict} |",
        instance.name,
        instance.states,
        found.states,
        found.transitions,
        found.depth,
        cost.wall_seconds,
        cost.peak_bytes.saturating_sub(empty_bytes) as f64 / found.states as f64
    );
    Ok(!verdict.starts_with("WRONG"))
}

fn judge(published: &Published, found: &Counts) -> &'static str {
    let differs = |wanted: Option<u64>, found: u64| wanted.is_some_and(|wanted| wanted != found);
    if !published.complete {
        "not compared: published incomplete"
    } else if !found.complete {
        "WRONG: not complete"
    } else if published.states != found.states {
        "WRONG: states"
    } else if differs(published.transitions, found.transitions) {
        "WRONG: transitions"
    } else if differs(published.levels, found.depth) {
        "WRONG: levels"
    } else {
        "OK"
    }
}
