//! All states seen, packed and folded to one 64-bit key each (Laarman, van de Pol, Weber: "Parallel
//! recursive state compression for free"), with a number of its own.
//!
//! A state of one word is its own key. Otherwise each word is numbered in a table of its own, and
//! pairs of numbers are numbered again, until two are left: they are the key. Equal parts of states
//! are stored once, and a step that changes one word costs one look-up besides the last.
//!
//! Invariant: a state keeps its number whatever grows or moves.

use std::sync::{Mutex, RwLock};

use crate::engine::sync::{HashIndex, Ids, NARROW_BITS, OutOfMemory, ThreadPool, hash};
use crate::engine::{Layout, Translation};

pub struct Store {
    /// Another number whenever keys or parts have changed their meaning.
    version: u64,
    words: usize,
    /// Tables of words, then of pairs; each gives a number to a position.
    parts: Vec<Part>,
    /// The positions of the two numbers that are left, and the table of their pairs.
    last: (usize, usize),
    top: HashIndex,
    /// Bits of the second number in a pair at the top.
    low: u32,
}

struct Part {
    table: HashIndex,
    /// The positions of the two numbers that are paired; none for a word.
    pair: Option<(usize, usize)>,
}

/// What a thread needs to insert.
#[derive(Default)]
pub struct Inserter {
    top: Ids,
    parts: Vec<Ids>,
    /// New keys by table, the top last.
    added: Vec<usize>,
}

/// Numbers of all parts of a state.
pub type Positions = Vec<u32>;

impl Inserter {
    /// The store has other tables of parts now; the numbers at the top go on.
    pub fn adapt(&mut self, store: &Store) {
        self.parts = store.parts.iter().map(|_| Ids::default()).collect();
        self.added = vec![0; store.parts.len() + 1];
    }
}

/// Bits of the second number while pairs are narrow. The first has one less: the keys of the table
/// are narrow then, too.
const NARROW_LOW: u32 = 24;
const WIDE_LOW: u32 = 32;
const NARROW_NUMBERS: usize = 1 << (NARROW_BITS - NARROW_LOW);
/// Numbers that threads may have taken, or reserved, and that are not seen yet.
const AT_HAND: usize = 1 << 19;

/// Bits of the keys of states: one word, or two numbers.
fn key_bits(layout: &Layout, low: u32) -> u32 {
    match (layout.words, low) {
        (1, _) => layout.word_bits,
        (_, NARROW_LOW) => NARROW_BITS,
        _ => u64::BITS,
    }
}

/// Bits of the second number when a table has, or may have, so many.
fn low_for(numbers: usize) -> u32 {
    match numbers + AT_HAND < NARROW_NUMBERS {
        true => NARROW_LOW,
        false => WIDE_LOW,
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn unpair(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

impl Store {
    pub fn new(layout: &Layout) -> Result<Store, OutOfMemory> {
        let top = HashIndex::new(key_bits(layout, NARROW_LOW))?;
        Store::around(top, layout.words)
    }

    /// Folds so many words to two numbers, neighbours first.
    fn around(top: HashIndex, words: usize) -> Result<Store, OutOfMemory> {
        let (mut parts, mut last) = (Vec::new(), (0, 0));
        if words > 1 {
            let mut open: Vec<usize> = (0..words).collect();
            for _ in 0..words {
                let table = HashIndex::new(u64::BITS)?;
                parts.push(Part { table, pair: None });
            }
            while open.len() > 2 {
                let mut next = Vec::new();
                for bundle in open.chunks(2) {
                    match bundle {
                        [left, right] if open.len() > 2 => {
                            let table = HashIndex::new(u64::BITS)?;
                            let pair = Some((*left, *right));
                            next.push(parts.len());
                            parts.push(Part { table, pair });
                        }
                        rest => next.extend(rest),
                    }
                }
                open = next;
            }
            last = (open[0], open[1]);
        }
        Ok(Store {
            version: 0,
            words,
            parts,
            last,
            low: low_for(top.bound()), // there can't be more parts than states
            top,
        })
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn words(&self) -> usize {
        self.words
    }

    pub fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| part.table.bytes());
        self.top.bytes() + parts.sum::<usize>()
    }

    pub fn inserter(&self) -> Inserter {
        let mut inserter = Inserter::default();
        inserter.adapt(self);
        inserter
    }

    /// Sets room aside for so many states; false if something must grow first.
    pub fn reserve(&self, states: usize) -> bool {
        if self.is_too_narrow(states) {
            return false;
        }
        let tables = self.parts.iter().map(|part| &part.table).chain([&self.top]);
        for (number, table) in tables.enumerate() {
            if !table.reserve(states) {
                for part in &self.parts[..number] {
                    part.table.give_back(states);
                }
                return false;
            }
        }
        true
    }

    /// Whether so many more states may need numbers that do not fit the pairs at the top.
    fn is_too_narrow(&self, states: usize) -> bool {
        let numbers = |position: usize| self.parts[position].table.bound();
        let most = || numbers(self.last.0).max(numbers(self.last.1));
        self.words > 1 && self.low < low_for(most() + states)
    }

    /// The key of a pair at the top.
    #[inline(always)]
    fn top_key(&self, positions: &[u32]) -> u64 {
        u64::from(positions[self.last.0]) << self.low | u64::from(positions[self.last.1])
    }

    #[inline(always)]
    fn top_pair(&self, key: u64) -> (u32, u32) {
        (
            (key >> self.low) as u32,
            (key & ((1 << self.low) - 1)) as u32,
        )
    }

    /// Gives back what was not used of the room for so many states; how many were new.
    pub fn settle(&self, states: usize, inserter: &mut Inserter) -> usize {
        let tables = self.parts.iter().map(|part| &part.table).chain([&self.top]);
        let mut new = 0;
        for (table, added) in tables.zip(&mut inserter.added) {
            new = std::mem::take(added);
            table.give_back(states - new);
        }
        new
    }

    /// The words of a state, and the numbers of their parts.
    #[inline(always)]
    pub fn state<const W: usize>(&self, number: u32, positions: &mut Positions) -> [u64; W] {
        let mut words = [0; W];
        let key = self.top.key(number);
        if W == 1 {
            words[0] = key;
            return words;
        }
        positions.resize(self.parts.len(), 0);
        (positions[self.last.0], positions[self.last.1]) = self.top_pair(key);
        for (position, part) in self.parts.iter().enumerate().rev() {
            let key = part.table.key(positions[position]);
            match part.pair {
                Some((left, right)) => (positions[left], positions[right]) = unpair(key),
                None => words[position] = key,
            }
        }
        words
    }

    /// The key of a state that follows from one whose parts are known. There must be room.
    #[inline(always)]
    pub fn key<const W: usize>(
        &self,
        state: &[u64; W],
        from: &[u64; W],
        known: &[u32],
        positions: &mut Positions,
        inserter: &mut Inserter,
    ) -> Result<u64, OutOfMemory> {
        if W == 1 {
            return Ok(state[0]);
        }
        positions.clear();
        positions.extend_from_slice(known);
        for (position, part) in self.parts.iter().enumerate() {
            let key = match part.pair {
                None if state[position] == from[position] && known[position] != 0 => continue,
                None => state[position],
                Some((left, right)) => {
                    let same = |position: usize| positions[position] == known[position];
                    if same(left) && same(right) && known[position] != 0 {
                        continue;
                    }
                    pair(positions[left], positions[right])
                }
            };
            let ids = &mut inserter.parts[position];
            let (number, is_new) = part.table.insert(key, hash(key), ids)?;
            inserter.added[position] += usize::from(is_new);
            positions[position] = number;
        }
        Ok(self.top_key(positions))
    }

    /// Asks for the lines of the words in which a state differs from the one that it follows: `key`
    /// will look them up.
    #[inline(always)]
    pub fn prefetch_words<const W: usize>(&self, state: &[u64; W], from: &[u64; W]) {
        for (word, part) in self.parts.iter().take(W).enumerate() {
            if state[word] != from[word] {
                part.table.prefetch_line(hash(state[word]));
            }
        }
    }

    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    #[inline(always)]
    pub fn prefetch_line(&self, hash: u64) {
        self.top.prefetch_line(hash);
    }

    /// The number that a key seems to have; 0 if it seems to be new.
    #[inline(always)]
    pub fn guess(&self, hash: u64) -> u32 {
        self.top.guess(hash)
    }

    #[inline(always)]
    pub fn is_right(&self, guess: u32, key: u64) -> bool {
        self.top.is_right(guess, key)
    }

    /// The number of a new state; none if it was seen before. There must be room.
    #[inline(always)]
    pub fn insert(
        &self,
        key: u64,
        hash: u64,
        inserter: &mut Inserter,
    ) -> Result<Option<u32>, OutOfMemory> {
        let (number, is_new) = self.top.insert(key, hash, &mut inserter.top)?;
        let top = self.parts.len();
        inserter.added[top] += usize::from(is_new);
        Ok(is_new.then_some(number))
    }

    /// What growing would take at once.
    pub fn growth_bytes(&self, states: usize) -> usize {
        let tables = self.parts.iter().map(|part| &part.table).chain([&self.top]);
        let full = tables.filter(|table| !table.has_room(states));
        let wider = match self.is_too_narrow(states) {
            true => self.top.bound() * size_of::<u64>(),
            false => 0,
        };
        wider + full.map(HashIndex::next_index_bytes).sum::<usize>()
    }

    /// Makes room for so many more states.
    pub fn grow(&mut self, states: usize, pool: &ThreadPool) -> Result<(), OutOfMemory> {
        if self.is_too_narrow(states) {
            self.widen(pool)?;
        }
        let parts = self.parts.iter_mut().map(|part| &mut part.table);
        for table in parts.chain([&mut self.top]) {
            while !table.has_room(states) {
                table.grow(pool)?;
            }
        }
        Ok(())
    }

    /// Gives the numbers of pairs at the top more bits.
    fn widen(&mut self, pool: &ThreadPool) -> Result<(), OutOfMemory> {
        let narrow = |key: u64| (key >> NARROW_LOW, key & ((1 << NARROW_LOW) - 1));
        let wide = |key: u64| {
            let (left, right) = narrow(key);
            left << WIDE_LOW | right
        };
        self.low = WIDE_LOW;
        self.version += 1;
        self.top.rekey_each(u64::BITS, wide, pool)
    }

    /// Rewrites all states from one layout to another.
    pub fn lay_out(
        &mut self,
        from: &Layout,
        to: &Layout,
        pool: &ThreadPool,
    ) -> Result<(), OutOfMemory> {
        self.version += 1;
        if self.words > 1 && from.has_words_of(to) {
            return self.lay_out_words(from, to, pool);
        }
        let top = std::mem::replace(&mut self.top, HashIndex::new(0)?);
        let mut rewritten = Store::around(top, to.words)?;
        let translation = from.translation(to);
        if self.words == 1 && to.words == 1 {
            let translated = |key| translation.word(0, key);
            let bits = key_bits(to, rewritten.low);
            rewritten.top.rekey_each(bits, translated, pool)?;
        } else {
            let mut top = std::mem::replace(&mut rewritten.top, HashIndex::new(0)?);
            let bits = key_bits(to, rewritten.low);
            let refolding = Refolding {
                from: self,
                translation,
                to: RwLock::new(rewritten),
                folders: Mutex::default(),
            };
            top.rekey(bits, |keys| refolding.rewrite(keys), pool)?;
            rewritten = refolding.to.into_inner().unwrap_or_else(|p| p.into_inner());
            rewritten.top = top;
        }
        rewritten.version = self.version;
        *self = rewritten;
        Ok(())
    }

    /// The same where every component stays in its word: only the tables of words change.
    fn lay_out_words(
        &mut self,
        from: &Layout,
        to: &Layout,
        pool: &ThreadPool,
    ) -> Result<(), OutOfMemory> {
        let translation = from.translation(to);
        for (word, part) in self.parts[..self.words].iter_mut().enumerate() {
            let translated = |key| translation.word(word, key);
            part.table.rekey_each(u64::BITS, translated, pool)?;
        }
        Ok(())
    }

    fn unfold(&self, key: u64, words: &mut [u64], positions: &mut [u32]) {
        if self.words == 1 {
            words[0] = key;
            return;
        }
        (positions[self.last.0], positions[self.last.1]) = self.top_pair(key);
        for (position, part) in self.parts.iter().enumerate().rev() {
            let key = part.table.key(positions[position]);
            match part.pair {
                Some((left, right)) => (positions[left], positions[right]) = unpair(key),
                None => words[position] = key,
            }
        }
    }

    /// The key of any state. There must be room in the tables of parts.
    fn fold(&self, words: &[u64], folder: &mut Folder) -> Result<u64, OutOfMemory> {
        if self.words == 1 {
            return Ok(words[0]);
        }
        folder.positions.resize(self.parts.len(), 0);
        folder.words.resize(words.len(), 0);
        for (position, part) in self.parts.iter().enumerate() {
            let key = match part.pair {
                // States that were found one after the other have most words in common.
                None if words[position] == folder.words[position]
                    && folder.positions[position] != 0 =>
                {
                    continue;
                }
                None => words[position],
                Some((left, right)) => pair(folder.positions[left], folder.positions[right]),
            };
            let ids = &mut folder.inserter.parts[position];
            let (number, is_new) = part.table.insert(key, hash(key), ids)?;
            folder.inserter.added[position] += usize::from(is_new);
            folder.positions[position] = number;
        }
        folder.words.copy_from_slice(words);
        Ok(self.top_key(&folder.positions))
    }

    /// Sets room aside in the tables of parts; false if one must grow first.
    fn reserve_parts(&self, states: usize) -> bool {
        let parts = &self.parts;
        let full = parts.iter().position(|part| !part.table.reserve(states));
        if let Some(full) = full {
            parts[..full]
                .iter()
                .for_each(|part| part.table.give_back(states));
        }
        full.is_none()
    }

    fn grow_parts(&mut self, states: usize) -> Result<(), OutOfMemory> {
        for part in &mut self.parts {
            while !part.table.has_room(states) {
                part.table.grow(&ThreadPool::alone())?;
            }
        }
        Ok(())
    }

    fn settle_parts(&self, states: usize, inserter: &mut Inserter) {
        for (part, added) in self.parts.iter().zip(&mut inserter.added) {
            part.table.give_back(states - std::mem::take(added));
        }
    }
}

/// All states folded anew, by several threads.
struct Refolding<'s> {
    from: &'s Store,
    translation: Translation,
    /// Threads share it while they insert; whoever needs more room has it alone.
    to: RwLock<Store>,
    /// Of threads that are between two pieces.
    folders: Mutex<Vec<Folder>>,
}

impl Refolding<'_> {
    fn rewrite(&self, keys: &mut [u64]) -> Result<(), OutOfMemory> {
        let folders = || self.folders.lock().unwrap_or_else(|p| p.into_inner());
        let known = folders().pop();
        let to = loop {
            let to = self.to.read().unwrap_or_else(|p| p.into_inner());
            if to.reserve_parts(keys.len()) {
                break to;
            }
            drop(to);
            let mut to = self.to.write().unwrap_or_else(|p| p.into_inner());
            to.grow_parts(keys.len())?;
        };
        let mut folder = known.unwrap_or_else(|| Folder::new(&to));
        let (mut words, mut target) = (vec![0; self.from.words], vec![0; to.words]);
        let mut positions = vec![0; self.from.parts.len()];
        for key in &mut *keys {
            self.from.unfold(*key, &mut words, &mut positions);
            self.translation.state(&words, &mut target);
            *key = to.fold(&target, &mut folder)?;
        }
        to.settle_parts(keys.len(), &mut folder.inserter);
        folders().push(folder);
        Ok(())
    }
}

/// What a thread needs to fold states anew.
#[derive(Default)]
struct Folder {
    inserter: Inserter,
    /// The words of the last state, and the numbers of its parts.
    words: Vec<u64>,
    positions: Positions,
}

impl Folder {
    fn new(store: &Store) -> Folder {
        Folder {
            inserter: store.inserter(),
            ..Folder::default()
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
