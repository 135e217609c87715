//! What a group does, as the cells of a leaf: numbers only, and nothing that depends on a layout.
//!
//! A leaf is a head, the groups that follow, and the transitions. A transition is a head, its flags, and one
//! cell for each block that it changes: the block, and the number of what is done to it.

use crate::engine::successor_cache::TransitionFlags;
use crate::system::{GroupId, Target};

/// What is done to the components of one block, in this order.
pub type BlockUpdate = Vec<(u32, Change)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It gets the value of this number.
    Set(u32),
    /// The update of this number is applied to it.
    Apply(u32),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberedResult {
    pub then: Vec<GroupId>,
    /// One of the sets of properties; 0 is the empty one.
    pub violated: u32,
    pub transitions: Vec<NumberedTransition>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NumberedTransition {
    pub end: Target<()>,
    pub is_progress: bool,
    pub violated: u32,
    /// Blocks, and the numbers of their updates.
    pub updates: Vec<(u32, u32)>,
    /// The number of what is joined above them.
    pub path: u32,
}

impl NumberedResult {
    pub fn cells(&self) -> Vec<u64> {
        let (then, transitions) = (self.then.len() as u64, self.transitions.len() as u64);
        let mut cells = vec![then | transitions << 16 | u64::from(self.violated) << 48];
        cells.extend(self.then.iter().map(|group| u64::from(group.0)));
        for transition in &self.transitions {
            transition.write(&mut cells);
        }
        cells
    }

    /// Whether there is anything to be read besides the groups that follow.
    pub fn is_notable(head: u64) -> bool {
        head >> 16 != 0
    }
}

impl NumberedTransition {
    fn write(&self, cells: &mut Vec<u64>) {
        let flags = TransitionFlags {
            end: self.end,
            is_progress: self.is_progress,
            violated: self.violated,
        };
        let updates = self.updates.len() as u64;
        cells.push(updates | u64::from(self.path) << 16);
        cells.push(flags.packed());
        let cell = |(block, update): &(u32, u32)| u64::from(*block) << 32 | u64::from(*update);
        cells.extend(self.updates.iter().map(cell));
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TransitionHead(pub u64);

impl TransitionHead {
    #[inline(always)]
    pub fn updates(self) -> usize {
        self.0 as usize & 0xffff
    }

    #[inline(always)]
    pub fn path(self) -> u32 {
        (self.0 >> 16) as u32
    }
}
