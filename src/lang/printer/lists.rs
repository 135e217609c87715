//! Declarations of several things, with commas between: in a line, or a line for each where there
//! are comments between them.

use super::expressions::joined;
use super::lines::{Lines, limits};
use crate::lang::syntax::{Name, Span};

pub struct List {
    /// What stands before the first.
    pub head: String,
    pub pieces: Vec<Piece>,
    pub close: Close,
}

pub struct Piece {
    pub text: String,
    pub span: Span,
}

/// What stands around or behind the pieces.
pub enum Close {
    /// `;`, and what comes before it: `signal Tick to a1;`
    Semicolon(String),
    /// `{ ... }`; the source from behind the head to the end.
    Braces(Span),
}

impl Piece {
    pub fn name(name: &Name) -> Piece {
        Piece {
            text: name.text.clone(),
            span: name.span,
        }
    }
}

impl List {
    pub fn names(head: &str, names: &[Name]) -> List {
        let pieces = names.iter().map(Piece::name).collect();
        List {
            head: head.to_string(),
            pieces,
            close: Close::Semicolon(String::new()),
        }
    }

    /// Where comments still go before all of it.
    pub fn head_end(&self) -> u32 {
        match &self.close {
            Close::Semicolon(_) => self.pieces.first().map_or(0, |piece| piece.span.end),
            Close::Braces(span) => span.start,
        }
    }

    pub fn text(&self) -> String {
        let pieces = joined(self.pieces.iter().map(|piece| piece.text.clone()));
        match &self.close {
            Close::Semicolon(tail) => format!("{} {pieces}{tail};", self.head),
            Close::Braces(_) => format!("{} {{ {pieces} }}", self.head),
        }
    }

    pub fn write(&self, lines: &mut Lines, limit: u32) {
        if !lines.has_comment_in(self.inside()) {
            return lines.line(&self.text(), limit);
        }
        let (open, end, close) = match &self.close {
            Close::Semicolon(tail) => ("", limit, format!("{tail};")),
            Close::Braces(span) => (" {", span.end, String::new()),
        };
        lines.begin(&format!("{}{open}", self.head));
        lines.end(self.pieces.first().map_or(end, |piece| piece.span.start));
        lines.indented(|lines| self.write_pieces(lines, end, &close));
        if let Close::Braces(_) = self.close {
            lines.line("}", limit);
        }
    }

    fn write_pieces(&self, lines: &mut Lines, end: u32, close: &str) {
        let limits = limits(self.pieces.iter().map(|piece| piece.span.start), end);
        for (index, (piece, limit)) in self.pieces.iter().zip(limits).enumerate() {
            let is_last = index + 1 == self.pieces.len();
            lines.before(piece.span.end);
            lines.line(
                &format!("{}{}", piece.text, if is_last { close } else { "," }),
                limit,
            );
        }
        if let Close::Braces(span) = &self.close {
            lines.before(span.end);
        }
    }

    /// Where a comment needs lines of its own; those in the first piece go before all of it.
    fn inside(&self) -> Span {
        match (&self.close, self.pieces.first(), self.pieces.last()) {
            (Close::Braces(span), ..) => *span,
            (_, Some(first), Some(last)) => Span {
                start: first.span.end,
                end: last.span.end,
            },
            _ => Span::default(),
        }
    }
}
