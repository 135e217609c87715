//! Data structures that many threads use at once, without locks where it is hot.
//!
//! All of them grow by appending and never change what was published: a number, once given out,
//! keeps its meaning. What must move things around takes `&mut self`.

mod atomics;
mod keys;
mod memory;
mod segments;
mod table;

pub use atomics::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
pub use keys::NARROW_BITS;
pub use memory::{OutOfMemory, Pages, prefetch};
pub use segments::Segments;
pub use table::{Ids, Table, hash};
