//! Verdicts, traces, figures.

use std::fmt;
use std::time::Duration;

use crate::evidence::Unknown;

/// What a check found. Without parameters it is that of a [`Model`](crate::Model).
#[derive(Clone, Debug)]
pub struct Report<State = Snapshot, Action = String> {
    pub(super) properties: Vec<PropertyReport<State, Action>>,
    pub(super) figures: Figures,
}

/// The verdict on one property.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PropertyReport<State = Snapshot, Action = String> {
    /// Its name.
    pub name: String,
    /// What was found.
    pub verdict: Verdict<State, Action>,
}

/// What is known of a property.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict<State = Snapshot, Action = String> {
    /// Every state that can be reached was visited, and no violation was found.
    Holds,
    /// The same, but runs were cut where the model sets a bound.
    HoldsUpToBound,
    /// By this run, which is one of the shortest, and was replayed.
    Violated(Trace<State, Action>),
    /// With the reason.
    Unknown(Unknown),
}

/// A run from the beginning to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<State = Snapshot, Action = String> {
    pub(super) steps: Vec<Step<State, Action>>,
}

/// Something that was done in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<State = Snapshot, Action = String> {
    /// What was done.
    pub action: Action,
    /// Where it led; none if it failed.
    pub state: Option<State>,
}

/// A state of a model in words, a line for each object, and for each variable that changes in the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot(pub(super) Vec<String>);

/// How large the search was. Under an abstraction: the last one, unless said otherwise.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figures {
    /// Distinct states that were seen.
    pub states: u64,
    /// Steps out of those that were expanded.
    pub transitions: u64,
    /// Levels of the breadth-first search; the initial states are the first.
    pub depth: u64,
    /// States in which nothing can happen although something should.
    pub deadlocks: u64,
    /// Of the whole check.
    pub elapsed: Duration,
    /// Threads that worked.
    pub threads: usize,
    /// Searches, each with a finer abstraction than the one before; 1 without abstraction.
    pub rounds: u64,
}

impl<State, Action> Report<State, Action> {
    /// The verdicts, in the order of the properties.
    pub fn properties(&self) -> &[PropertyReport<State, Action>] {
        &self.properties
    }

    /// The verdict on a property.
    pub fn verdict(&self, property: &str) -> Option<&Verdict<State, Action>> {
        let mut all = self.properties.iter();
        let found = all.find(|checked| checked.name == property);
        found.map(|checked| &checked.verdict)
    }

    /// Whether all properties hold.
    pub fn holds(&self) -> bool {
        self.properties
            .iter()
            .all(|checked| checked.verdict.holds())
    }

    /// The shortest trace to a violation, and the name of the property.
    pub fn shortest(&self) -> Option<(&str, &Trace<State, Action>)> {
        let all = self.properties.iter();
        let violated = all.filter_map(|checked| {
            let trace = checked.verdict.trace()?;
            Some((checked.name.as_str(), trace))
        });
        violated.min_by_key(|(_, trace)| trace.len())
    }

    /// How large the search was.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

impl<State, Action> Verdict<State, Action> {
    /// Whether the property holds, perhaps only up to the bounds of the model.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Holds | Verdict::HoldsUpToBound)
    }

    /// How it is violated, if it is.
    pub fn trace(&self) -> Option<&Trace<State, Action>> {
        match self {
            Verdict::Violated(trace) => Some(trace),
            _ => None,
        }
    }
}

impl<State, Action> Trace<State, Action> {
    /// All steps; the first one is the beginning.
    pub fn steps(&self) -> &[Step<State, Action>] {
        &self.steps
    }

    /// Steps after the beginning.
    pub fn len(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// Whether the beginning itself is the violation.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state that it leads to; none if the last step failed.
    pub fn last(&self) -> Option<&State> {
        self.steps.last()?.state.as_ref()
    }
}

impl Snapshot {
    /// Line by line.
    pub fn lines(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// `holds`, `violated in 3 steps`, `unknown: ` and the reason.
impl<State, Action> fmt::Display for Verdict<State, Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::HoldsUpToBound => f.write_str("holds up to the bound"),
            Verdict::Violated(trace) if trace.len() == 1 => f.write_str("violated in 1 step"),
            Verdict::Violated(trace) => write!(f, "violated in {} steps", trace.len()),
            Verdict::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// Each step with its number, and the state that it leads to below it.
impl<State: fmt::Display, Action: fmt::Display> fmt::Display for Trace<State, Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(f, "{number:>4}  {}", step.action)?;
            let state = step.state.iter().map(State::to_string);
            for line in state.collect::<String>().lines() {
                writeln!(f, "        {line}")?;
            }
        }
        Ok(())
    }
}
