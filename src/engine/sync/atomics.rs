//! The atomics and locks of the standard library, or those of loom, which tries all orders of
//! events. What a model of loom is to see must come from here.

#[cfg(loom)]
pub use loom::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub use std::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
