//! Threads that stay between two pieces of work.
//!
//! A thread that is made anew begins on the core of whoever made it, and is moved to an idle one only
//! after some milliseconds: many short pieces were no faster with two threads than with one.

use std::sync::OnceLock;

use rayon::ThreadPoolBuilder;

pub struct ThreadPool {
    threads: usize,
    /// Made when it is first needed. None if there is but one thread, or no more are to be had.
    pool: OnceLock<Option<rayon::ThreadPool>>,
}

impl ThreadPool {
    pub fn new(threads: usize) -> ThreadPool {
        ThreadPool {
            threads,
            pool: OnceLock::new(),
        }
    }

    /// Whoever works, works alone.
    pub fn alone() -> ThreadPool {
        ThreadPool::new(1)
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// All threads do the same work, which they share out themselves; what each of them brings.
    pub fn together<R: Send>(&self, work: impl Fn() -> R + Sync) -> Vec<R> {
        match self.pool.get_or_init(|| pool(self.threads)) {
            Some(pool) => pool.broadcast(|_| work()),
            None => vec![work()],
        }
    }
}

fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    (threads > 1).then(|| builder.build().ok()).flatten()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::engine::sync::{AtomicUsize, Ordering};

    #[test]
    fn all_threads_work_and_each_brings_something() {
        for threads in [1, 2, 5] {
            let pool = ThreadPool::new(threads);
            for _ in 0..100 {
                let (next, all) = (AtomicUsize::new(0), 1000);
                let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < all);
                let taken = pool.together(|| std::iter::from_fn(take).collect::<Vec<_>>());
                assert_eq!(taken.len(), threads);
                let mut taken: Vec<usize> = taken.into_iter().flatten().collect();
                taken.sort_unstable();
                assert!(taken.into_iter().eq(0..all));
            }
        }
    }
}
