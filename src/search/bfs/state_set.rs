//! All states of a complete exploration, for those who want to keep them.

use super::frontier::Run;
use crate::engine::{Store, SuccessorCache};
use crate::system::Factored;

pub struct StateSet<'a, 's, S: Factored> {
    pub(super) cache: &'a SuccessorCache<'s, S>,
    pub(super) store: &'a Store,
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
        self.states * 8 * self.store.words() as u64
    }

    /// By component: all that it was seen with.
    pub fn values(&self) -> Vec<Vec<S::Value>> {
        self.cache.values()
    }

    /// Shows each state once, as the numbers of what its components hold.
    pub fn each(&self, see: &mut dyn FnMut(&[u32])) {
        match self.store.words() {
            1 => self.each_of::<1>(see),
            2 => self.each_of::<2>(see),
            3 => self.each_of::<3>(see),
            4 => self.each_of::<4>(see),
            8 => self.each_of::<8>(see),
            16 => self.each_of::<16>(see),
            _ => self.each_of::<32>(see),
        }
    }

    fn each_of<const W: usize>(&self, see: &mut dyn FnMut(&[u32])) {
        let fields = &self.cache.layout().fields;
        let (mut positions, mut numbers) = (Vec::new(), Vec::new());
        for number in self.levels.iter().flatten().cloned().flatten() {
            let state = self.store.state::<W>(number, &mut positions);
            numbers.clear();
            numbers.extend(fields.iter().map(|field| field.get(&state)));
            see(&numbers);
        }
    }
}
