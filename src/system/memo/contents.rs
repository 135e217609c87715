//! The contents that one component has been seen with, each with a small number.
//!
//! Invariant: a number, once given, keeps its meaning, so readers of the tables need no lock; what
//! has to be found out first goes through the lock of the set.
//!
//! Why all loads and stores of numbers may be Relaxed: what a number stands for is read under the
//! lock under which it was written. A thread that has read a number can't take that lock before
//! the one that gave the number out: its read would come before the write that it has seen.

use std::hash::Hash;
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use crate::concurrent::{AtomicU32, Ordering, OutOfMemory, RwLock, RwLockReadGuard, Segments};

use crate::system::Facet;

/// Rows of changes are made in sheets of so many: most components have few, some have thousands.
const SHEET: usize = 64;
/// Changes beyond these are worked out anew each time.
const MOST_SHEETS: usize = 256;

type Set<T> = RwLock<IndexSet<T, RandomState>>;

pub struct Contents<Content, Change> {
    seen: Set<Content>,
    facets: [Numbered<Content>; Facet::COUNT],
    changes: Set<Change>,
    /// By change: what it makes of each content.
    changed: Box<[OnceLock<Sheet>]>,
}

/// By the number of a content: another number plus one, 0 where it is not known yet.
type Row = Segments<AtomicU32>;

type Sheet = Box<[OnceLock<Box<Row>>]>;

fn blank<T>(length: usize) -> Box<[OnceLock<T>]> {
    (0..length).map(|_| OnceLock::new()).collect()
}

struct Numbered<Content> {
    seen: Set<Content>,
    by_content: Row,
}

impl<Content: Clone + Eq + Hash, Change: Clone + Eq + Hash> Default for Contents<Content, Change> {
    fn default() -> Self {
        Contents {
            seen: Set::default(),
            facets: std::array::from_fn(|_| Numbered {
                seen: Set::default(),
                by_content: Row::default(),
            }),
            changes: Set::default(),
            changed: blank(MOST_SHEETS),
        }
    }
}

/// The number of a value, which is added if it is new.
fn number<T: Clone + Eq + Hash>(set: &Set<T>, value: &T) -> usize {
    let known = read(set).get_index_of(value);
    known.unwrap_or_else(|| {
        let mut set = set.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        set.insert_full(value.clone()).0
    })
}

fn read<T>(set: &Set<T>) -> RwLockReadGuard<'_, IndexSet<T, RandomState>> {
    set.read().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<Content: Clone + Eq + Hash, Change: Clone + Eq + Hash> Contents<Content, Change> {
    pub fn count(&self) -> usize {
        read(&self.seen).len()
    }

    /// Contents, or facets of them, that were seen.
    pub fn count_of(&self, facet: Facet) -> usize {
        match facet {
            Facet::WHOLE => self.count(),
            facet => read(&self.facets[facet.0 as usize].seen).len(),
        }
    }

    pub fn number(&self, content: &Content) -> usize {
        number(&self.seen, content)
    }

    pub fn find(&self, content: &Content) -> Option<usize> {
        read(&self.seen).get_index_of(content)
    }

    pub fn content(&self, number: u32) -> Content {
        let seen = read(&self.seen);
        let content = seen.get_index(number as usize);
        content.expect("a number that was given out").clone()
    }

    /// The number of a facet of a content.
    #[inline(always)]
    pub fn facet(
        &self,
        facet: Facet,
        content: u32,
        look: impl FnOnce(&Content) -> Content,
    ) -> Result<u32, OutOfMemory> {
        let table = &self.facets[facet.0 as usize];
        let known = table.by_content.get(content as usize);
        match known.map_or(0, |known| known.load(Ordering::Relaxed)) {
            0 => {
                let value = look(&self.content(content));
                let number = number(&table.seen, &value) as u32;
                let cell = table.by_content.at(content as usize)?;
                cell.store(number + 1, Ordering::Relaxed);
                Ok(number)
            }
            known => Ok(known - 1),
        }
    }

    pub fn number_of_change(&self, change: &Change) -> usize {
        number(&self.changes, change)
    }

    /// What a change makes of a content; none if that is not known yet.
    #[inline(always)]
    pub fn changed(&self, change: u32, content: u32) -> Option<u32> {
        let sheet = self.changed.get(change as usize / SHEET)?.get()?;
        let row = sheet[change as usize % SHEET].get()?;
        match row.get(content as usize)?.load(Ordering::Relaxed) {
            0 => None,
            known => Some(known - 1),
        }
    }

    /// Finds it out.
    pub fn change(
        &self,
        change: u32,
        content: u32,
        apply: impl FnOnce(&Change, &Content) -> Content,
    ) -> usize {
        let change = read(&self.changes)
            .get_index(change as usize)
            .expect("a number that was given out")
            .clone();
        self.number(&apply(&change, &self.content(content)))
    }

    /// Remembers it, where there is room.
    pub fn remember(&self, change: u32, content: u32, result: u32) -> Result<(), OutOfMemory> {
        if let Some(sheet) = self.changed.get(change as usize / SHEET) {
            let sheet = sheet.get_or_init(|| blank(SHEET));
            let row = sheet[change as usize % SHEET].get_or_init(Box::default);
            let cell = row.at(content as usize)?;
            cell.store(result + 1, Ordering::Relaxed);
        }
        Ok(())
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::concurrent::loom_tests::model;

    type Words = Contents<&'static str, ()>;

    #[test]
    fn two_numbers_for_one_content() {
        model(|| {
            let contents = Arc::new(Words::default());
            let shared = contents.clone();
            let other = thread::spawn(move || ["b", "a"].map(|content| shared.number(&content)));
            let [a, b] = ["a", "b"].map(|content| contents.number(&content));
            assert_eq!(
                [contents.content(a as u32), contents.content(b as u32)],
                ["a", "b"]
            );
            assert_eq!(other.join().expect("the other thread"), [b, a]);
        });
    }

    #[test]
    fn a_number_of_a_facet_that_stands_for_nothing_yet() {
        const FIRST: Facet = Facet(1);
        let first = |content: &&'static str| &content[..1];
        let look = move |contents: &Words, content: u32| {
            let number = contents.facet(FIRST, content, first).expect("memory");
            let seen = read(&contents.facets[FIRST.0 as usize].seen);
            assert_eq!(seen.get_index(number as usize), Some(&"a"));
            number
        };
        model(move || {
            let contents = Arc::new(Words::default());
            let contents_of_it = ["ab", "ac"].map(|content| contents.number(&content) as u32);
            let shared = contents.clone();
            let other = thread::spawn(move || contents_of_it.map(|c| look(&shared, c)));
            let [ab, ac] = contents_of_it.map(|content| look(&contents, content));
            assert_eq!(other.join().expect("the other thread"), [ab, ac]);
            assert_eq!(ab, ac, "both begin with the same letter");
        });
    }
}
