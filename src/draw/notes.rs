//! What is written in a state: its actions, its internal transitions, what it does with messages.

use super::diagram::internal;
use crate::lang::{Machine, Model, State, StateId, Transition, TransitionId};

pub enum Note {
    /// `entry / { ... }`, or an internal transition.
    Action {
        text: String,
        transition: Option<TransitionId>,
    },
    /// `defer A, B`; `ignore A, B`, where each name is a transition.
    List {
        head: &'static str,
        names: Vec<(String, Option<TransitionId>)>,
    },
}

impl Note {
    fn action(text: String) -> Note {
        let transition = None;
        Note::Action { text, transition }
    }

    fn list(head: &'static str, names: Vec<(String, Option<TransitionId>)>) -> Option<Note> {
        (!names.is_empty()).then_some(Note::List { head, names })
    }

    /// In one line.
    pub fn text(&self) -> String {
        match self {
            Note::Action { text, .. } => text.clone(),
            Note::List { head, names } => {
                let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
                format!("{head} {}", names.join(", "))
            }
        }
    }
}

pub fn notes(model: &Model, machine: &Machine, id: StateId) -> Vec<Note> {
    let state = machine.state(id);
    let mut notes = actions(state);
    let mut ignores = Vec::new();
    for (transition_id, transition) in internal(machine, id) {
        match ignored(transition) {
            Some(signal) => ignores.push((signal.to_owned(), Some(transition_id))),
            None => notes.push(Note::Action {
                text: transition.texts.join(" "),
                transition: Some(transition_id),
            }),
        }
    }
    let defers = state.defers.iter();
    let defers = defers.map(|signal| (model.signal(*signal).name.clone(), None));
    notes.extend(Note::list("defer", defers.collect()));
    notes.extend(Note::list("ignore", ignores));
    if !state.flushes {
        notes.push(Note::action("no flush".to_owned()));
    }
    notes
}

fn actions(state: &State) -> Vec<Note> {
    let both = [("entry", &state.entry_text), ("exit", &state.exit_text)];
    let written = both.into_iter().filter(|(_, text)| !text.is_empty());
    written
        .map(|(word, text)| Note::action(format!("{word} / {text}")))
        .collect()
}

/// The signal of an `ignore`.
fn ignored(transition: &Transition) -> Option<&str> {
    transition.texts.first()?.strip_prefix("ignore ")
}
