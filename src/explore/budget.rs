//! How much an exploration may use, and why it stopped if it used that up.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default)]
pub struct Budget {
    pub max_states: Option<u64>,
    pub max_time: Option<Duration>,
    /// Set from outside to stop early: Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    StateLimit(u64),
    TimeLimit(Duration),
    Interrupted,
    /// What was asked can't be checked by this version.
    NotSupported(String),
}

impl Budget {
    /// Why an exploration must stop now, if it must; states are counted by the explorer.
    pub fn spent(&self, start: Instant) -> Option<Reason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        let limit = self.max_time.filter(|limit| start.elapsed() >= *limit);
        limit.map(Reason::TimeLimit)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::StateLimit(limit) => write!(f, "the limit of {limit} states was reached"),
            Reason::TimeLimit(limit) => {
                write!(f, "the limit of {} s was reached", limit.as_secs_f64())
            }
            Reason::Interrupted => f.write_str("it was interrupted"),
            Reason::NotSupported(what) => f.write_str(what),
        }
    }
}
