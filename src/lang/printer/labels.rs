//! Transitions, labels, and the statements of an effect that stands in one line.

use super::expressions::{bindings, expr, exprs, joined, path, postfix, range, ty};
use super::lines::BREAK;
use crate::lang::operators;
use crate::lang::syntax::{
    Block, Guard, HistoryKind, Label, StatePath, Statement, StatementKind, Target, Trigger,
};

pub fn transition(source: &StatePath, target: &Target, label: &Label) -> String {
    match &label.effect {
        Some(effect) => format!(
            "{}{BREAK}/ {}",
            transition_head(source, target, label),
            block(effect)
        ),
        None => transition_head(source, target, label),
    }
}

/// A transition without its effect.
pub fn transition_head(source: &StatePath, target: &Target, label: &Label) -> String {
    let condition = condition(label);
    let colon = if condition.is_empty() { "" } else { " : " };
    format!(
        "{} -> {}{colon}{condition}",
        path(source),
        self::target(target)
    )
}

pub fn label(label: &Label) -> String {
    let condition = condition(label);
    let gap = if condition.is_empty() { "" } else { " " };
    match &label.effect {
        Some(effect) => format!("{condition}{gap}/ {}", block(effect)),
        None => condition,
    }
}

/// Triggers and guard.
pub fn condition(label: &Label) -> String {
    let mut text = joined(label.triggers.iter().map(trigger));
    if let Some(guard) = &label.guard {
        let gap = if text.is_empty() { "" } else { " " };
        text = format!("{text}{gap}{}", self::guard(guard));
    }
    text
}

fn target(target: &Target) -> String {
    let suffix = match target.history {
        Some(HistoryKind::Shallow) => ".history",
        Some(HistoryKind::Deep) => ".deep_history",
        None => "",
    };
    format!("{}{suffix}", path(&target.path))
}

fn trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Signal { name, parameters } => format!("{}{}", name.text, bindings(parameters)),
        Trigger::Any(_) => "any".to_string(),
    }
}

fn guard(guard: &Guard) -> String {
    match guard {
        Guard::Condition(condition) => format!("[{}]", expr(condition)),
        Guard::Else(_) => "[else]".to_string(),
    }
}

/// A block in one line.
pub fn block(block: &Block) -> String {
    let statements: Vec<String> = block.statements.iter().map(statement).collect();
    if statements.is_empty() {
        return "{}".to_string();
    }
    format!("{{ {} }}", statements.join(&BREAK.to_string()))
}

pub fn statement(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Local {
            ty: declared,
            name,
            value,
        } => {
            let value = value.as_ref().map(|value| format!(" = {}", expr(value)));
            format!(
                "{} {}{};",
                ty(declared),
                name.text,
                value.unwrap_or_default()
            )
        }
        StatementKind::Assign {
            place,
            operator,
            value,
        } => {
            let operator = operator.map_or("", |operator| operators::written(operator).0);
            format!("{} {operator}= {};", postfix(place), expr(value))
        }
        StatementKind::Send {
            target,
            signal,
            arguments,
        } => {
            let arguments = exprs(arguments);
            let list = if arguments.is_empty() {
                arguments
            } else {
                format!("({arguments})")
            };
            format!("send {}.{}{list};", postfix(target), signal.text)
        }
        StatementKind::Assert(condition) => format!("assert {};", expr(condition)),
        StatementKind::If {
            then, otherwise, ..
        } => {
            let otherwise = otherwise
                .as_ref()
                .map(|block| format!(" else {}", branch(block)));
            format!(
                "{} {}{}",
                head(statement),
                block(then),
                otherwise.unwrap_or_default()
            )
        }
        StatementKind::For { body, .. } => format!("{} {}", head(statement), block(body)),
    }
}

/// What stands behind `else`.
fn branch(otherwise: &Block) -> String {
    match else_if(otherwise) {
        Some(inner) => statement(inner),
        None => block(otherwise),
    }
}

/// The statement of an `else if`: a block with nothing else is written like one.
pub fn else_if(otherwise: &Block) -> Option<&Statement> {
    match otherwise.statements.as_slice() {
        [inner] if matches!(inner.kind, StatementKind::If { .. }) => Some(inner),
        _ => None,
    }
}

/// `if (...)` or `for (...)`; empty for other statements.
pub fn head(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::If { condition, .. } => format!("if ({})", expr(condition)),
        StatementKind::For {
            variable,
            range: over,
            ..
        } => {
            format!("for ({} in {})", variable.text, range(over))
        }
        _ => String::new(),
    }
}
