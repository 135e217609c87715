//! The result of a check on the terminal.

use anstyle::{AnsiColor, Style};

use super::Report;
use super::narrative::wrap;
use super::told::Told;
use crate::evidence::{PropertyResult, Replayed, Statistics, Verdict, overall};

/// The verdicts, the shortest trace, and what else was found. Styled; whoever prints it strips the
/// styles where they are not wanted.
pub fn summarise<M: Told>(report: &Report<'_, M>, traces: Traces) -> String {
    let mut text = String::new();
    let results = shown_first(&report.findings.results);
    for result in &results {
        text += &verdict_line(report, result);
    }
    if let Some(note) = restriction(report) {
        text += &format!("  ({note})\n");
    }
    let shown = match traces {
        Traces::Shortest => 1,
        Traces::All => results.len(),
    };
    let violations = results.iter().filter_map(|result| result.verdict.trace());
    for trace in violations.clone().take(shown) {
        text += &told(report, trace);
    }
    let more = violations.skip(shown).count();
    if more > 0 {
        let plural = if more == 1 { "trace" } else { "traces" };
        text += &format!("\n({more} more {plural}: --all-traces, or --property NAME)\n");
    }
    text += &information(report);
    text += &known(report);
    text += &format!("\n{}\n", closing(report));
    text
}

/// After a failed step there is no state to go on from, so what holds is not known beyond it.
pub(super) fn restriction<M: Told>(report: &Report<'_, M>) -> Option<&'static str> {
    let ends_runs = |result: &&PropertyResult<M::Trace>| {
        result.verdict.trace().is_some() && report.model.ends_runs(result.property)
    };
    let failed = report.findings.results.iter().any(|j| ends_runs(&j));
    failed.then_some("a run ends where it fails: what holds, holds up to there")
}

/// Which traces are told in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    Shortest,
    All,
}

fn told<M: Told>(report: &Report<'_, M>, trace: &M::Trace) -> String {
    let name = trace
        .violates()
        .map(|property| report.model.property(property).name);
    let name = name.unwrap_or_default();
    let bold = Style::new().bold();
    let story = report.model.narrate(report.source, trace);
    format!("\n{bold}{name}, step by step:{bold:#}\n{story}")
}

/// What is violated or unknown goes before what holds, short traces before long ones.
pub(super) fn shown_first<T: Replayed>(results: &[PropertyResult<T>]) -> Vec<&PropertyResult<T>> {
    let mut sorted: Vec<&PropertyResult<T>> = results.iter().collect();
    sorted.sort_by_key(|result| match &result.verdict {
        Verdict::Violated(trace) => (0, trace.length()),
        Verdict::Unknown(_) => (1, 0),
        Verdict::Holds { .. } => (2, 0),
    });
    sorted
}

fn verdict_line<M: Told>(report: &Report<'_, M>, result: &PropertyResult<M::Trace>) -> String {
    let name = report.model.property(result.property).name;
    let verdict = result.verdict.name();
    let style = verdict_style(verdict);
    let remark = remark(&result.verdict);
    let lines = wrap(&format!("  {verdict:<9} {name:<22} "), &remark);
    let styled = format!("{style}{verdict}{style:#}");
    lines.join("\n").trim_end().replacen(verdict, &styled, 1) + "\n"
}

/// What there is to say beside a verdict.
pub(super) fn remark<T: Replayed>(verdict: &Verdict<T>) -> String {
    match verdict {
        Verdict::Holds { up_to_bound: false } => String::new(),
        Verdict::Holds { up_to_bound: true } => {
            "up to the inbox capacity: some runs were cut there".to_owned()
        }
        Verdict::Violated(trace) => {
            format!("in {}", steps(trace.length(), trace.completed_steps()))
        }
        Verdict::Unknown(why) => why.to_string(),
    }
}

fn steps(length: usize, completed: usize) -> String {
    let plural = if length == 1 { "step" } else { "steps" };
    match completed {
        0 => format!("{length} {plural}"),
        1 => format!("{length} {plural}, 1 of them run to completion"),
        _ => format!("{length} {plural} ({completed} run-to-completion steps)"),
    }
}

/// How a verdict's word is shown.
pub fn verdict_style(verdict: &str) -> Style {
    let colour = match verdict {
        "holds" => AnsiColor::Green,
        "violated" | "error" => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}

/// States and transitions that no run uses.
fn information<M: Told>(report: &Report<'_, M>) -> String {
    let (states, transitions) = unused(report);
    list("never entered", states) + &list("never taken", transitions)
}

/// The states that no run enters, and the transitions that none takes, where all runs were seen.
pub(super) fn unused<M: Told>(report: &Report<'_, M>) -> (Vec<String>, Vec<String>) {
    let dead = report.findings.dead.as_ref();
    dead.map(|dead| report.model.unused(dead))
        .unwrap_or_default()
}

/// The precision in the end, and what a proof assumes.
fn known<M: Told>(report: &Report<'_, M>) -> String {
    let Some(refinement) = &report.findings.refinement else {
        return String::new();
    };
    let rounds = refinement.rounds.len();
    let plural = if rounds == 1 { "round" } else { "rounds" };
    let title = format!("Abstraction: {rounds} {plural}; at the end");
    let mut lines = vec![format!("\n{title}")];
    let mut told = refinement.precision.clone();
    if told.is_empty() {
        told.push("every variable is known exactly".to_owned());
    }
    let assumed = refinement.assumptions.iter();
    told.extend(assumed.map(|assumption| format!("assumed: {assumption}")));
    for line in told {
        lines.extend(wrap("  ", &line));
    }
    lines.join("\n") + "\n"
}

/// At most ten lines of each: the rest is in the JSON document.
fn list(title: &str, entries: Vec<String>) -> String {
    const SHOWN: usize = 10;
    if entries.is_empty() {
        return String::new();
    }
    let mut lines = vec![format!("\nInformation: {title}")];
    for entry in entries.iter().take(SHOWN) {
        lines.extend(wrap("  ", entry));
    }
    if entries.len() > SHOWN {
        lines.push(format!("  ... and {} more", entries.len() - SHOWN));
    }
    lines.join("\n") + "\n"
}

fn closing<M: Told>(report: &Report<'_, M>) -> String {
    let verdict = overall(&report.findings.results);
    let style = verdict_style(verdict);
    let mut text = format!("{}: {style}{verdict}{style:#}", report.source.name());
    text += &format!("\n{}", counts(&report.findings.statistics));
    let advice = report
        .findings
        .results
        .iter()
        .find_map(|j| match &j.verdict {
            Verdict::Unknown(why) => Some(why.advice()).filter(|advice| !advice.is_empty()),
            _ => None,
        });
    if let Some(advice) = advice {
        text += &format!("\n{}", wrap("", advice).join("\n"));
    }
    text
}

fn counts(statistics: &Statistics) -> String {
    let Statistics {
        states,
        transitions,
        depth,
        ..
    } = statistics;
    let seconds = statistics.elapsed.as_secs_f64();
    let megabytes = statistics.peak_memory_bytes as f64 / 1e6;
    format!(
        "{states} states, {transitions} transitions, depth {depth}; {seconds:.2} s, {megabytes:.0} MB"
    )
}
