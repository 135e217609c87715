//! Brackets: opened here, closed there, or not.

use super::super::codes;
use super::super::diagnostics::Diagnostic;
use super::super::syntax::Span;
use super::cursor::{Parsed, Parser};
use super::words::{ELEMENTS, ITEMS};

impl Parser<'_> {
    /// The `}` that closes `what`, opened at `open`.
    ///
    /// Where it is missing, reading goes on as if it were there: the body ended because something
    /// came that can not stand in it.
    pub fn close_body(&mut self, open: Span, what: &str) {
        if self.eat("}") {
            return;
        }
        let message = format!("{what} is not closed");
        let error = Diagnostic::error(codes::NOT_CLOSED, open, message);
        let help = format!("expected `}}` before {}", self.place());
        self.report(error.label("this `{` has no `}`").help(help));
    }

    /// The bracket that closes the one at `open`, in an expression or a list.
    pub fn close(&mut self, open: Span, bracket: &str) -> Parsed<Span> {
        if self.at(bracket) {
            return Ok(self.advance());
        }
        if self.at_any(&[";", "}", "{"]) || self.at_end() || self.is_first_of_line() {
            let message = format!("expected `{bracket}`, found {}", self.found());
            let error = Diagnostic::error(codes::NOT_CLOSED, open, message);
            return Err(self.report(error.label(format!("this has no `{bracket}`"))));
        }
        Err(self.unexpected(&format!("`{bracket}`")))
    }

    fn place(&self) -> String {
        let found = self.found();
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
