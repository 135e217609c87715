//! What a DVE program does: the rules of DiVinE, one step at a time.
//!
//! A step is one transition of one process, or a handshake of two. While some process is in a
//! committed state, only steps in which such a process takes part are possible.

use super::evaluate::{Failed, holds, perform};
use super::program::{self, Expr, Program, Sync};
use crate::lang::Span;
use crate::system::{Label, LabelId, PropertyId, Successors, System, Target, Transition};

/// The properties that every program has.
pub const DVE_PROPERTIES: [&str; 3] = ["assertion_failure", "deadlock", "arithmetic_fault"];
pub const ASSERTION_FAILURE: PropertyId = PropertyId(0);
pub const DEADLOCK: PropertyId = PropertyId(1);
pub const ARITHMETIC_FAULT: PropertyId = PropertyId(2);

/// The reference: what a program does, slow and obvious.
#[derive(Clone, Copy, Debug)]
pub struct Semantics<'p> {
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

impl<'p> Semantics<'p> {
    pub fn new(program: &'p Program) -> Semantics<'p> {
        Semantics { program }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The states of all processes.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let processes = self.program.processes.iter().enumerate();
        processes.flat_map(|(number, process)| {
            (0..process.states.len()).map(move |state| (number, state))
        })
    }

    fn transition(&self, process: usize, number: usize) -> &'p program::Transition {
        &self.program.processes[process].transitions[number]
    }

    fn is_committed(&self, state: &DveState, process: usize) -> bool {
        let at = state.processes[process] as usize;
        self.program.processes[process].states[at].is_committed
    }

    /// What is wrong with a state itself, given what can happen there.
    pub fn judge(
        &self,
        state: &DveState,
        successors: &[Transition<DveState, DveStep>],
    ) -> Vec<PropertyId> {
        let broken = self.program.broken_assertion(state);
        let mut violated = Vec::from_iter(broken.map(|_| ASSERTION_FAILURE));
        violated.extend(successors.is_empty().then_some(DEADLOCK));
        violated
    }

    pub fn initial_state(&self) -> DveState {
        let program = self.program;
        let processes = program.processes.iter();
        DveState {
            values: program.slots.iter().map(|(_, value)| *value).collect(),
            processes: processes.map(|process| process.initial as u32).collect(),
            channels: program.channels.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// Whether a process may begin a step: not if only others are committed.
    fn takes_part(&self, state: &DveState, process: usize, committed: bool) -> bool {
        !committed || self.is_committed(state, process)
    }

    /// The transitions of a process that start where it is and whose guard holds, or fails.
    fn enabled(&self, state: &DveState, process: usize) -> Vec<Result<usize, usize>> {
        let at = state.processes[process] as usize;
        let transitions = &self.program.processes[process].transitions;
        let here = transitions.iter().enumerate().filter(|(_, t)| t.from == at);
        let judged = here.filter_map(|(number, transition)| {
            match holds(transition.guard.as_ref(), &mut state.clone()) {
                Ok(true) => Some(Ok(number)),
                Ok(false) => None,
                Err(Failed) => Some(Err(number)),
            }
        });
        judged.collect()
    }

    /// All steps that are possible, or fail already in a guard.
    fn steps(&self, state: &DveState) -> Vec<Result<DveStep, DveStep>> {
        let processes = 0..self.program.processes.len();
        let committed = processes.clone().any(|p| self.is_committed(state, p));
        let enabled: Vec<Vec<Result<usize, usize>>> =
            processes.clone().map(|p| self.enabled(state, p)).collect();
        let mut all = Vec::new();
        for process in processes {
            for transition in &enabled[process] {
                match transition {
                    Ok(number) => {
                        self.steps_with(state, (process, *number), &enabled, committed, &mut all);
                    }
                    Err(number) if self.takes_part(state, process, committed) => {
                        all.push(Err(DveStep(vec![(process, *number)])));
                    }
                    Err(_) => {}
                }
            }
        }
        all
    }

    /// The steps that a transition makes alone, or begins as the sender.
    fn steps_with(
        &self,
        state: &DveState,
        (process, number): (usize, usize),
        enabled: &[Vec<Result<usize, usize>>],
        committed: bool,
        all: &mut Vec<Result<DveStep, DveStep>>,
    ) {
        let takes_part = self.takes_part(state, process, committed);
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
        enabled: &[Vec<Result<usize, usize>>],
        committed: bool,
        all: &mut Vec<Result<DveStep, DveStep>>,
    ) {
        for (process, numbers) in enabled.iter().enumerate() {
            let involved = self.is_committed(state, sender.0) || self.is_committed(state, process);
            if process == sender.0 || (committed && !involved) {
                continue;
            }
            for number in numbers.iter().flatten() {
                if self.receives_from(process, *number, channel) {
                    all.push(Ok(DveStep(vec![sender, (process, *number)])));
                }
            }
        }
    }

    fn receives_from(&self, process: usize, number: usize, channel: usize) -> bool {
        let sync = &self.transition(process, number).sync;
        matches!(sync, Some(Sync::Receive { channel: other, .. }) if *other == channel)
    }

    fn apply(&self, state: &DveState, step: &DveStep) -> Result<DveState, Failed> {
        let mut next = state.clone();
        let transitions = step.0.iter();
        let transitions: Vec<(usize, &program::Transition)> = transitions
            .map(|(process, number)| (*process, self.transition(*process, *number)))
            .collect();
        perform(self.program, &mut next, &transitions)?;
        Ok(next)
    }

    /// What a step that is possible, or whose guard fails, comes to.
    fn transition_of(
        &self,
        state: &DveState,
        step: Result<DveStep, DveStep>,
    ) -> Transition<DveState, DveStep> {
        let reached = match &step {
            Ok(step) => self.apply(state, step),
            Err(_) => Err(Failed),
        };
        let (Ok(step) | Err(step)) = step;
        match reached {
            Ok(next) => Transition::new(step, next),
            Err(Failed) => Transition {
                action: step,
                target: Target::Error,
                violated: vec![ARITHMETIC_FAULT],
                is_choose_free: true,
            },
        }
    }
}

impl Program {
    /// The first assertion that does not hold in a state, or can't be evaluated there.
    pub fn broken_assertion(&self, state: &DveState) -> Option<Span> {
        let at = self.processes.iter().zip(&state.processes);
        let mut assertions = at.flat_map(|(process, at)| &process.states[*at as usize].assertions);
        let broken = |(condition, _): &&(Expr, Span)| {
            !holds(Some(condition), &mut state.clone()).unwrap_or(false)
        };
        assertions.find(broken).map(|(_, span)| *span)
    }
}

impl System for Semantics<'_> {
    type State = DveState;
    type Action = DveStep;

    fn initial(&self) -> Vec<Transition<DveState, DveStep>> {
        vec![Transition::new(DveStep(Vec::new()), self.initial_state())]
    }

    fn successors(&self, state: &DveState) -> Vec<Transition<DveState, DveStep>> {
        let steps = self.steps(state).into_iter();
        steps.map(|step| self.transition_of(state, step)).collect()
    }

    /// One for each property: it is violated. Then one for each state of each process: it is there.
    fn labels(&self) -> Vec<Label> {
        let violated = DVE_PROPERTIES.iter().copied().map(Label::never);
        let places = self.places().map(|(process, state)| {
            let process = &self.program.processes[process];
            Label::proposition(format!("{}.{}", process.name, process.states[state].name))
        });
        violated.chain(places).collect()
    }

    fn label(&self, label: LabelId, state: &DveState) -> bool {
        let Some(place) = label.0.checked_sub(DVE_PROPERTIES.len()) else {
            return self.expand(state).violated.contains(&PropertyId(label.0));
        };
        let mut places = self.places();
        let is_there = |(process, place): (usize, usize)| state.processes[process] == place as u32;
        places.nth(place).is_some_and(is_there)
    }

    fn expand(&self, state: &DveState) -> Successors<DveState, DveStep> {
        let transitions = self.successors(state);
        Successors {
            violated: self.judge(state, &transitions),
            is_deadlock: transitions.is_empty(),
            transitions,
        }
    }
}
