//! Non-determinism, written as plain code.
//!
//! Code that has to pick one of several outcomes asks `Choices`. `all_outcomes` runs the code once
//! for each way to answer. So the interpreter reads as if every evaluation had one result, and the
//! sequence of answers is the choice function F of Ojala 3.1.1: it reproduces the run.

use std::cell::Cell;

use super::narrowing::Learnt;
use super::replay;
use crate::lang::limits;

/// What made a choice necessary (internal and external non-determinism in Pasareanu 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The model's own `choose`.
    Model,
    /// A value that stands for several.
    Abstraction,
}

/// The answers that one run was given.
#[derive(Clone, Debug)]
pub struct Answers {
    pub taken: Vec<u32>,
    /// None of them was for what an abstraction has forgotten.
    pub is_choose_free: bool,
    /// What the run has learnt on the way, if whoever asked keeps it.
    pub(super) learnt: Learnt,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers {
            taken: Vec::new(),
            is_choose_free: true,
            learnt: Learnt::default(),
        }
    }
}

/// One run's way to answer.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    answers: Vec<Answer>,
    position: usize,
    is_scripted: bool,
    /// What the run has learnt, for the step that follows.
    pub(super) learnt: Learnt,
}

#[derive(Clone, Debug)]
struct Answer {
    picked: usize,
    options: Options,
    cause: Cause,
}

#[derive(Clone, Debug)]
enum Options {
    /// So many, from 0 on.
    Count(usize),
    /// Only these answers.
    List(Vec<u32>),
}

impl Options {
    fn len(&self) -> usize {
        match self {
            Options::Count(count) => *count,
            Options::List(list) => list.len(),
        }
    }

    fn answer(&self, picked: usize) -> u32 {
        match self {
            Options::Count(_) => picked as u32,
            Options::List(list) => list[picked],
        }
    }
}

impl Choices {
    /// Gives these answers.
    fn scripted(answers: &[u32]) -> Choices {
        let answer = |answer: &u32| Answer {
            picked: 0,
            options: Options::List(vec![*answer]),
            cause: Cause::Model,
        };
        Choices {
            answers: answers.iter().map(answer).collect(),
            position: 0,
            is_scripted: true,
            learnt: Learnt::default(),
        }
    }

    /// Whether the answers are known before: then it does not matter how many there could be.
    pub(super) fn is_scripted(&self) -> bool {
        self.is_scripted
    }

    /// One of `options` possibilities; there must be at least one.
    pub fn pick(&mut self, cause: Cause, options: usize) -> usize {
        match options {
            1 => 0,
            _ => self.answer(cause, || Options::Count(options)) as usize,
        }
    }

    /// One of these answers; there must be at least one. What is taken is the answer itself.
    pub fn pick_of(&mut self, cause: Cause, answers: &[u32]) -> u32 {
        self.answer(cause, || Options::List(answers.to_vec()))
    }

    fn answer(&mut self, cause: Cause, options: impl FnOnce() -> Options) -> u32 {
        if self.position == self.answers.len() {
            self.answers.push(Answer {
                picked: 0,
                options: options(),
                cause,
            });
        }
        self.position += 1;
        let answer = &self.answers[self.position - 1];
        answer.options.answer(answer.picked)
    }

    /// Whether all choices so far were the model's own.
    pub fn is_choose_free(&self) -> bool {
        self.answers
            .iter()
            .all(|answer| answer.cause == Cause::Model)
    }

    fn taken(&self) -> Answers {
        let answers = self.answers[..self.position].iter();
        Answers {
            taken: answers
                .map(|answer| answer.options.answer(answer.picked))
                .collect(),
            is_choose_free: self.is_choose_free(),
            learnt: self.learnt.clone(),
        }
    }

    /// Turns to the next way to answer; false if there is none.
    fn advance(&mut self) -> bool {
        self.position = 0;
        self.learnt = Learnt::default();
        while let Some(mut last) = self.answers.pop() {
            last.picked += 1;
            if last.picked < last.options.len() {
                self.answers.push(last);
                return true;
            }
        }
        false
    }
}

/// Runs the code in every possible way; of answers that come to the same the first are enough. And
/// whether these are all.
pub(super) fn distinct_outcomes<T: PartialEq>(
    run: impl FnMut(&mut Choices) -> T,
) -> (Vec<(Answers, T)>, bool) {
    let mut distinct: Vec<(Answers, T)> = Vec::new();
    let (outcomes, complete) = first_outcomes(limits::ANSWERS, run);
    for (answers, outcome) in outcomes {
        let is_same =
            |(others, other): &(Answers, T)| answers.learnt == others.learnt && outcome == *other;
        if !distinct.iter().any(is_same) {
            distinct.push((answers, outcome));
        }
    }
    (distinct, complete)
}

thread_local! {
    static RUNS: Cell<u64> = const { Cell::new(0) };
}

/// How often code was run on this thread so far: a measure of work that is the same on every machine.
pub(super) fn runs_so_far() -> u64 {
    RUNS.get()
}

/// Runs the code in every possible way: the answers that were given, and what came of them.
pub fn all_outcomes<T>(run: impl FnMut(&mut Choices) -> T) -> Vec<(Answers, T)> {
    first_outcomes(usize::MAX, run).0
}

/// The same, but only as long as there are not more than so many outcomes and answers together;
/// and whether these are all.
pub(super) fn first_outcomes<T>(
    most: usize,
    mut run: impl FnMut(&mut Choices) -> T,
) -> (Vec<(Answers, T)>, bool) {
    if let Some(answers) = replay::answers() {
        let mut choices = Choices::scripted(&answers);
        let outcome = run(&mut choices);
        replay::answered(choices.position);
        return (vec![(choices.taken(), outcome)], true);
    }
    let mut choices = Choices::default();
    let mut outcomes = Vec::new();
    let mut kept = 0;
    loop {
        let outcome = run(&mut choices);
        RUNS.set(RUNS.get() + 1);
        kept += 1 + choices.answers.len();
        outcomes.push((choices.taken(), outcome));
        if !choices.advance() {
            return (outcomes, true);
        }
        if kept > most {
            return (outcomes, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once_and_in_order() {
        let outcomes = all_outcomes(|choices| {
            let first = choices.pick(Cause::Model, 2);
            let second = if first == 0 {
                choices.pick(Cause::Model, 3)
            } else {
                9
            };
            (first, second)
        });
        let values: Vec<_> = outcomes.iter().map(|(_, value)| *value).collect();
        assert_eq!(values, [(0, 0), (0, 1), (0, 2), (1, 9)]);
        assert_eq!(outcomes[2].0.taken, [0, 2]);
        assert_eq!(outcomes[3].0.taken, [1]);
    }

    #[test]
    fn a_run_without_choices_is_run_once() {
        assert_eq!(
            all_outcomes(|choices| choices.pick(Cause::Model, 1)).len(),
            1
        );
    }
}
