//! Where each component's number stands in a packed state, which is one word.
//!
//! A component that has been seen with n contents takes as many bits as n - 1 has. What is left
//! over in the word is given out, so that new contents seldom need a new layout. States that need
//! more than a word have another form (`wide`): words side by side were tried, and were slower.

use std::cmp::Reverse;

use crate::engine::sync::NARROW_BITS;

/// Bits of a word that are used: the store needs one key that is no state.
const WORD_BITS: u32 = 63;
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Of a view of a state (`bundles`); a state has only one.
    pub word: u8,
    pub shift: u8,
    pub width: u8,
}

impl Field {
    #[inline(always)]
    pub fn get(self, state: u64) -> u32 {
        ((state >> self.shift) & self.mask()) as u32
    }

    #[inline(always)]
    pub fn set(self, state: &mut u64, value: u32) {
        *state = *state & !(self.mask() << self.shift) | u64::from(value) << self.shift;
    }

    #[inline(always)]
    fn mask(self) -> u64 {
        (1 << self.width) - 1
    }

    /// A number, shifted to its place; `u32::MAX` for all bits.
    pub fn bits(self, value: u32) -> u64 {
        (u64::from(value) & self.mask()) << self.shift
    }

    pub fn holds(self, value: usize) -> bool {
        value >> self.width == 0
    }

    /// In one number.
    pub fn packed(self) -> u32 {
        u32::from_le_bytes([self.word, self.shift, self.width, 0])
    }

    #[inline(always)]
    pub fn unpacked(packed: u32) -> Field {
        let [word, shift, width, _] = packed.to_le_bytes();
        Field { word, shift, width }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub fields: Vec<Field>,
    /// Bits of the word that are given out.
    pub word_bits: u32,
}

impl Layout {
    /// A layout for components that have been seen with so many contents; none if a word has not
    /// so many bits.
    pub fn plan(values: &[usize]) -> Option<Layout> {
        let needed = values.iter().copied().map(bits).sum::<u32>();
        if needed > WORD_BITS {
            return None;
        }
        let is_narrow = needed <= NARROW_BITS;
        let word_bits = if is_narrow { NARROW_BITS } else { WORD_BITS };
        let fields = place(&share_out(word_bits, values));
        Some(Layout { fields, word_bits })
    }

    /// How states of this layout become those of another.
    pub fn translation(&self, to: &Layout) -> Translation {
        let mut moves: Vec<Move> = Vec::new();
        for (from, to) in self.fields.iter().zip(&to.fields) {
            let rotation = (u32::from(to.shift) + u64::BITS - u32::from(from.shift)) % u64::BITS;
            let mask = from.bits(u32::MAX);
            match moves.iter_mut().find(|other| other.rotation == rotation) {
                Some(other) => other.mask |= mask,
                None => moves.push(Move { mask, rotation }),
            }
        }
        Translation { moves }
    }
}

/// How states of one layout become those of another: fields that move by the same distance move at
/// once, since there may be many millions of states.
pub struct Translation {
    moves: Vec<Move>,
}

struct Move {
    mask: u64,
    rotation: u32,
}

impl Translation {
    pub fn state(&self, state: u64) -> u64 {
        let moves = self.moves.iter();
        moves.fold(0, |target, Move { mask, rotation }| {
            target | (state & mask).rotate_left(*rotation)
        })
    }
}

/// Bits for the numbers of so many contents.
pub fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Widths for all components: what is left over goes bit by bit to those that will need it
/// next. A component with two contents is mostly a switch and comes last; of the others first those
/// that have used up most of the numbers of their bits, and the larger ones of these.
fn share_out(word_bits: u32, values: &[usize]) -> Vec<u32> {
    let mut widths: Vec<u32> = values.iter().copied().map(bits).collect();
    let mut spare = word_bits - widths.iter().sum::<u32>();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|component| {
        let width = widths[*component];
        let sixteenths = (16 * values[*component]) >> width;
        (width <= 1, Reverse(sixteenths), Reverse(width))
    });
    for round in 1..=32 {
        for component in &order {
            let width = &mut widths[*component];
            // Each round lets a component grow once more, but only one that has grown before.
            let may_grow = spare > 0 && *width < 31 && (round == 1 || *width > 1);
            *width += u32::from(may_grow);
            spare -= u32::from(may_grow);
        }
    }
    widths
}

/// Gives each component its bits, one after the other.
fn place(widths: &[u32]) -> Vec<Field> {
    let mut next = 0;
    let field = |width: &u32| {
        let shift = next;
        next += width;
        Field {
            word: 0,
            shift: shift as u8,
            width: *width as u8,
        }
    };
    widths.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_has_room_for_all_that_was_seen() {
        let values = [1, 2, 3, 200, 70_000, 1, 1, 5, 1 << 20];
        let layout = Layout::plan(&values).expect("few");
        for (field, count) in layout.fields.iter().zip(values) {
            assert!(field.holds(count - 1));
        }
        let mut state = 0;
        for (field, count) in layout.fields.iter().zip(values) {
            field.set(&mut state, count as u32 - 1);
        }
        for (field, count) in layout.fields.iter().zip(values) {
            assert_eq!(field.get(state), count as u32 - 1);
        }
    }

    #[test]
    fn a_state_means_the_same_after_it_was_translated() {
        let before = Layout::plan(&[1 << 10, 3, 1 << 9, 1]).expect("few");
        let after = Layout::plan(&[1 << 12, 9, 1 << 13, 70]).expect("few");
        let numbers = [1000, 2, 500, 0];
        let mut state = 0;
        for (field, number) in before.fields.iter().zip(numbers) {
            field.set(&mut state, number);
        }
        let state = before.translation(&after).state(state);
        for (field, number) in after.fields.iter().zip(numbers) {
            assert_eq!(field.get(state), number);
        }
    }

    #[test]
    fn too_many_bits_are_refused() {
        assert!(Layout::plan(&[1 << 20; 4]).is_none());
    }
}
