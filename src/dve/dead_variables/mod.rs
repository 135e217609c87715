//! Dead slots of DVE programs.
//!
//! What a process may still read depends on its state. Whether *anyone* may still read a slot
//! depends on the states of all processes. So that the state of one can decide, only slots are
//! considered that at most one process ever reads before it writes them: its own variables, mostly,
//! but global ones as well. (To look at all states merges at most a tenth more states of the BEEM
//! models, and of most none.)

use crate::dead_variables::{Access, FlowEdge, Slots, live};
use crate::dve::{DveState, Expr, Place, Process, Program, Sync, Transition};
use crate::lang::limits;
use crate::system::Reset;

#[derive(Clone, Debug)]
pub struct DeadSlots {
    /// By process and state.
    dead: Vec<Vec<Vec<usize>>>,
}

impl DeadSlots {
    pub fn new(program: &Program) -> DeadSlots {
        let nothing = |process: &Process| vec![Vec::new(); process.states.len()];
        let mut dead: Vec<Vec<Vec<usize>>> = program.processes.iter().map(nothing).collect();
        if size(program) > limits::LIVENESS {
            return DeadSlots { dead };
        }
        let count = program.slots.len();
        let processes = program.processes.iter();
        let live: Vec<Vec<Slots>> = processes.map(|p| live_slots(p, count)).collect();
        for slot in 0..count {
            let Some(owner) = owner(&live, slot) else {
                continue;
            };
            for (dead, live) in dead[owner].iter_mut().zip(&live[owner]) {
                dead.extend((!live.contains(slot)).then_some(slot));
            }
        }
        DeadSlots { dead }
    }

    /// The slots that are dead while the process is in the state, whatever all others do; in order.
    /// It is always the same process that decides about a slot.
    pub fn at(&self, process: usize, state: usize) -> &[usize] {
        &self.dead[process][state]
    }
}

fn size(program: &Program) -> usize {
    let processes = program.processes.iter();
    let parts: usize = processes
        .map(|p| p.states.len() + p.transitions.len())
        .sum();
    parts.saturating_mul(program.slots.len())
}

/// The process that decides about a slot: the only one that ever reads it from before, or the first
/// if none does.
fn owner(live: &[Vec<Slots>], slot: usize) -> Option<usize> {
    let reads = |process: &usize| live[*process].iter().any(|set| set.contains(slot));
    let mut readers = (0..live.len()).filter(reads);
    match (readers.next(), readers.next()) {
        (None, _) => (!live.is_empty()).then_some(0),
        (reader, None) => reader,
        _ => None,
    }
}

/// By state: the slots that the process may read, going on from there, before it writes them.
fn live_slots(process: &Process, count: usize) -> Vec<Slots> {
    let asserted = process.states.iter().map(|state| {
        let conditions = state.assertions.iter();
        let code = conditions.fold(Access::none(count), |code, (condition, _)| {
            read(code, condition)
        });
        let to = Vec::new();
        vec![FlowEdge { code, to }]
    });
    let mut nodes: Vec<Vec<FlowEdge>> = asserted.collect();
    for transition in &process.transitions {
        nodes[transition.from].push(FlowEdge {
            code: code_of(transition, count),
            to: vec![transition.to],
        });
    }
    live(&nodes, count)
}

/// Guard, then what is sent or received, then the effects.
fn code_of(transition: &Transition, count: usize) -> Access {
    let guard = transition.guard.iter();
    let mut code = guard.fold(Access::none(count), read);
    code = match &transition.sync {
        Some(Sync::Receive { places, .. }) => places.iter().fold(code, write),
        Some(Sync::Send { values, .. }) => values.iter().fold(code, read),
        None => code,
    };
    let effects = transition.effects.iter();
    effects.fold(code, |code, effect| {
        write(read(code, &effect.value), &effect.place)
    })
}

fn write(code: Access, place: &Place) -> Access {
    let index = place.index.iter();
    let code = index.fold(code, |code, index| read(code, index));
    code.writes(slots_of(place))
}

fn read(code: Access, expr: &Expr) -> Access {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => code,
        Expr::Read(place) => {
            let index = place.index.iter();
            let code = index.fold(code, |code, index| read(code, index));
            code.reads(slots_of(place))
        }
        Expr::Unary(_, operand) => read(code, operand),
        Expr::Binary(_, left, right, _) => read(read(code, left), right),
    }
}

/// The slots that a place may mean: one, if the index is known.
fn slots_of(place: &Place) -> std::ops::Range<usize> {
    let all = place.first_slot..place.first_slot + place.length;
    let index = place.index.as_deref().and_then(number);
    let index = index.and_then(|index| usize::try_from(index).ok());
    match index.filter(|index| *index < place.length) {
        Some(index) => place.first_slot + index..place.first_slot + index + 1,
        None => all,
    }
}

/// The value of an index such as `2*7+3`.
fn number(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Number(number) => Some(*number),
        Expr::Binary(operator, left, right, _) => {
            let (left, right) = (number(left)?, number(right)?);
            match *operator {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Reset<DveState> for DeadSlots {
    fn reset(&self, state: &mut DveState) {
        for (process, at) in state.processes.iter().enumerate() {
            for slot in self.at(process, *at as usize) {
                state.values[*slot] = 0;
            }
        }
    }
}
