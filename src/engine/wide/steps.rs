//! What groups do in the state that a worker stands at, kept from one state to the next: only those are
//! asked again that look at a block which has changed.
//!
//! Invariant: a root watches every block that its answer was read from.

use super::recent::RecentResults;
use crate::system::GroupId;

/// What one worker knows of the groups.
pub struct Steps {
    /// By root: the leaves that say something of the state.
    pub leaves: Vec<Vec<u64>>,
    /// A bit for each root whose leaves say something.
    pub notable: Vec<u64>,
    /// By block: the roots that look at it.
    watchers: Vec<Vec<u32>>,
    /// A bit for each root and block.
    watched: Vec<u64>,
    blocks: usize,
    /// Roots that are to be asked again.
    pub dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// By group.
    footprints: Vec<Footprint>,
    pub recent: RecentResults,
    /// Groups that are still to be run.
    pub pending: Vec<GroupId>,
}

/// The blocks that a group has been seen to look at.
#[derive(Clone, Copy, Default)]
pub struct Footprint {
    blocks: [u32; Footprint::MOST],
    /// More than `MOST` if they are not all here.
    count: u32,
}

impl Footprint {
    const MOST: usize = 2;

    /// All of them, if they are few and some are known.
    #[inline(always)]
    pub fn blocks(&self) -> Option<&[u32]> {
        match self.count as usize {
            count @ 1..=Footprint::MOST => Some(&self.blocks[..count]),
            _ => None,
        }
    }

    fn add(&mut self, block: u32) {
        let count = self.count as usize;
        if count > Footprint::MOST || self.blocks[..count].contains(&block) {
            return;
        }
        if count < Footprint::MOST {
            self.blocks[count] = block;
        }
        self.count += 1;
    }
}

impl Steps {
    pub fn new(roots: usize, groups: usize, blocks: usize) -> Steps {
        let mut steps = Steps {
            leaves: vec![Vec::new(); roots],
            notable: vec![0; roots.div_ceil(64)],
            watchers: vec![Vec::new(); blocks],
            watched: vec![0; (roots * blocks).div_ceil(64)],
            blocks,
            dirty: Vec::new(),
            is_dirty: vec![false; roots],
            footprints: vec![Footprint::default(); groups],
            recent: RecentResults::default(),
            pending: Vec::new(),
        };
        steps.forget();
        steps
    }

    /// All roots are to be asked again, since results stand elsewhere now.
    pub fn forget(&mut self) {
        self.recent.forget();
        (0..self.leaves.len() as u32).for_each(|root| self.soil(root));
    }

    #[inline(always)]
    fn soil(&mut self, root: u32) {
        if !std::mem::replace(&mut self.is_dirty[root as usize], true) {
            self.dirty.push(root);
        }
    }

    /// A block has changed.
    #[inline(always)]
    pub fn changed(&mut self, block: u32) {
        for root in &self.watchers[block as usize] {
            if !std::mem::replace(&mut self.is_dirty[*root as usize], true) {
                self.dirty.push(*root);
            }
        }
    }

    /// The last of the dirty roots has been asked.
    #[inline(always)]
    pub fn cleaned(&mut self) {
        let Some(root) = self.dirty.pop() else { return };
        self.is_dirty[root as usize] = false;
        let bit = 1 << (root % 64);
        let word = &mut self.notable[root as usize / 64];
        match self.leaves[root as usize].is_empty() {
            true => *word &= !bit,
            false => *word |= bit,
        }
    }

    #[inline(always)]
    pub fn watch(&mut self, root: u32, block: u32) {
        let place = root as usize * self.blocks + block as usize;
        if self.watched[place / 64] >> (place % 64) & 1 == 0 {
            self.watched[place / 64] |= 1 << (place % 64);
            self.watchers[block as usize].push(root);
        }
    }

    #[inline(always)]
    pub fn footprint(&self, group: GroupId) -> Footprint {
        self.footprints[group.0 as usize]
    }

    pub fn looked_at(&mut self, group: GroupId, block: u32) {
        self.footprints[group.0 as usize].add(block);
    }
}
