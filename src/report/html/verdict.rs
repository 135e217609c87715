//! What a check came to, for the page: the verdict in one sentence, the properties, the figures.

use serde::Serialize;

use super::page::escape;
use super::rounds::RefinementView;
use super::scene::Scene;
use super::shown::Shown;
use super::steps::RunView;
use crate::evidence::{PropertyResult, Replayed, Samples, Statistics, Verdict, overall};
use crate::report::Report;
use crate::report::summary::{remark, restriction, shown_first, unused};

#[derive(Serialize)]
pub struct ReportView {
    pub scene: Scene,
    pub verdict: &'static str,
    /// The verdict in one sentence.
    pub sentence: String,
    /// What is wrong, if something is: the end of the shortest run.
    pub cause: Option<String>,
    /// With what restriction, or what could be done.
    pub notes: Vec<String>,
    pub properties: Vec<PropertyView>,
    pub runs: Vec<RunView>,
    pub figures: Figures,
    pub never_entered: Vec<String>,
    pub never_taken: Vec<String>,
    pub refinement: Option<RefinementView>,
    pub version: &'static str,
}

#[derive(Serialize)]
pub struct PropertyView {
    /// One of the properties of the scene.
    pub property: usize,
    pub verdict: &'static str,
    pub remark: String,
    /// One of `ReportView::runs`.
    pub run: Option<usize>,
}

#[derive(Serialize)]
pub struct Figures {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub deadlocks: u64,
    pub seconds: f64,
    pub memory_bytes: u64,
    pub threads: usize,
    pub rounds: u64,
    pub complete: bool,
    pub stopped: Option<String>,
    /// First level, levels together, states.
    pub levels: Vec<(u64, u64, u64)>,
    /// Seconds, states seen by then.
    pub pace: Vec<(f64, u64)>,
}

pub fn report_view<M: Shown>(report: &Report<'_, M>) -> ReportView {
    let findings = report.findings;
    let results = shown_first(&findings.results);
    let mut runs: Vec<RunView> = Vec::new();
    let mut properties = Vec::new();
    for result in &results {
        let trace = result.verdict.trace();
        properties.push(PropertyView {
            property: result.property,
            verdict: result.verdict.name(),
            remark: remark(&result.verdict),
            run: trace.map(|_| runs.len()),
        });
        runs.extend(trace.map(|trace| report.model.run_view(report.source, trace)));
    }
    let (never_entered, never_taken) = unused(report);
    let refinement = findings.refinement.as_ref();
    ReportView {
        scene: report.model.scene(report.source),
        verdict: overall(&findings.results),
        sentence: sentence(report, &results),
        cause: cause(report, &runs),
        notes: notes(report),
        properties,
        runs,
        figures: figures(&findings.statistics, findings.complete),
        never_entered,
        never_taken,
        refinement: refinement.and_then(|refinement| report.model.refinement_view(refinement)),
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// What is seen first.
pub fn heading(view: &ReportView) -> String {
    let cause = view.cause.as_ref().map(|cause| {
        let cause = escape(cause);
        format!("<p class=\"cause\">{cause}</p>\n")
    });
    format!(
        "<header class=\"hero {verdict}\" id=\"hero\">\n<p class=\"file\"><span class=\"badge\">{verdict}</span> \
         <span class=\"path\">{file}</span></p>\n<h1>{sentence}</h1>\n{cause}</header>",
        verdict = view.verdict,
        file = escape(&view.scene.file),
        sentence = escape(&view.sentence),
        cause = cause.unwrap_or_default(),
    )
}

fn sentence<M: Shown>(report: &Report<'_, M>, results: &[&PropertyResult<M::Trace>]) -> String {
    let of = |name: &str| results.iter().filter(|j| j.verdict.name() == name).count();
    let all = results.len();
    let name = |result: &PropertyResult<M::Trace>| report.model.property(result.property).name;
    let shortest = results.first().map(|first| (name(first), &first.verdict));
    match shortest {
        Some((name, Verdict::Violated(trace))) => match of("violated") {
            1 => format!("{name} is violated {}.", after(trace.as_ref())),
            many => format!(
                "{many} of {all} properties are violated; the first, {name}, {}.",
                after(trace.as_ref())
            ),
        },
        Some((name, Verdict::Unknown(why))) => match of("unknown") {
            1 => format!("{name} is not decided: {why}."),
            many => format!("{many} of {all} properties are not decided: {why}."),
        },
        _ => format!("{} {}.", hold(all), extent(report)),
    }
}

fn after(trace: &impl Replayed) -> String {
    match trace.length() {
        0 => "at the start".to_owned(),
        1 => "after 1 step".to_owned(),
        many => format!("after {many} steps"),
    }
}

fn hold(properties: usize) -> String {
    match properties {
        1 => "The property holds".to_owned(),
        many => format!("All {many} properties hold"),
    }
}

/// What a proof has looked at.
fn extent<M: Shown>(report: &Report<'_, M>) -> String {
    let states = report.findings.statistics.states;
    match &report.findings.refinement {
        None => format!("in all {states} reachable states"),
        Some(refinement) => {
            let rounds = refinement.rounds.len();
            let plural = if rounds == 1 { "round" } else { "rounds" };
            format!("in all {states} abstract states, after {rounds} {plural} of refinement")
        }
    }
}

fn cause<M: Shown>(report: &Report<'_, M>, runs: &[RunView]) -> Option<String> {
    let run = runs.first()?;
    let name = report.model.property(run.property?).name;
    Some(format!("{name}: {}.", run.sentence.as_ref()?))
}

fn notes<M: Shown>(report: &Report<'_, M>) -> Vec<String> {
    let mut notes: Vec<String> = restriction(report).map(str::to_owned).into_iter().collect();
    let advice = report.findings.results.iter();
    let advice = advice.filter_map(|result| match &result.verdict {
        Verdict::Unknown(why) => Some(why.advice().to_owned()),
        _ => None,
    });
    notes.extend(advice.filter(|advice| !advice.is_empty()).take(1));
    notes
}

fn figures(statistics: &Statistics, complete: bool) -> Figures {
    let Samples { levels, pace } = &statistics.samples;
    let levels = levels.iter().map(|l| (l.first, l.levels, l.states));
    let pace = pace.samples().into_iter();
    Figures {
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        deadlocks: statistics.deadlocks,
        seconds: statistics.elapsed.as_secs_f64(),
        memory_bytes: statistics.peak_memory_bytes,
        threads: statistics.threads,
        rounds: statistics.rounds,
        complete,
        stopped: statistics.stopped.clone(),
        levels: levels.collect(),
        pace: pace.map(|s| (s.elapsed.as_secs_f64(), s.states)).collect(),
    }
}
