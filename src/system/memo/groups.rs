//! Which tasks are remembered together, and what all of them look at.
//!
//! Tasks that follow each other are a group while they look at little. What a group does in a state is
//! then found by one look-up (`recall`) instead of a way through each of its trees; tasks that do
//! nothing, which most do most of the time, cost nothing.
//!
//! A group has a mask: the bits of a *view* of the state that its trees look at, those of the tasks that
//! its lessons name included. A view is the words of the state and, after them, numbers of facets:
//! of a queue most tasks look at the first message only, and states that differ in the others are the
//! same to them.
//!
//! Invariant: when a reader comes to a lesson, the mask that it reads *afterwards* has all looks on
//! the way there. For what a lesson looks at goes into the masks before the lesson is published.

use crossbeam_utils::CachePadded;

use super::judged::Judged;
use super::layout::{Field, Layout};
use crate::concurrent::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::system::{Facet, Look, Task};

/// Words of a view that hold facets.
pub const FACET_WORDS: usize = 2;
/// Bits of such a word that are given out; the last says that the word is known (`recall`).
const FACET_BITS: u32 = 63;
/// A group takes in no more tasks when what they look at has more bits than this.
const FEW_BITS: u32 = 16;
/// Tasks of a group that may have effects: what they do must fit an entry.
const FEW_ACTIVE: usize = 7;
/// With fewer looks than this, the ways through the trees are as fast; but where the program is
/// tested, groups are to be seen.
const WORTH_RECALLING: usize = if cfg!(debug_assertions) { 1 } else { 6 };
/// The same for a task by itself: one that looks at less mostly finds out soon that it has nothing to do.
const WORTH_ALONE: usize = if cfg!(debug_assertions) { 1 } else { 10 };

/// Facets of a component with fewer bits than this are not looked up in every state: all that they gain
/// is that fewer states look different.
const WORTH_A_PLACE: u32 = if cfg!(debug_assertions) { 1 } else { 4 };

/// Tasks that no lesson names: those that are run in every state, and then those that only judge.
pub struct Roots {
    pub tasks: Vec<Task>,
    /// How many the first are.
    pub always: usize,
}

#[derive(Default)]
pub struct Groups {
    /// Another number whenever leaves, views or groups have changed their meaning.
    pub version: u64,
    pub groups: Vec<Group>,
    /// So many of them are of tasks that are run in every state; the others only judge.
    pub always: usize,
    pub judged: Judged,
    pub facets: Vec<FacetPlace>,
    /// For each group as many words as a view has.
    masks: Vec<AtomicU64>,
    habits: CachePadded<Mutex<Habits>>,
    /// How much was known when the groups were made.
    known: usize,
}

pub struct Group {
    /// Its first task and the number of its tasks, among all those that are run by themselves.
    pub first: usize,
    pub count: usize,
    pub is_recalled: bool,
}

/// Where the facets of a component stand in a view.
pub struct FacetPlace {
    pub component: usize,
    /// The component itself, in the words of the state.
    pub field: Field,
    pub facets: Vec<(Facet, Field)>,
}

/// What tasks are known to look at and to do.
#[derive(Default)]
struct Habits {
    by_task: Vec<Habit>,
}

#[derive(Clone, Default)]
struct Habit {
    looks: Vec<Look>,
    then: Vec<Task>,
    has_effects: bool,
}

/// A state as a group sees it: only the bits that it looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key<const W: usize> {
    pub state: [u64; W],
    pub facets: [u64; FACET_WORDS],
}

impl<const W: usize> Key<W> {
    pub fn without_facets(state: &[u64; W]) -> Key<W> {
        let facets = [0; FACET_WORDS];
        Key {
            state: *state,
            facets,
        }
    }
}

impl Groups {
    pub fn new(tasks: usize) -> Groups {
        let by_task = vec![Habit::default(); tasks];
        Groups {
            habits: CachePadded::new(Mutex::new(Habits { by_task })),
            ..Groups::default()
        }
    }

    /// Makes the groups anew, from what is known of the tasks. `weigh` tells the bits that a look needs.
    pub fn plan(
        &mut self,
        roots: &Roots,
        layout: &Layout,
        known: usize,
        weigh: impl Fn(Look) -> u32,
    ) {
        let habits = std::mem::take(&mut *self.habits());
        let facets = place_facets(&habits, layout, &weigh);
        let seen_as = |look: Look| match place_of(&facets, look) {
            Some(_) => look,
            None => Look::whole(look.component),
        };
        let bits = |tasks: &[Task]| {
            let looks = distinct(habits.looks(tasks).into_iter().map(seen_as));
            looks.into_iter().map(&weigh).sum()
        };
        let (always, judging) = roots.tasks.split_at(roots.always);
        let mut groups = group(&habits, always, bits);
        let count = groups.len();
        let judging = group(&habits, judging, bits).into_iter();
        groups.extend(judging.map(|group| Group {
            first: roots.always + group.first,
            ..group
        }));
        let words = groups.len() * (layout.words + FACET_WORDS);
        *self = Groups {
            version: self.version + 1,
            groups,
            always: count,
            judged: Judged::new(layout),
            facets,
            masks: (0..words).map(|_| AtomicU64::new(0)).collect(),
            habits: CachePadded::new(Mutex::new(habits)),
            known,
        };
        self.widen(&self.habits(), roots, layout);
    }

    /// Whether so much more is known by now that other groups may be better.
    pub fn are_outdated(&self, known: usize) -> bool {
        known > self.known + self.known / 4
    }

    /// Takes note of a lesson that is about to be published.
    pub fn note(
        &self,
        task: Task,
        lesson: (&[(Look, u32)], &[Task], bool),
        roots: &Roots,
        layout: &Layout,
    ) {
        let mut habits = self.habits();
        if habits.by_task[task.0 as usize].add(lesson) {
            self.widen(&habits, roots, layout);
        }
    }

    fn habits(&self) -> MutexGuard<'_, Habits> {
        self.habits
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Sets the bits of all that the groups are known to look at.
    fn widen(&self, habits: &Habits, roots: &Roots, layout: &Layout) {
        let words = layout.words + FACET_WORDS;
        // Relaxed, here and below: the lesson itself is published by a Release after this.
        for (group, masks) in self.groups.iter().zip(self.masks.chunks(words)) {
            if group.is_recalled {
                let tasks = &roots.tasks[group.first..][..group.count];
                for look in habits.looks(tasks) {
                    let (word, bits) = self.bits(look, layout);
                    masks[word].fetch_or(bits, Ordering::Relaxed);
                }
            }
        }
        for look in habits.looks(&roots.tasks[roots.always..]) {
            let is_placed = place_of(&self.facets, look).is_some();
            self.judged.add(look, is_placed, layout);
        }
    }

    /// Where a look stands in a view: a word, and bits of it.
    fn bits(&self, look: Look, layout: &Layout) -> (usize, u64) {
        match place_of(&self.facets, look) {
            Some(field) => (layout.words + field.word as usize, field.bits(u32::MAX)),
            None => {
                let field = layout.fields[look.component];
                (field.word as usize, field.bits(u32::MAX))
            }
        }
    }

    /// A view as a group sees it.
    #[inline(always)]
    pub fn key<const W: usize>(&self, group: usize, view: &Key<W>) -> Key<W> {
        let words = W + FACET_WORDS;
        let masks = &self.masks[group * words..][..words];
        let mask = |word: usize| masks[word].load(Ordering::Relaxed);
        Key {
            state: std::array::from_fn(|word| view.state[word] & mask(word)),
            facets: std::array::from_fn(|word| view.facets[word] & mask(W + word)),
        }
    }
}

impl Habit {
    /// Whether anything of a lesson is new.
    fn add(&mut self, (looks, then, has_effects): (&[(Look, u32)], &[Task], bool)) -> bool {
        let before = self.looks.len() + self.then.len();
        for (look, _) in looks {
            if !self.looks.contains(look) {
                self.looks.push(*look);
            }
        }
        for task in then {
            if !self.then.contains(task) {
                self.then.push(*task);
            }
        }
        self.has_effects |= has_effects;
        self.looks.len() + self.then.len() > before
    }
}

impl Habits {
    fn of(&self, task: Task) -> &Habit {
        &self.by_task[task.0 as usize]
    }

    /// These tasks and all that may follow from them.
    fn reached(&self, tasks: &[Task]) -> Vec<Task> {
        let mut reached = tasks.to_vec();
        let mut next = 0;
        while next < reached.len() {
            let then = &self.of(reached[next]).then;
            let new: Vec<Task> = then
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
    fn looks(&self, tasks: &[Task]) -> Vec<Look> {
        let reached = self.reached(tasks).into_iter();
        distinct(reached.flat_map(|task| self.of(task).looks.iter().copied()))
    }

    /// How many of them are known to have effects.
    fn active(&self, tasks: &[Task]) -> usize {
        let reached = self.reached(tasks).into_iter();
        reached.filter(|task| self.of(*task).has_effects).count()
    }
}

/// Where the facet that is looked at stands in a view; nowhere if the whole component is seen instead.
fn place_of(facets: &[FacetPlace], look: Look) -> Option<Field> {
    let place = facets.iter().find(|p| p.component == look.component)?;
    let mut facets = place.facets.iter();
    let (_, field) = facets.find(|(facet, _)| *facet == look.facet)?;
    Some(*field)
}

/// In the order of first mention.
fn distinct(looks: impl Iterator<Item = Look>) -> Vec<Look> {
    let mut distinct: Vec<Look> = Vec::new();
    for look in looks {
        if !distinct.contains(&look) {
            distinct.push(look);
        }
    }
    distinct
}

/// Gives the facets that are looked at their bits; those for which there are none are seen as parts
/// of the whole.
fn place_facets(habits: &Habits, layout: &Layout, weigh: &impl Fn(Look) -> u32) -> Vec<FacetPlace> {
    let mut used = [0; FACET_WORDS];
    let mut places: Vec<FacetPlace> = Vec::new();
    for component in 0..layout.fields.len() {
        let all = habits.by_task.iter().flat_map(|habit| &habit.looks);
        let whole = weigh(Look::whole(component));
        let is_worthwhile = |look: &Look| whole >= WORTH_A_PLACE && weigh(*look) < whole;
        let of_it = all.filter(|look| look.component == component && is_worthwhile(look));
        let seen = distinct(of_it.copied());
        let width = |look: &Look| weigh(*look) + 1;
        let bits: u32 = seen.iter().map(width).sum();
        let word = (0..FACET_WORDS).find(|word| used[*word] + bits <= FACET_BITS);
        if let (Some(word), false) = (word, seen.is_empty()) {
            let facets = seen.iter().map(|look| {
                let field = Field {
                    word: word as u8,
                    shift: used[word] as u8,
                    width: width(look) as u8,
                };
                used[word] += width(look);
                (look.facet, field)
            });
            places.push(FacetPlace {
                component,
                field: layout.fields[component],
                facets: facets.collect(),
            });
        }
    }
    places
}

/// Neighbours together, while they look at little, or at nothing new.
fn group(habits: &Habits, all: &[Task], bits: impl Fn(&[Task]) -> u32) -> Vec<Group> {
    let is_small = |tasks: &[Task]| {
        let all = bits(tasks);
        let is_little = all <= FEW_BITS || all == bits(&tasks[..1]);
        is_little && habits.active(tasks) <= FEW_ACTIVE
    };
    let mut groups: Vec<Group> = Vec::new();
    let mut first = 0;
    while first < all.len() {
        let more = (2..=all.len() - first).take_while(|count| is_small(&all[first..][..*count]));
        let count = more.last().unwrap_or(1);
        let tasks = &all[first..][..count];
        let looks: usize = tasks.iter().map(|task| habits.looks(&[*task]).len()).sum();
        let is_recalled = looks
            >= if count > 1 {
                WORTH_RECALLING
            } else {
                WORTH_ALONE
            };
        match groups.last_mut() {
            Some(last) if !is_recalled && !last.is_recalled => last.count += count,
            _ => groups.push(Group {
                first,
                count,
                is_recalled,
            }),
        }
        first += count;
    }
    groups
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::super::lesson::Numbered;
    use super::super::tree::{Next, Trees};
    use super::*;
    use crate::concurrent::loom_tests::model;

    const TASK: Task = Task(0);
    const LOOK: Look = Look {
        component: 0,
        facet: Facet::WHOLE,
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
                words: 1,
                word_bits: 8,
            };
            let mut groups = Groups::new(1);
            let roots = || Roots {
                tasks: vec![TASK],
                always: 1,
            };
            groups.plan(&roots(), &layout, 0, |_| 8);
            groups.groups[0].is_recalled = true;
            let trees = Trees::new(1).expect("memory");
            let shared = Arc::new((groups, trees));
            let other = shared.clone();
            let reader = thread::spawn(move || {
                let (groups, trees) = &*other;
                if let Next::Node(_) = trees.root(TASK) {
                    let view = Key {
                        state: [u64::MAX],
                        facets: [0; FACET_WORDS],
                    };
                    assert_eq!(groups.key(0, &view).state, [0xff]);
                }
            });
            let (groups, trees) = &*shared;
            groups.note(TASK, (&[(LOOK, 1)], &[], false), &roots(), &layout);
            let learnt = trees.learn(TASK, &[(LOOK, 1)], |_| Ok(1), &layout, Numbered::default());
            assert!(learnt.is_ok());
            reader.join().expect("the reader");
        });
    }
}
