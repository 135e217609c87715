//! What stands in the box of a state: its name, its actions, what it does with messages.

use crate::draw::diagram::{ignored, internal};
use crate::draw::layers::Size;
use crate::draw::text::{shortened, widest, width, wrapped};
use crate::model::{Model, State, StateId, TransitionId};

pub const NAME_SIZE: f64 = 13.0;
pub const NAME_HEIGHT: f64 = 18.0;
pub const ROW_SIZE: f64 = 11.0;
pub const ROW_HEIGHT: f64 = 15.0;
/// Between the texts and the border.
pub const PADDING: f64 = 10.0;
const ROW_WIDTH: f64 = 230.0;
const MOST_LINES: usize = 6;
const LEAST: Size = Size {
    width: 70.0,
    height: 36.0,
};

pub struct Face {
    pub name: String,
    /// `«quiescent»`, or nothing.
    pub stereotype: &'static str,
    pub rows: Vec<Row>,
}

pub enum Row {
    /// `entry / { ... }`, or an internal transition.
    Action {
        transition: Option<TransitionId>,
        lines: Vec<String>,
        full: String,
    },
    /// `defer A, B` or `ignore A, B`: lines of words, some of which are transitions.
    List(Vec<Vec<Word>>),
}

pub struct Word {
    pub text: String,
    pub transition: Option<TransitionId>,
}

impl Face {
    pub fn of(model: &Model, machine: &crate::model::Machine, id: StateId) -> Face {
        let state = machine.state(id);
        let mut rows = actions(state);
        let mut ignores = Vec::new();
        for (transition_id, transition) in internal(machine, id) {
            match ignored(transition) {
                Some(signal) => ignores.push((signal.to_owned(), Some(transition_id))),
                None => rows.push(action(transition.texts.join(" "), Some(transition_id))),
            }
        }
        let defers = state.defers.iter();
        let defers = defers.map(|signal| (model.signal(*signal).name.clone(), None));
        rows.extend(list("defer", defers.collect()));
        rows.extend(list("ignore", ignores));
        if !state.flushes {
            rows.push(action("no flush".to_owned(), None));
        }
        Face {
            name: clipped_name(&state.name),
            stereotype: if state.quiescent { "«quiescent»" } else { "" },
            rows,
        }
    }

    pub fn size(&self) -> Size {
        let rows = self.rows.iter().map(Row::width).fold(0.0, f64::max);
        let name = width(&self.name, NAME_SIZE) * 1.08; // bold runs wider
        let stereotype = width(self.stereotype, ROW_SIZE);
        let content = rows.max(name).max(stereotype) + 2.0 * PADDING;
        let height = self.head_height() + self.rows_height();
        Size {
            width: content.max(LEAST.width),
            height: height.max(LEAST.height),
        }
    }

    /// The part with the name, above the line that separates it from the rows.
    pub fn head_height(&self) -> f64 {
        let stereotype = if self.stereotype.is_empty() {
            0.0
        } else {
            12.0
        };
        NAME_HEIGHT + stereotype + 10.0
    }

    pub fn rows_height(&self) -> f64 {
        let lines: usize = self.rows.iter().map(Row::lines).sum();
        match lines {
            0 => 0.0,
            lines => lines as f64 * ROW_HEIGHT + 9.0,
        }
    }
}

impl Row {
    pub fn lines(&self) -> usize {
        match self {
            Row::Action { lines, .. } => lines.len(),
            Row::List(lines) => lines.len(),
        }
    }

    fn width(&self) -> f64 {
        match self {
            Row::Action { lines, .. } => widest(lines, ROW_SIZE),
            Row::List(lines) => {
                let joined = lines.iter().map(|line| {
                    let words: Vec<&str> = line.iter().map(|word| word.text.as_str()).collect();
                    words.join(" ")
                });
                let lines: Vec<String> = joined.collect();
                widest(&lines, ROW_SIZE)
            }
        }
    }
}

fn actions(state: &State) -> Vec<Row> {
    let both = [("entry", &state.entry_text), ("exit", &state.exit_text)];
    let written = both.into_iter().filter(|(_, text)| !text.is_empty());
    written
        .map(|(word, text)| action(format!("{word} / {text}"), None))
        .collect()
}

fn action(full: String, transition: Option<TransitionId>) -> Row {
    let lines = shortened(wrapped(&full, ROW_SIZE, ROW_WIDTH), MOST_LINES);
    Row::Action {
        transition,
        lines,
        full,
    }
}

fn list(head: &str, mut names: Vec<(String, Option<TransitionId>)>) -> Option<Row> {
    let last = names.len().checked_sub(1)?;
    for (name, _) in &mut names[..last] {
        name.push(',');
    }
    names.insert(0, (head.to_owned(), None));
    let mut lines: Vec<Vec<Word>> = Vec::new();
    let mut room = 0.0;
    for (text, transition) in names {
        let needed = width(&text, ROW_SIZE) + width(" ", ROW_SIZE);
        if needed > room {
            lines.push(Vec::new());
            room = ROW_WIDTH;
        }
        room -= needed;
        let word = Word { text, transition };
        lines.last_mut().into_iter().for_each(|line| {
            line.push(Word {
                text: word.text.clone(),
                ..word
            })
        });
    }
    Some(Row::List(lines))
}

fn clipped_name(name: &str) -> String {
    wrapped(name, NAME_SIZE, ROW_WIDTH).join(" ")
}
