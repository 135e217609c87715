//! What tasks do, remembered as decision trees: look at a component; its number leads to the next
//! look, or to a leaf that holds the lesson.
//!
//! Readers take no lock. Writers hold one, and publish what they wrote by one atomic store into the
//! place that leads there. Where a node needs room for more numbers, its places are copied to a
//! larger range; readers of the old range see less, never something wrong.
//!
//! Invariant: every look of a lesson lies on the path to its leaf.

use std::sync::{Mutex, MutexGuard};

use bytemuck::Zeroable;

use super::layout::{Field, Layout};
use crate::concurrent::{AtomicU32, AtomicU64, OutOfMemory, Ordering, Segments};
use crate::system::{Facet, Look, Task};

/// Where a place leads: nowhere yet, to a node, or to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Unknown,
    Node(u32),
    /// Where the leaf begins on the tape.
    Leaf(u32),
}

const LEAF: u32 = 1 << 31;

impl Next {
    #[inline(always)]
    fn unpacked(packed: u32) -> Next {
        match packed {
            0 => Next::Unknown,
            packed if packed & LEAF != 0 => Next::Leaf(packed ^ LEAF),
            node => Next::Node(node),
        }
    }

    fn packed(self) -> u32 {
        match self {
            Next::Unknown => 0,
            Next::Node(node) => node,
            Next::Leaf(leaf) => leaf | LEAF,
        }
    }
}

#[derive(Default, Zeroable)]
pub struct Node {
    component: AtomicU32,
    facet: AtomicU32,
    /// Where the component stands in a packed state.
    field: AtomicU32,
    /// The first of its places, and the logarithm of how many there are.
    places: AtomicU64,
}

impl Node {
    #[inline(always)]
    pub fn field(&self) -> Field {
        Field::unpacked(self.field.load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub fn component(&self) -> usize {
        self.component.load(Ordering::Relaxed) as usize
    }

    #[inline(always)]
    pub fn facet(&self) -> Facet {
        Facet(self.facet.load(Ordering::Relaxed) as u8)
    }

    fn look(&self) -> Look {
        Look {
            component: self.component(),
            facet: self.facet(),
        }
    }
}

#[derive(Default)]
pub struct Trees {
    /// By task.
    roots: Vec<AtomicU32>,
    nodes: Segments<Node>,
    places: Segments<AtomicU32>,
    tape: Segments<AtomicU64>,
    used: Mutex<Used>,
}

/// How much of each array is in use; 0 means nothing, so all begin with 1.
struct Used {
    nodes: usize,
    places: usize,
    tape: usize,
}

impl Default for Used {
    fn default() -> Self {
        Used {
            nodes: 1,
            places: 1,
            tape: 1,
        }
    }
}

impl Trees {
    pub fn new(tasks: usize) -> Trees {
        Trees {
            roots: (0..tasks).map(|_| AtomicU32::new(0)).collect(),
            ..Trees::default()
        }
    }

    #[inline(always)]
    pub fn root(&self, task: Task) -> Next {
        // Acquire: pairs with the Release in `lead`.
        Next::unpacked(self.roots[task.0 as usize].load(Ordering::Acquire))
    }

    #[inline(always)]
    pub fn node(&self, node: u32) -> &Node {
        self.nodes.get(node as usize).expect("a node that was published")
    }

    /// Where a number leads from a node.
    #[inline(always)]
    pub fn follow(&self, node: &Node, number: u32) -> Next {
        match self.place(node, number) {
            // Acquire: pairs with the Release in `lead`.
            Some(place) => Next::unpacked(place.load(Ordering::Acquire)),
            None => Next::Unknown,
        }
    }

    #[inline(always)]
    fn place(&self, node: &Node, number: u32) -> Option<&AtomicU32> {
        // Acquire: pairs with the Release in `make_room`; the copied places are written.
        let places = node.places.load(Ordering::Acquire);
        let (first, log) = (places >> 8, places & 0xff);
        if u64::from(number) >> log != 0 || places == 0 {
            return None;
        }
        self.places.get((first + u64::from(number)) as usize)
    }

    #[inline(always)]
    pub fn cell(&self, index: u32) -> u64 {
        let cell = self.tape.get(index as usize);
        cell.map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    /// Adds a lesson: the path that the numbers of its looks take, and the leaf at its end.
    pub fn learn(
        &self,
        task: Task,
        looks: &[Look],
        number_of: impl Fn(Look) -> Result<u32, OutOfMemory>,
        layout: &Layout,
        leaf: &[u64],
    ) -> Result<(), OutOfMemory> {
        let mut used = self.used();
        let mut left: Vec<Look> = looks.to_vec();
        let mut place = &self.roots[task.0 as usize];
        loop {
            let node = match Next::unpacked(place.load(Ordering::Relaxed)) {
                Next::Leaf(_) => return Ok(()), // another thread was faster
                Next::Node(node) => node,
                Next::Unknown => match left.first() {
                    Some(look) => self.add_node(&mut used, place, *look, layout)?,
                    None => return self.add_leaf(&mut used, place, leaf),
                },
            };
            let look = self.node(node).look();
            left.retain(|other| *other != look);
            let number = number_of(look)?;
            place = self.make_room(&mut used, self.node(node), number)?;
        }
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn add_node(
        &self,
        used: &mut Used,
        place: &AtomicU32,
        look: Look,
        layout: &Layout,
    ) -> Result<u32, OutOfMemory> {
        let number = used.nodes as u32;
        let node = self.nodes.at(used.nodes)?;
        node.component.store(look.component as u32, Ordering::Relaxed);
        node.facet.store(u32::from(look.facet.0), Ordering::Relaxed);
        node.field.store(layout.fields[look.component].packed(), Ordering::Relaxed);
        used.nodes += 1;
        lead(place, Next::Node(number));
        Ok(number)
    }

    fn add_leaf(&self, used: &mut Used, place: &AtomicU32, leaf: &[u64]) -> Result<(), OutOfMemory> {
        let start = used.tape;
        for (offset, cell) in leaf.iter().enumerate() {
            self.tape.at(start + offset)?.store(*cell, Ordering::Relaxed);
        }
        used.tape += leaf.len();
        if used.tape >= LEAF as usize || used.nodes >= LEAF as usize {
            return Err(OutOfMemory);
        }
        lead(place, Next::Leaf(start as u32));
        Ok(())
    }

    /// The place of a number in a node, which gets more places if it has too few.
    fn make_room(&self, used: &mut Used, node: &Node, number: u32) -> Result<&AtomicU32, OutOfMemory> {
        if self.place(node, number).is_none() {
            let log = u64::from(u32::BITS - number.leading_zeros());
            let first = used.places;
            used.places += 1 << log;
            for number in 0..1 << log {
                let target = self.places.at(first + number as usize)?;
                let old = self.place(node, number).map(|old| old.load(Ordering::Relaxed));
                target.store(old.unwrap_or(0), Ordering::Relaxed);
            }
            // Release: pairs with the Acquire in `place`; publishes the copies.
            node.places.store((first as u64) << 8 | log, Ordering::Release);
        }
        Ok(self.place(node, number).expect("room was just made"))
    }

    /// Tells all nodes where their components stand now.
    pub fn set_layout(&mut self, layout: &Layout) {
        for node in self.nodes.iter_mut() {
            let component = *node.component.get_mut() as usize;
            *node.field.get_mut() = layout.fields[component].packed();
        }
    }

    pub fn statistics(&self) -> TreeStatistics {
        let used = self.used();
        TreeStatistics {
            nodes: used.nodes - 1,
            bytes: used.nodes * size_of::<Node>()
                + used.places * size_of::<AtomicU32>()
                + used.tape * size_of::<AtomicU64>(),
        }
    }
}

/// Makes a place lead somewhere.
fn lead(place: &AtomicU32, next: Next) {
    // Release: pairs with the Acquire in `follow` and `root`; publishes what `next` names.
    place.store(next.packed(), Ordering::Release);
}

#[derive(Clone, Copy, Debug)]
pub struct TreeStatistics {
    pub nodes: usize,
    pub bytes: usize,
}
