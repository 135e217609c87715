//! Which groups are remembered together, and what all of them look at.
//!
//! Groups that follow each other are a bundle while they look at little. What a bundle does in a state is
//! then found by one look-up (`group_cache`) instead of a way through each of its trees; groups that do
//! nothing, which most do most of the time, cost nothing.
//!
//! A bundle has a mask: the bits of a *view* of the state that its trees look at, those of the groups that
//! its results name included. A view is the state and, after it, numbers of projections:
//! of a queue most groups look at the first message only, and states that differ in the others are the
//! same to them.
//!
//! Invariant: when a reader comes to a result, the mask that it reads *afterwards* has all looks on
//! the way there. For what a result looks at goes into the masks before the result is published.

use crossbeam_utils::CachePadded;

use super::layout::{Field, Layout};
use super::property_support::PropertySupport;
use crate::engine::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::system::{GroupId, Projection, Read};

/// Words of a view that hold projections.
pub const PROJECTION_WORDS: usize = 2;
/// All words of a view: the state, and these.
const VIEW_WORDS: usize = 1 + PROJECTION_WORDS;
/// Bits of such a word that are given out; the last says that the word is known (`group_cache`).
const PROJECTION_BITS: u32 = 63;
/// A bundle takes in no more groups when what they look at has more bits than this.
const FEW_BITS: u32 = 16;
/// Groups of a bundle that may have effects: what they do must fit an entry.
const FEW_ACTIVE: usize = 7;
/// With fewer looks than this, the ways through the trees are as fast; but where the program is
/// tested, bundles are to be seen.
const WORTH_CACHING: usize = if cfg!(debug_assertions) { 1 } else { 6 };
/// The same for a group by itself: one that looks at less mostly finds out soon that it has nothing to do.
const WORTH_ALONE: usize = if cfg!(debug_assertions) { 1 } else { 10 };

/// Projections of a component with fewer bits than this are not looked up in every state: all that they gain
/// is that fewer states look different.
const WORTH_A_PLACE: u32 = if cfg!(debug_assertions) { 1 } else { 4 };

/// Groups that no result names: those that are run in every state, and then those that only judge.
pub struct Roots {
    pub groups: Vec<GroupId>,
    /// How many the first are.
    pub always: usize,
}

#[derive(Default)]
pub struct Bundles {
    /// Another number whenever leaves, views or bundles have changed their meaning.
    pub version: u64,
    pub bundles: Vec<Bundle>,
    /// So many of them are of groups that are run in every state; the others only judge.
    pub always: usize,
    pub judged: PropertySupport,
    pub projections: Vec<ProjectionPlace>,
    /// For each bundle as many words as a view has.
    masks: Vec<AtomicU64>,
    footprints: CachePadded<Mutex<Footprints>>,
    /// How much was known when the bundles were made.
    known: usize,
}

pub struct Bundle {
    /// Its first group and the number of its groups, among all those that are run by themselves.
    pub first: usize,
    pub count: usize,
    pub is_cached: bool,
}

/// Where the projections of a component stand in a view.
pub struct ProjectionPlace {
    pub component: usize,
    /// The component itself, in the words of the state.
    pub field: Field,
    pub projections: Vec<(Projection, Field)>,
}

/// What groups are known to look at and to do.
#[derive(Default)]
struct Footprints {
    by_group: Vec<Footprint>,
}

#[derive(Clone, Default)]
struct Footprint {
    reads: Vec<Read>,
    then: Vec<GroupId>,
    has_transitions: bool,
}

/// A state as a bundle sees it: only the bits that it looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub state: u64,
    pub projections: [u64; PROJECTION_WORDS],
}

impl Key {
    pub fn without_projections(state: u64) -> Key {
        let projections = [0; PROJECTION_WORDS];
        Key { state, projections }
    }
}

impl Bundles {
    pub fn new(groups: usize) -> Bundles {
        let by_group = vec![Footprint::default(); groups];
        Bundles {
            footprints: CachePadded::new(Mutex::new(Footprints { by_group })),
            ..Bundles::default()
        }
    }

    /// Makes the bundles anew, from what is known of the groups. `weigh` tells the bits that a look needs.
    pub fn plan(
        &mut self,
        roots: &Roots,
        layout: &Layout,
        known: usize,
        weigh: impl Fn(Read) -> u32,
    ) {
        let footprints = std::mem::take(&mut *self.footprints());
        let projections = place_projections(&footprints, layout, &weigh);
        let seen_as = |read: Read| match place_of(&projections, read) {
            Some(_) => read,
            None => Read::whole(read.component),
        };
        let bits = |groups: &[GroupId]| {
            let reads = distinct(footprints.reads(groups).into_iter().map(seen_as));
            reads.into_iter().map(&weigh).sum()
        };
        let (always, judging) = roots.groups.split_at(roots.always);
        let mut bundles = bundle(&footprints, always, bits);
        let count = bundles.len();
        let judging = bundle(&footprints, judging, bits).into_iter();
        bundles.extend(judging.map(|bundle| Bundle {
            first: roots.always + bundle.first,
            ..bundle
        }));
        let words = bundles.len() * VIEW_WORDS;
        *self = Bundles {
            version: self.version + 1,
            bundles,
            always: count,
            judged: PropertySupport::new(layout),
            projections,
            masks: (0..words).map(|_| AtomicU64::new(0)).collect(),
            footprints: CachePadded::new(Mutex::new(footprints)),
            known,
        };
        self.widen(&self.footprints(), roots, layout);
    }

    /// Whether so much more is known by now that other bundles may be better.
    pub fn are_outdated(&self, known: usize) -> bool {
        known > self.known + self.known / 4
    }

    /// Takes note of a result that is about to be published.
    pub fn note(
        &self,
        group: GroupId,
        result: (&[(Read, u32)], &[GroupId], bool),
        roots: &Roots,
        layout: &Layout,
    ) {
        let mut footprints = self.footprints();
        if footprints.by_group[group.0 as usize].add(result) {
            self.widen(&footprints, roots, layout);
        }
    }

    fn footprints(&self) -> MutexGuard<'_, Footprints> {
        self.footprints
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Sets the bits of all that the bundles are known to look at.
    fn widen(&self, footprints: &Footprints, roots: &Roots, layout: &Layout) {
        // Relaxed, here and below: the result itself is published by a Release after this.
        for (bundle, masks) in self.bundles.iter().zip(self.masks.chunks(VIEW_WORDS)) {
            if bundle.is_cached {
                let groups = &roots.groups[bundle.first..][..bundle.count];
                for read in footprints.reads(groups) {
                    let (word, bits) = self.bits(read, layout);
                    masks[word].fetch_or(bits, Ordering::Relaxed);
                }
            }
        }
        for read in footprints.reads(&roots.groups[roots.always..]) {
            let is_placed = place_of(&self.projections, read).is_some();
            self.judged.add(read, is_placed, layout);
        }
    }

    /// Where a look stands in a view: a word, and bits of it.
    fn bits(&self, read: Read, layout: &Layout) -> (usize, u64) {
        match place_of(&self.projections, read) {
            Some(field) => (1 + field.word as usize, field.bits(u32::MAX)),
            None => (0, layout.fields[read.component].bits(u32::MAX)),
        }
    }

    /// A view as a bundle sees it.
    #[inline(always)]
    pub fn key(&self, bundle: usize, view: &Key) -> Key {
        let masks = &self.masks[bundle * VIEW_WORDS..][..VIEW_WORDS];
        let mask = |word: usize| masks[word].load(Ordering::Relaxed);
        Key {
            state: view.state & mask(0),
            projections: std::array::from_fn(|word| view.projections[word] & mask(1 + word)),
        }
    }
}

impl Footprint {
    /// Whether anything of a result is new.
    fn add(&mut self, (reads, then, has_transitions): (&[(Read, u32)], &[GroupId], bool)) -> bool {
        let before = self.reads.len() + self.then.len();
        for (read, _) in reads {
            if !self.reads.contains(read) {
                self.reads.push(*read);
            }
        }
        for group in then {
            if !self.then.contains(group) {
                self.then.push(*group);
            }
        }
        self.has_transitions |= has_transitions;
        self.reads.len() + self.then.len() > before
    }
}

impl Footprints {
    fn of(&self, group: GroupId) -> &Footprint {
        &self.by_group[group.0 as usize]
    }

    /// These groups and all that may follow from them.
    fn reached(&self, groups: &[GroupId]) -> Vec<GroupId> {
        let mut reached = groups.to_vec();
        let mut next = 0;
        while next < reached.len() {
            let then = &self.of(reached[next]).then;
            let new: Vec<GroupId> = then
                .iter()
                .filter(|t| !reached.contains(t))
                .copied()
                .collect();
            reached.extend(new);
            next += 1;
        }
        reached
    }

    /// What they look at, each once.
    fn reads(&self, groups: &[GroupId]) -> Vec<Read> {
        let reached = self.reached(groups).into_iter();
        distinct(reached.flat_map(|group| self.of(group).reads.iter().copied()))
    }

    /// How many of them are known to have effects.
    fn active(&self, groups: &[GroupId]) -> usize {
        let reached = self.reached(groups).into_iter();
        reached
            .filter(|group| self.of(*group).has_transitions)
            .count()
    }
}

/// Where the projection that is looked at stands in a view; nowhere if the whole component is seen instead.
fn place_of(projections: &[ProjectionPlace], read: Read) -> Option<Field> {
    let place = projections.iter().find(|p| p.component == read.component)?;
    let mut projections = place.projections.iter();
    let (_, field) = projections.find(|(projection, _)| *projection == read.projection)?;
    Some(*field)
}

/// In the order of first mention.
fn distinct(reads: impl Iterator<Item = Read>) -> Vec<Read> {
    let mut distinct: Vec<Read> = Vec::new();
    for read in reads {
        if !distinct.contains(&read) {
            distinct.push(read);
        }
    }
    distinct
}

/// Gives the projections that are looked at their bits; those for which there are none are seen as parts
/// of the whole.
fn place_projections(
    footprints: &Footprints,
    layout: &Layout,
    weigh: &impl Fn(Read) -> u32,
) -> Vec<ProjectionPlace> {
    let mut used = [0; PROJECTION_WORDS];
    let mut places: Vec<ProjectionPlace> = Vec::new();
    for component in 0..layout.fields.len() {
        let all = footprints.by_group.iter().flat_map(|habit| &habit.reads);
        let whole = weigh(Read::whole(component));
        let is_worthwhile = |read: &Read| whole >= WORTH_A_PLACE && weigh(*read) < whole;
        let of_it = all.filter(|read| read.component == component && is_worthwhile(read));
        let seen = distinct(of_it.copied());
        let width = |read: &Read| weigh(*read) + 1;
        let bits: u32 = seen.iter().map(width).sum();
        let word = (0..PROJECTION_WORDS).find(|word| used[*word] + bits <= PROJECTION_BITS);
        if let (Some(word), false) = (word, seen.is_empty()) {
            let projections = seen.iter().map(|read| {
                let field = Field {
                    word: word as u8,
                    shift: used[word] as u8,
                    width: width(read) as u8,
                };
                used[word] += width(read);
                (read.projection, field)
            });
            places.push(ProjectionPlace {
                component,
                field: layout.fields[component],
                projections: projections.collect(),
            });
        }
    }
    places
}

/// Neighbours together, while they look at little, or at nothing new.
fn bundle(
    footprints: &Footprints,
    all: &[GroupId],
    bits: impl Fn(&[GroupId]) -> u32,
) -> Vec<Bundle> {
    let is_small = |groups: &[GroupId]| {
        let all = bits(groups);
        let is_little = all <= FEW_BITS || all == bits(&groups[..1]);
        is_little && footprints.active(groups) <= FEW_ACTIVE
    };
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut first = 0;
    while first < all.len() {
        let more = (2..=all.len() - first).take_while(|count| is_small(&all[first..][..*count]));
        let count = more.last().unwrap_or(1);
        let groups = &all[first..][..count];
        let reads: usize = groups
            .iter()
            .map(|group| footprints.reads(&[*group]).len())
            .sum();
        let is_cached = reads
            >= if count > 1 {
                WORTH_CACHING
            } else {
                WORTH_ALONE
            };
        match bundles.last_mut() {
            Some(last) if !is_cached && !last.is_cached => last.count += count,
            _ => bundles.push(Bundle {
                first,
                count,
                is_cached,
            }),
        }
        first += count;
    }
    bundles
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::super::encoding::EncodedResult;
    use super::super::tree::{Next, Trees};
    use super::*;
    use crate::engine::sync::loom_tests::model;

    const TASK: GroupId = GroupId(0);
    const LOOK: Read = Read {
        component: 0,
        projection: Projection::WHOLE,
    };

    #[test]
    fn a_lesson_that_is_seen_and_a_mask_without_its_looks() {
        model(|| {
            let field = Field {
                width: 8,
                ..Field::default()
            };
            let layout = Layout {
                fields: vec![field],
                word_bits: 8,
            };
            let mut bundles = Bundles::new(1);
            let roots = || Roots {
                groups: vec![TASK],
                always: 1,
            };
            bundles.plan(&roots(), &layout, 0, |_| 8);
            bundles.bundles[0].is_cached = true;
            let trees = Trees::new(1).expect("memory");
            let shared = Arc::new((bundles, trees));
            let other = shared.clone();
            let reader = thread::spawn(move || {
                let (bundles, trees) = &*other;
                if let Next::Node(_) = trees.root(TASK) {
                    let view = Key {
                        state: u64::MAX,
                        projections: [0; PROJECTION_WORDS],
                    };
                    assert_eq!(bundles.key(0, &view).state, 0xff);
                }
            });
            let (bundles, trees) = &*shared;
            bundles.note(TASK, (&[(LOOK, 1)], &[], false), &roots(), &layout);
            let leaf = EncodedResult::default().cells(&layout);
            let field_of = |component: usize| layout.fields[component];
            let learnt = trees.insert(TASK, &[(LOOK, 1)], |_| Ok(1), field_of, &leaf);
            assert!(learnt.is_ok());
            reader.join().expect("the reader");
        });
    }
}
