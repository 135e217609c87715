//! Texts for people to read: paragraphs, lists and examples, wrapped to the terminal.

use std::io::IsTerminal;

use anstyle::Style;
use terminal_size::{Width, terminal_size};

/// Of what is no terminal.
const STANDARD: usize = 80;
/// Words must fit, and lines must be found again by the eye.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;

/// How wide results may be: as the terminal is, within reason.
pub fn columns() -> usize {
    let terminal = terminal_size().filter(|_| std::io::stdout().is_terminal());
    let columns = terminal.map_or(STANDARD, |(Width(columns), _)| usize::from(columns));
    columns.clamp(NARROWEST, WIDEST)
}

/// How wide a text in sentences may be.
pub fn width() -> usize {
    columns().min(STANDARD)
}

/// Lays out a text: `# title`, paragraphs, `- lists`, and examples in fences, which stay as they are.
pub fn lay_out(text: &str, width: usize) -> String {
    let mut page = Page {
        width,
        lines: Vec::new(),
        open: String::new(),
    };
    let mut in_example = false;
    for line in text.lines() {
        if line.starts_with("```") {
            page.close();
            in_example = !in_example;
        } else if in_example {
            page.lines.push(format!("    {line}").trim_end().to_owned());
        } else {
            page.read(line);
        }
    }
    page.close();
    page.lines.join("\n") + "\n"
}

struct Page {
    width: usize,
    lines: Vec<String>,
    /// A paragraph or an entry of a list whose end has not come yet.
    open: String,
}

impl Page {
    fn read(&mut self, line: &str) {
        if let Some(title) = line.strip_prefix("# ") {
            let bold = Style::new().bold();
            self.close();
            self.lines.push(format!("{bold}{title}{bold:#}"));
        } else if line.is_empty() {
            self.close();
            self.lines.push(String::new());
        } else if line.starts_with("- ") {
            self.close();
            self.open = line.to_owned();
        } else {
            let gap = if self.open.is_empty() { "" } else { " " };
            self.open += &format!("{gap}{}", line.trim());
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let indent = if self.open.starts_with("- ") { 2 } else { 0 };
            let open = std::mem::take(&mut self.open);
            self.lines.extend(wrap(&open, indent, self.width));
        }
    }
}

/// Breaks at spaces; lines after the first are indented.
fn wrap(text: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        let is_first = line.trim().is_empty();
        if is_first {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(" ".repeat(indent) + word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    #[test]
    fn paragraphs_are_wrapped_and_examples_are_not() {
        let text =
            "one two three\nfour\n\n- five six seven eight\n\n```\nnine ten eleven twelve\n```\n";
        let laid = lay_out(text, 12);
        let expected =
            "one two\nthree four\n\n- five six\n  seven\n  eight\n\n    nine ten eleven twelve\n";
        assert_eq!(laid, expected);
    }
}
