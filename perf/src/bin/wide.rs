//! Wide systems: what a transition and a state cost as there are ever more objects with ever more variables.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use regex_lite::Regex;

use crisol_perf::contender::{Counts, Entrant};
use crisol_perf::crisol::{self, Crisol};
use crisol_perf::machine::{Machine, today};
use crisol_perf::measure::Limit;
use crisol_perf::spin::Spin;
use crisol_perf::wide::outcome::{Outcome, Sample, Who};
use crisol_perf::wide::report::{HEAD, Outcomes, row};
use crisol_perf::wide::{Language, Model};
use crisol_perf::{Failure, perf};

/// Measure systems of many objects with many variables, against SPIN
#[derive(Parser)]
struct Options {
    /// One run of three core-seconds
    #[arg(long, conflicts_with_all = ["runs", "seconds"])]
    quick: bool,

    /// How often everybody runs each model
    #[arg(long, default_value_t = 3)]
    runs: usize,

    /// Stop a run after so much of a core's time
    #[arg(long, value_name = "CORE-SECONDS", default_value_t = 20.0)]
    seconds: f64,

    /// Run only models in whose name this is found, such as `^ring|x60$`
    #[arg(long, value_name = "REGEX", default_value = "")]
    only: Regex,

    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    crisol: Option<PathBuf>,

    /// Measure this binary, too
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,

    /// What each program may use, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    memory: u64,

    /// Measure nothing: write all models to this folder
    #[arg(long, value_name = "FOLDER")]
    generate: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.generate {
        Some(folder) => Model::all()
            .iter()
            .try_for_each(|model| model.write(folder)),
        None => measure(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<(), Failure> {
    let field = Field::build(options)?;
    field.heading()?;
    field.compare_counts()?;
    let mut models = Model::all();
    models.retain(|model| options.only.is_match(&model.name()));
    let mut outcomes = Outcomes(Vec::new());
    println!("\n{HEAD}");
    for model in models {
        field.measure(model, options, &mut outcomes)?;
    }
    println!("\n{}\n", outcomes.growth());
    for target in outcomes.targets() {
        println!("{target}");
    }
    Ok(())
}

/// All who take part.
struct Field {
    ours: Crisol,
    old: Option<Crisol>,
    spin: Spin,
    /// Where the models are.
    folder: PathBuf,
    memory: u64,
}

impl Field {
    fn build(options: &Options) -> Result<Field, Failure> {
        let spin = Spin::find(perf().join("target/spin"), options.memory)?;
        let ours = match &options.crisol {
            Some(file) => Crisol::at(file)?,
            None => {
                crisol::build()?;
                Crisol::find()?
            }
        };
        Ok(Field {
            ours,
            old: options.old.as_deref().map(Crisol::at).transpose()?,
            spin,
            folder: perf().join("target/wide"),
            memory: options.memory,
        })
    }

    fn heading(&self) -> Result<(), Failure> {
        let machine = Machine::this()?;
        println!("{}, {}, {}", today()?, machine.short(), machine.system);
        let ours = self.ours.version()?;
        println!("{ours}; {}", Spin::version()?);
        Ok(())
    }

    /// Who runs a model, in turns.
    fn entrants(&self, model: Model) -> Result<Vec<(Who, Entrant)>, Failure> {
        model.write(&self.folder)?;
        let memory = format!("--memory={}M", self.memory);
        let entrant = |crisol: &Crisol, language| {
            crisol.entrant(
                &model.path(&self.folder, language),
                std::slice::from_ref(&memory),
                1,
            )
        };
        let mut all = Vec::new();
        for language in [Language::Csm, Language::Dve] {
            all.push((Who::Ours(language), entrant(&self.ours, language)));
            let old = self.old.iter();
            all.extend(old.map(|old| (Who::Old(language), entrant(old, language))));
        }
        let promela = model.path(&self.folder, Language::Promela);
        all.push((Who::Spin, self.spin.wide_entrant(&promela)?));
        Ok(all)
    }

    /// Whether all languages and checkers count the same, at sizes where they see the end.
    fn compare_counts(&self) -> Result<(), Failure> {
        for model in Model::small() {
            let limit = Limit::Wall(Duration::from_secs(60));
            let mut first: Option<(Who, Counts)> = None;
            for (who, entrant) in self.entrants(model)? {
                let (counts, _) = entrant.run(limit)?;
                let (other, expected) = *first.get_or_insert((who, counts));
                let key = |counts: Counts| (counts.complete, counts.states, counts.transitions);
                if key(counts) != key(expected) || !counts.complete {
                    return Err(format!(
                        "{model} is not the same: {other} counts {expected:?}, {who} {counts:?}"
                    )
                    .into());
                }
            }
            let (_, counts) = first.expect("somebody takes part");
            println!(
                "{model}: {} states, {} transitions by everybody",
                counts.states, counts.transitions
            );
        }
        Ok(())
    }

    fn measure(
        &self,
        model: Model,
        options: &Options,
        outcomes: &mut Outcomes,
    ) -> Result<(), Failure> {
        let entrants = self.entrants(model)?;
        let mut samples = vec![Vec::new(); entrants.len()];
        let (runs, seconds) = match options.quick {
            true => (1, 3.0),
            false => (options.runs, options.seconds),
        };
        let limit = Limit::Core(Duration::from_secs_f64(seconds));
        for _ in 0..runs {
            for ((who, entrant), samples) in entrants.iter().zip(&mut samples) {
                match sample(*who, entrant, limit) {
                    Ok(sample) => samples.push(sample),
                    Err(failure) => eprintln!("{model}: {who}: {failure}"),
                }
            }
        }
        let all = entrants.iter().zip(&samples);
        let all = all.filter_map(|((who, _), samples)| Outcome::of(model, *who, samples));
        outcomes.0.extend(all);
        let spin = outcomes.find(model, Who::Spin);
        for outcome in outcomes.0.iter().filter(|outcome| outcome.model == model) {
            println!("{}", row(outcome, spin));
        }
        Ok(())
    }
}

fn sample(who: Who, entrant: &Entrant, limit: Limit) -> Result<Sample, Failure> {
    let at_once = match who {
        Who::Ours(_) | Who::Old(_) => "--max-states=1",
        Who::Spin => "-m1",
    };
    let mut first = entrant.clone();
    first.arguments.push(at_once.to_owned());
    let (first, first_cost) = first.run(limit)?;
    let (counts, cost) = entrant.run(limit)?;
    Ok(Sample {
        counts,
        cost,
        first_states: first.states,
        first_bytes: first_cost.peak_bytes,
    })
}
