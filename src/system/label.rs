//! What can be said of states, and what is claimed of it.

/// A label, by its place among all of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub usize);

/// Something that is true or false in each state: an atomic proposition; with a claim it is a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    name: String,
    /// What it is to be in every state that can be reached, if that is claimed.
    claim: Option<bool>,
}

impl Label {
    /// It is true in every state that can be reached: an invariant.
    pub fn always(name: impl Into<String>) -> Label {
        Label {
            name: name.into(),
            claim: Some(true),
        }
    }

    /// It is true in no state that can be reached. If that is violated, the trace leads to such a state: so
    /// puzzles are solved.
    pub fn never(name: impl Into<String>) -> Label {
        Label {
            name: name.into(),
            claim: Some(false),
        }
    }

    /// It is true in some states and false in others; nothing is claimed.
    pub fn proposition(name: impl Into<String>) -> Label {
        Label {
            name: name.into(),
            claim: None,
        }
    }

    /// What people call it, and the property that it makes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a property.
    pub fn is_claimed(&self) -> bool {
        self.claim.is_some()
    }

    /// Whether a state in which it has this value violates what is claimed.
    pub(super) fn is_violated_where(&self, value: bool) -> bool {
        self.claim.is_some_and(|claim| value != claim)
    }
}
