//! Random statements and blocks.

use crisol::lang::syntax::{BinaryOperator, Block, Span, Statement, StatementKind};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::expressions::{Expressions, range};
use super::names::any_name;

const ASSIGNING: &[BinaryOperator] = &[
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
];

pub fn block(expressions: &Expressions) -> BoxedStrategy<Block> {
    let simple = simple(expressions).prop_map(statement).boxed();
    let expressions = expressions.clone();
    let nested = simple.prop_recursive(3, 8, 2, move |inner| {
        compound(&expressions, list(inner.boxed())).prop_map(statement)
    });
    list(nested.boxed())
}

fn statement(kind: StatementKind) -> Statement {
    Statement {
        kind,
        span: Span::default(),
    }
}

fn list(statement: BoxedStrategy<Statement>) -> BoxedStrategy<Block> {
    let block = |statements| Block {
        statements,
        span: Span::default(),
    };
    vec(statement, 0..3).prop_map(block).boxed()
}

fn simple(expressions: &Expressions) -> BoxedStrategy<StatementKind> {
    let expr = expressions.plain();
    let local = (expressions.types(), any_name(), option::of(expr.clone()))
        .prop_map(|(ty, name, value)| StatementKind::Local { ty, name, value });
    let assign = (expr.clone(), option::of(select(ASSIGNING)), expr.clone()).prop_map(
        |(place, operator, value)| StatementKind::Assign {
            place,
            operator,
            value,
        },
    );
    let send = (expr.clone(), any_name(), vec(expr.clone(), 0..3)).prop_map(
        |(target, signal, arguments)| StatementKind::Send {
            target,
            signal,
            arguments,
        },
    );
    prop_oneof![local, assign, send, expr.prop_map(StatementKind::Assert)].boxed()
}

fn compound(
    expressions: &Expressions,
    block: BoxedStrategy<Block>,
) -> BoxedStrategy<StatementKind> {
    let condition = expressions.plain();
    let branch = (condition, block.clone(), option::of(block.clone())).prop_map(
        |(condition, then, otherwise)| StatementKind::If {
            condition,
            then,
            otherwise,
        },
    );
    let repeat =
        (any_name(), range(expressions.plain()), block).prop_map(|(variable, range, body)| {
            StatementKind::For {
                variable,
                range,
                body,
            }
        });
    prop_oneof![3 => branch, 1 => repeat].boxed()
}
