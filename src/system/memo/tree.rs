//! What tasks do, remembered as decision trees: look at a component; its number leads to the next
//! look, or to a leaf that holds the lesson.
//!
//! Everything stands in one array of cells. The first cells are the roots, one for each task. A node
//! is a head, which says what to look at, and a place for each number, which says where it leads. A
//! leaf is written by `lesson`.
//!
//! Readers take no lock. Writers hold one, and publish what they wrote by one atomic store into the
//! place that leads there. A node that needs more places is copied, and the place that led to it is
//! changed; readers of the old node see less, never something wrong.
//!
//! Invariant: every look of a lesson lies on the path to its leaf.

use crossbeam_utils::CachePadded;

use super::layout::{Field, Layout};
use super::lesson::Numbered;
use crate::concurrent::{AtomicU64, Mutex, MutexGuard, Ordering, OutOfMemory, Pages};
use crate::system::{Facet, Look, Task};

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
    fn new(look: Look, field: Field, log: u32) -> Head {
        Head(
            u64::from(field.packed())
                | u64::from(look.facet.0) << 24
                | u64::from(log) << 32
                | (look.component as u64) << 40,
        )
    }

    #[inline(always)]
    pub fn field(self) -> Field {
        Field::unpacked(self.0 as u32)
    }

    #[inline(always)]
    pub fn look(self) -> Look {
        Look {
            component: (self.0 >> 40) as usize,
            facet: Facet((self.0 >> 24) as u8),
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
    tasks: usize,
    book: CachePadded<Mutex<Book>>,
}

/// What only writers need.
struct Book {
    /// Cells in use.
    used: usize,
    nodes: Vec<usize>,
    leaves: Vec<usize>,
}

/// The cells are used up: there must be more, or fewer lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Trees {
    pub fn new(tasks: usize) -> Result<Trees, OutOfMemory> {
        Ok(Trees {
            cells: Pages::new(FIRST_CELLS.max((4 * tasks).next_power_of_two()))?,
            tasks,
            book: CachePadded::new(Mutex::new(Book::new(tasks))),
        })
    }

    #[inline(always)]
    pub fn root(&self, task: Task) -> Next {
        self.next_at(1 + task.0 as usize)
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

    /// Adds a lesson: the path that the numbers of its looks take, and the leaf at its end.
    pub fn learn(
        &self,
        task: Task,
        looks: &[(Look, u32)],
        number_of: impl Fn(Look) -> Result<u32, OutOfMemory>,
        layout: &Layout,
        lesson: Numbered,
    ) -> Result<(), LearnError> {
        let mut book = self.book();
        let mut left = looks.to_vec();
        let mut place = 1 + task.0 as usize;
        loop {
            let node = match (self.next_at(place), left.first()) {
                (Next::Leaf(_), _) => return Ok(()), // another thread was faster
                (Next::Node(node), _) => node,
                (Next::Unknown, Some((look, number))) => {
                    self.add_node(&mut book, place, *look, *number, layout)?
                }
                (Next::Unknown, None) => {
                    return Ok(self.add_leaf(&mut book, place, &lesson.cells(layout))?);
                }
            };
            let look = self.head(node).look();
            left.retain(|(other, _)| *other != look);
            let number = number_of(look)?;
            place = self.place_for(&mut book, place, node, number)? + 1 + number as usize;
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Cells that nobody uses yet.
    fn take(&self, book: &mut Book, cells: usize) -> Result<usize, Full> {
        let start = book.used;
        if start + cells > self.cells.len() {
            return Err(Full);
        }
        book.used += cells;
        Ok(start)
    }

    fn put(&self, cell: usize, value: u64) {
        self.cells[cell].store(value, Ordering::Relaxed);
    }

    fn add_node(
        &self,
        book: &mut Book,
        place: usize,
        look: Look,
        number: u32,
        layout: &Layout,
    ) -> Result<usize, Full> {
        let head = Head::new(look, layout.fields[look.component], log_for(number));
        let node = self.take(book, 1 + head.places())?;
        self.put(node, head.0);
        book.nodes.push(node);
        self.lead(place, Next::Node(node));
        Ok(node)
    }

    fn add_leaf(&self, book: &mut Book, place: usize, cells: &[u64]) -> Result<(), Full> {
        let leaf = self.take(book, cells.len())?;
        self.put_all(leaf, cells);
        book.leaves.push(leaf);
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
        book: &mut Book,
        place: usize,
        node: usize,
        number: u32,
    ) -> Result<usize, Full> {
        let head = self.head(node);
        if number >> head.log() == 0 {
            return Ok(node);
        }
        let larger = Head(head.0 & !(0xff << 32) | u64::from(log_for(number)) << 32);
        let copy = self.take(book, 1 + larger.places())?;
        self.put(copy, larger.0);
        for offset in 1..=head.places() {
            self.put(copy + offset, self.cell(node + offset));
        }
        book.nodes.push(copy);
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
        let used = self.book().used;
        for (new, old) in cells.iter().zip(self.cells.iter()).take(used) {
            new.store(old.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.cells = cells;
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let used = self.book().used;
        (0..used).for_each(|cell| self.put(cell, 0));
        *self.book() = Book::new(self.tasks);
    }

    /// Writes everything that depends on where components stand.
    pub fn set_layout(&mut self, before: &Layout, layout: &Layout) {
        let book = self.book();
        for node in &book.nodes {
            let head = self.head(*node);
            let field = layout.fields[head.look().component];
            self.put(*node, Head::new(head.look(), field, head.log()).0);
        }
        for leaf in &book.leaves {
            let lesson = Numbered::read(|index| self.cell(index), *leaf, before);
            self.put_all(*leaf, &lesson.cells(layout));
        }
    }

    pub fn statistics(&self) -> TreeStatistics {
        let book = self.book();
        TreeStatistics {
            nodes: book.nodes.len(),
            leaves: book.leaves.len(),
            bytes: book.used * size_of::<AtomicU64>(),
        }
    }

    /// What the cells take if all are used.
    pub fn bytes(&self) -> usize {
        self.cells.len() * size_of::<AtomicU64>()
    }
}

impl Book {
    fn new(tasks: usize) -> Book {
        Book {
            used: 1 + tasks, // no cell has the number 0, which means nowhere
            nodes: Vec::new(),
            leaves: Vec::new(),
        }
    }
}

/// Room for this number, and for some more than have been seen.
fn log_for(number: u32) -> u32 {
    (u32::BITS - number.leading_zeros()).max(1)
}

/// Why a lesson could not be added.
pub enum LearnError {
    Full,
    Memory,
}

impl From<Full> for LearnError {
    fn from(_: Full) -> LearnError {
        LearnError::Full
    }
}

impl From<OutOfMemory> for LearnError {
    fn from(_: OutOfMemory) -> LearnError {
        LearnError::Memory
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
    use crate::concurrent::loom_tests::model;

    const TASK: Task = Task(0);
    const LOOK: Look = Look {
        component: 0,
        facet: Facet::WHOLE,
    };

    fn trees() -> Arc<Trees> {
        Arc::new(Trees::new(1).expect("memory"))
    }

    /// Where the component has this number, another task follows, which tells what was learnt.
    fn learn(trees: &Trees, number: u32) {
        let field = Field {
            width: 8,
            ..Field::default()
        };
        let layout = Layout {
            fields: vec![field],
            words: 1,
            word_bits: 8,
        };
        let lesson = Numbered {
            then: vec![Task(100 + number)],
            ..Numbered::default()
        };
        let learnt = trees.learn(TASK, &[(LOOK, number)], |_| Ok(number), &layout, lesson);
        assert!(learnt.is_ok());
    }

    /// What is known where the component has this number.
    fn recall(trees: &Trees, number: u32) -> Option<Task> {
        let mut next = trees.root(TASK);
        loop {
            next = match next {
                Next::Unknown => return None,
                Next::Node(node) => {
                    let head = trees.head(node);
                    assert_eq!(head.look(), LOOK, "a node that is not written");
                    assert_eq!(head.field().width, 8, "a node that is not written");
                    trees.follow(node, head, number)
                }
                Next::Leaf(leaf) => {
                    assert_eq!(trees.cell(leaf) as u32 & 0xffff, 1, "a leaf half written");
                    return Some(Task(trees.cell(leaf + 1) as u32));
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
                assert!(recall(&shared, 1).is_none_or(|task| task == Task(101)));
            });
            learn(&trees, 1);
            assert_eq!(recall(&trees, 1), Some(Task(101)));
            reader.join().expect("the reader");
        });
    }

    #[test]
    fn a_lesson_that_is_gone_while_its_node_is_copied() {
        model(|| {
            let trees = trees();
            learn(&trees, 1);
            let shared = trees.clone();
            let reader = thread::spawn(move || {
                assert_eq!(recall(&shared, 1), Some(Task(101)));
                assert!(recall(&shared, 5).is_none_or(|task| task == Task(105)));
            });
            learn(&trees, 5); // needs more places
            assert_eq!(recall(&trees, 1), Some(Task(101)));
            assert_eq!(recall(&trees, 5), Some(Task(105)));
            reader.join().expect("the reader");
        });
    }

    #[test]
    fn a_lesson_that_is_lost_or_doubled_between_two_writers() {
        model(|| {
            let trees = trees();
            let shared = trees.clone();
            let other = thread::spawn(move || {
                learn(&shared, 5);
                // Whoever has learnt finds it: otherwise the search would learn without end.
                assert_eq!(recall(&shared, 5), Some(Task(105)));
            });
            learn(&trees, 1);
            learn(&trees, 5);
            assert_eq!(recall(&trees, 5), Some(Task(105)));
            other.join().expect("the other writer");
            assert_eq!(recall(&trees, 1), Some(Task(101)));
            assert_eq!(trees.statistics().leaves, 2);
        });
    }
}
