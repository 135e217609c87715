//! A comparison as Markdown.

use std::fmt::Write;

use crate::contender::Contender;
use crate::demands::{Evidence, demands, wrong_counts};
use crate::session::Session;
use crate::suite::{Group, Model};
use crate::summary::{Duel, Medians, OURS, OURS_TWICE, duels, geometric_mean, medians};

/// Writing to a string can't fail.
macro_rules! line {
    ($text:expr, $($format:tt)*) => { writeln!($text, $($format)*).expect("a string grows") };
}

pub fn report(evidence: &Evidence) -> String {
    let mut text = heading(evidence.session);
    text += &held(evidence);
    text += &spaces(evidence);
    text += &all_medians(evidence);
    text += &ratios(evidence);
    text
}

fn heading(session: &Session) -> String {
    let machine = &session.machine;
    let mut text = String::new();
    line!(text, "# Comparison of {}", session.date);
    line!(
        text,
        "\n{} cores of {}, {:.0} GB, {}.",
        machine.cores,
        machine.processor,
        machine.memory_bytes as f64 / 1e9,
        machine.system
    );
    for version in &session.versions {
        line!(text, "{version}.");
    }
    let rounds = session.runs.iter().map(|run| run.round).max().unwrap_or(0);
    line!(
        text,
        "Medians of {rounds} alternating runs. What the columns mean is in perf/README.md."
    );
    line!(text, "\n![throughput](throughput.svg)\n![time](time.svg)");
    text
}

fn held(evidence: &Evidence) -> String {
    let mut text = String::new();
    line!(text, "\n## What must hold\n");
    line!(text, "| | wanted | found | |\n|---|---|---|---|");
    for demand in demands(evidence) {
        let found = demand.found.as_ref().map_or("", |found| &found.value);
        line!(
            text,
            "| {} | {} | {found} | {} |",
            demand.what,
            demand.wanted,
            demand.verdict()
        );
    }
    text
}

/// What everybody counted, so that a reader sees that the spaces are the same.
fn spaces(evidence: &Evidence) -> String {
    let mut text = String::new();
    line!(text, "\n## Spaces\n");
    line!(
        text,
        "| model | contender | states | transitions | depth | end |\n|---|---|--:|--:|--:|---|"
    );
    for_each_entry(evidence, |model, contender, medians| {
        let counts = medians.counts;
        let end = if counts.complete {
            "complete"
        } else {
            "stopped"
        };
        line!(
            text,
            "| {} | {contender} | {} | {} | {} | {end} |",
            model.name,
            counts.states,
            counts.transitions,
            counts.depth
        );
    });
    let preludes = evidence.models.iter().filter(|model| model.prelude > 0);
    let preludes: Vec<&str> = preludes.map(|model| model.name.as_str()).collect();
    if !preludes.is_empty() {
        line!(
            text,
            "\nSPIN counts two states and two transitions more, those of an init process, in {}.",
            preludes.join(", ")
        );
    }
    for wrong in evidence
        .models
        .iter()
        .flat_map(|model| wrong_counts(evidence.session, model))
    {
        line!(text, "\nWRONG: {wrong}");
    }
    for failure in &evidence.session.failures {
        line!(text, "\nFAILED: {failure}");
    }
    text
}

fn all_medians(evidence: &Evidence) -> String {
    let mut text = String::new();
    line!(text, "\n## Medians\n");
    line!(
        text,
        "| model | contender | wall s | core s | M transitions per core-second | peak MB | bytes per state |"
    );
    line!(text, "|---|---|--:|--:|--:|--:|--:|");
    for_each_entry(evidence, |model, contender, m| {
        line!(
            text,
            "| {} | {contender} | {:.2} | {:.2} | {:.2} | {:.0} | {:.1} |",
            model.name,
            m.wall_seconds,
            m.core_seconds,
            m.transitions_per_core_second / 1e6,
            m.peak_bytes / 1e6,
            m.bytes_per_state()
        );
    });
    text
}

fn for_each_entry(evidence: &Evidence, mut show: impl FnMut(&Model, Contender, Medians)) {
    for model in evidence.models {
        for contender in evidence.session.contenders(&model.name) {
            if let Some(medians) = medians(evidence.session, &model.name, contender) {
                show(model, contender, medians);
            }
        }
    }
}

/// Everybody else against one thread of ours, and our two threads against one.
fn ratios(evidence: &Evidence) -> String {
    let mut text = String::new();
    line!(text, "\n## Ratios\n");
    line!(
        text,
        "Above 1 Crisol is better (in the last part, two threads than one). Where a run was stopped, its wall time says nothing."
    );
    let mut others: Vec<Contender> = Vec::new();
    for contender in evidence
        .models
        .iter()
        .flat_map(|m| evidence.session.contenders(&m.name))
    {
        if !others.contains(&contender) && !matches!(contender, Contender::Crisol { .. }) {
            others.push(contender);
        }
    }
    for group in [Group::Beem, Group::Messages] {
        for &other in &others {
            text += &pair(evidence, group, (OURS, other));
        }
        text += &pair(evidence, group, (OURS_TWICE, OURS));
    }
    text
}

fn pair(evidence: &Evidence, group: Group, (a, b): (Contender, Contender)) -> String {
    let duels = duels(evidence.session, evidence.models, group, (a, b));
    let mut text = String::new();
    if duels.is_empty() {
        return text;
    }
    line!(text, "\n### {a} against {b}, {group:?}\n");
    line!(
        text,
        "| model | wall time | transitions per core-second | bytes per state | transitions per second |"
    );
    line!(text, "|---|--:|--:|--:|--:|");
    for (model, duel) in &duels {
        line!(text, "{}", row(&model.name, duel, model.seconds.is_none()));
    }
    for (name, pick) in [
        ("geometric mean", mean as fn(&[f64]) -> f64),
        ("worst", worst),
    ] {
        let of = |value: fn(&Duel) -> f64| {
            pick(
                &duels
                    .iter()
                    .map(|(_, duel)| value(duel))
                    .collect::<Vec<f64>>(),
            )
        };
        let finished = duels.iter().filter(|(model, _)| model.seconds.is_none());
        let walls: Vec<f64> = finished.map(|(_, duel)| duel.wall).collect();
        let duel = Duel {
            wall: pick(&walls),
            throughput: of(|duel| duel.throughput),
            bytes_per_state: of(|duel| duel.bytes_per_state),
            speed: of(|duel| duel.speed),
        };
        line!(
            text,
            "{}",
            row(&format!("**{name}**"), &duel, !walls.is_empty())
        );
    }
    text
}

fn mean(values: &[f64]) -> f64 {
    geometric_mean(values.iter().copied()).unwrap_or(f64::NAN)
}

fn worst(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn row(name: &str, duel: &Duel, finished: bool) -> String {
    let wall = if finished {
        format!("{:.2}", duel.wall)
    } else {
        String::new()
    };
    format!(
        "| {name} | {wall} | {:.2} | {:.2} | {:.2} |",
        duel.throughput, duel.bytes_per_state, duel.speed
    )
}
