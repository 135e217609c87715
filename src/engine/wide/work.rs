//! What a root does, found out by going through the results of its groups, and by running those of which none is
//! known yet.

use std::sync::atomic::Ordering;

use super::place::Place;
use super::result::{BlockUpdate, Change, NumberedResult, NumberedTransition, TransitionHead};
use super::shape::{Join, Node};
use super::step_cache::MOST_BLOCKS;
use super::steps::{Touched, Work};
use super::{Cursor, Held, TreeSpace, resolved};
use crate::engine::successor_cache::{Field, NeedsGrowth, Next};
use crate::engine::sync::OutOfMemory;
use crate::system::{Factored, GroupId, LocalTransition, Projection, PropertyId, Read, Update};

impl<S: Factored> TreeSpace<'_, S> {
    /// Finds out what the last of the dirty roots does here.
    #[inline(never)]
    pub(super) fn work_out(&self, root: u32, cursor: &mut Cursor<S>) -> Result<(), NeedsGrowth> {
        let Work {
            groups,
            leaves,
            touched,
            ..
        } = &mut cursor.steps.work;
        touched.clear();
        leaves.clear();
        groups.clear();
        groups.push(self.roots[root as usize]);
        while let Some(group) = cursor.steps.work.groups.pop() {
            let leaf = self.look_up(group, cursor)?;
            let head = self.results.cell(leaf as usize);
            let work = &mut cursor.steps.work;
            for then in 1..=head & 0xffff {
                let group = GroupId(self.results.cell((leaf + then) as usize) as u32);
                work.groups.push(group);
            }
            if NumberedResult::is_notable(head) {
                work.leaves.push(leaf);
            }
        }
        self.resolve_leaves(cursor)?;
        let place = &cursor.place;
        cursor.steps.worked_out(|block| self.id(block, place));
        Ok(())
    }

    /// The leaf that a group comes to.
    fn look_up(&self, group: GroupId, cursor: &mut Cursor<S>) -> Result<u64, NeedsGrowth> {
        let mut next = self.results.root(group);
        loop {
            match next {
                Next::Node(node) => {
                    let head = self.results.head(node);
                    let read = head.read();
                    let block = self.shape.block_of(read.component);
                    cursor.steps.work.touched.add(block as u32);
                    let number = self.number_of(read, &mut cursor.place)?;
                    next = self.results.follow(node, head, number);
                }
                Next::Leaf(leaf) => return Ok(leaf as u64),
                Next::Unknown => {
                    self.learn(group, cursor)?;
                    next = self.results.root(group);
                }
            }
        }
    }

    /// Writes down what the leaves say, with the ids that blocks have afterwards.
    fn resolve_leaves(&self, cursor: &mut Cursor<S>) -> Result<(), NeedsGrowth> {
        let Cursor {
            place,
            steps,
            paths,
            ..
        } = cursor;
        let Work {
            leaves,
            result,
            touched,
            ..
        } = &mut steps.work;
        let heads = || leaves.iter().map(|leaf| self.results.cell(*leaf as usize));
        let transitions = heads().map(|head| (head >> 16) as u32).sum();
        let sets = heads().map(|head| (head >> 48) as u32);
        let sets: Vec<u32> = sets.filter(|set| *set != 0).collect();
        resolved::begin(result, transitions, &sets);
        for leaf in leaves.iter() {
            let head = self.results.cell(*leaf as usize);
            let mut at = (leaf + 1 + (head & 0xffff)) as usize;
            for _ in 0..(head >> 16) as u32 {
                let head = TransitionHead(self.results.cell(at));
                let flags = self.results.cell(at + 1);
                at += 2;
                let path = paths.number(head.path(), |path| self.paths.thing(path).clone());
                let cells = at..at + head.updates();
                let blocks = cells
                    .clone()
                    .map(|cell| (self.results.cell(cell) >> 32) as u32);
                let is_late = !can_depend_on(touched, blocks);
                resolved::push(result, path, flags, is_late.then_some(at));
                if !is_late && resolved::leads_to_state(flags) {
                    for cell in cells {
                        let cell = self.results.cell(cell);
                        touched.add((cell >> 32) as u32);
                        result.push(self.updated(cell, place)?);
                    }
                }
                at += head.updates();
            }
        }
        Ok(())
    }

    /// The number of what is read.
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

    /// What an update makes of a block.
    #[inline(never)]
    pub(super) fn update_block(
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
    pub(super) fn hold<'h>(
        &self,
        place: &mut Place,
        held: &'h mut Option<Held<S::State>>,
    ) -> &'h S::State {
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

/// Whether a result may depend on these blocks, too, and still be remembered. What it depends on anyway costs
/// nothing more.
fn can_depend_on(touched: &Touched, blocks: impl Iterator<Item = u32>) -> bool {
    let more = blocks.filter(|block| !touched.contains(*block)).count();
    more == 0 || touched.blocks.len() + more <= MOST_BLOCKS
}
