//! A verdict is a type: "does not hold", "holds" and "not known" can't be confused.

use super::trace::Trace;
use super::unknown::Unknown;

#[derive(Clone, Debug)]
pub enum Verdict<T = Trace> {
    /// From a complete exploration only. `up_to_bound`: runs beyond the capacity of an inbox
    /// whose policy is `cut` were not looked at.
    Holds {
        up_to_bound: bool,
    },
    /// Replayed by the reference semantics.
    Violated(Box<T>),
    Unknown(Unknown),
}

/// The verdict on one property.
#[derive(Clone, Debug)]
pub struct PropertyResult<T = Trace> {
    /// One of `Model::properties`.
    pub property: usize,
    pub verdict: Verdict<T>,
}

impl<T> Verdict<T> {
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds { .. } => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    pub fn trace(&self) -> Option<&T> {
        match self {
            Verdict::Violated(trace) => Some(trace),
            _ => None,
        }
    }
}

/// One verdict for many properties: violated if one is, else unknown if one is, else holds.
pub fn overall<T>(results: &[PropertyResult<T>]) -> &'static str {
    let any = |name: &str| results.iter().any(|result| result.verdict.name() == name);
    ["violated", "unknown"]
        .into_iter()
        .find(|name| any(name))
        .unwrap_or("holds")
}
