//! The contents that one component has been seen with, each with a small number.
//!
//! Invariant: a number, once given, keeps its meaning, so readers of the tables need no lock; what
//! has to be found out first goes through a lock of the numbering.

use std::hash::Hash;
use std::sync::OnceLock;

use crate::engine::sync::{AtomicU32, GrowingArray, Interner, Ordering, OutOfMemory};
use crate::system::Projection;

/// Rows of changes are made in sheets of so many: most components have few, some have thousands.
const SHEET: usize = 64;
/// Changes beyond these are worked out anew each time.
const MOST_SHEETS: usize = 256;

pub struct ValueTable<Value, ValueUpdate> {
    seen: Interner<Value>,
    projections: [ProjectionTable<Value>; Projection::COUNT],
    updates: Interner<ValueUpdate>,
    /// By change: what it makes of each content.
    changed: Box<[OnceLock<Sheet>]>,
}

/// By the number of a content: another number plus one, 0 where it is not known yet.
type Row = GrowingArray<AtomicU32>;

type Sheet = Box<[OnceLock<Box<Row>>]>;

fn blank<T>(length: usize) -> Box<[OnceLock<T>]> {
    (0..length).map(|_| OnceLock::new()).collect()
}

struct ProjectionTable<Value> {
    seen: Interner<Value>,
    by_content: Row,
}

impl<Value: Clone + Eq + Hash, ValueUpdate: Clone + Eq + Hash> Default
    for ValueTable<Value, ValueUpdate>
{
    fn default() -> Self {
        ValueTable {
            seen: Interner::default(),
            projections: std::array::from_fn(|_| ProjectionTable {
                seen: Interner::default(),
                by_content: Row::default(),
            }),
            updates: Interner::default(),
            changed: blank(MOST_SHEETS),
        }
    }
}

impl<Value: Clone + Eq + Hash, ValueUpdate: Clone + Eq + Hash> ValueTable<Value, ValueUpdate> {
    pub fn count(&self) -> usize {
        self.seen.count()
    }

    /// Contents, or projections of them, that were seen.
    pub fn count_of(&self, projection: Projection) -> usize {
        match projection {
            Projection::WHOLE => self.count(),
            projection => self.projections[projection.0 as usize].seen.count(),
        }
    }

    pub fn number(&self, value: &Value) -> u32 {
        self.seen.number(value)
    }

    pub fn find(&self, value: &Value) -> Option<u32> {
        self.seen.find(value)
    }

    pub fn value(&self, number: u32) -> &Value {
        self.seen.thing(number)
    }

    /// All that was seen, in the order of the numbers.
    pub fn all(&self) -> Vec<Value> {
        let numbers = 0..self.count() as u32;
        numbers.map(|number| self.value(number).clone()).collect()
    }

    /// The number of a projection of a content.
    #[inline(always)]
    pub fn projection(
        &self,
        projection: Projection,
        value: u32,
        read: impl FnOnce(&Value) -> Value,
    ) -> Result<u32, OutOfMemory> {
        let table = &self.projections[projection.0 as usize];
        let known = table.by_content.get(value as usize);
        match known.map_or(0, |known| known.load(Ordering::Relaxed)) {
            0 => {
                let number = table.seen.number(&read(self.value(value)));
                let cell = table.by_content.at(value as usize)?;
                // Relaxed: what the number stands for is not asked again.
                cell.store(number + 1, Ordering::Relaxed);
                Ok(number)
            }
            known => Ok(known - 1),
        }
    }

    pub fn number_of_change(&self, update: &ValueUpdate) -> u32 {
        self.updates.number(update)
    }

    /// What a change makes of a content; none if that is not known yet.
    #[inline(always)]
    pub fn changed(&self, update: u32, value: u32) -> Option<u32> {
        let sheet = self.changed.get(update as usize / SHEET)?.get()?;
        let row = sheet[update as usize % SHEET].get()?;
        // Acquire: pairs with the Release in `remember`; the content behind the number is written.
        match row.get(value as usize)?.load(Ordering::Acquire) {
            0 => None,
            known => Some(known - 1),
        }
    }

    /// Finds it out.
    pub fn update(
        &self,
        update: u32,
        value: u32,
        apply: impl FnOnce(&ValueUpdate, &Value) -> Value,
    ) -> u32 {
        self.number(&apply(self.updates.thing(update), self.value(value)))
    }

    /// Remembers it, where there is room.
    pub fn remember(&self, update: u32, value: u32, result: u32) -> Result<(), OutOfMemory> {
        if let Some(sheet) = self.changed.get(update as usize / SHEET) {
            let sheet = sheet.get_or_init(|| blank(SHEET));
            let row = sheet[update as usize % SHEET].get_or_init(Box::default);
            let cell = row.at(value as usize)?;
            // Release: pairs with the Acquire in `update_cache`.
            cell.store(result + 1, Ordering::Release);
        }
        Ok(())
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::engine::sync::loom_tests::model;

    type Words = ValueTable<&'static str, ()>;

    #[test]
    fn two_numbers_for_one_content() {
        model(|| {
            let values = Arc::new(Words::default());
            let shared = values.clone();
            let other = thread::spawn(move || ["b", "a"].map(|value| shared.number(&value)));
            let [a, b] = ["a", "b"].map(|value| values.number(&value));
            assert_eq!([values.value(a), values.value(b)], [&"a", &"b"]);
            assert_eq!(other.join().expect("the other thread"), [b, a]);
        });
    }

    #[test]
    fn a_number_of_a_facet_that_stands_for_nothing_yet() {
        const FIRST: Projection = Projection(1);
        let first = |value: &&'static str| &value[..1];
        let read = move |values: &Words, value: u32| {
            let number = values.projection(FIRST, value, first).expect("memory");
            assert_eq!(
                values.projections[FIRST.0 as usize].seen.thing(number),
                &"a"
            );
            number
        };
        model(move || {
            let values = Arc::new(Words::default());
            let contents_of_it = ["ab", "ac"].map(|value| values.number(&value));
            let shared = values.clone();
            let other = thread::spawn(move || contents_of_it.map(|c| read(&shared, c)));
            let [ab, ac] = contents_of_it.map(|value| read(&values, value));
            assert_eq!(other.join().expect("the other thread"), [ab, ac]);
            assert_eq!(ab, ac, "both begin with the same letter");
        });
    }
}
