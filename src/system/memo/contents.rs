//! The contents that one component has been seen with, each with a small number.
//!
//! Invariant: a number, once given, keeps its meaning, so readers of the tables need no lock; what
//! has to be found out first goes through a lock of the numbering.

use std::hash::Hash;
use std::sync::OnceLock;

use crate::concurrent::{AtomicU32, Numbering, Ordering, OutOfMemory, Segments};
use crate::system::Facet;

/// Rows of changes are made in sheets of so many: most components have few, some have thousands.
const SHEET: usize = 64;
/// Changes beyond these are worked out anew each time.
const MOST_SHEETS: usize = 256;

pub struct Contents<Content, Change> {
    seen: Numbering<Content>,
    facets: [Numbered<Content>; Facet::COUNT],
    changes: Numbering<Change>,
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
    seen: Numbering<Content>,
    by_content: Row,
}

impl<Content: Clone + Eq + Hash, Change: Clone + Eq + Hash> Default for Contents<Content, Change> {
    fn default() -> Self {
        Contents {
            seen: Numbering::default(),
            facets: std::array::from_fn(|_| Numbered {
                seen: Numbering::default(),
                by_content: Row::default(),
            }),
            changes: Numbering::default(),
            changed: blank(MOST_SHEETS),
        }
    }
}

impl<Content: Clone + Eq + Hash, Change: Clone + Eq + Hash> Contents<Content, Change> {
    pub fn count(&self) -> usize {
        self.seen.count()
    }

    /// Contents, or facets of them, that were seen.
    pub fn count_of(&self, facet: Facet) -> usize {
        match facet {
            Facet::WHOLE => self.count(),
            facet => self.facets[facet.0 as usize].seen.count(),
        }
    }

    pub fn number(&self, content: &Content) -> u32 {
        self.seen.number(content)
    }

    pub fn find(&self, content: &Content) -> Option<u32> {
        self.seen.find(content)
    }

    pub fn content(&self, number: u32) -> &Content {
        self.seen.thing(number)
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
                let number = table.seen.number(&look(self.content(content)));
                let cell = table.by_content.at(content as usize)?;
                // Relaxed: what the number stands for is not asked again.
                cell.store(number + 1, Ordering::Relaxed);
                Ok(number)
            }
            known => Ok(known - 1),
        }
    }

    pub fn number_of_change(&self, change: &Change) -> u32 {
        self.changes.number(change)
    }

    /// What a change makes of a content; none if that is not known yet.
    #[inline(always)]
    pub fn changed(&self, change: u32, content: u32) -> Option<u32> {
        let sheet = self.changed.get(change as usize / SHEET)?.get()?;
        let row = sheet[change as usize % SHEET].get()?;
        // Acquire: pairs with the Release in `remember`; the content behind the number is written.
        match row.get(content as usize)?.load(Ordering::Acquire) {
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
    ) -> u32 {
        self.number(&apply(self.changes.thing(change), self.content(content)))
    }

    /// Remembers it, where there is room.
    pub fn remember(&self, change: u32, content: u32, result: u32) -> Result<(), OutOfMemory> {
        if let Some(sheet) = self.changed.get(change as usize / SHEET) {
            let sheet = sheet.get_or_init(|| blank(SHEET));
            let row = sheet[change as usize % SHEET].get_or_init(Box::default);
            let cell = row.at(content as usize)?;
            // Release: pairs with the Acquire in `changed`.
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
    use crate::concurrent::loom_tests::model;

    type Words = Contents<&'static str, ()>;

    #[test]
    fn two_numbers_for_one_content() {
        model(|| {
            let contents = Arc::new(Words::default());
            let shared = contents.clone();
            let other = thread::spawn(move || ["b", "a"].map(|content| shared.number(&content)));
            let [a, b] = ["a", "b"].map(|content| contents.number(&content));
            assert_eq!([contents.content(a), contents.content(b)], [&"a", &"b"]);
            assert_eq!(other.join().expect("the other thread"), [b, a]);
        });
    }

    #[test]
    fn a_number_of_a_facet_that_stands_for_nothing_yet() {
        const FIRST: Facet = Facet(1);
        let first = |content: &&'static str| &content[..1];
        let look = move |contents: &Words, content: u32| {
            let number = contents.facet(FIRST, content, first).expect("memory");
            assert_eq!(contents.facets[FIRST.0 as usize].seen.thing(number), &"a");
            number
        };
        model(move || {
            let contents = Arc::new(Words::default());
            let contents_of_it = ["ab", "ac"].map(|content| contents.number(&content));
            let shared = contents.clone();
            let other = thread::spawn(move || contents_of_it.map(|c| look(&shared, c)));
            let [ab, ac] = contents_of_it.map(|content| look(&contents, content));
            assert_eq!(other.join().expect("the other thread"), [ab, ac]);
            assert_eq!(ab, ac, "both begin with the same letter");
        });
    }
}
