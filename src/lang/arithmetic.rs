//! Checked arithmetic on what comes from a model. Nothing here wraps or panics.

use super::syntax::BinaryOperator;
use super::value::{Type, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticError {
    DivisionByZero,
    /// Beyond 64 bits.
    TooLarge,
}

/// `+ - * / %`; division rounds towards zero, the remainder has the sign of the dividend.
pub fn calculate(operator: BinaryOperator, left: i64, right: i64) -> Result<i64, ArithmeticError> {
    let result = match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => {
            return Err(ArithmeticError::DivisionByZero);
        }
        BinaryOperator::Divide => left.checked_div(right),
        BinaryOperator::Remainder => Some(left.wrapping_rem(right)), // of -2^63 by -1 is 0
        other => unreachable!("{other:?} does not calculate"),
    };
    result.ok_or(ArithmeticError::TooLarge)
}

/// `+ - *` of what is to be kept where numbers wrap. A result beyond 64 bits wraps at once; more sums, differences
/// and products come to the same in the end.
pub fn calculate_wrapping(operator: BinaryOperator, left: i64, right: i64, ty: &Type) -> i64 {
    let (left, right) = (i128::from(left), i128::from(right));
    let result = match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        other => unreachable!("{other:?} needs to know its operands exactly"),
    };
    i64::try_from(result).unwrap_or_else(|_| ty.wrapped(result))
}

/// `== != < <= > >=`
pub fn compare(operator: BinaryOperator, left: Value, right: Value) -> bool {
    match operator {
        BinaryOperator::Equal => left == right,
        BinaryOperator::NotEqual => left != right,
        BinaryOperator::Less => left.int() < right.int(),
        BinaryOperator::LessEqual => left.int() <= right.int(),
        BinaryOperator::Greater => left.int() > right.int(),
        BinaryOperator::GreaterEqual => left.int() >= right.int(),
        other => unreachable!("{other:?} does not compare"),
    }
}

/// Whether the operator is one of `+ - * / %`.
pub fn calculates(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, Add | Subtract | Multiply | Divide | Remainder)
}

/// Whether the operator is one of `== != < <= > >=`.
pub fn compares(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(
        operator,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
    )
}

/// The comparison that is meant when the sides change places.
pub fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        same => same,
    }
}

impl std::fmt::Display for ArithmeticError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ArithmeticError::DivisionByZero => "division by zero",
            ArithmeticError::TooLarge => "the result is beyond 64 bits",
        })
    }
}

impl std::error::Error for ArithmeticError {}
