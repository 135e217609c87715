//! Lines with blocks inside each other.

pub struct Indented {
    text: String,
    depth: usize,
}

impl Indented {
    pub fn new(depth: usize) -> Indented {
        let text = String::new();
        Indented { text, depth }
    }

    pub fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    /// A line after which others stand further in.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    pub fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    pub fn finish(self) -> String {
        self.text
    }
}
