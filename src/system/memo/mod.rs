//! Successors without interpretation: states packed into a few words, and what each task does
//! remembered by the components that it looked at.
//!
//! | file | what it holds |
//! |---|---|
//! | `layout` | where each component stands in the words of a packed state |
//! | `contents` | the contents of a component, numbered; facets and changes as tables |
//! | `tree` | decision trees from looks to lessons |
//! | `lesson` | lessons as numbers on a tape |
//! | `groups` | tasks that are remembered together, and the bits that they look at |
//! | `judged` | what tasks look at that only judge |
//! | `recall` | what groups did lately, for each worker |
//! | `changed` | what changes made of contents lately, for each worker |
//!
//! The hot path takes no lock and interprets nothing: it follows trees, reads a leaf, and writes
//! bits. What it does not find is learnt: the state is taken apart, the system itself runs the task,
//! and the lesson is added.

mod changed;
mod contents;
mod groups;
mod judged;
mod layout;
mod lesson;
mod recall;
mod tree;

use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;
use indexmap::IndexSet;

use super::{Components, Effect, EffectEnd, Facet, Look, PropertyId, Task, Write};
use crate::concurrent::OutOfMemory;
use changed::Changed;
pub use contents::Contents;
use groups::{FACET_WORDS, Groups, Key, Roots};
pub use layout::{Field, Layout, MOST_WORDS, Translation};
use lesson::{Changing, Numbered, NumberedEffect, Reader, Remarks};
use recall::{KNOWN, Recall};
use tree::{LearnError, Next, Trees};

pub struct Memo<'s, S: Components> {
    system: &'s S,
    roots: Roots,
    contents: Vec<Contents<S::Content, S::Change>>,
    trees: Trees,
    groups: Groups,
    layout: Layout,
    /// Sets of properties that lessons name; the first is the empty one.
    violations: CachePadded<RwLock<IndexSet<Vec<PropertyId>>>>,
    misses: CachePadded<AtomicU64>,
    /// How often all lessons were forgotten.
    evictions: u64,
}

/// Why a state could not be expanded, or packed, right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A component has more contents than the layout has room for.
    Layout,
    /// The trees are full.
    Trees,
    Memory,
}

impl From<LearnError> for Obstacle {
    fn from(error: LearnError) -> Obstacle {
        match error {
            LearnError::Full => Obstacle::Trees,
            LearnError::Memory => Obstacle::Memory,
        }
    }
}

impl From<OutOfMemory> for Obstacle {
    fn from(_: OutOfMemory) -> Obstacle {
        Obstacle::Memory
    }
}

/// What was found in one state, besides its successors.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Tasks that were run, or remembered, since the beginning.
    pub lookups: u64,
    pub edges: u64,
    pub is_progress: bool,
    pub was_cut: bool,
    /// Some step has more outcomes than are looked at.
    pub has_unseen: bool,
    /// Sets of properties that the state violates, and that its steps violate.
    pub by_state: Vec<u32>,
    pub by_steps: Vec<u32>,
    /// Tasks that are still to be run.
    pending: Vec<Task>,
    /// Leaves of the current group that say something.
    noted: Vec<u32>,
    recall: Recall,
    changed: Changed,
}

impl Findings {
    fn clear(&mut self) {
        (self.edges, self.is_progress) = (0, false);
        (self.was_cut, self.has_unseen) = (false, false);
        self.by_state.clear();
        self.by_steps.clear();
        self.pending.clear();
    }

    /// What is to be said of a step that is not plain.
    #[inline(never)]
    fn remark<const W: usize>(
        &mut self,
        remarks: u64,
        successor: [u64; W],
        show: &mut impl FnMut([u64; W]),
    ) {
        let remarks = Remarks::unpacked(remarks);
        self.is_progress |= remarks.is_progress;
        if remarks.violated != 0 {
            self.by_steps.push(remarks.violated);
        }
        match remarks.end {
            EffectEnd::State => show(successor),
            EffectEnd::Nowhere => {}
            EffectEnd::Cut => self.was_cut = true,
            EffectEnd::Unseen => self.has_unseen = true,
        }
    }
}

/// How much was learnt.
#[derive(Clone, Debug)]
pub struct MemoStatistics {
    /// By component: its name, and how many contents it was seen with.
    pub contents: Vec<(String, usize)>,
    pub words: usize,
    /// How often the system itself had to run a task.
    pub misses: u64,
    pub evictions: u64,
    pub lessons: usize,
    pub nodes: usize,
    pub bytes: usize,
}

impl<'s, S: Components> Memo<'s, S> {
    /// With a layout for the initial states; none if states have too many components to be packed.
    pub fn new(system: &'s S, initial: &[S::State]) -> Option<Memo<'s, S>> {
        let tasks = system.tasks();
        let parts: Vec<Vec<S::Content>> = initial.iter().map(|state| system.split(state)).collect();
        let components = parts.first().map_or(0, Vec::len);
        let roots = Roots {
            always: tasks.always.len(),
            tasks: [tasks.always, tasks.judging].concat(),
        };
        let mut memo = Memo {
            system,
            roots,
            contents: (0..components).map(|_| Contents::default()).collect(),
            trees: Trees::new(tasks.count).ok()?,
            groups: Groups::new(tasks.count),
            layout: Layout::default(),
            violations: CachePadded::new(RwLock::new(IndexSet::from([Vec::new()]))),
            misses: CachePadded::default(),
            evictions: 0,
        };
        for state in &parts {
            for (contents, content) in memo.contents.iter().zip(state) {
                contents.number(content);
            }
        }
        memo.layout = Layout::plan(&memo.counts())?;
        memo.regroup();
        Some(memo)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn counts(&self) -> Vec<usize> {
        self.contents.iter().map(Contents::count).collect()
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
        let layout = self.layout.replan(&self.counts())?;
        self.trees.set_layout(&self.layout, &layout);
        let before = std::mem::replace(&mut self.layout, layout);
        self.regroup();
        Some(before)
    }

    /// Makes the groups anew if much was learnt since they were made.
    pub fn regroup_if_outdated(&mut self) {
        if self.groups.are_outdated(self.known()) {
            self.regroup();
        }
    }

    /// Lessons and contents: both say which groups are good.
    fn known(&self) -> usize {
        let contents = self.contents.iter().map(Contents::count);
        self.trees.statistics().leaves + contents.sum::<usize>()
    }

    fn regroup(&mut self) {
        let known = self.known();
        let contents = &self.contents;
        let weigh = |look: Look| layout::bits(contents[look.component].count_of(look.facet));
        self.groups.plan(&self.roots, &self.layout, known, weigh);
    }

    /// Makes room for more lessons: twice as many cells, or, beyond this many bytes, none of the
    /// old lessons.
    pub fn make_room_for_lessons(&mut self, most_bytes: usize) -> Result<(), OutOfMemory> {
        if 2 * self.trees.bytes() > most_bytes {
            self.trees.clear();
            self.regroup();
            self.evictions += 1;
            return Ok(());
        }
        self.trees.grow()
    }

    pub fn is_too_small(&self) -> bool {
        let mut all = self.contents.iter().zip(&self.layout.fields);
        all.any(|(contents, field)| !field.holds(contents.count().saturating_sub(1)))
    }

    /// A state in packed form, if all its contents were seen before.
    pub fn pack<const W: usize>(&self, state: &S::State) -> Option<[u64; W]> {
        let mut packed = [0; W];
        let parts = self.system.split(state);
        for ((content, contents), field) in
            parts.iter().zip(&self.contents).zip(&self.layout.fields)
        {
            field.set(&mut packed, contents.find(content)?);
        }
        Some(packed)
    }

    pub fn unpack<const W: usize>(&self, packed: &[u64; W]) -> S::State {
        let parts = self.contents.iter().zip(&self.layout.fields);
        let parts: Vec<&S::Content> = parts
            .map(|(contents, field)| contents.content(field.get(packed)))
            .collect();
        self.system.join(&parts)
    }

    /// All that each component was seen with, in the order of their numbers.
    pub fn contents(&self) -> Vec<Vec<S::Content>> {
        let all = self.contents.iter();
        all.map(|contents| {
            let numbers = 0..contents.count() as u32;
            let contents = numbers.map(|number| contents.content(number).clone());
            contents.collect()
        })
        .collect()
    }

    pub fn system(&self) -> &'s S {
        self.system
    }

    pub fn properties(&self, set: u32) -> Vec<PropertyId> {
        let violations = self.violations.read().unwrap_or_else(|p| p.into_inner());
        violations[set as usize].clone()
    }

    pub fn statistics(&self) -> MemoStatistics {
        let trees = self.trees.statistics();
        MemoStatistics {
            contents: self.named_counts(),
            words: self.layout.words,
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions,
            lessons: trees.leaves,
            nodes: trees.nodes,
            bytes: trees.bytes,
        }
    }

    /// Shows every successor of a state; says what else was found in it, but for what `judge` says.
    #[inline(always)]
    pub fn expand<const W: usize>(
        &self,
        state: &[u64; W],
        findings: &mut Findings,
        show: impl FnMut([u64; W]),
    ) -> Result<(), Obstacle> {
        findings.clear();
        findings.recall.adapt(&self.groups, W);
        let view = self.view(state, &mut findings.recall)?;
        let groups = 0..self.groups.always;
        self.run_groups(groups, state, view, || true, findings, show)
    }

    /// Whether `judge` says anything of any state.
    #[inline(always)]
    pub fn has_judges(&self) -> bool {
        self.roots.always < self.roots.tasks.len()
    }

    /// Whether `judge` may say something of a state that it does not say of the one before it.
    #[inline(always)]
    pub fn must_judge<const W: usize>(
        &self,
        state: &[u64; W],
        before: &[u64; W],
        findings: &mut Findings,
    ) -> bool {
        findings.recall.adapt(&self.groups, W);
        for word in 0..W {
            let mut bits = (state[word] ^ before[word]) & self.groups.judged.mask(word);
            while bits != 0 {
                let (component, all) = self.groups.judged.owner(word, bits);
                bits &= !all;
                let field = self.layout.fields[component];
                let mut see = |state| self.judged(component, field.get(state), findings);
                if see(state) != see(before) {
                    return true;
                }
            }
        }
        false
    }

    /// What judges see of a component.
    #[inline(always)]
    fn judged(&self, component: usize, content: u32, findings: &mut Findings) -> u64 {
        let facets = self.groups.judged.facets(component);
        if facets & 1 << Facet::WHOLE.0 != 0 {
            return u64::from(content);
        }
        let row = &findings.recall.judged[component];
        match row.get(content as usize) {
            Some(known) if judged::is_of(*known, facets) => *known,
            _ => self.see_judged(component, content, facets, findings),
        }
    }

    #[cold]
    #[inline(never)]
    fn see_judged(
        &self,
        component: usize,
        content: u32,
        facets: u64,
        findings: &mut Findings,
    ) -> u64 {
        let number = |facet| self.facet(component, facet, content).ok();
        let Some(seen) = judged::pack(facets, number) else {
            return u64::from(content);
        };
        let row = &mut findings.recall.judged[component];
        if row.len() <= content as usize {
            row.resize(content as usize + 1, 0);
        }
        row[content as usize] = seen;
        seen
    }

    /// Says which properties a state violates.
    #[inline(never)]
    pub fn judge<const W: usize>(
        &self,
        state: &[u64; W],
        findings: &mut Findings,
    ) -> Result<(), Obstacle> {
        findings.clear();
        findings.recall.adapt(&self.groups, W);
        let sees_facets = self.groups.judged.sees_placed();
        let view = match sees_facets {
            true => self.view(state, &mut findings.recall)?,
            false => Some(Key::without_facets(state)),
        };
        // A lesson that was learnt meanwhile may look at facets after all.
        let is_complete = || sees_facets || !self.groups.judged.sees_placed();
        let groups = self.groups.always..self.groups.groups.len();
        self.run_groups(groups, state, view, is_complete, findings, |_| {})
    }

    /// Runs the tasks of groups. What they did is put down if the view is complete then.
    #[inline(always)]
    fn run_groups<const W: usize>(
        &self,
        groups: Range<usize>,
        state: &[u64; W],
        view: Option<Key<W>>,
        is_complete: impl Fn() -> bool,
        findings: &mut Findings,
        mut show: impl FnMut([u64; W]),
    ) -> Result<(), Obstacle> {
        for number in groups {
            let group = &self.groups.groups[number];
            let is_recalled = group.is_recalled && findings.recall.is_worthwhile(number);
            let view = view.as_ref().filter(|_| is_recalled);
            let found = view.and_then(|view| {
                let key = self.groups.key(number, view);
                findings.recall.find(number, &key)
            });
            if let Some((leaves, count)) = found {
                findings.lookups += 1;
                for leaf in &leaves[..count] {
                    self.read::<false, W>(*leaf as usize, state, findings, &mut show)?;
                }
                continue;
            }
            let tasks = &self.roots.tasks[group.first..][..group.count];
            findings.pending.extend(tasks.iter().rev());
            findings.noted.clear();
            while let Some(task) = findings.pending.pop() {
                let leaf = self.leaf(task, state)?;
                findings.lookups += 1;
                self.read::<true, W>(leaf, state, findings, &mut show)?;
            }
            if let Some(view) = view.filter(|_| is_complete()) {
                // The masks are read after the lessons: see the invariant of `groups`.
                let key = self.groups.key(number, view);
                findings.recall.put(number, &key, &findings.noted);
            }
        }
        Ok(())
    }

    /// What groups may look at in a state; none if a facet has become too large for its place.
    #[inline(always)]
    fn view<const W: usize>(
        &self,
        state: &[u64; W],
        recall: &mut Recall,
    ) -> Result<Option<Key<W>>, OutOfMemory> {
        let mut facets = [0; FACET_WORDS];
        for (number, place) in self.groups.facets.iter().enumerate() {
            let content = place.field.get(state);
            let known = recall.rows[number].get(content as usize);
            let bits = match known.copied().unwrap_or(0) {
                0 => self.see_facets(number, content, recall)?,
                known => known,
            };
            if bits == 0 {
                return Ok(None);
            }
            let (_, field) = place.facets[0];
            facets[field.word as usize % FACET_WORDS] |= bits;
        }
        let state = *state;
        Ok(Some(Key { state, facets }))
    }

    /// The bits of the facets of a component; 0 if there is no room for them.
    #[cold]
    #[inline(never)]
    fn see_facets(
        &self,
        number: usize,
        content: u32,
        recall: &mut Recall,
    ) -> Result<u64, OutOfMemory> {
        let place = &self.groups.facets[number];
        let mut bits = KNOWN;
        for (facet, field) in &place.facets {
            let value = self.facet(place.component, *facet, content)?;
            if !field.holds(value as usize) {
                return Ok(0);
            }
            bits |= field.bits(value);
        }
        let row = &mut recall.rows[number];
        if row.len() <= content as usize {
            row.resize(content as usize + 1, 0);
        }
        row[content as usize] = bits;
        Ok(bits)
    }

    /// The leaf that a task comes to in a state.
    #[inline(always)]
    fn leaf<const W: usize>(&self, task: Task, state: &[u64; W]) -> Result<usize, Obstacle> {
        let mut next = self.trees.root(task);
        loop {
            match next {
                Next::Leaf(leaf) => return Ok(leaf),
                Next::Node(node) => {
                    let head = self.trees.head(node);
                    let mut number = head.field().get(state);
                    let look = head.look();
                    if look.facet != Facet::WHOLE {
                        number = self.facet(look.component, look.facet, number)?;
                    }
                    next = self.trees.follow(node, head, number);
                }
                Next::Unknown => {
                    self.learn(task, state)?;
                    next = self.trees.root(task);
                }
            }
        }
    }

    #[inline(always)]
    fn facet(&self, component: usize, facet: Facet, content: u32) -> Result<u32, OutOfMemory> {
        let look = Look { component, facet };
        let see = |content: &S::Content| self.system.facet(look, content);
        self.contents[component].facet(facet, content, see)
    }

    /// Reads a leaf. If it was not found by recalling, the tasks that it names are still to be run.
    #[inline(always)]
    fn read<const IS_NEW: bool, const W: usize>(
        &self,
        leaf: usize,
        state: &[u64; W],
        findings: &mut Findings,
        show: &mut impl FnMut([u64; W]),
    ) -> Result<(), Obstacle> {
        let mut reader = Reader::new(|index| self.trees.cell(index), leaf);
        if reader.violated != 0 {
            findings.by_state.push(reader.violated);
        }
        if IS_NEW {
            for _ in 0..reader.then {
                findings.pending.push(reader.task());
            }
            if reader.violated != 0 || reader.effects != 0 {
                findings.noted.push(leaf as u32);
            }
        } else {
            reader.skip_tasks();
        }
        findings.edges += u64::from(reader.effects);
        for _ in 0..reader.effects {
            let (head, remarks) = reader.effect();
            let mut successor = *state;
            reader.apply(head, &mut successor);
            for _ in 0..head.changes {
                let change = reader.change();
                let field = self.layout.fields[change.component()];
                let content = field.get(&successor);
                let find_out = || self.changed(change, content);
                let number = findings.changed.get(change.0, content, find_out)?;
                field.set(&mut successor, number);
            }
            if head.is_plain {
                findings.is_progress = true;
                show(successor);
            } else {
                findings.remark(remarks, successor, show);
            }
        }
        Ok(())
    }

    /// What a change makes of a content.
    #[inline(never)]
    fn changed(&self, change: Changing, content: u32) -> Result<u32, Obstacle> {
        let contents = &self.contents[change.component()];
        if let Some(number) = contents.changed(change.number(), content) {
            return Ok(number);
        }
        let number = contents.change(change.number(), content, |change, content| {
            self.system.apply(change, content)
        });
        let number = self.fitting(change.component(), number)?;
        contents.remember(change.number(), content, number)?;
        Ok(number)
    }

    /// A number, if the layout has room for it.
    fn fitting(&self, component: usize, number: u32) -> Result<u32, Obstacle> {
        match self.layout.fields[component].holds(number as usize) {
            true => Ok(number),
            false => Err(Obstacle::Layout),
        }
    }

    /// Lets the system run a task, and remembers what it did.
    ///
    /// A lesson is added only if all its numbers fit the layout: so the hot path need not check.
    #[cold]
    #[inline(never)]
    fn learn<const W: usize>(&self, task: Task, state: &[u64; W]) -> Result<(), Obstacle> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let lesson = self.system.run(task, &self.unpack(state));
        let mut numbered = Numbered {
            then: lesson.then,
            violated: self.number_of_properties(lesson.violated),
            effects: Vec::new(),
        };
        for effect in lesson.effects {
            numbered.effects.push(self.number_effect(effect)?);
        }
        let number_of = |look: Look| {
            let number = self.layout.fields[look.component].get(state);
            match look.facet {
                Facet::WHOLE => Ok(number),
                facet => self.facet(look.component, facet, number),
            }
        };
        let mut looks = Vec::with_capacity(lesson.looks.len());
        for look in lesson.looks {
            looks.push((look, number_of(look)?));
        }
        let has_effects = !numbered.effects.is_empty();
        let noted = (&looks[..], &numbered.then[..], has_effects);
        self.groups.note(task, noted, &self.roots, &self.layout);
        self.trees
            .learn(task, &looks, number_of, &self.layout, numbered)?;
        Ok(())
    }

    fn number_effect(
        &self,
        effect: Effect<S::Content, S::Change>,
    ) -> Result<NumberedEffect, Obstacle> {
        let mut numbered = NumberedEffect {
            end: effect.end,
            is_progress: effect.is_progress,
            violated: self.number_of_properties(effect.violated),
            sets: Vec::new(),
            changes: Vec::new(),
        };
        for (component, write) in effect.writes {
            let contents = &self.contents[component];
            match write {
                Write::Set(content) => {
                    let number = self.fitting(component, contents.number(&content))?;
                    numbered.sets.push((component as u32, number));
                }
                Write::Apply(change) => {
                    let number = contents.number_of_change(&change);
                    numbered.changes.push((component as u32, number));
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
