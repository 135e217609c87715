//! Verdicts and what stands behind them.
//!
//! Invariant: nothing here knows an explorer. A trace is believed because the reference semantics
//! has made every one of its steps again.

pub mod certificate;
mod dve_record;
mod record;
mod refinement;
mod replay_system;
mod result;
mod run;
mod samples;
mod trace;
mod unknown;
mod verdict;

pub use record::{MessageRecord, RecordError, StepRecord};
pub use refinement::{Refinement, RoundFigures, Runs, Spurious};
pub use replay_system::replay_system;
pub use result::{CheckResult, Dead, Statistics};
pub use run::{Replayed, Run, replay_run};
pub use samples::{LevelSample, Pace, PaceSample, Samples, by_level};
pub use trace::{InternalError, ReplayError, Trace, TraceStep, replay};
pub use unknown::Unknown;
pub use verdict::{PropertyResult, Verdict, overall};
