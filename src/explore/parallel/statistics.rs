//! What the engine tells about itself, so that a person sees why a model is slow.

use crate::system::MemoStatistics;

/// Components that are listed: those with most contents.
const LISTED: usize = 12;

/// Why a model is fast or slow.
#[derive(Clone, Debug)]
pub struct EngineStatistics {
    pub memo: MemoStatistics,
    /// Tasks that were run or remembered.
    pub lookups: u64,
    pub store_bytes: usize,
}

impl EngineStatistics {
    /// For people, line by line.
    pub fn lines(&self, states: u64) -> Vec<String> {
        let memo = &self.memo;
        let per_state = self.store_bytes as f64 / states.max(1) as f64;
        let hits = self.lookups.saturating_sub(memo.misses);
        let rate = 100.0 * hits as f64 / self.lookups.max(1) as f64;
        let mut lines = vec![
            format!(
                "store        {} in words of 64 bits: {}, {per_state:.1} bytes per state",
                megabytes(self.store_bytes),
                memo.words
            ),
            format!(
                "steps        {} remembered ({}), {hits} hits, {} misses: {rate:.2}% hits",
                memo.lessons,
                megabytes(memo.bytes),
                memo.misses
            ),
        ];
        if memo.evictions > 0 {
            let times = memo.evictions;
            lines.push(format!(
                "             all were forgotten {times} times for lack of room"
            ));
        }
        let mut contents: Vec<&(String, usize)> = memo.contents.iter().collect();
        contents.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let local = contents.iter().take(LISTED);
        lines.extend(local.map(|(name, count)| format!("{count:>12} local states of {name}")));
        if let Some(others) = contents
            .len()
            .checked_sub(LISTED)
            .filter(|others| *others > 0)
        {
            lines.push(format!("             and {others} components with fewer"));
        }
        lines
    }
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
