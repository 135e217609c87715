//! The slots of one cache line, seen at a glance.
//!
//! Slots are filled from the front and never change again. So what a glance shows as taken is
//! final, and what it shows as empty may be taken by now: whoever wants an empty slot must win it
//! by compare-and-swap.

use super::atomics::AtomicU32;

pub const EMPTY: u32 = 0;
/// Slots in a line: probing goes through one line before it moves on.
#[cfg(not(loom))]
pub const BUCKET: usize = 16;
#[cfg(loom)]
pub const BUCKET: usize = 2;

#[repr(align(64))]
#[derive(Default)]
pub struct Bucket(pub [AtomicU32; BUCKET]);

// SAFETY: an array of atomics whose bytes are all zero is an array of zeros.
#[cfg(not(loom))]
unsafe impl bytemuck::Zeroable for Bucket {}

/// A bit for each slot of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matches {
    /// Slots that are taken and have the tag that was asked for.
    pub fitting: u32,
    pub empty: u32,
}

impl Matches {
    /// The first slot that was empty, or the end of the line.
    #[inline(always)]
    pub fn first_empty(self) -> usize {
        (self.empty | 1 << BUCKET).trailing_zeros() as usize
    }
}

impl Bucket {
    /// Which slots have this tag in the bits outside of the mask, and which are empty.
    ///
    /// A branch for each slot is mostly predicted wrongly, which costs more than the whole line.
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    #[inline(always)]
    pub fn matches(&self, tag: u32, number_mask: u32) -> Matches {
        use std::arch::asm;
        use std::arch::x86_64::*;

        let (a, b, c, d): (__m128i, __m128i, __m128i, __m128i);
        // SAFETY: (1) the line is 64 bytes, aligned, and borrowed; nothing is written. (2) Other
        // threads may write meanwhile: the block is the same as sixteen relaxed loads, since the
        // processor never tears an aligned word of four bytes. (3) SSE2 is part of x86-64.
        unsafe {
            asm!(
                "movdqa {a}, [{line}]",
                "movdqa {b}, [{line} + 16]",
                "movdqa {c}, [{line} + 32]",
                "movdqa {d}, [{line} + 48]",
                line = in(reg) self.0.as_ptr(),
                a = out(xmm_reg) a,
                b = out(xmm_reg) b,
                c = out(xmm_reg) c,
                d = out(xmm_reg) d,
                options(nostack, readonly, preserves_flags),
            );
        }
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let bits = |is_so: [__m128i; 4]| {
                let [a, b, c, d] = is_so;
                let halves = (_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
                _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32
            };
            let mask = _mm_set1_epi32(number_mask as i32);
            let tag = _mm_set1_epi32(tag as i32);
            let none = _mm_setzero_si128();
            let has_tag = |slots| _mm_cmpeq_epi32(_mm_andnot_si128(mask, slots), tag);
            let is_empty = |slots| _mm_cmpeq_epi32(slots, none);
            let slots = [a, b, c, d];
            let empty = bits(slots.map(is_empty));
            Matches {
                fitting: bits(slots.map(has_tag)) & !empty,
                empty,
            }
        }
    }

    #[cfg(any(not(target_arch = "x86_64"), loom))]
    #[inline(always)]
    pub fn matches(&self, tag: u32, number_mask: u32) -> Matches {
        slot_by_slot(self, tag, number_mask)
    }
}

#[cfg(any(test, not(target_arch = "x86_64"), loom))]
fn slot_by_slot(line: &Bucket, tag: u32, number_mask: u32) -> Matches {
    let (mut fitting, mut empty) = (0, 0);
    for (place, slot) in line.0.iter().enumerate() {
        let slot = slot.load(super::atomics::Ordering::Relaxed);
        fitting |= u32::from(slot & !number_mask == tag && slot != EMPTY) << place;
        empty |= u32::from(slot == EMPTY) << place;
    }
    Matches { fitting, empty }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_glance_shows_what_each_slot_would() {
        let mut seed: u32 = 1;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for log in [1, 10, 25, 31, 32] {
            let number_mask = u32::MAX >> (32 - log);
            for _ in 0..2_000 {
                let tag = (random() & 3).wrapping_shl(30) & !number_mask;
                let taken = random() as usize % (BUCKET + 1);
                let line = Bucket::default();
                for slot in &line.0[..taken] {
                    let other = (random() & 3).wrapping_shl(30) & !number_mask;
                    slot.store(
                        other | random() & number_mask,
                        super::super::Ordering::Relaxed,
                    );
                }
                let matches = line.matches(tag, number_mask);
                assert_eq!(matches, slot_by_slot(&line, tag, number_mask));
                assert!(matches.first_empty() <= taken);
            }
        }
    }
}
