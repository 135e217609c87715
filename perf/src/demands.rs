//! What must hold, each demand with what was measured.

use crate::contender::{Contender, Search};
use crate::session::{Run, Session};
use crate::suite::{Group, Model};
use crate::summary::{
    Duel, Medians, OURS, OURS_TWICE, PerModel, SPIN, duels, greatest, least, mean, medians,
};

pub struct Demand {
    pub what: &'static str,
    pub wanted: &'static str,
    pub found: Option<Found>,
}

pub struct Found {
    pub value: String,
    pub reached: bool,
}

impl Demand {
    fn new(what: &'static str, wanted: &'static str, found: Option<Found>) -> Demand {
        Demand {
            what,
            wanted,
            found,
        }
    }

    pub fn verdict(&self) -> &'static str {
        match &self.found {
            None => "not measured",
            Some(found) if found.reached => "reached",
            Some(_) => "not reached",
        }
    }
}

/// A session, and the models that it ran.
pub struct Evidence<'a> {
    pub session: &'a Session,
    pub models: &'a [Model],
}

pub fn demands(evidence: &Evidence) -> Vec<Demand> {
    vec![
        Demand::new(
            "transitions per core-second, 1 thread against SPIN, geometric mean",
            "3.0",
            evidence.against_spin(Group::Beem, 3.0),
        ),
        Demand::new(
            "the same, worst model",
            "1.5",
            evidence.worst_against_spin(),
        ),
        Demand::new(
            "our message-passing models against their Promela twins, geometric mean",
            "5.0",
            evidence.against_spin(Group::Messages, 5.0),
        ),
        Demand::new(
            "2 threads against 1, worst model above 3 M states",
            "1.75",
            evidence.two_threads(),
        ),
        Demand::new(
            "bytes per state, worst model above 5 M states",
            "at most 16, aim 12",
            evidence.bytes_per_state(),
        ),
        Demand::new(
            "time per state at 20 M states against 1 M states",
            "at most 1.5",
            evidence.growth(),
        ),
        Demand::new(
            "lamport.8 complete (62,669,317 states)",
            "under 2 GB",
            evidence.large(),
        ),
        Demand::new("wrong counts", "0", evidence.wrong()),
    ]
}

impl<'a> Evidence<'a> {
    fn throughput(&self, group: Group) -> PerModel<'a> {
        let duels = duels(self.session, self.models, group, (OURS, SPIN));
        let ratio = |(model, duel): (&'a Model, Duel)| (model.name.as_str(), duel.throughput);
        duels.into_iter().map(ratio).collect()
    }

    fn against_spin(&self, group: Group, wanted: f64) -> Option<Found> {
        let mean = mean(&self.throughput(group))?;
        Some(Found {
            value: format!("{mean:.2}"),
            reached: mean >= wanted,
        })
    }

    fn worst_against_spin(&self) -> Option<Found> {
        let (name, ratio) = least(&self.throughput(Group::Beem))?;
        Some(Found {
            value: format!("{ratio:.2} ({name})"),
            reached: ratio >= 1.5,
        })
    }

    fn two_threads(&self) -> Option<Found> {
        let both = [Group::Beem, Group::Messages];
        let duels = both.map(|group| duels(self.session, self.models, group, (OURS_TWICE, OURS)));
        let large = duels
            .into_iter()
            .flatten()
            .filter(|(m, _)| m.states > 3_000_000);
        let ratios: PerModel = large
            .map(|(m, duel)| (m.name.as_str(), duel.speed))
            .collect();
        let (name, ratio) = least(&ratios)?;
        Some(Found {
            value: format!("{ratio:.2} ({name}), geometric mean {:.2}", mean(&ratios)?),
            reached: ratio >= 1.75,
        })
    }

    fn ours(&self, contender: Contender) -> impl Iterator<Item = (&'a Model, Medians)> {
        let ours =
            move |model: &'a Model| Some((model, medians(self.session, &model.name, contender)?));
        self.models.iter().filter_map(ours)
    }

    fn bytes_per_state(&self) -> Option<Found> {
        let large = self.ours(OURS).filter(|(_, m)| m.counts.states > 5_000_000);
        let bytes = large.map(|(model, m)| (model.name.as_str(), m.bytes_per_state()));
        let (name, bytes) = greatest(&bytes.collect())?;
        Some(Found {
            value: format!("{bytes:.1} ({name})"),
            reached: bytes <= 16.0,
        })
    }

    fn growth(&self) -> Option<Found> {
        let mut sizes = self
            .ours(OURS)
            .filter(|(model, _)| model.group == Group::Growth);
        let ((_, small), (_, large)) = (sizes.next()?, sizes.next()?);
        let ratio = large.seconds_per_state() / small.seconds_per_state();
        Some(Found {
            value: format!("{ratio:.2}"),
            reached: ratio <= 1.5,
        })
    }

    fn large(&self) -> Option<Found> {
        let contenders = [OURS_TWICE, OURS];
        let mut all = contenders
            .into_iter()
            .flat_map(|contender| self.ours(contender));
        let (model, m) = all.find(|(model, _)| model.group == Group::Large)?;
        let whole = m.counts.complete && m.counts.states == model.states;
        let end = if whole { "complete" } else { "not complete" };
        Some(Found {
            value: format!("{end}, {:.2} GB", m.peak_bytes / 1e9),
            reached: whole && m.peak_bytes < 2e9,
        })
    }

    fn wrong(&self) -> Option<Found> {
        let wrong: Vec<String> = self
            .models
            .iter()
            .flat_map(|model| wrong_counts(self.session, model))
            .collect();
        let value = match &wrong[..] {
            [] => "0".to_owned(),
            _ => format!("{}: {}", wrong.len(), wrong.join("; ")),
        };
        let reached = wrong.is_empty();
        (!self.session.runs.is_empty()).then_some(Found { value, reached })
    }
}

/// Runs whose counts are not those that are known, or not those of the others.
pub fn wrong_counts(session: &Session, model: &Model) -> Vec<String> {
    let Some(ours) =
        medians(session, &model.name, OURS).or(medians(session, &model.name, OURS_TWICE))
    else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    // Where nobody has seen the end, `states` is only how far others came.
    let is_known = model.seconds.is_none();
    if is_known && ours.counts.complete && ours.counts.states != model.states {
        wrong.push(format!("{}: {} states", model.name, ours.counts.states));
    }
    for run in session.runs.iter().filter(|run| run.model == model.name) {
        // It keeps hashes, not states.
        let exact = run.contender != Contender::Spin(Search::ParallelBreadthFirst);
        let both = run.counts.complete && ours.counts.complete;
        if exact && both && !same_space(run, &ours, model) {
            wrong.push(format!(
                "{}: {} has {} states, {} transitions",
                model.name, run.contender, run.counts.states, run.counts.transitions
            ));
        }
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

fn same_space(run: &Run, ours: &Medians, model: &Model) -> bool {
    let (theirs, ours) = (run.counts, ours.counts);
    match run.contender {
        Contender::Spin(_) => {
            same_digits(theirs.states, ours.states + model.prelude)
                && same_digits(theirs.transitions, ours.transitions + model.prelude)
        }
        _ => (theirs.states, theirs.transitions) == (ours.states, ours.transitions),
    }
}

/// Equal in the eight digits that SPIN prints, if they are more.
fn same_digits(a: u64, b: u64) -> bool {
    let rounding = 10u64.pow(a.max(b).max(1).ilog10().saturating_sub(7)) - 1;
    a.abs_diff(b) <= rounding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_up_to_the_digits_that_spin_prints() {
        assert!(same_digits(12_345_678, 12_345_678));
        assert!(!same_digits(12_345_678, 12_345_679));
        assert!(same_digits(143_489_059, 143_489_055));
        assert!(!same_digits(143_489_059, 143_489_155));
    }
}
