//! The atomics of the standard library, or those of loom, which tries all orders of events.

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};
