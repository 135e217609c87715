//! States as components: each variable, each process's state and each channel is one, unless nothing ever
//! changes it.

use super::program::{Expr, Place, Program, Sync, Variable};
use super::semantics::{DveState, Semantics};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DveValue {
    Number(i32),
    Queue(Vec<Vec<i32>>),
    Message(Option<Vec<i32>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    At(usize),
    Slot(usize),
    Channel(usize),
}

/// What can change, process by process: a process's own variables next to its state.
pub fn parts(program: &Program) -> Vec<Part> {
    let written = written_slots(program);
    let slots = |v: &Variable| v.first_slot..v.first_slot + v.length;
    let changing = |slot: &usize| written[*slot];
    let mut own: Vec<Vec<Part>> = vec![Vec::new(); program.processes.len()];
    let mut shared = Vec::new();
    for variable in &program.variables {
        let parts = match variable.process {
            Some(process) => &mut own[process],
            None => &mut shared,
        };
        parts.extend(slots(variable).filter(changing).map(Part::Slot));
    }
    let mut parts = Vec::new();
    for (number, process) in program.processes.iter().enumerate() {
        parts.extend((process.states.len() > 1).then_some(Part::At(number)));
        parts.append(&mut own[number]);
    }
    parts.append(&mut shared);
    let channels = program.channels.iter().enumerate();
    let buffered = channels.filter(|(_, c)| c.capacity > 0);
    parts.extend(buffered.map(|(channel, _)| Part::Channel(channel)));
    parts
}

pub(in crate::dve) fn written_slots(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.slots.len()];
    let mut write = |place: &Place| match &place.index {
        None => written[place.first_slot] = true,
        Some(index) => match **index {
            Expr::Number(index) if (0..place.length as i32).contains(&index) => {
                written[place.first_slot + index as usize] = true;
            }
            _ => written[place.first_slot..][..place.length].fill(true),
        },
    };
    for transition in program.processes.iter().flat_map(|p| &p.transitions) {
        transition
            .effects
            .iter()
            .for_each(|effect| write(&effect.place));
        if let Some(Sync::Receive { places, .. }) = &transition.sync {
            places.iter().for_each(&mut write);
        }
    }
    written
}

/// What a component holds in a state.
pub fn content(state: &DveState, part: Part) -> DveValue {
    match part {
        Part::At(process) => DveValue::Number(state.processes[process] as i32),
        Part::Slot(slot) => DveValue::Number(state.values[slot]),
        Part::Channel(channel) => DveValue::Queue(state.channels[channel].clone()),
    }
}

/// Gives a component of a state another content.
pub fn put(state: &mut DveState, part: Part, value: &DveValue) {
    match (part, value) {
        (Part::At(process), DveValue::Number(at)) => state.processes[process] = *at as u32,
        (Part::Slot(slot), DveValue::Number(value)) => state.values[slot] = *value,
        (Part::Channel(channel), DveValue::Queue(queue)) => {
            state.channels[channel].clone_from(queue);
        }
        _ => unreachable!("the content of another component"),
    }
}

/// The state of a program whose components, in their order, hold this.
pub fn join(program: &Program, parts: &[Part], values: &[&DveValue]) -> DveState {
    let mut state = Semantics::new(program).initial_state();
    for (part, value) in parts.iter().zip(values) {
        put(&mut state, *part, value);
    }
    state
}
