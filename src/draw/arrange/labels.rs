//! What stands beside an edge.

use crate::draw::layers::Size;
use crate::draw::text::{shortened, widest, wrapped_label};

pub const LABEL_SIZE: f64 = 11.0;
pub const LABEL_HEIGHT: f64 = 14.0;
const WIDEST: f64 = 190.0;
const MOST_LINES: usize = 6;

pub struct Label {
    pub lines: Vec<String>,
    pub full: String,
}

impl Label {
    /// Each text begins a line; `None` if there is none.
    pub fn of(texts: &[String]) -> Option<Label> {
        let lines = texts
            .iter()
            .flat_map(|text| wrapped_label(text, LABEL_SIZE, WIDEST));
        let lines = shortened(lines.collect(), MOST_LINES);
        (!lines.is_empty()).then(|| Label {
            lines,
            full: texts.join("\n"),
        })
    }

    pub fn size(&self) -> Size {
        Size {
            width: widest(&self.lines, LABEL_SIZE),
            height: self.lines.len() as f64 * LABEL_HEIGHT,
        }
    }
}
