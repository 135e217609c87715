//! What a piece of the semantics looked at, and what it wrote: noted while somebody watches.
//!
//! The rules stay as they are; the few places through which they reach into a configuration tell.
//! Outside of `watching` a note costs the look at one flag.

use std::cell::{Cell, RefCell};

use crate::lang::{ObjectId, StateId, ThreadId};

/// A part of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The regions of an object, and the message that it was given.
    Control(ObjectId),
    /// Whether a state of an object is active.
    In(ObjectId, StateId),
    /// One of its variables.
    Value(ObjectId, usize),
    Global(usize),
    /// Which object of a thread is running.
    Thread(ThreadId),
    /// The first message of a queue: an object's, or a thread's.
    Head(usize),
    /// How many messages a queue holds, those set aside included.
    Waiting(usize),
    /// All of a queue.
    Queue(usize),
}

/// In the order of first mention.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    pub seen: Vec<Part>,
    pub written: Vec<Part>,
}

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static NOTES: RefCell<Accesses> = RefCell::default();
}

/// Runs something, and notes what it looks at and writes on this thread.
pub fn watching<T>(run: impl FnOnce() -> T) -> (T, Accesses) {
    NOTES.replace(Accesses::default());
    IS_WATCHED.set(true);
    let result = run();
    IS_WATCHED.set(false);
    (result, NOTES.take())
}

#[inline]
pub(super) fn see(part: Part) {
    if IS_WATCHED.get() {
        NOTES.with_borrow_mut(|notes| note(&mut notes.seen, part));
    }
}

#[inline]
pub(super) fn write(part: Part) {
    if IS_WATCHED.get() {
        NOTES.with_borrow_mut(|notes| note(&mut notes.written, part));
    }
}

fn note(parts: &mut Vec<Part>, part: Part) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}
