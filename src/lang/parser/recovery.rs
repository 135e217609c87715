//! Where reading goes on after an error.

use super::cursor::{Parsed, Parser};
use super::words::{ELEMENTS, ITEMS, STATEMENTS, TYPES};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::Span;

/// What is being read a list of; each has other words that begin the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Item,
    Element,
    Statement,
}

impl Parser<'_> {
    /// Skips the rest of something that could not be read: up to and with its `;` or its `{ ... }`, or
    /// up to a `}` that closes what is around it, or a line that can only begin something new.
    pub fn recover(&mut self, level: Level) {
        let mut open = 0_usize;
        while !self.at_end() && !self.begins_anew(level, open) {
            match self.text() {
                "}" if open == 0 => return,
                ";" if open == 0 => return self.end_recovery(),
                "}" if open == 1 => return self.end_recovery(),
                "{" => open += 1,
                "}" => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips the `;` or `}` here, and the `;` that may stand behind an effect.
    fn end_recovery(&mut self) {
        self.advance();
        self.eat(";");
    }

    fn begins_anew(&self, level: Level, open: usize) -> bool {
        if !self.is_first_of_line() {
            return false;
        }
        let is_element = self.at_any(ELEMENTS) || self.at_any(TYPES) || self.at_transition();
        let is_statement = self.at_any(STATEMENTS) || self.at_any(TYPES);
        self.at_any(ITEMS)
            || open == 0
                && match level {
                    Level::Item => self.at_any(TYPES),
                    Level::Element => is_element,
                    Level::Statement => is_statement || is_element,
                }
    }

    pub fn at_transition(&self) -> bool {
        self.at_name() && self.peek(1) == "->"
    }

    /// Skips to one of the symbols, in a line that does not begin something new.
    pub fn skip_until(&mut self, symbols: &[&str]) {
        while !self.at_end() && !self.at_any(symbols) && !self.begins_anew(Level::Item, 0) {
            self.advance();
        }
    }

    /// The `;` at the end of `what`. At the end of a line it is only missing, and nothing is skipped.
    pub fn semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let is_missing = self.is_first_of_line() || self.at("}") || self.at_end();
        if !is_missing {
            return Err(self.unexpected(&format!("`;` behind {what}")));
        }
        let end = self.previous().end;
        let error = Diagnostic::error(
            codes::MISSING_SEMICOLON,
            Span { start: end, end },
            format!("`;` is missing behind {what}"),
        );
        self.report(error.help("add `;` here"));
        Ok(())
    }
}
