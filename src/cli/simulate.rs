//! `crisol simulate`

use std::path::{Path, PathBuf};

use clap::Args;
use crisol::checker::DveTrace;
use crisol::csm::{Semantics, Step};
use crisol::dve::{self, DVE_PROPERTIES, DveStep, Program};
use crisol::evidence::{ReplayError, Replayed, StepRecord, Trace, replay, replay_run};
use crisol::lang::{Model, SourceFile};
use crisol::report::{Told, TraceDocument, steps_in};
use crisol::simulate::{Course, DveSimulation, Ending, Simulation, interact, random_run};

use super::dve::{is_dve, load};
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
        if is_standard_input(&self.input.path) && self.asks() {
            let message = "error: standard input can't be both the model and the answers\nhelp: \
                           --random or --replay asks for nothing";
            return Err(Failure::Input(message.to_owned()));
        }
        let Input { path, reading } = &self.input;
        match is_dve(path) {
            true => {
                let (source, program) = load(path, reading)?;
                self.go(&source, DveSimulation::new(&program), &program)
            }
            false => {
                let (source, model) = self.input.load()?;
                self.go(&source, Simulation::new(&model), &model)
            }
        }
    }

    fn go<M: Replayable>(
        &self,
        source: &SourceFile,
        mut simulation: impl Course,
        model: &M,
    ) -> Result<u8, Failure> {
        if let Some(path) = &self.replay {
            return along(path, source, model);
        }
        let seed = self.seed.unwrap_or_else(any_seed);
        if !self.asks() {
            return Ok(at_random(&mut simulation, seed, self.steps));
        }
        let (input, output) = (std::io::stdin().lock(), anstream::stdout().lock());
        // A terminal that has gone away ends the conversation; that is no failure.
        let _ = interact(&mut simulation, seed, input, output, |simulation, file| {
            write(&simulation.document(source), file)
        });
        Ok(0)
    }

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

fn at_random(simulation: &mut impl Course, seed: u64, steps: usize) -> u8 {
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

/// A model whose runs can be read and made again.
trait Replayable: Told {
    fn properties(&self) -> Vec<&str>;

    fn replayed(
        &self,
        steps: &[StepRecord],
        property: Option<usize>,
    ) -> Result<Self::Trace, String>;
}

impl Replayable for Model {
    fn properties(&self) -> Vec<&str> {
        self.properties.iter().map(|p| p.name.as_str()).collect()
    }

    fn replayed(&self, steps: &[StepRecord], property: Option<usize>) -> Result<Trace, String> {
        let steps: Result<Vec<Step>, _> = steps.iter().map(|record| record.to_step(self)).collect();
        let steps = steps.map_err(|error| error.to_string())?;
        replay(&Semantics::exact(self), &steps, property).map_err(no_run)
    }
}

impl Replayable for Program {
    fn properties(&self) -> Vec<&str> {
        DVE_PROPERTIES.to_vec()
    }

    fn replayed(&self, steps: &[StepRecord], property: Option<usize>) -> Result<DveTrace, String> {
        let steps: Result<Vec<DveStep>, _> =
            steps.iter().map(|record| record.to_dve(self)).collect();
        let steps = steps.map_err(|error| error.to_string())?;
        replay_run(&dve::Semantics::new(self), &steps, property).map_err(no_run)
    }
}

fn no_run(error: ReplayError) -> String {
    format!("this is no run of the model: {error}")
}

/// Goes along a trace and tells it; the exit code is 1 if it violates what it says it does.
fn along<M: Replayable>(path: &Path, source: &SourceFile, model: &M) -> Result<u8, Failure> {
    let bad = |why: String| Failure::Input(format!("error: {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let (records, property) = steps_in(&text, source.name()).map_err(bad)?;
    let number = |name: String| {
        let position = model.properties().iter().position(|known| *known == name);
        position.ok_or_else(|| bad(format!("the model has no property `{name}`")))
    };
    let property = property.map(number).transpose()?;
    let trace = model.replayed(&records, property).map_err(bad)?;
    print(&model.narrate(source, &trace));
    Ok(u8::from(trace.violates().is_some()))
}

fn write(document: &TraceDocument, file: &str) -> Result<(), String> {
    let text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
    std::fs::write(file, text + "\n").map_err(|error| error.to_string())
}
