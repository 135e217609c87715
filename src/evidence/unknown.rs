//! Why something is not known: a type, until it is printed.

use std::fmt;

use crate::system::Reason;

/// Why a property is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The search ended before it had seen everything.
    Stopped(Reason),
    /// The search of the abstract model did.
    AbstractStopped(Reason),
    /// Another property was found violated, which was enough.
    FirstViolation,
    /// So many rounds of refinement were not enough.
    Rounds(u64),
    /// No refinement rules out an abstract counterexample that has no concrete one.
    NoProgress {
        /// The step that no concrete run makes.
        step: usize,
        /// Why none does.
        why: String,
        /// The variables that it hangs on.
        relevant: Vec<String>,
    },
    /// Counters of 64 bits that may count on to the end of these, in a run that is too long to be made.
    Counter(Vec<String>),
    /// Properties of this kind are read, but not checked by this version.
    NotSupported(&'static str),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Stopped(reason) => reason.fmt(f),
            Unknown::AbstractStopped(reason) => {
                write!(
                    f,
                    "the abstract model was not explored to its end: {reason}"
                )
            }
            Unknown::FirstViolation => f.write_str("the search stopped at the first violation"),
            Unknown::Rounds(rounds) => write!(f, "not decided after {rounds} rounds"),
            Unknown::NoProgress {
                step,
                why,
                relevant,
            } => {
                write!(
                    f,
                    "no split rules out the abstract counterexample: at step {step} {why}"
                )?;
                match relevant.is_empty() {
                    true => Ok(()),
                    false => write!(f, "; it hangs on {}", relevant.join(", ")),
                }
            }
            Unknown::Counter(counters) => write!(
                f,
                "{} may count on to the end of 64 bits, further than a run can be followed",
                counters.join(", ")
            ),
            Unknown::NotSupported(what) => {
                write!(f, "{what} not checked by this version of crisol")
            }
        }
    }
}

impl Unknown {
    /// What whoever typed the command could do about it; may be empty.
    pub fn advice(&self) -> &'static str {
        match self {
            Unknown::Stopped(reason) | Unknown::AbstractStopped(reason) => advice(reason),
            Unknown::FirstViolation => "Without --first it goes on.",
            Unknown::Rounds(_) => {
                "A larger --max-rounds lets it go on; --explain shows what keeps it going."
            }
            Unknown::NoProgress { .. } => {
                "`exact` for the variables that it hangs on may help; --explain shows the run."
            }
            Unknown::Counter(_) => {
                "A guard that bounds the counter decides it; `allow arithmetic_fault;` takes for granted that no number leaves its type."
            }
            Unknown::NotSupported(_) => "",
        }
    }
}

fn advice(reason: &Reason) -> &'static str {
    match reason {
        Reason::StateLimit(_) => "A larger --max-states lets it go on.",
        Reason::MemoryLimit(_) => "A larger --memory lets it go on.",
        Reason::TimeLimit(_) => "A larger --max-time lets it go on.",
        Reason::StepTooLarge(_) => {
            "Fewer choices in one step, or an abstraction that knows more of what it reads, may help."
        }
        Reason::OutOfNumbers => "An abstraction, or smaller constants, may leave fewer states.",
        Reason::OutOfMemory | Reason::Interrupted => "",
    }
}
