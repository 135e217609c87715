//! The value of an expression that needs no state: constants, sizes, initial values; and, for the
//! lints, of a guard under given values of its variables.

use crate::model::action::{Expr, ExprKind, Place};
use crate::model::arithmetic::{calculate, calculates, compare, compares};
use crate::model::syntax::{BinaryOperator, UnaryOperator};
use crate::model::value::Value;

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

/// The value, or why there is none.
pub(crate) fn fold(expr: &Expr, known: &impl Lookup) -> Result<Value, String> {
    match &expr.kind {
        ExprKind::Constant(value) => Ok(*value),
        ExprKind::Read(place) => known.value(place).ok_or_else(not_constant),
        ExprKind::ObjectAt(objects, index) => {
            let index = fold(index, known)?.int();
            let member = usize::try_from(index).ok().and_then(|i| objects.get(i));
            let missing = || format!("index {index} is outside 0..{}", objects.len() - 1);
            Ok(Value::Reference(Some(*member.ok_or_else(missing)?)))
        }
        ExprKind::Unary(operator, operand) => fold_unary(*operator, fold(operand, known)?),
        ExprKind::Binary(operator, left, right) => {
            let folded = fold_binary(*operator, left, right, known)?;
            let too_large = || format!("{} does not fit its type", folded.int());
            expr.ty.admit(folded).ok_or_else(too_large)
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            let chosen = if fold(condition, known)?.bool() {
                then
            } else {
                otherwise
            };
            fold(chosen, known)
        }
        _ => Err(not_constant()),
    }
}

fn not_constant() -> String {
    "this is not known before the system runs".to_owned()
}

fn fold_unary(operator: UnaryOperator, operand: Value) -> Result<Value, String> {
    match operator {
        UnaryOperator::Not => Ok(Value::Bool(!operand.bool())),
        UnaryOperator::Negate => {
            let negated = operand.int().checked_neg();
            negated
                .map(Value::Int)
                .ok_or_else(|| "the number is too large".to_owned())
        }
        _ => Err(not_constant()),
    }
}

fn fold_binary(
    operator: BinaryOperator,
    left: &Expr,
    right: &Expr,
    known: &impl Lookup,
) -> Result<Value, String> {
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
        return result.map(Value::Int).map_err(|error| format!("{error}"));
    }
    if compares(operator) {
        return Ok(Value::Bool(compare(operator, first, second)));
    }
    match operator {
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies => Ok(second),
        BinaryOperator::Iff => Ok(Value::Bool(first == second)),
        _ => Err(not_constant()),
    }
}
