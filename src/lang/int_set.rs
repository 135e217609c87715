//! Sets of integers: what an abstraction still knows of a number.
//!
//! A set is an interval, of which only those numbers count that leave a certain remainder; most
//! have the modulus 1, so that all count. Numbers have 64 bits: a set that goes on to their end is
//! written as if it had none.
//!
//! Invariants: a set is not empty; its ends belong to it; one that has a single member is
//! `modulus == 1`; `0 <= residue < modulus`. So equal sets are equal values.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntSet {
    low: i64,
    high: i64,
    modulus: u32,
    residue: u32,
}

/// The ends of 64 bits.
pub const NO_LOW: i64 = i64::MIN;
pub const NO_HIGH: i64 = i64::MAX;

impl IntSet {
    pub const ALL: IntSet = IntSet {
        low: NO_LOW,
        high: NO_HIGH,
        modulus: 1,
        residue: 0,
    };

    pub fn one(number: i64) -> IntSet {
        IntSet {
            low: number,
            high: number,
            modulus: 1,
            residue: 0,
        }
    }

    /// All numbers between two; none if there are none.
    pub fn between(low: i64, high: i64) -> Option<IntSet> {
        IntSet::new(low, high, 1, 0)
    }

    /// The numbers between two that leave a remainder; none if there are none.
    pub fn new(low: i64, high: i64, modulus: u32, residue: u32) -> Option<IntSet> {
        let (modulus, residue) = (modulus.max(1), residue % modulus.max(1));
        let (m, r) = (i128::from(modulus), i128::from(residue));
        let lowest = i128::from(low) + (r - i128::from(low)).rem_euclid(m);
        let highest = i128::from(high) - (i128::from(high) - r).rem_euclid(m);
        if lowest > highest {
            return None;
        }
        let (low, high) = (lowest as i64, highest as i64); // both between the ends that were given
        if low == high {
            return Some(IntSet::one(low));
        }
        Some(IntSet {
            low,
            high,
            modulus,
            residue,
        })
    }

    pub fn low(self) -> i64 {
        self.low
    }

    pub fn high(self) -> i64 {
        self.high
    }

    pub fn modulus(self) -> u32 {
        self.modulus
    }

    pub fn residue(self) -> u32 {
        self.residue
    }

    /// Whether a number below the set, within 64 bits, leaves the same remainder.
    pub fn is_bounded_below(self) -> bool {
        i128::from(self.low) - i128::from(self.modulus) >= i128::from(NO_LOW)
    }

    /// Whether a number above the set, within 64 bits, leaves the same remainder.
    pub fn is_bounded_above(self) -> bool {
        i128::from(self.high) + i128::from(self.modulus) <= i128::from(NO_HIGH)
    }

    /// The only member, if there is only one.
    pub fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(self, number: i64) -> bool {
        let inside = (self.low..=self.high).contains(&number);
        inside && i128::from(number).rem_euclid(self.modulus.into()) == i128::from(self.residue)
    }

    /// How many members it has; none for all 2^64.
    pub fn count(self) -> Option<u64> {
        let steps = (i128::from(self.high) - i128::from(self.low)) / i128::from(self.modulus);
        u64::try_from(steps + 1).ok()
    }

    pub fn members(self) -> impl Iterator<Item = i64> {
        let step = usize::try_from(self.modulus).unwrap_or(1);
        (self.low..=self.high).step_by(step)
    }

    /// What both have; none if they have nothing in common.
    pub fn meet(self, other: IntSet) -> Option<IntSet> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low > high {
            return None;
        }
        let (a, b) = match self.modulus >= other.modulus {
            true => (self, other),
            false => (other, self),
        };
        // The residue of the larger modulus that agrees with the smaller one: at most one in each period, which is
        // the least common multiple. It is `a.residue + n * larger`, with `n` below `smaller / common`.
        let (larger, smaller) = (i128::from(a.modulus), i128::from(b.modulus));
        let (common, inverse) = gcd(larger, smaller);
        let period = larger / common * smaller;
        let apart = i128::from(b.residue) - i128::from(a.residue);
        if apart % common != 0 {
            return None;
        }
        let n = (apart / common * inverse).rem_euclid(smaller / common);
        let residue = i128::from(a.residue) + n * larger;
        match u32::try_from(period) {
            Ok(modulus) => IntSet::new(low, high, modulus, residue as u32),
            Err(_) => IntSet::new(low, high, a.modulus, a.residue), // more than both have: sound
        }
    }

    /// Whether all members are in another.
    pub fn is_within(self, other: IntSet) -> bool {
        self.meet(other) == Some(self)
    }
}

/// The greatest common divisor, and a factor that makes it of `a`, but for multiples of `b`.
fn gcd(a: i128, b: i128) -> (i128, i128) {
    let ((mut a, mut b), (mut factor, mut next)) = ((a, b), (1, 0));
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (factor, next) = (next, factor - quotient * next);
    }
    (a, factor)
}

/// `..-1`, `3`, `2..5`, `7..`, `any`; with a modulus `1 mod 2`, `1 mod 2 in 0..9`.
impl fmt::Display for IntSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.low, self.high);
        let ends = (self.is_bounded_below(), self.is_bounded_above());
        if self.modulus > 1 {
            write!(f, "{} mod {}", self.residue, self.modulus)?;
            if ends == (false, false) {
                return Ok(());
            }
            f.write_str(" in ")?;
        }
        match ends {
            (false, false) => f.write_str("any"),
            (false, true) => write!(f, "..{high}"),
            (true, false) => write!(f, "{low}.."),
            (true, true) if low == high => write!(f, "{low}"),
            (true, true) => write!(f, "{low}..{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: i64 = 9;

    fn small_sets() -> Vec<IntSet> {
        let ends = -SPAN..=SPAN;
        let mut all = vec![IntSet::ALL];
        for low in ends.clone().step_by(3) {
            for high in ends.clone().step_by(2) {
                for modulus in 1..4 {
                    for residue in 0..modulus {
                        all.extend(IntSet::new(low, high, modulus, residue));
                        all.extend(IntSet::new(NO_LOW, high, modulus, residue));
                        all.extend(IntSet::new(low, NO_HIGH, modulus, residue));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn what_both_have_is_what_is_in_both() {
        let sets = small_sets();
        for a in &sets {
            for b in &sets {
                for number in -2 * SPAN..=2 * SPAN {
                    let both = a.contains(number) && b.contains(number);
                    let met = a.meet(*b).is_some_and(|met| met.contains(number));
                    assert_eq!(met, both, "{number} in {a} and {b}");
                }
            }
        }
    }

    /// With as many candidates as there are, this would take minutes.
    #[test]
    fn sets_with_large_moduli_meet_at_once() {
        let (m, n) = (u32::MAX, u32::MAX - 1);
        let a = IntSet::new(NO_LOW, NO_HIGH, m, 17).expect("a set");
        let b = IntSet::new(NO_LOW, NO_HIGH, n, 4_000_000_000).expect("a set");
        let met = a.meet(b).expect("the moduli have no common divisor");
        assert!(met.low() <= met.high());
        let even = IntSet::new(NO_LOW, NO_HIGH, n, 2).expect("even numbers");
        let odd = IntSet::new(NO_LOW, NO_HIGH, n - 2, 3).expect("odd numbers");
        assert_eq!(even.meet(odd), None);
    }

    #[test]
    fn members_are_what_it_contains() {
        let is_small = |set: &IntSet| set.low() >= -SPAN && set.high() <= SPAN;
        for set in small_sets().into_iter().filter(is_small) {
            let listed: Vec<i64> = set.members().collect();
            let contained: Vec<i64> = (-SPAN..=SPAN).filter(|n| set.contains(*n)).collect();
            assert_eq!(listed, contained, "{set}");
            assert_eq!(set.count(), Some(listed.len() as u64), "{set}");
        }
    }

    #[test]
    fn the_ends_of_64_bits_do_no_harm() {
        let odd = IntSet::new(NO_LOW, NO_HIGH, 2, 1).expect("odd numbers");
        assert!(odd.contains(-1) && odd.contains(i64::MAX) && !odd.contains(0));
        let near = IntSet::between(i64::MAX - 3, NO_HIGH).expect("the last ones");
        assert!(near.contains(i64::MAX));
        assert_eq!(near.members().count(), 4);
        assert_eq!(near.count(), Some(4));
        assert_eq!(IntSet::ALL.count(), None);
        assert_eq!(odd.count(), Some(1 << 63));
        assert_eq!((odd.low(), odd.high()), (i64::MIN + 1, i64::MAX));
        assert_eq!(odd.to_string(), "1 mod 2");
        assert_eq!(IntSet::between(5, 4), None);
    }
}
