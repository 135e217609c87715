//! What certificates ask of a language: states that have parts, and a reference semantics that says what
//! follows them and what they violate.

use std::hash::Hash;
use std::io::{self, Read};

use crate::system::Target;

/// What a part of a state holds, as bytes.
pub trait Content: Clone + Eq + Hash + Send + Sync {
    fn write(&self, out: &mut Vec<u8>) -> io::Result<()>;
}

/// A property, of those of the model, and what is wrong.
pub type Fault = (usize, String);

/// The reference semantics of a model. Nothing here is fast, or remembers anything.
pub trait Reference: Sync {
    type State;
    type Content: Content;
    /// Something that can happen.
    type Step;

    /// How many parts a state has.
    fn parts(&self) -> usize;

    /// Reads what a part can hold, and nothing else.
    fn read(&self, part: usize, from: &mut impl Read) -> io::Result<Self::Content>;

    fn join(&self, contents: &[&Self::Content]) -> Self::State;

    fn content(&self, state: &Self::State, part: usize) -> Self::Content;

    /// Whether a part holds this.
    fn holds(&self, state: &Self::State, part: usize, content: &Self::Content) -> bool {
        self.content(state, part) == *content
    }

    /// Whether two states have a part in common, as far as can be seen at no cost.
    fn shares(&self, _part: usize, _one: &Self::State, _other: &Self::State) -> bool {
        false
    }

    fn initial(&self) -> Vec<Self::Step>;

    fn successors(&self, state: &Self::State) -> Vec<Self::Step>;

    fn target<'s>(&self, step: &'s Self::Step) -> Target<&'s Self::State>;

    /// What is wrong with a state, given what can happen there.
    fn faults_of_state(&self, state: &Self::State, successors: &[Self::Step]) -> Vec<Fault>;

    fn faults_of_step(&self, step: &Self::Step) -> Vec<Fault>;

    /// A step as it is written down.
    fn described(&self, step: &Self::Step) -> String;

    fn property(&self, property: usize) -> String;
}
