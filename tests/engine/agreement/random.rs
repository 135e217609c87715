//! Random decisions that a seed determines.

use crisol::simulate::Chooser;

pub struct Random(Chooser);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Chooser::new(seed))
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    /// Both ends included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}
