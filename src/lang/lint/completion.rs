//! Under run to completion: steps that can't end, and machines that can't begin.

use std::collections::HashMap;

use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Machine, TOP, Target, Transition};
use crate::lang::typed::{Class, RunToCompletion};
use crate::lang::value::{RegionId, StateId, TransitionId};

/// Circles of transitions without trigger and guard: a step that gets there never ends.
pub(super) fn completion_loops(class: &Class) -> Vec<Diagnostic> {
    let first = Completions::of(&class.machine).first_on_circle();
    let warnings = first.into_iter().map(|id| {
        let message = "transitions without trigger and guard lead round in a circle";
        let span = class.machine.transition(id).span;
        let warning = Diagnostic::warning(codes::COMPLETION_LOOP, span, message);
        warning
            .label("a run-to-completion step that comes here never ends")
            .help("give one of them a trigger, or a guard that becomes false")
    });
    warnings.collect()
}

/// Where a search for circles has been.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// On the way here.
    Open,
    Done,
}

/// Transitions without trigger and guard, by the first state that they leave.
struct Completions<'m> {
    machine: &'m Machine,
    by_source: HashMap<StateId, Vec<TransitionId>>,
}

impl Completions<'_> {
    fn of(machine: &Machine) -> Completions<'_> {
        let mut by_source: HashMap<StateId, Vec<TransitionId>> = HashMap::new();
        for id in machine.transition_ids() {
            let transition = machine.transition(id);
            let guarded = transition.guard.otherwise || !transition.guard.conditions.is_empty();
            if !transition.needs_message() && !guarded {
                by_source.entry(transition.sources[0]).or_default().push(id);
            }
        }
        Completions { machine, by_source }
    }

    /// Depth first: the first transition of the first circle that is met.
    fn first_on_circle(&self) -> Option<TransitionId> {
        let mut starts: Vec<TransitionId> = self.by_source.values().flatten().copied().collect();
        starts.sort_unstable();
        let mut marks = vec![Mark::New; self.machine.transitions.len()];
        starts
            .iter()
            .find_map(|start| self.circle_from(*start, &mut marks))
    }

    fn circle_from(&self, start: TransitionId, marks: &mut [Mark]) -> Option<TransitionId> {
        if marks[start.index()] != Mark::New {
            return None;
        }
        marks[start.index()] = Mark::Open;
        let mut way = vec![(start, self.followers(start))];
        while let Some((id, followers)) = way.last_mut() {
            let Some(next) = followers.pop() else {
                marks[id.index()] = Mark::Done;
                way.pop();
                continue;
            };
            match marks[next.index()] {
                Mark::Done => {}
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    way.push((next, self.followers(next)));
                }
                Mark::Open => {
                    let circle = way.iter().skip_while(|(id, _)| *id != next);
                    return circle.map(|(id, _)| *id).min();
                }
            }
        }
        None
    }

    /// The transitions that can surely be taken behind one, as it enters what they leave; the first
    /// of them last.
    fn followers(&self, first: TransitionId) -> Vec<TransitionId> {
        let machine = self.machine;
        let entered: Vec<StateId> = match &machine.transition(first).target {
            Target::Internal => return vec![first],
            Target::States(states) => {
                let inner = states.iter().flat_map(|s| entered_with(machine, *s));
                inner.collect()
            }
            Target::History(..) | Target::Choice(_) => return Vec::new(),
        };
        let candidates = entered.iter().filter_map(|state| self.by_source.get(state));
        let mut found: Vec<TransitionId> = candidates
            .flatten()
            .copied()
            .filter(|id| self.surely_follows(&entered, machine.transition(*id)))
            .collect();
        found.sort_unstable();
        found.reverse();
        found
    }

    /// Whether all that a transition leaves has been entered, and needs no final state first.
    fn surely_follows(&self, entered: &[StateId], second: &Transition) -> bool {
        let left = second.sources.iter();
        let mut inside = left.flat_map(|state| &self.machine.state(*state).regions);
        let ends = |region: &RegionId| {
            let mut states = self.machine.region(*region).states.iter();
            states.any(|state| self.machine.state(*state).is_final)
        };
        second.sources.iter().all(|state| entered.contains(state)) && !inside.any(ends)
    }
}

fn entered_with(machine: &Machine, state: StateId) -> Vec<StateId> {
    let mut all = vec![state];
    for region in &machine.state(state).regions {
        all.extend(entered_with(machine, machine.region(*region).initial));
    }
    all
}

/// Meller 7.35: without an initial step, a machine whose initial states have only transitions
/// without a trigger discards every message for ever.
pub(super) fn deaf_starts(class: &Class, options: RunToCompletion) -> Vec<Diagnostic> {
    if options.initial_step || options.rhapsody_triggers {
        return Vec::new();
    }
    let machine = &class.machine;
    let first = entered_with(machine, region_start(machine, TOP));
    let leaving = || {
        machine
            .transitions
            .iter()
            .filter(|t| first.contains(&t.sources[0]))
    };
    let deaf = leaving().next().is_some() && leaving().all(|t| !t.needs_message());
    if !deaf {
        return Vec::new();
    }
    let span = machine.state(first[0]).span;
    let message = format!(
        "`{}` discards every message and never leaves its initial state",
        class.name
    );
    let help = "write `semantics run_to_completion with initial_step;`, or give it a trigger";
    vec![Diagnostic::warning(codes::DEAF_START, span, message).help(help)]
}

fn region_start(machine: &Machine, region: RegionId) -> StateId {
    machine.region(region).initial
}
