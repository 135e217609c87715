//! Keys in the order of their numbers: six bytes each while that is enough, and eight otherwise.

use super::atomics::{AtomicU16, AtomicU64, Ordering};
use super::growing_array::GrowingArray;
use super::memory::{OutOfMemory, prefetch};

/// Keys of no more bits are kept in six bytes; one value means that there is no key.
pub const NARROW_BITS: u32 = 47;

/// By number: the key plus one; 0 where there is none.
pub(super) enum Keys {
    Narrow(GrowingArray<[AtomicU16; 3]>),
    Wide(GrowingArray<AtomicU64>),
}

impl Keys {
    pub fn new(bits: u32) -> Keys {
        match bits <= NARROW_BITS {
            true => Keys::Narrow(GrowingArray::default()),
            false => Keys::Wide(GrowingArray::default()),
        }
    }

    pub fn bytes_each(&self) -> usize {
        match self {
            Keys::Narrow(_) => size_of::<[AtomicU16; 3]>(),
            Keys::Wide(_) => size_of::<AtomicU64>(),
        }
    }

    /// The key of a number, if it has one.
    #[inline(always)]
    pub fn get(&self, number: u32) -> Option<u64> {
        self.stored(number).checked_sub(1)
    }

    /// Whether a number has this key.
    #[inline(always)]
    pub fn is(&self, number: u32, key: u64) -> bool {
        self.stored(number) == key + 1
    }

    #[inline(always)]
    fn stored(&self, number: u32) -> u64 {
        match self {
            Keys::Narrow(keys) => keys.get(number as usize).map_or(0, |[low, middle, high]| {
                let unit = |unit: &AtomicU16| u64::from(unit.load(Ordering::Relaxed));
                unit(low) | unit(middle) << 16 | unit(high) << 32
            }),
            Keys::Wide(keys) => {
                let key = keys.get(number as usize);
                key.map_or(0, |key| key.load(Ordering::Relaxed))
            }
        }
    }

    /// Writes a key, or that there is none. Only its owner may write under a number.
    #[inline(always)]
    pub fn set(&self, number: u32, key: Option<u64>) -> Result<(), OutOfMemory> {
        let stored = key.map_or(0, |key| key + 1);
        match self {
            Keys::Narrow(keys) => {
                debug_assert!(stored >> 48 == 0);
                let units = keys.at(number as usize)?;
                for (place, unit) in units.iter().enumerate() {
                    unit.store((stored >> (16 * place)) as u16, Ordering::Relaxed);
                }
            }
            Keys::Wide(keys) => keys.at(number as usize)?.store(stored, Ordering::Relaxed),
        }
        Ok(())
    }

    #[inline(always)]
    pub fn prefetch(&self, number: u32) {
        match self {
            Keys::Narrow(keys) => keys.get(number as usize).into_iter().for_each(prefetch),
            Keys::Wide(keys) => keys.get(number as usize).into_iter().for_each(prefetch),
        }
    }
}
