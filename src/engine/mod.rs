//! What makes exploration fast: states packed into few bytes, steps remembered instead of interpreted, and
//! what threads share while they do both.

mod state_store;
mod successor_cache;
pub mod sync;

pub use state_store::{Inserter, Positions, Store};
pub use successor_cache::{
    CacheStatistics, Expansion, Field, Layout, MOST_WORDS, NeedsGrowth, SuccessorCache, Translation,
};

/// Pieces of the engine, so that they can be measured by themselves. Nothing else should use them.
#[doc(hidden)]
pub mod pieces {
    pub use super::successor_cache::ValueTable;
}
