//! How long, how large and how loud an exploration may be.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use clap::Args;
use crisol::checker::{CheckUntil, DeadVariables, DveTrace, verify, verify_dve};
use crisol::dve::Program;
use crisol::evidence::{CheckResult, InternalError};
use crisol::lang::Model;
use crisol::search::{Budget, Progress};

use super::progress::Reporter;
use super::{Failure, print_error};

#[derive(Args)]
pub struct Limits {
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
    pub quiet: bool,

    /// Tell why it was fast or slow: local states, remembered steps, bytes
    #[arg(long)]
    stats: bool,
}

impl Limits {
    pub fn reporter(&self, budget: &Budget) -> Reporter {
        Reporter::new(self.quiet, budget.max_memory)
    }

    pub fn verify(
        &self,
        model: &Model,
        properties: &[usize],
        extent: CheckUntil,
        dead: Dead,
    ) -> Result<CheckResult, Failure> {
        self.watched(|budget, watch| verify(model, properties, extent, dead.into(), budget, watch))
    }

    pub fn verify_dve(
        &self,
        program: &Program,
        properties: &[usize],
        extent: CheckUntil,
        dead: Dead,
    ) -> Result<CheckResult<DveTrace>, Failure> {
        let dead = dead.into();
        self.watched(|budget, watch| verify_dve(program, properties, extent, dead, budget, watch))
    }

    fn watched<T>(
        &self,
        check: impl FnOnce(&Budget, &mut dyn FnMut(Progress)) -> Result<CheckResult<T>, InternalError>,
    ) -> Result<CheckResult<T>, Failure> {
        let budget = self.budget();
        let mut reporter = self.reporter(&budget);
        let findings = check(&budget, &mut |now| reporter.see(now));
        drop(reporter);
        let findings = findings.map_err(|error| Failure::Internal(error.0))?;
        self.tell(&findings.statistics.engine);
        Ok(findings)
    }

    /// On the error stream: the answer itself may be read by a program.
    pub fn tell(&self, lines: &[String]) {
        if self.stats {
            lines
                .iter()
                .for_each(|line| print_error(&format!("{line}\n")));
        }
    }

    pub fn budget(&self) -> Budget {
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

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Dead {
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

/// A second Ctrl-C so soon after the first is the same one: `timeout` sends its signal to the program and
/// to the program's group.
const AT_ONCE: Duration = Duration::from_millis(300);

/// Ctrl-C asks the search to stop and to say what it has seen; a second one ends the program. All
/// searches of a call share the flag: what comes after one that was stopped is not begun either.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without the handler Ctrl-C just ends the program: no reason to refuse to work.
        let mut first: Option<Instant> = None;
        let _ = ctrlc::set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                set.store(true, Ordering::Relaxed);
            }
            Some(first) if first.elapsed() < AT_ONCE => {}
            Some(_) => std::process::exit(2),
        });
        flag
    });
    Arc::clone(flag)
}
