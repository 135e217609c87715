//! From single runs to medians, and from medians to ratios.

use crate::contender::{Contender, Counts, Search};
use crate::session::{Run, Session};
use crate::suite::{Group, Model};

pub const OURS: Contender = Contender::Crisol { threads: 1 };
pub const OURS_TWICE: Contender = Contender::Crisol { threads: 2 };
pub const SPIN: Contender = Contender::Spin(Search::DepthFirst);

/// A contender on a model: the medians of its runs.
#[derive(Clone, Copy, Debug)]
pub struct Medians {
    /// Of the first run; those of complete runs are all the same, or else the comparison says so.
    pub counts: Counts,
    pub wall_seconds: f64,
    pub core_seconds: f64,
    pub peak_bytes: f64,
    pub empty_bytes: f64,
    pub transitions_per_core_second: f64,
    pub transitions_per_second: f64,
}

impl Medians {
    pub fn bytes_per_state(&self) -> f64 {
        (self.peak_bytes - self.empty_bytes) / self.counts.states as f64
    }

    pub fn seconds_per_state(&self) -> f64 {
        self.wall_seconds / self.counts.states as f64
    }
}

pub fn medians(session: &Session, model: &str, contender: Contender) -> Option<Medians> {
    let runs = session.of(model, contender);
    let of = |value: fn(&Run) -> f64| median(runs.clone().map(value).collect());
    Some(Medians {
        counts: runs.clone().next()?.counts,
        wall_seconds: of(|run| run.cost.wall_seconds)?,
        core_seconds: of(|run| run.cost.core_seconds())?,
        peak_bytes: of(|run| run.cost.peak_bytes as f64)?,
        empty_bytes: of(|run| run.empty_bytes as f64)?,
        transitions_per_core_second: of(|run| {
            run.counts.transitions as f64 / run.cost.core_seconds()
        })?,
        transitions_per_second: of(|run| run.counts.transitions as f64 / run.cost.wall_seconds)?,
    })
}

pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.into_iter().map(f64::ln).collect();
    let number = logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / number).exp())
}

/// A number for each of some models.
pub type PerModel<'a> = Vec<(&'a str, f64)>;

pub fn mean(values: &PerModel) -> Option<f64> {
    geometric_mean(values.iter().map(|(_, value)| *value))
}

pub fn least<'a>(values: &PerModel<'a>) -> Option<(&'a str, f64)> {
    values.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))
}

pub fn greatest<'a>(values: &PerModel<'a>) -> Option<(&'a str, f64)> {
    values.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
}

/// How one contender compares with another, model by model.
pub struct Duel {
    pub wall: f64,
    pub throughput: f64,
    pub bytes_per_state: f64,
    /// By the clock on the wall, whatever cores were used.
    pub speed: f64,
}

impl Duel {
    /// Above 1 where `a` is faster, or smaller.
    pub fn between(a: &Medians, b: &Medians) -> Duel {
        Duel {
            wall: b.wall_seconds / a.wall_seconds,
            throughput: a.transitions_per_core_second / b.transitions_per_core_second,
            bytes_per_state: b.bytes_per_state() / a.bytes_per_state(),
            speed: a.transitions_per_second / b.transitions_per_second,
        }
    }
}

/// The models of a group that both ran, with the outcome.
pub fn duels<'a>(
    session: &Session,
    models: &'a [Model],
    group: Group,
    (a, b): (Contender, Contender),
) -> Vec<(&'a Model, Duel)> {
    let duel = |model: &'a Model| {
        let a = medians(session, &model.name, a)?;
        let b = medians(session, &model.name, b)?;
        Some((model, Duel::between(&a, &b)))
    };
    let models = models.iter().filter(|model| model.group == group);
    models.filter_map(duel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_runs_lies_between_the_middle_two() {
        assert_eq!(median(vec![4.0, 1.0, 9.0, 2.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0, 9.0]), Some(4.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn a_gain_and_an_equal_loss_have_the_geometric_mean_one() {
        assert_eq!(geometric_mean([4.0, 0.25]), Some(1.0));
        assert_eq!(geometric_mean([]), None);
    }
}
