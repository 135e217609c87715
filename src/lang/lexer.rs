//! Splits the text of a model into words, numbers and symbols, and sets the comments aside.
//!
//! Invariant: the last token is `End`. What cannot be read is reported here, once, and left out;
//! the token behind it says so, which keeps the parser from reporting the hole again.

use logos::{Lexer, Logos};

use super::characters::{clip, describe, instead_of, is_hidden};
use super::diagnostics::Diagnostic;
use super::syntax::{Comment, Span};
use super::{codes, limits};

/// Words that can not be names, in alphabetical order.
pub const RESERVED: &[&str] = &[
    "abstraction",
    "assert",
    "bool",
    "choice",
    "choose",
    "class",
    "const",
    "count",
    "defer",
    "else",
    "entry",
    "enum",
    "exists",
    "exit",
    "external",
    "false",
    "final",
    "for",
    "forall",
    "fork",
    "history",
    "if",
    "ignore",
    "in",
    "inbox",
    "initial",
    "int",
    "integer",
    "join",
    "junction",
    "nat",
    "null",
    "object",
    "on",
    "property",
    "quiescent",
    "region",
    "self",
    "semantics",
    "send",
    "signal",
    "state",
    "system",
    "thread",
    "true",
    "wrap",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    Reserved,
    Number,
    Symbol,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// The column in bytes, from 0, if the token is the first of its line.
    pub indent: Option<u32>,
    /// Something unreadable stands directly before it.
    pub after_error: bool,
}

#[derive(Default)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn lex(source: &str) -> Lexed {
    let mut scanner = Scanner::new(source);
    while let Some(lexeme) = scanner.lexer.next() {
        scanner.take(lexeme);
    }
    scanner.finish()
}

#[derive(Logos, Clone, Copy, Debug)]
#[logos(skip r"[ \t\n]+")]
#[logos(skip "\r\n")]
enum Lexeme {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    /// `3x`, `0x10`, `1_000`
    #[regex(r"[0-9]+[\p{XID_Start}_]\p{XID_Continue}*")]
    BadNumber,
    #[regex("\"[^\"\n]*\"")]
    Quoted,
    /// What colours a terminal.
    #[regex("\u{1b}\\[[0-9;?]*[A-Za-z]")]
    Escape,
    #[token("//")]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token("<->")]
    #[token("->")]
    #[token("..")]
    #[token("++")]
    #[token("--")]
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("%=")]
    #[token("==")]
    #[token("!=")]
    #[token("<=")]
    #[token(">=")]
    #[token("&&")]
    #[token("||")]
    #[regex(r"[(){}\[\].,;:?=<>+\-*/%!|]")]
    Symbol,
}

struct Scanner<'s> {
    source: &'s str,
    lexer: Lexer<'s, Lexeme>,
    lexed: Lexed,
    /// Where the last token ended.
    token_end: usize,
    /// Where the last token or comment ended.
    end: usize,
    /// Where the last line that a token begins started.
    line_start: usize,
    /// Where the last unreadable stretch ended.
    unreadable: Option<Unreadable>,
    after_error: bool,
}

/// Unreadable characters of one sort that follow each other, reported together.
struct Unreadable {
    code: &'static str,
    end: usize,
}

impl<'s> Scanner<'s> {
    fn new(source: &'s str) -> Scanner<'s> {
        let mut lexer = Lexeme::lexer(source);
        if source.starts_with('\u{feff}') {
            lexer.bump('\u{feff}'.len_utf8());
        }
        Scanner {
            source,
            lexer,
            lexed: Lexed::default(),
            token_end: 0,
            end: 0,
            line_start: 0,
            unreadable: None,
            after_error: false,
        }
    }

    fn take(&mut self, lexeme: Result<Lexeme, ()>) {
        match lexeme {
            Ok(Lexeme::Word) => self.word(),
            Ok(Lexeme::Number) => self.number(),
            Ok(Lexeme::BadNumber) => self.bad_number(),
            Ok(Lexeme::Symbol) => self.token(TokenKind::Symbol),
            Ok(Lexeme::Quoted) => self.quoted(),
            Ok(Lexeme::Escape) => self.escape(),
            Ok(Lexeme::LineComment) => self.line_comment(),
            Ok(Lexeme::BlockComment) => self.block_comment(),
            Err(()) => self.bad_characters(),
        }
    }

    fn finish(mut self) -> Lexed {
        let end = self.source.len();
        self.push(TokenKind::End, end, end);
        self.lexed
    }

    fn span(&self) -> Span {
        Span::new(self.lexer.span().start, self.lexer.span().end)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.lexed.diagnostics.len() < limits::DIAGNOSTICS {
            self.lexed.diagnostics.push(diagnostic);
        }
    }

    fn token(&mut self, kind: TokenKind) {
        let span = self.lexer.span();
        self.push(kind, span.start, span.end);
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let newline = self.source[self.token_end..start].rfind('\n');
        if let Some(newline) = newline {
            self.line_start = self.token_end + newline + 1;
        }
        let is_first = newline.is_some() || self.lexed.tokens.is_empty();
        let column = Span::new(start - self.line_start, 0).start;
        self.lexed.tokens.push(Token {
            kind,
            span: Span::new(start, end),
            indent: is_first.then_some(column),
            after_error: std::mem::take(&mut self.after_error),
        });
        self.token_end = end;
        self.end = end;
    }

    fn word(&mut self) {
        let text = self.lexer.slice();
        self.check_word(text);
        self.token(match text {
            "_" => TokenKind::Symbol,
            _ if RESERVED.binary_search(&text).is_ok() => TokenKind::Reserved,
            _ => TokenKind::Name,
        });
    }

    fn check_word(&mut self, text: &str) {
        let start = self.lexer.span().start;
        if let Some((at, foreign)) = text.char_indices().find(|(_, c)| !c.is_ascii()) {
            let span = Span::new(start + at, start + at + foreign.len_utf8());
            let message = format!("{} can not stand in a name", describe(foreign));
            let help = "names are made of the letters `a-z` and `A-Z`, digits and `_`";
            self.report(Diagnostic::error(codes::BAD_CHARACTER, span, message).help(help));
        }
        let length = text.chars().count();
        if length > limits::NAME_LENGTH {
            let message = format!(
                "this name has {length} characters; at most {} are allowed",
                limits::NAME_LENGTH
            );
            self.report(Diagnostic::error(
                codes::NAME_TOO_LONG,
                self.span(),
                message,
            ));
        }
    }

    fn number(&mut self) {
        let least = i64::MIN.unsigned_abs();
        let follows_minus = self.source[..self.token_end].ends_with('-');
        let fits = |number: u64| number < least || (number == least && follows_minus);
        if !self.lexer.slice().parse().is_ok_and(fits) {
            let help = format!("the largest number is {}", i64::MAX);
            let message = "this number does not fit in 64 bits";
            let error = Diagnostic::error(codes::NUMBER_TOO_LARGE, self.span(), message);
            self.report(error.help(help));
        }
        self.token(TokenKind::Number);
    }

    fn bad_number(&mut self) {
        let text = self.lexer.slice();
        let digits = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let message = format!("`{}` is neither a number nor a name", clip(text));
        let help = match &text[digits..] {
            tail if tail.starts_with('_') => "digits are written without `_` between them",
            _ if text.starts_with("0x") || text.starts_with("0X") => {
                "numbers are written with decimal digits"
            }
            _ => "a name does not begin with a digit",
        };
        self.report(Diagnostic::error(codes::BAD_NUMBER, self.span(), message).help(help));
        self.unusable_number();
    }

    fn quoted(&mut self) {
        let message = "there are no texts in models";
        let help = "give the values names: `enum Colour { Red, Green }`";
        self.report(Diagnostic::error(codes::NO_STRINGS, self.span(), message).help(help));
        self.unusable_number();
    }

    /// Stands for a value, and wherever it does not fit no more is said about it.
    fn unusable_number(&mut self) {
        self.after_error = true;
        self.token(TokenKind::Number);
    }

    fn escape(&mut self) {
        self.report_hidden('\u{1b}', self.span());
        self.after_error = true;
    }

    fn line_comment(&mut self) {
        let rest = self.lexer.remainder();
        self.lexer.bump(rest.find('\n').unwrap_or(rest.len()));
        let length = self.lexer.slice().trim_end().len();
        self.comment(length);
    }

    fn block_comment(&mut self) {
        let rest = self.lexer.remainder();
        match rest.find("*/") {
            Some(end) => {
                self.lexer.bump(end + 2);
                self.comment(self.lexer.slice().len());
            }
            None => {
                let help = "it ends with `*/`, and nothing behind it has been read";
                let error = Diagnostic::error(
                    codes::OPEN_COMMENT,
                    self.span(),
                    "this comment is never closed",
                );
                self.report(error.help(help));
                self.after_error = true;
                self.lexer.bump(rest.len());
            }
        }
    }

    /// The comment that was just read, without the blanks behind its `length` bytes.
    fn comment(&mut self, length: usize) {
        let start = self.lexer.span().start;
        let text = &self.lexer.slice()[..length];
        self.check_comment(text);
        let own_line = self.end == 0 || self.source[self.end..start].contains('\n');
        self.lexed.comments.push(Comment {
            text: text.to_string(),
            span: Span::new(start, start + length),
            own_line,
        });
        self.end = start + length;
    }

    fn check_comment(&mut self, text: &str) {
        let hidden = text.char_indices().find(|&(at, character)| {
            let is_newline = character == '\r' && text[at + 1..].starts_with('\n');
            is_hidden(character) && !matches!(character, '\t' | '\n') && !is_newline
        });
        if let Some((at, character)) = hidden {
            let start = self.lexer.span().start + at;
            self.report_hidden(character, Span::new(start, start + character.len_utf8()));
        }
    }

    fn bad_characters(&mut self) {
        let start = self.lexer.span().start;
        for (at, character) in self.lexer.slice().char_indices() {
            self.bad_character(character, start + at);
        }
        self.after_error = true;
    }

    fn bad_character(&mut self, character: char, start: usize) {
        let hidden = is_hidden(character);
        let code = if hidden {
            codes::CONTROL_CHARACTER
        } else {
            codes::BAD_CHARACTER
        };
        let end = start + character.len_utf8();
        let continues = |before: &Unreadable| before.end == start && before.code == code;
        let continued = self.unreadable.as_ref().is_some_and(continues);
        self.unreadable = Some(Unreadable { code, end });
        if continued {
            self.widen_last(start, end);
        } else if hidden {
            self.report_hidden(character, Span::new(start, end));
        } else {
            self.report_bad(character, Span::new(start, end));
        }
    }

    fn widen_last(&mut self, start: usize, end: usize) {
        let last = self.lexed.diagnostics.last_mut();
        if let Some(last) = last.filter(|last| last.span.end as usize == start) {
            last.span = last.span.to(Span::new(start, end));
        }
    }

    fn report_hidden(&mut self, character: char, span: Span) {
        let message = format!(
            "the invisible character {} can not stand in a model",
            describe(character)
        );
        let error = Diagnostic::error(codes::CONTROL_CHARACTER, span, message);
        self.report(
            error.help("remove it; blanks, tabs and ends of lines are the only ones allowed"),
        );
    }

    fn report_bad(&mut self, character: char, span: Span) {
        let message = format!("{} has no meaning in a model", describe(character));
        let error = Diagnostic::error(codes::BAD_CHARACTER, span, message);
        self.report(error.help(instead_of(character)));
    }
}
