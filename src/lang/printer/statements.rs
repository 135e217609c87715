//! Blocks of statements, a line for each.

use super::labels;
use super::lines::{Lines, limits};
use crate::lang::syntax::{Block, Span, Statement, StatementKind};

/// More statements than this do not share a line.
const SHORT: usize = 3;

/// An effect behind `head`, in one line if that is easily read.
pub fn effect(lines: &mut Lines, head: &str, block: &Block, limit: u32) {
    let flat = format!("{head} {}", labels::block(block));
    if is_short(lines, block) && lines.fits(&flat) {
        return lines.line(&flat, limit);
    }
    lines.begin(&format!("{head} {{"));
    rest(lines, block);
    lines.end(limit);
}

pub fn is_short(lines: &Lines, block: &Block) -> bool {
    let is_simple = |statement: &Statement| {
        !matches!(
            statement.kind,
            StatementKind::If { .. } | StatementKind::For { .. }
        )
    };
    let is_simple = block.statements.len() <= SHORT && block.statements.iter().all(is_simple);
    is_simple && !lines.has_comment_in(block.span)
}

/// What follows the `{` of a block, up to its `}`.
fn rest(lines: &mut Lines, block: &Block) {
    let first = block
        .statements
        .first()
        .map(|statement| statement.span.start);
    if first.is_none() && !lines.is_comment_due(block.span.end) {
        return lines.append("}");
    }
    lines.end(first.unwrap_or(block.span.end));
    lines.indented(|lines| statements(lines, block));
    lines.begin("}");
}

fn statements(lines: &mut Lines, block: &Block) {
    let starts = block
        .statements
        .iter()
        .map(|statement| statement.span.start);
    let limits = limits(starts, block.span.end);
    for (statement, limit) in block.statements.iter().zip(limits) {
        lines.before(head_end(statement));
        self::statement(lines, statement);
        lines.end(limit);
    }
    lines.before(block.span.end);
}

fn head_end(statement: &Statement) -> u32 {
    match &statement.kind {
        StatementKind::If { then, .. } => then.span.start,
        StatementKind::For { body, .. } => body.span.start,
        _ => statement.span.end,
    }
}

/// A statement, without the end of its last line.
fn statement(lines: &mut Lines, statement: &Statement) {
    match &statement.kind {
        StatementKind::If {
            then, otherwise, ..
        } => {
            lines.begin(&format!("{} {{", labels::head(statement)));
            rest(lines, then);
            branches(lines, otherwise.as_ref());
        }
        StatementKind::For { body, .. } => {
            lines.begin(&format!("{} {{", labels::head(statement)));
            rest(lines, body);
        }
        _ => lines.begin(&labels::statement(statement)),
    }
}

fn branches(lines: &mut Lines, otherwise: Option<&Block>) {
    let mut next = otherwise;
    while let Some(block) = next {
        let inner = labels::else_if(block).filter(|inner| !has_comment_around(lines, block, inner));
        let Some(Statement {
            kind: StatementKind::If {
                then, otherwise, ..
            },
            ..
        }) = inner
        else {
            lines.append(" else {");
            return rest(lines, block);
        };
        let head = inner.map(labels::head).unwrap_or_default();
        lines.append(&format!(" else {head} {{"));
        rest(lines, then);
        next = otherwise.as_ref();
    }
}

/// Comments in the braces around an `if` would have no place in an `else if`.
fn has_comment_around(lines: &Lines, block: &Block, inner: &Statement) -> bool {
    let before = Span {
        start: block.span.start,
        end: inner.span.start,
    };
    let behind = Span {
        start: inner.span.end,
        end: block.span.end,
    };
    lines.has_comment_in(before) || lines.has_comment_in(behind)
}
