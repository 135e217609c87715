//! Random expressions and types.

use crisol::lang::syntax::{
    BinaryOperator, Binding, Expr, ExprKind, Parameter, Quantifier, Range, SignalAt, Span, Type,
    TypeKind, UnaryOperator,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::names::{any_name, formula_word, path, type_name, word};

const PLAIN_UNARY: &[UnaryOperator] = &[UnaryOperator::Not, UnaryOperator::Negate];
const TEMPORAL_UNARY: &[UnaryOperator] = &[
    UnaryOperator::Globally,
    UnaryOperator::Finally,
    UnaryOperator::Next,
];
const PLAIN_BINARY: &[BinaryOperator] = &[
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterEqual,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::Implies,
    BinaryOperator::Iff,
];
const TEMPORAL_BINARY: &[BinaryOperator] = &[
    BinaryOperator::Until,
    BinaryOperator::WeakUntil,
    BinaryOperator::Release,
];

/// Strategies that are dear to build, and are built once.
#[derive(Clone)]
pub struct Expressions {
    plain: BoxedStrategy<Expr>,
    formula: BoxedStrategy<Expr>,
    types: BoxedStrategy<Type>,
}

impl Expressions {
    pub fn new() -> Expressions {
        let plain = recursive(word().boxed(), PLAIN_UNARY, PLAIN_BINARY);
        let unary = [PLAIN_UNARY, TEMPORAL_UNARY].concat().leak();
        let binary = [PLAIN_BINARY, TEMPORAL_BINARY].concat().leak();
        let formula = recursive(formula_word().boxed(), unary, binary);
        let types = ty(plain.clone());
        Expressions {
            plain,
            formula,
            types,
        }
    }

    pub fn plain(&self) -> BoxedStrategy<Expr> {
        self.plain.clone()
    }

    /// With the operators that stand in `ltl` properties only.
    pub fn formula(&self) -> BoxedStrategy<Expr> {
        self.formula.clone()
    }

    pub fn types(&self) -> BoxedStrategy<Type> {
        self.types.clone()
    }

    pub fn parameter(&self) -> impl Strategy<Value = Parameter> + use<> {
        (self.types(), any_name()).prop_map(|(ty, name)| Parameter { ty, name })
    }
}

fn node(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

fn recursive(
    word: BoxedStrategy<String>,
    unary: &'static [UnaryOperator],
    binary: &'static [BinaryOperator],
) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (0..20_u64).prop_map(ExprKind::Int),
        (0..1u64 << 63).prop_map(ExprKind::Int),
        any::<bool>().prop_map(ExprKind::Bool),
        Just(ExprKind::Null),
        Just(ExprKind::SelfReference),
        word.prop_map(ExprKind::Name),
    ];
    let leaf = leaf.prop_map(node);
    leaf.prop_recursive(5, 24, 3, move |inner| {
        composed(inner.boxed(), unary, binary).prop_map(node)
    })
    .boxed()
}

fn composed(
    inner: BoxedStrategy<Expr>,
    unary: &'static [UnaryOperator],
    binary: &'static [BinaryOperator],
) -> BoxedStrategy<ExprKind> {
    let one = inner.clone().prop_map(Box::new);
    let two = (one.clone(), one.clone());
    prop_oneof![
        4 => (select(unary), one.clone()).prop_map(|(operator, operand)| ExprKind::Unary(operator, operand)),
        8 => (select(binary), two.clone())
            .prop_map(|(operator, (left, right))| ExprKind::Binary(operator, left, right)),
        2 => (one.clone(), any_name()).prop_map(|(object, name)| ExprKind::Field(object, name)),
        2 => two.clone().prop_map(|(array, index)| ExprKind::Element(array, index)),
        2 => (one.clone(), path()).prop_map(|(object, state)| ExprKind::InState(object, state)),
        2 => (two.clone(), one.clone()).prop_map(|((a, b), c)| ExprKind::Conditional(a, b, c)),
        1 => two.prop_map(|(low, high)| ExprKind::ChooseRange(low, high)),
        1 => vec(inner.clone(), 1..4).prop_map(ExprKind::ChooseSet),
        2 => quantified(inner.clone()),
        4 => question(inner),
    ]
    .boxed()
}

fn quantified(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ExprKind> {
    let quantifier = select(&[Quantifier::Forall, Quantifier::Exists, Quantifier::Count][..]);
    (quantifier, any_name(), range(inner.clone()), inner).prop_map(
        |(quantifier, variable, range, body)| ExprKind::Quantified {
            quantifier,
            variable,
            range,
            body: Box::new(body),
        },
    )
}

pub fn range(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Range> {
    let one = inner.prop_map(Box::new);
    prop_oneof![
        (one.clone(), one.clone()).prop_map(|(low, high)| Range::Numbers(low, high)),
        one.prop_map(Range::Elements),
    ]
}

fn question(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ExprKind> {
    let at = (option::of(inner.clone().prop_map(Box::new)), any_name())
        .prop_map(|(object, signal)| SignalAt { object, signal });
    let one = inner.prop_map(Box::new);
    let action = (
        any::<bool>(),
        at.clone(),
        option::of(bindings()),
        option::of(one.clone()),
    );
    prop_oneof![
        at.clone().prop_map(ExprKind::Queued),
        (at.clone(), at).prop_map(|(earlier, later)| ExprKind::QueuedBefore(earlier, later)),
        one.clone().prop_map(ExprKind::Enabled),
        one.prop_map(ExprKind::Idle),
        action.prop_map(
            |(received, signal, parameters, condition)| ExprKind::Action {
                received,
                signal,
                parameters,
                condition,
            }
        ),
    ]
}

pub fn bindings() -> impl Strategy<Value = Vec<Binding>> {
    let one = prop_oneof![
        3 => any_name().prop_map(Binding::Name),
        1 => Just(Binding::Ignored(Span::default())),
    ];
    vec(one, 0..3)
}

fn ty(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Type> {
    let node = |kind| Type {
        kind,
        span: Span::default(),
    };
    let bound = expr.clone().prop_map(Box::new);
    let int = prop_oneof![
        Just(TypeKind::Int),
        (bound.clone(), bound.clone()).prop_map(|(low, high)| TypeKind::Range(low, high)),
    ];
    let scalar = prop_oneof![
        3 => int.clone(),
        1 => int.prop_map(move |kind| TypeKind::Wrap(Box::new(node(kind)))),
        1 => Just(TypeKind::Bool),
        1 => Just(TypeKind::Nat),
        1 => Just(TypeKind::Integer),
        2 => type_name().prop_map(TypeKind::Named),
    ];
    let scalar = scalar.prop_map(node).boxed();
    let array = (scalar.clone(), bound)
        .prop_map(move |(element, length)| node(TypeKind::Array(Box::new(element), length)));
    prop_oneof![4 => scalar, 1 => array].boxed()
}
