//! Operators on sets of numbers: what the concrete operator gives for any members.
//!
//! `+`, `-` and comparisons are exact on intervals; everything is sound. Results beyond 64 bits are a fault, as
//! they are for the concrete operator; where they leave a smaller type is the affair of whoever stores them.

use crate::lang::{BinaryOperator, IntSet, NO_HIGH, NO_LOW};

/// What an operation may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// The numbers, of which at least all possible ones.
    pub numbers: Option<IntSet>,
    pub may_divide_by_zero: bool,
    /// Whether a result may be beyond 64 bits.
    pub may_be_too_large: bool,
}

/// `+ - * / %`
pub fn calculate(operator: BinaryOperator, left: IntSet, right: IntSet) -> Results {
    match operator {
        BinaryOperator::Add => within_64_bits(add(left, right)),
        BinaryOperator::Subtract => within_64_bits(subtract(left, right)),
        BinaryOperator::Multiply => within_64_bits(multiply(left, right)),
        BinaryOperator::Divide => without_zero(right, |right| divide(left, right)),
        BinaryOperator::Remainder => without_zero(right, |right| remainder(left, right)),
        other => unreachable!("{other:?} does not calculate"),
    }
}

/// `== != < <= > >=`: whether it may be true, and whether it may be false.
pub fn compare(operator: BinaryOperator, left: IntSet, right: IntSet) -> (bool, bool) {
    let swapped = |(holds, fails): (bool, bool)| (fails, holds);
    match operator {
        BinaryOperator::Less => (left.low() < right.high(), left.high() >= right.low()),
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

/// A set of results: an interval whose ends are results, of which those count that leave a remainder. Two
/// numbers of 64 bits give one of 127 at most.
struct Span {
    low: i128,
    high: i128,
    modulus: u128,
    residue: i128,
}

/// The part that fits in 64 bits, and whether there is another.
fn within_64_bits(span: Span) -> Results {
    let ends = i128::from(NO_LOW)..=i128::from(NO_HIGH);
    let (low, high) = (span.low.max(*ends.start()), span.high.min(*ends.end()));
    let set = |low, high| match u32::try_from(span.modulus) {
        Ok(modulus) if modulus > 1 => {
            let residue = span.residue.rem_euclid(modulus.into()) as u32;
            IntSet::new(low, high, modulus, residue)
        }
        _ => IntSet::between(low, high),
    };
    Results {
        // Where there is nothing left, the ends are on the same side of all that fits.
        numbers: (low <= high)
            .then(|| set(low as i64, high as i64))
            .flatten(),
        may_divide_by_zero: false,
        may_be_too_large: !ends.contains(&span.low) || !ends.contains(&span.high),
    }
}

fn ends(set: IntSet) -> (i128, i128) {
    (set.low().into(), set.high().into())
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

fn add(left: IntSet, right: IntSet) -> Span {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let ((m, r), (n, s)) = (step(left), step(right));
    Span {
        low: a + c,
        high: b + d,
        modulus: gcd(m, n),
        residue: r + s,
    }
}

fn subtract(left: IntSet, right: IntSet) -> Span {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let ((m, r), (n, s)) = (step(left), step(right));
    Span {
        low: a - d,
        high: b - c,
        modulus: gcd(m, n),
        residue: r - s,
    }
}

fn multiply(left: IntSet, right: IntSet) -> Span {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let (modulus, residue) = match (step(left), step(right)) {
        ((0, factor), (modulus, residue)) | ((modulus, residue), (0, factor)) => {
            (modulus * factor.unsigned_abs(), residue * factor)
        }
        _ => (1, 0),
    };
    around([a * c, a * d, b * c, b * d], modulus, residue)
}

fn around(corners: [i128; 4], modulus: u128, residue: i128) -> Span {
    let [a, b, c, d] = corners;
    Span {
        low: a.min(b).min(c).min(d),
        high: a.max(b).max(c).max(d),
        modulus,
        residue,
    }
}

/// Applies a division to the members of the divisor that are not 0.
fn without_zero(right: IntSet, divide: impl Fn(IntSet) -> Span) -> Results {
    let part = |low, high| right.meet(IntSet::between(low, high)?);
    let parts = [part(NO_LOW, -1), part(1, NO_HIGH)];
    let mut all = Results {
        numbers: None,
        may_divide_by_zero: right.contains(0),
        may_be_too_large: false,
    };
    for part in parts.into_iter().flatten() {
        let results = within_64_bits(divide(part));
        all.numbers = all.numbers.into_iter().chain(results.numbers).reduce(hull);
        all.may_be_too_large |= results.may_be_too_large;
    }
    all
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

/// Rounds towards zero. The divisor is all positive, or all negative, so that a quotient is furthest from zero, or
/// nearest to it, at the ends.
fn divide(left: IntSet, right: IntSet) -> Span {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    around([a / c, a / d, b / c, b / d], 1, 0)
}

/// Has the sign of the dividend. The divisor is all positive, or all negative.
fn remainder(left: IntSet, right: IntSet) -> Span {
    let ((a, b), (c, d)) = (ends(left), ends(right));
    let (nearest, furthest) = (c.abs().min(d.abs()), c.abs().max(d.abs()));
    let (modulus, residue) = step(left);
    // Where all of the dividend is nearer to 0 than the divisor, it is the remainder itself.
    if a.abs() < nearest && b.abs() < nearest {
        return Span {
            low: a,
            high: b,
            modulus,
            residue,
        };
    }
    if let (Some(_), Some(_)) = (left.only(), right.only()) {
        let rest = a % c;
        return around([rest; 4], 0, rest);
    }
    let most = furthest - 1;
    let (modulus, residue) = match right.only() {
        Some(_) => (gcd(modulus, nearest.unsigned_abs()), residue),
        None => (1, 0),
    };
    Span {
        low: a.max(-most).min(0),
        high: b.min(most).max(0),
        modulus,
        residue,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert, proptest};

    use super::*;
    use crate::lang::{ArithmeticError, Value, calculate as concrete, compare as compare_concrete};

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

    /// Whether what a concrete operator gave is among what an abstract one did.
    fn covers(results: Results, result: Result<i64, ArithmeticError>) -> bool {
        match result {
            Ok(number) => results.numbers.is_some_and(|set| set.contains(number)),
            Err(ArithmeticError::DivisionByZero) => results.may_divide_by_zero,
            Err(ArithmeticError::TooLarge) => results.may_be_too_large,
        }
    }

    /// The ends of 31, 32, 63 and 64 bits, their neighbours, and small numbers.
    fn edges() -> Vec<i64> {
        let ends = [30, 31, 32, 62, 63].map(|bits| 1i128 << bits);
        let ends = ends.into_iter().flat_map(|end| [-end, end]).chain([0]);
        let near = ends.flat_map(|end| (-2..=2).map(move |by| end + by));
        let mut all: Vec<i64> = near
            .filter_map(|number| i64::try_from(number).ok())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn at_the_edges_single_numbers_give_what_the_concrete_operator_gives() {
        for x in edges() {
            for y in edges() {
                for operator in CALCULATIONS {
                    let results = calculate(operator, IntSet::one(x), IntSet::one(y));
                    let only = match concrete(operator, x, y) {
                        Ok(number) => (Some(IntSet::one(number)), false, false),
                        Err(ArithmeticError::DivisionByZero) => (None, true, false),
                        Err(ArithmeticError::TooLarge) => (None, false, true),
                    };
                    let found = (
                        results.numbers,
                        results.may_divide_by_zero,
                        results.may_be_too_large,
                    );
                    assert_eq!(found, only, "{x} {operator:?} {y}");
                }
            }
        }
    }

    /// Sets between two edges, with small moduli, and the edges in them.
    fn sets_of_edges() -> Vec<(IntSet, Vec<i64>)> {
        let edges = edges();
        let mut all = Vec::new();
        for (index, low) in edges.iter().enumerate().step_by(3) {
            for high in edges[index..].iter().step_by(4) {
                for (modulus, residue) in [(1, 0), (2, 1), (3, 2)] {
                    let Some(set) = IntSet::new(*low, *high, modulus, residue) else {
                        continue;
                    };
                    let ends = [set.low(), set.high()];
                    let inside = edges.iter().copied().filter(|edge| set.contains(*edge));
                    let members: Vec<i64> = inside.chain(ends).collect();
                    all.push((set, members));
                }
            }
        }
        all
    }

    #[test]
    fn at_the_edges_every_concrete_result_and_fault_is_in_the_abstract_one() {
        let sets = sets_of_edges();
        for (a, xs) in sets.iter().step_by(2) {
            for (b, ys) in sets.iter().step_by(5) {
                for operator in CALCULATIONS {
                    let results = calculate(operator, *a, *b);
                    for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                        assert!(
                            covers(results, concrete(operator, x, y)),
                            "{x} {operator:?} {y}, but {a} and {b} give {results:?}"
                        );
                    }
                }
                for operator in COMPARISONS {
                    let truth = |x, y| compare_concrete(operator, Value::Int(x), Value::Int(y));
                    let (may_hold, may_fail) = compare(operator, *a, *b);
                    for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                        let is_covered = if truth(x, y) { may_hold } else { may_fail };
                        assert!(is_covered, "{x} {operator:?} {y} of {a} and {b}");
                    }
                }
            }
        }
    }

    /// No fault is seen that there is not: a proof would be lost.
    #[test]
    fn a_fault_beyond_64_bits_is_one_of_some_members() {
        for (a, xs) in sets_of_edges().iter().step_by(2) {
            for (b, ys) in sets_of_edges().iter().step_by(5) {
                for operator in CALCULATIONS {
                    let is_too_large =
                        |x, y| concrete(operator, x, y) == Err(ArithmeticError::TooLarge);
                    let found = xs.iter().any(|x| ys.iter().any(|y| is_too_large(*x, *y)));
                    let results = calculate(operator, *a, *b);
                    assert_eq!(results.may_be_too_large, found, "{a} {operator:?} {b}");
                }
            }
        }
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
                        assert!(
                            covers(results, concrete(operator, x, y)),
                            "{x} {operator:?} {y}, but {a} and {b} give {results:?}"
                        );
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

    /// A set with ends of 64 bits, many of them near an edge, and one of its members.
    fn large_sets() -> impl Strategy<Value = (IntSet, i64)> {
        let edge = proptest::sample::select(edges());
        let number = || proptest::prop_oneof![edge.clone(), -9i64..9, proptest::num::i64::ANY];
        let three = (number(), number(), number());
        (three, 1u32..6, 0u32..6).prop_map(|((a, b, c), modulus, residue)| {
            let set = IntSet::new(a.min(b), a.max(b), modulus, residue).unwrap_or(IntSet::one(a));
            let above = IntSet::between(c, NO_HIGH).and_then(|above| set.meet(above));
            (set, above.map_or(set.high(), IntSet::low))
        })
    }

    proptest! {
        #[test]
        fn members_of_large_sets_stay_inside(
            (a, x) in large_sets(),
            (b, y) in large_sets(),
            operator in proptest::sample::select(CALCULATIONS.to_vec()),
        ) {
            prop_assert!(a.contains(x) && b.contains(y));
            let results = calculate(operator, a, b);
            prop_assert!(
                covers(results, concrete(operator, x, y)),
                "{} {:?} {}, but {} and {} give {:?}", x, operator, y, a, b, results
            );
        }
    }
}
