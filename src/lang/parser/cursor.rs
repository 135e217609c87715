//! The place in the tokens, and reporting what is wrong there.
//!
//! Tokens are told apart by their text. That is exact: a name never has the text of a reserved word,
//! and the text of the end is empty.

use std::collections::HashSet;

use super::words;
use crate::lang::characters::clip;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::lexer::{Token, TokenKind};
use crate::lang::syntax::{Name, Span};
use crate::lang::{codes, limits};

/// The error has been reported; what is being read is given up.
#[derive(Debug)]
pub struct Reported;

pub type Parsed<T> = Result<T, Reported>;

pub struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    pub position: usize,
    diagnostics: Vec<Diagnostic>,
    /// The token at which an error was reported last.
    error_at: Option<usize>,
    /// Levels of states, blocks and operators around this place.
    pub depth: usize,
    /// Parentheses around this place. They make no level of the tree, but one of the recursion.
    pub parentheses: usize,
    /// Inside of an `ltl` property.
    pub temporal: bool,
    /// The column of the item that is being read.
    pub item_indent: u32,
    /// The column of the first token of the line in which the last token stands that was read.
    pub line_indent: u32,
    /// A body whose `}` stands where that of something around it should stand.
    pub suspect: Option<(Span, String)>,
    /// Names that follow `class` or `enum` somewhere in the file.
    types: HashSet<&'s str>,
}

impl<'s> Parser<'s> {
    pub fn new(source: &'s str, tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Parser<'s> {
        let text = |token: &Token| &source[token.span.start as usize..token.span.end as usize];
        let declared = tokens
            .windows(2)
            .filter(|pair| matches!(text(&pair[0]), "class" | "enum"));
        let types = declared.map(|pair| text(&pair[1])).collect();
        Parser {
            source,
            tokens,
            position: 0,
            diagnostics,
            error_at: None,
            depth: 0,
            parentheses: 0,
            temporal: false,
            item_indent: 0,
            line_indent: 0,
            suspect: None,
            types,
        }
    }

    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.start);
        self.diagnostics.truncate(limits::DIAGNOSTICS);
        self.diagnostics
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    /// The token that is `ahead` of this one; behind the last comes the last again.
    fn token(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + ahead).min(last)]
    }

    pub fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    pub fn text(&self) -> &'s str {
        self.peek(0)
    }

    pub fn peek(&self, ahead: usize) -> &'s str {
        let span = self.token(ahead).span;
        &self.source[span.start as usize..span.end as usize]
    }

    pub fn peek_is_name(&self, ahead: usize) -> bool {
        self.token(ahead).kind == TokenKind::Name
    }

    pub fn at(&self, text: &str) -> bool {
        self.text() == text
    }

    pub fn at_any(&self, texts: &[&str]) -> bool {
        texts.contains(&self.text())
    }

    pub fn at_name(&self) -> bool {
        self.peek_is_name(0)
    }

    pub fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    /// The column, if this token is the first of its line.
    pub fn indent(&self) -> Option<u32> {
        self.token(0).indent
    }

    pub fn is_first_of_line(&self) -> bool {
        self.indent().is_some()
    }

    pub fn span(&self) -> Span {
        self.token(0).span
    }

    /// From `start` to the end of the last token that was read.
    pub fn span_from(&self, start: Span) -> Span {
        Span {
            start: start.start,
            end: self.previous().end.max(start.start),
        }
    }

    pub fn previous(&self) -> Span {
        self.position
            .checked_sub(1)
            .map_or(Span::new(0, 0), |last| self.tokens[last].span)
    }

    pub fn previous_text(&self) -> &'s str {
        let span = self.previous();
        &self.source[span.start as usize..span.end as usize]
    }

    /// What was written from one token to another, for a message.
    pub fn written(&self, first: Span, last: Span) -> String {
        clip(&self.source[first.start as usize..last.end as usize])
    }

    pub fn line_of(&self, span: Span) -> usize {
        let before = &self.source.as_bytes()[..span.start as usize];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    pub fn advance(&mut self) -> Span {
        let span = self.span();
        self.line_indent = self.indent().unwrap_or(self.line_indent);
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Parsed<Span> {
        self.expect_because(text, words::hint(self.text(), self.previous_text()))
    }

    pub fn expect_because(&mut self, text: &str, help: &str) -> Parsed<Span> {
        if self.at(text) {
            return Ok(self.advance());
        }
        Err(self.unexpected_because(&format!("`{text}`"), help))
    }

    /// The name that stands here; it is known to be one.
    pub fn take_name(&mut self) -> Name {
        let text = self.text().chars().take(limits::NAME_LENGTH).collect();
        Name {
            text,
            span: self.advance(),
        }
    }

    /// A name; `what` says of what, with its article: "the name of a state".
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.at_name() {
            return Ok(self.take_name());
        }
        if self.kind() == TokenKind::Reserved && !self.is_first_of_line() {
            return Ok(self.reserved_as_name(what));
        }
        Err(self.unexpected(what))
    }

    /// A reserved word is read as the name that it was meant to be: the rest is usually right.
    fn reserved_as_name(&mut self, what: &str) -> Name {
        let word = self.text();
        let message = format!("expected {what}, found the reserved word `{word}`");
        let error = Diagnostic::error(codes::RESERVED_WORD, self.span(), message);
        self.report(error.help(format!(
            "choose another name, such as `{word}_` or `my_{word}`"
        )));
        self.take_name()
    }

    /// `x % ","`
    pub fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut elements = vec![element(self)?];
        while self.eat(",") {
            elements.push(element(self)?);
        }
        Ok(elements)
    }

    pub fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.list(|parser| parser.name(what))
    }

    /// Reports unless it follows from an error before: one at this very token, or in what the lexer
    /// left out before it.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        let follows = self.error_at == Some(self.position) || self.token(0).after_error;
        self.error_at = Some(self.position);
        // The lexer's errors, which are already here, do not use up the room of the parser's.
        if !follows && self.diagnostics.len() < 2 * limits::DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    pub fn has_many_errors(&self) -> bool {
        self.diagnostics.len() >= limits::DIAGNOSTICS
    }

    pub fn error(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        help: &str,
    ) -> Reported {
        self.report(Diagnostic::error(code, self.span(), message).help(help))
    }

    pub fn unexpected(&mut self, expected: &str) -> Reported {
        let help = words::hint(self.text(), self.previous_text());
        self.unexpected_because(expected, help)
    }

    pub fn unexpected_because(&mut self, expected: &str, help: &str) -> Reported {
        let message = format!("expected {expected}, found {}", self.found());
        self.error(codes::UNEXPECTED, message, help)
    }

    pub fn found(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Reserved => format!("the reserved word `{}`", self.text()),
            _ => format!("`{}`", clip(self.text())),
        }
    }

    /// Does `read` one level deeper, if there is room for one.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.check_depth(1)?;
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Refuses a tree of `height` levels at this place if that is too high.
    pub fn check_depth(&mut self, height: usize) -> Parsed<()> {
        if self.depth + height > limits::NESTING {
            return Err(self.too_deep());
        }
        Ok(())
    }

    pub fn too_deep(&mut self) -> Reported {
        let message = format!("more than {} levels inside each other", limits::NESTING);
        let help =
            "every state, block, operator and pair of parentheses is a level; take parts out";
        self.error(codes::TOO_DEEP, message, help)
    }
}
