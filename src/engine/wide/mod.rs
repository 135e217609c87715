//! States of any width, as trees of pairs (Laarman, van de Pol, Weber: "Parallel recursive state
//! compression for free"), and successors that cost what they change.
//!
//! | file | what it holds |
//! |---|---|
//! | `shape` | the tree: components, blocks of those that change together, the root |
//! | `place` | the state that a worker stands at |
//! | `pending` | successors whose keys are still to be found |
//! | `steps` | what groups do there, kept from one state to the next |
//! | `result` | what a group does, as the cells of a leaf |
//! | `recent` | what a worker has found out lately |
//!
//! Each component numbers its values. Above them, pairs of numbers are numbered in one table that all share,
//! up to the two children of the root: these are the key of a state. A step changes a few
//! components of one or two blocks, so only the pairs on the way from there to the root are looked up.
//! Nothing is ever laid out anew: numbers only become larger.

mod pending;
mod place;
mod recent;
mod result;
mod shape;
mod steps;

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;
use indexmap::IndexSet;

use super::successor_cache::{
    CacheStatistics, Expansion, Field, NeedsGrowth, Next, TransitionFlags, Trees, ValueTable,
};
use crate::engine::sync::{HashIndex, Interner, OutOfMemory, ThreadPool, hash};
use crate::system::{
    Factored, GroupId, LocalTransition, Projection, PropertyId, Read, Target, Update,
};
use pending::{Pending, Successor};
pub use place::Folder;
use place::{PairNumbers, Place, pair, unpair};
use recent::RecentResults;
use result::{BlockUpdate, Change, NumberedResult, NumberedTransition, TransitionHead};
use shape::{Join, Kind, NOTHING, Node, Path, Shape};
use steps::Steps;

type Values<S> = ValueTable<<S as Factored>::Value, <S as Factored>::ValueUpdate>;

pub struct TreeSpace<'s, S: Factored> {
    system: &'s S,
    shape: Shape,
    values: Vec<Values<S>>,
    /// Ids of pairs, wherever in the tree they stand.
    pairs: HashIndex,
    results: Trees,
    updates: Interner<BlockUpdate>,
    paths: Interner<Path>,
    /// Groups that are run in every state, those that only judge last.
    roots: Vec<GroupId>,
    groups: usize,
    violations: CachePadded<RwLock<IndexSet<Vec<PropertyId>>>>,
    misses: CachePadded<AtomicU64>,
    evictions: u64,
}

/// What a worker needs to go through a space.
pub struct Cursor<S: Factored> {
    place: Place,
    steps: Steps,
    /// The results for which `steps` was filled.
    evictions: u64,
    pending: Pending,
    held: Option<Held<S::State>>,
    folder: Option<Folder>,
}

/// A state as the system itself sees it, and what its components hold.
struct Held<State> {
    state: State,
    /// By node.
    inside: Vec<u32>,
}

/// Room that a worker sets aside at once.
const ROOM: usize = 1024;

impl<'s, S: Factored> TreeSpace<'s, S> {
    /// With values that were seen before, if any were, and sets of properties that were named.
    pub fn new(
        system: &'s S,
        values: Vec<Values<S>>,
        violations: IndexSet<Vec<PropertyId>>,
    ) -> Result<TreeSpace<'s, S>, OutOfMemory> {
        let owners: Vec<usize> = (0..values.len()).map(|c| system.owner(c)).collect();
        let groups = system.groups();
        Ok(TreeSpace {
            system,
            shape: Shape::new(&owners),
            values,
            pairs: HashIndex::new(u64::BITS)?,
            results: Trees::new(groups.count)?,
            updates: Interner::default(),
            paths: Interner::default(),
            roots: [groups.always, groups.judging].concat(),
            groups: groups.count,
            violations: CachePadded::new(RwLock::new(violations)),
            misses: CachePadded::default(),
            evictions: 0,
        })
    }

    pub fn cursor(&self) -> Cursor<S> {
        Cursor {
            place: Place::new(&self.shape),
            steps: Steps::new(self.roots.len(), self.groups, self.shape.blocks().len()),
            evictions: self.evictions,
            pending: Pending::default(),
            held: None,
            folder: None,
        }
    }

    pub fn system(&self) -> &'s S {
        self.system
    }

    pub fn properties(&self, set: u32) -> Vec<PropertyId> {
        let violations = self.violations.read().unwrap_or_else(|p| p.into_inner());
        violations[set as usize].clone()
    }

    pub fn values(&self) -> &[Values<S>] {
        &self.values
    }

    pub fn statistics(&self) -> CacheStatistics {
        let results = self.results.statistics();
        let names = (0..self.values.len()).map(|component| self.system.name(component));
        CacheStatistics {
            values: names
                .zip(self.values.iter().map(Values::<S>::count))
                .collect(),
            bits: 0,
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions,
            results: results.leaves,
            nodes: results.nodes,
            bytes: results.bytes,
        }
    }

    /// What the pairs take.
    pub fn bytes(&self) -> usize {
        self.pairs.bytes()
    }

    /// What room for so many more pairs would take at once.
    pub fn growth_bytes(&self, pairs: usize) -> usize {
        match self.pairs.has_room(pairs) {
            true => 0,
            false => self.pairs.next_index_bytes(),
        }
    }

    /// Makes room for more pairs.
    pub fn grow(&mut self, pairs: usize, pool: &ThreadPool) -> Result<(), OutOfMemory> {
        while !self.pairs.has_room(pairs) {
            self.pairs.grow(pool)?;
        }
        Ok(())
    }

    /// Makes room for more results: twice as many cells, or, beyond this many bytes, none of the
    /// old results.
    pub fn make_room_for_results(&mut self, most_bytes: usize) -> Result<(), OutOfMemory> {
        if 2 * self.results.bytes() > most_bytes {
            self.results.clear();
            self.evictions += 1;
            return Ok(());
        }
        self.results.grow()
    }

    pub fn folder(&self) -> Folder {
        Folder::new(&self.shape)
    }

    /// The key of a state whose components have values of these numbers.
    pub fn fold(
        &self,
        numbers: impl Iterator<Item = u32>,
        folder: &mut Folder,
    ) -> Result<u64, NeedsGrowth> {
        let mut changed = Vec::new();
        for (component, number) in numbers.enumerate() {
            let leaf = self.shape.leaf(component);
            if std::mem::replace(&mut folder.ids[leaf as usize], number) != number {
                changed.push(leaf);
            }
        }
        for Join { node, left, right } in self.shape.joins(changed, NOTHING) {
            let (left, right) = (folder.ids[left as usize], folder.ids[right as usize]);
            match self.pair_id(left, right, &mut folder.pairs) {
                Ok(id) => folder.ids[node as usize] = id,
                Err(need) => {
                    folder.forget();
                    return Err(need);
                }
            }
        }
        let (left, right) = self.shape.top;
        Ok(pair(folder.ids[left as usize], folder.ids[right as usize]))
    }

    /// The key of a state, if it may have been met: all its parts have numbers.
    pub fn find(&self, state: &S::State) -> Option<u64> {
        let parts = self.system.split(state);
        let mut ids = vec![0; self.shape.nodes()];
        for (component, (values, part)) in self.values.iter().zip(&parts).enumerate() {
            ids[self.shape.leaf(component) as usize] = values.find(part)?;
        }
        for node in 0..self.shape.nodes() {
            if let Kind::Pair(left, right) = self.shape.kind(node as Node) {
                ids[node] = self
                    .pairs
                    .find(pair(ids[left as usize], ids[right as usize]))?;
            }
        }
        let (left, right) = self.shape.top;
        Some(pair(ids[left as usize], ids[right as usize]))
    }

    /// The key of any state.
    pub fn add(&self, state: &S::State, cursor: &mut Cursor<S>) -> Result<u64, NeedsGrowth> {
        let parts = self.system.split(state);
        let numbers = parts.iter().zip(&self.values);
        let numbers = numbers.map(|(part, values)| values.number(part));
        self.fold(numbers, cursor.folder.get_or_insert_with(|| self.folder()))
    }

    /// The state of a key.
    pub fn state(&self, key: u64, cursor: &mut Cursor<S>) -> S::State {
        self.go_to(key, cursor);
        self.hold(&mut cursor.place, &mut cursor.held).clone()
    }

    /// The numbers of the values of all components.
    pub fn numbers<'c>(
        &'c self,
        key: u64,
        cursor: &'c mut Cursor<S>,
    ) -> impl Iterator<Item = u32> + 'c {
        self.go_to(key, cursor);
        let place = &mut cursor.place;
        (0..self.shape.blocks().len()).for_each(|block| self.open(block, place));
        (0..self.values.len()).map(|component| place.inside[self.shape.leaf(component) as usize])
    }

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
        let (place, steps, pending) = (&mut cursor.place, &cursor.steps, &mut cursor.pending);
        for (word, bits) in steps.notable.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let root = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                for leaf in &steps.leaves[root] {
                    self.read_leaf(*leaf as usize, place, findings, pending)?;
                }
            }
        }
        Ok(())
    }

    /// Moves on to another state.
    fn go_to(&self, key: u64, cursor: &mut Cursor<S>) {
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
    fn open(&self, block: usize, place: &mut Place) {
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

    /// Finds out what the groups do that look at something which has changed.
    #[inline(always)]
    fn ask_groups(
        &self,
        cursor: &mut Cursor<S>,
        findings: &mut Expansion,
    ) -> Result<(), NeedsGrowth> {
        if cursor.evictions != self.evictions {
            cursor.evictions = self.evictions;
            cursor.steps.forget();
        }
        while let Some(root) = cursor.steps.dirty.last().copied() {
            cursor.steps.leaves[root as usize].clear();
            cursor.steps.pending.clear();
            cursor.steps.pending.push(self.roots[root as usize]);
            while let Some(group) = cursor.steps.pending.pop() {
                findings.lookups += 1;
                let leaf = self.result_of(group, root, cursor)?;
                let head = self.results.cell(leaf as usize);
                for then in 1..=head & 0xffff {
                    let group = GroupId(self.results.cell((leaf + then) as usize) as u32);
                    cursor.steps.pending.push(group);
                }
                if NumberedResult::is_notable(head) {
                    cursor.steps.leaves[root as usize].push(leaf);
                }
            }
            cursor.steps.cleaned();
        }
        Ok(())
    }

    /// The leaf that a group comes to.
    #[inline(always)]
    fn result_of(
        &self,
        group: GroupId,
        root: u32,
        cursor: &mut Cursor<S>,
    ) -> Result<u64, NeedsGrowth> {
        let (place, steps) = (&cursor.place, &mut cursor.steps);
        if let Some(blocks) = steps.footprint(group).blocks() {
            blocks.iter().for_each(|block| steps.watch(root, *block));
            let (tag, ids) = self.seen_by(group, blocks, place);
            let entry = RecentResults::place(tag, ids);
            if let Some(leaf) = steps.recent.get(entry, tag, ids) {
                return Ok(leaf);
            }
        }
        self.look_up(group, root, cursor)
    }

    /// A group and how many blocks it looks at, and the ids of these.
    #[inline(always)]
    fn seen_by(&self, group: GroupId, blocks: &[u32], place: &Place) -> (u64, u64) {
        let id = |block: &u32| place.ids[self.shape.root_of(*block as usize) as usize];
        let ids = match blocks {
            [one, other] => pair(id(one), id(other)),
            [one, ..] => u64::from(id(one)),
            [] => 0,
        };
        (u64::from(group.0) << 2 | blocks.len() as u64, ids)
    }

    #[inline(never)]
    fn look_up(
        &self,
        group: GroupId,
        root: u32,
        cursor: &mut Cursor<S>,
    ) -> Result<u64, NeedsGrowth> {
        let mut next = self.results.root(group);
        loop {
            match next {
                Next::Node(node) => {
                    let head = self.results.head(node);
                    let read = head.read();
                    let block = self.shape.block_of(read.component);
                    cursor.steps.watch(root, block as u32);
                    cursor.steps.looked_at(group, block as u32);
                    let number = self.number_of(read, &mut cursor.place)?;
                    next = self.results.follow(node, head, number);
                }
                Next::Leaf(leaf) => {
                    if let Some(blocks) = cursor.steps.footprint(group).blocks() {
                        let (tag, ids) = self.seen_by(group, blocks, &cursor.place);
                        let entry = RecentResults::place(tag, ids);
                        cursor.steps.recent.put(entry, tag, ids, leaf as u64);
                    }
                    return Ok(leaf as u64);
                }
                Next::Unknown => {
                    self.learn(group, cursor)?;
                    next = self.results.root(group);
                }
            }
        }
    }

    /// The number of what is read.
    #[inline(always)]
    fn number_of(&self, read: Read, place: &mut Place) -> Result<u32, OutOfMemory> {
        self.open(self.shape.block_of(read.component), place);
        let number = place.inside[self.shape.leaf(read.component) as usize];
        match read.projection {
            Projection::WHOLE => Ok(number),
            projection => {
                let project = |value: &S::Value| self.system.projection(read, value);
                self.values[read.component].projection(projection, number, project)
            }
        }
    }

    /// Puts down where the transitions of a leaf lead.
    #[inline(always)]
    fn read_leaf(
        &self,
        leaf: usize,
        place: &mut Place,
        findings: &mut Expansion,
        pending: &mut Pending,
    ) -> Result<(), NeedsGrowth> {
        let head = self.results.cell(leaf);
        let (then, transitions) = (head as usize & 0xffff, (head >> 16) as u32);
        let violated = (head >> 48) as u32;
        if violated != 0 {
            findings.by_state.push(violated);
        }
        findings.transitions += u64::from(transitions);
        let mut at = leaf + 1 + then;
        for _ in 0..transitions {
            let (head, flags) = (
                TransitionHead(self.results.cell(at)),
                self.results.cell(at + 1),
            );
            at += 2;
            if head.is_plain() {
                findings.is_progress = true;
                self.add_successor(at, head, place, pending)?;
            } else {
                let flags = TransitionFlags::unpacked(flags);
                findings.note(flags);
                if flags.end == Target::State(()) {
                    self.add_successor(at, head, place, pending)?;
                }
            }
            at += head.updates();
        }
        Ok(())
    }

    /// Puts down what a transition leads to, whose updates begin at a cell.
    #[inline(always)]
    fn add_successor(
        &self,
        at: usize,
        head: TransitionHead,
        place: &mut Place,
        pending: &mut Pending,
    ) -> Result<(), NeedsGrowth> {
        let path = head.path();
        pending.successors.push(Successor {
            start: pending.slots.len() as u32,
            path,
        });
        for cell in at..at + head.updates() {
            let cell = self.results.cell(cell);
            let (block, update) = ((cell >> 32) as usize, cell as u32);
            let before = place.ids[self.shape.root_of(block) as usize];
            let key = pair(update, before);
            let entry = place.updates.place(key);
            let after = match place.updates.get(entry, key) {
                Some(after) => after,
                None => {
                    let after = self.update_block(block, update, place)?;
                    place.updates.put(entry, key, after);
                    after
                }
            };
            pending.slots.push(after);
        }
        let path = self.paths.thing(path);
        let gathered = path.gathered.iter().map(|node| place.ids[*node as usize]);
        pending.slots.extend(gathered);
        let end = pending.slots.len() + path.joins.len();
        pending.slots.resize(end, 0);
        Ok(())
    }

    /// Finds the keys of all successors that were put down.
    pub fn resolve(&self, cursor: &mut Cursor<S>, keys: &mut [u64]) -> Result<(), NeedsGrowth> {
        let pending = &mut cursor.pending;
        let successors = pending.successors.iter();
        let paths: Vec<&Path> = successors.map(|s| self.paths.thing(s.path)).collect();
        let pairs = &mut cursor.place.pairs;
        let needed: usize = paths.iter().map(|path| path.joins.len()).sum();
        if let Err(need) = self.reserve(needed, pairs) {
            pending.clear(); // the batch is done again
            return Err(need);
        }
        let new = pending.resolve(&paths, &self.pairs, pairs, keys)?;
        pairs.room -= new;
        pending.clear();
        Ok(())
    }

    /// Sets room aside for so many pairs.
    fn reserve(&self, needed: usize, pairs: &mut PairNumbers) -> Result<(), NeedsGrowth> {
        if pairs.room < needed {
            let more = ROOM.max(needed);
            if !self.pairs.reserve(more) {
                return Err(NeedsGrowth::Pairs(more));
            }
            pairs.room += more;
        }
        Ok(())
    }

    /// What an update makes of a block.
    #[inline(never)]
    fn update_block(
        &self,
        block: usize,
        update: u32,
        place: &mut Place,
    ) -> Result<u32, NeedsGrowth> {
        self.open(block, place);
        let root = self.shape.root_of(block);
        let mut undo: Vec<(Node, u32)> = Vec::new();
        let after = self.update_inside(root, self.updates.thing(update), place, &mut undo);
        while let Some((node, id)) = undo.pop() {
            place.inside[node as usize] = id;
        }
        after
    }

    fn update_inside(
        &self,
        root: Node,
        update: &BlockUpdate,
        place: &mut Place,
        undo: &mut Vec<(Node, u32)>,
    ) -> Result<u32, NeedsGrowth> {
        for (component, change) in update {
            let component = *component as usize;
            let leaf = self.shape.leaf(component);
            let before = place.inside[leaf as usize];
            let after = match *change {
                Change::Set(number) => number,
                Change::Apply(update) => self.applied(component, update, before)?,
            };
            undo.push((leaf, before));
            place.inside[leaf as usize] = after;
        }
        let leaves = update.iter().map(|(c, _)| self.shape.leaf(*c as usize));
        for Join { node, left, right } in self.shape.joins(leaves, root) {
            let (left, right) = (place.inside[left as usize], place.inside[right as usize]);
            let id = self.pair_id(left, right, &mut place.pairs)?;
            undo.push((
                node,
                std::mem::replace(&mut place.inside[node as usize], id),
            ));
        }
        Ok(place.inside[root as usize])
    }

    /// What an update makes of a value.
    fn applied(&self, component: usize, update: u32, value: u32) -> Result<u32, OutOfMemory> {
        let values = &self.values[component];
        if let Some(number) = values.changed(update, value) {
            return Ok(number);
        }
        let apply = |update: &S::ValueUpdate, value: &S::Value| self.system.apply(update, value);
        let number = values.update(update, value, apply);
        values.remember(update, value, number)?;
        Ok(number)
    }

    /// The id of a pair.
    #[inline(always)]
    fn pair_id(&self, left: u32, right: u32, pairs: &mut PairNumbers) -> Result<u32, NeedsGrowth> {
        let key = pair(left, right);
        let entry = pairs.recent.place(key);
        match pairs.recent.get(entry, key) {
            Some(id) => Ok(id),
            None => {
                let id = self.number_pair(key, pairs)?;
                pairs.recent.put(entry, key, id);
                Ok(id)
            }
        }
    }

    #[inline(never)]
    fn number_pair(&self, key: u64, pairs: &mut PairNumbers) -> Result<u32, NeedsGrowth> {
        self.reserve(1, pairs)?;
        let (id, is_new) = self.pairs.insert(key, hash(key), &mut pairs.ids)?;
        pairs.room -= usize::from(is_new);
        Ok(id)
    }

    /// Lets the system run a group, and remembers what it did.
    #[cold]
    #[inline(never)]
    fn learn(&self, group: GroupId, cursor: &mut Cursor<S>) -> Result<(), NeedsGrowth> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let result = self
            .system
            .run(group, self.hold(&mut cursor.place, &mut cursor.held));
        let transitions = result.transitions.into_iter();
        let numbered = NumberedResult {
            then: result.then,
            violated: self.number_of_properties(result.violated),
            transitions: transitions.map(|t| self.number_transition(t)).collect(),
        };
        let place = &mut cursor.place;
        let mut reads = Vec::with_capacity(result.reads.len());
        for read in result.reads {
            reads.push((read, self.number_of(read, place)?));
        }
        let place = std::cell::RefCell::new(place);
        let number_of = |read: Read| self.number_of(read, &mut place.borrow_mut());
        let field_of = |_| Field::default();
        let cells = numbered.cells();
        Ok(self
            .results
            .insert(group, &reads, number_of, field_of, &cells)?)
    }

    /// The state that a worker stands at. Costs what has changed since it was last asked for.
    fn hold<'h>(&self, place: &mut Place, held: &'h mut Option<Held<S::State>>) -> &'h S::State {
        (0..self.shape.blocks().len()).for_each(|block| self.open(block, place));
        let value = |component: usize, place: &Place| {
            let number = place.inside[self.shape.leaf(component) as usize];
            self.values[component].value(number)
        };
        let held = held.get_or_insert_with(|| {
            let all: Vec<&S::Value> = (0..self.values.len()).map(|c| value(c, place)).collect();
            Held {
                state: self.system.join(&all),
                inside: place.inside.clone(),
            }
        });
        for block in self.shape.blocks() {
            let root = block.root as usize;
            if held.inside[root] == place.inside[root] {
                continue;
            }
            for component in &block.components {
                let leaf = self.shape.leaf(*component as usize) as usize;
                if held.inside[leaf] != place.inside[leaf] {
                    let component = *component as usize;
                    let value = value(component, place);
                    self.system.put(&mut held.state, component, value);
                    held.inside[leaf] = place.inside[leaf];
                }
            }
            held.inside[root] = place.inside[root];
        }
        &held.state
    }

    fn number_transition(
        &self,
        transition: LocalTransition<S::Value, S::ValueUpdate>,
    ) -> NumberedTransition {
        let mut blocks: Vec<(u32, BlockUpdate)> = Vec::new();
        for (component, update) in transition.updates {
            let values = &self.values[component];
            let change = match update {
                Update::Set(value) => Change::Set(values.number(&value)),
                Update::Apply(update) => Change::Apply(values.number_of_change(&update)),
            };
            let block = self.shape.block_of(component) as u32;
            let known = blocks.iter().position(|(other, _)| *other == block);
            let place = known.unwrap_or_else(|| {
                blocks.push((block, Vec::new()));
                blocks.len() - 1
            });
            blocks[place].1.push((component as u32, change));
        }
        blocks.sort_unstable_by_key(|(block, _)| *block);
        let roots = blocks
            .iter()
            .map(|(block, _)| self.shape.root_of(*block as usize));
        let path = self.shape.path(&roots.collect::<Vec<Node>>());
        let number = |(block, update): &(u32, BlockUpdate)| (*block, self.updates.number(update));
        NumberedTransition {
            end: transition.end,
            is_progress: transition.is_progress,
            violated: self.number_of_properties(transition.violated),
            updates: blocks.iter().map(number).collect(),
            path: self.paths.number(&path),
        }
    }

    fn number_of_properties(&self, mut properties: Vec<PropertyId>) -> u32 {
        if properties.is_empty() {
            return 0;
        }
        properties.sort_unstable();
        let mut violations = self.violations.write().unwrap_or_else(|p| p.into_inner());
        violations.insert_full(properties).0 as u32
    }
}
