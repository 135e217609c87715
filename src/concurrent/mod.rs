//! Data structures that many threads use at once, without locks where it is hot.
//!
//! All of them grow by appending and never change what was published: a number, once given out,
//! keeps its meaning. What must move things around takes `&mut self`.

mod crew;
mod keys;
mod line;
mod memory;
mod numbering;
mod segments;
mod shelf;
mod sync;
mod table;

#[cfg(all(test, loom))]
pub mod loom_tests;
#[cfg(all(test, not(loom)))]
mod stress;

pub use crew::Crew;
pub use keys::NARROW_BITS;
pub use memory::{OutOfMemory, Pages, prefetch};
pub use numbering::Numbering;
pub use segments::Segments;
pub use sync::{AtomicU32, AtomicU64, AtomicUsize, Mutex, MutexGuard, Ordering};
pub use table::{Ids, Table, hash};
