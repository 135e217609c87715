//! The state that a worker stands at, as the ids of the nodes of its tree.
//!
//! To go from one state to the next costs what differs between them: equal ids are equal subtrees, which are
//! not looked into. What is inside of a block is read only when somebody asks (`TreeSpace::open`).

use super::recent::RecentNumbers;
use super::shape::{Node, Shape};
use crate::engine::sync::Ids;

/// No subtree has this id.
pub const UNKNOWN: u32 = u32::MAX;

pub struct Place {
    /// By node: ids of what stands above the blocks, and of their roots.
    pub ids: Vec<u32>,
    /// By node: ids inside of blocks, as they were when each was last opened. The number of a
    /// component's value is the id of its leaf.
    pub inside: Vec<u32>,
    pub pairs: PairNumbers,
    pub updates: RecentNumbers,
    pub stack: Vec<(Node, u32)>,
}

/// What a worker needs to number pairs.
pub struct PairNumbers {
    pub recent: RecentNumbers,
    pub ids: Ids,
    /// Pairs for which there is room set aside.
    pub room: usize,
}

/// Entries of the small tables: together they fit a part of the second cache.
const PAIRS_LOG: u32 = 15;
const UPDATES_LOG: u32 = 13;

impl Default for PairNumbers {
    fn default() -> PairNumbers {
        PairNumbers {
            recent: RecentNumbers::new(PAIRS_LOG),
            ids: Ids::default(),
            room: 0,
        }
    }
}

impl Place {
    pub fn new(shape: &Shape) -> Place {
        let mut ids = vec![UNKNOWN; shape.nodes()];
        ids[super::shape::NOTHING as usize] = 0;
        Place {
            inside: vec![UNKNOWN; shape.nodes()],
            ids,
            pairs: PairNumbers::default(),
            updates: RecentNumbers::new(UPDATES_LOG),
            stack: Vec::new(),
        }
    }
}

#[inline(always)]
pub fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[inline(always)]
pub fn unpair(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Folds states one after the other; what is the same in the next one is not folded again.
pub struct Folder {
    /// By node.
    pub ids: Vec<u32>,
    pub pairs: PairNumbers,
}

impl Folder {
    pub fn new(shape: &Shape) -> Folder {
        let mut ids = vec![UNKNOWN; shape.nodes()];
        ids[super::shape::NOTHING as usize] = 0;
        let pairs = PairNumbers::default();
        Folder { ids, pairs }
    }

    pub fn forget(&mut self) {
        self.ids[1..].fill(UNKNOWN);
    }
}
