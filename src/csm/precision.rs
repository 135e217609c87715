//! How exactly values are known.
//!
//! The interpreter never computes with values itself: it asks a precision, which answers with the
//! *set* of possible results. The exact precision always answers with one. An abstraction answers
//! with several where it has forgotten what it would need to know (Ojala 3.1.1), and the
//! interpreter need not know that it exists.

use crate::lang::{
    ArithmeticError, BinaryOperator, Subject, Type, Value, calculate, calculate_wrapping, compare,
};

/// What `choose(low..high)` may give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Any of so many numbers, from this one on.
    From(i64, i64),
    /// Only these are looked at, by their distance from this one.
    Some(i64, Vec<u32>),
    /// A value that stands for all of them.
    One(Value),
    /// There is nothing between them.
    Nothing,
}

/// What an operation may give, in a fixed order. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcomes<T> {
    One(T),
    Several(Vec<T>),
}

impl<T: Copy> Outcomes<T> {
    pub fn len(&self) -> usize {
        match self {
            Outcomes::One(_) => 1,
            Outcomes::Several(all) => all.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> T {
        match self {
            Outcomes::One(only) => *only,
            Outcomes::Several(all) => all[index],
        }
    }
}

/// The result of one operation, or the fault that it may be.
pub type Arithmetic = Result<Value, ArithmeticError>;

pub trait Precision {
    /// `+ - * / %`
    fn calculate(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> Outcomes<Arithmetic>;

    /// `+ - *` of what is to be kept where numbers wrap: what is beyond 64 bits wraps at once.
    fn calculate_wrapping(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        ty: &Type,
    ) -> Outcomes<Value> {
        let result = calculate_wrapping(operator, left.int(), right.int(), ty);
        Outcomes::One(Value::Int(result))
    }

    /// `== != < <= > >=`
    fn compare(&self, operator: BinaryOperator, left: Value, right: Value) -> Outcomes<bool>;

    /// The value as it is kept at a place of this type; `None` if it does not fit. A subject is
    /// given where an abstraction may have been declared for it.
    fn store(&self, at: Option<Subject>, ty: &Type, value: Value) -> Outcomes<Option<Value>>;

    /// What is read where this value is kept.
    fn read(&self, _at: Subject, _ty: &Type, value: Value) -> Outcomes<Value> {
        Outcomes::One(value)
    }

    /// Which number between two a value is; `None` for one outside.
    fn number(&self, value: Value, low: i64, high: i64) -> Outcomes<Option<i64>> {
        let number = value.int();
        Outcomes::One((low..=high).contains(&number).then_some(number))
    }

    fn choose(&self, low: Value, high: Value) -> Chosen {
        match (low.int(), high.int()) {
            (low, high) if low > high => Chosen::Nothing,
            (low, high) => Chosen::From(low, high.saturating_sub(low).saturating_add(1)),
        }
    }
}

/// The concrete model: every operation has one result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

impl Precision for Exact {
    fn calculate(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> Outcomes<Arithmetic> {
        Outcomes::One(calculate(operator, left.int(), right.int()).map(Value::Int))
    }

    fn compare(&self, operator: BinaryOperator, left: Value, right: Value) -> Outcomes<bool> {
        Outcomes::One(compare(operator, left, right))
    }

    fn store(&self, _: Option<Subject>, ty: &Type, value: Value) -> Outcomes<Option<Value>> {
        Outcomes::One(ty.admit(value))
    }
}
