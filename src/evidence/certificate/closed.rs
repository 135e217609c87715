//! Whether a set of states is closed: all initial states are in it, all successors of its members are,
//! and neither a member nor a step of one violates what is claimed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::layout::Layout;
use super::numbers::Wide;
use super::read::Rejection;
use crate::csm::{
    ComponentValue, Configuration, Part, Precision, Semantics, Successor, content, holds, join,
};
use crate::evidence::StepRecord;
use crate::lang::Model;
use crate::system::Target;

/// States that a thread takes at a time.
const PIECE: usize = 256;

/// What parts hold, in the order of their numbers.
pub type Contents = IndexSet<ComponentValue, RandomState>;

pub struct Closed<'a, 'm, P, const W: usize> {
    pub semantics: &'a Semantics<'m, P>,
    pub parts: &'a [Part],
    pub contents: &'a [Contents],
    pub layout: &'a Layout,
    /// In order.
    pub states: Vec<Wide<W>>,
    /// The properties that are claimed to hold.
    pub claimed: &'a [usize],
    pub may_be_cut: bool,
}

/// A member, taken apart.
struct Member<'a> {
    configuration: Configuration,
    numbers: &'a [u32],
    contents: Vec<&'a ComponentValue>,
}

impl<P: Precision + Sync, const W: usize> Closed<'_, '_, P, W> {
    /// How many steps there are, if it is closed. `progress` is told how many states were looked at.
    pub fn check(
        &self,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<u64, Rejection> {
        for start in self.semantics.initial() {
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
        let contents: Option<Vec<&ComponentValue>> = contents
            .map(|(contents, number)| contents.get_index(*number as usize))
            .collect();
        let contents = contents.ok_or_else(|| self.nonsense(member))?;
        let configuration = join(self.model(), self.parts, contents.iter().copied());
        let successors = self.semantics.successors(&configuration);
        self.check_state(&configuration, &successors)?;
        let member = Member {
            configuration,
            numbers,
            contents,
        };
        for successor in &successors {
            self.check_step(successor, Some(&member))?;
        }
        Ok(successors.len() as u64)
    }

    fn model(&self) -> &Model {
        self.semantics.model()
    }

    fn check_state(
        &self,
        configuration: &Configuration,
        successors: &[Successor],
    ) -> Result<(), Rejection> {
        let verdicts = self.semantics.judge(configuration, successors);
        let mut faults = verdicts.faults.iter();
        match faults.find(|fault| self.claimed.contains(&fault.property)) {
            None => Ok(()),
            Some(fault) => {
                let message = fault.fault.as_ref().map(|fault| fault.message.clone());
                let what = message.unwrap_or_else(|| "it is false in one of the states".to_owned());
                Err(self.violates(fault.property, what))
            }
        }
    }

    fn violates(&self, property: usize, what: String) -> Rejection {
        Rejection::Violates {
            property: self.model().properties[property].name.clone(),
            what,
        }
    }

    fn check_step(&self, step: &Successor, from: Option<&Member<'_>>) -> Result<(), Rejection> {
        if let Some(fault) = &step.fault {
            let blamed = self.semantics.blamed(fault);
            if let Some(property) = blamed.iter().find(|p| self.claimed.contains(p)) {
                return Err(self.violates(*property, fault.message.clone()));
            }
        }
        match &step.result {
            Target::State(after) if self.has(after, from) => Ok(()),
            Target::State(_) => Err(Rejection::SuccessorOutside(self.described(step))),
            Target::Bounded if !self.may_be_cut => Err(Rejection::HiddenBound),
            Target::Bounded | Target::Error => Ok(()),
            Target::Truncated => Err(Rejection::Unseen(self.described(step))),
        }
    }

    fn described(&self, step: &Successor) -> String {
        let record = StepRecord::of(self.model(), &step.step);
        serde_json::to_string(&record).unwrap_or_default()
    }

    /// Whether a configuration is among the states.
    fn has(&self, after: &Configuration, from: Option<&Member<'_>>) -> bool {
        let numbered = (0..self.parts.len()).map(|part| self.number(part, after, from));
        let numbers: Option<Vec<u32>> = numbered.collect();
        let packed = numbers.map(|numbers| self.layout.pack::<W>(&numbers));
        packed.is_some_and(|packed| self.states.binary_search(&packed).is_ok())
    }

    /// The number of what a part holds. Most of what a step leads to is what was before, which costs
    /// nothing to see.
    fn number(
        &self,
        index: usize,
        after: &Configuration,
        from: Option<&Member<'_>>,
    ) -> Option<u32> {
        let part = self.parts[index];
        if let Some(from) = from
            && (is_shared(part, after, &from.configuration)
                || holds(after, part, from.contents[index]))
        {
            return Some(from.numbers[index]);
        }
        let content = content(self.model(), after, part);
        let number = self.contents[index].get_index_of(&content)?;
        Some(number as u32)
    }
}

/// Whether two configurations have a part in common, as far as can be seen at no cost.
fn is_shared(part: Part, one: &Configuration, other: &Configuration) -> bool {
    match part {
        Part::Control(object) | Part::Value(object, _) => one.shares(other, object),
        _ => false,
    }
}
