//! Lessons as numbers on a tape: what the hot path reads.
//!
//! A leaf is one head cell, the tasks that follow, and the effects, each a head cell and its writes.

use super::tree::Trees;
use crate::system::{EffectEnd, Task};

/// A lesson with everything numbered.
#[derive(Default)]
pub struct Numbered {
    pub then: Vec<Task>,
    /// One of the sets of properties; 0 is the empty one.
    pub violated: u32,
    pub effects: Vec<NumberedEffect>,
}

pub struct NumberedEffect {
    pub end: EffectEnd,
    pub is_progress: bool,
    pub violated: u32,
    pub writes: Vec<NumberedWrite>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedWrite {
    pub component: u32,
    pub is_change: bool,
    /// Of the content, or of the change.
    pub number: u32,
}

impl Numbered {
    pub fn tape(&self) -> Vec<u64> {
        let mut tape = vec![
            self.then.len() as u64 | (self.effects.len() as u64) << 16 | u64::from(self.violated) << 48,
        ];
        tape.extend(self.then.iter().map(|task| u64::from(task.0)));
        for effect in &self.effects {
            let end = match effect.end {
                EffectEnd::State => 0,
                EffectEnd::Nowhere => 1,
                EffectEnd::Cut => 2,
            };
            let flags = end | u64::from(effect.is_progress) << 2;
            tape.push(effect.writes.len() as u64 | flags << 32 | u64::from(effect.violated) << 48);
            tape.extend(effect.writes.iter().map(|write| write.packed()));
        }
        tape
    }
}

impl NumberedWrite {
    fn packed(self) -> u64 {
        u64::from(self.number) | u64::from(self.component) << 32 | u64::from(self.is_change) << 63
    }

    #[inline(always)]
    fn unpacked(cell: u64) -> NumberedWrite {
        NumberedWrite {
            number: cell as u32,
            component: (cell >> 32) as u32 & 0x7fff_ffff,
            is_change: cell >> 63 != 0,
        }
    }
}

/// Reads a leaf from front to back.
pub struct Reader<'t> {
    trees: &'t Trees,
    at: u32,
    pub then: u32,
    pub effects: u32,
    pub violated: u32,
}

pub struct EffectHead {
    pub writes: u32,
    pub end: EffectEnd,
    pub is_progress: bool,
    pub violated: u32,
}

impl<'t> Reader<'t> {
    #[inline(always)]
    pub fn new(trees: &'t Trees, leaf: u32) -> Reader<'t> {
        let head = trees.cell(leaf);
        Reader {
            trees,
            at: leaf + 1,
            then: head as u32 & 0xffff,
            effects: (head >> 16) as u32,
            violated: (head >> 48) as u32,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        let cell = self.trees.cell(self.at);
        self.at += 1;
        cell
    }

    #[inline(always)]
    pub fn task(&mut self) -> Task {
        Task(self.next() as u32)
    }

    #[inline(always)]
    pub fn effect(&mut self) -> EffectHead {
        let head = self.next();
        EffectHead {
            writes: head as u32,
            end: match head >> 32 & 3 {
                0 => EffectEnd::State,
                1 => EffectEnd::Nowhere,
                _ => EffectEnd::Cut,
            },
            is_progress: head >> 34 & 1 != 0,
            violated: (head >> 48) as u32,
        }
    }

    #[inline(always)]
    pub fn write(&mut self) -> NumberedWrite {
        NumberedWrite::unpacked(self.next())
    }
}
