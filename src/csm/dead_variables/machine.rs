//! What the machine of a class may still read in each of its states.
//!
//! The nodes of the graph are the states, and the choices (each with the region that has been left
//! on the way to it). A state leads on to all states that a transition out of it enters; states
//! that are active beside it are nodes of their own.

use super::effects::Code;
use crate::csm::{region_of, scope_of};
use crate::dead_variables::{Access, FlowEdge, Slots, live};
use crate::lang::{Branch, ChoiceId, HistoryKind, Machine, RegionId, StateId, Target, Transition};

/// By state: the slots that may be read on behalf of the state, or of what follows it, before they
/// are written.
pub(super) fn live_slots(code: Code<'_>) -> Vec<Slots> {
    let machine = &code.class.machine;
    let mut graph = Graph {
        code,
        machine,
        choices: Vec::new(),
    };
    let mut live = live(&graph.nodes(), code.slots());
    live.truncate(machine.states.len());
    live
}

struct Graph<'m> {
    code: Code<'m>,
    machine: &'m Machine,
    /// Choices that are reached, with the region that has been left until then.
    choices: Vec<(ChoiceId, RegionId)>,
}

/// Where a path goes on: the code that is run on the way, and the nodes where it ends.
struct Arrival {
    code: Access,
    nodes: Vec<usize>,
}

/// What is to be entered: as in the semantics.
#[derive(Clone, Copy)]
struct Entry<'t> {
    states: &'t [StateId],
    history: Option<(StateId, HistoryKind)>,
}

impl Graph<'_> {
    fn nodes(&mut self) -> Vec<Vec<FlowEdge>> {
        let mut nodes: Vec<Vec<FlowEdge>> = vec![Vec::new(); self.machine.states.len()];
        for (edges, state) in nodes.iter_mut().zip(&self.machine.states) {
            // Whatever makes it leave: that is not known here, so what its exit action writes
            // counts only for the transitions that start in it.
            edges.push(end(self.code.block(&state.exit)));
        }
        for transition in &self.machine.transitions {
            // With several sources all of them are active: one is enough to know of it.
            nodes[transition.sources[0].index()].push(self.transition(transition));
        }
        let mut next = 0;
        while let Some((choice, scope)) = self.choices.get(next).copied() {
            nodes.push(self.choice(choice, scope));
            next += 1;
        }
        nodes
    }

    /// The message, the guard, exit actions, the effect, and so on.
    fn transition(&mut self, transition: &Transition) -> FlowEdge {
        let code = self.code.receiving(transition);
        let code = code.then(&self.code.conditions(&transition.guard.conditions));
        let effect = self.code.block(&transition.effect);
        let Some(scope) = scope_of(self.machine, transition) else {
            return end(code.then(&effect));
        };
        let code = code.then(&self.leaving(transition.sources[0], scope));
        self.edge(code.then(&effect), scope, &transition.target)
    }

    /// The exit actions that are certain to be run when a state is left by a transition that
    /// empties the region `scope`.
    fn leaving(&self, source: StateId, scope: RegionId) -> Access {
        let mut code = self.code.nothing();
        for state in self.machine.states_around(source) {
            let declared = self.machine.state(state);
            code = code.then(&self.code.block(&declared.exit));
            if declared.region == scope {
                break;
            }
        }
        code
    }

    /// All conditions are evaluated; then one branch is taken.
    fn choice(&mut self, choice: ChoiceId, scope: RegionId) -> Vec<FlowEdge> {
        let branches = &self.machine.choice(choice).branches;
        let conditions = branches.iter().filter_map(|b| b.condition.as_ref());
        let mut edges = vec![end(self.code.conditions(conditions))];
        edges.extend(branches.iter().map(|branch| self.branch(branch, scope)));
        edges
    }

    fn branch(&mut self, branch: &Branch, scope: RegionId) -> FlowEdge {
        let region = region_of(self.machine, &branch.target).unwrap_or(scope);
        let wider = self.machine.common_region(scope, region);
        self.edge(self.code.block(&branch.effect), wider, &branch.target)
    }

    fn edge(&mut self, code: Access, scope: RegionId, target: &Target) -> FlowEdge {
        let arrival = self.arrive(scope, target);
        FlowEdge {
            code: code.then(&arrival.code),
            to: arrival.nodes,
        }
    }

    fn arrive(&mut self, scope: RegionId, target: &Target) -> Arrival {
        match target {
            Target::Internal => Arrival {
                code: self.code.nothing(),
                nodes: Vec::new(),
            },
            Target::States(states) => {
                let history = None;
                self.enter(scope, Entry { states, history })
            }
            Target::History(state, kind) => {
                let states = std::slice::from_ref(state);
                let history = Some((*state, *kind));
                self.enter(scope, Entry { states, history })
            }
            Target::Choice(choice) => Arrival {
                code: self.code.nothing(),
                nodes: vec![self.choice_node(*choice, scope)],
            },
        }
    }

    fn choice_node(&mut self, choice: ChoiceId, scope: RegionId) -> usize {
        let wanted = (choice, scope);
        let known = self.choices.iter().position(|known| *known == wanted);
        let position = known.unwrap_or_else(|| {
            self.choices.push(wanted);
            self.choices.len() - 1
        });
        self.machine.states.len() + position
    }

    /// Enters a region: the state that is asked for; or else its initial one; or, if it may be
    /// entered where it was left, any.
    fn enter(&self, region: RegionId, entry: Entry<'_>) -> Arrival {
        if let Some(state) = self.explicit(region, entry.states) {
            return self.enter_state(self.code.nothing(), state, entry);
        }
        let declared = self.machine.region(region);
        let initial = declared.initial;
        let effect = self.code.block(&declared.initial_effect);
        if !self.may_return(region, entry) {
            return self.enter_state(effect, initial, entry);
        }
        let afresh = self.enter_state(effect.repeated(), initial, entry);
        let others = declared.states.iter().filter(|state| **state != initial);
        let others = others.map(|state| self.enter_state(self.code.nothing(), *state, entry));
        others.fold(afresh, Arrival::or)
    }

    fn enter_state(&self, before: Access, state: StateId, entry: Entry<'_>) -> Arrival {
        let declared = self.machine.state(state);
        let mut whole = Arrival {
            code: before.then(&self.code.block(&declared.entry)),
            nodes: vec![state.index()],
        };
        for inner in &declared.regions {
            whole = whole.and(self.enter(*inner, entry));
        }
        whole
    }

    /// The state of this region that is, or holds, one of the given.
    fn explicit(&self, region: RegionId, states: &[StateId]) -> Option<StateId> {
        let mut around = states
            .iter()
            .flat_map(|state| self.machine.states_around(*state));
        around.find(|state| self.machine.state(*state).region == region)
    }

    fn may_return(&self, region: RegionId, entry: Entry<'_>) -> bool {
        let declared = self.machine.region(region);
        let restored = entry.history.is_some_and(|(state, kind)| match kind {
            HistoryKind::Shallow => declared.parent == Some(state),
            HistoryKind::Deep => self.machine.region_is_inside(region, state),
        });
        declared.history || restored
    }
}

impl Arrival {
    /// Both, one after the other.
    fn and(mut self, next: Arrival) -> Arrival {
        self.nodes.extend(next.nodes);
        Arrival {
            code: self.code.then(&next.code),
            nodes: self.nodes,
        }
    }

    /// One of the two, and it is not known which.
    fn or(mut self, other: Arrival) -> Arrival {
        self.nodes.extend(other.nodes);
        Arrival {
            code: self.code.or(&other.code),
            nodes: self.nodes,
        }
    }
}

/// Code after which the states are those that were active anyway.
fn end(code: Access) -> FlowEdge {
    let to = Vec::new();
    FlowEdge { code, to }
}
