//! Random files.

use std::fmt;

use crisol::lang::print;
use crisol::lang::syntax::{
    Abstraction, AbstractionSubject, Allow, Class, Domain, File, Inbox, Item, ItemKind, Object,
    Property, PropertyBody, Signal, Signals, Span,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::elements::{body, initialised, variable};
use super::expressions::Expressions;
use super::names::{any_name, names, objects, one_of};

const FAULTS: &[&str] = &[
    "assertion_failure",
    "implicit_consumption",
    "overflow",
    "deadlock",
    "arithmetic_fault",
    "reference_fault",
    "divergence",
    "nondeterminism",
    "livelock",
];

/// A tree that is shown as text where a test fails: a `Debug` tree is too long to be read.
#[derive(Clone)]
pub struct Shown(pub File);

impl fmt::Debug for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\n{}", print(&self.0))
    }
}

pub fn shown() -> impl Strategy<Value = Shown> {
    file().prop_map(Shown)
}

pub fn file() -> BoxedStrategy<File> {
    let item = item(&Expressions::new()).prop_map(|kind| Item {
        kind,
        span: Span::default(),
    });
    (option::of(any_name()), vec(item, 0..6))
        .prop_map(|(system, items)| File {
            system,
            items,
            comments: Vec::new(),
        })
        .boxed()
}

fn item(expressions: &Expressions) -> BoxedStrategy<ItemKind> {
    prop_oneof![
        1 => (any_name(), expressions.plain()).prop_map(|(name, value)| ItemKind::Const { name, value }),
        1 => (any_name(), names()).prop_map(|(name, literals)| ItemKind::Enum { name, literals }),
        1 => signals(expressions).prop_map(ItemKind::Signals),
        1 => variable(expressions).prop_map(ItemKind::Global),
        3 => (any_name(), body(expressions)).prop_map(|(name, body)| ItemKind::Class(Class { name, body })),
        1 => object(expressions).prop_map(ItemKind::Object),
        3 => property(expressions).prop_map(ItemKind::Property),
        2 => vec(abstraction(expressions), 0..4).prop_map(ItemKind::Abstraction),
        3 => setting(expressions),
    ]
    .boxed()
}

fn setting(expressions: &Expressions) -> BoxedStrategy<ItemKind> {
    let options = vec(
        one_of(&["rhapsody_triggers", "initial_step", "atomic_steps"]),
        0..3,
    );
    prop_oneof![
        inbox(expressions).prop_map(ItemKind::Inbox),
        (any_name(), objects(expressions))
            .prop_map(|(name, objects)| ItemKind::Thread { name, objects }),
        (one_of(&["interleaving", "run_to_completion"]), options)
            .prop_map(|(kind, options)| ItemKind::Semantics { kind, options }),
        one_of(&["lazy", "eager"]).prop_map(|kind| ItemKind::Environment { kind }),
        vec(allow(), 1..3).prop_map(ItemKind::Allow),
    ]
    .boxed()
}

fn signals(expressions: &Expressions) -> impl Strategy<Value = Signals> + use<> {
    let signal = (any_name(), vec(expressions.parameter(), 0..3))
        .prop_map(|(name, parameters)| Signal { name, parameters });
    let receivers = option::of(objects(expressions)).prop_map(Option::unwrap_or_default);
    (any::<bool>(), vec(signal, 1..4), receivers).prop_map(|(external, signals, receivers)| {
        Signals {
            external,
            signals,
            receivers,
        }
    })
}

fn object(expressions: &Expressions) -> impl Strategy<Value = Object> + use<> {
    let declared = vec((any_name(), option::of(expressions.plain())), 1..3);
    (declared, any_name(), initialised(expressions)).prop_map(|(declared, class, initial)| Object {
        declared,
        class,
        initial,
    })
}

fn inbox(expressions: &Expressions) -> impl Strategy<Value = Inbox> + use<> {
    let owners = option::of(objects(expressions)).prop_map(Option::unwrap_or_default);
    let policy = option::of(one_of(&["violate", "block", "lose", "cut"]));
    (owners, expressions.plain(), policy).prop_map(|(owners, capacity, on_full)| Inbox {
        owners,
        capacity,
        on_full,
    })
}

fn allow() -> impl Strategy<Value = Allow> {
    let of = option::of(names()).prop_map(Option::unwrap_or_default);
    (one_of(FAULTS), of).prop_map(|(fault, of)| Allow { fault, of })
}

fn property(expressions: &Expressions) -> impl Strategy<Value = Property> + use<> {
    let of = option::of(objects(expressions)).prop_map(Option::unwrap_or_default);
    let body = prop_oneof![
        1 => expressions.plain().prop_map(PropertyBody::Always),
        1 => expressions.plain().prop_map(PropertyBody::Never),
        1 => (one_of(FAULTS), of).prop_map(|(fault, of)| PropertyBody::NeverFault { fault, of }),
        3 => expressions.formula().prop_map(PropertyBody::Ltl),
    ];
    (any_name(), body, option::of(one_of(&["transition", "rtc"])))
        .prop_map(|(name, body, level)| Property { name, body, level })
}

fn abstraction(expressions: &Expressions) -> impl Strategy<Value = Abstraction> + use<> {
    let subject = prop_oneof![
        any_name().prop_map(AbstractionSubject::Global),
        (any_name(), any_name()).prop_map(|(owner, name)| AbstractionSubject::Member(owner, name)),
        any_name().prop_map(AbstractionSubject::All),
        Just(AbstractionSubject::Everything),
    ];
    (subject, domain(expressions)).prop_map(|(subject, domain)| Abstraction {
        subject,
        domain,
        span: Span::default(),
    })
}

fn domain(expressions: &Expressions) -> BoxedStrategy<Domain> {
    let expr = expressions.plain();
    let interval = (option::of(expr.clone()), option::of(expr.clone()));
    prop_oneof![
        2 => vec(interval, 1..4).prop_map(Domain::Intervals),
        1 => vec(expr.clone(), 1..4).prop_map(Domain::Values),
        1 => (expr.clone(), expr.clone()).prop_map(|(low, high)| Domain::Range(low, high)),
        1 => expr.clone().prop_map(Domain::Modulo),
        1 => expr.prop_map(Domain::Timer),
        1 => Just(Domain::Sign),
        1 => Just(Domain::Parity),
        1 => Just(Domain::Any),
        1 => Just(Domain::Exact),
        1 => Just(Domain::Auto),
    ]
    .boxed()
}
