//! Transitions between regions that run side by side.

use super::Checker;
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Machine, Target, Transition};
use crate::lang::value::{ChoiceId, RegionId, StateId};

/// For each choice the regions that hold, at any depth, a state that it may lead to.
struct Reach<'m> {
    machine: &'m Machine,
    of_choice: Vec<Option<Vec<bool>>>,
}

impl Checker<'_> {
    /// A transition that runs from one region of a state to another of the same would have to leave
    /// and enter that state at once; UML forbids it, and so does Meller (definition 2.1).
    pub(super) fn check_crossings(&mut self, machine: &Machine) {
        let mut reach = Reach {
            machine,
            of_choice: vec![None; machine.choices.len()],
        };
        for transition in &machine.transitions {
            let [source] = transition.sources[..] else {
                continue; // a join leaves all the regions that it joins
            };
            if let Some(entered) = reach.crossed(source, transition) {
                self.crossing(machine, source, entered, transition);
            }
        }
    }

    fn crossing(
        &mut self,
        machine: &Machine,
        source: StateId,
        entered: RegionId,
        transition: &Transition,
    ) {
        let region = machine.region(entered);
        let state = region.parent.map_or("", |state| &machine.state(state).name);
        let message = format!(
            "this leads from `{}` into region `{}`, which runs beside it in `{state}`",
            machine.state(source).path,
            region.name
        );
        let help = "let one region send the object a signal that the other reacts to";
        let error = Diagnostic::error(codes::CROSSES_REGIONS, transition.span, message);
        self.report(error.help(help));
    }
}

impl Reach<'_> {
    /// A region beside one of those around the source into which the transition leads.
    fn crossed(&mut self, source: StateId, transition: &Transition) -> Option<RegionId> {
        let machine = self.machine;
        let mut beside = machine
            .states_around(source)
            .map(|state| machine.state(state).region)
            .filter_map(|region| Some((region, machine.region(region).parent?)))
            .flat_map(|(region, parent)| {
                let all = machine.state(parent).regions.iter().copied();
                all.filter(move |other| *other != region)
            });
        match &transition.target {
            Target::Internal => None,
            Target::History(state, _) => {
                let around = regions_of(machine, &[*state]);
                beside.find(|region| around.contains(region))
            }
            Target::States(states) => {
                let around = regions_of(machine, states);
                beside.find(|region| around.contains(region))
            }
            Target::Choice(choice) => {
                let reached = self.behind_choice(*choice);
                beside.find(|region| reached[region.index()])
            }
        }
    }

    fn behind_choice(&mut self, choice: ChoiceId) -> &[bool] {
        let machine = self.machine;
        self.of_choice[choice.index()].get_or_insert_with(|| {
            let mut reached = vec![false; machine.regions.len()];
            let states = machine.possible_targets(&Target::Choice(choice));
            for region in regions_of(machine, &states) {
                reached[region.index()] = true;
            }
            reached
        })
    }
}

/// The regions around some states.
fn regions_of(machine: &Machine, states: &[StateId]) -> Vec<RegionId> {
    let regions = states.iter().map(|state| machine.state(*state).region);
    regions
        .flat_map(|region| machine.regions_around(region))
        .collect()
}
