//! Which components a program has, and in which groups its steps are found.

use std::collections::{HashMap, HashSet};

use super::owners;
use crate::dve::{Expr, Part, Program, Sync, Transition, parts, written_slots};
use crate::system::GroupId;

/// A process and one of its transitions.
pub(super) type Move = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DveGroup {
    /// Which processes may move: all, or those that are committed.
    Commitment,
    /// All that a process can begin.
    Process(usize),
    /// What a process that is not committed can begin with one that is.
    WithCommitted(usize),
    /// One of the groups of transitions that start in a state of a process.
    Group(usize, usize, usize),
    /// A send that another process may take.
    Offer(Move, usize),
    OfferToCommitted(Move, usize),
    Handshake(Move, Move),
    Assertions(usize),
}

/// Which components and tasks a program has.
pub(super) struct Plan {
    pub parts: Vec<Part>,
    /// By process, slot and channel: its component, if it can change.
    pub at: Vec<Option<usize>>,
    pub slots: Vec<Option<usize>>,
    pub channels: Vec<Option<usize>>,
    /// By slot: what it belongs to.
    pub owners: Vec<usize>,
    /// By process and state: transitions that it begins, in groups that look at few components.
    pub groups: Vec<Vec<Vec<Vec<Move>>>>,
    pub jobs: Vec<DveGroup>,
    pub tasks: HashMap<DveGroup, GroupId>,
    pub always: Vec<GroupId>,
}

impl Plan {
    pub fn new(program: &Program) -> Plan {
        let written = written_slots(program);
        let groups = groups(program, &written);
        let (jobs, always) = jobs(program, &groups);
        let tasks: HashMap<DveGroup, GroupId> =
            jobs.iter().copied().zip((0..).map(GroupId)).collect();
        let mut plan = Plan {
            at: vec![None; program.processes.len()],
            slots: vec![None; program.slots.len()],
            channels: vec![None; program.channels.len()],
            always: always.iter().map(|job| tasks[job]).collect(),
            owners: owners::owners(program),
            parts: parts(program),
            groups,
            jobs,
            tasks,
        };
        for (component, part) in plan.parts.iter().enumerate() {
            match *part {
                Part::At(process) => plan.at[process] = Some(component),
                Part::Slot(slot) => plan.slots[slot] = Some(component),
                Part::Channel(channel) => plan.channels[channel] = Some(component),
            }
        }
        plan
    }
}

/// All jobs, and those that every state needs.
fn jobs(program: &Program, groups: &[Vec<Vec<Vec<Move>>>]) -> (Vec<DveGroup>, Vec<DveGroup>) {
    let processes = 0..program.processes.len();
    let may_commit = |p: usize| program.processes[p].states.iter().any(|s| s.is_committed);
    let asserts = |p: &usize| {
        program.processes[*p]
            .states
            .iter()
            .any(|s| !s.assertions.is_empty())
    };
    let mut always: Vec<DveGroup> = processes
        .clone()
        .filter(asserts)
        .map(DveGroup::Assertions)
        .collect();
    let mut jobs = Vec::new();
    if processes.clone().any(may_commit) {
        always.push(DveGroup::Commitment);
        jobs.extend(
            processes
                .clone()
                .flat_map(|p| [DveGroup::Process(p), DveGroup::WithCommitted(p)]),
        );
    } else {
        always.extend(processes.clone().map(DveGroup::Process));
    }
    jobs.extend(always.iter().copied());
    let receivers = receivers(program);
    for process in processes.clone() {
        for number in 0..program.processes[process].transitions.len() {
            jobs.extend(jobs_of(program, &receivers, (process, number)));
        }
        for (state, groups) in groups[process].iter().enumerate() {
            jobs.extend((1..groups.len()).map(|group| DveGroup::Group(process, state, group)));
        }
    }
    (jobs, always)
}

/// Components that a group of transitions may look at: one result for all of them needs fewer reads
/// than one for each, but there are as many results as combinations of what they look at.
const GROUP_LOOKS: usize = 6;

fn groups(program: &Program, written: &[bool]) -> Vec<Vec<Vec<Vec<Move>>>> {
    let mut all: Vec<Vec<Vec<LooksAndMoves>>> = Vec::new();
    for (number, process) in program.processes.iter().enumerate() {
        // The first group of a state is run with the process itself, and may have nothing to do.
        let mut states = vec![vec![LooksAndMoves::default()]; process.states.len()];
        for (index, transition) in process.transitions.iter().enumerate() {
            if !meets(program, transition) || transition.guard.as_ref().is_some_and(may_fail) {
                let reads = looks_of(program, written, transition);
                join_group(&mut states[transition.from], reads, (number, index));
            }
        }
        all.push(states);
    }
    let moves = |groups: Vec<LooksAndMoves>| groups.into_iter().map(|(_, moves)| moves).collect();
    all.into_iter()
        .map(|states| states.into_iter().map(moves).collect())
        .collect()
}

type LooksAndMoves = (HashSet<usize>, Vec<Move>);

/// Puts a transition where it adds the fewest looks, if all of them together are few.
fn join_group(groups: &mut Vec<LooksAndMoves>, reads: HashSet<usize>, moved: Move) {
    let growth = |group: &HashSet<usize>| reads.difference(group).count();
    let fits =
        |group: &HashSet<usize>| group.is_empty() || group.len() + growth(group) <= GROUP_LOOKS;
    let fitting = groups.iter_mut().filter(|(group, _)| fits(group));
    match fitting.min_by_key(|(group, _)| growth(group)) {
        Some((group, moves)) => {
            group.extend(&reads);
            moves.push(moved);
        }
        None => groups.push((reads, vec![moved])),
    }
}

/// The slots that a transition may look at; of an array with a variable index the first two stand
/// for those that it will look at in one state.
fn looks_of(program: &Program, written: &[bool], transition: &Transition) -> HashSet<usize> {
    let mut slots = HashSet::new();
    let mut see = |expr: &Expr| slots_of(expr, &mut slots);
    transition.guard.iter().for_each(&mut see);
    for effect in &transition.effects {
        see(&effect.value);
        effect.place.index.as_deref().into_iter().for_each(&mut see);
    }
    if let Some(Sync::Send { values, .. }) = &transition.sync {
        values.iter().for_each(&mut see);
    }
    if let Some(Sync::Send { channel, .. } | Sync::Receive { channel, .. }) = &transition.sync {
        slots.insert(program.slots.len() + channel);
    }
    slots.retain(|slot| written.get(*slot).is_none_or(|written| *written));
    slots
}

fn slots_of(expr: &Expr, slots: &mut HashSet<usize>) {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => {}
        Expr::Read(place) => match place.index.as_deref() {
            None => slots.extend([place.first_slot]),
            Some(Expr::Number(index)) => {
                let inside = usize::try_from(*index)
                    .ok()
                    .filter(|index| *index < place.length);
                slots.extend(inside.map(|index| place.first_slot + index));
            }
            Some(index) => {
                slots.extend(place.first_slot..place.first_slot + place.length.min(2));
                slots_of(index, slots);
            }
        },
        Expr::Unary(_, operand) => slots_of(operand, slots),
        Expr::Binary(_, left, right, _) => {
            slots_of(left, slots);
            slots_of(right, slots);
        }
    }
}

/// What a send may come to: an offer to each process that could take it, and the handshakes with it.
fn jobs_of(program: &Program, receivers: &[Vec<Move>], sender: Move) -> Vec<DveGroup> {
    let mut jobs = Vec::new();
    let Some(Sync::Send { channel, .. }) = &transition(program, sender).sync else {
        return jobs;
    };
    if program.channels[*channel].capacity > 0 {
        return jobs;
    }
    for receivers in receivers[*channel].chunk_by(|one, other| one.0 == other.0) {
        let partner = receivers[0].0;
        if partner != sender.0 {
            jobs.extend([
                DveGroup::Offer(sender, partner),
                DveGroup::OfferToCommitted(sender, partner),
            ]);
            let handshake = |receiver: &Move| DveGroup::Handshake(sender, *receiver);
            jobs.extend(receivers.iter().map(handshake));
        }
    }
    jobs
}

pub(super) fn transition(program: &Program, (process, number): Move) -> &Transition {
    &program.processes[process].transitions[number]
}

/// By channel: the transitions that take from it, process by process.
fn receivers(program: &Program) -> Vec<Vec<Move>> {
    let mut receivers = vec![Vec::new(); program.channels.len()];
    for (number, process) in program.processes.iter().enumerate() {
        for (index, transition) in process.transitions.iter().enumerate() {
            if let Some(Sync::Receive { channel, .. }) = &transition.sync {
                receivers[*channel].push((number, index));
            }
        }
    }
    receivers
}

/// Whether a transition needs another process.
pub(super) fn meets(program: &Program, transition: &Transition) -> bool {
    match &transition.sync {
        None => false,
        Some(Sync::Send { channel, .. } | Sync::Receive { channel, .. }) => {
            program.channels[*channel].capacity == 0
        }
    }
}

/// Whether evaluation can fail at all: by division, or by an index that is not a constant.
fn may_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => false,
        Expr::Read(place) => place.index.as_ref().is_some_and(|index| match **index {
            Expr::Number(index) => !(0..place.length as i32).contains(&index),
            _ => true,
        }),
        Expr::Unary(_, operand) => may_fail(operand),
        Expr::Binary(operator, left, right, _) => {
            matches!(*operator, "/" | "%") || may_fail(left) || may_fail(right)
        }
    }
}
