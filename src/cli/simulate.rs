//! `crisol simulate`

use std::path::{Path, PathBuf};

use clap::Args;
use crisol::csm::{Semantics, Step};
use crisol::evidence::replay;
use crisol::lang::{Model, SourceFile};
use crisol::report::{narrate, steps_in, trace_document};
use crisol::simulate::{Ending, Simulation, interact, random_run};

use super::dve::refuse_command;
use super::load::{Input, is_standard_input};
use super::{Failure, print};

#[derive(Args)]
pub struct Simulate {
    #[command(flatten)]
    input: Input,

    /// Run at random instead of asking for each step
    #[arg(short, long)]
    random: bool,

    /// The seed of a random run; the same seed gives the same run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The most steps of a random run
    #[arg(long, value_name = "N", default_value_t = 50)]
    steps: usize,

    /// Go along a trace: a file that `check --json` or the command `w` has written
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    replay: Option<PathBuf>,
}

impl Simulate {
    pub fn run(self) -> Result<u8, Failure> {
        refuse_command(&self.input.path, "simulate")?;
        if is_standard_input(&self.input.path) && self.asks() {
            let message = "error: standard input can't be both the model and the answers\nhelp: \
                           --random or --replay asks for nothing";
            return Err(Failure::Input(message.to_owned()));
        }
        let (source, model) = self.input.load()?;
        if let Some(path) = &self.replay {
            return along(path, &source, &model);
        }
        let seed = self.seed.unwrap_or_else(any_seed);
        let mut simulation = Simulation::new(&model);
        if !self.asks() {
            return Ok(at_random(&mut simulation, seed, self.steps));
        }
        let save = |simulation: &Simulation<'_>, file: &str| write(&source, simulation, file);
        let (input, output) = (std::io::stdin().lock(), anstream::stdout().lock());
        // A terminal that has gone away ends the conversation; that is no failure.
        let _ = interact(&mut simulation, seed, input, output, save);
        Ok(0)
    }
}

impl Simulate {
    /// Whether each step is asked for.
    fn asks(&self) -> bool {
        !self.random && self.seed.is_none() && self.replay.is_none()
    }
}

/// A seed that differs from run to run, and is said so that the run can be repeated.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| {
        u64::from(now.subsec_nanos()) ^ (now.as_secs() << 8)
    }) % 1_000_000
}

fn at_random(simulation: &mut Simulation<'_>, seed: u64, steps: usize) -> u8 {
    let ending = random_run(simulation, seed, steps, |lines| {
        print(&(lines.join("\n") + "\n"))
    });
    let length = simulation.length();
    let end = match ending {
        Ending::Enough => "there could be more".to_owned(),
        Ending::Stuck => "nothing can happen any more".to_owned(),
        Ending::Violation => "a property is violated".to_owned(),
    };
    print(&format!("\n{length} steps, seed {seed}: {end}.\n"));
    u8::from(ending == Ending::Violation)
}

/// Goes along a trace and tells it; the exit code is 1 if it violates what it says it does.
fn along(path: &Path, source: &SourceFile, model: &Model) -> Result<u8, Failure> {
    let bad = |why: String| Failure::Input(format!("error: {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let (records, property) = steps_in(&text, source.name()).map_err(bad)?;
    let steps: Result<Vec<Step>, _> = records.iter().map(|record| record.to_step(model)).collect();
    let steps = steps.map_err(|error| bad(error.to_string()))?;
    let position = |name: &String| model.properties.iter().position(|p| p.name == *name);
    let property = match &property {
        None => None,
        Some(name) => {
            let unknown = || bad(format!("the model has no property `{name}`"));
            Some(position(name).ok_or_else(unknown)?)
        }
    };
    let semantics = Semantics::exact(model);
    let trace = replay(&semantics, &steps, property);
    let trace = trace.map_err(|error| bad(format!("this is no run of the model: {error}")))?;
    print(&narrate(source, model, &trace));
    Ok(u8::from(trace.violates.is_some()))
}

fn write(source: &SourceFile, simulation: &Simulation<'_>, file: &str) -> Result<(), String> {
    let document = trace_document(source, simulation.model(), simulation.trace());
    let text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    std::fs::write(file, text + "\n").map_err(|error| error.to_string())
}
