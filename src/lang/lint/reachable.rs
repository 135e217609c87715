//! States that no path of transitions leads to, whatever the guards say.

use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Machine, TOP};
use crate::lang::value::{RegionId, StateId, TransitionId};

pub(super) fn unreachable_states(
    machine: &Machine,
    dead: &[(TransitionId, Diagnostic)],
) -> Vec<Diagnostic> {
    let mut search = Search {
        machine,
        entered: vec![false; machine.states.len()],
        pending: Vec::new(),
    };
    search.enter_region(TOP);
    search.follow_transitions(dead);
    let missed = machine.state_ids().filter(|id| !search.entered[id.index()]);
    // What is inside a state that can't be reached needs no mention of its own.
    let parent_missed = |id: &StateId| {
        let parent = machine.region(machine.state(*id).region).parent;
        parent.is_some_and(|parent| !search.entered[parent.index()])
    };
    missed
        .filter(|id| !parent_missed(id))
        .map(|id| {
            let state = machine.state(id);
            let message = format!("state `{}` can never be reached", state.path);
            let label = "no transition that could fire leads here";
            Diagnostic::warning(codes::UNREACHABLE_STATE, state.span, message).label(label)
        })
        .collect()
}

struct Search<'m> {
    machine: &'m Machine,
    entered: Vec<bool>,
    /// Entered, but what leaves it has not been followed yet.
    pending: Vec<StateId>,
}

impl Search<'_> {
    fn enter_region(&mut self, region: RegionId) {
        self.enter(self.machine.region(region).initial);
    }

    /// Entering a state enters those around it, and all their regions.
    fn enter(&mut self, state: StateId) {
        if std::mem::replace(&mut self.entered[state.index()], true) {
            return;
        }
        self.pending.push(state);
        let declared = self.machine.state(state);
        for inner in &declared.regions {
            self.enter_region(*inner);
        }
        if let Some(parent) = self.machine.region(declared.region).parent {
            self.enter(parent);
        }
    }

    fn follow_transitions(&mut self, dead: &[(TransitionId, Diagnostic)]) {
        let machine = self.machine;
        let mut can_fire = vec![true; machine.transitions.len()];
        for (id, _) in dead {
            can_fire[id.index()] = false;
        }
        let mut out: Vec<Vec<TransitionId>> = vec![Vec::new(); machine.states.len()];
        for id in machine.transition_ids().filter(|id| can_fire[id.index()]) {
            for source in &machine.transition(id).sources {
                out[source.index()].push(id);
            }
        }
        while let Some(state) = self.pending.pop() {
            for id in &out[state.index()] {
                let transition = machine.transition(*id);
                if transition.sources.iter().all(|s| self.entered[s.index()]) {
                    for target in machine.possible_targets(&transition.target) {
                        self.enter(target);
                    }
                }
            }
        }
    }
}
