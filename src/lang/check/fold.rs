//! The value of an expression that needs no state: constants, sizes, initial values; and, for the
//! lints, of a guard under given values of its variables.

use crate::lang::action::{Expr, ExprKind, Place};
use crate::lang::arithmetic::{ArithmeticError, calculate, calculates, compare, compares};
use crate::lang::syntax::{BinaryOperator, UnaryOperator};
use crate::lang::value::Value;

/// Knows the values of some places.
pub(crate) trait Lookup {
    fn value(&self, place: &Place) -> Option<Value>;
}

/// Knows none.
impl Lookup for () {
    fn value(&self, _: &Place) -> Option<Value> {
        None
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// It depends on what is not known.
    NotConstant,
    Because(String),
}

/// The value, or why there is none.
pub(crate) fn fold(expr: &Expr, known: &impl Lookup) -> Result<Value, NoValue> {
    match &expr.kind {
        ExprKind::Constant(value) => Ok(*value),
        ExprKind::Read(place) => known.value(place).ok_or(NoValue::NotConstant),
        ExprKind::ObjectAt(objects, index) => {
            let index = fold(index, known)?.int();
            let member = usize::try_from(index).ok().and_then(|i| objects.get(i));
            let missing = || format!("index {index} is outside 0..{}", objects.len() - 1);
            let member = member.ok_or_else(|| NoValue::Because(missing()))?;
            Ok(Value::Reference(Some(*member)))
        }
        ExprKind::Unary(operator, operand) => fold_unary(*operator, fold(operand, known)?),
        ExprKind::Binary(operator, left, right) => {
            let folded = fold_binary(*operator, left, right, known)?;
            let too_large = || format!("{} does not fit in 32 bits", folded.int());
            let admitted = expr.ty.admit(folded);
            admitted.ok_or_else(|| NoValue::Because(too_large()))
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            let chosen = if fold(condition, known)?.bool() {
                then
            } else {
                otherwise
            };
            fold(chosen, known)
        }
        _ => Err(NoValue::NotConstant),
    }
}

fn fold_unary(operator: UnaryOperator, operand: Value) -> Result<Value, NoValue> {
    match operator {
        UnaryOperator::Not => Ok(Value::Bool(!operand.bool())),
        UnaryOperator::Negate => {
            let negated = operand.int().checked_neg();
            let too_large = ArithmeticError::TooLarge.to_string();
            negated.map(Value::Int).ok_or(NoValue::Because(too_large))
        }
        _ => Err(NoValue::NotConstant),
    }
}

fn fold_binary(
    operator: BinaryOperator,
    left: &Expr,
    right: &Expr,
    known: &impl Lookup,
) -> Result<Value, NoValue> {
    let first = fold(left, known)?;
    match (operator, first) {
        (BinaryOperator::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
        (BinaryOperator::Or, Value::Bool(true)) => return Ok(Value::Bool(true)),
        (BinaryOperator::Implies, Value::Bool(false)) => return Ok(Value::Bool(true)),
        _ => {}
    }
    let second = fold(right, known)?;
    if calculates(operator) {
        let result = calculate(operator, first.int(), second.int());
        let because = |error: ArithmeticError| NoValue::Because(error.to_string());
        return result.map(Value::Int).map_err(because);
    }
    if compares(operator) {
        return Ok(Value::Bool(compare(operator, first, second)));
    }
    match operator {
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies => Ok(second),
        BinaryOperator::Iff => Ok(Value::Bool(first == second)),
        _ => Err(NoValue::NotConstant),
    }
}
