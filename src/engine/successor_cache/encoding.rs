//! Results as numbers, and as the cells of a leaf that the hot path reads.
//!
//! A leaf is a head, the groups that follow, and the transitions. A transition is a head, the bits that it
//! clears and those that it sets, the components that it sets and that have no bits yet, and its
//! updates. The bits depend on the layout; a leaf, with its layout, says all that is needed to write it for
//! another one.

use super::layout::Layout;
use crate::system::{GroupId, Target};

/// A result with everything numbered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EncodedResult {
    pub then: Vec<GroupId>,
    /// One of the sets of properties; 0 is the empty one.
    pub violated: u32,
    pub transitions: Vec<EncodedTransition>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EncodedTransition {
    pub end: Target<()>,
    pub is_progress: bool,
    pub violated: u32,
    /// Components and their new contents.
    pub sets: Vec<(u32, u32)>,
    /// Components and what changes them.
    pub updates: Vec<(u32, u32)>,
}

impl EncodedResult {
    /// The cells under a layout; as many under every layout.
    pub fn cells(&self, layout: &Layout) -> Vec<u64> {
        let (then, transitions) = (self.then.len() as u64, self.transitions.len() as u64);
        let mut cells = vec![then | transitions << 16 | u64::from(self.violated) << 48];
        cells.extend(self.then.iter().map(|group| u64::from(group.0)));
        for transition in &self.transitions {
            transition.write_cells(layout, &mut cells);
        }
        cells
    }
}

impl EncodedResult {
    /// The result that a leaf was written from, under the layout for which it was written.
    pub fn read(cell: impl Fn(usize) -> u64, leaf: usize, layout: &Layout) -> EncodedResult {
        let mut reader = Reader::new(cell, leaf);
        let (then, transitions) = (reader.then, reader.transitions);
        EncodedResult {
            then: (0..then).map(|_| reader.group()).collect(),
            violated: reader.violated,
            transitions: (0..transitions)
                .map(|_| EncodedTransition::read(&mut reader, layout))
                .collect(),
        }
    }
}

impl EncodedTransition {
    fn read<C: Fn(usize) -> u64>(reader: &mut Reader<C>, layout: &Layout) -> EncodedTransition {
        let (head, flags) = reader.transition();
        let flags = TransitionFlags::unpacked(flags);
        let (clear, set) = (reader.next(), reader.next());
        let fields = layout.fields.iter().enumerate();
        let written = fields.filter(|(_, field)| clear & field.bits(u32::MAX) != 0);
        let written = written.map(|(component, field)| (component as u32, field.get(set)));
        let mut sets: Vec<(u32, u32)> = written.collect();
        for _ in 0..head.sets {
            let without_bits = reader.next().checked_sub(1);
            sets.extend(without_bits.map(|component| (component as u32, 0)));
        }
        let updates = (0..head.updates).map(|_| reader.update());
        EncodedTransition {
            end: flags.end,
            is_progress: flags.is_progress,
            violated: flags.violated,
            sets,
            updates: updates
                .map(|update| (update.component() as u32, update.number()))
                .collect(),
        }
    }

    fn write_cells(&self, layout: &Layout, cells: &mut Vec<u64>) {
        let (mut clear, mut set) = (0, 0);
        // One cell for each component, used or not, so that a leaf is as long under every layout.
        let mut without_bits = vec![0; self.sets.len()];
        for ((component, number), cell) in self.sets.iter().zip(&mut without_bits) {
            let field = layout.fields[*component as usize];
            match field.width {
                0 => *cell = u64::from(*component) + 1,
                _ => {
                    clear |= field.bits(u32::MAX);
                    set |= field.bits(*number);
                }
            }
        }
        let flags = TransitionFlags {
            end: self.end,
            is_progress: self.is_progress,
            violated: self.violated,
        };
        let head = TransitionHead {
            sets: self.sets.len() as u32,
            updates: self.updates.len() as u32,
            is_plain: flags.is_plain(),
        };
        cells.push(head.packed());
        cells.push(flags.packed());
        cells.extend([clear, set]);
        cells.extend(without_bits);
        let updates = self.updates.iter();
        cells.extend(updates.map(|(component, update)| EncodedUpdate::new(*component, *update).0));
    }
}

/// How an effect begins.
#[derive(Clone, Copy, Debug)]
pub struct TransitionHead {
    pub sets: u32,
    pub updates: u32,
    /// It leads to a state, is progress, and violates nothing.
    pub is_plain: bool,
}

impl TransitionHead {
    fn packed(self) -> u64 {
        u64::from(self.sets) | u64::from(self.updates) << 32 | u64::from(self.is_plain) << 63
    }

    #[inline(always)]
    fn unpacked(cell: u64) -> TransitionHead {
        TransitionHead {
            sets: cell as u32 & 0xffff,
            updates: (cell >> 32) as u32 & 0x7fff_ffff,
            is_plain: cell >> 63 != 0,
        }
    }
}

/// What is said of an effect that is not plain.
#[derive(Clone, Copy, Debug)]
pub struct TransitionFlags {
    pub end: Target<()>,
    pub is_progress: bool,
    pub violated: u32,
}

impl TransitionFlags {
    pub fn is_plain(self) -> bool {
        self.end == Target::State(()) && self.is_progress && self.violated == 0
    }

    pub fn packed(self) -> u64 {
        let end = match self.end {
            Target::State(()) => 0,
            Target::Error => 1,
            Target::Bounded => 2,
            Target::Truncated => 3,
        };
        end | u64::from(self.is_progress) << 2 | u64::from(self.violated) << 3
    }

    pub fn unpacked(cell: u64) -> TransitionFlags {
        TransitionFlags {
            end: match cell & 3 {
                0 => Target::State(()),
                1 => Target::Error,
                2 => Target::Bounded,
                _ => Target::Truncated,
            },
            is_progress: cell >> 2 & 1 != 0,
            violated: (cell >> 3) as u32,
        }
    }
}

/// Reads a leaf from front to back.
pub struct Reader<C> {
    cell: C,
    at: usize,
    pub then: u32,
    pub transitions: u32,
    pub violated: u32,
}

impl<C: Fn(usize) -> u64> Reader<C> {
    #[inline(always)]
    pub fn new(cell: C, leaf: usize) -> Reader<C> {
        let head = cell(leaf);
        Reader {
            cell,
            at: leaf + 1,
            then: head as u32 & 0xffff,
            transitions: (head >> 16) as u32,
            violated: (head >> 48) as u32,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        let cell = (self.cell)(self.at);
        self.at += 1;
        cell
    }

    #[inline(always)]
    pub fn group(&mut self) -> GroupId {
        GroupId(self.next() as u32)
    }

    #[inline(always)]
    pub fn skip_groups(&mut self) {
        self.at += self.then as usize;
    }

    #[inline(always)]
    pub fn transition(&mut self) -> (TransitionHead, u64) {
        (TransitionHead::unpacked(self.next()), self.next())
    }

    /// The state with what a transition sets.
    #[inline(always)]
    pub fn apply(&mut self, head: TransitionHead, state: u64) -> u64 {
        let (clear, set) = (self.next(), self.next());
        self.at += head.sets as usize;
        state & !clear | set
    }

    #[inline(always)]
    pub fn update(&mut self) -> EncodedUpdate {
        EncodedUpdate(self.next())
    }
}

/// A component, and the number of what changes it, in one cell.
#[derive(Clone, Copy, Debug)]
pub struct EncodedUpdate(pub u64);

impl EncodedUpdate {
    pub fn new(component: u32, number: u32) -> EncodedUpdate {
        EncodedUpdate(u64::from(component) << 32 | u64::from(number))
    }

    #[inline(always)]
    pub fn component(self) -> usize {
        (self.0 >> 32) as usize
    }

    pub fn number(self) -> u32 {
        self.0 as u32
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::layout::Field;
    use super::*;

    #[test]
    fn a_leaf_can_be_written_for_another_layout() {
        let widths = [(0, 0), (0, 1), (1, 0), (1, 2)];
        let fields = widths.map(|(shift, width)| Field {
            word: 0,
            shift,
            width,
        });
        let few = Layout {
            fields: fields.to_vec(),
            word_bits: 3,
        };
        let many = Layout::plan(&[9, 2, 1 << 20, 1 << 30]).expect("not too large");
        let transition = |sets: &[(u32, u32)], updates: &[(u32, u32)]| EncodedTransition {
            end: Target::State(()),
            is_progress: true,
            violated: 3,
            sets: sets.to_vec(),
            updates: updates.to_vec(),
        };
        let result = EncodedResult {
            then: vec![GroupId(7), GroupId(1)],
            violated: 2,
            transitions: vec![
                transition(&[(0, 0), (1, 1), (2, 0), (3, 2)], &[]),
                transition(&[(2, 0)], &[(3, 5), (1, 6)]),
                transition(&[], &[]),
            ],
        };
        let read = |cells: &[u64], layout: &Layout| {
            let mut result = EncodedResult::read(|index| cells[index], 0, layout);
            let transitions = result.transitions.iter_mut();
            transitions.for_each(|transition| transition.sets.sort_unstable());
            result
        };
        let small = result.cells(&few);
        assert_eq!(read(&small, &few), result);
        let large = read(&small, &few).cells(&many);
        assert_eq!(large.len(), small.len());
        assert_eq!(read(&large, &many), result);
    }
}
