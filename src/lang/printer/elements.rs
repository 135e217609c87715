//! What stands in the bodies of classes, states and regions.

use super::expressions::{expr, exprs, path, ty};
use super::lines::{Lines, limits};
use super::lists::{Close, List, Piece};
use super::{labels, statements};
use crate::lang::syntax::{Element, ElementKind, Initial, Label, Name, Variable, VertexKind};

/// What follows the `{` of a body that ends at `end`, up to its `}`.
pub fn body(lines: &mut Lines, elements: &[Element], end: u32) {
    if elements.is_empty() && !lines.is_comment_due(end) {
        return lines.append("}");
    }
    lines.end(elements.first().map_or(end, |element| element.span.start));
    lines.indented(|lines| siblings(lines, elements, end));
    lines.begin("}");
}

fn siblings(lines: &mut Lines, elements: &[Element], end: u32) {
    let limits = limits(elements.iter().map(|element| element.span.start), end);
    let mut previous: Option<(Group, bool)> = None;
    for (element, limit) in elements.iter().zip(limits) {
        let start = lines.length();
        lines.before(head_end(element));
        let head = lines.length();
        self::element(lines, element, limit);
        let group = group(&element.kind);
        let is_long = group == Group::State && lines.is_long_from(head);
        let apart = |(before, was_long)| before != group || was_long || is_long || head > start;
        if previous.is_some_and(apart) {
            lines.blank_at(start);
        }
        previous = Some((group, is_long));
    }
    lines.before(end);
}

/// Elements that stand together; between groups there is a blank line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Variable,
    State,
    Transition,
}

fn group(kind: &ElementKind) -> Group {
    match kind {
        ElementKind::Variable(_) => Group::Variable,
        ElementKind::Transition { .. } | ElementKind::Internal(_) => Group::Transition,
        _ => Group::State,
    }
}

/// Comments that start before this place go before the element.
fn head_end(element: &Element) -> u32 {
    let of_effect = |label: &Label| label.effect.as_ref().map(|effect| effect.span.start);
    let end = match &element.kind {
        ElementKind::State {
            names,
            body: Some(_),
            ..
        } => names.last().map(|name| name.span.end),
        ElementKind::Region { name, .. } => Some(name.span.end),
        ElementKind::Initial { effect, .. } => effect.as_ref().map(|effect| effect.span.start),
        ElementKind::Transition { label, .. } | ElementKind::Internal(label) => of_effect(label),
        ElementKind::Entry(effect) | ElementKind::Exit(effect) => Some(effect.span.start),
        kind => list(kind).map(|list| list.head_end()),
    };
    end.unwrap_or(element.span.end)
}

/// Those elements that are lists.
fn list(kind: &ElementKind) -> Option<List> {
    match kind {
        ElementKind::Variable(variable) => Some(self::variable(variable)),
        ElementKind::State {
            quiescent,
            names,
            body: None,
        } => Some(List::names(state_word(*quiescent), names)),
        ElementKind::Vertices { kind, names } => Some(List::names(vertex_word(*kind), names)),
        ElementKind::Defer(names) => Some(List::names("defer", names)),
        ElementKind::Ignore(names) => Some(List::names("ignore", names)),
        _ => None,
    }
}

fn element(lines: &mut Lines, element: &Element, limit: u32) {
    match &element.kind {
        ElementKind::State {
            quiescent,
            names,
            body: Some(body),
        } => {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            let head = format!("{} {}", state_word(*quiescent), names.join(", "));
            composite(lines, element, &head, body, limit);
        }
        ElementKind::Region { name, body } => {
            composite(
                lines,
                element,
                &format!("region {}", name.text),
                body,
                limit,
            );
        }
        kind => match (list(kind), parts(kind)) {
            (Some(list), _) => list.write(lines, limit),
            (None, (head, Some(effect))) => {
                statements::effect(lines, &format!("{head}/"), effect, limit);
            }
            (None, (head, None)) => lines.line(&format!("{};", head.trim_end()), limit),
        },
    }
}

/// The text of an element up to its effect, with a blank behind it, and the effect.
fn parts(kind: &ElementKind) -> (String, Option<&crate::lang::syntax::Block>) {
    match kind {
        ElementKind::Initial { target, effect } => {
            (format!("initial -> {} ", path(target)), effect.as_ref())
        }
        ElementKind::Transition {
            source,
            target,
            label,
        } => {
            let head = labels::transition_head(source, target, label);
            (format!("{head} "), label.effect.as_ref())
        }
        ElementKind::Internal(label) => {
            let condition = labels::condition(label);
            let gap = if condition.is_empty() { "" } else { " " };
            (format!("on{gap}{condition} "), label.effect.as_ref())
        }
        ElementKind::Entry(effect) => ("entry ".to_string(), Some(effect)),
        ElementKind::Exit(effect) => ("exit ".to_string(), Some(effect)),
        ElementKind::History { deep: true } => ("deep history".to_string(), None),
        ElementKind::History { deep: false } => ("history".to_string(), None),
        ElementKind::NoFlush => ("no flush".to_string(), None),
        // These are lists or have bodies.
        _ => (String::new(), None),
    }
}

fn composite(lines: &mut Lines, element: &Element, head: &str, body: &[Element], limit: u32) {
    let text = flat_body(body).map(|body| format!("{head} {body}"));
    let has_comment = lines.is_comment_due(element.span.end);
    match text.filter(|text| !has_comment && lines.fits(text)) {
        Some(text) => lines.line(&text, limit),
        None => {
            lines.begin(&format!("{head} {{"));
            self::body(lines, body, element.span.end);
            lines.end(limit);
        }
    }
}

/// A body with one simple thing, in one line.
fn flat_body(body: &[Element]) -> Option<String> {
    match body {
        [Element { kind, .. }] => flat_element(kind).map(|text| format!("{{ {text} }}")),
        _ => None,
    }
}

fn flat_element(kind: &ElementKind) -> Option<String> {
    match kind {
        ElementKind::Defer(_) | ElementKind::Ignore(_) => list(kind).map(|list| list.text()),
        ElementKind::History { .. } | ElementKind::NoFlush => Some(format!("{};", parts(kind).0)),
        _ => None,
    }
}

fn state_word(quiescent: bool) -> &'static str {
    if quiescent {
        "quiescent state"
    } else {
        "state"
    }
}

fn vertex_word(kind: VertexKind) -> &'static str {
    match kind {
        VertexKind::Choice => "choice",
        VertexKind::Junction => "junction",
        VertexKind::Fork => "fork",
        VertexKind::Join => "join",
        VertexKind::Final => "final",
    }
}

pub fn variable(variable: &Variable) -> List {
    let piece = |(name, initial): &(Name, Option<Initial>)| {
        let Some(value) = initial else {
            return Piece::name(name);
        };
        let text = format!("{} = {}", name.text, initial_value(value));
        Piece {
            text,
            span: name.span.to(initial_span(value, name)),
        }
    };
    List {
        head: ty(&variable.ty),
        pieces: variable.declared.iter().map(piece).collect(),
        close: Close::Semicolon(String::new()),
    }
}

pub fn initial_value(value: &Initial) -> String {
    match value {
        Initial::Value(value) => expr(value),
        Initial::List(values) => format!("{{ {} }}", exprs(values)),
    }
}

pub fn initial_span(value: &Initial, name: &Name) -> crate::lang::syntax::Span {
    match value {
        Initial::Value(value) => value.span,
        Initial::List(values) => values.last().map_or(name.span, |value| value.span),
    }
}
