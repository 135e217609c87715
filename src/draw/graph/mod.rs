//! Graphs of states as texts and pictures: what is drawn of them, and the formats.
//!
//! A graph here knows nothing of models: whoever explores one says in words what its states and steps
//! are.

mod aldebaran;
mod dot;
mod graphml;
mod svg;

pub use aldebaran::aldebaran;
pub use dot::dot;
pub use graphml::graphml;
pub use svg::svg;

pub struct Graph {
    pub name: String,
    pub nodes: Vec<Node>,
    /// Where a run may start.
    pub initial: Vec<usize>,
    pub edges: Vec<Edge>,
}

pub struct Node {
    pub kind: Kind,
    /// What the system is like.
    pub lines: Vec<String>,
    /// The names of properties that the state violates.
    pub violates: Vec<String>,
    pub is_deadlock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    State,
    /// No state: a run that comes here has failed.
    Failure,
    /// No state: runs are not followed any further.
    Cut,
    /// No state: there are too many to look at.
    Unseen,
}

pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    /// The names of properties that the step violates.
    pub violates: Vec<String>,
}

impl Node {
    /// What stands over the lines: its number, or why it is no state.
    fn title(&self, number: usize) -> String {
        match self.kind {
            Kind::State => number.to_string(),
            Kind::Failure => "the run fails".to_owned(),
            Kind::Cut => "the run is cut".to_owned(),
            Kind::Unseen => "too many outcomes".to_owned(),
        }
    }

    /// What is wrong with it, in words.
    fn complaints(&self) -> Vec<String> {
        let deadlock = self.is_deadlock.then(|| "deadlock".to_owned());
        let violated = self.violates.iter().filter(|name| *name != "deadlock");
        let violated = violated.map(|name| format!("violates {name}"));
        deadlock.into_iter().chain(violated).collect()
    }
}

impl Edge {
    /// The step, and what it violates.
    fn text(&self) -> String {
        match self.violates.is_empty() {
            true => self.label.clone(),
            false => format!("{} (violates {})", self.label, self.violates.join(", ")),
        }
    }
}
