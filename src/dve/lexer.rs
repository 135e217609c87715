//! Tokens of the language, one at a time.

use logos::Logos;

use crate::lang::{Diagnostic, Span, limits};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*[^/])*\*/")]
pub(super) enum Token<'s> {
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word(&'s str),
    #[regex("[0-9]+", |lexer| lexer.slice().parse::<i64>().ok().filter(|n| *n <= i64::from(u32::MAX)))]
    Number(i64),
    #[regex(r"->|&&|\|\||==|!=|<=|>=|<<|>>|\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]]")]
    Symbol(&'s str),
}

/// A token, or why there is none.
pub(super) type Read<'s> = Result<Token<'s>, Diagnostic>;

pub(super) fn tokens(source: &str) -> impl Iterator<Item = (Read<'_>, Span)> {
    let read = Token::lexer(source).spanned();
    read.map(|(token, range)| {
        let span = Span::new(range.start, range.end);
        let read = match token {
            Ok(Token::Word(word)) if word.len() > limits::NAME_LENGTH => {
                Err(Diagnostic::error("E004", span, "this name is too long"))
            }
            Ok(token) => Ok(token),
            Err(()) => {
                let message = "this has no meaning in a DVE model";
                Err(Diagnostic::error("E001", span, message))
            }
        };
        (read, span)
    })
}
