//! Operators on sets of numbers: what the concrete operator gives for any members.
//!
//! `+`, `-` and comparisons are exact on intervals; everything is sound. Results are mathematical
//! integers: where they leave a type is the affair of whoever stores them.

use crate::lang::{BinaryOperator, IntSet, NO_HIGH, NO_LOW};

/// What an operation may give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The numbers, of which at least all possible ones.
    pub numbers: Option<IntSet>,
    pub may_divide_by_zero: bool,
}

impl Results {
    fn of(numbers: Option<IntSet>) -> Results {
        Results {
            numbers,
            may_divide_by_zero: false,
        }
    }
}

/// `+ - * / %`
pub fn calculate(operator: BinaryOperator, left: IntSet, right: IntSet) -> Results {
    match operator {
        BinaryOperator::Add => Results::of(add(left, right)),
        BinaryOperator::Subtract => Results::of(add(left, negate(right))),
        BinaryOperator::Multiply => Results::of(multiply(left, right)),
        BinaryOperator::Divide => without_zero(right, |right| divide(left, right)),
        BinaryOperator::Remainder => without_zero(right, |right| remainder(left, right)),
        other => unreachable!("{other:?} does not calculate"),
    }
}

/// `== != < <= > >=`: whether it may be true, and whether it may be false.
pub fn compare(operator: BinaryOperator, left: IntSet, right: IntSet) -> (bool, bool) {
    let swapped = |(holds, fails): (bool, bool)| (fails, holds);
    match operator {
        BinaryOperator::Less => {
            let least = left.low() == NO_LOW || right.high() == NO_HIGH;
            let most = left.high() == NO_HIGH || right.low() == NO_LOW;
            (
                least || left.low() < right.high(),
                most || left.high() >= right.low(),
            )
        }
        BinaryOperator::Greater => compare(BinaryOperator::Less, right, left),
        BinaryOperator::GreaterEqual => swapped(compare(BinaryOperator::Less, left, right)),
        BinaryOperator::LessEqual => swapped(compare(BinaryOperator::Less, right, left)),
        BinaryOperator::Equal => {
            let same = left.only().is_some() && left == right;
            (left.meet(right).is_some(), !same)
        }
        BinaryOperator::NotEqual => swapped(compare(BinaryOperator::Equal, left, right)),
        other => unreachable!("{other:?} does not compare"),
    }
}

/// An end of a set: a number, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Below,
    At(i128),
    Above,
}

fn ends(set: IntSet) -> (End, End) {
    let low = match set.low() {
        NO_LOW => End::Below,
        low => End::At(low.into()),
    };
    let high = match set.high() {
        NO_HIGH => End::Above,
        high => End::At(high.into()),
    };
    (low, high)
}

/// The set between two ends, which may be beyond 64 bits, of those that leave a remainder.
fn between(low: End, high: End, modulus: u128, residue: i128) -> Option<IntSet> {
    let low = match low {
        End::Below => NO_LOW,
        End::At(low) => low.clamp(NO_LOW.into(), NO_HIGH.into()) as i64,
        End::Above => NO_HIGH,
    };
    let high = match high {
        End::Above => NO_HIGH,
        End::At(high) => high.clamp(NO_LOW.into(), NO_HIGH.into()) as i64,
        End::Below => NO_LOW,
    };
    match u32::try_from(modulus) {
        Ok(modulus) if modulus > 1 => IntSet::new(
            low,
            high,
            modulus,
            residue.rem_euclid(modulus.into()) as u32,
        ),
        _ => IntSet::between(low, high),
    }
}

/// The modulus of a set, 0 for a single number: as if it left a remainder of everything.
fn step(set: IntSet) -> (u128, i128) {
    match set.only() {
        Some(number) => (0, number.into()),
        None => (set.modulus().into(), set.residue().into()),
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

fn plus(a: End, b: End) -> End {
    match (a, b) {
        (End::At(a), End::At(b)) => End::At(a + b),
        (End::At(_), open) | (open, _) => open,
    }
}

fn add(left: IntSet, right: IntSet) -> Option<IntSet> {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let ((m, r), (n, s)) = (step(left), step(right));
    between(plus(a, c), plus(b, d), gcd(m, n), r + s)
}

fn negate(set: IntSet) -> IntSet {
    let (low, high) = ends(set);
    let flip = |end: End| match end {
        End::Below => End::Above,
        End::At(number) => End::At(-number),
        End::Above => End::Below,
    };
    let (modulus, residue) = step(set);
    between(flip(high), flip(low), modulus, -residue).unwrap_or(IntSet::ALL)
}

fn times(a: End, b: End) -> End {
    let sign = |end: End| match end {
        End::Below => -1,
        End::At(number) => number.signum(),
        End::Above => 1,
    };
    match (a, b) {
        (End::At(a), End::At(b)) => End::At(a * b),
        _ => match sign(a) * sign(b) {
            0 => End::At(0), // nothing is without end but the ends themselves
            1 => End::Above,
            _ => End::Below,
        },
    }
}

fn multiply(left: IntSet, right: IntSet) -> Option<IntSet> {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let corners = [times(a, c), times(a, d), times(b, c), times(b, d)];
    let low = corners.iter().min().copied().unwrap_or(End::Below);
    let high = corners.iter().max().copied().unwrap_or(End::Above);
    let (modulus, residue) = match (step(left), step(right)) {
        ((0, factor), (modulus, residue)) | ((modulus, residue), (0, factor)) => (
            modulus.saturating_mul(factor.unsigned_abs()),
            residue * factor,
        ),
        _ => (1, 0),
    };
    between(low, high, modulus, residue)
}

/// Applies a division to the members of the divisor that are not 0.
fn without_zero(right: IntSet, divide: impl Fn(IntSet) -> Option<IntSet>) -> Results {
    let part = |low, high| right.meet(IntSet::between(low, high)?);
    let parts = [part(NO_LOW, -1), part(1, NO_HIGH)];
    let results = parts.into_iter().flatten().filter_map(divide);
    Results {
        numbers: results.reduce(hull),
        may_divide_by_zero: right.contains(0),
    }
}

/// The least interval around both.
fn hull(a: IntSet, b: IntSet) -> IntSet {
    let (low, high) = (a.low().min(b.low()), a.high().max(b.high()));
    let same = a.modulus() == b.modulus() && a.residue() == b.residue();
    let (modulus, residue) = match same {
        true => (a.modulus(), a.residue()),
        false => (1, 0),
    };
    IntSet::new(low, high, modulus, residue).unwrap_or(IntSet::ALL)
}

/// Rounds towards zero. The divisor is all positive, or all negative.
fn divide(left: IntSet, right: IntSet) -> Option<IntSet> {
    let quotient = |a: End, b: End| match (a, b) {
        (End::At(a), End::At(b)) => End::At(a / b),
        (End::At(_), _) => End::At(0),
        (open, End::At(b)) if (open == End::Above) == (b > 0) => End::Above,
        (_, End::At(_)) => End::Below,
        _ => End::At(0), // between 0 and no end; the other corners have the end
    };
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let corners = [
        quotient(a, c),
        quotient(a, d),
        quotient(b, c),
        quotient(b, d),
    ];
    let low = corners.iter().min().copied()?;
    let high = corners.iter().max().copied()?;
    between(low, high, 1, 0)
}

/// Has the sign of the dividend. The divisor is all positive, or all negative.
fn remainder(left: IntSet, right: IntSet) -> Option<IntSet> {
    if let (Some(left), Some(right)) = (left.only(), right.only()) {
        return Some(IntSet::one(left.wrapping_rem(right)));
    }
    let sizes = if right.low() > 0 {
        right
    } else {
        negate(right)
    };
    let most = match sizes.high() {
        NO_HIGH => NO_HIGH,
        high => high - 1,
    };
    // Where all of the dividend is nearer to 0 than the divisor, it is the remainder itself.
    let is_small = |end: i64| end.unsigned_abs() < sizes.low().unsigned_abs();
    if !left.is_open() && is_small(left.low()) && is_small(left.high()) {
        return Some(left);
    }
    let low = if left.low() < 0 {
        left.low().max(-most)
    } else {
        0
    };
    let high = if left.high() > 0 {
        left.high().min(most)
    } else {
        0
    };
    let (modulus, residue) = match right.only() {
        Some(divisor) => {
            let (modulus, residue) = step(left);
            (gcd(modulus, divisor.unsigned_abs().into()), residue)
        }
        None => (1, 0),
    };
    let low = if low == -NO_HIGH { NO_LOW } else { low };
    between(ends_of(low).0, ends_of(high).1, modulus, residue)
}

fn ends_of(number: i64) -> (End, End) {
    (
        if number == NO_LOW {
            End::Below
        } else {
            End::At(number.into())
        },
        if number == NO_HIGH {
            End::Above
        } else {
            End::At(number.into())
        },
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert, prop_assume, proptest};

    use super::*;
    use crate::lang::{Value, calculate as concrete, compare as compare_concrete};

    const SPAN: i64 = 5;
    const CALCULATIONS: [BinaryOperator; 5] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
    ];
    const COMPARISONS: [BinaryOperator; 6] = [
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
    ];

    /// All sets between two small numbers, with small moduli.
    fn sets() -> Vec<IntSet> {
        let mut all: Vec<IntSet> = Vec::new();
        for low in -SPAN..=SPAN {
            for high in low..=SPAN {
                for modulus in 1..=3 {
                    all.extend((0..modulus).filter_map(|r| IntSet::new(low, high, modulus, r)));
                }
            }
        }
        all.sort();
        all.dedup();
        all
    }

    fn pairs(a: IntSet, b: IntSet) -> impl Iterator<Item = (i64, i64)> {
        a.members()
            .flat_map(move |x| b.members().map(move |y| (x, y)))
    }

    #[test]
    fn every_concrete_result_is_in_the_abstract_one() {
        for a in sets() {
            for b in sets() {
                for operator in CALCULATIONS {
                    let results = calculate(operator, a, b);
                    for (x, y) in pairs(a, b) {
                        match concrete(operator, x, y) {
                            Ok(z) => assert!(
                                results.numbers.is_some_and(|set| set.contains(z)),
                                "{x} {operator:?} {y} = {z}, but {a} and {b} give {results:?}"
                            ),
                            Err(_) => assert!(results.may_divide_by_zero),
                        }
                    }
                }
            }
        }
    }

    /// On intervals nothing is added that no members give.
    #[test]
    fn sums_and_differences_of_intervals_are_exact() {
        for a in sets().into_iter().filter(|set| set.modulus() == 1) {
            for b in sets().into_iter().filter(|set| set.modulus() == 1) {
                for operator in [BinaryOperator::Add, BinaryOperator::Subtract] {
                    let mut image: Vec<i64> = pairs(a, b)
                        .filter_map(|(x, y)| concrete(operator, x, y).ok())
                        .collect();
                    image.sort_unstable();
                    image.dedup();
                    let numbers = calculate(operator, a, b).numbers.expect("a result");
                    assert_eq!(numbers.members().collect::<Vec<_>>(), image);
                }
            }
        }
    }

    #[test]
    fn comparisons_are_exact() {
        for a in sets() {
            for b in sets() {
                for operator in COMPARISONS {
                    let truth = |x, y| compare_concrete(operator, Value::Int(x), Value::Int(y));
                    let may_hold = pairs(a, b).any(|(x, y)| truth(x, y));
                    let may_fail = pairs(a, b).any(|(x, y)| !truth(x, y));
                    let found = compare(operator, a, b);
                    assert_eq!(found, (may_hold, may_fail), "{a} {operator:?} {b}");
                }
            }
        }
    }

    #[test]
    fn division_by_a_set_of_one_sign_is_exact_at_its_ends() {
        let set = |low, high| IntSet::between(low, high).expect("a set");
        let divided = calculate(BinaryOperator::Divide, set(-7, 9), set(2, 3)).numbers;
        assert_eq!(divided, Some(set(-3, 4)));
        let odd = IntSet::new(NO_LOW, NO_HIGH, 2, 1).expect("odd numbers");
        let rest = calculate(BinaryOperator::Remainder, odd, IntSet::one(2)).numbers;
        assert_eq!(rest, IntSet::new(-1, 1, 2, 1));
        let positive = set(0, NO_HIGH).meet(odd).expect("odd and positive");
        let rest = calculate(BinaryOperator::Remainder, positive, IntSet::one(2)).numbers;
        assert_eq!(rest, Some(IntSet::one(1)));
    }

    /// A set with ends of 32 bits or none, and one of its members.
    fn large_sets() -> impl Strategy<Value = (IntSet, i64)> {
        let number = -(1i64 << 31)..1 << 31;
        let open = proptest::bool::weighted(0.2);
        let ends = (number.clone(), number, open, open);
        (ends, 1u32..6, 0u32..6).prop_map(|((a, b, below, above), modulus, residue)| {
            let (member, other) = (a.min(b), a.max(b));
            let residue = match residue {
                0 => 0,
                _ => member.rem_euclid(modulus.into()) as u32,
            };
            let low = if below { NO_LOW } else { member };
            let high = if above { NO_HIGH } else { other };
            let set = IntSet::new(low, high, modulus, residue).unwrap_or(IntSet::one(member));
            let member = match set.low() {
                NO_LOW => set.meet(IntSet::between(member, NO_HIGH).expect("a set")),
                _ => Some(set),
            };
            (set, member.map_or(set.low(), IntSet::low))
        })
    }

    proptest! {
        #[test]
        fn members_of_large_sets_stay_inside(
            (a, x) in large_sets(),
            (b, y) in large_sets(),
            operator in proptest::sample::select(CALCULATIONS.to_vec()),
        ) {
            prop_assume!(a.contains(x) && b.contains(y));
            let results = calculate(operator, a, b);
            if let Ok(z) = concrete(operator, x, y) {
                prop_assert!(
                    results.numbers.is_some_and(|set| set.contains(z)),
                    "{} {:?} {} = {}, but {} and {} give {:?}", x, operator, y, z, a, b, results
                );
            }
        }
    }
}
