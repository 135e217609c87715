//! What makes exploration fast: states stored in few bytes, steps remembered instead of interpreted, and
//! what threads share while they do both.
//!
//! | file | what it holds |
//! |---|---|
//! | `space` | all states that were met, and where they lead |
//! | `batch` | what one worker needs to expand them |
//! | `recent_cache` | the states that a worker has met lately |
//! | `successor_cache` | states of one word, and their steps |
//! | `wide` | states of any width, and their steps |
//! | `sync` | tables and arrays that threads share |

mod batch;
mod recent_cache;
mod space;
mod successor_cache;
pub mod sync;
mod wide;

pub use batch::{Batch, Run, SpaceWorker, StateId, StateKey, ViolationAt, Wanted};
pub use space::{Pause, StateSpace, Width};
pub use successor_cache::CacheStatistics;

/// Pieces of the engine, so that they can be measured by themselves. Nothing else should use them.
#[doc(hidden)]
pub mod pieces {
    pub use super::successor_cache::ValueTable;
}
