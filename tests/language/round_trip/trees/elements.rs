//! Random bodies of classes, states and regions.

use crisol::lang::syntax::{
    Block, Element, ElementKind, Guard, HistoryKind, Initial, Label, Name, Span, StatePath, Target,
    Trigger, Variable, VertexKind,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::expressions::{Expressions, bindings};
use super::names::{any_name, names, path, signal_name};
use super::statements::block;

/// The body of a class.
pub fn body(expressions: &Expressions) -> BoxedStrategy<Vec<Element>> {
    let variable = variable(expressions)
        .prop_map(ElementKind::Variable)
        .prop_map(element);
    let inner = inner(expressions);
    vec(prop_oneof![1 => variable, 4 => inner], 0..5).boxed()
}

fn element(kind: ElementKind) -> Element {
    Element {
        kind,
        span: Span::default(),
    }
}

/// What can stand in states and regions too.
fn inner(expressions: &Expressions) -> BoxedStrategy<Element> {
    let block = block(expressions);
    let leaf = prop_oneof![
        2 => transition(expressions, block.clone()),
        3 => declaration(),
        1 => action(block),
    ];
    let leaf = leaf.prop_map(element);
    leaf.prop_recursive(3, 10, 3, |inner| composite(inner.boxed()).prop_map(element))
        .boxed()
}

fn composite(inner: BoxedStrategy<Element>) -> impl Strategy<Value = ElementKind> {
    let body = vec(inner, 0..3);
    let state = (any::<bool>(), any_name(), body.clone()).prop_map(|(quiescent, name, body)| {
        ElementKind::State {
            quiescent,
            names: vec![name],
            body: Some(body),
        }
    });
    let region = (any_name(), body).prop_map(|(name, body)| ElementKind::Region { name, body });
    prop_oneof![state, region]
}

fn declaration() -> impl Strategy<Value = ElementKind> {
    let vertex = select(
        &[
            VertexKind::Choice,
            VertexKind::Junction,
            VertexKind::Fork,
            VertexKind::Join,
            VertexKind::Final,
        ][..],
    );
    prop_oneof![
        (any::<bool>(), names()).prop_map(|(quiescent, names)| ElementKind::State {
            quiescent,
            names,
            body: None
        }),
        (vertex, names()).prop_map(|(kind, names)| ElementKind::Vertices { kind, names }),
        names().prop_map(ElementKind::Defer),
        names().prop_map(ElementKind::Ignore),
        any::<bool>().prop_map(|deep| ElementKind::History { deep }),
        Just(ElementKind::NoFlush),
    ]
}

fn action(block: BoxedStrategy<Block>) -> impl Strategy<Value = ElementKind> {
    prop_oneof![
        block.clone().prop_map(ElementKind::Entry),
        block.clone().prop_map(ElementKind::Exit),
        (path(), option::of(block))
            .prop_map(|(target, effect)| ElementKind::Initial { target, effect }),
    ]
}

fn transition(
    expressions: &Expressions,
    block: BoxedStrategy<Block>,
) -> impl Strategy<Value = ElementKind> + use<> {
    let label = label(expressions, block).boxed();
    prop_oneof![
        (path(), target(), label.clone()).prop_map(|(source, target, label)| {
            ElementKind::Transition {
                source,
                target,
                label,
            }
        }),
        label.prop_map(ElementKind::Internal),
    ]
}

fn target() -> impl Strategy<Value = Target> {
    let history = select(&[HistoryKind::Shallow, HistoryKind::Deep][..]);
    (vec(any_name(), 1..4), option::of(history)).prop_map(|(names, history)| Target {
        path: StatePath { names },
        history,
    })
}

fn label(
    expressions: &Expressions,
    block: BoxedStrategy<Block>,
) -> impl Strategy<Value = Label> + use<> {
    let guard = prop_oneof![
        3 => expressions.plain().prop_map(Guard::Condition),
        1 => Just(Guard::Else(Span::default())),
    ];
    (vec(trigger(), 0..3), option::of(guard), option::of(block)).prop_map(
        |(triggers, guard, effect)| Label {
            triggers,
            guard,
            effect,
        },
    )
}

fn trigger() -> impl Strategy<Value = Trigger> {
    prop_oneof![
        4 => (signal_name(), option::of(bindings()))
            .prop_map(|(name, parameters)| Trigger::Signal { name, parameters }),
        1 => Just(Trigger::Any(Span::default())),
    ]
}

pub fn variable(expressions: &Expressions) -> impl Strategy<Value = Variable> + use<> {
    let declared = vec((any_name(), option::of(initial(expressions))), 1..3);
    (expressions.types(), declared).prop_map(|(ty, declared)| Variable { ty, declared })
}

pub fn initial(expressions: &Expressions) -> BoxedStrategy<Initial> {
    let expr = expressions.plain();
    prop_oneof![
        3 => expr.clone().prop_map(Initial::Value),
        1 => vec(expr, 1..4).prop_map(Initial::List),
    ]
    .boxed()
}

pub fn initialised(
    expressions: &Expressions,
) -> impl Strategy<Value = Vec<(Name, Initial)>> + use<> {
    vec((any_name(), initial(expressions)), 0..3)
}
