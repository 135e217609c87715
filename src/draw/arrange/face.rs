//! What stands in the box of a state: its name, its actions, what it does with messages.

use crate::draw::layers::Size;
use crate::draw::notes::{Note, notes};
use crate::draw::text::{shortened, widest, width, wrapped, wrapped_label};
use crate::lang::{Machine, Model, StateId, TransitionId};

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
    pub fn of(model: &Model, machine: &Machine, id: StateId) -> Face {
        let state = machine.state(id);
        let rows = notes(model, machine, id).into_iter().map(row);
        Face {
            name: wrapped(&state.name, NAME_SIZE, ROW_WIDTH).join(" "),
            stereotype: if state.quiescent { "«quiescent»" } else { "" },
            rows: rows.collect(),
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

fn row(note: Note) -> Row {
    match note {
        Note::Action { text, transition } => Row::Action {
            transition,
            lines: shortened(wrapped_label(&text, ROW_SIZE, ROW_WIDTH), MOST_LINES),
            full: text,
        },
        Note::List { head, names } => Row::List(list(head, names)),
    }
}

/// The names of a list in lines, with commas.
fn list(head: &str, names: Vec<(String, Option<TransitionId>)>) -> Vec<Vec<Word>> {
    let last = names.len() - 1;
    let words = names
        .into_iter()
        .enumerate()
        .map(|(index, (name, transition))| {
            let comma = if index == last { "" } else { "," };
            let text = format!("{name}{comma}");
            Word { text, transition }
        });
    let text = head.to_owned();
    let mut line = vec![Word {
        text,
        transition: None,
    }];
    let mut lines = Vec::new();
    let mut room = ROW_WIDTH - width(head, ROW_SIZE);
    for word in words {
        let needed = width(&word.text, ROW_SIZE) + width(" ", ROW_SIZE);
        if needed > room {
            lines.push(std::mem::take(&mut line));
            room = ROW_WIDTH;
        }
        room -= needed;
        line.push(word);
    }
    lines.push(line);
    lines
}
