//! What groups do in the state that a worker stands at, kept from one state to the next: only those are
//! asked again whose answer depends on a block that has changed.
//!
//! Invariant: a root watches every block on which its result depends.

use super::step_cache::{Depends, StepCache};
use crate::system::GroupId;

/// What one worker knows of the groups. A root is a group that is run in every state, and those that it asks
/// to be run after it.
pub struct Steps {
    current: Vec<Current>,
    /// A bit for each root whose result says something.
    pub notable: Vec<u64>,
    /// By block: the roots whose result may depend on it.
    watchers: Vec<Vec<u32>>,
    /// A bit for each root and block.
    watched: Vec<u64>,
    blocks: usize,
    /// Roots that are to be asked again.
    pub dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    pub cache: StepCache,
    pub work: Work,
}

/// The result of a root in this state.
struct Current {
    /// Where it stands in the cache; `OWN` if it is not there.
    at: u32,
    depends: Depends,
    own: Vec<u32>,
}

const OWN: u32 = u32::MAX;

/// For finding out what a root does.
pub struct Work {
    /// Groups that are still to be run.
    pub groups: Vec<GroupId>,
    pub leaves: Vec<u64>,
    pub result: Vec<u32>,
    pub touched: Touched,
}

/// The blocks on which a result depends, in the order in which they were met.
pub struct Touched {
    pub blocks: Vec<u32>,
    /// By block: the round in which it was met last.
    met: Vec<u32>,
    round: u32,
}

impl Touched {
    fn new(blocks: usize) -> Touched {
        Touched {
            blocks: Vec::new(),
            met: vec![0; blocks],
            round: 0,
        }
    }

    pub fn clear(&mut self) {
        self.blocks.clear();
        if self.round == u32::MAX {
            self.met.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    pub fn contains(&self, block: u32) -> bool {
        self.met[block as usize] == self.round
    }

    pub fn add(&mut self, block: u32) {
        if !self.contains(block) {
            self.met[block as usize] = self.round;
            self.blocks.push(block);
        }
    }
}

impl Steps {
    pub fn new(roots: usize, blocks: usize) -> Steps {
        let current = (0..roots).map(|_| Current {
            at: OWN,
            depends: Depends::NOTHING,
            own: Vec::new(),
        });
        let mut steps = Steps {
            current: current.collect(),
            notable: vec![0; roots.div_ceil(64)],
            watchers: vec![Vec::new(); blocks],
            watched: vec![0; (roots * blocks).div_ceil(64)],
            blocks,
            dirty: Vec::new(),
            is_dirty: vec![false; roots],
            cache: StepCache::new(roots),
            work: Work {
                groups: Vec::new(),
                leaves: Vec::new(),
                result: Vec::new(),
                touched: Touched::new(blocks),
            },
        };
        steps.forget();
        steps
    }

    /// All roots are to be asked again.
    pub fn forget(&mut self) {
        self.cache.forget();
        for root in 0..self.current.len() {
            if !std::mem::replace(&mut self.is_dirty[root], true) {
                self.dirty.push(root as u32);
            }
        }
    }

    /// A block has changed.
    #[inline(always)]
    pub fn changed(&mut self, block: u32) {
        for root in &self.watchers[block as usize] {
            let is_dirty = &mut self.is_dirty[*root as usize];
            if !*is_dirty && self.current[*root as usize].depends.contains(block) {
                *is_dirty = true;
                self.dirty.push(*root);
            }
        }
    }

    /// What a root does in this state.
    #[inline(always)]
    pub fn result(&self, root: usize) -> &[u32] {
        let current = &self.current[root];
        match current.at {
            OWN => &current.own,
            at => self.cache.result(at),
        }
    }

    /// The last of the dirty roots comes to a result of the cache.
    #[inline(always)]
    pub fn answered(&mut self, at: u32, depends: Depends) {
        let Some(root) = self.dirty.pop() else { return };
        let current = &mut self.current[root as usize];
        (current.at, current.depends) = (at, depends);
        self.cleaned(root);
    }

    /// The last of the dirty roots comes to the result that was worked out.
    pub fn worked_out(&mut self, id: impl Fn(u32) -> u32) {
        let Some(root) = self.dirty.pop() else { return };
        let Work {
            touched, result, ..
        } = &self.work;
        let current = &mut self.current[root as usize];
        if touched.blocks.len() <= super::step_cache::MOST_BLOCKS {
            (current.at, current.depends) = self.cache.add(root, &touched.blocks, id, result);
        } else {
            (current.at, current.depends) = (OWN, Depends::MANY);
            current.own.clone_from(result);
        }
        for block in &touched.blocks {
            let place = root as usize * self.blocks + *block as usize;
            if self.watched[place / 64] >> (place % 64) & 1 == 0 {
                self.watched[place / 64] |= 1 << (place % 64);
                self.watchers[*block as usize].push(root);
            }
        }
        self.cleaned(root);
    }

    #[inline(always)]
    fn cleaned(&mut self, root: u32) {
        self.is_dirty[root as usize] = false;
        let bit = 1 << (root % 64);
        let says_something = super::resolved::is_notable(self.result(root as usize));
        let word = &mut self.notable[root as usize / 64];
        match says_something {
            true => *word |= bit,
            false => *word &= !bit,
        }
    }
}
