//! Whether a set of states is closed: all initial states are in it, all successors of its members are,
//! and neither a member nor a step of one violates what is claimed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::language::{Fault, Reference};
use super::layout::Layout;
use super::numbers::Wide;
use super::read::Rejection;
use crate::system::Target;

/// States that a thread takes at a time.
const PIECE: usize = 256;

/// What a part holds, in the order of the numbers.
pub type Contents<C> = IndexSet<C, RandomState>;

pub struct Closed<'a, R: Reference, const W: usize> {
    pub reference: &'a R,
    pub contents: &'a [Contents<R::Content>],
    pub layout: &'a Layout,
    /// In order.
    pub states: Vec<Wide<W>>,
    /// The properties that are claimed to hold.
    pub claimed: &'a [usize],
    pub may_be_cut: bool,
}

/// A member, taken apart.
struct Member<'a, R: Reference> {
    state: R::State,
    numbers: &'a [u32],
    contents: Vec<&'a R::Content>,
}

impl<R: Reference, const W: usize> Closed<'_, R, W> {
    /// How many steps there are, if it is closed. `progress` is told how many states were looked at.
    pub fn check(
        &self,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<u64, Rejection> {
        for start in self.reference.initial() {
            self.check_step(&start, None)
                .map_err(|rejection| match rejection {
                    Rejection::SuccessorOutside(what) => Rejection::InitialOutside(what),
                    other => other,
                })?;
        }
        self.check_members(threads, progress)
    }

    /// The rejection of the first member that is not right, whichever thread meets it.
    fn check_members(
        &self,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<u64, Rejection> {
        let next = AtomicUsize::new(0);
        let has_failed = AtomicBool::new(false);
        let result = Mutex::new((0, None::<(usize, Rejection)>));
        let work = || {
            let (mut steps, mut numbers) = (0, Vec::new());
            while !has_failed.load(Ordering::Relaxed) {
                let begin = next.fetch_add(PIECE, Ordering::Relaxed);
                let end = (begin + PIECE).min(self.states.len());
                if begin >= end {
                    break;
                }
                for member in begin..end {
                    match self.check_member(member, &mut numbers) {
                        Ok(made) => steps += made,
                        Err(rejection) => {
                            // Pieces are given out in order: what comes before is in good hands.
                            has_failed.store(true, Ordering::Relaxed);
                            let mut result = result.lock().unwrap_or_else(|p| p.into_inner());
                            if result.1.as_ref().is_none_or(|(first, _)| member < *first) {
                                result.1 = Some((member, rejection));
                            }
                            return;
                        }
                    }
                }
                progress(end);
            }
            result.lock().unwrap_or_else(|p| p.into_inner()).0 += steps;
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        match result.into_inner().unwrap_or_else(|p| p.into_inner()) {
            (_, Some((_, rejection))) => Err(rejection),
            (steps, None) => Ok(steps),
        }
    }

    /// What no model could have made may surprise the interpreter: that is the certificate's fault.
    fn check_member(&self, member: usize, numbers: &mut Vec<u32>) -> Result<u64, Rejection> {
        let checked = catch_unwind(AssertUnwindSafe(|| self.check_steps(member, numbers)));
        checked.unwrap_or_else(|_| Err(self.nonsense(member)))
    }

    fn nonsense(&self, member: usize) -> Rejection {
        Rejection::Malformed(format!("its state {member} is none of the model"))
    }

    fn check_steps(&self, member: usize, numbers: &mut Vec<u32>) -> Result<u64, Rejection> {
        self.layout.unpack(self.states[member], numbers);
        let contents = self.contents.iter().zip(numbers.iter());
        let contents: Option<Vec<&R::Content>> = contents
            .map(|(contents, number)| contents.get_index(*number as usize))
            .collect();
        let contents = contents.ok_or_else(|| self.nonsense(member))?;
        let state = self.reference.join(&contents);
        let successors = self.reference.successors(&state);
        self.check_faults(self.reference.faults_of_state(&state, &successors))?;
        let member = Member {
            state,
            numbers,
            contents,
        };
        for successor in &successors {
            self.check_step(successor, Some(&member))?;
        }
        Ok(successors.len() as u64)
    }

    /// What is claimed may not be violated.
    fn check_faults(&self, faults: Vec<Fault>) -> Result<(), Rejection> {
        let mut faults = faults.into_iter();
        match faults.find(|(property, _)| self.claimed.contains(property)) {
            None => Ok(()),
            Some((property, what)) => Err(Rejection::Violates {
                property: self.reference.property(property),
                what,
            }),
        }
    }

    fn check_step(&self, step: &R::Step, from: Option<&Member<'_, R>>) -> Result<(), Rejection> {
        self.check_faults(self.reference.faults_of_step(step))?;
        let described = || self.reference.described(step);
        match self.reference.target(step) {
            Target::State(after) if self.has(after, from) => Ok(()),
            Target::State(_) => Err(Rejection::SuccessorOutside(described())),
            Target::Bounded if !self.may_be_cut => Err(Rejection::HiddenBound),
            Target::Bounded | Target::Error => Ok(()),
            Target::Truncated => Err(Rejection::Unseen(described())),
        }
    }

    /// Whether a state is a member.
    fn has(&self, after: &R::State, from: Option<&Member<'_, R>>) -> bool {
        let numbered = (0..self.contents.len()).map(|part| self.number(part, after, from));
        let numbers: Option<Vec<u32>> = numbered.collect();
        let packed = numbers.map(|numbers| self.layout.pack::<W>(&numbers));
        packed.is_some_and(|packed| self.states.binary_search(&packed).is_ok())
    }

    /// The number of what a part holds. Most of what a step leads to is what was before, which costs
    /// nothing to see.
    fn number(&self, part: usize, after: &R::State, from: Option<&Member<'_, R>>) -> Option<u32> {
        if let Some(from) = from
            && (self.reference.shares(part, after, &from.state)
                || self.reference.holds(after, part, from.contents[part]))
        {
            return Some(from.numbers[part]);
        }
        let content = self.reference.content(after, part);
        let number = self.contents[part].get_index_of(&content)?;
        Some(number as u32)
    }
}
