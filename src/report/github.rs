//! Annotations for GitHub workflows: lines that put a message beside a line of the model.
//!
//! Invariant: whatever a model or a file is called, a line stays one command.

use super::document::{DiagnosticDocument, Document, PropertyDocument, RegionDocument};
use crate::lang::visible;

pub fn github(documents: &[Document]) -> String {
    documents.iter().map(annotations).collect()
}

fn annotations(document: &Document) -> String {
    let diagnostics = document.diagnostics.iter();
    let mut text: String = diagnostics.map(|d| diagnosed(document, d)).collect();
    let judged = document.properties.iter();
    text.extend(judged.filter_map(|property| judgement(document, property)));
    if document.verdict == "holds" {
        let count = document.properties.len();
        let message = format!("{count} properties hold, {} states", document.states);
        text += &command("notice", document, None, "holds", &message);
    }
    text
}

fn diagnosed(document: &Document, diagnostic: &DiagnosticDocument) -> String {
    let title = diagnostic.code.as_deref().unwrap_or("crisol");
    let help = diagnostic.help.as_ref();
    let help = help.map(|help| format!("\nhelp: {help}"));
    let message = format!("{}{}", diagnostic.message, help.unwrap_or_default());
    let level = &diagnostic.severity;
    command(level, document, diagnostic.region, title, &message)
}

/// What holds needs no annotation of its own.
fn judgement(document: &Document, property: &PropertyDocument) -> Option<String> {
    let reason = property.reason.as_deref().unwrap_or_default();
    let (level, message) = match property.verdict.as_str() {
        "violated" => ("error", violation(property)),
        "unknown" => ("warning", reason.to_owned()),
        _ => return None,
    };
    let title = format!("{} {}", property.name, property.verdict);
    let region = property.where_to_look();
    Some(command(level, document, region, &title, &message))
}

fn violation(property: &PropertyDocument) -> String {
    let message = property.message.as_deref().unwrap_or_default();
    let length = property.trace_length.unwrap_or_default();
    let story = property.story.as_deref().unwrap_or_default();
    let plural = if length == 1 { "step" } else { "steps" };
    format!("{message}; in {length} {plural}:\n{}", story.trim_end())
}

/// `::error file=pump.csm,line=35,col=1,title=...::message`
fn command(
    level: &str,
    document: &Document,
    region: Option<RegionDocument>,
    title: &str,
    message: &str,
) -> String {
    let place = region.map(|region| {
        let RegionDocument {
            line,
            column,
            end_line,
            end_column,
        } = region;
        // GitHub takes columns only of places within one line, and its ends are part of the place.
        match line == end_line {
            true => {
                let last = end_column.saturating_sub(1).max(column);
                format!(",line={line},endLine={line},col={column},endColumn={last}")
            }
            false => format!(",line={line},endLine={end_line}"),
        }
    });
    format!(
        "::{level} file={}{},title={}::{}\n",
        in_property(&document.model),
        place.unwrap_or_default(),
        in_property(title),
        in_message(message)
    )
}

fn in_message(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    let lines = lines
        .split('\n')
        .map(|line| visible(line).replace('%', "%25"));
    lines.collect::<Vec<_>>().join("%0A")
}

fn in_property(text: &str) -> String {
    in_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{in_message, in_property};

    #[test]
    fn nothing_ends_a_command_or_begins_another() {
        assert_eq!(in_message("100%\r\n::error::x"), "100%25%0A::error::x");
        assert_eq!(in_property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(in_message("\x1b[31m\r"), "\u{241b}[31m\u{240d}");
    }
}
