//! Lessons as numbers, and as the cells of a leaf that the hot path reads.
//!
//! A leaf is a head, the tasks that follow, and the effects. An effect is a head, its sets (for each
//! word that it writes: which one, the bits that are cleared and those that are set), and its
//! changes. Sets depend on the layout; a leaf has room for as many as there can be under any. In that
//! room stand the components that are set and have no bits yet, so that a leaf, with its layout, says
//! all that is needed to write it for another one.

use super::layout::Layout;
use crate::system::{EffectEnd, Task};

/// A lesson with everything numbered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbered {
    pub then: Vec<Task>,
    /// One of the sets of properties; 0 is the empty one.
    pub violated: u32,
    pub effects: Vec<NumberedEffect>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NumberedEffect {
    pub end: EffectEnd,
    pub is_progress: bool,
    pub violated: u32,
    /// Components and their new contents.
    pub sets: Vec<(u32, u32)>,
    /// Components and what changes them.
    pub changes: Vec<(u32, u32)>,
}

/// Cells that a set takes: word, cleared bits, set bits.
const SET: usize = 3;

impl Numbered {
    /// The cells under a layout; as many under every layout.
    pub fn cells(&self, layout: &Layout) -> Vec<u64> {
        let (then, effects) = (self.then.len() as u64, self.effects.len() as u64);
        let mut cells = vec![then | effects << 16 | u64::from(self.violated) << 48];
        cells.extend(self.then.iter().map(|task| u64::from(task.0)));
        for effect in &self.effects {
            effect.write_cells(layout, &mut cells);
        }
        cells
    }
}

impl Numbered {
    /// The lesson that a leaf was written from, under the layout for which it was written.
    pub fn read(cell: impl Fn(usize) -> u64, leaf: usize, layout: &Layout) -> Numbered {
        let mut reader = Reader::new(cell, leaf);
        let (then, effects) = (reader.then, reader.effects);
        Numbered {
            then: (0..then).map(|_| reader.task()).collect(),
            violated: reader.violated,
            effects: (0..effects)
                .map(|_| NumberedEffect::read(&mut reader, layout))
                .collect(),
        }
    }
}

impl NumberedEffect {
    fn read<C: Fn(usize) -> u64>(reader: &mut Reader<C>, layout: &Layout) -> NumberedEffect {
        let (head, remarks) = reader.effect();
        let remarks = Remarks::unpacked(remarks);
        let mut sets = Vec::new();
        for _ in 0..head.sets {
            let (word, clear, set) = (reader.next(), reader.next(), reader.next());
            for (component, field) in layout.fields.iter().enumerate() {
                if u64::from(field.word) == word && clear & field.bits(u32::MAX) != 0 {
                    sets.push((component as u32, field.read(set)));
                }
            }
        }
        for _ in 0..head.unused {
            let (without_bits, ..) = (reader.next(), reader.next(), reader.next());
            sets.extend(
                without_bits
                    .checked_sub(1)
                    .map(|component| (component as u32, 0)),
            );
        }
        let changes = (0..head.changes).map(|_| reader.change());
        NumberedEffect {
            end: remarks.end,
            is_progress: remarks.is_progress,
            violated: remarks.violated,
            sets,
            changes: changes
                .map(|change| (change.component() as u32, change.number()))
                .collect(),
        }
    }

    fn write_cells(&self, layout: &Layout, cells: &mut Vec<u64>) {
        let mut words: Vec<[u64; SET]> = Vec::new();
        let mut without_bits: Vec<[u64; SET]> = Vec::new();
        for (component, number) in &self.sets {
            let field = layout.fields[*component as usize];
            if field.width == 0 {
                without_bits.push([u64::from(*component) + 1, 0, 0]);
                continue;
            }
            let word = u64::from(field.word);
            let position = words.iter().position(|[other, ..]| *other == word);
            let position = position.unwrap_or_else(|| {
                words.push([word, 0, 0]);
                words.len() - 1
            });
            words[position][1] |= field.bits(u32::MAX);
            words[position][2] |= field.bits(*number);
        }
        let end = match self.end {
            EffectEnd::State => 0,
            EffectEnd::Nowhere => 1,
            EffectEnd::Cut => 2,
            EffectEnd::Unseen => 3,
        };
        let head = EffectHead {
            sets: words.len() as u32,
            unused: (self.sets.len() - words.len()) as u32,
            changes: self.changes.len() as u32,
            is_plain: end == 0 && self.is_progress && self.violated == 0,
        };
        cells.push(head.packed());
        cells.push(end | u64::from(self.is_progress) << 2 | u64::from(self.violated) << 3);
        words.extend(without_bits);
        words.resize(self.sets.len(), [0; SET]);
        cells.extend(words.into_iter().flatten());
        let changes = self.changes.iter();
        cells.extend(changes.map(|(component, change)| Changing::new(*component, *change).0));
    }
}

/// How an effect begins.
#[derive(Clone, Copy, Debug)]
pub struct EffectHead {
    pub sets: u32,
    unused: u32,
    pub changes: u32,
    /// It leads to a state, is progress, and violates nothing.
    pub is_plain: bool,
}

impl EffectHead {
    fn packed(self) -> u64 {
        u64::from(self.sets)
            | u64::from(self.unused) << 16
            | u64::from(self.changes) << 32
            | u64::from(self.is_plain) << 63
    }

    #[inline(always)]
    fn unpacked(cell: u64) -> EffectHead {
        EffectHead {
            sets: cell as u32 & 0xffff,
            unused: (cell >> 16) as u32 & 0xffff,
            changes: (cell >> 32) as u32 & 0x7fff_ffff,
            is_plain: cell >> 63 != 0,
        }
    }
}

/// What is said of an effect that is not plain.
#[derive(Clone, Copy, Debug)]
pub struct Remarks {
    pub end: EffectEnd,
    pub is_progress: bool,
    pub violated: u32,
}

impl Remarks {
    pub fn unpacked(cell: u64) -> Remarks {
        Remarks {
            end: match cell & 3 {
                0 => EffectEnd::State,
                1 => EffectEnd::Nowhere,
                2 => EffectEnd::Cut,
                _ => EffectEnd::Unseen,
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
    pub effects: u32,
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
            effects: (head >> 16) as u32,
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
    pub fn task(&mut self) -> Task {
        Task(self.next() as u32)
    }

    #[inline(always)]
    pub fn skip_tasks(&mut self) {
        self.at += self.then as usize;
    }

    #[inline(always)]
    pub fn effect(&mut self) -> (EffectHead, u64) {
        (EffectHead::unpacked(self.next()), self.next())
    }

    /// Applies the sets of an effect.
    #[inline(always)]
    pub fn apply<const W: usize>(&mut self, head: EffectHead, state: &mut [u64; W]) {
        for _ in 0..head.sets {
            let (word, clear, set) = (self.next(), self.next(), self.next());
            let word = &mut state[word as usize % W];
            *word = *word & !clear | set;
        }
        self.at += SET * head.unused as usize;
    }

    #[inline(always)]
    pub fn change(&mut self) -> Changing {
        Changing(self.next())
    }
}

/// A component, and the number of what changes it, in one cell.
#[derive(Clone, Copy, Debug)]
pub struct Changing(pub u64);

impl Changing {
    fn new(component: u32, number: u32) -> Changing {
        Changing(u64::from(component) << 32 | u64::from(number))
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
            words: 1,
            word_bits: 3,
        };
        let many = Layout::plan(&[9, 2, 1 << 40, 1 << 30]).expect("not too large");
        assert!(many.words > few.words);
        let effect = |sets: &[(u32, u32)], changes: &[(u32, u32)]| NumberedEffect {
            end: EffectEnd::State,
            is_progress: true,
            violated: 3,
            sets: sets.to_vec(),
            changes: changes.to_vec(),
        };
        let lesson = Numbered {
            then: vec![Task(7), Task(1)],
            violated: 2,
            effects: vec![
                effect(&[(0, 0), (1, 1), (2, 0), (3, 2)], &[]),
                effect(&[(2, 0)], &[(3, 5), (1, 6)]),
                effect(&[], &[]),
            ],
        };
        let read = |cells: &[u64], layout: &Layout| {
            let mut lesson = Numbered::read(|index| cells[index], 0, layout);
            let effects = lesson.effects.iter_mut();
            effects.for_each(|effect| effect.sets.sort_unstable());
            lesson
        };
        let small = lesson.cells(&few);
        assert_eq!(read(&small, &few), lesson);
        let large = read(&small, &few).cells(&many);
        assert_eq!(large.len(), small.len());
        assert_eq!(read(&large, &many), lesson);
    }
}
