//! What a DVE program does: the rules of DiVinE, one step at a time.
//!
//! A step is one transition of one process, or a handshake of two. While some process is in a
//! committed state, only steps in which such a process takes part are possible.

use super::{Edge, Expansion, PropertyId, Target, TransitionSystem};
use crate::import::dve::{Effect, Expr, Place, Program, Sync, Transition};

/// The properties that every program has.
pub const DVE_PROPERTIES: [&str; 3] = ["assertion_failure", "deadlock", "arithmetic_fault"];
const ASSERTION_FAILURE: PropertyId = PropertyId(0);
const DEADLOCK: PropertyId = PropertyId(1);
const ARITHMETIC_FAULT: PropertyId = PropertyId(2);

pub struct DveSystem<'p> {
    program: &'p Program,
}

/// Values of all slots, then the state of each process, then the content of each channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DveState {
    pub values: Box<[i32]>,
    pub processes: Box<[u32]>,
    pub channels: Box<[Vec<Vec<i32>>]>,
}

/// The transitions that a step takes, each as process and number; the sender first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DveStep(pub Vec<(usize, usize)>);

/// Division by zero, an index outside an array.
struct Failed;

type Evaluated = Result<i32, Failed>;

impl<'p> DveSystem<'p> {
    pub fn new(program: &'p Program) -> DveSystem<'p> {
        DveSystem { program }
    }

    fn transition(&self, process: usize, number: usize) -> &'p Transition {
        &self.program.processes[process].transitions[number]
    }

    fn is_committed(&self, state: &DveState, process: usize) -> bool {
        let at = state.processes[process] as usize;
        self.program.processes[process].states[at].is_committed
    }

    /// The transitions of a process that start where it is and whose guard holds.
    fn enabled(&self, state: &DveState, process: usize) -> Result<Vec<usize>, DveStep> {
        let at = state.processes[process] as usize;
        let transitions = self.program.processes[process]
            .transitions
            .iter()
            .enumerate();
        let mut enabled = Vec::new();
        for (number, transition) in transitions.filter(|(_, t)| t.from == at) {
            let guard = transition.guard.as_ref();
            match guard.map_or(Ok(1), |guard| evaluate(guard, state)) {
                Ok(0) => {}
                Ok(_) => enabled.push(number),
                Err(Failed) => return Err(DveStep(vec![(process, number)])),
            }
        }
        Ok(enabled)
    }

    /// All steps that are possible, or fail.
    fn steps(&self, state: &DveState) -> Vec<Result<DveStep, DveStep>> {
        let processes = 0..self.program.processes.len();
        let committed = processes.clone().any(|p| self.is_committed(state, p));
        let mut all = Vec::new();
        let enabled: Vec<Vec<usize>> = processes
            .clone()
            .map(|process| match self.enabled(state, process) {
                Ok(enabled) => enabled,
                Err(step) => {
                    all.push(Err(step));
                    Vec::new()
                }
            })
            .collect();
        for process in processes {
            for number in &enabled[process] {
                self.steps_with(state, (process, *number), &enabled, committed, &mut all);
            }
        }
        all
    }

    /// The steps that a transition makes alone, or begins as the sender.
    fn steps_with(
        &self,
        state: &DveState,
        (process, number): (usize, usize),
        enabled: &[Vec<usize>],
        committed: bool,
        all: &mut Vec<Result<DveStep, DveStep>>,
    ) {
        let takes_part = !committed || self.is_committed(state, process);
        let room = |channel: usize| {
            let capacity = self.program.channels[channel].capacity;
            (capacity, state.channels[channel].len())
        };
        let alone = DveStep(vec![(process, number)]);
        match &self.transition(process, number).sync {
            None if takes_part => all.push(Ok(alone)),
            None => {}
            Some(Sync::Send { channel, .. }) => match room(*channel) {
                (0, _) => {
                    self.handshakes(state, (process, number), *channel, enabled, committed, all)
                }
                (capacity, waiting) if waiting < capacity && takes_part => all.push(Ok(alone)),
                _ => {}
            },
            Some(Sync::Receive { channel, .. }) => match room(*channel) {
                (0, _) => {} // the sender begins
                (_, waiting) if waiting > 0 && takes_part => all.push(Ok(alone)),
                _ => {}
            },
        }
    }

    fn handshakes(
        &self,
        state: &DveState,
        sender: (usize, usize),
        channel: usize,
        enabled: &[Vec<usize>],
        committed: bool,
        all: &mut Vec<Result<DveStep, DveStep>>,
    ) {
        for (process, numbers) in enabled.iter().enumerate() {
            let involved = self.is_committed(state, sender.0) || self.is_committed(state, process);
            if process == sender.0 || (committed && !involved) {
                continue;
            }
            for number in numbers {
                let sync = &self.transition(process, *number).sync;
                if matches!(sync, Some(Sync::Receive { channel: other, .. }) if *other == channel) {
                    all.push(Ok(DveStep(vec![sender, (process, *number)])));
                }
            }
        }
    }

    /// Values are passed on first, then the effects run, the sender's before the receiver's.
    fn apply(&self, state: &DveState, step: &DveStep) -> Result<DveState, Failed> {
        let mut next = state.clone();
        self.communicate(state, &mut next, step)?;
        for (process, number) in &step.0 {
            let transition = self.transition(*process, *number);
            next.processes[*process] = transition.to as u32;
            for Effect { place, value } in &transition.effects {
                let value = evaluate(value, &next)?;
                self.store(&mut next, place, value)?;
            }
        }
        Ok(next)
    }

    fn communicate(
        &self,
        state: &DveState,
        next: &mut DveState,
        step: &DveStep,
    ) -> Result<(), Failed> {
        let transitions: Vec<&Transition> = step
            .0
            .iter()
            .map(|(process, number)| self.transition(*process, *number))
            .collect();
        let syncs: Vec<Option<&Sync>> = transitions.iter().map(|t| t.sync.as_ref()).collect();
        match syncs[..] {
            [
                Some(Sync::Send { values, .. }),
                Some(Sync::Receive { places, .. }),
            ] => {
                for (place, value) in places.iter().zip(values) {
                    let value = evaluate(value, state)?;
                    self.store(next, place, value)?;
                }
            }
            [Some(Sync::Send { channel, values })] => {
                let message: Result<Vec<i32>, Failed> =
                    values.iter().map(|value| evaluate(value, state)).collect();
                next.channels[*channel].push(message?);
            }
            [Some(Sync::Receive { channel, places })] => {
                let message = next.channels[*channel].remove(0);
                for (place, value) in places.iter().zip(message) {
                    self.store(next, place, value)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn store(&self, state: &mut DveState, place: &Place, value: i32) -> Result<(), Failed> {
        let slot = locate(place, state)?;
        let (width, _) = self.program.slots[slot];
        state.values[slot] = width.wrap(value);
        Ok(())
    }

    fn asserts(&self, state: &DveState) -> bool {
        let mut processes = self.program.processes.iter().zip(&state.processes);
        processes.all(|(process, at)| {
            let mut assertions = process.states[*at as usize].assertions.iter();
            assertions.all(|(condition, _)| !matches!(evaluate(condition, state), Ok(0) | Err(_)))
        })
    }
}

impl TransitionSystem for DveSystem<'_> {
    type State = DveState;
    type Step = DveStep;

    fn initial(&self) -> Vec<Edge<DveState, DveStep>> {
        let program = self.program;
        let state = DveState {
            values: program.slots.iter().map(|(_, value)| *value).collect(),
            processes: program
                .processes
                .iter()
                .map(|process| process.initial as u32)
                .collect(),
            channels: program.channels.iter().map(|_| Vec::new()).collect(),
        };
        vec![Edge {
            step: DveStep(Vec::new()),
            target: Target::State(state),
            violated: Vec::new(),
        }]
    }

    fn expand(&self, state: &DveState) -> Expansion<DveState, DveStep> {
        let mut edges = Vec::new();
        for step in self.steps(state) {
            let reached = match &step {
                Ok(step) => self.apply(state, step),
                Err(_) => Err(Failed),
            };
            let (Ok(step) | Err(step)) = step;
            let (target, violated) = match reached {
                Ok(next) => (Target::State(next), Vec::new()),
                Err(Failed) => (Target::Nowhere, vec![ARITHMETIC_FAULT]),
            };
            edges.push(Edge {
                step,
                target,
                violated,
            });
        }
        let is_deadlock = edges.is_empty();
        let mut violated = Vec::new();
        violated.extend((!self.asserts(state)).then_some(ASSERTION_FAILURE));
        violated.extend(is_deadlock.then_some(DEADLOCK));
        Expansion {
            edges,
            violated,
            is_deadlock,
        }
    }
}

fn locate(place: &Place, state: &DveState) -> Result<usize, Failed> {
    let Some(index) = &place.index else {
        return Ok(place.first_slot);
    };
    let index = evaluate(index, state)?;
    let inside = usize::try_from(index)
        .ok()
        .filter(|index| *index < place.length);
    inside.map(|index| place.first_slot + index).ok_or(Failed)
}

fn evaluate(expr: &Expr, state: &DveState) -> Evaluated {
    match expr {
        Expr::Number(number) => Ok(*number),
        Expr::Read(place) => Ok(state.values[locate(place, state)?]),
        Expr::InState {
            process,
            state: wanted,
        } => Ok(i32::from(state.processes[*process] as usize == *wanted)),
        Expr::Unary(operator, operand) => {
            let value = evaluate(operand, state)?;
            Ok(match *operator {
                "-" => value.wrapping_neg(),
                "~" => !value,
                _ => i32::from(value == 0),
            })
        }
        Expr::Binary(operator, left, right, _) => binary(operator, left, right, state),
    }
}

fn binary(operator: &str, left: &Expr, right: &Expr, state: &DveState) -> Evaluated {
    let left = evaluate(left, state)?;
    let truth = |truth: bool| Ok(i32::from(truth));
    match operator {
        "and" | "&&" if left == 0 => return Ok(0),
        "or" | "||" if left != 0 => return Ok(1),
        "imply" if left == 0 => return Ok(1),
        _ => {}
    }
    let right = evaluate(right, state)?;
    match operator {
        "and" | "&&" | "or" | "||" | "imply" => truth(right != 0),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<" => truth(left < right),
        "<=" => truth(left <= right),
        ">" => truth(left > right),
        ">=" => truth(left >= right),
        "|" => Ok(left | right),
        "^" => Ok(left ^ right),
        "&" => Ok(left & right),
        "<<" => Ok(left.wrapping_shl(right as u32)),
        ">>" => Ok(left.wrapping_shr(right as u32)),
        "+" => Ok(left.wrapping_add(right)),
        "-" => Ok(left.wrapping_sub(right)),
        "*" => Ok(left.wrapping_mul(right)),
        "/" => left.checked_div(right).ok_or(Failed),
        "%" => left.checked_rem(right).ok_or(Failed),
        other => unreachable!("the parser reads no operator `{other}`"),
    }
}
