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

use std::ops::Range;
use std::sync::OnceLock;

use crossbeam_utils::CachePadded;

use super::atomics::{AtomicU32, AtomicUsize, Ordering};
use super::bucket::{BUCKET, Bucket, EMPTY};
use super::keys::Keys;
use super::memory::{NoRoom, OutOfMemory, Pages, prefetch, prefetch_to_write};
use super::pool::ThreadPool;

#[cfg(not(loom))]
const LEAST_SLOTS: usize = 1 << 10;
#[cfg(loom)]
const LEAST_SLOTS: usize = 8;
/// More than all threads together have at hand.
#[cfg(not(loom))]
const NUMBERS_AT_HAND: usize = 1 << 19;
#[cfg(loom)]
const NUMBERS_AT_HAND: usize = 16;
/// Beyond this the index doubles less boldly: memory matters more than the time to rebuild it.
const LARGE: usize = 1 << 22;
/// Their numbers, and those at hand, have 32 bits.
const MOST_SLOTS: usize = (1 << 32) - 2 * NUMBERS_AT_HAND;
/// Addresses, no memory, are set aside for an index that grows to so many times its size.
const ROOM: usize = 8;

pub struct HashIndex {
    index: Pages<Bucket>,
    /// Bits of a slot that hold the number; the others hold a piece of the hash.
    number_mask: u32,
    keys: Keys,
    /// Numbers given out so far. Number 0 is never used: it would look like an empty slot.
    /// Has a cache line of its own, as has `length`: what others only read would have to come again
    /// from the thread that wrote last.
    issued: CachePadded<AtomicUsize>,
    /// Keys in the index, and those for which threads have reserved room.
    length: CachePadded<AtomicUsize>,
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

/// Keys for which a thread sets room aside at once.
const MOST_RESERVED: usize = 4096;

impl HashIndex {
    /// Keys that a thread goes through at once where all are gone through.
    const PIECE: usize = 1 << 14;

    /// For keys of so many bits.
    pub fn new(bits: u32) -> Result<HashIndex, OutOfMemory> {
        Ok(HashIndex {
            index: Pages::new(LEAST_SLOTS / BUCKET)?,
            number_mask: number_mask(LEAST_SLOTS),
            keys: Keys::new(bits),
            issued: CachePadded::new(AtomicUsize::new(1)),
            length: CachePadded::default(),
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
        let fits = numbers && length <= self.capacity() / 8 * 7;
        if !fits {
            self.give_back(keys);
        }
        fits
    }

    /// Sets room aside for so many keys, and for more if that leaves most of it to others; how many.
    pub fn reserve_some(&self, keys: usize) -> usize {
        let more = keys.max(MOST_RESERVED.min(self.capacity() / 256));
        match self.reserve(more) {
            true => more,
            false if self.reserve(keys) => keys,
            false => 0,
        }
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
        self.index.len() * BUCKET
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

    fn after(&self, line: usize) -> usize {
        match line + 1 == self.index.len() {
            true => 0,
            false => line + 1,
        }
    }

    /// Asks for the line where the search for a key begins.
    #[inline(always)]
    pub fn prefetch_line(&self, hash: u64) {
        prefetch(&self.index[self.line_of(hash)]);
    }

    /// The number that a key seems to have, by its tag in the first line; 0 if it is none of those.
    /// Asks for the key of that number. The line should be there by now.
    #[inline(always)]
    pub fn guess(&self, hash: u64) -> u32 {
        let line = &self.index[self.line_of(hash)];
        let fitting = line.matches(self.tag(hash), self.number_mask).fitting;
        if fitting == 0 {
            prefetch_to_write(line); // the key is new, nearly always
            return 0;
        }
        // Acquire: pairs with the Release in `claim`; the key behind the number is written.
        let slot = line.0[fitting.trailing_zeros() as usize % BUCKET].load(Ordering::Acquire);
        let number = self.number(slot);
        self.keys.prefetch(number);
        number
    }

    /// Whether a number that was guessed is that of a key.
    #[inline(always)]
    pub fn is_right(&self, guess: u32, key: u64) -> bool {
        self.keys.is(guess, key)
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
        let mut line = self.line_of(hash);
        for _ in 0..self.index.len() {
            let slots = &self.index[line];
            let matches = slots.matches(self.tag(hash), self.number_mask);
            let found = self.among(slots, matches.fitting, key);
            if found.is_some() || matches.empty != 0 {
                return found;
            }
            line = self.after(line);
        }
        None
    }

    /// The number of a key, and whether it is new. There must be room (`reserve`).
    #[inline(always)]
    pub fn insert(&self, key: u64, hash: u64, ids: &mut Ids) -> Result<(u32, bool), OutOfMemory> {
        let tag = self.tag(hash);
        let mut line = self.line_of(hash);
        loop {
            let slots = &self.index[line];
            let matches = slots.matches(tag, self.number_mask);
            if let Some(number) = self.among(slots, matches.fitting, key) {
                return Ok((number, false));
            }
            for slot in &slots.0[matches.first_empty()..] {
                match self.claim(slot, tag, key, ids) {
                    Ok(number) => return Ok((number, true)),
                    Err(Lost::OutOfMemory) => return Err(OutOfMemory),
                    Err(Lost::To(faster)) => {
                        let number = self.number(faster);
                        if faster ^ number == tag && self.keys.is(number, key) {
                            return Ok((number, false));
                        }
                    }
                }
            }
            line = self.after(line);
        }
    }

    /// The number of a key, if one of the fitting slots has it.
    #[inline(always)]
    fn among(&self, line: &Bucket, mut fitting: u32, key: u64) -> Option<u32> {
        while fitting != 0 {
            // Acquire: pairs with the Release in `claim`; the key behind the number is written.
            let slot = line.0[fitting.trailing_zeros() as usize % BUCKET].load(Ordering::Acquire);
            let number = self.number(slot);
            if self.keys.is(number, key) {
                return Some(number);
            }
            fitting &= fitting - 1;
        }
        None
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
        next_slots(self.capacity()) * size_of::<AtomicU32>()
    }

    /// Makes the index larger. Numbers keep their meaning.
    pub fn grow(&mut self, pool: &ThreadPool) -> Result<(), NoRoom> {
        let slots = next_slots(self.capacity());
        if slots == self.capacity() {
            return Err(NoRoom::Numbers);
        }
        self.number_mask = number_mask(slots);
        if !self.index.lengthen(slots / BUCKET) {
            self.index = Pages::new(0)?; // first give back, then take
            let roomy = Pages::with_room(slots / BUCKET, ROOM * slots / BUCKET);
            self.index = roomy.or_else(|_| Pages::new(slots / BUCKET))?;
        }
        self.rebuild(pool);
        Ok(())
    }

    fn rebuild(&self, pool: &ThreadPool) {
        self.for_all_numbers(pool, |numbers| self.reinsert(numbers));
    }

    /// Shows all numbers, in pieces, to the threads of a pool.
    fn for_all_numbers(&self, pool: &ThreadPool, work: impl Fn(Range<usize>) + Sync) {
        let cursor = AtomicUsize::new(0);
        let work = || loop {
            let start = cursor.fetch_add(HashIndex::PIECE, Ordering::Relaxed);
            if start >= self.bound() {
                return;
            }
            work(start..self.bound().min(start + HashIndex::PIECE));
        };
        if self.bound() < 4 * HashIndex::PIECE {
            return work();
        }
        pool.together(work);
    }

    fn reinsert(&self, numbers: Range<usize>) {
        const AHEAD: usize = 64;
        let mut waiting = [(0, 0); AHEAD];
        let mut count = 0;
        for number in numbers {
            let Some(key) = self.keys.get(number as u32) else {
                continue;
            };
            let hash = hash(key);
            prefetch_to_write(&self.index[self.line_of(hash)]);
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
        let mut line = self.line_of(hash);
        for _ in 0..self.index.len() {
            let slots = &self.index[line];
            let first = slots.matches(0, self.number_mask).first_empty();
            for slot in &slots.0[first..] {
                let put = slot.compare_exchange(EMPTY, entry, Ordering::Relaxed, Ordering::Relaxed);
                if put.is_ok() {
                    return;
                }
            }
            line = self.after(line);
        }
        unreachable!("a larger index has room for all");
    }

    /// Changes every key by itself; no two may become the same. The new keys have so many bits.
    pub fn rekey_each(
        &mut self,
        bits: u32,
        change: impl Fn(u64) -> u64 + Sync,
        pool: &ThreadPool,
    ) -> Result<(), NoRoom> {
        let change_all = |keys: &mut [u64]| {
            keys.iter_mut().for_each(|key| *key = change(*key));
            Ok(())
        };
        self.rekey(bits, change_all, pool)
    }

    /// Changes every key; no two may become the same. The new keys have so many bits. `change` is given
    /// pieces of the keys, each by one thread.
    pub fn rekey(
        &mut self,
        bits: u32,
        change: impl Fn(&mut [u64]) -> Result<(), NoRoom> + Sync,
        pool: &ThreadPool,
    ) -> Result<(), NoRoom> {
        let keys = Keys::new(bits);
        let change_piece = |numbers: Range<usize>| {
            let is_used = |number: usize| Some((number as u32, self.keys.get(number as u32)?));
            let (numbers, mut changed): (Vec<u32>, Vec<u64>) = numbers.filter_map(is_used).unzip();
            change(&mut changed)?;
            let mut all = numbers.into_iter().zip(changed);
            all.try_for_each(|(number, key)| keys.set(number, Some(key)))?;
            Ok(())
        };
        let failed: OnceLock<NoRoom> = OnceLock::new();
        self.for_all_numbers(pool, |numbers| {
            if let Err(why) = change_piece(numbers) {
                failed.get_or_init(|| why);
            }
        });
        if let Some(why) = failed.into_inner() {
            return Err(why);
        }
        self.keys = keys;
        self.index.clear();
        self.rebuild(pool);
        Ok(())
    }

    /// What the table takes: the index, and the keys up to the last.
    pub fn bytes(&self) -> usize {
        self.capacity() * size_of::<AtomicU32>() + self.bound() * self.keys.bytes_each()
    }
}

/// Bits enough for all slots, and for the numbers that threads have at hand and never use.
fn number_mask(slots: usize) -> u32 {
    let numbers = (slots + 2 * NUMBERS_AT_HAND).next_power_of_two();
    (numbers - 1) as u32
}

/// The slots of an index that is to be larger; the same if it can't be.
fn next_slots(slots: usize) -> usize {
    let next = match slots {
        ..LARGE => 2 * slots,
        _ => slots / 8 * 11,
    };
    next.next_multiple_of(BUCKET).min(MOST_SLOTS)
}

impl Ids {
    /// The next number, which stays the next until it is used.
    #[inline(always)]
    fn peek(&mut self, table: &HashIndex) -> u32 {
        if self.next == self.end {
            let start = table
                .issued
                .fetch_add(Ids::AT_ONCE as usize, Ordering::Relaxed) as u32;
            (self.next, self.end) = (start, start + Ids::AT_ONCE);
        }
        self.next
    }

    #[cfg(not(loom))]
    pub const AT_ONCE: u32 = 512;
    #[cfg(loom)]
    pub const AT_ONCE: u32 = 1;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_index_grows_until_its_numbers_have_32_bits_and_then_says_so() {
        let mut slots = LEAST_SLOTS;
        while next_slots(slots) > slots {
            assert_eq!(slots % BUCKET, 0);
            assert!(number_mask(slots) as usize >= slots + NUMBERS_AT_HAND);
            slots = next_slots(slots);
        }
        assert_eq!(slots, MOST_SLOTS);
        assert_eq!(number_mask(slots), u32::MAX);
    }

    #[test]
    fn numbers_that_take_all_bits_of_a_slot_are_not_cut_off() {
        assert_eq!(number_mask(5 << 29), u32::MAX);
        let mut table = HashIndex::new(u64::BITS).expect("memory");
        table.number_mask = u32::MAX;
        let mut ids = Ids::default();
        for key in 0..500 {
            let (number, is_new) = table.insert(key, hash(key), &mut ids).expect("memory");
            assert!(is_new);
            assert_eq!(table.find(key), Some(number));
        }
    }
}
