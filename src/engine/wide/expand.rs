//! From a state to its successors.
//!
//! A worker goes from state to state, and what is the same in the next one costs nothing: subtrees with equal
//! ids are not entered, and groups of which nothing has changed are not asked.

use super::pending::Successor;
use super::place::{Place, pair, unpair};
use super::resolved::{Leads, Reader};
use super::shape::{Kind, Node};
use super::{Cursor, TreeSpace};
use crate::engine::successor_cache::{Expansion, NeedsGrowth};
use crate::system::Factored;

impl<S: Factored> TreeSpace<'_, S> {
    /// Puts down all successors of a state, whose keys `resolve` will find: how many there are. Says what
    /// else was found in it.
    #[inline(always)]
    pub fn expand(
        &self,
        key: u64,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
    ) -> Result<usize, NeedsGrowth> {
        let before = cursor.pending.successors.len();
        let expanded = self.put_down_successors(key, cursor, findings);
        if expanded.is_err() {
            cursor.pending.truncate(before);
        }
        expanded.map(|()| cursor.pending.successors.len() - before)
    }

    #[inline(always)]
    fn put_down_successors(
        &self,
        key: u64,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
    ) -> Result<(), NeedsGrowth> {
        findings.clear();
        self.go_to(key, cursor);
        self.ask_groups(cursor, findings)?;
        for word in 0..cursor.steps.notable.len() {
            let mut bits = cursor.steps.notable[word];
            while bits != 0 {
                let root = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.read_result(root, cursor, findings)?;
            }
        }
        Ok(())
    }

    /// Moves on to another state.
    pub(super) fn go_to(&self, key: u64, cursor: &mut Cursor<S>) {
        let place = &mut cursor.place;
        let (left, right) = unpair(key);
        place
            .stack
            .extend([(self.shape.top.0, left), (self.shape.top.1, right)]);
        while let Some((node, id)) = place.stack.pop() {
            if std::mem::replace(&mut place.ids[node as usize], id) == id {
                continue;
            }
            match self.shape.block_at(node) {
                Some(block) => cursor.steps.changed(block as u32),
                None => self.descend(node, id, &mut place.stack),
            }
        }
    }

    #[inline(always)]
    fn descend(&self, node: Node, id: u32, stack: &mut Vec<(Node, u32)>) {
        if let Kind::Pair(left, right) = self.shape.kind(node) {
            let ids = unpair(self.pairs.key(id));
            stack.extend([(left, ids.0), (right, ids.1)]);
        }
    }

    /// Reads what is inside of a block.
    #[inline(always)]
    pub(super) fn open(&self, block: usize, place: &mut Place) {
        let root = self.shape.root_of(block);
        let id = place.ids[root as usize];
        if place.inside[root as usize] != id {
            self.open_changed(root, id, place);
        }
    }

    #[inline(never)]
    fn open_changed(&self, root: Node, id: u32, place: &mut Place) {
        place.stack.push((root, id));
        while let Some((node, id)) = place.stack.pop() {
            if std::mem::replace(&mut place.inside[node as usize], id) != id {
                self.descend(node, id, &mut place.stack);
            }
        }
    }

    /// Finds out what the groups do for which something has changed.
    #[inline(always)]
    fn ask_groups(
        &self,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
    ) -> Result<(), NeedsGrowth> {
        if cursor.evictions != self.evictions || cursor.steps.cache.is_full() {
            cursor.evictions = self.evictions;
            cursor.steps.forget();
        }
        while let Some(root) = cursor.steps.dirty.last().copied() {
            findings.lookups += 1;
            let (place, steps) = (&cursor.place, &mut cursor.steps);
            match steps.cache.find(root, |block| self.id(block, place)) {
                Some((at, depends)) => steps.answered(at, depends),
                None => self.work_out(root, cursor)?,
            }
        }
        Ok(())
    }

    /// The id of a block.
    #[inline(always)]
    pub(super) fn id(&self, block: u32, place: &Place) -> u32 {
        place.ids[self.shape.root_of(block as usize) as usize]
    }

    /// Puts down where the transitions of a root lead.
    #[inline(always)]
    fn read_result(
        &self,
        root: usize,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
    ) -> Result<(), NeedsGrowth> {
        let Cursor {
            place,
            steps,
            pending,
            paths,
            ..
        } = cursor;
        let (transitions, sets, mut rest) = Reader::new(steps.result(root));
        findings.transitions += u64::from(transitions);
        findings.by_state.extend(sets);
        for _ in 0..transitions {
            let (flags, leads) = rest.next(|path| paths.get(path).changed);
            match flags {
                None => findings.is_progress = true,
                Some(flags) => findings.note(flags),
            }
            let path = match leads {
                Leads::Nowhere => continue,
                Leads::To(path, ids) => {
                    pending.begin(path);
                    pending.slots.extend(ids);
                    path
                }
                Leads::Late(path, cell) => {
                    pending.begin(path);
                    for cell in cell..cell + paths.get(path).changed {
                        let id = self.updated(self.results.cell(cell), place)?;
                        pending.slots.push(id);
                    }
                    path
                }
            };
            let path = &paths.get(path);
            let gathered = path.gathered.iter().map(|node| place.ids[*node as usize]);
            pending.slots.extend(gathered);
            let end = pending.slots.len() + path.joins.len();
            pending.slots.resize(end, 0);
        }
        Ok(())
    }

    /// The id that a block has after the update of a cell.
    #[inline(always)]
    pub(super) fn updated(&self, cell: u64, place: &mut Place) -> Result<u32, NeedsGrowth> {
        let (block, update) = ((cell >> 32) as u32, cell as u32);
        let key = pair(update, self.id(block, place));
        let entry = place.updates.place(key);
        if let Some(after) = place.updates.get(entry, key) {
            return Ok(after);
        }
        let after = self.update_block(block as usize, update, place)?;
        place.updates.put(entry, key, after);
        Ok(after)
    }

    /// Finds the keys of all successors that were put down.
    pub fn resolve(&self, cursor: &mut Cursor<S>, keys: &mut [u64]) -> Result<(), NeedsGrowth> {
        let Cursor {
            place,
            pending,
            paths,
            ..
        } = cursor;
        let joins = |successor: &Successor| paths.get(successor.path).joins.len();
        let needed: usize = pending.successors.iter().map(joins).sum();
        let pairs = &mut place.pairs;
        if let Err(need) = self.reserve(needed, pairs) {
            pending.clear(); // the batch is done again
            return Err(need);
        }
        let new = pending.resolve(paths, &self.pairs, pairs, keys)?;
        pairs.room -= new;
        pending.clear();
        Ok(())
    }
}
