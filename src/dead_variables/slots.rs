//! Sets of slots, one bit for each.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl Slots {
    /// The empty set, with room for so many.
    pub fn none(count: usize) -> Slots {
        Slots {
            words: vec![0; count.div_ceil(BITS)],
        }
    }

    pub fn contains(&self, slot: usize) -> bool {
        self.words[slot / BITS] & bit(slot) != 0
    }

    pub fn insert(&mut self, slot: usize) {
        self.words[slot / BITS] |= bit(slot);
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    pub fn add(&mut self, other: &Slots) {
        self.combine(other, |word, other| word | other);
    }

    pub fn remove(&mut self, other: &Slots) {
        self.combine(other, |word, other| word & !other);
    }

    pub fn keep_common(&mut self, other: &Slots) {
        self.combine(other, |word, other| word & other);
    }

    fn combine(&mut self, other: &Slots, how: impl Fn(u64, u64) -> u64) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = how(*word, *other);
        }
    }
}

fn bit(slot: usize) -> u64 {
    1 << (slot % BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_beyond_the_first_word_are_told_apart() {
        let (mut set, mut gone) = (Slots::none(130), Slots::none(130));
        [1, 128, 129].into_iter().for_each(|slot| set.insert(slot));
        gone.insert(128);
        set.remove(&gone);
        let found: Vec<usize> = (0..130).filter(|slot| set.contains(*slot)).collect();
        assert_eq!(found, [1, 129]);
    }
}
