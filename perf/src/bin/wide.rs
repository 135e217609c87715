//! Wide systems: what a transition costs when there are ever more objects with ever more variables.
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crisol_perf::Failure;
use crisol_perf::wide::Model;

/// Measure systems of many objects with many variables, against SPIN
#[derive(Parser)]
struct Options {
    /// Only write the models to this folder, in all languages
    #[arg(long, value_name = "FOLDER")]
    generate: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    if let Some(folder) = &options.generate {
        for model in Model::all() {
            model.write(folder)?;
        }
        for model in Model::small() {
            model.write(&folder.join("small"))?;
        }
    }
    Ok(())
}
