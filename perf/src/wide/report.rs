//! Tables of what was measured, and what must hold.

use super::outcome::{Outcome, Who};
use super::{Family, GROWING, Language, Model, WIDTHS};
use crate::summary::geometric_mean;

/// States from which on memory is judged: fewer do not fill the tables that there are from the beginning.
const MANY: u64 = 3_000_000;

/// The line for an outcome; `spin` is that of the same model.
pub fn row(outcome: &Outcome, spin: Option<&Outcome>) -> String {
    let times = |value: fn(&Outcome) -> f64| {
        spin.map_or(String::new(), |spin| {
            format!("{:.1}", value(outcome) / value(spin))
        })
    };
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {:.1} |",
        outcome.model,
        outcome.who,
        outcome.states,
        thousands(outcome.transitions_per_core_second),
        times(|outcome| outcome.transitions_per_core_second),
        thousands(outcome.states_per_core_second),
        times(|outcome| outcome.states_per_core_second),
        outcome.bytes_per_state
    )
}

pub const HEAD: &str = "\
| model | who | states | transitions per core-second | x SPIN | new states per core-second | x SPIN | bytes per state |
|---|---|--:|--:|--:|--:|--:|--:|";

fn thousands(number: f64) -> String {
    format!("{:.0} k", number / 1e3)
}

pub struct Outcomes(pub Vec<Outcome>);

impl Outcomes {
    pub fn find(&self, model: Model, who: Who) -> Option<&Outcome> {
        let mut all = self.0.iter();
        all.find(|outcome| outcome.model == model && outcome.who == who)
    }

    /// What a transition costs at each width, in units of what it costs at the least.
    pub fn growth(&self) -> String {
        let widths = WIDTHS.map(|(objects, variables)| format!(" {objects}x{variables} |"));
        let mut lines = vec![
            format!("| cost of a transition | who |{}", widths.concat()),
            "|---|---|--:|--:|--:|--:|".to_owned(),
        ];
        for family in GROWING {
            for who in self.participants() {
                let at = |width| self.growth_to(family, who, width);
                let costs = WIDTHS.map(at);
                if costs.iter().any(Option::is_some) {
                    let cell = |cost: Option<f64>| match cost {
                        Some(cost) => format!(" {cost:.2} |"),
                        None => " |".to_owned(),
                    };
                    let name = format!("{family:?}").to_lowercase();
                    lines.push(format!("| {name} | {who} |{}", costs.map(cell).concat()));
                }
            }
        }
        lines.join("\n")
    }

    fn participants(&self) -> Vec<Who> {
        let mut all: Vec<Who> = Vec::new();
        for outcome in &self.0 {
            if !all.contains(&outcome.who) {
                all.push(outcome.who);
            }
        }
        all
    }

    fn growth_to(&self, family: Family, who: Who, width: (usize, usize)) -> Option<f64> {
        let at = |width| self.find(Model::growing(family, width), who);
        let (least, wide) = (at(WIDTHS[0])?, at(width)?);
        Some(least.transitions_per_core_second / wide.transitions_per_core_second)
    }

    /// What is wanted and what was found, a line each.
    pub fn targets(&self) -> Vec<String> {
        let transitions = |outcome: &Outcome| outcome.transitions_per_core_second;
        let states = |outcome: &Outcome| outcome.states_per_core_second;
        let election = |outcome: &Outcome| outcome.model.family == Family::Election;
        let mut lines = vec![
            at_least(
                "transitions per core-second against SPIN, worst width",
                5.0,
                self.against_spin(|outcome| !election(outcome), transitions),
            ),
            at_least(
                "the same, election in DVE with queues as arrays",
                5.0,
                self.against_spin(
                    |outcome| election(outcome) && outcome.who == Who::Ours(Language::Dve),
                    transitions,
                ),
            ),
            at_most(
                "cost of a transition at 200x60 against 10x5, worst family",
                3.0,
                self.worst_growth(),
            ),
            at_least(
                "new states per core-second against SPIN, worst model",
                2.0,
                self.against_spin(|_| true, states),
            ),
            at_most(
                "bytes per state above 3 M states, worst model",
                24.0,
                self.worst_bytes(),
            ),
        ];
        lines.extend(self.against_old());
        lines
    }

    fn ours(&self) -> impl Iterator<Item = &Outcome> {
        let is_ours = |outcome: &&Outcome| matches!(outcome.who, Who::Ours(_));
        self.0.iter().filter(is_ours)
    }

    fn against_spin(
        &self,
        which: impl Fn(&Outcome) -> bool,
        value: fn(&Outcome) -> f64,
    ) -> Vec<Found> {
        let ratio = |ours: &Outcome| {
            let spin = self.find(ours.model, Who::Spin)?;
            Some(Found::new(ours, value(ours) / value(spin)))
        };
        let ours = self.ours().filter(|ours| which(ours));
        ours.filter_map(ratio).collect()
    }

    fn worst_growth(&self) -> Vec<Found> {
        let widest = WIDTHS[WIDTHS.len() - 1];
        let growth = |ours: &Outcome| {
            let is_widest = ours.model == Model::growing(ours.model.family, widest);
            let growth = || self.growth_to(ours.model.family, ours.who, widest);
            Some(Found::new(ours, is_widest.then(growth)??))
        };
        self.ours().filter_map(growth).collect()
    }

    fn worst_bytes(&self) -> Vec<Found> {
        let many = self.ours().filter(|outcome| outcome.states >= MANY);
        many.map(|outcome| Found::new(outcome, outcome.bytes_per_state))
            .collect()
    }

    fn against_old(&self) -> Vec<String> {
        let ratio = |ours: &Outcome| {
            let Who::Ours(language) = ours.who else {
                return None;
            };
            let old = self.find(ours.model, Who::Old(language))?;
            let rates = ours.transitions_per_core_second / old.transitions_per_core_second;
            Some(Found::new(ours, rates))
        };
        let ratios: Vec<Found> = self.ours().filter_map(ratio).collect();
        let Some(mean) = geometric_mean(ratios.iter().map(|found| found.value)) else {
            return Vec::new();
        };
        let reached = verdict(mean >= 1.0);
        vec![
            format!("{reached}: against the old binary, geometric mean: {mean:.2} (wanted: 1.00)"),
            at_least("the same, worst model", 0.95, ratios),
        ]
    }
}

/// A number, and whose it is.
struct Found {
    name: String,
    value: f64,
}

impl Found {
    fn new(outcome: &Outcome, value: f64) -> Found {
        let name = format!("{}, {}", outcome.model, outcome.who);
        Found { name, value }
    }
}

fn at_least(what: &str, wanted: f64, found: Vec<Found>) -> String {
    let worst = found.into_iter().min_by(|a, b| a.value.total_cmp(&b.value));
    let is_reached = |value| value >= wanted;
    target(what, &format!("at least {wanted:.2}"), worst, is_reached)
}

fn at_most(what: &str, wanted: f64, found: Vec<Found>) -> String {
    let worst = found.into_iter().max_by(|a, b| a.value.total_cmp(&b.value));
    let is_reached = |value| value <= wanted;
    target(what, &format!("at most {wanted:.2}"), worst, is_reached)
}

fn target(
    what: &str,
    wanted: &str,
    worst: Option<Found>,
    is_reached: impl Fn(f64) -> bool,
) -> String {
    let Some(Found { name, value }) = worst else {
        return format!("not measured: {what} (wanted: {wanted})");
    };
    let reached = verdict(is_reached(value));
    format!("{reached}: {what}: {value:.2}, {name} (wanted: {wanted})")
}

fn verdict(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "not reached" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(width: (usize, usize), who: Who, rate: f64) -> Outcome {
        Outcome {
            model: Model::growing(Family::Ring, width),
            who,
            states: MANY,
            transitions_per_core_second: rate,
            states_per_core_second: rate / 4.0,
            bytes_per_state: 20.0,
        }
    }

    fn outcomes() -> Outcomes {
        let ours = Who::Ours(Language::Csm);
        Outcomes(vec![
            outcome((10, 5), ours, 8e6),
            outcome((10, 5), Who::Spin, 1e6),
            outcome((200, 60), ours, 2e6),
            outcome((200, 60), Who::Spin, 5e5),
        ])
    }

    #[test]
    fn the_worst_model_decides() {
        let targets = outcomes().targets();
        assert_eq!(
            targets[0],
            "not reached: transitions per core-second against SPIN, worst width: 4.00, ring-200x60, Crisol, csm \
             (wanted: at least 5.00)"
        );
        assert!(targets[1].starts_with("not measured: "), "{}", targets[1]);
        assert!(targets[3].starts_with("reached: "), "{}", targets[3]);
    }

    #[test]
    fn growth_is_the_cost_in_units_of_the_least_width() {
        let growth = outcomes().growth();
        let ring = "| ring | Crisol, csm | 1.00 | | | 4.00 |";
        assert!(growth.contains(ring), "{growth}");
    }
}
