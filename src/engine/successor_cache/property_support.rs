//! What groups look at that only judge: a step that changes nothing of it leads to a state that violates
//! what the one before it violated.
//!
//! Invariant: what a result looks at is here before the result is published. So whoever knows that a state
//! was judged knows all that its results looked at.

use super::layout::Layout;
use crate::engine::sync::{AtomicU64, Ordering};
use crate::system::{Projection, Read};

#[derive(Default)]
pub struct PropertySupport {
    /// Bits of a state.
    mask: AtomicU64,
    /// By component: a bit for each projection.
    projections: Vec<AtomicU64>,
    /// By bit of a state: the component that has it, and all its bits.
    owners: Vec<(usize, u64)>,
    /// Not 0 if some of the projections have a place in views.
    placed: AtomicU64,
}

impl PropertySupport {
    pub fn new(layout: &Layout) -> PropertySupport {
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        let mut owners = vec![(0, 0); 64];
        for (component, field) in layout.fields.iter().enumerate() {
            let bits = field.bits(u32::MAX);
            for bit in (0..64).filter(|bit| bits >> bit & 1 != 0) {
                owners[bit] = (component, bits);
            }
        }
        PropertySupport {
            mask: AtomicU64::new(0),
            projections: zeros(layout.fields.len()),
            owners,
            placed: AtomicU64::new(0),
        }
    }

    /// Takes note of a look.
    pub fn add(&self, read: Read, is_placed: bool, layout: &Layout) {
        let field = layout.fields[read.component];
        let bits = field.bits(u32::MAX);
        // Relaxed: the result itself is published by a Release after this.
        self.mask.fetch_or(bits, Ordering::Relaxed);
        self.projections[read.component].fetch_or(1 << read.projection.0, Ordering::Relaxed);
        self.placed
            .fetch_or(u64::from(is_placed), Ordering::Relaxed);
    }

    /// The bits of a state that are looked at.
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask.load(Ordering::Relaxed)
    }

    /// The component that has the first of some bits, and all its bits.
    #[inline(always)]
    pub fn owner(&self, bits: u64) -> (usize, u64) {
        self.owners[bits.trailing_zeros() as usize % 64]
    }

    pub fn components(&self) -> usize {
        self.projections.len()
    }

    /// What is looked at in a component: a bit for each projection.
    #[inline(always)]
    pub fn projections(&self, component: usize) -> u64 {
        self.projections[component].load(Ordering::Relaxed)
    }

    /// Whether some of the projections have a place in views.
    #[inline(always)]
    pub fn sees_placed(&self) -> bool {
        self.placed.load(Ordering::Relaxed) != 0
    }
}

/// Bits for the number of a projection.
const NUMBER: usize = 16;
/// Where it stands which projections were looked at.
const WHICH: usize = 56;
const _: () =
    assert!(Projection::COUNT * NUMBER - NUMBER <= WHICH && Projection::COUNT + WHICH <= 64);

/// The numbers of these projections in one word; none if one is too large, or not known.
pub fn pack(projections: u64, number: impl Fn(Projection) -> Option<u32>) -> Option<u64> {
    let mut packed = projections << WHICH;
    for projection in (1..Projection::COUNT).filter(|projection| projections >> projection & 1 != 0)
    {
        let number = number(Projection(projection as u8)).filter(|number| number >> NUMBER == 0)?;
        packed |= u64::from(number) << (NUMBER * (projection - 1));
    }
    Some(packed)
}

/// Whether these are the projections that were packed.
#[inline(always)]
pub fn is_of(packed: u64, projections: u64) -> bool {
    packed >> WHICH == projections
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn facets_that_differ_are_packed_differently() {
        let both = 0b1010;
        let packed = |first, third| {
            let number = |projection: Projection| {
                Some(if projection == Projection(1) {
                    first
                } else {
                    third
                })
            };
            pack(both, number)
        };
        assert_eq!(packed(7, 0xffff), packed(7, 0xffff));
        assert_ne!(packed(7, 0xffff), packed(8, 0xffff));
        assert_ne!(packed(7, 0xffff), packed(7, 0xfffe));
        assert_eq!(packed(7, 0x10000), None);
        let one = packed(0, 0).expect("small numbers");
        assert!(is_of(one, both) && !is_of(one, 0b1000) && !is_of(0, both));
    }
}
