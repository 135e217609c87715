//! Why something was not looked at.

use std::fmt;
use std::time::Duration;

/// Why a search ended before it had seen everything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// So many states were to be seen at most.
    StateLimit(u64),
    /// It was to take so long at most.
    TimeLimit(Duration),
    /// The process was to have so many bytes in memory at most.
    MemoryLimit(u64),
    /// The system refused before the limit was reached.
    OutOfMemory,
    /// States, and parts of them, have numbers of 32 bits; all of these are given out.
    OutOfNumbers,
    /// It was asked to stop.
    Interrupted,
    /// A step has more outcomes, or more parts, than are looked at; which one, where it is known.
    StepTooLarge(Option<String>),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::StateLimit(limit) => write!(f, "the limit of {limit} states was reached"),
            Reason::TimeLimit(limit) => {
                write!(f, "the limit of {} s was reached", limit.as_secs_f64())
            }
            Reason::MemoryLimit(limit) => {
                write!(f, "the limit of {} MB of memory was reached", limit >> 20)
            }
            Reason::OutOfMemory => f.write_str("the system has no more memory"),
            Reason::OutOfNumbers => {
                f.write_str("there are more states, or parts of states, than numbers of 32 bits")
            }
            Reason::Interrupted => f.write_str("it was interrupted"),
            Reason::StepTooLarge(None) => f.write_str("a step is too large to look at all of it"),
            Reason::StepTooLarge(Some(step)) => {
                write!(f, "a step is too large to look at all of it: {step}")
            }
        }
    }
}
