//! What a root does where a worker stands, in words: how many transitions, how many sets of violated properties,
//! these sets, and the transitions.
//!
//! A transition is a head and what that says: its flags if there is more to say than that it leads to
//! a state; and then the ids that its blocks have afterwards, or the cells that say how to find these.

use crate::engine::successor_cache::TransitionFlags;
use crate::system::Target;

/// The flags follow.
const FLAGGED: u32 = 1 << 31;
/// Not the ids of the blocks follow, but where their updates stand: they are looked up in each state.
const LATE: u32 = 1 << 30;
/// It leads to no state; nothing else follows.
const NOWHERE: u32 = 1 << 29;
/// The number of the path to the root.
const PATH: u32 = NOWHERE - 1;

#[inline(always)]
pub fn is_notable(result: &[u32]) -> bool {
    result[0] | result[1] != 0
}

/// Where a transition leads.
pub enum Leads<'a> {
    Nowhere,
    /// These are the ids of the blocks, for this path.
    To(u32, &'a [u32]),
    /// The updates stand in so many cells from this one on.
    Late(u32, usize),
}

pub struct Reader<'a> {
    words: &'a [u32],
}

impl<'a> Reader<'a> {
    /// Transitions, and sets of violated properties.
    #[inline(always)]
    pub fn new(result: &'a [u32]) -> (u32, &'a [u32], Reader<'a>) {
        let (sets, words) = result[2..].split_at(result[1] as usize);
        (result[0], sets, Reader { words })
    }

    #[inline(always)]
    fn word(&mut self) -> u32 {
        let word = self.words[0];
        self.words = &self.words[1..];
        word
    }

    fn cell(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }

    /// The next transition, given how many blocks a path begins with.
    #[inline(always)]
    pub fn next(&mut self, changed: impl Fn(u32) -> usize) -> (Option<TransitionFlags>, Leads<'a>) {
        let head = self.word();
        if head & !PATH == 0 {
            let (ids, rest) = self.words.split_at(changed(head));
            self.words = rest;
            return (None, Leads::To(head, ids));
        }
        self.next_special(head, changed)
    }

    #[inline(never)]
    fn next_special(
        &mut self,
        head: u32,
        changed: impl Fn(u32) -> usize,
    ) -> (Option<TransitionFlags>, Leads<'a>) {
        let flags = (head & FLAGGED != 0).then(|| TransitionFlags::unpacked(self.cell()));
        if head & NOWHERE != 0 {
            return (flags, Leads::Nowhere);
        }
        let path = head & PATH;
        if head & LATE != 0 {
            return (flags, Leads::Late(path, self.cell() as usize));
        }
        let (ids, rest) = self.words.split_at(changed(path));
        self.words = rest;
        (flags, Leads::To(path, ids))
    }
}

/// Whether a transition with these flags leads to a state.
pub fn leads_to_state(flags: u64) -> bool {
    TransitionFlags::unpacked(flags).end == Target::State(())
}

/// Begins a result.
pub fn begin(result: &mut Vec<u32>, transitions: u32, sets: &[u32]) {
    result.clear();
    result.extend([transitions, sets.len() as u32]);
    result.extend(sets);
}

/// Adds a transition; after it come the ids of its blocks, unless its updates are to be looked up late.
pub fn push(result: &mut Vec<u32>, path: u32, flags: u64, late: Option<usize>) {
    assert!(path <= PATH, "the number of a path fits a head");
    let unpacked = TransitionFlags::unpacked(flags);
    let leads_nowhere = !leads_to_state(flags);
    let flagged = if unpacked.is_plain() { 0 } else { FLAGGED };
    if leads_nowhere {
        result.push(flagged | NOWHERE);
    } else {
        result.push(flagged | path | if late.is_some() { LATE } else { 0 });
    }
    let mut cell = |cell: u64| result.extend([cell as u32, (cell >> 32) as u32]);
    if flagged != 0 {
        cell(flags);
    }
    if let Some(late) = late.filter(|_| !leads_nowhere) {
        cell(late as u64);
    }
}
