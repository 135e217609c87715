//! Successors without interpretation: states packed into a word, and what each group does
//! remembered by the components that it looked at.
//!
//! | file | what it holds |
//! |---|---|
//! | `layout` | where each component stands in a packed state |
//! | `values` | the contents of a component, numbered; projections and changes as tables |
//! | `tree` | decision trees from looks to results |
//! | `encoding` | results as numbers on a tape |
//! | `bundles` | groups that are remembered together, and the bits that they look at |
//! | `property_support` | what groups look at that only judge |
//! | `group_cache` | what bundles did lately, for each worker |
//! | `update_cache` | what changes made of contents lately, for each worker |
//!
//! The hot path takes no lock and interprets nothing: it follows trees, reads a leaf, and writes
//! bits. What it does not find is learnt: the state is taken apart, the system itself runs the group,
//! and the result is added.

mod bundles;
mod encoding;
mod group_cache;
mod layout;
mod property_support;
mod tree;
mod update_cache;
mod values;

use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;
use indexmap::IndexSet;

use crate::engine::sync::OutOfMemory;
use crate::engine::wide::TreeSpace;
use crate::system::{
    Factored, GroupId, LocalTransition, Projection, PropertyId, Read, Target, Update,
};
use bundles::{Bundles, Key, PROJECTION_WORDS, Roots};
pub use encoding::TransitionFlags;
use encoding::{EncodedResult, EncodedTransition, EncodedUpdate, Reader};
use group_cache::{GroupCache, KNOWN};
pub use layout::{Field, Layout};
use tree::InsertError;
pub use tree::{Next, Trees};
use update_cache::UpdateCache;
pub use values::ValueTable;

pub struct SuccessorCache<'s, S: Factored> {
    system: &'s S,
    roots: Roots,
    values: Vec<ValueTable<S::Value, S::ValueUpdate>>,
    trees: Trees,
    bundles: Bundles,
    layout: Layout,
    /// Sets of properties that results name; the first is the empty one.
    violations: CachePadded<RwLock<IndexSet<Vec<PropertyId>>>>,
    misses: CachePadded<AtomicU64>,
    /// How often all results were forgotten.
    evictions: u64,
    /// A state is one component, and has its steps to itself: to remember them would be in vain.
    is_whole: bool,
}

/// Why a state could not be expanded, or packed, right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeedsGrowth {
    /// A component has more contents than the layout has room for.
    Layout,
    /// The trees are full.
    Trees,
    /// The table of pairs has no room for so many more.
    Pairs(usize),
    Memory,
}

impl From<InsertError> for NeedsGrowth {
    fn from(error: InsertError) -> NeedsGrowth {
        match error {
            InsertError::Full => NeedsGrowth::Trees,
            InsertError::Memory => NeedsGrowth::Memory,
        }
    }
}

impl From<OutOfMemory> for NeedsGrowth {
    fn from(_: OutOfMemory) -> NeedsGrowth {
        NeedsGrowth::Memory
    }
}

/// What was found in one state, besides its successors.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Groups that were run, or remembered, since the beginning.
    pub lookups: u64,
    pub transitions: u64,
    pub is_progress: bool,
    pub was_bounded: bool,
    /// Some step has more outcomes than are looked at.
    pub was_truncated: bool,
    /// Sets of properties that the state violates, and that its steps violate.
    pub by_state: Vec<u32>,
    pub by_steps: Vec<u32>,
    /// Groups that are still to be run.
    pending: Vec<GroupId>,
    /// Leaves of the current bundle that say something.
    noted: Vec<u32>,
    group_cache: GroupCache,
    changed: UpdateCache,
}

impl Expansion {
    pub fn clear(&mut self) {
        (self.transitions, self.is_progress) = (0, false);
        (self.was_bounded, self.was_truncated) = (false, false);
        self.by_state.clear();
        self.by_steps.clear();
        self.pending.clear();
    }

    /// What is to be said of a step that is not plain.
    #[inline(never)]
    fn flag(&mut self, flags: u64, successor: u64, show: &mut impl FnMut(u64)) {
        let flags = TransitionFlags::unpacked(flags);
        self.note(flags);
        if flags.end == Target::State(()) {
            show(successor);
        }
    }

    #[inline(never)]
    pub fn note(&mut self, flags: TransitionFlags) {
        self.is_progress |= flags.is_progress;
        if flags.violated != 0 {
            self.by_steps.push(flags.violated);
        }
        self.was_bounded |= flags.end == Target::Bounded;
        self.was_truncated |= flags.end == Target::Truncated;
    }
}

/// How much was learnt.
#[derive(Clone, Debug, Default)]
pub struct CacheStatistics {
    /// By component: its name, and how many contents it was seen with.
    pub values: Vec<(String, usize)>,
    /// Of a packed state; 0 if states are trees.
    pub bits: u32,
    /// How often the system itself had to run a group.
    pub misses: u64,
    pub evictions: u64,
    pub results: usize,
    pub nodes: usize,
    pub bytes: usize,
}

impl<'s, S: Factored> SuccessorCache<'s, S> {
    /// With a layout for the initial states; without one, if these need more than a word.
    pub fn new(system: &'s S, initial: &[S::State]) -> Result<SuccessorCache<'s, S>, OutOfMemory> {
        let groups = system.groups();
        let parts: Vec<Vec<S::Value>> = initial.iter().map(|state| system.split(state)).collect();
        let components = parts.first().map_or(0, Vec::len);
        let is_whole = components == 1 && groups.count == 1 && groups.judging.is_empty();
        let roots = Roots {
            always: groups.always.len(),
            groups: [groups.always, groups.judging].concat(),
        };
        let mut cache = SuccessorCache {
            system,
            roots,
            values: (0..components).map(|_| ValueTable::default()).collect(),
            trees: Trees::new(groups.count)?,
            bundles: Bundles::new(groups.count),
            layout: Layout::default(),
            violations: CachePadded::new(RwLock::new(IndexSet::from([Vec::new()]))),
            misses: CachePadded::default(),
            evictions: 0,
            is_whole,
        };
        for state in &parts {
            for (values, value) in cache.values.iter().zip(state) {
                values.number(value);
            }
        }
        cache.layout = Layout::plan(&cache.counts()).unwrap_or_default();
        cache.rebundle();
        Ok(cache)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn counts(&self) -> Vec<usize> {
        self.values.iter().map(ValueTable::count).collect()
    }

    fn named_counts(&self) -> Vec<(String, usize)> {
        let counts = self.counts().into_iter().enumerate();
        counts
            .map(|(component, count)| (self.system.name(component), count))
            .collect()
    }

    /// Makes room for all contents; gives back the layout that was in force. None if there are too
    /// many bits to be packed.
    pub fn make_room(&mut self) -> Option<Layout> {
        let layout = Layout::plan(&self.counts())?;
        self.trees.set_layout(&self.layout, &layout);
        let before = std::mem::replace(&mut self.layout, layout);
        self.rebundle();
        Some(before)
    }

    /// Makes the bundles anew if much was learnt since they were made.
    pub fn rebundle_if_outdated(&mut self) {
        if self.bundles.are_outdated(self.known()) {
            self.rebundle();
        }
    }

    /// Results and contents: both say which bundles are good.
    fn known(&self) -> usize {
        let values = self.values.iter().map(ValueTable::count);
        self.trees.statistics().leaves + values.sum::<usize>()
    }

    fn rebundle(&mut self) {
        let known = self.known();
        let values = &self.values;
        let weigh = |read: Read| layout::bits(values[read.component].count_of(read.projection));
        self.bundles.plan(&self.roots, &self.layout, known, weigh);
    }

    /// Makes room for more results: twice as many cells, or, beyond this many bytes, none of the
    /// old results.
    pub fn make_room_for_results(&mut self, most_bytes: usize) -> Result<(), OutOfMemory> {
        if 2 * self.trees.bytes() > most_bytes {
            self.trees.clear();
            self.rebundle();
            self.evictions += 1;
            return Ok(());
        }
        self.trees.grow()
    }

    pub fn is_too_small(&self) -> bool {
        let mut all = self.values.iter().zip(&self.layout.fields);
        all.any(|(values, field)| !field.holds(values.count().saturating_sub(1)))
    }

    /// A state in packed form, if all its contents were seen before.
    pub fn pack(&self, state: &S::State) -> Option<u64> {
        let mut packed = 0;
        let parts = self.system.split(state);
        for ((value, values), field) in parts.iter().zip(&self.values).zip(&self.layout.fields) {
            field.set(&mut packed, values.find(value)?);
        }
        Some(packed)
    }

    pub fn unpack(&self, packed: u64) -> S::State {
        let parts = self.values.iter().zip(&self.layout.fields);
        let parts: Vec<&S::Value> = parts
            .map(|(values, field)| values.value(field.get(packed)))
            .collect();
        self.system.join(&parts)
    }

    pub fn values(&self) -> &[ValueTable<S::Value, S::ValueUpdate>] {
        &self.values
    }

    /// The same system in the other form. Takes all values along; results are learnt anew.
    pub fn take_tree(&mut self) -> Result<TreeSpace<'s, S>, OutOfMemory> {
        let values = std::mem::take(&mut self.values);
        let violations = self.violations.get_mut().unwrap_or_else(|p| p.into_inner());
        TreeSpace::new(self.system, values, std::mem::take(violations))
    }

    pub fn system(&self) -> &'s S {
        self.system
    }

    pub fn properties(&self, set: u32) -> Vec<PropertyId> {
        let violations = self.violations.read().unwrap_or_else(|p| p.into_inner());
        violations[set as usize].clone()
    }

    pub fn statistics(&self) -> CacheStatistics {
        let trees = self.trees.statistics();
        CacheStatistics {
            values: self.named_counts(),
            bits: self.layout.word_bits,
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions,
            results: trees.leaves,
            nodes: trees.nodes,
            bytes: trees.bytes,
        }
    }

    /// Shows every successor of a state; says what else was found in it, but for what `judge` says.
    #[inline(always)]
    pub fn expand(
        &self,
        state: u64,
        findings: &mut Expansion,
        show: impl FnMut(u64),
    ) -> Result<(), NeedsGrowth> {
        findings.clear();
        if self.is_whole {
            return self.run_whole(state, findings, show);
        }
        findings.group_cache.adapt(&self.bundles);
        let view = self.view(state, &mut findings.group_cache)?;
        let bundles = 0..self.bundles.always;
        self.run_bundles(bundles, state, view, || true, findings, show)
    }

    /// Lets the system itself find the successors of a state without parts.
    #[inline(never)]
    fn run_whole(
        &self,
        state: u64,
        findings: &mut Expansion,
        mut show: impl FnMut(u64),
    ) -> Result<(), NeedsGrowth> {
        let result = self.system.run(GroupId(0), &self.unpack(state));
        let violated = self.number_of_properties(result.violated);
        findings
            .by_state
            .extend((violated != 0).then_some(violated));
        for transition in result.transitions {
            findings.transitions += 1;
            let transition = self.number_transition(transition)?;
            let mut successor = state;
            for (component, number) in transition.sets {
                self.layout.fields[component as usize].set(&mut successor, number);
            }
            for (component, update) in transition.updates {
                let field = self.layout.fields[component as usize];
                let update = EncodedUpdate::new(component, update);
                let number = self.changed(update, field.get(successor))?;
                field.set(&mut successor, number);
            }
            findings.note(TransitionFlags {
                end: transition.end,
                is_progress: transition.is_progress,
                violated: transition.violated,
            });
            if transition.end == Target::State(()) {
                show(successor);
            }
        }
        Ok(())
    }

    /// Whether `judge` says anything of any state.
    #[inline(always)]
    pub fn has_judges(&self) -> bool {
        self.roots.always < self.roots.groups.len()
    }

    /// Whether `judge` may say something of a state that it does not say of the one before it.
    #[inline(always)]
    pub fn must_judge(&self, state: u64, before: u64, findings: &mut Expansion) -> bool {
        findings.group_cache.adapt(&self.bundles);
        let mut bits = (state ^ before) & self.bundles.judged.mask();
        while bits != 0 {
            let (component, all) = self.bundles.judged.owner(bits);
            bits &= !all;
            let field = self.layout.fields[component];
            let mut see = |state| self.judged(component, field.get(state), findings);
            if see(state) != see(before) {
                return true;
            }
        }
        false
    }

    /// What judges see of a component.
    #[inline(always)]
    fn judged(&self, component: usize, value: u32, findings: &mut Expansion) -> u64 {
        let projections = self.bundles.judged.projections(component);
        if projections & 1 << Projection::WHOLE.0 != 0 {
            return u64::from(value);
        }
        let row = &findings.group_cache.judged[component];
        match row.get(value as usize) {
            Some(known) if property_support::is_of(*known, projections) => *known,
            _ => self.see_judged(component, value, projections, findings),
        }
    }

    #[cold]
    #[inline(never)]
    fn see_judged(
        &self,
        component: usize,
        value: u32,
        projections: u64,
        findings: &mut Expansion,
    ) -> u64 {
        let number = |projection| self.projection(component, projection, value).ok();
        let Some(seen) = property_support::pack(projections, number) else {
            return u64::from(value);
        };
        let row = &mut findings.group_cache.judged[component];
        if row.len() <= value as usize {
            row.resize(value as usize + 1, 0);
        }
        row[value as usize] = seen;
        seen
    }

    /// Says which properties a state violates.
    #[inline(never)]
    pub fn judge(&self, state: u64, findings: &mut Expansion) -> Result<(), NeedsGrowth> {
        findings.clear();
        findings.group_cache.adapt(&self.bundles);
        let sees_projections = self.bundles.judged.sees_placed();
        let view = match sees_projections {
            true => self.view(state, &mut findings.group_cache)?,
            false => Some(Key::without_projections(state)),
        };
        // A result that was learnt meanwhile may look at projections after all.
        let is_complete = || sees_projections || !self.bundles.judged.sees_placed();
        let bundles = self.bundles.always..self.bundles.bundles.len();
        self.run_bundles(bundles, state, view, is_complete, findings, |_| {})
    }

    /// Runs the groups of bundles. What they did is put down if the view is complete then.
    #[inline(always)]
    fn run_bundles(
        &self,
        bundles: Range<usize>,
        state: u64,
        view: Option<Key>,
        is_complete: impl Fn() -> bool,
        findings: &mut Expansion,
        mut show: impl FnMut(u64),
    ) -> Result<(), NeedsGrowth> {
        for number in bundles {
            let bundle = &self.bundles.bundles[number];
            let is_cached = bundle.is_cached && findings.group_cache.is_worthwhile(number);
            let view = view.as_ref().filter(|_| is_cached);
            let found = view.and_then(|view| {
                let key = self.bundles.key(number, view);
                findings.group_cache.find(number, &key)
            });
            if let Some((leaves, count)) = found {
                findings.lookups += 1;
                for leaf in &leaves[..count] {
                    self.read::<false>(*leaf as usize, state, findings, &mut show)?;
                }
                continue;
            }
            let groups = &self.roots.groups[bundle.first..][..bundle.count];
            findings.pending.extend(groups.iter().rev());
            findings.noted.clear();
            while let Some(group) = findings.pending.pop() {
                let leaf = self.leaf(group, state)?;
                findings.lookups += 1;
                self.read::<true>(leaf, state, findings, &mut show)?;
            }
            if let Some(view) = view.filter(|_| is_complete()) {
                // The masks are read after the results: see the invariant of `bundles`.
                let key = self.bundles.key(number, view);
                findings.group_cache.put(number, &key, &findings.noted);
            }
        }
        Ok(())
    }

    /// What bundles may look at in a state; none if a projection has become too large for its place.
    #[inline(always)]
    fn view(&self, state: u64, group_cache: &mut GroupCache) -> Result<Option<Key>, OutOfMemory> {
        let mut projections = [0; PROJECTION_WORDS];
        for (number, place) in self.bundles.projections.iter().enumerate() {
            let value = place.field.get(state);
            let known = group_cache.rows[number].get(value as usize);
            let bits = match known.copied().unwrap_or(0) {
                0 => self.see_projections(number, value, group_cache)?,
                known => known,
            };
            if bits == 0 {
                return Ok(None);
            }
            let (_, field) = place.projections[0];
            projections[field.word as usize % PROJECTION_WORDS] |= bits;
        }
        Ok(Some(Key { state, projections }))
    }

    /// The bits of the projections of a component; 0 if there is no room for them.
    #[cold]
    #[inline(never)]
    fn see_projections(
        &self,
        number: usize,
        value: u32,
        group_cache: &mut GroupCache,
    ) -> Result<u64, OutOfMemory> {
        let place = &self.bundles.projections[number];
        let mut bits = KNOWN;
        for (projection, field) in &place.projections {
            let value = self.projection(place.component, *projection, value)?;
            if !field.holds(value as usize) {
                return Ok(0);
            }
            bits |= field.bits(value);
        }
        let row = &mut group_cache.rows[number];
        if row.len() <= value as usize {
            row.resize(value as usize + 1, 0);
        }
        row[value as usize] = bits;
        Ok(bits)
    }

    /// The leaf that a group comes to in a state.
    #[inline(always)]
    fn leaf(&self, group: GroupId, state: u64) -> Result<usize, NeedsGrowth> {
        let mut next = self.trees.root(group);
        loop {
            match next {
                Next::Leaf(leaf) => return Ok(leaf),
                Next::Node(node) => {
                    let head = self.trees.head(node);
                    let mut number = head.field().get(state);
                    let read = head.read();
                    if read.projection != Projection::WHOLE {
                        number = self.projection(read.component, read.projection, number)?;
                    }
                    next = self.trees.follow(node, head, number);
                }
                Next::Unknown => {
                    self.insert(group, state)?;
                    next = self.trees.root(group);
                }
            }
        }
    }

    #[inline(always)]
    fn projection(
        &self,
        component: usize,
        projection: Projection,
        value: u32,
    ) -> Result<u32, OutOfMemory> {
        let read = Read {
            component,
            projection,
        };
        let see = |value: &S::Value| self.system.projection(read, value);
        self.values[component].projection(projection, value, see)
    }

    /// Reads a leaf. If it was not found by recalling, the groups that it names are still to be run.
    #[inline(always)]
    fn read<const IS_NEW: bool>(
        &self,
        leaf: usize,
        state: u64,
        findings: &mut Expansion,
        show: &mut impl FnMut(u64),
    ) -> Result<(), NeedsGrowth> {
        let mut reader = Reader::new(|index| self.trees.cell(index), leaf);
        if reader.violated != 0 {
            findings.by_state.push(reader.violated);
        }
        if IS_NEW {
            for _ in 0..reader.then {
                findings.pending.push(reader.group());
            }
            if reader.violated != 0 || reader.transitions != 0 {
                findings.noted.push(leaf as u32);
            }
        } else {
            reader.skip_groups();
        }
        findings.transitions += u64::from(reader.transitions);
        for _ in 0..reader.transitions {
            let (head, flags) = reader.transition();
            let mut successor = reader.apply(head, state);
            for _ in 0..head.updates {
                let update = reader.update();
                let field = self.layout.fields[update.component()];
                let value = field.get(successor);
                let find_out = || self.changed(update, value);
                let number = findings.changed.get(update.0, value, find_out)?;
                field.set(&mut successor, number);
            }
            if head.is_plain {
                findings.is_progress = true;
                show(successor);
            } else {
                findings.flag(flags, successor, show);
            }
        }
        Ok(())
    }

    /// What a change makes of a content.
    #[inline(never)]
    fn changed(&self, update: EncodedUpdate, value: u32) -> Result<u32, NeedsGrowth> {
        let values = &self.values[update.component()];
        if let Some(number) = values.changed(update.number(), value) {
            return Ok(number);
        }
        let number = values.update(update.number(), value, |update, value| {
            self.system.apply(update, value)
        });
        let number = self.fitting(update.component(), number)?;
        values.remember(update.number(), value, number)?;
        Ok(number)
    }

    /// A number, if the layout has room for it.
    fn fitting(&self, component: usize, number: u32) -> Result<u32, NeedsGrowth> {
        match self.layout.fields[component].holds(number as usize) {
            true => Ok(number),
            false => Err(NeedsGrowth::Layout),
        }
    }

    /// Lets the system run a group, and remembers what it did.
    ///
    /// A result is added only if all its numbers fit the layout: so the hot path need not check.
    #[cold]
    #[inline(never)]
    fn insert(&self, group: GroupId, state: u64) -> Result<(), NeedsGrowth> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let result = self.system.run(group, &self.unpack(state));
        let mut numbered = EncodedResult {
            then: result.then,
            violated: self.number_of_properties(result.violated),
            transitions: Vec::new(),
        };
        for transition in result.transitions {
            numbered
                .transitions
                .push(self.number_transition(transition)?);
        }
        let number_of = |read: Read| {
            let number = self.layout.fields[read.component].get(state);
            match read.projection {
                Projection::WHOLE => Ok(number),
                projection => self.projection(read.component, projection, number),
            }
        };
        let mut reads = Vec::with_capacity(result.reads.len());
        for read in result.reads {
            reads.push((read, number_of(read)?));
        }
        let has_transitions = !numbered.transitions.is_empty();
        let noted = (&reads[..], &numbered.then[..], has_transitions);
        self.bundles.note(group, noted, &self.roots, &self.layout);
        let field_of = |component: usize| self.layout.fields[component];
        let cells = numbered.cells(&self.layout);
        self.trees
            .insert(group, &reads, number_of, field_of, &cells)?;
        Ok(())
    }

    fn number_transition(
        &self,
        transition: LocalTransition<S::Value, S::ValueUpdate>,
    ) -> Result<EncodedTransition, NeedsGrowth> {
        let mut numbered = EncodedTransition {
            end: transition.end,
            is_progress: transition.is_progress,
            violated: self.number_of_properties(transition.violated),
            sets: Vec::new(),
            updates: Vec::new(),
        };
        for (component, write) in transition.updates {
            let values = &self.values[component];
            match write {
                Update::Set(value) => {
                    let number = self.fitting(component, values.number(&value))?;
                    numbered.sets.push((component as u32, number));
                }
                Update::Apply(update) => {
                    let number = values.number_of_change(&update);
                    numbered.updates.push((component as u32, number));
                }
            }
        }
        Ok(numbered)
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
