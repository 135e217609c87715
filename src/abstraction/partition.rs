//! Which numbers of a variable are told apart: all of them, or blocks.
//!
//! Blocks are intervals between cuts, each divided again by the remainder of its numbers. Every
//! domain of the language is one of these: a sign is cut at 0 and 1, a parity has no cuts and the
//! modulus 2. So there is one way to split.

use std::collections::BTreeSet;
use std::fmt;

use crate::lang::{Domain, IntSet, NO_HIGH, NO_LOW};

/// Blocks beyond this many that a value may be in are not told apart: the value is any of them.
const MOST_OUTCOMES: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partition {
    /// Each number is a block of its own.
    Exact,
    Blocks {
        /// Where blocks begin.
        cuts: BTreeSet<i64>,
        modulus: u32,
    },
}

impl Partition {
    /// Nothing is told apart.
    pub fn any() -> Partition {
        Partition::Blocks {
            cuts: BTreeSet::new(),
            modulus: 1,
        }
    }

    fn cut_at(cuts: impl IntoIterator<Item = i64>) -> Partition {
        Partition::Blocks {
            cuts: cuts.into_iter().filter(|cut| *cut != NO_LOW).collect(),
            modulus: 1,
        }
    }

    /// What a domain tells apart, `auto` being this.
    pub fn of(domain: &Domain, auto: &Partition) -> Partition {
        match domain {
            Domain::Exact => Partition::Exact,
            Domain::Any => Partition::any(),
            Domain::Sign => Partition::cut_at([0, 1]),
            Domain::Parity => Partition::modulo(2),
            Domain::Modulo(n) => u32::try_from(*n).map_or(Partition::Exact, Partition::modulo),
            Domain::Range(low, high) => each(*low, *high),
            Domain::Timer(k) => each(0, k.saturating_sub(1)),
            Domain::Values(values) => {
                Partition::cut_at(values.iter().flat_map(|v| [*v, v.saturating_add(1)]))
            }
            Domain::Intervals(intervals) => {
                Partition::cut_at(intervals.iter().filter_map(|(low, _)| *low))
            }
            Domain::Auto => auto.clone(),
            Domain::Both(one, other) => {
                let mut both = Partition::of(one, auto);
                both.merge(&Partition::of(other, auto));
                both
            }
        }
    }

    /// As a domain of the language, in its words.
    pub fn domain(&self) -> String {
        let Partition::Blocks { cuts, modulus } = self else {
            return "exact".to_owned();
        };
        let modulo = (*modulus > 1).then(|| format!("modulo({modulus})"));
        let intervals = (!cuts.is_empty()).then(|| format!("intervals({})", intervals(cuts)));
        let both: Vec<String> = modulo.into_iter().chain(intervals).collect();
        match both.is_empty() {
            true => "any".to_owned(),
            false => both.join(" && "),
        }
    }

    fn modulo(modulus: u32) -> Partition {
        Partition::Blocks {
            cuts: BTreeSet::new(),
            modulus,
        }
    }

    /// The blocks, within a type, that have a member in a set.
    pub fn blocks(&self, set: IntSet, within: IntSet) -> Vec<IntSet> {
        let Partition::Blocks { cuts, modulus } = self else {
            return match set.count() {
                Some(count) if count <= MOST_OUTCOMES as u64 => {
                    set.members().map(IntSet::one).collect()
                }
                _ => vec![set],
            };
        };
        let mut blocks = Vec::new();
        let mut low = block_start(cuts, set.low());
        loop {
            let next = cuts.range((std::ops::Bound::Excluded(low), std::ops::Bound::Unbounded));
            let high = next.clone().next().map_or(NO_HIGH, |next| next - 1);
            let part = IntSet::between(low, high).and_then(|part| part.meet(set));
            let Some(residues) = part.map_or(Some(Vec::new()), |part| residues(part, *modulus))
            else {
                return vec![set];
            };
            for residue in residues {
                let block = IntSet::new(low, high, *modulus, residue);
                let block = block.and_then(|block| block.meet(within));
                blocks.extend(block.filter(|block| block.meet(set).is_some()));
            }
            if high == NO_HIGH || high >= set.high() {
                break;
            }
            low = high + 1;
        }
        match blocks.len() <= MOST_OUTCOMES {
            true => blocks,
            false => vec![set],
        }
    }

    /// The block of a number.
    pub fn block(&self, number: i64, within: IntSet) -> IntSet {
        let blocks = self.blocks(IntSet::one(number), within);
        blocks.first().copied().unwrap_or(IntSet::one(number))
    }

    /// Tells a number apart from all others (Ojala 5.3); whether that is new.
    pub fn split_out(&mut self, number: i64) -> bool {
        let before = self.cut_before(number);
        match number.checked_add(1) {
            Some(next) => self.cut_before(next) | before,
            None => before,
        }
    }

    /// Tells the numbers from this one on apart from those before it; whether that is new.
    pub fn cut_before(&mut self, number: i64) -> bool {
        match self {
            Partition::Exact => false,
            Partition::Blocks { cuts, .. } => number != NO_LOW && cuts.insert(number),
        }
    }

    /// Tells apart what another tells apart as well; whether that is new.
    pub fn merge(&mut self, other: &Partition) -> bool {
        match other {
            Partition::Exact => self.make_exact(),
            Partition::Blocks { cuts, modulus } => {
                let new = cuts.iter().filter(|cut| self.cut_before(**cut)).count();
                self.divide(*modulus) || new > 0
            }
        }
    }

    /// Tells numbers apart by their remainders as well; whether that is new.
    fn divide(&mut self, by: u32) -> bool {
        let Partition::Blocks { modulus, .. } = self else {
            return false;
        };
        let before = *modulus;
        let divisor = gcd(before, by);
        let common = (before / divisor).checked_mul(by); // none: remainders of too much
        *modulus = common.unwrap_or(before);
        *modulus != before
    }

    /// Tells all numbers apart; whether that is new.
    pub fn make_exact(&mut self) -> bool {
        let is_new = *self != Partition::Exact;
        *self = Partition::Exact;
        is_new
    }
}

/// The remainders that members of a set may leave; none if they are too many to be told apart.
fn residues(set: IntSet, modulus: u32) -> Option<Vec<u32>> {
    if set
        .count()
        .is_some_and(|count| count <= MOST_OUTCOMES as u64)
    {
        let residue = |number: i64| i128::from(number).rem_euclid(modulus.into()) as u32;
        let all: BTreeSet<u32> = set.members().map(residue).collect();
        return Some(all.into_iter().collect());
    }
    let step = gcd(set.modulus(), modulus);
    let first = set.residue() % step;
    let is_few = modulus / step <= MOST_OUTCOMES as u32;
    is_few.then(|| (first..modulus).step_by(step as usize).collect())
}

fn gcd(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// `..-1, 0, 1..`
fn intervals(cuts: &BTreeSet<i64>) -> String {
    let starts = std::iter::once(NO_LOW).chain(cuts.iter().copied());
    let ends = cuts.iter().map(|cut| cut - 1).chain([NO_HIGH]);
    let blocks = starts
        .zip(ends)
        .filter_map(|(low, high)| IntSet::between(low, high))
        .map(|block| block.to_string());
    blocks.collect::<Vec<_>>().join(", ")
}

/// The same, but long rows of single numbers are `each of 0..40`.
fn in_words(cuts: &BTreeSet<i64>) -> String {
    const LONG: usize = 7;
    let starts: Vec<i64> = cuts.iter().copied().collect();
    let mut words = Vec::new();
    let mut from = 0;
    let mut open = NO_LOW; // where the block before the next cut begins
    while from < starts.len() {
        let row = starts[from..]
            .windows(2)
            .take_while(|pair| pair[0].checked_add(1) == Some(pair[1]))
            .count();
        words.extend(IntSet::between(open, starts[from] - 1).map(|block| block.to_string()));
        open = starts[from];
        if row >= LONG {
            words.push(format!(
                "each of {}..{}",
                starts[from],
                starts[from + row] - 1
            ));
            from += row;
            open = starts[from];
        }
        from += 1;
    }
    words.extend(IntSet::between(open, NO_HIGH).map(|block| block.to_string()));
    words.join(", ")
}

/// Each number between two is a block, what is below and above is one each.
fn each(low: i64, high: i64) -> Partition {
    Partition::cut_at(low..=high.saturating_add(1))
}

/// Where the block of a number begins.
fn block_start(cuts: &BTreeSet<i64>, number: i64) -> i64 {
    cuts.range(..=number).next_back().copied().unwrap_or(NO_LOW)
}

/// `..-1, 0, 1..`
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Partition::Blocks { cuts, modulus } = self else {
            return f.write_str("all values");
        };
        f.write_str(&in_words(cuts))?;
        match modulus {
            1 => Ok(()),
            modulus => write!(f, ", each modulo {modulus}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(text: &[i64]) -> Partition {
        Partition::cut_at(text.iter().copied())
    }

    fn shown(blocks: Vec<IntSet>) -> Vec<String> {
        blocks.iter().map(IntSet::to_string).collect()
    }

    /// Ojala 5.3: splitting `..-5, [-4,1], 2, 3..` by -13.
    #[test]
    fn splitting_out_a_number_leaves_both_sides() {
        let mut split = partition(&[-4, 2, 3]);
        assert_eq!(split.to_string(), "..-5, -4..1, 2, 3..");
        assert!(split.split_out(-13));
        assert_eq!(split.to_string(), "..-14, -13, -12..-5, -4..1, 2, 3..");
        assert!(!split.split_out(-13), "nothing new");
    }

    #[test]
    fn a_sum_is_mapped_to_exactly_the_blocks_that_it_meets() {
        let blocks = partition(&[-4, 2, 3]);
        let sum = crate::abstraction::operators::calculate(
            crate::lang::BinaryOperator::Add,
            IntSet::one(2),
            IntSet::between(-4, 1).expect("a set"),
        );
        let met = blocks.blocks(sum.numbers.expect("a sum"), IntSet::ALL);
        assert_eq!(shown(met), ["-4..1", "2", "3.."]);
    }

    #[test]
    fn domains_of_the_language_as_blocks() {
        let shows = |domain: Domain| Partition::of(&domain, &Partition::any()).to_string();
        assert_eq!(shows(Domain::Sign), "..-1, 0, 1..");
        assert_eq!(shows(Domain::Parity), "any, each modulo 2");
        assert_eq!(shows(Domain::Range(0, 1)), "..-1, 0, 1, 2..");
        assert_eq!(shows(Domain::Timer(2)), "..-1, 0, 1, 2..");
        assert_eq!(shows(Domain::Values(vec![3, 7])), "..2, 3, 4..6, 7, 8..");
        assert_eq!(shows(Domain::Any), "any");
        assert_eq!(shows(Domain::Exact), "all values");
    }

    #[test]
    fn long_rows_of_numbers_are_shortened_in_words() {
        let mut row = each(0, 40);
        assert_eq!(row.to_string(), "..-1, each of 0..40, 41..");
        row.cut_before(50);
        assert_eq!(row.to_string(), "..-1, each of 0..40, 41..49, 50..");
        assert_eq!(each(0, 3).to_string(), "..-1, 0, 1, 2, 3, 4..");
        assert_eq!(Partition::any().to_string(), "any");
    }

    #[test]
    fn a_partition_can_be_written_as_a_domain() {
        assert_eq!(partition(&[0, 1]).domain(), "intervals(..-1, 0, 1..)");
        let both = Domain::Both(Box::new(Domain::Parity), Box::new(Domain::Modulo(3)));
        let mut both = Partition::of(&both, &Partition::any());
        assert_eq!(both.domain(), "modulo(6)");
        both.cut_before(4);
        assert_eq!(both.domain(), "modulo(6) && intervals(..3, 4..)");
        assert_eq!(Partition::any().domain(), "any");
        assert_eq!(Partition::Exact.domain(), "exact");
    }

    /// It takes a look at what the set has, not at all remainders that there are.
    #[test]
    fn a_large_modulus_is_no_loop() {
        let large = Partition::modulo(u32::MAX);
        assert_eq!(
            shown(large.blocks(IntSet::one(7), IntSet::ALL)),
            ["7 mod 4294967295"]
        );
        let two = large.blocks(IntSet::between(7, 8).expect("a set"), IntSet::ALL);
        assert_eq!(two.len(), 2);
        assert_eq!(large.blocks(IntSet::ALL, IntSet::ALL), [IntSet::ALL]);
        let one = two[0];
        assert_eq!(large.blocks(one, IntSet::ALL), [one]);
    }

    /// Each number of the type is in exactly one of the blocks that its set meets.
    #[test]
    fn blocks_are_a_partition() {
        let within = IntSet::between(-9, 9).expect("a set");
        let domains = [
            Domain::Sign,
            Domain::Parity,
            Domain::Modulo(3),
            Domain::Range(-2, 4),
            Domain::Timer(5),
            Domain::Values(vec![-3, 8]),
            Domain::Intervals(vec![(None, Some(2)), (Some(3), None)]),
            Domain::Any,
            Domain::Exact,
        ];
        for domain in domains {
            let mut partition = Partition::of(&domain, &Partition::any());
            for round in 0..2 {
                let blocks = partition.blocks(within, within);
                for number in -9..=9 {
                    let holders = blocks.iter().filter(|block| block.contains(number)).count();
                    assert_eq!(holders, 1, "{number} under {domain:?}, round {round}");
                    let block = partition.block(number, within);
                    assert!(blocks.contains(&block) && block.contains(number));
                }
                partition.split_out(5);
            }
        }
    }
}
