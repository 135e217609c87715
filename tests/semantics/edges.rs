//! Arithmetic at the ends of 31, 32, 63 and 64 bits: the reference gives what the language reference says, and so does every
//! abstraction, among what else it gives, and the engine.

use crate::common::*;
use crisol::abstraction::{Abstract, Precision};
use crisol::csm::{Precision as Answers, Semantics};
use crisol::evidence::Verdict;
use crisol::lang::{Model, Value};
use crisol::system::Target;

/// A type with its ends.
struct Number {
    name: String,
    low: i128,
    high: i128,
    wraps: bool,
    /// Whether results are checked at 32 bits.
    is_small: bool,
}

const INT: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);
const ALL: (i128, i128) = (i64::MIN as i128, i64::MAX as i128);

fn types() -> Vec<Number> {
    let named = |name: &str, (low, high): (i128, i128)| Number {
        name: name.to_owned(),
        low,
        high,
        wraps: name.starts_with("wrap"),
        is_small: name == "int",
    };
    let mut all = vec![
        named("int", INT),
        named("wrap int", INT),
        named("nat", (0, ALL.1)),
        named("integer", ALL),
    ];
    let ranges = [
        (-(1 << 30), (1 << 30) - 1),
        (INT.0 - 1, INT.1),
        (0, (1 << 32) - 1),
        (-(1 << 62), (1 << 62) - 1),
        (ALL.1 - 1, ALL.1),
        (ALL.0, ALL.0 + 2),
        ALL,
    ];
    for (low, high) in ranges {
        for wrap in ["", "wrap "] {
            let number = named(&format!("{wrap}int({low}..{high})"), (low, high));
            let is_small = !number.wraps && low >= INT.0 && high <= INT.1;
            all.push(Number { is_small, ..number });
        }
    }
    all
}

impl Number {
    fn values(&self) -> Vec<i128> {
        let near = [self.low, self.low + 1, self.high - 1, self.high];
        let powers = [1 << 31, 1 << 32, 1 << 62]
            .into_iter()
            .flat_map(|p: i128| [-p, p]);
        let mut all: Vec<i128> = near.into_iter().chain(powers).chain(-2..=2).collect();
        all.retain(|value| (self.low..=self.high).contains(value));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What is kept of `left operator right`; none for a fault.
    fn kept(&self, operator: &str, left: i128, right: i128) -> Option<i128> {
        let is_ring = ["+", "-", "*"].contains(&operator);
        let exact = match operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            _ if right == 0 => return None,
            "/" => left / right,
            _ => left % right,
        };
        let (low, high) = if self.is_small { INT } else { ALL };
        let fits = (low..=high).contains(&exact) || (self.wraps && is_ring);
        match (self.low..=self.high).contains(&exact) {
            _ if !fits => None,
            true => Some(exact),
            false if !self.wraps => None,
            false => Some(self.low + (exact - self.low).rem_euclid(self.high - self.low + 1)),
        }
    }

    fn program(&self, operator: &str, left: i128, right: i128) -> String {
        let ty = &self.name;
        format!(
            "{ty} a = {left}; {ty} b = {right}; {ty} r = {left};
             class C {{ initial -> Start; state Start; final Done;
               Start -> Done / {{ r = a {operator} b; }} }}
             object o: C;"
        )
    }
}

/// What may be kept in `r`; none for a fault.
fn outcomes<P: Answers>(model: &Model, precision: P) -> Vec<Option<Value>> {
    let semantics = Semantics::new(model, precision);
    let Target::State(start) = &semantics.initial()[0].result else {
        panic!("it starts");
    };
    let steps = semantics.successors(start).into_iter();
    let kept = steps.map(|step| match step.result {
        Target::State(after) if step.fault.is_none() => Some(after.globals[2]),
        _ => None,
    });
    kept.collect()
}

/// `abstraction { }` that says this of all variables.
fn abstracted(text: &str, domain: &str) -> Vec<Option<Value>> {
    let model = model(&format!("{text} abstraction {{ * : {domain}; }}"));
    let precision = Precision::declared(&model);
    let known = precision.model(&model);
    outcomes(&known, Abstract::new(&known, precision, true))
}

const OPERATORS: [&str; 5] = ["+", "-", "*", "/", "%"];

fn for_all(mut see: impl FnMut(&Number, &str, Option<i128>)) {
    for number in types() {
        for operator in OPERATORS {
            for left in number.values() {
                for right in number.values() {
                    let text = number.program(operator, left, right);
                    see(&number, &text, number.kept(operator, left, right));
                }
            }
        }
    }
}

#[test]
fn the_reference_keeps_what_the_language_says() {
    for_all(|_, text, expected| {
        let found = outcomes(&model(text), crisol::csm::Exact);
        let expected = expected.map(|number| Value::Int(number as i64));
        assert_eq!(found, [expected], "{text}");
    });
}

#[test]
fn every_abstraction_has_the_concrete_outcome_among_its_own() {
    for_all(|_, text, expected| {
        for domain in ["any", "sign", "parity && sign", "values(2147483647)"] {
            let found = abstracted(text, domain);
            let covers = |outcome: &Option<Value>| match (outcome, expected) {
                (Some(known), Some(number)) => known.may_be(Value::Int(number as i64)),
                (None, None) => true,
                _ => false,
            };
            assert!(
                found.iter().any(covers),
                "{text}\nunder {domain}: {found:?} for {expected:?}"
            );
        }
    });
}

/// One of many, as each is a whole check.
#[test]
fn the_engine_comes_to_the_same_verdict() {
    let mut number = 0;
    for_all(|_, text, expected| {
        number += 1;
        if number % 7 != 0 {
            return;
        }
        let model = model(text);
        let result = findings(&model)
            .results
            .into_iter()
            .find(|result| model.properties[result.property].name == "arithmetic_fault");
        let verdict = result.expect("it is checked").verdict;
        let is_violated = matches!(verdict, Verdict::Violated(_));
        assert_eq!(is_violated, expected.is_none(), "{text}");
    });
}
