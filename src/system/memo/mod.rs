//! Successors without interpretation: states packed into a few words, and what each task does
//! remembered by the components that it looked at.
//!
//! | file | what it holds |
//! |---|---|
//! | `layout` | where each component stands in the words of a packed state |
//! | `contents` | the contents of a component, numbered; facets and changes as tables |
//! | `tree` | decision trees from looks to lessons |
//! | `lesson` | lessons as numbers on a tape |
//!
//! The hot path takes no lock and interprets nothing: it follows trees, reads a leaf, and writes
//! bits. What it does not find is learnt: the state is taken apart, the system itself runs the task,
//! and the lesson is added.

mod contents;
mod layout;
mod lesson;
mod tree;

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexSet;

use super::{Components, EffectEnd, Facet, Look, PropertyId, Task, Write};
use crate::concurrent::OutOfMemory;
use contents::Contents;
pub use layout::{Field, Layout, MOST_WORDS};
use lesson::{Numbered, NumberedEffect, NumberedWrite, Reader};
use tree::{Next, Trees};

pub struct Memo<'s, S: Components> {
    system: &'s S,
    always: Vec<Task>,
    contents: Vec<Contents<S::Content, S::Change>>,
    trees: Trees,
    layout: Layout,
    /// Sets of properties that lessons name; the first is the empty one.
    violations: RwLock<IndexSet<Vec<PropertyId>>>,
    misses: AtomicU64,
}

/// Why a state could not be expanded, or packed, right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A component has more contents than the layout has room for.
    Layout,
    Memory,
}

impl From<OutOfMemory> for Obstacle {
    fn from(_: OutOfMemory) -> Obstacle {
        Obstacle::Memory
    }
}

/// What was found in one state, besides its successors.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub edges: u64,
    pub is_progress: bool,
    pub was_cut: bool,
    /// Sets of properties that the state violates, and that its steps violate.
    pub by_state: Vec<u32>,
    pub by_steps: Vec<u32>,
    /// Tasks that are still to be run.
    pending: Vec<Task>,
}

impl Findings {
    fn clear(&mut self) {
        (self.edges, self.is_progress, self.was_cut) = (0, false, false);
        self.by_state.clear();
        self.by_steps.clear();
        self.pending.clear();
    }
}

/// How much was learnt.
#[derive(Clone, Debug)]
pub struct MemoStatistics {
    /// By component: how many contents it was seen with.
    pub contents: Vec<usize>,
    pub words: usize,
    pub lessons: u64,
    pub nodes: usize,
    pub bytes: usize,
}

impl<'s, S: Components> Memo<'s, S> {
    /// With a layout for the initial states; none if states have too many components to be packed.
    pub fn new(system: &'s S, initial: &[S::State]) -> Option<Memo<'s, S>> {
        let tasks = system.tasks();
        let parts: Vec<Vec<S::Content>> = initial.iter().map(|state| system.split(state)).collect();
        let components = parts.first().map_or(0, Vec::len);
        let mut memo = Memo {
            system,
            always: tasks.always.into_iter().rev().collect(),
            contents: (0..components).map(|_| Contents::default()).collect(),
            trees: Trees::new(tasks.count),
            layout: Layout::default(),
            violations: RwLock::new(IndexSet::from([Vec::new()])),
            misses: AtomicU64::new(0),
        };
        for state in &parts {
            for (contents, content) in memo.contents.iter().zip(state) {
                contents.number(content);
            }
        }
        memo.layout = Layout::plan(&memo.counts())?;
        Some(memo)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn counts(&self) -> Vec<usize> {
        self.contents.iter().map(Contents::count).collect()
    }

    /// Makes room for all contents; gives back the layout that was in force. None if there are too
    /// many bits to be packed.
    pub fn make_room(&mut self) -> Option<Layout> {
        let layout = Layout::plan(&self.counts())?;
        self.trees.set_layout(&layout);
        Some(std::mem::replace(&mut self.layout, layout))
    }

    pub fn is_too_small(&self) -> bool {
        let mut all = self.contents.iter().zip(&self.layout.fields);
        all.any(|(contents, field)| !field.holds(contents.count().saturating_sub(1)))
    }

    /// A state in packed form, if all its contents were seen before.
    pub fn pack<const W: usize>(&self, state: &S::State) -> Option<[u64; W]> {
        let mut packed = [0; W];
        let parts = self.system.split(state);
        for ((content, contents), field) in parts.iter().zip(&self.contents).zip(&self.layout.fields) {
            field.set(&mut packed, contents.find(content)? as u32);
        }
        Some(packed)
    }

    pub fn unpack<const W: usize>(&self, packed: &[u64; W]) -> S::State {
        let parts = self.contents.iter().zip(&self.layout.fields);
        let parts: Vec<S::Content> = parts
            .map(|(contents, field)| contents.content(field.get(packed)))
            .collect();
        self.system.join(&parts)
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
            contents: self.counts(),
            words: self.layout.words,
            lessons: self.misses.load(Ordering::Relaxed),
            nodes: trees.nodes,
            bytes: trees.bytes,
        }
    }

    /// Shows every successor of a state; says what else was found in it.
    #[inline(always)]
    pub fn expand<const W: usize>(
        &self,
        state: &[u64; W],
        findings: &mut Findings,
        mut show: impl FnMut([u64; W]),
    ) -> Result<(), Obstacle> {
        findings.clear();
        findings.pending.extend_from_slice(&self.always);
        while let Some(task) = findings.pending.pop() {
            let leaf = self.leaf(task, state)?;
            self.read(leaf, state, findings, &mut show)?;
        }
        Ok(())
    }

    /// The leaf that a task comes to in a state.
    #[inline(always)]
    fn leaf<const W: usize>(&self, task: Task, state: &[u64; W]) -> Result<u32, Obstacle> {
        let mut next = self.trees.root(task);
        loop {
            match next {
                Next::Leaf(leaf) => return Ok(leaf),
                Next::Node(node) => {
                    let node = self.trees.node(node);
                    let mut number = node.field().get(state);
                    if node.facet() != Facet::WHOLE {
                        number = self.facet(node.component(), node.facet(), number)?;
                    }
                    next = self.trees.follow(node, number);
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

    #[inline(always)]
    fn read<const W: usize>(
        &self,
        leaf: u32,
        state: &[u64; W],
        findings: &mut Findings,
        show: &mut impl FnMut([u64; W]),
    ) -> Result<(), Obstacle> {
        let mut reader = Reader::new(&self.trees, leaf);
        if reader.violated != 0 {
            findings.by_state.push(reader.violated);
        }
        for _ in 0..reader.then {
            findings.pending.push(reader.task());
        }
        for _ in 0..reader.effects {
            let head = reader.effect();
            let mut successor = *state;
            for _ in 0..head.writes {
                self.write(reader.write(), &mut successor)?;
            }
            findings.edges += 1;
            findings.is_progress |= head.is_progress;
            if head.violated != 0 {
                findings.by_steps.push(head.violated);
            }
            match head.end {
                EffectEnd::State => show(successor),
                EffectEnd::Nowhere => {}
                EffectEnd::Cut => findings.was_cut = true,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn write<const W: usize>(&self, write: NumberedWrite, state: &mut [u64; W]) -> Result<(), Obstacle> {
        let component = write.component as usize;
        let field = self.layout.fields[component];
        let number = match write.is_change {
            false => write.number,
            true => self.changed(component, write.number, field.get(state))?,
        };
        field.set(state, number);
        Ok(())
    }

    #[inline(always)]
    fn changed(&self, component: usize, change: u32, content: u32) -> Result<u32, Obstacle> {
        match self.contents[component].changed(change, content) {
            Some(number) => Ok(number),
            None => self.find_out_change(component, change, content),
        }
    }

    #[cold]
    fn find_out_change(&self, component: usize, change: u32, content: u32) -> Result<u32, Obstacle> {
        let contents = &self.contents[component];
        let number = contents.change(change, content, |change, content| self.system.apply(change, content));
        let number = self.fitting(component, number)?;
        contents.remember(change, content, number)?;
        Ok(number)
    }

    /// A number, if the layout has room for it.
    fn fitting(&self, component: usize, number: usize) -> Result<u32, Obstacle> {
        match self.layout.fields[component].holds(number) {
            true => Ok(number as u32),
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
            numbered.effects.push(NumberedEffect {
                end: effect.end,
                is_progress: effect.is_progress,
                violated: self.number_of_properties(effect.violated),
                writes: self.number_writes(effect.writes)?,
            });
        }
        let number_of = |look: Look| {
            let number = self.layout.fields[look.component].get(state);
            match look.facet {
                Facet::WHOLE => Ok(number),
                facet => self.facet(look.component, facet, number),
            }
        };
        let tape = numbered.tape();
        self.trees.learn(task, &lesson.looks, number_of, &self.layout, &tape)?;
        Ok(())
    }

    fn number_writes(
        &self,
        writes: Vec<(usize, Write<S::Content, S::Change>)>,
    ) -> Result<Vec<NumberedWrite>, Obstacle> {
        let mut numbered = Vec::with_capacity(writes.len());
        for (component, write) in writes {
            let contents = &self.contents[component];
            let (is_change, number) = match write {
                Write::Set(content) => (false, self.fitting(component, contents.number(&content))?),
                Write::Apply(change) => (true, contents.number_of_change(&change) as u32),
            };
            let component = component as u32;
            numbered.push(NumberedWrite {
                component,
                is_change,
                number,
            });
        }
        Ok(numbered)
    }

    fn number_of_properties(&self, mut properties: Vec<PropertyId>) -> u32 {
        properties.sort_unstable();
        let mut violations = self.violations.write().unwrap_or_else(|p| p.into_inner());
        violations.insert_full(properties).0 as u32
    }
}
