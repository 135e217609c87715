//! Every way of showing a verdict.

mod dve;
mod excerpt;
mod json;
mod narrative;
mod rounds;
mod summary;
mod wording;

pub use dve::{DveMove, dve_changes, dve_headline, dve_story};
pub use json::{
    ChangeDocument, Document, PropertyDocument, SCHEMA, StepDocument, TraceDocument, document,
    steps_in, trace_document,
};
pub use narrative::{choice_line, describe_step, narrate, state_lines};
pub use rounds::explain;
pub use summary::{Traces, summarise};

use crate::evidence::Findings;
use crate::model::{Model, SourceFile};

/// What there is to report, and on what.
pub struct Report<'a> {
    pub source: &'a SourceFile,
    pub model: &'a Model,
    pub findings: &'a Findings,
}
