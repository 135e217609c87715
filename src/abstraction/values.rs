//! A precision as the interpreter asks it: operations on sets of numbers, and sets that are stored
//! as blocks.

use super::operators::{calculate, compare};
use super::partition::Partition;
use super::precision::{Place, Precision};
use crate::csm::{Arithmetic, Chosen, Outcomes, Precision as Answers};
use crate::lang::{
    ArithmeticError, BinaryOperator, IntSet, Model, ObjectId, Subject, Type, Value,
    calculate as calculate_exactly, calculate_wrapping as calculate_wrapping_exactly,
    compare as compare_exactly,
};

/// A choice between no more numbers than this is the model's own, number by number; one between more
/// is a set.
const FEW: u64 = 16;

/// A precision that answers the interpreter.
pub struct Abstract<'m> {
    model: &'m Model,
    precision: Precision,
    /// Whether a number that leaves its type is looked at. Where it is not, a proof assumes that
    /// none does.
    sees_overflow: bool,
}

impl<'m> Abstract<'m> {
    pub fn new(model: &'m Model, precision: Precision, sees_overflow: bool) -> Abstract<'m> {
        Abstract {
            model,
            precision,
            sees_overflow,
        }
    }

    pub fn precision(&self) -> &Precision {
        &self.precision
    }

    /// All values of a type that is no number.
    fn all_values(&self, ty: &Type) -> Vec<Value> {
        match ty.element() {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Enum(id) => {
                let literals = self.model.enums[id.index()].literals.len() as u32;
                (0..literals).map(Value::Literal).collect()
            }
            Type::Reference(class) => {
                let objects = self.model.object_ids();
                let own = objects.filter(|object| self.model.object(*object).class == *class);
                let own = own.map(|object: ObjectId| Value::Reference(Some(object)));
                std::iter::once(Value::Reference(None)).chain(own).collect()
            }
            other => vec![other.default_value()],
        }
    }

    /// A set of numbers as a type keeps them; and whether some do not fit.
    fn fitting(&self, ty: &Type, numbers: IntSet) -> (Option<IntSet>, bool) {
        let within = ty.element().numbers();
        let all_fit = numbers.is_within(within);
        match ty.wraps() && !all_fit {
            true => (Some(within), false), // a wrapped set may be anywhere
            false => (numbers.meet(within), !all_fit),
        }
    }
}

fn several<T>(mut outcomes: Vec<T>) -> Outcomes<T> {
    match outcomes.len() {
        1 => Outcomes::One(outcomes.remove(0)),
        _ => Outcomes::Several(outcomes),
    }
}

impl Answers for Abstract<'_> {
    fn calculate(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> Outcomes<Arithmetic> {
        if let (Value::Int(left), Value::Int(right)) = (left, right) {
            return Outcomes::One(calculate_exactly(operator, left, right).map(Value::Int));
        }
        let (Some(left), Some(right)) = (left.numbers(), right.numbers()) else {
            unreachable!("the type checker lets only numbers be calculated with");
        };
        let results = calculate(operator, left, right);
        let mut outcomes: Vec<Arithmetic> = Vec::new();
        outcomes.extend(results.numbers.map(|numbers| Ok(Value::of(numbers))));
        if results.may_divide_by_zero {
            outcomes.push(Err(ArithmeticError::DivisionByZero));
        }
        if results.may_be_too_large && (self.sees_overflow || outcomes.is_empty()) {
            outcomes.push(Err(ArithmeticError::TooLarge));
        }
        several(outcomes)
    }

    fn calculate_wrapping(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        ty: &Type,
    ) -> Outcomes<Value> {
        if let (Value::Int(left), Value::Int(right)) = (left, right) {
            let result = calculate_wrapping_exactly(operator, left, right, ty);
            return Outcomes::One(Value::Int(result));
        }
        let (Some(left), Some(right)) = (left.numbers(), right.numbers()) else {
            unreachable!("the type checker lets only numbers be calculated with");
        };
        let results = calculate(operator, left, right);
        let wrapped = results.may_be_too_large.then(|| ty.numbers()); // it may be anywhere
        let outcomes = results.numbers.into_iter().chain(wrapped);
        several(outcomes.map(Value::of).collect())
    }

    fn compare(&self, operator: BinaryOperator, left: Value, right: Value) -> Outcomes<bool> {
        match (left, right) {
            (Value::Among(_), _) | (_, Value::Among(_)) => {
                let (Some(left), Some(right)) = (left.numbers(), right.numbers()) else {
                    unreachable!("the type checker lets numbers be compared with numbers only");
                };
                match compare(operator, left, right) {
                    (true, true) => Outcomes::Several(vec![true, false]),
                    (holds, _) => Outcomes::One(holds),
                }
            }
            _ => Outcomes::One(compare_exactly(operator, left, right)),
        }
    }

    fn store(&self, at: Option<Subject>, ty: &Type, value: Value) -> Outcomes<Option<Value>> {
        let place = at.and_then(Place::of);
        if place.is_some_and(|place| self.precision.is_forgotten(place)) {
            return Outcomes::One(Some(ty.element().default_value()));
        }
        let partition = place.and_then(|place| self.precision.partition(place));
        let Some(numbers) = value.numbers() else {
            return Outcomes::One(Some(value));
        };
        let exact = Partition::Exact;
        let (partition, numbers) = match (partition, value) {
            (None, Value::Int(_)) => return Outcomes::One(ty.admit(value)),
            (None, _) if at.is_none() => (None, numbers),
            (partition, Value::Int(_)) => match ty.admit(value).and_then(Value::numbers) {
                Some(admitted) => (partition, admitted),
                None => return Outcomes::One(None),
            },
            (partition, _) => (Some(partition.unwrap_or(&exact)), numbers),
        };
        let (inside, some_do_not_fit) = self.fitting(ty, numbers);
        let within = ty.element().numbers();
        let mut outcomes: Vec<Option<Value>> = match (inside, partition) {
            (None, _) => Vec::new(),
            (Some(inside), None) => vec![Some(Value::of(inside))],
            (Some(inside), Some(partition)) => {
                let blocks = partition.blocks(inside, within);
                blocks
                    .into_iter()
                    .map(|block| Some(Value::of(block)))
                    .collect()
            }
        };
        if outcomes.is_empty() || (some_do_not_fit && self.sees_overflow) {
            outcomes.push(None);
        }
        several(outcomes)
    }

    fn read(&self, at: Subject, ty: &Type, value: Value) -> Outcomes<Value> {
        let place = Place::of(at);
        match place.is_some_and(|place| self.precision.is_forgotten(place)) {
            true => several(self.all_values(ty)),
            false => Outcomes::One(value),
        }
    }

    fn number(&self, value: Value, low: i64, high: i64) -> Outcomes<Option<i64>> {
        let Some(numbers) = value.numbers() else {
            unreachable!("the type checker lets only numbers be asked for");
        };
        let inside = IntSet::between(low, high).and_then(|range| range.meet(numbers));
        let mut outcomes: Vec<Option<i64>> = Vec::new();
        outcomes.extend(inside.into_iter().flat_map(IntSet::members).map(Some));
        if inside != Some(numbers) {
            outcomes.push(None);
        }
        several(outcomes)
    }

    fn choose(&self, low: Value, high: Value) -> Chosen {
        let (Some(low), Some(high)) = (low.numbers(), high.numbers()) else {
            unreachable!("the type checker lets only numbers be chosen between");
        };
        let Some(between) = IntSet::between(low.low(), high.high()) else {
            return Chosen::Nothing;
        };
        let ends_are_known = low.only().is_some() && high.only().is_some();
        match between.count() {
            Some(count) if ends_are_known && count <= FEW => {
                Chosen::From(between.low(), count as i64)
            }
            _ => Chosen::One(Value::of(between)),
        }
    }
}
