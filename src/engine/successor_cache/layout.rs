//! Where each component's number stands in the words of a packed state.
//!
//! A component that has been seen with n contents takes as many bits as n - 1 has. What is left
//! over in the words is given out, so that new contents seldom need a new layout.

use std::cmp::Reverse;

use crate::engine::sync::NARROW_BITS;

/// Bits of a word that are used: the store needs one key that is no state.
const WORD_BITS: u32 = 63;
/// More words than this are not packed.
pub const MOST_WORDS: usize = 32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    pub word: u8,
    pub shift: u8,
    pub width: u8,
}

impl Field {
    #[inline(always)]
    pub fn get<const W: usize>(self, state: &[u64; W]) -> u32 {
        self.read(state[self.word as usize % W]) // `% W` only spares the check of bounds
    }

    #[inline(always)]
    pub fn set<const W: usize>(self, state: &mut [u64; W], value: u32) {
        self.write(&mut state[self.word as usize % W], value);
    }

    #[inline(always)]
    pub fn read(self, word: u64) -> u32 {
        ((word >> self.shift) & self.mask()) as u32
    }

    #[inline(always)]
    fn write(self, word: &mut u64, value: u32) {
        *word = *word & !(self.mask() << self.shift) | u64::from(value) << self.shift;
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
    pub words: usize,
    /// Bits of each word that are given out.
    pub word_bits: u32,
}

impl Layout {
    /// A layout for components that have been seen with so many contents; none if there are too
    /// many for packed states.
    pub fn plan(values: &[usize]) -> Option<Layout> {
        let widths: Vec<u32> = values.iter().map(|count| bits(*count)).collect();
        Layout::of(&bundle(&widths), values)
    }

    /// A layout with more room, each component in its word if the words have that much: then states
    /// of several words need not be folded again.
    pub fn replan(&self, values: &[usize]) -> Option<Layout> {
        let widths: Vec<u32> = values.iter().map(|count| bits(*count)).collect();
        let words = self.components_by_word();
        let fits = |word: &Vec<usize>| word.iter().map(|c| widths[*c]).sum::<u32>() <= WORD_BITS;
        match words.len() > 1 && words.iter().all(fits) {
            true => Layout::of(&words, values),
            false => Layout::of(&bundle(&widths), values),
        }
    }

    fn components_by_word(&self) -> Vec<Vec<usize>> {
        let last = self.fields.iter().map(|field| field.word).max();
        let mut words = vec![Vec::new(); last.map_or(0, |last| usize::from(last) + 1)];
        for (component, field) in self.fields.iter().enumerate() {
            words[field.word as usize].push(component);
        }
        words
    }

    fn of(words: &[Vec<usize>], values: &[usize]) -> Option<Layout> {
        if words.len() > MOST_WORDS {
            return None;
        }
        let is_narrow = values.iter().copied().map(bits).sum::<u32>() <= NARROW_BITS;
        let word_bits = if is_narrow { NARROW_BITS } else { WORD_BITS };
        let mut fields = vec![Field::default(); values.len()];
        for (number, word) in words.iter().enumerate() {
            let widths = share_out(word_bits, word, values);
            place(number, word, &widths, &mut fields);
        }
        Some(Layout {
            fields,
            words: supported(words.len().max(1)),
            word_bits,
        })
    }

    /// Whether every component stands in the same word as in another layout.
    pub fn has_words_of(&self, other: &Layout) -> bool {
        let mut fields = self.fields.iter().zip(&other.fields);
        self.words == other.words && fields.all(|(this, other)| this.word == other.word)
    }

    /// How states of this layout become those of another.
    pub fn translation(&self, to: &Layout) -> Translation {
        let mut moves: Vec<Move> = Vec::new();
        for (from, to) in self.fields.iter().zip(&to.fields) {
            let rotation = (u32::from(to.shift) + u64::BITS - u32::from(from.shift)) % u64::BITS;
            let words = (from.word, to.word);
            let known = |other: &&mut Move| other.words == words && other.rotation == rotation;
            let mask = from.bits(u32::MAX);
            match moves.iter_mut().find(known) {
                Some(other) => other.mask |= mask,
                None => moves.push(Move {
                    words,
                    mask,
                    rotation,
                }),
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
    /// Where it comes from, and where it goes to.
    words: (u8, u8),
    mask: u64,
    rotation: u32,
}

impl Translation {
    pub fn state(&self, state: &[u64], target: &mut [u64]) {
        target.fill(0);
        for Move {
            words: (from, to),
            mask,
            rotation,
        } in &self.moves
        {
            let bits = state[usize::from(*from)] & mask;
            target[usize::from(*to)] |= bits.rotate_left(*rotation);
        }
    }

    /// One word of a state, where every component stays in its word.
    pub fn word(&self, word: usize, value: u64) -> u64 {
        let moves = self.moves.iter();
        let moves = moves.filter(|a_move| usize::from(a_move.words.0) == word);
        moves.fold(0, |target, a_move| {
            target | (value & a_move.mask).rotate_left(a_move.rotation)
        })
    }
}

/// Numbers of words for which there is code.
fn supported(words: usize) -> usize {
    match words {
        0..=4 => words,
        5..=8 => 8,
        9..=16 => 16,
        _ => MOST_WORDS,
    }
}

/// Bits for the numbers of so many contents.
pub fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Components in their order, since neighbours change together; in as few words as can be, and of
/// these ways the one that leaves each word some room.
fn bundle(widths: &[u32]) -> Vec<Vec<usize>> {
    let fewest = fill(widths, WORD_BITS).len();
    let widest = widths.iter().copied().max().unwrap_or(0);
    let tighter = (widest..=WORD_BITS).map(|bits| fill(widths, bits));
    let balanced = tighter.into_iter().find(|words| words.len() == fewest);
    balanced.expect("all bits are enough")
}

/// As many components to a word as so many bits hold.
fn fill(widths: &[u32], bits: u32) -> Vec<Vec<usize>> {
    let mut words: Vec<Vec<usize>> = Vec::new();
    let mut left = 0;
    for (component, width) in widths.iter().enumerate() {
        if *width > left || words.is_empty() {
            words.push(Vec::new());
            left = bits;
        }
        words.last_mut().expect("one was pushed").push(component);
        left -= width;
    }
    words
}

/// Widths for the components of a word: what is left over goes bit by bit to those that will need it
/// next. A component with two contents is mostly a switch and comes last; of the others first those
/// that have used up most of the numbers of their bits, and the larger ones of these.
fn share_out(word_bits: u32, components: &[usize], values: &[usize]) -> Vec<u32> {
    let mut widths: Vec<u32> = components.iter().map(|c| bits(values[*c])).collect();
    let mut spare = word_bits - widths.iter().sum::<u32>();
    let mut order: Vec<usize> = (0..components.len()).collect();
    order.sort_by_key(|place| {
        let width = widths[*place];
        let sixteenths = (16 * values[components[*place]]) >> width;
        (width <= 1, Reverse(sixteenths), Reverse(width))
    });
    for round in 1..=32 {
        for place in &order {
            // Each round lets a component grow once more, but only one that has grown before.
            let may_grow = spare > 0 && widths[*place] < 31 && (round == 1 || widths[*place] > 1);
            widths[*place] += u32::from(may_grow);
            spare -= u32::from(may_grow);
        }
    }
    widths
}

/// Gives each component of a word its bits.
fn place(number: usize, components: &[usize], widths: &[u32], fields: &mut [Field]) {
    let mut shift = 0;
    for (component, width) in components.iter().zip(widths) {
        fields[*component] = Field {
            word: number as u8,
            shift: shift as u8,
            width: *width as u8,
        };
        shift += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_has_room_for_all_that_was_seen() {
        let values = [1, 2, 3, 200, 70_000, 1, 1, 5, 1 << 20, 1 << 30];
        let layout = Layout::plan(&values).expect("few");
        for (field, count) in layout.fields.iter().zip(values) {
            assert!(field.holds(count - 1));
        }
        let mut state = [0; 2];
        for (component, field) in layout.fields.iter().enumerate() {
            field.set(&mut state, values[component] as u32 - 1);
        }
        for (component, field) in layout.fields.iter().enumerate() {
            assert_eq!(field.get(&state), values[component] as u32 - 1);
        }
    }

    #[test]
    fn components_stay_in_their_words_while_there_is_room() {
        let before = Layout::plan(&[1 << 20; 4]).expect("few");
        let after = before.replan(&[1 << 30; 4]).expect("few");
        assert!(after.has_words_of(&before));
        let mut state = [0; 2];
        for (component, field) in before.fields.iter().enumerate() {
            field.set(&mut state, 1000 + component as u32);
        }
        let translation = before.translation(&after);
        let words = [0, 1].map(|word| translation.word(word, state[word]));
        for (component, field) in after.fields.iter().enumerate() {
            assert_eq!(field.get(&words), 1000 + component as u32);
        }
        let wider = before.replan(&[1 << 32; 4]);
        assert!(!wider.expect("few").has_words_of(&before));
    }

    #[test]
    fn too_many_bits_are_refused() {
        assert!(Layout::plan(&vec![1 << 20; 200]).is_none());
    }
}
