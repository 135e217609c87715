//! What can be said of states, and what is claimed of it.

/// A label, by its place among all of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub usize);

/// Something that is true or false in each state, with a claim that makes it a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    name: String,
    /// What it is to be in every state that can be reached.
    claim: bool,
}

impl Label {
    /// It is true in every state that can be reached: an invariant.
    pub fn always(name: impl Into<String>) -> Label {
        Label {
            name: name.into(),
            claim: true,
        }
    }

    /// It is true in no state that can be reached. If that is violated, the trace leads to such a state: so
    /// puzzles are solved.
    pub fn never(name: impl Into<String>) -> Label {
        Label {
            name: name.into(),
            claim: false,
        }
    }

    /// What people call it, and the property that it makes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a state in which it has this value violates what is claimed.
    pub(super) fn is_violated_where(&self, value: bool) -> bool {
        value != self.claim
    }
}
