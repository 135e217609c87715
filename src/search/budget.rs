//! How much an exploration may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::system::Reason;

#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// States to be seen; the level that exceeds it is finished, so that counts do not depend on
    /// the order inside of one.
    pub max_states: Option<u64>,
    pub max_time: Option<Duration>,
    /// Bytes that the process may have in memory.
    pub max_memory: Option<u64>,
    /// Threads to work with; otherwise one for each core.
    pub threads: Option<usize>,
    /// Set from outside to stop early: Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
}

impl Budget {
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores).max(1)
    }

    /// Why an exploration must stop now, if it must; states are counted by the explorer.
    pub fn spent(&self, start: Instant) -> Option<Reason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        let limit = self.max_time.filter(|limit| start.elapsed() >= *limit);
        limit
            .map(Reason::TimeLimit)
            .or_else(|| self.exceeded_with(0))
    }

    /// Whether there are more states than wanted; asked at the end of a level.
    pub fn states_spent(&self, states: u64) -> Option<Reason> {
        let limit = self.max_states.filter(|limit| states > *limit);
        limit.map(Reason::StateLimit)
    }

    /// Whether there are far too many, so that not even the level is finished.
    pub fn states_far_exceeded(&self, states: u64) -> Option<Reason> {
        self.states_spent(states / 4)
    }

    /// Whether so many bytes more would be too many.
    pub fn exceeded_with(&self, bytes: u64) -> Option<Reason> {
        let limit = self.max_memory?;
        (memory_bytes() + bytes > limit).then_some(Reason::MemoryLimit(limit))
    }
}

/// What this process has in memory now; 0 where the system does not tell.
pub fn memory_bytes() -> u64 {
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split_whitespace().nth(1);
    resident
        .and_then(|pages| pages.parse::<u64>().ok())
        .unwrap_or(0)
        * PAGE
}
