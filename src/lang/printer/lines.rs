//! The lines of the output, and the comments between and behind them.
//!
//! Invariant: comments are written in the order in which they were read: `next` only grows.

use crate::lang::syntax::{Comment, Span};

/// A place in a text where a line may be broken; otherwise it is a blank.
pub const BREAK: char = '\u{1}';

const WIDTH: usize = 100;
const STEP: usize = 2;
/// How much further the rest of a broken line is indented.
const CONTINUED: usize = 4;

pub fn flat(text: &str) -> String {
    text.replace(BREAK, " ")
}

pub struct Lines<'f> {
    out: String,
    level: usize,
    comments: &'f [Comment],
    next: usize,
}

impl<'f> Lines<'f> {
    pub fn new(comments: &'f [Comment]) -> Lines<'f> {
        Lines {
            out: String::new(),
            level: 0,
            comments,
            next: 0,
        }
    }

    /// All that is left are comments behind everything else.
    pub fn finish(mut self) -> String {
        if self.next < self.comments.len() && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.before(u32::MAX);
        self.out
    }

    pub fn length(&self) -> usize {
        self.out.len()
    }

    /// Whether more than one line was written from `start` on.
    pub fn is_long_from(&self, start: usize) -> bool {
        self.out[start..].trim_end().contains('\n')
    }

    /// Puts a blank line where the output once ended.
    pub fn blank_at(&mut self, place: usize) {
        self.out.insert(place, '\n');
    }

    pub fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.level += 1;
        write(self);
        self.level -= 1;
    }

    /// Whether a text fits on a line, here.
    pub fn fits(&self, text: &str) -> bool {
        self.level * STEP + text.chars().count() <= WIDTH
    }

    /// Begins a line with a text, which may take several.
    pub fn begin(&mut self, text: &str) {
        self.indent(0);
        if self.fits(text) {
            self.out += &flat(text);
            return;
        }
        let mut column = self.level * STEP;
        for (index, piece) in text.split(BREAK).enumerate() {
            let width = piece.chars().count();
            if index > 0 && column + 1 + width > WIDTH {
                self.out.push('\n');
                self.indent(CONTINUED);
                column = self.level * STEP + CONTINUED;
            } else if index > 0 {
                self.out.push(' ');
                column += 1;
            }
            self.out += piece;
            column += width;
        }
    }

    /// Goes on with the line that was begun.
    pub fn append(&mut self, text: &str) {
        self.out += &flat(text);
    }

    fn indent(&mut self, more: usize) {
        self.out
            .extend(std::iter::repeat_n(' ', self.level * STEP + more));
    }

    fn next_before(&self, end: u32) -> Option<&'f Comment> {
        self.comments
            .get(self.next)
            .filter(|comment| comment.span.start < end)
    }

    /// Whether a comment that starts before a place has not been written yet.
    pub fn is_comment_due(&self, place: u32) -> bool {
        self.next_before(place).is_some()
    }

    /// Whether a comment stands in a part of the source.
    pub fn has_comment_in(&self, span: Span) -> bool {
        let first = self
            .comments
            .partition_point(|comment| comment.span.start < span.start);
        self.comments
            .get(first)
            .is_some_and(|comment| comment.span.start < span.end)
    }

    /// Writes the comments that start before a place, each on its own line.
    pub fn before(&mut self, place: u32) {
        while let Some(comment) = self.next_before(place) {
            self.next += 1;
            self.indent(0);
            self.out += &comment.text;
            self.out.push('\n');
        }
    }

    /// Ends the line, with the comments that stand behind it and before `limit`.
    pub fn end(&mut self, limit: u32) {
        while let Some(comment) = self.next_before(limit).filter(|comment| !comment.own_line) {
            self.next += 1;
            self.out.push(' ');
            self.out += &comment.text;
            // Whatever follows on this line would become part of it.
            if comment.text.starts_with("//") {
                break;
            }
        }
        self.out.push('\n');
    }

    /// A line with nothing inside that needs one of its own.
    pub fn line(&mut self, text: &str, limit: u32) {
        self.begin(text);
        self.end(limit);
    }
}

/// Where a node ends for the comments behind it: at the start of the next, or of what closes all.
pub fn limits(starts: impl Iterator<Item = u32>, end: u32) -> Vec<u32> {
    starts.skip(1).chain([end]).collect()
}
