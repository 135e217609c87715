//! Several models at a glance: a line for each. The model comes last, so that no name is too long.

use super::document::Document;
use super::summary::verdict_style;
use crate::lang::visible;

pub fn overview(documents: &[Document]) -> String {
    let title = format!(
        "  {:<8} {:>8} {:>5} {:>7} {:>10} {:>8}  model\n",
        "verdict", "violated", "holds", "unknown", "states", "seconds"
    );
    let lines = documents.iter().map(line);
    title + &lines.collect::<String>()
}

fn line(document: &Document) -> String {
    let verdict = document.verdict.as_str();
    let style = verdict_style(verdict);
    let model = visible(&document.model);
    if verdict == "error" {
        let nothing = "-";
        return format!(
            "  {style}{verdict:<8}{style:#} {nothing:>8} {nothing:>5} {nothing:>7} {nothing:>10} {nothing:>8}  {model}\n"
        );
    }
    let many = |name: &str| {
        let properties = document.properties.iter();
        properties.filter(|p| p.verdict == name).count()
    };
    format!(
        "  {style}{verdict:<8}{style:#} {:>8} {:>5} {:>7} {:>10} {:>8.2}  {model}\n",
        many("violated"),
        many("holds"),
        many("unknown"),
        document.states,
        document.seconds
    )
}
