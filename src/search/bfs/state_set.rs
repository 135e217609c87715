//! All states of a complete exploration, for those who want to keep them.

use crate::engine::{Run, StateId, StateSpace};
use crate::system::Factored;

pub struct StateSet<'a, 's, S: Factored> {
    pub(super) space: &'a StateSpace<'s, S>,
    pub(super) levels: &'a [Vec<Run>],
    pub(super) states: u64,
    pub(super) was_bounded: bool,
}

impl<S: Factored> StateSet<'_, '_, S> {
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Some run was cut at a bound that the model sets.
    pub fn was_bounded(&self) -> bool {
        self.was_bounded
    }

    /// What all states take side by side.
    pub fn packed_bytes(&self) -> u64 {
        let components = self.space.statistics().values;
        let bits = components.iter().map(|(_, count)| {
            let last = count.saturating_sub(1);
            u64::from(usize::BITS - last.leading_zeros())
        });
        self.states * 8 * bits.sum::<u64>().div_ceil(64).max(1)
    }

    /// By component: all that it was seen with.
    pub fn values(&self) -> Vec<Vec<S::Value>> {
        self.space.values()
    }

    /// Shows each state once, as the numbers of what its components hold.
    pub fn each(&self, see: &mut dyn FnMut(&[u32])) {
        let (mut worker, mut numbers) = (self.space.worker(), Vec::new());
        for number in self.levels.iter().flatten().cloned().flatten() {
            self.space
                .numbers(StateId(number), &mut worker, &mut numbers);
            see(&numbers);
        }
    }
}
