//! Expressions and types, with as few parentheses as read back the same.

use super::lines::BREAK;
use crate::lang::operators::{self, Binding};
use crate::lang::parser::words::QUESTIONS;
use crate::lang::syntax::{
    self, BinaryOperator, Expr, ExprKind, Quantifier, Range, SignalAt, StatePath, Type, TypeKind,
    UnaryOperator,
};

pub fn expr(expr: &Expr) -> String {
    let mut text = String::new();
    write(&mut text, expr, Binding::Conditional);
    text
}

/// What can stand before `.`, `[` and `=`.
pub fn postfix(expr: &Expr) -> String {
    let mut text = String::new();
    write(&mut text, expr, Binding::Postfix);
    text
}

pub fn exprs<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> String {
    joined(exprs.into_iter().map(expr))
}

pub fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    texts.join(&format!(",{BREAK}"))
}

pub fn ty(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Int => "int".to_string(),
        TypeKind::Range(low, high) => format!("int({}..{})", expr(low), expr(high)),
        TypeKind::Wrap(inner) => format!("wrap {}", self::ty(inner)),
        TypeKind::Bool => "bool".to_string(),
        TypeKind::Nat => "nat".to_string(),
        TypeKind::Integer => "integer".to_string(),
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::Array(element, length) => format!("{}[{}]", self::ty(element), expr(length)),
    }
}

pub fn path(path: &StatePath) -> String {
    let names: Vec<&str> = path.names.iter().map(|name| name.text.as_str()).collect();
    names.join(".")
}

pub fn range(range: &Range) -> String {
    match range {
        Range::Numbers(low, high) => format!("{}..{}", expr(low), expr(high)),
        Range::Elements(array) => expr(array),
    }
}

pub fn bindings(parameters: &Option<Vec<syntax::Binding>>) -> String {
    let text = |binding: &syntax::Binding| match binding {
        syntax::Binding::Name(name) => name.text.clone(),
        syntax::Binding::Ignored(_) => "_".to_string(),
    };
    match parameters {
        Some(parameters) => format!("({})", joined(parameters.iter().map(text))),
        None => String::new(),
    }
}

fn binding_of(kind: &ExprKind) -> Binding {
    match kind {
        ExprKind::Conditional(..) => Binding::Conditional,
        ExprKind::Binary(operator, ..) => operators::written(*operator).1,
        ExprKind::InState(..) => Binding::Comparison,
        ExprKind::Unary(operator, _) => operators::unary_binding(*operator),
        _ => Binding::Postfix,
    }
}

/// Writes an expression where only operators as tight as `loosest` can stand without parentheses.
fn write(text: &mut String, expr: &Expr, loosest: Binding) {
    if binding_of(&expr.kind) < loosest {
        text.push('(');
        write_open(text, expr);
        text.push(')');
    } else {
        write_open(text, expr);
    }
}

fn write_open(text: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Unary(operator, operand) => write_unary(text, *operator, operand),
        ExprKind::Binary(operator, left, right) => write_binary(text, *operator, left, right),
        ExprKind::Conditional(condition, yes, no) => {
            write(text, condition, Binding::Iff);
            *text += &format!("{BREAK}? ");
            write(text, yes, Binding::Conditional);
            *text += &format!("{BREAK}: ");
            write(text, no, Binding::Conditional);
        }
        ExprKind::InState(object, state) => {
            write(text, object, Binding::Comparison);
            *text += &format!(" in {}", path(state));
        }
        ExprKind::Field(object, name) => {
            write(text, object, Binding::Postfix);
            *text += &format!(".{}", name.text);
        }
        ExprKind::Element(array, index) => {
            write(text, array, Binding::Postfix);
            *text += &format!("[{}]", self::expr(index));
        }
        kind => *text += &primary(kind),
    }
}

fn write_unary(text: &mut String, operator: UnaryOperator, operand: &Expr) {
    let is_temporal = operators::unary_binding(operator) != Binding::Prefix;
    *text += operators::written_unary(operator);
    if is_temporal {
        text.push(' ');
    }
    // `--` would read as one symbol.
    let is_doubled = operator == UnaryOperator::Negate
        && matches!(operand.kind, ExprKind::Unary(UnaryOperator::Negate, _));
    let loosest = if is_doubled {
        Binding::Postfix
    } else {
        operators::unary_binding(operator)
    };
    write(text, operand, loosest);
}

fn write_binary(text: &mut String, operator: BinaryOperator, left: &Expr, right: &Expr) {
    let (written, binding) = operators::written(operator);
    let tighter = binding.tighter();
    let is_right = binding.is_right_associative();
    // `F p == q` reads as `F (p == q)`.
    let takes_operator = binding == Binding::Equality && matches!(left.kind, ExprKind::Unary(..));
    write(
        text,
        left,
        if is_right || takes_operator {
            tighter
        } else {
            binding
        },
    );
    text.push(if binding <= Binding::Temporal {
        BREAK
    } else {
        ' '
    });
    *text += &format!("{written} ");
    write(text, right, if is_right { binding } else { tighter });
}

fn primary(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Null => "null".to_string(),
        ExprKind::SelfReference => "self".to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::ChooseRange(low, high) => format!("choose({}..{})", expr(low), expr(high)),
        ExprKind::ChooseSet(values) => format!("choose {{{}}}", exprs(values)),
        ExprKind::Quantified {
            quantifier,
            variable,
            range,
            body,
        } => {
            let word = quantifier_word(*quantifier);
            format!(
                "{word}({} in {} :{BREAK}{})",
                variable.text,
                self::range(range),
                expr(body)
            )
        }
        ExprKind::Queued(signal) => format!("queued({})", at(signal)),
        ExprKind::QueuedBefore(earlier, later) => {
            format!("queued_before({}, {})", at(earlier), at(later))
        }
        ExprKind::Enabled(object) => format!("enabled({})", expr(object)),
        ExprKind::Idle(object) => format!("idle({})", expr(object)),
        ExprKind::Action {
            received,
            signal,
            parameters,
            condition,
        } => {
            let word = if *received { "received" } else { "sent" };
            let such_that = |condition: &Expr| format!("{BREAK}| {}", expr(condition));
            let condition = condition.as_deref().map(such_that).unwrap_or_default();
            format!("{word}({}{}{condition})", at(signal), bindings(parameters))
        }
        // These have operators, and are written where those are.
        ExprKind::Field(..)
        | ExprKind::Element(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..)
        | ExprKind::InState(..) => String::new(),
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Count => "count",
    }
}

fn at(signal: &SignalAt) -> String {
    let Some(object) = &signal.object else {
        return signal.signal.text.clone();
    };
    let text = postfix(object);
    if begins_with_question(&text) {
        return format!("({text}).{}", signal.signal.text);
    }
    format!("{text}.{}", signal.signal.text)
}

/// `sent(queued(x))` is about a signal `queued`, so a question at the start has parentheses.
fn begins_with_question(text: &str) -> bool {
    let word = text.split('(').next().unwrap_or(text);
    word.len() < text.len() && QUESTIONS.contains(&word)
}
