//! Values and their types.
//!
//! Invariant: a value fits the type of the place it stands in; a value never depends on a run.

use std::fmt;
use std::sync::Arc;

use super::int_set::{IntSet, NO_HIGH, NO_LOW};

macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Tables are bounded by `limits`, far below 2^32.
            pub fn new(index: usize) -> $name {
                $name(index as u32)
            }
        }
    )*};
}

index_types! {
    /// One of `Model::classes`.
    ClassId,
    /// One of `Model::objects`.
    ObjectId,
    /// One of `Model::signals`.
    SignalId,
    /// One of `Model::enums`.
    EnumId,
    /// One of `Model::threads`.
    ThreadId,
    /// A variable of a class, or a global one.
    VariableId,
    /// One of `Machine::states`.
    StateId,
    /// One of `Machine::regions`.
    RegionId,
    /// One of `Machine::choices`.
    ChoiceId,
    /// One of `Machine::transitions`.
    TransitionId,
    /// A local name of a class's steps: a trigger's parameter, a local variable, a bound variable.
    Slot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Int(i64),
    /// One of several numbers, under an abstraction. Never of one alone: that is `Int`.
    Among(IntSet),
    Bool(bool),
    /// A literal of an enumeration, by its number.
    Literal(u32),
    Reference(Option<ObjectId>),
}

impl Value {
    /// The type checker has seen to it that numbers are where numbers are asked for.
    pub fn int(self) -> i64 {
        match self {
            Value::Int(number) => number,
            other => unreachable!("{other:?} where a number was checked to be"),
        }
    }

    /// The numbers that it may be; none for what is no number.
    pub fn numbers(self) -> Option<IntSet> {
        match self {
            Value::Int(number) => Some(IntSet::one(number)),
            Value::Among(numbers) => Some(numbers),
            _ => None,
        }
    }

    pub fn of(numbers: IntSet) -> Value {
        numbers.only().map_or(Value::Among(numbers), Value::Int)
    }

    /// Whether this, as an abstraction knows it, may be that value.
    pub fn may_be(self, concrete: Value) -> bool {
        match (self, concrete) {
            (Value::Among(numbers), Value::Int(number)) => numbers.contains(number),
            _ => self == concrete,
        }
    }

    pub fn bool(self) -> bool {
        match self {
            Value::Bool(truth) => truth,
            other => unreachable!("{other:?} where a truth value was checked to be"),
        }
    }

    pub fn reference(self) -> Option<ObjectId> {
        match self {
            Value::Reference(object) => object,
            other => unreachable!("{other:?} where a reference was checked to be"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Int {
        low: i64,
        high: i64,
        wrap: bool,
    },
    /// Unbounded, from 0.
    Nat,
    /// Unbounded.
    Integer,
    Bool,
    Enum(EnumId),
    Reference(ClassId),
    /// Of `null` alone.
    Null,
    Array(Box<Type>, u32),
}

impl Type {
    pub const INT: Type = Type::Int {
        low: i32::MIN as i64,
        high: i32::MAX as i64,
        wrap: false,
    };

    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int { .. } | Type::Nat | Type::Integer)
    }

    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Reference(_) | Type::Null)
    }

    /// The type of one element, for an array; of itself otherwise.
    pub fn element(&self) -> &Type {
        match self {
            Type::Array(element, _) => element,
            scalar => scalar,
        }
    }

    /// How many values a variable of this type holds.
    pub fn length(&self) -> usize {
        match self {
            Type::Array(_, length) => *length as usize,
            _ => 1,
        }
    }

    /// All numbers of this type.
    pub fn numbers(&self) -> IntSet {
        let (low, high) = match self {
            Type::Int { low, high, .. } => (*low, *high),
            Type::Nat => (0, NO_HIGH),
            Type::Array(element, _) => return element.numbers(),
            _ => (NO_LOW, NO_HIGH),
        };
        IntSet::between(low, high).unwrap_or(IntSet::ALL)
    }

    pub fn wraps(&self) -> bool {
        matches!(self.element(), Type::Int { wrap: true, .. })
    }

    /// The value a variable starts with unless told otherwise: the one nearest to 0.
    pub fn default_value(&self) -> Value {
        match self {
            Type::Int { low, high, .. } => Value::Int(0.clamp(*low, *high)),
            Type::Nat | Type::Integer => Value::Int(0),
            Type::Bool => Value::Bool(false),
            Type::Enum(_) => Value::Literal(0),
            Type::Reference(_) | Type::Null => Value::Reference(None),
            Type::Array(element, _) => element.default_value(),
        }
    }

    /// The value as this type stores it, or `None` if it does not fit.
    pub fn admit(&self, value: Value) -> Option<Value> {
        match (self, value) {
            (Type::Int { low, high, wrap }, Value::Int(number)) => {
                if (*low..=*high).contains(&number) {
                    return Some(value);
                }
                wrap.then(|| Value::Int(self.wrapped(number.into())))
            }
            (Type::Nat, Value::Int(number)) => (number >= 0).then_some(value),
            (Type::Array(element, _), value) => element.admit(value),
            _ => Some(value),
        }
    }

    /// A number beyond this type, as it comes in again at the other end.
    pub fn wrapped(&self, number: i128) -> i64 {
        let numbers = self.numbers();
        let (low, high) = (i128::from(numbers.low()), i128::from(numbers.high()));
        let inside = low + (number - low).rem_euclid(high - low + 1);
        inside as i64 // between low and high, which are i64
    }

    /// Whether one can be assigned to, or compared with, the other.
    pub fn agrees(&self, other: &Type) -> bool {
        match (self, other) {
            (a, b) if a.is_number() && b.is_number() => true,
            (Type::Null, b) => b.is_reference(),
            (a, Type::Null) => a.is_reference(),
            (Type::Array(a, n), Type::Array(b, m)) => n == m && a.agrees(b),
            (a, b) => a == b,
        }
    }
}

/// A message: a signal with its arguments, which all its copies share: queues hold many. Messages
/// have no identity of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Message {
    pub signal: SignalId,
    pub arguments: Arc<[Value]>,
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "object {}", self.0)
    }
}
