//! The binary operators, from loose to tight.
//!
//! Both the parser and the printer read this table, so what one writes the other understands.

use super::syntax::{BinaryOperator, UnaryOperator};

/// How tightly an operator binds: more is tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    Conditional,
    Iff,
    Implies,
    Or,
    And,
    Temporal,
    Equality,
    Comparison,
    Sum,
    Product,
    Prefix,
    Postfix,
}

impl Binding {
    pub fn tighter(self) -> Binding {
        use Binding::*;
        match self {
            Conditional => Iff,
            Iff => Implies,
            Implies => Or,
            Or => And,
            And => Temporal,
            Temporal => Equality,
            Equality => Comparison,
            Comparison => Sum,
            Sum => Product,
            Product => Prefix,
            Prefix | Postfix => Postfix,
        }
    }

    pub fn is_right_associative(self) -> bool {
        matches!(self, Binding::Implies | Binding::Temporal)
    }
}

const BINARY: &[(BinaryOperator, &str, Binding)] = &[
    (BinaryOperator::Iff, "<->", Binding::Iff),
    (BinaryOperator::Implies, "->", Binding::Implies),
    (BinaryOperator::Or, "||", Binding::Or),
    (BinaryOperator::And, "&&", Binding::And),
    (BinaryOperator::Until, "U", Binding::Temporal),
    (BinaryOperator::WeakUntil, "W", Binding::Temporal),
    (BinaryOperator::Release, "R", Binding::Temporal),
    (BinaryOperator::Equal, "==", Binding::Equality),
    (BinaryOperator::NotEqual, "!=", Binding::Equality),
    (BinaryOperator::Less, "<", Binding::Comparison),
    (BinaryOperator::LessEqual, "<=", Binding::Comparison),
    (BinaryOperator::Greater, ">", Binding::Comparison),
    (BinaryOperator::GreaterEqual, ">=", Binding::Comparison),
    (BinaryOperator::Add, "+", Binding::Sum),
    (BinaryOperator::Subtract, "-", Binding::Sum),
    (BinaryOperator::Multiply, "*", Binding::Product),
    (BinaryOperator::Divide, "/", Binding::Product),
    (BinaryOperator::Remainder, "%", Binding::Product),
];

const UNARY: &[(UnaryOperator, &str)] = &[
    (UnaryOperator::Not, "!"),
    (UnaryOperator::Negate, "-"),
    (UnaryOperator::Globally, "G"),
    (UnaryOperator::Finally, "F"),
    (UnaryOperator::Next, "X"),
];

/// The binary operator that is written so, and how tightly it binds.
pub fn binary(text: &str) -> Option<(BinaryOperator, Binding)> {
    let found = BINARY.iter().find(|(_, written, _)| *written == text)?;
    Some((found.0, found.2))
}

pub fn unary(text: &str) -> Option<UnaryOperator> {
    let found = UNARY.iter().find(|(_, written)| *written == text)?;
    Some(found.0)
}

pub fn written(operator: BinaryOperator) -> (&'static str, Binding) {
    let found = BINARY.iter().find(|(listed, ..)| *listed == operator);
    found.map_or(("", Binding::Postfix), |found| (found.1, found.2))
}

pub fn written_unary(operator: UnaryOperator) -> &'static str {
    let found = UNARY.iter().find(|(listed, _)| *listed == operator);
    found.map_or("", |found| found.1)
}

/// How tightly an expression with this operator in front binds, and what it takes.
pub fn unary_binding(operator: UnaryOperator) -> Binding {
    match operator {
        UnaryOperator::Not | UnaryOperator::Negate => Binding::Prefix,
        UnaryOperator::Globally | UnaryOperator::Finally | UnaryOperator::Next => Binding::Equality,
    }
}
