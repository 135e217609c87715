//! What an explorer sees of a model: states, steps between them, and which properties they
//! violate. An explorer knows nothing else.

mod factored;
mod label;
mod reason;
mod resetting;
mod whole;

pub use factored::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, LocalTransition, Projection, Read, Update,
};
pub use label::{Label, LabelId};
pub use reason::Reason;
pub use resetting::{Reset, Resetting};
pub use whole::{Made, Whole};

use std::hash::Hash;

/// A property, by its place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub usize);

/// A transition system: what can happen, and what is true where. All of it must be the same whenever it is
/// asked for again, transitions in the same order: traces are found by asking twice.
pub trait System: Sync {
    /// All that matters for what can happen next.
    type State: Clone + Eq + Hash + Send + Sync;
    /// Says what was done, for whoever reads a trace.
    type Action: Clone;

    /// The ways in which the system comes into being.
    fn initial(&self) -> Vec<Transition<Self::State, Self::Action>>;

    /// What can happen in a state.
    fn successors(&self, state: &Self::State) -> Vec<Transition<Self::State, Self::Action>>;

    /// What can be said of states, and what is claimed of it.
    fn labels(&self) -> Vec<Label>;

    /// Whether that, by its place in `labels`, is true in a state.
    fn label(&self, label: LabelId, state: &Self::State) -> bool;

    /// What can happen in a state, and what is wrong with it: all at once, for systems that have it cheaper
    /// so, or have properties that are more than a label.
    fn expand(&self, state: &Self::State) -> Successors<Self::State, Self::Action> {
        let transitions = self.successors(state);
        let labels = self.labels();
        Successors {
            is_deadlock: transitions.is_empty(),
            transitions,
            violated: violated(self, &labels, state),
        }
    }
}

/// Of properties that are labels: those that a state violates.
fn violated<S: System + ?Sized>(system: &S, labels: &[Label], state: &S::State) -> Vec<PropertyId> {
    let claimed = labels.iter().zip(0..);
    let broken =
        claimed.filter(|(label, id)| label.is_violated_where(system.label(LabelId(*id), state)));
    broken.map(|(_, id)| PropertyId(id)).collect()
}

/// All that was found in a state.
#[derive(Clone, Debug)]
pub struct Successors<State, Action> {
    /// What can happen.
    pub transitions: Vec<Transition<State, Action>>,
    /// The properties that the state itself violates.
    pub violated: Vec<PropertyId>,
    /// Nothing can happen, although something should.
    pub is_deadlock: bool,
}

/// Something that can happen.
#[derive(Clone, Debug)]
pub struct Transition<State, Action> {
    /// What is done.
    pub action: Action,
    /// Where it leads.
    pub target: Target<State>,
    /// The properties that the step violates.
    pub violated: Vec<PropertyId>,
    /// It is no guess for what an abstraction has forgotten.
    pub is_choose_free: bool,
}

impl<State, Action> Transition<State, Action> {
    /// An action that leads to a state, and violates nothing by itself.
    pub fn new(action: Action, state: State) -> Transition<State, Action> {
        Transition {
            action,
            target: Target::State(state),
            violated: Vec::new(),
            is_choose_free: true,
        }
    }
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target<State> {
    /// To another state, or the same.
    State(State),
    /// The step failed: there is nothing to go on from.
    Error,
    /// The run is cut here, at a bound that the model sets.
    Bounded,
    /// There are too many states to look at.
    Truncated,
}
