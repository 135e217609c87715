//! Non-determinism, written as plain code.
//!
//! Code that has to pick one of several outcomes asks `Choices`. `all_outcomes` runs the code once
//! for each way to answer. So the interpreter reads as if every evaluation had one result, and the
//! sequence of answers is the choice function F of Ojala 3.1.1: it reproduces the run.

/// What made a choice necessary (internal and external non-determinism in Pasareanu 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The model's own `choose`.
    Model,
    /// A value that stands for several.
    Abstraction,
}

/// The answers of one run.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    answers: Vec<Answer>,
    position: usize,
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    picked: usize,
    options: usize,
    cause: Cause,
}

impl Choices {
    /// One of `options` possibilities; there must be at least one.
    pub fn pick(&mut self, cause: Cause, options: usize) -> usize {
        if options == 1 {
            return 0;
        }
        if self.position == self.answers.len() {
            let picked = 0;
            self.answers.push(Answer {
                picked,
                options,
                cause,
            });
        }
        self.position += 1;
        self.answers[self.position - 1].picked
    }

    /// Whether all choices so far were the model's own.
    pub fn is_choose_free(&self) -> bool {
        self.answers
            .iter()
            .all(|answer| answer.cause == Cause::Model)
    }

    fn taken(&self) -> Vec<u32> {
        self.answers
            .iter()
            .map(|answer| answer.picked as u32)
            .collect()
    }

    /// Turns to the next way to answer; false if there is none.
    fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some(mut last) = self.answers.pop() {
            last.picked += 1;
            if last.picked < last.options {
                self.answers.push(last);
                return true;
            }
        }
        false
    }
}

/// Runs the code in every possible way: the answers that were given, and what came of them.
pub fn all_outcomes<T>(run: impl FnMut(&mut Choices) -> T) -> Vec<(Vec<u32>, T)> {
    first_outcomes(usize::MAX, run).0
}

/// The same, but only as long as there are not more than so many outcomes and answers together;
/// and whether these are all.
pub(super) fn first_outcomes<T>(
    most: usize,
    mut run: impl FnMut(&mut Choices) -> T,
) -> (Vec<(Vec<u32>, T)>, bool) {
    let mut choices = Choices::default();
    let mut outcomes = Vec::new();
    let mut kept = 0;
    loop {
        let outcome = run(&mut choices);
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
        assert_eq!(outcomes[2].0, [0, 2]);
        assert_eq!(outcomes[3].0, [1]);
    }

    #[test]
    fn a_run_without_choices_is_run_once() {
        assert_eq!(
            all_outcomes(|choices| choices.pick(Cause::Model, 1)).len(),
            1
        );
    }
}
