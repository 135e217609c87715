//! What the groups of a root came to lately, found by the ids of the blocks on which that depends: first that of
//! one block; where it does not say enough, that of another one; and so on. An object that waits with nothing
//! in its queue is done with after the first question.
//!
//! Nothing here is ever wrong, it is only missing: a question asks for one block whatever came before it, and
//! an answer is added below questions for all the blocks that it depends on.

use super::place::pair;
use super::recent::RecentNumbers;

/// A result that depends on more blocks is not kept here.
pub const MOST_BLOCKS: usize = 4;

/// No block.
const NONE: u32 = u32::MAX;
/// In the table: what follows is a result, not a question.
const RESULT: u32 = 1 << 31;
/// Entries of the table: together with those of `place` they fit a part of the second cache.
const LOG: u32 = 15;
/// When all is forgotten: what is left behind by entries that others took the place of.
const MOST_QUESTIONS: usize = 1 << 18;
const MOST_WORDS: usize = 1 << 20;

/// The blocks on which a result depends.
#[derive(Clone, Copy)]
pub struct Depends {
    blocks: [u32; MOST_BLOCKS],
    count: usize,
}

impl Depends {
    pub const NOTHING: Depends = Depends {
        blocks: [NONE; MOST_BLOCKS],
        count: 0,
    };
    /// More than can be told one by one.
    pub const MANY: Depends = Depends {
        blocks: [NONE; MOST_BLOCKS],
        count: usize::MAX,
    };

    #[inline(always)]
    pub fn contains(&self, block: u32) -> bool {
        self.blocks.contains(&block) || self.count > MOST_BLOCKS
    }

    /// Whether there was room for it.
    #[inline(always)]
    fn add(&mut self, block: u32) -> bool {
        let has_room = self.count < MOST_BLOCKS;
        if has_room {
            self.blocks[self.count] = block;
            self.count += 1;
        }
        has_room
    }
}

pub struct StepCache {
    roots: usize,
    /// The block that each question asks for. The first questions are those of the roots.
    questions: Vec<u32>,
    /// From a question and the id of its block to another question or a result.
    table: RecentNumbers,
    /// Results, one after the other, as `resolved` writes them.
    results: Vec<u32>,
}

impl StepCache {
    pub fn new(roots: usize) -> StepCache {
        StepCache {
            roots,
            questions: vec![NONE; roots],
            table: RecentNumbers::new(LOG),
            results: Vec::new(),
        }
    }

    pub fn is_full(&self) -> bool {
        self.questions.len() - self.roots > MOST_QUESTIONS || self.results.len() > MOST_WORDS
    }

    pub fn forget(&mut self) {
        self.questions.clear();
        self.questions.resize(self.roots, NONE);
        self.table.forget();
        self.results.clear();
    }

    /// Where the result of a root stands, in a state with these ids of blocks, and what it depends on.
    #[inline(always)]
    pub fn find(&self, root: u32, id: impl Fn(u32) -> u32) -> Option<(u32, Depends)> {
        let mut depends = Depends::NOTHING;
        let mut question = root;
        loop {
            let block = self.questions[question as usize];
            if block == NONE || !depends.add(block) {
                return None;
            }
            let key = pair(question, id(block));
            let next = self.table.get(self.table.place(key), key)?;
            if next & RESULT != 0 {
                return Some((next & !RESULT, depends));
            }
            question = next;
        }
    }

    /// Adds a result that depends on these blocks; where it stands.
    pub fn add(
        &mut self,
        root: u32,
        blocks: &[u32],
        id: impl Fn(u32) -> u32,
        result: &[u32],
    ) -> (u32, Depends) {
        let at = self.results.len() as u32;
        self.results.extend_from_slice(result);
        let mut depends = Depends::NOTHING;
        let mut rest = blocks.iter().copied();
        let mut question = root;
        loop {
            if self.questions[question as usize] == NONE {
                let Some(block) = rest.find(|block| !depends.contains(*block)) else {
                    return (at, depends); // of a root that depends on nothing
                };
                self.questions[question as usize] = block;
            }
            let block = self.questions[question as usize];
            if !depends.add(block) {
                return (at, Depends::MANY);
            }
            let key = pair(question, id(block));
            let entry = self.table.place(key);
            let is_done = blocks.iter().all(|block| depends.contains(*block));
            match self.table.get(entry, key).filter(|next| next & RESULT == 0) {
                Some(next) => question = next,
                None if is_done => {
                    self.table.put(entry, key, at | RESULT);
                    return (at, depends);
                }
                None => {
                    question = self.questions.len() as u32;
                    self.questions.push(NONE);
                    self.table.put(entry, key, question);
                }
            }
        }
    }

    /// The words from a result on.
    #[inline(always)]
    pub fn result(&self, at: u32) -> &[u32] {
        &self.results[at as usize..]
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_by_the_blocks_it_depends_on_and_no_others() {
        let mut cache = StepCache::new(2);
        let ids =
            |first: u32, second: u32| move |block: u32| if block == 7 { first } else { second };
        assert!(cache.find(1, ids(1, 1)).is_none());
        let (waits, depends) = cache.add(1, &[7], ids(1, 1), &[10]);
        assert!(depends.contains(7) && !depends.contains(8));
        let (sends, depends) = cache.add(1, &[7, 8], ids(2, 1), &[20]);
        assert!(depends.contains(7) && depends.contains(8));
        assert_eq!(cache.find(1, ids(1, 5)).map(|found| found.0), Some(waits));
        assert_eq!(cache.find(1, ids(2, 1)).map(|found| found.0), Some(sends));
        assert!(cache.find(1, ids(2, 2)).is_none());
        assert!(cache.find(0, ids(1, 1)).is_none());
        assert_eq!(cache.result(sends)[0], 20);
    }

    #[test]
    fn blocks_in_another_order_are_asked_for_in_the_first_one() {
        let mut cache = StepCache::new(1);
        let id = |block: u32| block + 100;
        cache.add(0, &[3, 4], id, &[1]);
        let other = |block: u32| block + 200;
        let (at, _) = cache.add(0, &[4, 3], other, &[2]);
        assert_eq!(cache.find(0, other).map(|found| found.0), Some(at));
    }

    #[test]
    fn what_depends_on_nothing_and_on_too_much_is_only_stored() {
        let mut cache = StepCache::new(1);
        let (at, depends) = cache.add(0, &[], |_| 1, &[5]);
        assert_eq!(cache.result(at)[0], 5);
        assert!(!depends.contains(0));
        let (at, depends) = cache.add(0, &[0, 1, 2, 3, 4], |_| 1, &[6]);
        assert_eq!(cache.result(at)[0], 6);
        assert!(depends.contains(9));
    }
}
