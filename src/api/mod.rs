//! What other programs use: a model or a system, a checker, and its report. Nothing here is more than a
//! way to what stands in the other folders.
//!
//! | file | what it holds |
//! |---|---|
//! | `model` | models in files |
//! | `checker` | what is asked for, and how far the search goes |
//! | `subject` | how models and systems in Rust are checked |
//! | `report` | verdicts, traces, figures |
//! | `error` | why there is no report |

mod checker;
mod error;
mod model;
mod report;
mod subject;

pub use checker::{Abstraction, Checker};
pub use error::{Error, Problem};
pub use model::Model;
pub use report::{Figures, PropertyReport, Report, Snapshot, Step, Trace, Verdict};
pub use subject::Subject;
