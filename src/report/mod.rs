//! Every way of showing a verdict.

mod document;
mod dve;
mod excerpt;
mod github;
mod html;
mod json;
mod junit;
mod narrative;
mod overview;
mod rounds;
mod sarif;
mod summary;
mod told;
mod width;

pub use crate::words::{DveWords, StepWords, Words, dve_headline, step_words};
pub use document::{
    ChangeDocument, DiagnosticDocument, Document, PropertyDocument, RegionDocument, Results,
    SCHEMA, SEVERAL, StepDocument, TraceDocument,
};
pub use dve::{dve_choice_line, dve_state_lines, dve_step};
pub use excerpt::region;
pub use github::github;
pub use html::{Page, RunView, Scene, Shown, escape, html, run_view};
pub use json::{WrittenTrace, diagnosed, document, steps_in, trace_document, traces_in};
pub use junit::junit;
pub use narrative::{choice_line, describe_step, narrate, state_lines};
pub use overview::overview;
pub use rounds::explain;
pub use sarif::sarif;
pub use summary::{Traces, summarise, verdict_style};
pub use told::{Property, Told};
pub use width::{at_standard_width, set_columns};

use crate::evidence::CheckResult;
use crate::lang::{Model, SourceFile};

/// What there is to report, and on what.
pub struct Report<'a, M: Told = Model> {
    pub source: &'a SourceFile,
    pub model: &'a M,
    pub findings: &'a CheckResult<M::Trace>,
}
