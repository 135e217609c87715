//! Progress on the error stream: one line that changes on a terminal, a plain line now and then
//! elsewhere.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use crisol::search::{Progress, memory_bytes};
use terminal_size::{Width, terminal_size_of};

/// Nothing is said about what is over sooner.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_UPDATES: Duration = Duration::from_millis(200);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A line about work that goes on.
pub struct StatusLine {
    quiet: bool,
    on_terminal: bool,
    /// When to speak next.
    next: Duration,
    has_spoken: bool,
}

impl StatusLine {
    pub fn new(quiet: bool) -> StatusLine {
        StatusLine {
            quiet,
            on_terminal: std::io::stderr().is_terminal(),
            next: PATIENCE,
            has_spoken: false,
        }
    }

    /// Whether it is time to say something again.
    pub fn is_due(&self, elapsed: Duration) -> bool {
        !self.quiet && elapsed >= self.next
    }

    pub fn say(&mut self, elapsed: Duration, line: &str) {
        let mut stderr = std::io::stderr().lock();
        // Nobody is left to tell if this fails.
        let _ = match self.on_terminal {
            true => write!(stderr, "\r{}\x1b[K", within_the_terminal(line)),
            false => writeln!(stderr, "{line}"),
        };
        let _ = stderr.flush();
        let pause = match self.on_terminal {
            true => BETWEEN_UPDATES,
            false => BETWEEN_LINES,
        };
        self.next = elapsed + pause;
        self.has_spoken = true;
    }
}

impl Drop for StatusLine {
    /// The line was never part of the answer.
    fn drop(&mut self) {
        if self.has_spoken && self.on_terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Tells how an exploration goes on.
pub struct Reporter {
    status: StatusLine,
    limit: Option<u64>,
    last: Option<Progress>,
}

impl Reporter {
    pub fn new(quiet: bool, limit: Option<u64>) -> Reporter {
        Reporter {
            status: StatusLine::new(quiet),
            limit,
            last: None,
        }
    }

    pub fn see(&mut self, now: Progress) {
        if self.status.is_due(now.elapsed) {
            let line = self.line(&now);
            self.status.say(now.elapsed, &line);
            self.last = Some(now);
        }
    }

    fn line(&self, now: &Progress) -> String {
        let (states, seconds) = match &self.last {
            Some(last) => (now.states - last.states, now.elapsed - last.elapsed),
            None => (now.states, now.elapsed),
        };
        let rate = states as f64 / seconds.as_secs_f64().max(0.001);
        let memory = match self.limit {
            Some(limit) => format!("{}/{}", short_bytes(memory_bytes()), short_bytes(limit)),
            None => short_bytes(memory_bytes()),
        };
        format!(
            "exploring: level {}, {} states ({}/s), frontier {}, {memory}, {} s",
            now.level,
            short(now.states as f64),
            short(rate),
            short(now.frontier as f64),
            now.elapsed.as_secs()
        )
    }
}

/// A line that the terminal breaks can't be written over.
fn within_the_terminal(line: &str) -> String {
    let size = terminal_size_of(std::io::stderr());
    let columns = size.map_or(80, |(Width(columns), _)| usize::from(columns));
    line.chars().take(columns.saturating_sub(1)).collect()
}

/// 12.3M
fn short(number: f64) -> String {
    match number {
        n if n < 10e3 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.0}k", n / 1e3),
        n if n < 1e9 => format!("{:.1}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

fn short_bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1e9 => format!("{:.0} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}
