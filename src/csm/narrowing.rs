//! What a step has learnt about values that an abstraction does not know: whoever has found that
//! `x < 5` need not wonder later whether `x >= 5`, and adds one to a number below 5.
//!
//! Each answer to a comparison stands for those concrete states in which it is the right one; so a
//! step may go on with the values that these states have.

use super::evaluate::Location;
use super::precision::Precision;
use super::run::Run;
use crate::lang::{
    BinaryOperator, Expr, ExprKind, IntSet, NO_HIGH, NO_LOW, Place, Value, mirrored,
};

/// What is known beyond the configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learnt {
    numbers: Vec<(Location, IntSet)>,
    /// How two locations may compare: less, equal, greater.
    orders: Vec<(Location, Location, [bool; 3])>,
    /// What was taken for a value that is unconstrained: whoever reads it again takes the same.
    guesses: Vec<(Location, Value)>,
    /// Local names, and which parameter of the message they have.
    names: Vec<(usize, usize)>,
}

/// Where a name of a trigger would stand if all transitions had the same names: they get the same
/// message.
const PARAMETERS: usize = 1 << 20;

const LESS: [bool; 3] = [true, false, false];

/// The orders in which a comparison holds.
fn orders_of(operator: BinaryOperator) -> [bool; 3] {
    match operator {
        BinaryOperator::Less => LESS,
        BinaryOperator::LessEqual => [true, true, false],
        BinaryOperator::Greater => [false, false, true],
        BinaryOperator::GreaterEqual => [false, true, true],
        BinaryOperator::Equal => [false, true, false],
        _ => [true, false, true],
    }
}

fn negated(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::GreaterEqual,
        BinaryOperator::LessEqual => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::LessEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::Less,
        BinaryOperator::Equal => BinaryOperator::NotEqual,
        _ => BinaryOperator::Equal,
    }
}

impl Learnt {
    fn of(&self, location: Location) -> Option<IntSet> {
        let mut known = self.numbers.iter();
        known
            .find(|(other, _)| *other == location)
            .map(|(_, numbers)| *numbers)
    }

    fn learn(&mut self, location: Location, numbers: IntSet) {
        self.numbers.retain(|(other, _)| *other != location);
        self.numbers.push((location, numbers));
    }

    /// The location has another value now.
    fn forget(&mut self, location: Location) {
        if let Location::Local(slot) = location {
            self.names.retain(|(other, _)| *other != slot);
        }
        self.numbers.retain(|(other, _)| *other != location);
        self.guesses.retain(|(other, _)| *other != location);
        self.orders
            .retain(|(a, b, _)| *a != location && *b != location);
    }

    /// What of it is still true when the step itself begins: local names are gone.
    pub(super) fn without_locals(&self) -> Learnt {
        let is_kept = |location: &Location| match location {
            Location::Local(slot) => *slot >= PARAMETERS,
            _ => true,
        };
        let numbers = self.numbers.iter().filter(|(at, _)| is_kept(at));
        let orders = self.orders.iter();
        let orders = orders.filter(|(a, b, _)| is_kept(a) && is_kept(b));
        Learnt {
            numbers: numbers.copied().collect(),
            orders: orders.copied().collect(),
            guesses: self.guesses.clone(),
            names: Vec::new(),
        }
    }

    /// What was taken for the value at a location before.
    pub(super) fn guessed(&self, location: Location) -> Option<Value> {
        let mut guesses = self.guesses.iter();
        guesses
            .find(|(other, _)| *other == location)
            .map(|(_, value)| *value)
    }

    pub(super) fn guess(&mut self, location: Location, value: Value) {
        self.guesses.push((location, value));
    }

    /// A local name has a parameter of the message from now on.
    pub(super) fn bind(&mut self, slot: usize, parameter: usize) {
        self.names.retain(|(other, _)| *other != slot);
        self.names.push((slot, parameter));
    }

    /// A name of a trigger as the parameter that it stands for.
    fn meaning(&self, location: Location) -> Location {
        let Location::Local(slot) = location else {
            return location;
        };
        let name = self.names.iter().find(|(other, _)| *other == slot);
        name.map_or(location, |(_, parameter)| {
            Location::Local(PARAMETERS + parameter)
        })
    }

    fn possible_orders(&self, left: Location, right: Location) -> [bool; 3] {
        let direct = self
            .orders
            .iter()
            .find(|(a, b, _)| *a == left && *b == right);
        let turned = self
            .orders
            .iter()
            .find(|(a, b, _)| *a == right && *b == left);
        match (direct, turned) {
            (Some((.., orders)), _) => *orders,
            (None, Some((.., [less, equal, greater]))) => [*greater, *equal, *less],
            (None, None) => [true; 3],
        }
    }
}

impl<P: Precision> Run<'_, P> {
    /// The location that an expression reads, if that is plain to see.
    fn plain_location(&self, expr: &Expr) -> Option<Location> {
        match &expr.kind {
            ExprKind::Read(Place::Local(slot)) => {
                Some(self.learnt.meaning(Location::Local(slot.index())))
            }
            ExprKind::Read(Place::Global {
                variable,
                index: None,
            }) => {
                let declared = &self.model.globals[variable.index()];
                Some(Location::Global {
                    slot: declared.offset,
                    subject: crate::lang::Subject::Global(*variable),
                })
            }
            ExprKind::Read(Place::Field {
                object,
                variable,
                index: None,
            }) if matches!(object.kind, ExprKind::SelfReference) => {
                let declared = &self.model.class_of(self.actor).variables[variable.index()];
                Some(self.own_field(*variable, declared.offset))
            }
            _ => None,
        }
    }

    /// A value that was read, with what has been learnt about it.
    pub(super) fn narrowed(&self, location: Location, value: Value) -> Value {
        match (value, self.learnt.of(self.learnt.meaning(location))) {
            (Value::Among(numbers), Some(known)) => numbers.meet(known).map_or(value, Value::of),
            _ => value,
        }
    }

    /// What follows does not depend on how guards came to what they did.
    pub(super) fn forget_guard(&mut self) {
        self.choices.learnt = Learnt::default();
    }

    pub(super) fn forget(&mut self, location: Location) {
        self.learnt.forget(location);
    }

    /// Which answers of a comparison are still possible, of those that the values allow.
    pub(super) fn still_possible(
        &self,
        operator: BinaryOperator,
        (left, right): (&Expr, &Expr),
    ) -> (bool, bool) {
        let locations = (self.plain_location(left), self.plain_location(right));
        let (Some(left), Some(right)) = locations else {
            return (true, true);
        };
        let possible = self.learnt.possible_orders(left, right);
        let holds = orders_of(operator);
        let any = |wanted: bool| possible.iter().zip(holds).any(|(p, h)| *p && h == wanted);
        (any(true), any(false))
    }

    /// Takes note of how a comparison came out.
    pub(super) fn learn(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&Expr, &Expr),
        (left_value, right_value): (Value, Value),
        holds: bool,
    ) {
        let (Some(left_numbers), Some(right_numbers)) =
            (left_value.numbers(), right_value.numbers())
        else {
            return;
        };
        let operator = if holds { operator } else { negated(operator) };
        let locations = (self.plain_location(left), self.plain_location(right));
        if let Some(left) = locations.0 {
            self.narrow(left, left_numbers, operator, right_numbers);
        }
        if let Some(right) = locations.1 {
            self.narrow(right, right_numbers, mirrored(operator), left_numbers);
        }
        if let (Some(left), Some(right)) = locations {
            let mut orders = self.learnt.possible_orders(left, right);
            for (possible, holds) in orders.iter_mut().zip(orders_of(operator)) {
                *possible &= holds;
            }
            let known = &mut self.learnt.orders;
            known.retain(|(a, b, _)| (*a, *b) != (left, right) && (*a, *b) != (right, left));
            known.push((left, right, orders));
        }
    }

    /// Of a location's numbers only those remain that can compare so with another's.
    fn narrow(
        &mut self,
        location: Location,
        numbers: IntSet,
        operator: BinaryOperator,
        other: IntSet,
    ) {
        let to = |high: Option<i64>| IntSet::between(NO_LOW, high?);
        let from = |low: Option<i64>| IntSet::between(low?, NO_HIGH);
        let before = |number: i64| number.checked_sub(1);
        let after = |number: i64| number.checked_add(1);
        let allowed = match operator {
            BinaryOperator::Less => to(before(other.high())),
            BinaryOperator::LessEqual => to(Some(other.high())),
            BinaryOperator::Greater => from(after(other.low())),
            BinaryOperator::GreaterEqual => from(Some(other.low())),
            BinaryOperator::Equal => Some(other),
            _ => match other.only() {
                Some(only) if only == numbers.low() => from(after(only)),
                Some(only) if only == numbers.high() => to(before(only)),
                _ => None,
            },
        };
        if let Some(narrowed) = allowed.and_then(|allowed| numbers.meet(allowed)) {
            self.learnt.learn(location, narrowed);
        }
    }
}
