//! A set of 64-bit keys, each with a small number of its own: the lock-free heart of the store.
//!
//! Keys stand densely in the order of their numbers; a hash index of 32-bit slots finds them. A slot
//! holds a number and, in the bits that the number leaves free, a piece of the hash, so that nearly
//! every key that is read is the right one.
//!
//! Invariant: a slot that is not empty points to a key that is written and never changes again.
//!
//! How two threads insert at once: each takes a number, writes its key there, and then puts the
//! number into the first empty slot by compare-and-swap. Whoever loses looks at what the winner put
//! there; if that is the same key, the number stays unused and serves the loser's next key.

use super::keys::Keys;
use super::memory::{OutOfMemory, Pages, prefetch};
use super::sync::{AtomicU32, AtomicUsize, Ordering};

const EMPTY: u32 = 0;
/// Slots in a cache line: probing goes round inside of one line before it moves on.
#[cfg(not(loom))]
const LINE: usize = 16;
#[cfg(loom)]
const LINE: usize = 2;
#[cfg(not(loom))]
const LEAST_SLOTS: usize = 1 << 10;
#[cfg(loom)]
const LEAST_SLOTS: usize = 8;
/// More than all threads together have at hand.
#[cfg(not(loom))]
const NUMBERS_AT_HAND: usize = 1 << 16;
#[cfg(loom)]
const NUMBERS_AT_HAND: usize = 16;
/// Beyond this the index doubles less boldly: memory matters more than the time to rebuild it.
const LARGE: usize = 1 << 22;
const VERY_LARGE: usize = 1 << 24;

/// The slots of one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Line([AtomicU32; LINE]);

// SAFETY: an array of atomics whose bytes are all zero is an array of zeros.
#[cfg(not(loom))]
unsafe impl bytemuck::Zeroable for Line {}

pub struct Table {
    index: Pages<Line>,
    /// Bits of a slot that hold the number; the others hold a piece of the hash.
    number_mask: u32,
    keys: Keys,
    /// Numbers given out so far. Number 0 is never used: it would look like an empty slot.
    issued: AtomicUsize,
    /// Keys in the index, and those for which threads have reserved room.
    length: AtomicUsize,
}

/// Why a slot could not be claimed.
enum Lost {
    To(u32),
    OutOfMemory,
}

/// Numbers that a thread may give to its next keys.
#[derive(Debug, Default)]
pub struct Ids {
    next: u32,
    end: u32,
}

/// The hash of a key: a multiplication whose halves are folded.
#[inline(always)]
pub fn hash(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ (folded >> 32)
}

impl Table {
    /// For keys of so many bits.
    pub fn new(bits: u32) -> Result<Table, OutOfMemory> {
        Ok(Table {
            index: Pages::new(LEAST_SLOTS / LINE)?,
            number_mask: number_mask(LEAST_SLOTS).ok_or(OutOfMemory)?,
            keys: Keys::new(bits),
            issued: AtomicUsize::new(1),
            length: AtomicUsize::new(0),
        })
    }

    pub fn len(&self) -> usize {
        self.length.load(Ordering::Relaxed)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest number given out.
    pub fn bound(&self) -> usize {
        self.issued.load(Ordering::Relaxed)
    }

    /// Sets room aside for so many keys; false if the index must grow first.
    pub fn reserve(&self, keys: usize) -> bool {
        let length = self.length.fetch_add(keys, Ordering::Relaxed) + keys;
        let numbers = self.bound() + keys <= self.number_mask as usize - NUMBERS_AT_HAND;
        let fits = numbers && length <= self.capacity() / 5 * 4;
        if !fits {
            self.give_back(keys);
        }
        fits
    }

    /// Whether so many more keys would find room.
    pub fn has_room(&self, keys: usize) -> bool {
        let has_room = self.reserve(keys);
        if has_room {
            self.give_back(keys);
        }
        has_room
    }

    /// Room that was reserved and not used.
    pub fn give_back(&self, keys: usize) {
        self.length.fetch_sub(keys, Ordering::Relaxed);
    }

    fn capacity(&self) -> usize {
        self.index.len() * LINE
    }

    #[inline(always)]
    fn line_of(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.index.len() as u128) >> 64) as usize
    }

    /// The bits of the hash that a slot keeps: low ones, since the high ones chose the line.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.number_mask
    }

    /// Shows the slots where a key may be, in order, until `visit` has an answer.
    #[inline(always)]
    fn probe<R>(&self, hash: u64, mut visit: impl FnMut(&AtomicU32) -> Option<R>) -> Option<R> {
        let first = (hash >> 16) as usize % LINE;
        let mut line = self.line_of(hash);
        for _ in 0..self.index.len() {
            let slots = &self.index[line].0;
            for slot in 0..LINE {
                let answer = visit(&slots[(first + slot) % LINE]);
                if answer.is_some() {
                    return answer;
                }
            }
            line = if line + 1 == self.index.len() {
                0
            } else {
                line + 1
            };
        }
        None
    }

    /// Asks for the line where the search for a key begins.
    #[inline(always)]
    pub fn prefetch_line(&self, hash: u64) {
        prefetch(&self.index[self.line_of(hash)]);
    }

    /// Asks for the key that the first fitting slot points to. The line should be there by now.
    #[inline(always)]
    pub fn prefetch_key(&self, hash: u64) {
        let tag = self.tag(hash);
        let fitting = self.probe(hash, |slot| {
            let slot = slot.load(Ordering::Relaxed);
            let number = self.number(slot);
            (slot == EMPTY || slot ^ number == tag).then_some(number)
        });
        fitting
            .into_iter()
            .for_each(|number| self.keys.prefetch(number));
    }

    #[inline(always)]
    fn number(&self, slot: u32) -> u32 {
        slot & self.number_mask
    }

    /// The key of a number that was given out and used.
    #[inline(always)]
    pub fn key(&self, number: u32) -> u64 {
        self.keys.get(number).unwrap_or(u64::MAX)
    }

    /// The number of a key, if it was inserted.
    pub fn find(&self, key: u64) -> Option<u32> {
        let hash = hash(key);
        let tag = self.tag(hash);
        let found = self.probe(hash, |slot| {
            // Acquire: pairs with the Release in `claim`; the key behind the number is written.
            let slot = slot.load(Ordering::Acquire);
            let number = self.number(slot);
            let is_here = slot ^ number == tag && self.keys.is(number, key);
            (slot == EMPTY || is_here).then_some(number)
        });
        found.filter(|number| *number != EMPTY)
    }

    /// The number of a key, and whether it is new. There must be room (`reserve`).
    #[inline(always)]
    pub fn insert(&self, key: u64, hash: u64, ids: &mut Ids) -> Result<(u32, bool), OutOfMemory> {
        let tag = self.tag(hash);
        let first = (hash >> 16) as usize % LINE;
        let mut line = self.line_of(hash);
        loop {
            let slots = &self.index[line].0;
            for place in 0..LINE {
                let slot = &slots[(first + place) % LINE];
                // Acquire: pairs with the Release in `claim`; the key behind the number is written.
                let mut found = slot.load(Ordering::Acquire);
                if found == EMPTY {
                    match self.claim(slot, tag, key, ids) {
                        Ok(number) => return Ok((number, true)),
                        Err(Lost::OutOfMemory) => return Err(OutOfMemory),
                        Err(Lost::To(faster)) => found = faster,
                    }
                }
                let number = self.number(found);
                if found ^ number == tag && self.keys.is(number, key) {
                    return Ok((number, false));
                }
            }
            line = if line + 1 == self.index.len() {
                0
            } else {
                line + 1
            };
        }
    }

    /// Writes a key under the next number and puts that number into an empty slot.
    #[inline(never)]
    fn claim(&self, slot: &AtomicU32, tag: u32, key: u64, ids: &mut Ids) -> Result<u32, Lost> {
        let number = ids.peek(self);
        let written = self.keys.set(number, Some(key));
        written.map_err(|_| Lost::OutOfMemory)?;
        // Release: pairs with the Acquire loads; publishes the key just written.
        // Acquire on failure: for the key of whoever was faster.
        match slot.compare_exchange(EMPTY, tag | number, Ordering::Release, Ordering::Acquire) {
            Ok(_) => {
                ids.next += 1;
                Ok(number)
            }
            Err(faster) => {
                let _ = self.keys.set(number, None); // nobody has seen it: unused again
                Err(Lost::To(faster))
            }
        }
    }

    /// How much memory a larger index would take.
    pub fn next_index_bytes(&self) -> usize {
        self.next_slots() * size_of::<AtomicU32>()
    }

    fn next_slots(&self) -> usize {
        let slots = self.capacity();
        let next = match slots {
            ..LARGE => 2 * slots,
            LARGE..VERY_LARGE => slots / 3 * 4,
            _ => slots / 4 * 5,
        };
        next.next_multiple_of(LINE)
    }

    /// Makes the index larger. Numbers keep their meaning.
    pub fn grow(&mut self, threads: usize) -> Result<(), OutOfMemory> {
        let slots = self.next_slots();
        self.number_mask = number_mask(slots).ok_or(OutOfMemory)?;
        self.index = Pages::new(0)?; // first give back, then take
        self.index = Pages::new(slots / LINE)?;
        self.rebuild(threads);
        Ok(())
    }

    fn rebuild(&self, threads: usize) {
        const CHUNK: usize = 1 << 14;
        let cursor = AtomicUsize::new(0);
        let work = || loop {
            let start = cursor.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= self.bound() {
                return;
            }
            self.reinsert(start..self.bound().min(start + CHUNK));
        };
        if self.bound() < 4 * CHUNK || threads < 2 {
            return work();
        }
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
    }

    fn reinsert(&self, numbers: std::ops::Range<usize>) {
        const AHEAD: usize = 64;
        let mut waiting = [(0, 0); AHEAD];
        let mut count = 0;
        for number in numbers {
            let Some(key) = self.keys.get(number as u32) else {
                continue;
            };
            let hash = hash(key);
            self.prefetch_line(hash);
            waiting[count] = (number as u32, hash);
            count += 1;
            if count == AHEAD {
                self.put_all(&waiting);
                count = 0;
            }
        }
        self.put_all(&waiting[..count]);
    }

    fn put_all(&self, entries: &[(u32, u64)]) {
        for (number, hash) in entries {
            self.put(*number, *hash);
        }
    }

    fn put(&self, number: u32, hash: u64) {
        let entry = self.tag(hash) | number;
        let put = self.probe(hash, |slot| {
            let put = slot.compare_exchange(EMPTY, entry, Ordering::Relaxed, Ordering::Relaxed);
            put.ok()
        });
        assert!(put.is_some(), "a larger index has room for all");
    }

    /// Changes every key, all at once; no two may become the same. The new keys have so many bits.
    pub fn rekey(
        &mut self,
        bits: u32,
        mut change: impl FnMut(u64) -> u64,
        threads: usize,
    ) -> Result<(), OutOfMemory> {
        let keys = Keys::new(bits);
        for number in 1..self.bound() as u32 {
            if let Some(key) = self.keys.get(number) {
                keys.set(number, Some(change(key)))?;
            }
        }
        self.keys = keys;
        self.index = Pages::new(self.index.len())?;
        self.rebuild(threads);
        Ok(())
    }

    /// What the table takes: the index, and the keys up to the last.
    pub fn bytes(&self) -> usize {
        self.capacity() * size_of::<AtomicU32>() + self.bound() * self.keys.bytes_each()
    }
}

/// Bits enough for all slots, and for the numbers that threads have at hand and never use; none if
/// a slot has not so many.
fn number_mask(slots: usize) -> Option<u32> {
    let numbers = (slots + 2 * NUMBERS_AT_HAND).next_power_of_two();
    u32::try_from(numbers - 1).ok()
}

impl Ids {
    /// The next number, which stays the next until it is used.
    #[inline(always)]
    fn peek(&mut self, table: &Table) -> u32 {
        if self.next == self.end {
            let start = table
                .issued
                .fetch_add(Ids::AT_ONCE as usize, Ordering::Relaxed) as u32;
            (self.next, self.end) = (start, start + Ids::AT_ONCE);
        }
        self.next
    }

    #[cfg(not(loom))]
    pub const AT_ONCE: u32 = 64;
    #[cfg(loom)]
    pub const AT_ONCE: u32 = 1;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_take_all_bits_of_a_slot_are_not_cut_off() {
        assert_eq!(number_mask(5 << 29), Some(u32::MAX));
        assert_eq!(number_mask(1 << 32), None);
        let mut table = Table::new(u64::BITS).expect("memory");
        table.number_mask = u32::MAX;
        let mut ids = Ids::default();
        for key in 0..500 {
            let (number, is_new) = table.insert(key, hash(key), &mut ids).expect("memory");
            assert!(is_new);
            assert_eq!(table.find(key), Some(number));
        }
    }
}
