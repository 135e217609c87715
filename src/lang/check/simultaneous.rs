//! How many regions may react to one message at once.
//!
//! Their transitions are taken in one step, in every order; n of them have n! orders. So a model in
//! which too many could come together is refused before it is explored.

use std::collections::BTreeMap;

use super::Checker;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Accepts, Machine};
use crate::lang::value::{RegionId, SignalId, StateId};
use crate::lang::{codes, limits};

impl Checker<'_> {
    pub(super) fn check_simultaneous(&mut self, machine: &Machine) {
        // Most machines have few regions, whatever they react to.
        if widest(machine, &|_| true).is_none() {
            return;
        }
        let reactions = Reactions::of(machine);
        for signal in reactions.signals() {
            let reacts = reactions.to(signal, machine);
            if let Some((state, count)) = widest(machine, &|state| reacts[state.index()]) {
                self.too_many_together(machine, state, count, signal);
                return; // the other signals are mostly the same again
            }
        }
    }

    fn too_many_together(
        &mut self,
        machine: &Machine,
        state: StateId,
        count: usize,
        signal: Option<SignalId>,
    ) {
        let declared = machine.state(state);
        let signal = signal.map_or("any", |signal| &self.model.signal(signal).name);
        let limit = limits::SIMULTANEOUS;
        let message = format!(
            "{count} regions of state `{}` can react to `{signal}` together, more than {limit}",
            declared.name
        );
        let help = "every order of their transitions is tried; let fewer of them react to it";
        let error = Diagnostic::error(codes::TOO_MANY_TOGETHER, declared.span, message);
        self.report(error.help(help));
    }
}

/// Which states have transitions for which signals.
#[derive(Default)]
struct Reactions {
    named: BTreeMap<SignalId, Vec<StateId>>,
    /// `any`: all signals but these, which are in order.
    any: Vec<(StateId, Vec<SignalId>)>,
}

impl Reactions {
    fn of(machine: &Machine) -> Reactions {
        let mut reactions = Reactions::default();
        for transition in &machine.transitions {
            // A join takes the place of a transition in each of its regions: it counts once.
            let Some(source) = transition.sources.first() else {
                continue;
            };
            for trigger in &transition.triggers {
                match &trigger.accepts {
                    Accepts::Signal(signal) => {
                        reactions.named.entry(*signal).or_default().push(*source);
                    }
                    Accepts::AllBut(others) => reactions.any.push((*source, others.clone())),
                }
            }
        }
        reactions
    }

    /// The signals that are mentioned often enough; and `None` for those that only `any` takes.
    fn signals(&self) -> impl Iterator<Item = Option<SignalId>> {
        let many = |states: &Vec<StateId>| states.len() + self.any.len() > limits::SIMULTANEOUS;
        let named = self.named.iter().filter(move |(_, states)| many(states));
        named.map(|(signal, _)| Some(*signal)).chain([None])
    }

    /// For each state whether it reacts to the signal.
    fn to(&self, signal: Option<SignalId>, machine: &Machine) -> Vec<bool> {
        let mut reacts = vec![false; machine.states.len()];
        let named = signal.and_then(|signal| self.named.get(&signal));
        for state in named.into_iter().flatten() {
            reacts[state.index()] = true;
        }
        for (state, others) in &self.any {
            let is_other = signal.is_some_and(|signal| others.binary_search(&signal).is_ok());
            reacts[state.index()] |= !is_other;
        }
        reacts
    }
}

/// The innermost state, if there is one, of which more regions than allowed can react together:
/// the sum over the regions of a state, the maximum over the states of a region.
fn widest(machine: &Machine, reacts: &impl Fn(StateId) -> bool) -> Option<(StateId, usize)> {
    let mut of_region = vec![0; machine.regions.len()];
    // What is inside comes behind what is around it, so from the end everything inside is known.
    for index in (0..machine.regions.len()).rev() {
        let region = machine.region(RegionId::new(index));
        for state in &region.states {
            let inner = &machine.state(*state).regions;
            let inside: usize = inner.iter().map(|region| of_region[region.index()]).sum();
            if inside > limits::SIMULTANEOUS {
                return Some((*state, inside));
            }
            let own = usize::from(reacts(*state));
            of_region[index] = of_region[index].max(inside.max(own));
        }
    }
    None
}
