//! A check as one HTML file that works without a network: the verdict, the counterexamples step by
//! step, the rounds of a refinement, and how the exploration went.
//!
//! Rust makes the data, the files beside this one show it. The same parts make the page of
//! `crisol explore`.

mod delivery;
mod dve;
mod machines;
mod page;
mod rounds;
mod scene;
mod shown;
mod steps;
mod verdict;

pub use page::{Page, escape};
pub use scene::Scene;
pub use shown::Shown;
pub use steps::{RunView, run_view};

use super::Report;

/// The whole file.
pub fn html<M: Shown>(report: &Report<'_, M>) -> Result<String, serde_json::Error> {
    let data = verdict::report_view(report);
    let title = format!("{}: {}", data.scene.file, data.verdict);
    let page = Page {
        title: &title,
        heading: verdict::heading(&data),
        script: &page::REPORT,
        asks: false,
    };
    page.with(&report.model.drawn(report.source), &data)
}
