//! Data structures that many threads use at once, without locks where it is hot.
//!
//! All of them grow by appending and never change what was published: a number, once given out,
//! keeps its meaning. What must move things around takes `&mut self`.

mod append_list;
mod atomics;
mod bucket;
mod growing_array;
mod hash_index;
mod interner;
mod keys;
mod memory;
mod pool;

#[cfg(all(test, loom))]
pub mod loom_tests;
#[cfg(all(test, not(loom)))]
mod stress;

pub use atomics::{AtomicU32, AtomicU64, AtomicUsize, Mutex, MutexGuard, Ordering};
pub use growing_array::GrowingArray;
pub use hash_index::{HashIndex, Ids, hash};
pub use interner::Interner;
pub use keys::NARROW_BITS;
pub use memory::{NoRoom, OutOfMemory, Pages, prefetch};
pub use pool::ThreadPool;
