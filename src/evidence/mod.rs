//! Verdicts and what stands behind them.
//!
//! Invariant: nothing here knows an explorer. A trace is believed because the reference semantics
//! has made every one of its steps again.

pub mod certificate;
mod course;
mod findings;
mod record;
mod refinement;
mod trace;
mod verdict;

pub use course::{Course, LevelSample, Pace, PaceSample, by_level};
pub use findings::{Dead, Findings, Statistics};
pub use record::{MessageRecord, RecordError, StepRecord};
pub use refinement::{Refinement, RoundFigures, Runs, Spurious};
pub use trace::{ReplayError, Trace, TraceStep, replay};
pub use verdict::{Judgement, Unknown, Verdict, overall};
