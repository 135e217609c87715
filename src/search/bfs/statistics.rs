//! What the engine tells about itself, so that a person sees why a model is slow.

use super::Touches;
use crate::engine::CacheStatistics;

/// Components that are listed: those with most contents.
const LISTED: usize = 12;

/// Why a model is fast or slow.
#[derive(Clone, Debug, Default)]
pub struct EngineStatistics {
    pub cache: CacheStatistics,
    /// Tasks that were run or remembered.
    pub lookups: u64,
    pub transitions: u64,
    pub touches: Touches,
    pub store_bytes: usize,
}

impl EngineStatistics {
    /// For people, line by line.
    pub fn lines(&self, states: u64) -> Vec<String> {
        let cache = &self.cache;
        let per_state = self.store_bytes as f64 / states.max(1) as f64;
        let hits = self.lookups.saturating_sub(cache.misses);
        let rate = 100.0 * hits as f64 / self.lookups.max(1) as f64;
        let form = match cache.bits {
            0 => "trees".to_owned(),
            bits => format!("words of {bits} bits"),
        };
        let mut lines = vec![
            format!(
                "store        {} for states as {form}: {per_state:.1} bytes per state",
                megabytes(self.store_bytes)
            ),
            format!(
                "steps        {} remembered ({}), {hits} hits, {} misses: {rate:.2}% hits",
                cache.results,
                megabytes(cache.bytes),
                cache.misses
            ),
        ];
        lines.push(format!("shared       {}", self.shared()));
        if cache.evictions > 0 {
            let times = cache.evictions;
            lines.push(format!(
                "             all were forgotten {times} times for lack of room"
            ));
        }
        let mut values: Vec<&(String, usize)> = cache.values.iter().collect();
        values.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let local = values.iter().take(LISTED);
        lines.extend(local.map(|(name, count)| format!("{count:>12} local states of {name}")));
        if let Some(others) = values
            .len()
            .checked_sub(LISTED)
            .filter(|others| *others > 0)
        {
            lines.push(format!("             and {others} components with fewer"));
        }
        lines
    }

    /// What limits how many cores are of use.
    fn shared(&self) -> String {
        let Touches {
            pieces,
            locks,
            reservations,
            counts,
        } = self.touches;
        let per_million = |touches: u64| touches as f64 * 1e6 / self.transitions.max(1) as f64;
        format!(
            "{:.0} pieces, {:.0} reservations, {:.0} counts, {:.1} locks in a million transitions",
            per_million(pieces),
            per_million(reservations),
            per_million(counts),
            per_million(locks)
        )
    }
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
