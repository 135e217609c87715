//! What groups do, remembered as decision trees: look at a component; its number leads to the next
//! look, or to a leaf that holds the result.
//!
//! Everything stands in one array of cells. The first cells are the roots, one for each group. A node
//! is a head, which says what to look at, and a place for each number, which says where it leads. A
//! leaf is written by `encoding`.
//!
//! Readers take no lock. Writers hold one, and publish what they wrote by one atomic store into the
//! place that leads there. A node that needs more places is copied, and the place that led to it is
//! changed; readers of the old node see less, never something wrong.
//!
//! Invariant: every look of a result lies on the path to its leaf.

use crossbeam_utils::CachePadded;

use super::encoding::EncodedResult;
use super::layout::{Field, Layout};
use crate::engine::sync::{AtomicU64, Mutex, MutexGuard, Ordering, OutOfMemory, Pages};
use crate::system::{GroupId, Projection, Read};

/// Where a place leads: nowhere yet, to a node, or to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Unknown,
    Node(usize),
    Leaf(usize),
}

const LEAF: u64 = 1 << 63;
#[cfg(not(loom))]
const FIRST_CELLS: usize = 1 << 16;
#[cfg(loom)]
const FIRST_CELLS: usize = 1 << 5;

impl Next {
    #[inline(always)]
    fn unpacked(packed: u64) -> Next {
        match packed {
            0 => Next::Unknown,
            packed if packed & LEAF != 0 => Next::Leaf((packed ^ LEAF) as usize),
            node => Next::Node(node as usize),
        }
    }

    fn packed(self) -> u64 {
        match self {
            Next::Unknown => 0,
            Next::Node(node) => node as u64,
            Next::Leaf(leaf) => leaf as u64 | LEAF,
        }
    }
}

/// What a node looks at.
#[derive(Clone, Copy, Debug)]
pub struct Head(u64);

impl Head {
    fn new(read: Read, field: Field, log: u32) -> Head {
        Head(
            u64::from(field.packed())
                | u64::from(read.projection.0) << 24
                | u64::from(log) << 32
                | (read.component as u64) << 40,
        )
    }

    #[inline(always)]
    pub fn field(self) -> Field {
        Field::unpacked(self.0 as u32)
    }

    #[inline(always)]
    pub fn read(self) -> Read {
        Read {
            component: (self.0 >> 40) as usize,
            projection: Projection((self.0 >> 24) as u8),
        }
    }

    /// The logarithm of how many places there are.
    #[inline(always)]
    fn log(self) -> u32 {
        (self.0 >> 32) as u32 & 0xff
    }

    fn places(self) -> usize {
        1 << self.log()
    }
}

pub struct Trees {
    cells: Pages<AtomicU64>,
    groups: usize,
    writer: CachePadded<Mutex<WriterState>>,
}

/// What only writers need.
struct WriterState {
    /// Cells in use.
    used: usize,
    nodes: Vec<usize>,
    leaves: Vec<usize>,
}

/// The cells are used up: there must be more, or fewer results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Trees {
    pub fn new(groups: usize) -> Result<Trees, OutOfMemory> {
        Ok(Trees {
            cells: Pages::new(FIRST_CELLS.max((4 * groups).next_power_of_two()))?,
            groups,
            writer: CachePadded::new(Mutex::new(WriterState::new(groups))),
        })
    }

    #[inline(always)]
    pub fn root(&self, group: GroupId) -> Next {
        self.next_at(1 + group.0 as usize)
    }

    #[inline(always)]
    fn next_at(&self, place: usize) -> Next {
        // Acquire: pairs with the Release in `lead`; what it leads to is written.
        Next::unpacked(self.cells[place].load(Ordering::Acquire))
    }

    #[inline(always)]
    pub fn head(&self, node: usize) -> Head {
        Head(self.cell(node))
    }

    /// Where a number leads from a node.
    #[inline(always)]
    pub fn follow(&self, node: usize, head: Head, number: u32) -> Next {
        if number >> head.log() != 0 {
            return Next::Unknown;
        }
        self.next_at(node + 1 + number as usize)
    }

    #[inline(always)]
    pub fn cell(&self, index: usize) -> u64 {
        self.cells[index].load(Ordering::Relaxed)
    }

    /// Adds a result: the path that the numbers of its looks take, and the leaf at its end.
    pub fn insert(
        &self,
        group: GroupId,
        reads: &[(Read, u32)],
        number_of: impl Fn(Read) -> Result<u32, OutOfMemory>,
        field_of: impl Fn(usize) -> Field,
        leaf: &[u64],
    ) -> Result<(), InsertError> {
        let mut writer = self.writer();
        let mut left = reads.to_vec();
        let mut place = 1 + group.0 as usize;
        loop {
            let node = match (self.next_at(place), left.first()) {
                (Next::Leaf(_), _) => return Ok(()), // another thread was faster
                (Next::Node(node), _) => node,
                (Next::Unknown, Some((read, number))) => {
                    let field = field_of(read.component);
                    self.add_node(&mut writer, place, *read, *number, field)?
                }
                (Next::Unknown, None) => {
                    return Ok(self.add_leaf(&mut writer, place, leaf)?);
                }
            };
            let read = self.head(node).read();
            left.retain(|(other, _)| *other != read);
            let number = number_of(read)?;
            place = self.place_for(&mut writer, place, node, number)? + 1 + number as usize;
        }
    }

    fn writer(&self) -> MutexGuard<'_, WriterState> {
        self.writer
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Cells that nobody uses yet.
    fn take(&self, writer: &mut WriterState, cells: usize) -> Result<usize, Full> {
        let start = writer.used;
        if start + cells > self.cells.len() {
            return Err(Full);
        }
        writer.used += cells;
        Ok(start)
    }

    fn put(&self, cell: usize, value: u64) {
        self.cells[cell].store(value, Ordering::Relaxed);
    }

    fn add_node(
        &self,
        writer: &mut WriterState,
        place: usize,
        read: Read,
        number: u32,
        field: Field,
    ) -> Result<usize, Full> {
        let head = Head::new(read, field, log_for(number));
        let node = self.take(writer, 1 + head.places())?;
        self.put(node, head.0);
        writer.nodes.push(node);
        self.lead(place, Next::Node(node));
        Ok(node)
    }

    fn add_leaf(&self, writer: &mut WriterState, place: usize, cells: &[u64]) -> Result<(), Full> {
        let leaf = self.take(writer, cells.len())?;
        self.put_all(leaf, cells);
        writer.leaves.push(leaf);
        self.lead(place, Next::Leaf(leaf));
        Ok(())
    }

    fn put_all(&self, first: usize, values: &[u64]) {
        for (offset, value) in values.iter().enumerate() {
            self.put(first + offset, *value);
        }
    }

    /// A node with a place for a number: this one, or a larger copy.
    fn place_for(
        &self,
        writer: &mut WriterState,
        place: usize,
        node: usize,
        number: u32,
    ) -> Result<usize, Full> {
        let head = self.head(node);
        if number >> head.log() == 0 {
            return Ok(node);
        }
        let larger = Head(head.0 & !(0xff << 32) | u64::from(log_for(number)) << 32);
        let copy = self.take(writer, 1 + larger.places())?;
        self.put(copy, larger.0);
        for offset in 1..=head.places() {
            self.put(copy + offset, self.cell(node + offset));
        }
        writer.nodes.push(copy);
        self.lead(place, Next::Node(copy));
        Ok(copy)
    }

    /// Makes a place lead somewhere.
    fn lead(&self, place: usize, next: Next) {
        // Release: pairs with the Acquire in `next_at`; publishes what `next` names.
        self.cells[place].store(next.packed(), Ordering::Release);
    }

    /// Twice as many cells.
    pub fn grow(&mut self) -> Result<(), OutOfMemory> {
        let cells: Pages<AtomicU64> = Pages::new(2 * self.cells.len())?;
        let used = self.writer().used;
        for (new, old) in cells.iter().zip(self.cells.iter()).take(used) {
            new.store(old.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.cells = cells;
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let used = self.writer().used;
        (0..used).for_each(|cell| self.put(cell, 0));
        *self.writer() = WriterState::new(self.groups);
    }

    /// Writes everything that depends on where components stand.
    pub fn set_layout(&mut self, before: &Layout, layout: &Layout) {
        let writer = self.writer();
        for node in &writer.nodes {
            let head = self.head(*node);
            let field = layout.fields[head.read().component];
            self.put(*node, Head::new(head.read(), field, head.log()).0);
        }
        for leaf in &writer.leaves {
            let result = EncodedResult::read(|index| self.cell(index), *leaf, before);
            self.put_all(*leaf, &result.cells(layout));
        }
    }

    pub fn statistics(&self) -> TreeStatistics {
        let writer = self.writer();
        TreeStatistics {
            nodes: writer.nodes.len(),
            leaves: writer.leaves.len(),
            bytes: writer.used * size_of::<AtomicU64>(),
        }
    }

    /// What the cells take if all are used.
    pub fn bytes(&self) -> usize {
        self.cells.len() * size_of::<AtomicU64>()
    }
}

impl WriterState {
    fn new(groups: usize) -> WriterState {
        WriterState {
            used: 1 + groups, // no cell has the number 0, which means nowhere
            nodes: Vec::new(),
            leaves: Vec::new(),
        }
    }
}

/// Room for this number, and for some more than have been seen.
fn log_for(number: u32) -> u32 {
    (u32::BITS - number.leading_zeros()).max(1)
}

/// Why a result could not be added.
pub enum InsertError {
    Full,
    Memory,
}

impl From<Full> for InsertError {
    fn from(_: Full) -> InsertError {
        InsertError::Full
    }
}

impl From<OutOfMemory> for InsertError {
    fn from(_: OutOfMemory) -> InsertError {
        InsertError::Memory
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TreeStatistics {
    pub nodes: usize,
    pub leaves: usize,
    pub bytes: usize,
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::engine::sync::loom_tests::model;

    const TASK: GroupId = GroupId(0);
    const LOOK: Read = Read {
        component: 0,
        projection: Projection::WHOLE,
    };

    fn trees() -> Arc<Trees> {
        Arc::new(Trees::new(1).expect("memory"))
    }

    /// Where the component has this number, another group follows, which tells what was learnt.
    fn insert(trees: &Trees, number: u32) {
        let field = Field {
            width: 8,
            ..Field::default()
        };
        let layout = Layout {
            fields: vec![field],
            word_bits: 8,
        };
        let result = EncodedResult {
            then: vec![GroupId(100 + number)],
            ..EncodedResult::default()
        };
        let cells = result.cells(&layout);
        let reads = [(LOOK, number)];
        let learnt = trees.insert(TASK, &reads, |_| Ok(number), |_| field, &cells);
        assert!(learnt.is_ok());
    }

    /// What is known where the component has this number.
    fn group_cache(trees: &Trees, number: u32) -> Option<GroupId> {
        let mut next = trees.root(TASK);
        loop {
            next = match next {
                Next::Unknown => return None,
                Next::Node(node) => {
                    let head = trees.head(node);
                    assert_eq!(head.read(), LOOK, "a node that is not written");
                    assert_eq!(head.field().width, 8, "a node that is not written");
                    trees.follow(node, head, number)
                }
                Next::Leaf(leaf) => {
                    assert_eq!(trees.cell(leaf) as u32 & 0xffff, 1, "a leaf half written");
                    return Some(GroupId(trees.cell(leaf + 1) as u32));
                }
            }
        }
    }

    // The reader is the thread that is started: loom runs it after the writer first, and so sees
    // all that it may read. The other way round it would find nothing: it remembers only the last
    // access to a place, and a writer reads a place before it writes there.

    #[test]
    fn a_leaf_that_is_seen_before_it_is_written() {
        model(|| {
            let trees = trees();
            let shared = trees.clone();
            let reader = thread::spawn(move || {
                assert!(group_cache(&shared, 1).is_none_or(|group| group == GroupId(101)));
            });
            insert(&trees, 1);
            assert_eq!(group_cache(&trees, 1), Some(GroupId(101)));
            reader.join().expect("the reader");
        });
    }

    #[test]
    fn a_lesson_that_is_gone_while_its_node_is_copied() {
        model(|| {
            let trees = trees();
            insert(&trees, 1);
            let shared = trees.clone();
            let reader = thread::spawn(move || {
                assert_eq!(group_cache(&shared, 1), Some(GroupId(101)));
                assert!(group_cache(&shared, 5).is_none_or(|group| group == GroupId(105)));
            });
            insert(&trees, 5); // needs more places
            assert_eq!(group_cache(&trees, 1), Some(GroupId(101)));
            assert_eq!(group_cache(&trees, 5), Some(GroupId(105)));
            reader.join().expect("the reader");
        });
    }

    #[test]
    fn a_lesson_that_is_lost_or_doubled_between_two_writers() {
        model(|| {
            let trees = trees();
            let shared = trees.clone();
            let other = thread::spawn(move || {
                insert(&shared, 5);
                // Whoever has learnt finds it: otherwise the search would learn without end.
                assert_eq!(group_cache(&shared, 5), Some(GroupId(105)));
            });
            insert(&trees, 1);
            insert(&trees, 5);
            assert_eq!(group_cache(&trees, 5), Some(GroupId(105)));
            other.join().expect("the other writer");
            assert_eq!(group_cache(&trees, 1), Some(GroupId(101)));
            assert_eq!(trees.statistics().leaves, 2);
        });
    }
}
