//! A place in the source: file, line, column, the line itself, and an underline.

use super::document::RegionDocument;
use super::width::columns;
use crate::lang::{SourceFile, Span, visible};

/// What stands before the line itself, where a trace shows it.
const MARGIN: usize = 10;

/// `pump.csm:17:5`
pub(super) fn place(source: &SourceFile, span: Span) -> String {
    let position = source.position(span.start as usize);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// The same for programs.
pub fn region(source: &SourceFile, span: Span) -> RegionDocument {
    let start = source.position(span.start as usize);
    let end = source.position(span.end.max(span.start) as usize);
    RegionDocument {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// The source line with the span underlined.
pub(super) fn excerpt(source: &SourceFile, span: Span) -> Vec<String> {
    let (line_start, line) = source.line_at(span.start as usize);
    let line_end = line_start + line.len();
    let from = (span.start as usize).clamp(line_start, line_end);
    let to = (span.end as usize).clamp(from, line_end);
    let before = visible(&line[..from - line_start]).trim_start().to_owned();
    let marked = visible(&line[from - line_start..to - line_start]);
    let after = visible(&line[to - line_start..]);
    let number = source.position(span.start as usize).line;
    let width = columns().saturating_sub(MARGIN).max(MARGIN); // longer lines are cut
    let text: String = format!("{before}{marked}{after}")
        .chars()
        .take(width)
        .collect();
    let indent = before.chars().count();
    if indent >= width {
        return vec![format!("{number:>5} | {text}")];
    }
    let length = marked.trim_end().chars().count().clamp(1, width - indent);
    vec![
        format!("{number:>5} | {}", text.trim_end()),
        format!("      | {}{}", " ".repeat(indent), "^".repeat(length)),
    ]
}
