//! Names, among them all words that have a meaning only somewhere else.

use crisol::lang::syntax::{Name, ObjectName, Span, StatePath};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::expressions::Expressions;

/// Names like any other, except where the grammar has a use for them.
const CONTEXTUAL: &[&str] = &[
    "to",
    "capacity",
    "on_full",
    "with",
    "of",
    "at",
    "allow",
    "environment",
    "always",
    "never",
    "ltl",
    "no",
    "flush",
    "deep",
    "any",
    "index",
    "queued",
    "queued_before",
    "enabled",
    "idle",
    "sent",
    "received",
    "intervals",
    "values",
    "range",
    "modulo",
    "timer",
    "sign",
    "parity",
    "exact",
    "auto",
    "deadlock",
    "livelock",
    "overflow",
    "lazy",
    "eager",
    "violate",
    "block",
    "rtc",
    "transition",
];
const TEMPORAL: &[&str] = &["G", "F", "X", "U", "W", "R"];
const PLAIN: &[&str] = &[
    "a", "b1", "Idle", "Working", "seats", "_x", "state_", "Ready2",
];
const TYPES: &[&str] = &[
    "Motor", "Colour", "to", "capacity", "index", "any", "G", "timer",
];

pub fn name(text: &str) -> Name {
    Name {
        text: text.to_string(),
        span: Span::default(),
    }
}

/// A name in an expression of an `ltl` formula.
pub fn formula_word() -> impl Strategy<Value = String> {
    prop_oneof![select(PLAIN), select(CONTEXTUAL)].prop_map(str::to_string)
}

pub fn word() -> impl Strategy<Value = String> {
    let known = prop_oneof![3 => select(PLAIN), 2 => select(CONTEXTUAL), 1 => select(TEMPORAL)];
    prop_oneof![9 => known.prop_map(str::to_string), 1 => "[a-z]{4}_[A-Z0-9]{1,3}"]
}

pub fn any_name() -> impl Strategy<Value = Name> + Clone {
    word_strategy().prop_map(|text| name(&text))
}

fn word_strategy() -> BoxedStrategy<String> {
    word().boxed()
}

pub fn names() -> impl Strategy<Value = Vec<Name>> {
    vec(any_name(), 1..4)
}

pub fn type_name() -> impl Strategy<Value = Name> {
    select(TYPES).prop_map(name)
}

/// A name that no keyword follows or precedes, for signals in triggers.
pub fn signal_name() -> impl Strategy<Value = Name> {
    any_name().prop_filter("`any` is every signal", |name| name.text != "any")
}

pub fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = Name> {
    select(words).prop_map(name)
}

pub fn path() -> impl Strategy<Value = StatePath> {
    vec(any_name(), 1..4).prop_map(|names| StatePath { names })
}

pub fn objects(expressions: &Expressions) -> impl Strategy<Value = Vec<ObjectName>> + use<> {
    let object = (any_name(), option::weighted(0.2, expressions.plain()));
    vec(
        object.prop_map(|(name, index)| ObjectName { name, index }),
        1..4,
    )
}
