//! The concrete model, with `choose` limited to values worth trying: the ends of the choice and of
//! the blocks of the precision, and numbers that the model itself names.
//!
//! What is found with it is real; what is not found may still be there.

use std::collections::BTreeSet;

use crate::abstraction::{Partition, Place, Precision};
use crate::csm::{Arithmetic, Chosen, Exact, Outcomes, Precision as Answers};
use crate::lang::{BinaryOperator, Model, Subject, Type, Value};

/// Values that are tried of one choice, at most.
const MOST_TRIED: usize = 64;

pub struct Guided {
    /// In ascending order.
    worth_trying: BTreeSet<i64>,
}

impl Guided {
    pub fn new(model: &Model, precision: &Precision) -> Guided {
        let mut worth_trying = BTreeSet::from([-1, 0, 1]);
        for place in Place::all(model) {
            if let Some(Partition::Blocks { cuts, .. }) = precision.partition(place) {
                worth_trying.extend(cuts.iter().flat_map(|cut| [cut - 1, *cut])); // no cut is the least number
            }
        }
        Guided { worth_trying }
    }
}

impl Answers for Guided {
    fn calculate(
        &self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> Outcomes<Arithmetic> {
        Exact.calculate(operator, left, right)
    }

    fn compare(&self, operator: BinaryOperator, left: Value, right: Value) -> Outcomes<bool> {
        Exact.compare(operator, left, right)
    }

    fn store(&self, at: Option<Subject>, ty: &Type, value: Value) -> Outcomes<Option<Value>> {
        Exact.store(at, ty, value)
    }

    fn choose(&self, low: Value, high: Value) -> Chosen {
        let (first, options) = match Exact.choose(low, high) {
            Chosen::From(first, options) if options > MOST_TRIED as i64 => (first, options),
            few => return few,
        };
        let last = first.saturating_add(options - 1);
        let inside = self.worth_trying.range(first..=last).copied();
        let tried = inside.take(MOST_TRIED).chain([first, last]);
        let distances: BTreeSet<u32> = tried
            .filter_map(|number| u32::try_from(number.checked_sub(first)?).ok())
            .collect();
        Chosen::Some(first, distances.into_iter().collect())
    }
}
