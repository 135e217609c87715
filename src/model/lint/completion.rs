//! Under run to completion: steps that can't end, and machines that can't begin.

use super::super::codes;
use super::super::diagnostics::Diagnostic;
use super::super::machine::{Machine, TOP, Target, Transition};
use super::super::typed::{Class, RunToCompletion};
use super::super::value::{RegionId, StateId, TransitionId};

/// Circles of transitions without trigger and guard: a step that gets there never ends.
pub(super) fn completion_loops(class: &Class) -> Vec<Diagnostic> {
    let machine = &class.machine;
    let null = |id: &TransitionId| {
        let transition = machine.transition(*id);
        let guarded = transition.guard.otherwise || !transition.guard.conditions.is_empty();
        !transition.needs_message() && !guarded
    };
    let all: Vec<TransitionId> = machine.transition_ids().filter(null).collect();
    let in_loop = all.iter().filter(|id| returns(machine, &all, **id));
    let first_only = in_loop.take(1);
    first_only
        .map(|id| {
            let message = "transitions without trigger and guard lead round in a circle";
            let span = machine.transition(*id).span;
            let warning = Diagnostic::warning(codes::COMPLETION_LOOP, span, message);
            warning
                .label("a run-to-completion step that comes here never ends")
                .help("give one of them a trigger, or a guard that becomes false")
        })
        .collect()
}

fn returns(machine: &Machine, all: &[TransitionId], start: TransitionId) -> bool {
    let mut seen: Vec<TransitionId> = Vec::new();
    let mut pending = vec![start];
    while let Some(id) = pending.pop() {
        for next in all
            .iter()
            .filter(|next| surely_follows(machine, id, **next))
        {
            if *next == start {
                return true;
            }
            if !seen.contains(next) {
                seen.push(*next);
                pending.push(*next);
            }
        }
    }
    false
}

/// Whether taking one transition enters the source of the other for certain.
fn surely_follows(machine: &Machine, first: TransitionId, second: TransitionId) -> bool {
    let (first, second) = (machine.transition(first), machine.transition(second));
    let entered: Vec<StateId> = match &first.target {
        Target::Internal => return std::ptr::eq(first, second),
        Target::States(states) => states
            .iter()
            .flat_map(|s| entered_with(machine, *s))
            .collect(),
        Target::History(..) | Target::Choice(_) => return false,
    };
    let leaves_whole = |t: &Transition| t.sources.iter().all(|s| entered.contains(s));
    let ends = second
        .sources
        .iter()
        .flat_map(|s| &machine.state(*s).regions);
    let has_final = ends
        .flat_map(|region| &machine.region(*region).states)
        .any(|state| machine.state(*state).is_final);
    leaves_whole(second) && !has_final
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
