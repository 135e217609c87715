//! DVE programs in certificates.

use std::io::{self, Read};

use super::language::{Content, Fault, Reference};
use super::numbers::{invalid, read_below, read_signed, write_number, write_signed};
use crate::dve::{
    DVE_PROPERTIES, DveState, DveStep, DveValue, Part, Program, Semantics, content, join, parts,
};
use crate::evidence::StepRecord;
use crate::system::{PropertyId, System, Target, Transition};

/// Beyond this a message was not sent by a program.
const MOST_VALUES: usize = 1 << 20;

impl Content for DveValue {
    fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            DveValue::Number(number) => write_signed(out, i64::from(*number)),
            DveValue::Queue(queue) => {
                write_number(out, queue.len() as u64)?;
                queue
                    .iter()
                    .try_for_each(|message| write_message(out, message))
            }
            DveValue::Message(_) => unreachable!("a piece of a part"),
        }
    }
}

fn write_message(out: &mut Vec<u8>, message: &[i32]) -> io::Result<()> {
    write_number(out, message.len() as u64)?;
    let mut values = message.iter();
    values.try_for_each(|value| write_signed(out, i64::from(*value)))
}

pub struct DveReference<'p> {
    program: &'p Program,
    semantics: Semantics<'p>,
    parts: Vec<Part>,
}

impl<'p> DveReference<'p> {
    pub fn new(program: &'p Program) -> DveReference<'p> {
        DveReference {
            program,
            semantics: Semantics::new(program),
            parts: parts(program),
        }
    }
}

impl Reference for DveReference<'_> {
    type State = DveState;
    type Content = DveValue;
    type Step = Transition<DveState, DveStep>;

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn read(&self, part: usize, from: &mut impl Read) -> io::Result<DveValue> {
        match self.parts[part] {
            Part::At(process) => {
                let states = self.program.processes[process].states.len() as i32;
                number(from, |state| (0..states).contains(&state))
            }
            Part::Slot(slot) => {
                let (width, _) = self.program.slots[slot];
                number(from, |value| width.wrap(value) == value)
            }
            Part::Channel(channel) => {
                let most = self.program.channels[channel].capacity;
                let waiting = 0..read_below(from, most + 1)?;
                let queue = waiting.map(|_| message(from));
                queue.collect::<io::Result<_>>().map(DveValue::Queue)
            }
        }
    }

    fn join(&self, contents: &[&DveValue]) -> DveState {
        join(self.program, &self.parts, contents)
    }

    fn content(&self, state: &DveState, part: usize) -> DveValue {
        content(state, self.parts[part])
    }

    fn initial(&self) -> Vec<Self::Step> {
        self.semantics.initial()
    }

    fn successors(&self, state: &DveState) -> Vec<Self::Step> {
        self.semantics.successors(state)
    }

    fn target<'s>(&self, step: &'s Self::Step) -> Target<&'s DveState> {
        match &step.target {
            Target::State(state) => Target::State(state),
            Target::Error => Target::Error,
            Target::Bounded => Target::Bounded,
            Target::Truncated => Target::Truncated,
        }
    }

    fn faults_of_state(&self, state: &DveState, successors: &[Self::Step]) -> Vec<Fault> {
        faults(&self.semantics.judge(state, successors))
    }

    fn faults_of_step(&self, step: &Self::Step) -> Vec<Fault> {
        faults(&step.violated)
    }

    fn described(&self, step: &Self::Step) -> String {
        let record = StepRecord::of_dve(self.program, &step.action);
        serde_json::to_string(&record).unwrap_or_default()
    }

    fn property(&self, property: usize) -> String {
        DVE_PROPERTIES[property].to_owned()
    }
}

fn faults(violated: &[PropertyId]) -> Vec<Fault> {
    let fault =
        |property: &PropertyId| (property.0, "it is violated in one of the states".to_owned());
    violated.iter().map(fault).collect()
}

fn message(from: &mut impl Read) -> io::Result<Vec<i32>> {
    let values = 0..read_below(from, MOST_VALUES)?;
    values.map(|_| value(from)).collect()
}

fn value(from: &mut impl Read) -> io::Result<i32> {
    let number = read_signed(from)?;
    i32::try_from(number).map_err(|_| invalid(format!("{number} is no value")))
}

fn number(from: &mut impl Read, fits: impl Fn(i32) -> bool) -> io::Result<DveValue> {
    let number = value(from)?;
    match fits(number) {
        true => Ok(DveValue::Number(number)),
        false => Err(invalid(format!("{number} does not fit its place"))),
    }
}
