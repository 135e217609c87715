//! Models of our language in certificates.

use std::io::{self, Read};

use super::contents::{read_content, write_content};
use super::language::{Content, Fault, Reference};
use crate::csm::{
    ComponentValue, Configuration, Part, Precision, Semantics, Successor, content, holds, join,
    parts,
};
use crate::evidence::StepRecord;
use crate::system::Target;

impl Content for ComponentValue {
    fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write_content(out, self)
    }
}

pub struct CsmReference<'a, 'm, P> {
    semantics: &'a Semantics<'m, P>,
    parts: Vec<Part>,
}

impl<'a, 'm, P: Precision> CsmReference<'a, 'm, P> {
    pub fn new(semantics: &'a Semantics<'m, P>) -> CsmReference<'a, 'm, P> {
        CsmReference {
            semantics,
            parts: parts(semantics.model()),
        }
    }
}

impl<P: Precision + Sync> Reference for CsmReference<'_, '_, P> {
    type State = Configuration;
    type Content = ComponentValue;
    type Step = Successor;

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn read(&self, part: usize, from: &mut impl Read) -> io::Result<ComponentValue> {
        read_content(from, self.semantics.model(), self.parts[part])
    }

    fn join(&self, contents: &[&ComponentValue]) -> Configuration {
        let contents = contents.iter().copied();
        join(self.semantics.model(), &self.parts, contents)
    }

    fn content(&self, state: &Configuration, part: usize) -> ComponentValue {
        content(self.semantics.model(), state, self.parts[part])
    }

    fn holds(&self, state: &Configuration, part: usize, content: &ComponentValue) -> bool {
        holds(state, self.parts[part], content)
    }

    fn shares(&self, part: usize, one: &Configuration, other: &Configuration) -> bool {
        match self.parts[part] {
            Part::Control(object) | Part::Value(object, _) => one.shares(other, object),
            _ => false,
        }
    }

    fn initial(&self) -> Vec<Successor> {
        self.semantics.initial()
    }

    fn successors(&self, state: &Configuration) -> Vec<Successor> {
        self.semantics.successors(state)
    }

    fn target<'s>(&self, step: &'s Successor) -> Target<&'s Configuration> {
        match &step.result {
            Target::State(state) => Target::State(state),
            Target::Error => Target::Error,
            Target::Bounded => Target::Bounded,
            Target::Truncated => Target::Truncated,
        }
    }

    fn faults_of_state(&self, state: &Configuration, successors: &[Successor]) -> Vec<Fault> {
        let faults = self.semantics.judge(state, successors).faults.into_iter();
        let told = faults.map(|found| {
            let message = found.fault.map(|fault| fault.message);
            let what = message.unwrap_or_else(|| "it is false in one of the states".to_owned());
            (found.property, what)
        });
        told.collect()
    }

    fn faults_of_step(&self, step: &Successor) -> Vec<Fault> {
        let faults = step.fault.iter().flat_map(|fault| {
            let blamed = self.semantics.blamed(fault).into_iter();
            blamed.map(|property| (property, fault.message.clone()))
        });
        faults.collect()
    }

    fn described(&self, step: &Successor) -> String {
        let record = StepRecord::of(self.semantics.model(), &step.step);
        serde_json::to_string(&record).unwrap_or_default()
    }

    fn property(&self, property: usize) -> String {
        self.semantics.model().properties[property].name.clone()
    }
}
