//! `crisol check` and `crisol count`.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use crisol::abstraction::Precision;
use crisol::cegar::Round;
use crisol::evidence::{Findings, overall};
use crisol::explore::Budget;
use crisol::model::{Model, SourceFile, nearest};
use crisol::report::{Document, Report, Traces, document, explain, summarise};
use crisol::verify::{
    DeadVariables, Extent, Proof, abstract_proofs, concrete_proofs, peak_memory_bytes, verify,
    verify_by_refinement,
};

use super::abstraction::{Abstraction, round_line};
use super::certify::{Certify, Checked};
use super::dve;
use super::load::Input;
use super::progress::Reporter;
use super::{Failure, print, print_error};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    input: Input,

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
    /// do not tell states apart, or `keep` them
    #[arg(long, value_name = "HOW", default_value = "reset")]
    dead_variables: Dead,

    #[command(flatten)]
    abstraction: Abstraction,

    #[command(flatten)]
    certificate: Certify,

    #[command(flatten)]
    limits: Limits,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct Count {
    #[command(flatten)]
    input: Input,

    /// Variables that no run can read before they are written again: `reset` them, so that they
    /// do not tell states apart, or `keep` them
    #[arg(long, value_name = "HOW", default_value = "keep")]
    dead_variables: Dead,

    #[command(flatten)]
    limits: Limits,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Dead {
    Keep,
    Reset,
}

impl From<Dead> for DeadVariables {
    fn from(dead: Dead) -> DeadVariables {
        match dead {
            Dead::Keep => DeadVariables::Keep,
            Dead::Reset => DeadVariables::Reset,
        }
    }
}

#[derive(Args)]
struct Limits {
    /// Give up after this many states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,

    /// Give up after this time: 90, 90s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    max_time: Option<Duration>,

    /// Give up beyond this much memory: 500M, 8G [default: 80% of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// Work with this many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Say nothing while it works
    #[arg(short, long)]
    quiet: bool,

    /// Tell why it was fast or slow: local states, remembered steps, bytes
    #[arg(long)]
    stats: bool,
}

impl Limits {
    fn reporter(&self, budget: &Budget) -> Reporter {
        Reporter::new(self.quiet, budget.max_memory)
    }

    fn explore_dve(
        &self,
        path: &Path,
        dead: Dead,
        everything: bool,
    ) -> Result<dve::DveRun, Failure> {
        let budget = self.budget();
        let mut reporter = self.reporter(&budget);
        let reset = dead == Dead::Reset;
        let run = dve::explore(path, &budget, reset, everything, &mut |now| {
            reporter.see(now)
        })?;
        drop(reporter);
        self.tell(run.engine());
        Ok(run)
    }

    /// On the error stream: the answer itself may be read by a program.
    fn tell(&self, lines: &[String]) {
        if self.stats {
            lines
                .iter()
                .for_each(|line| print_error(&format!("{line}\n")));
        }
    }

    fn budget(&self) -> Budget {
        Budget {
            max_states: self.max_states,
            max_time: self.max_time,
            max_memory: self.memory.or_else(most_of_what_is_free),
            threads: self.threads.map(usize::from),
            interrupt: stop_on_interrupt(),
        }
    }
}

/// 80% of the memory that is free now; none where the system does not tell.
fn most_of_what_is_free() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 10 * 8 * 1024)
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches('B')
    {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err("write it as 500M or 8G".to_owned()),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| "write it as 500M or 8G".to_owned())?;
    Ok((number * factor as f64) as u64)
}

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let factor = match unit {
        "m" => 60.0,
        "h" => 3600.0,
        _ => 1.0,
    };
    let seconds: f64 = number
        .parse()
        .map_err(|_| "write it as 90, 90s, 5m or 2h".to_owned())?;
    Duration::try_from_secs_f64(seconds * factor).map_err(|error| error.to_string())
}

impl Check {
    pub fn run(self) -> Result<u8, Failure> {
        if dve::is_dve(&self.input.path) {
            return self.run_dve();
        }
        let (source, model) = self.input.load()?;
        let properties = self.chosen(&model)?;
        let extent = if self.first {
            Extent::FirstViolation
        } else {
            Extent::Decide
        };
        let precision = self.abstraction.precision(&self.input, &model)?;
        let (findings, proofs) = match precision {
            Some(precision) => self.refine(&model, &properties, precision)?,
            None => {
                let dead = self.dead_variables;
                let findings = run(&model, &properties, extent, dead, &self.limits)?;
                let proofs = concrete_proofs(&findings);
                (findings, proofs)
            }
        };
        let verdict = overall(&findings.judgements);
        let report = Report {
            source: &source,
            model: &model,
            findings: &findings,
        };
        if self.abstraction.explain && !self.json {
            print(&explain(&report));
        }
        match (self.json, self.all_traces) {
            (true, _) => show_json(&report)?,
            (false, true) => print(&summarise(&report, Traces::All)),
            (false, false) => print(&summarise(&report, Traces::Shortest)),
        }
        let budget = self.limits.budget();
        let reporter = self.limits.reporter(&budget);
        let checked = Checked {
            input: &self.input,
            source: &source,
            model: &model,
            findings: &findings,
            proofs: &proofs,
        };
        match self.certificate.write(&checked, &budget, reporter)? {
            true => Ok(exit_code(verdict)),
            false => Ok(exit_code("unknown")),
        }
    }

    fn refine(
        &self,
        model: &Model,
        properties: &[usize],
        precision: Precision,
    ) -> Result<(Findings, Vec<Proof>), Failure> {
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
        let (findings, outcome) =
            found.map_err(|contradiction| Failure::Internal(contradiction.0))?;
        self.limits.tell(&findings.statistics.engine);
        self.abstraction.save(model, &outcome)?;
        Ok((findings, abstract_proofs(&outcome)))
    }

    fn run_dve(&self) -> Result<u8, Failure> {
        self.certificate.refuse_dve()?;
        let run = self
            .limits
            .explore_dve(&self.input.path, self.dead_variables, false)?;
        match self.json {
            true => print_json(&run.document())?,
            false => run.show(),
        }
        Ok(exit_code(run.verdict()))
    }

    fn chosen(&self, model: &Model) -> Result<Vec<usize>, Failure> {
        if self.property.is_empty() {
            return Ok((0..model.properties.len()).collect());
        }
        let find = |name: &String| {
            let position = model
                .properties
                .iter()
                .position(|property| property.name == *name);
            position.ok_or_else(|| unknown_property(model, name))
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

fn unknown_property(model: &Model, name: &str) -> Failure {
    let names = model
        .properties
        .iter()
        .map(|property| property.name.as_str());
    let all: Vec<&str> = names.clone().collect();
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", all.join(", ")),
    };
    Failure::Input(format!(
        "error: the model has no property `{name}`\nhelp: {hint}"
    ))
}

impl Count {
    pub fn run(self) -> Result<u8, Failure> {
        if dve::is_dve(&self.input.path) {
            return self.run_dve();
        }
        let (source, model) = self.input.load()?;
        let properties: Vec<usize> = (0..model.properties.len()).collect();
        let findings = run(
            &model,
            &properties,
            Extent::Everything,
            self.dead_variables,
            &self.limits,
        )?;
        let complete = findings.dead.is_some();
        if self.json {
            show_json(&Report {
                source: &source,
                model: &model,
                findings: &findings,
            })?;
        } else {
            print(&counts(&source, &findings));
        }
        Ok(if complete { 0 } else { 2 })
    }

    fn run_dve(&self) -> Result<u8, Failure> {
        let run = self
            .limits
            .explore_dve(&self.input.path, self.dead_variables, true)?;
        match self.json {
            true => print_json(&run.document())?,
            false => run.show_counts(),
        }
        Ok(if run.is_complete() { 0 } else { 2 })
    }
}

fn counts(source: &SourceFile, findings: &Findings) -> String {
    let s = &findings.statistics;
    let counts = [s.states, s.transitions, s.depth, s.deadlocks];
    counts_table(
        source.name(),
        counts,
        s.elapsed.as_secs_f64(),
        s.stopped.as_deref(),
    )
}

/// States, transitions, depth and deadlocks, and what they cost.
pub(super) fn counts_table(
    name: &str,
    [states, transitions, depth, deadlocks]: [u64; 4],
    seconds: f64,
    stopped: Option<&str>,
) -> String {
    let megabytes = peak_memory_bytes() as f64 / 1e6;
    let mut text = format!(
        "{name}
  states       {states:>12}
  transitions  {transitions:>12}
  depth        {depth:>12}
  deadlocks    {deadlocks:>12}
  seconds      {seconds:>12.2}
  memory       {megabytes:>9.0} MB
"
    );
    if let Some(why) = stopped {
        text += &format!("  not complete: {why}\n");
    }
    text
}

fn run(
    model: &Model,
    properties: &[usize],
    extent: Extent,
    dead_variables: Dead,
    limits: &Limits,
) -> Result<Findings, Failure> {
    let budget = limits.budget();
    let mut reporter = limits.reporter(&budget);
    let mut watch = |now| reporter.see(now);
    let findings = verify(
        model,
        properties,
        extent,
        dead_variables.into(),
        &budget,
        &mut watch,
    );
    drop(reporter);
    let findings = findings.map_err(|contradiction| Failure::Internal(contradiction.0))?;
    limits.tell(&findings.statistics.engine);
    Ok(findings)
}

/// Ctrl-C asks the search to stop and to say what it has seen; a second one ends the program. Whatever
/// comes after the first does not begin.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without the handler Ctrl-C just ends the program: no reason to refuse to work.
        let _ = ctrlc::set_handler(move || {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(2);
            }
        });
        flag
    });
    Arc::clone(flag)
}

fn show_json(report: &Report<'_>) -> Result<(), Failure> {
    print_json(&document(report))
}

fn print_json(document: &Document) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document);
    let text = text.map_err(|error| Failure::Internal(error.to_string()))?;
    print(&(text + "\n"));
    Ok(())
}
