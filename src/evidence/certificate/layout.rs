//! A state as one number: the numbers of its parts' contents side by side, the first part highest.

use super::numbers::Wide;

/// Where the number of each part stands.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    bits: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    /// Bits below it.
    shift: usize,
    width: usize,
}

impl Layout {
    /// By part: how many contents there are.
    pub fn new(counts: impl IntoIterator<Item = usize>) -> Layout {
        let widths: Vec<usize> = counts.into_iter().map(width).collect();
        let bits = widths.iter().sum();
        let mut shift = bits;
        let fields = widths.into_iter().map(|width| {
            shift -= width;
            Field { shift, width }
        });
        Layout {
            fields: fields.collect(),
            bits,
        }
    }

    pub fn words(&self) -> usize {
        self.bits.div_ceil(u64::BITS as usize).max(1)
    }

    pub fn pack<const W: usize>(&self, numbers: &[u32]) -> Wide<W> {
        let mut packed = [0; W];
        for (field, number) in self.fields.iter().zip(numbers) {
            field.set(&mut packed, u64::from(*number));
        }
        packed
    }

    /// The numbers of a state; they may be of contents that there are not.
    pub fn unpack<const W: usize>(&self, packed: Wide<W>, numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend(self.fields.iter().map(|field| field.get(&packed)));
    }

    /// Whether a number has bits beyond those of a state.
    pub fn exceeds<const W: usize>(&self, packed: Wide<W>) -> bool {
        let mut left = self.bits;
        packed.iter().rev().any(|word| {
            let used = left.min(64);
            left -= used;
            used < 64 && word >> used != 0
        })
    }
}

impl Field {
    fn place<const W: usize>(self) -> (usize, usize) {
        (W - 1 - (self.shift / 64).min(W - 1), self.shift % 64)
    }

    fn set<const W: usize>(self, packed: &mut Wide<W>, number: u64) {
        let (word, offset) = self.place::<W>();
        packed[word] |= number.checked_shl(offset as u32).unwrap_or(0);
        if offset + self.width > 64 {
            packed[word - 1] |= number >> (64 - offset);
        }
    }

    fn get<const W: usize>(self, packed: &Wide<W>) -> u32 {
        let (word, offset) = self.place::<W>();
        let mut bits = packed[word] >> offset;
        if offset + self.width > 64 {
            bits |= packed[word - 1] << (64 - offset);
        }
        (bits & ((1 << self.width) - 1)) as u32
    }
}

/// Bits that tell so many apart.
fn width(count: usize) -> usize {
    (usize::BITS - count.saturating_sub(1).leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts() -> impl Strategy<Value = Vec<(usize, u32)>> {
        let part = (1usize..100_000).prop_flat_map(|count| (Just(count), 0..count as u32));
        proptest::collection::vec(part, 0..11)
    }

    proptest! {
        #[test]
        fn a_state_is_what_it_was(parts in parts()) {
            let layout = Layout::new(parts.iter().map(|(count, _)| *count));
            let numbers: Vec<u32> = parts.iter().map(|(_, number)| *number).collect();
            prop_assert!(layout.words() <= 3);
            let packed = layout.pack::<3>(&numbers);
            prop_assert!(!layout.exceeds(packed));
            let mut found = Vec::new();
            layout.unpack(packed, &mut found);
            prop_assert_eq!(found, numbers);
        }
    }
}
