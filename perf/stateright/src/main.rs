//! Two of Crisol's models under Stateright: explores one and prints its counts as JSON.

mod inbox;
mod leader_election;
mod two_phase_commit;

use std::hash::Hash;
use std::process::ExitCode;

use serde::Serialize;
use stateright::{Checker, Model};

use leader_election::LeaderElection;
use two_phase_commit::TwoPhaseCommit;

const USAGE: &str = "usage: crisol-perf-stateright --version
       crisol-perf-stateright two_phase_commit N THREADS
       crisol-perf-stateright leader_election N STRIDE THREADS";

#[derive(Serialize)]
struct Counts {
    states: usize,
    transitions: usize,
    depth: usize,
    complete: bool,
}

fn explore<M>(model: M, threads: usize) -> Counts
where
    M: Model + Send + Sync + 'static,
    M::State: Hash + Clone + PartialEq + Send + Sync + 'static,
    M::Action: Clone + PartialEq,
{
    let checker = model.checker().threads(threads).spawn_bfs().join();
    Counts {
        states: checker.unique_state_count(),
        // It counts the initial state among those that were generated.
        transitions: checker.state_count() - 1,
        depth: checker.max_depth(),
        complete: checker.is_done() && checker.discoveries().is_empty(),
    }
}

/// Sizes are known to the compiler, so that a state is one piece of memory.
macro_rules! for_size {
    ($n:expr, [$($size:literal)*], $size_name:ident => $body:expr) => {
        match $n {
            $($size => { const $size_name: usize = $size; Some($body) })*
            _ => None,
        }
    };
}

fn counts(arguments: &[&str]) -> Option<Counts> {
    let number = |text: &str| text.parse::<usize>().ok();
    match *arguments {
        ["two_phase_commit", n, threads] => {
            let threads = number(threads)?;
            for_size!(number(n)?, [2 3 4 5 6 7], N => explore(TwoPhaseCommit::<N>, threads))
        }
        ["leader_election", n, stride, threads] => {
            let (stride, threads) = (number(stride)?, number(threads)?);
            for_size!(number(n)?, [4 7 9 10 11 12], N => explore(LeaderElection::<N> { stride }, threads))
        }
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments == ["--version"] {
        println!("{}", env!("CARGO_PKG_NAME"));
        return ExitCode::SUCCESS;
    }
    match counts(&arguments) {
        Some(counts) => println!("{}", serde_json::json!(counts)),
        None => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
