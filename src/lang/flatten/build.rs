//! Small pieces of syntax, made rather than read.

use crate::lang::syntax::{
    BinaryOperator, Block, Expr, ExprKind, Name, Span, StatePath, Statement, StatementKind, Target,
    UnaryOperator,
};

pub fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        span: Span::default(),
    }
}

pub fn path(state: &str) -> StatePath {
    StatePath {
        names: vec![name(state)],
    }
}

pub fn target(state: &str) -> Target {
    Target {
        path: path(state),
        history: None,
    }
}

fn expr(kind: ExprKind) -> Expr {
    let span = Span::default();
    Expr { kind, span }
}

pub fn variable(text: &str) -> Expr {
    expr(ExprKind::Name(text.to_owned()))
}

pub fn never() -> Expr {
    expr(ExprKind::Bool(false))
}

pub fn not(condition: Expr) -> Expr {
    expr(ExprKind::Unary(UnaryOperator::Not, Box::new(condition)))
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Equal, left, right)
}

pub fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

/// `a && b && ...`; `None` for no condition at all.
pub fn all(conditions: Vec<Expr>) -> Option<Expr> {
    let and = |left, right| binary(BinaryOperator::And, left, right);
    conditions.into_iter().reduce(and)
}

/// `variable = literal;`
pub fn assignment(to: &str, literal: &str) -> Block {
    let kind = StatementKind::Assign {
        place: variable(to),
        operator: None,
        value: variable(literal),
    };
    let span = Span::default();
    let statements = vec![Statement { kind, span }];
    Block { statements, span }
}
