//! Brackets: opened here, closed there, or not.

use super::cursor::{Parsed, Parser};
use super::words::{ELEMENTS, ITEMS};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::lexer::TokenKind;
use crate::lang::syntax::Span;

/// A `{` that begins a body.
#[derive(Clone, Copy)]
pub struct Opened {
    span: Span,
    /// The column of the first token of its line.
    indent: u32,
}

impl Parser<'_> {
    pub fn open_body(&mut self) -> Parsed<Opened> {
        let span = self.expect("{")?;
        let indent = self.line_indent;
        Ok(Opened { span, indent })
    }

    /// The `}` that closes `what`.
    ///
    /// Where it is missing, reading goes on as if it were there: the body ended because something
    /// came that can not stand in it.
    pub fn close_body(&mut self, opened: Opened, what: &str) {
        if self.at("}") {
            self.suspect_body(opened, what);
            self.advance();
            return;
        }
        let suspect = self.suspect.take();
        let (open, what) = suspect.unwrap_or((opened.span, what.to_string()));
        let error = Diagnostic::error(codes::NOT_CLOSED, open, format!("{what} is not closed"));
        let help = format!("expected `}}` before {}", self.place());
        self.report(error.label("this `{` has no `}`").help(help));
    }

    /// Remembers a body whose `}` is indented less than its first line. If one is missing in the end,
    /// it is this body's: its `}` was meant to close something around it.
    fn suspect_body(&mut self, opened: Opened, what: &str) {
        let is_suspect = self.indent().is_some_and(|indent| indent < opened.indent);
        if is_suspect && self.suspect.is_none() {
            self.suspect = Some((opened.span, what.to_string()));
        }
    }

    /// The bracket that closes the one at `open`, in an expression or a list.
    pub fn close(&mut self, open: Span, bracket: &str) -> Parsed<Span> {
        if self.at(bracket) {
            return Ok(self.advance());
        }
        if self.at_any(&[";", "}", "{", "/"]) || self.at_end() || self.is_first_of_line() {
            let message = format!("expected `{bracket}`, found {}", self.found());
            let error = Diagnostic::error(codes::NOT_CLOSED, open, message);
            return Err(self.report(error.label(format!("this has no `{bracket}`"))));
        }
        Err(self.unexpected(&format!("`{bracket}`")))
    }

    fn place(&self) -> String {
        let found = match self.kind() {
            TokenKind::Reserved => format!("`{}`", self.text()),
            _ => self.found(),
        };
        // Counting lines is dear, and a hostile file can ask for it at every token.
        if self.at_end() || self.has_many_errors() {
            return found;
        }
        format!("{found} in line {}", self.line_of(self.span()))
    }

    /// Whether a body of elements ends here, closed or not: at the end, or before an item that is
    /// not indented under the item that it is in.
    pub fn at_body_end(&self) -> bool {
        let is_outside = |indent| indent <= self.item_indent;
        let is_item = self.at_any(ITEMS) && self.indent().is_some_and(is_outside);
        self.at("}") || self.at_end() || is_item
    }

    /// Whether a block of statements ends here, closed or not.
    pub fn at_block_end(&self) -> bool {
        let begins_other = self.at_any(ITEMS) || self.at_any(ELEMENTS) || self.at_transition();
        self.at("}") || self.at_end() || begins_other && self.is_first_of_line()
    }
}
