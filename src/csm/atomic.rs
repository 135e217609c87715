//! `atomic_steps`: a whole run-to-completion step as one step (Meller 2.2, R_RTC). On a single
//! thread nothing can look into it, so only what is between steps needs to be kept; and, inside one,
//! what is wrong in itself: a choice that is not determined, a step that can't go on or can't end.

use std::collections::HashSet;

use super::Semantics;
use super::choices::runs_so_far;
use super::configuration::Configuration;
use super::precision::Precision;
use super::run::unseen;
use super::step::{Event, Step, Successor};
use crate::lang::limits;
use crate::system::Target;

impl<P: Precision> Semantics<'_, P> {
    pub(super) fn atomic_steps(&self, configuration: &Configuration) -> Vec<Successor> {
        let enough = runs_so_far() + limits::ATOMIC_RUNS;
        let starts = self.rules().completion_steps(configuration);
        starts
            .into_iter()
            .flat_map(|start| self.whole_steps(start, enough))
            .collect()
    }

    /// The ways in which a step that begins so goes on to its end, until `enough` work is done. One that
    /// has no end stays where it began: to go on for ever is not to be stuck.
    fn whole_steps(&self, mut start: Successor, enough: u64) -> Vec<Successor> {
        start.step = wrap(std::slice::from_ref(&start.step));
        let mut whole = Vec::new();
        let mut seen: HashSet<Configuration> = HashSet::new();
        let mut pending = vec![start.clone()];
        while let Some(partial) = pending.pop() {
            let inside = match &partial.result {
                Target::State(reached) if !reached.is_between_steps() => reached,
                _ => {
                    whole.push(partial);
                    continue;
                }
            };
            if !seen.insert(inside.clone()) {
                continue; // what follows has been followed from there already
            }
            if runs_so_far() > enough {
                whole.push(unseen(start.step.event));
                return whole;
            }
            if length(&partial.step) >= limits::ATOMIC_STEP {
                whole.push(unseen(start.step.event.clone()));
                continue;
            }
            let next = self.rules().completion_steps(inside);
            if self.is_worth_keeping(inside, &next) {
                whole.push(partial.clone());
            }
            for next in next.into_iter().rev() {
                pending.push(partial.followed_by(next));
            }
        }
        if whole.is_empty() {
            whole.push(start);
        }
        whole
    }

    /// Whether a configuration inside a step is wrong by itself, whatever the step comes to.
    fn is_worth_keeping(&self, inside: &Configuration, next: &[Successor]) -> bool {
        next.is_empty() || !self.judge(inside, next).faults.is_empty()
    }
}

fn wrap(steps: &[Step]) -> Step {
    let choices = Vec::new(); // each part has its own
    Step {
        event: Event::Whole(steps.to_vec()),
        choices,
    }
}

fn parts(step: &Step) -> &[Step] {
    match &step.event {
        Event::Whole(steps) => steps,
        _ => std::slice::from_ref(step),
    }
}

fn length(step: &Step) -> usize {
    parts(step).len()
}

impl Successor {
    /// This, and then that, as one step.
    pub(super) fn followed_by(&self, next: Successor) -> Successor {
        let steps = [parts(&self.step), std::slice::from_ref(&next.step)].concat();
        Successor {
            step: wrap(&steps),
            result: next.result,
            fault: next.fault,
            sent: [&self.sent[..], &next.sent[..]].concat(),
            queue_changes: [&self.queue_changes[..], &next.queue_changes[..]].concat(),
            branches: [&self.branches[..], &next.branches[..]].concat(),
            chosen: [&self.chosen[..], &next.chosen[..]].concat(),
            is_progress: self.is_progress,
            is_choose_free: self.is_choose_free && next.is_choose_free,
        }
    }
}
