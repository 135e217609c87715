//! Tokens of the language.

use logos::Logos;

use crate::lang::{Diagnostic, Span, limits};

#[derive(Clone, Debug, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*[^/])*\*/")]
pub(super) enum Token {
    #[regex("[A-Za-z_][A-Za-z0-9_]*", |lexer| lexer.slice().to_owned())]
    Word(String),
    #[regex("[0-9]+", |lexer| lexer.slice().parse::<i64>().ok().filter(|n| *n <= i64::from(u32::MAX)))]
    Number(i64),
    #[regex(r"->|&&|\|\||==|!=|<=|>=|<<|>>|\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]]", |lexer| symbol(lexer.slice()))]
    Symbol(Symbol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol(pub &'static str);

const SYMBOLS: &[&str] = &[
    "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+", "-", "*", "/", "%", "&",
    "|", "^", "~", "!", "<", ">", "=", "?", ":", ";", ",", ".", "(", ")", "{", "}", "[", "]",
];

fn symbol(text: &str) -> Option<Symbol> {
    SYMBOLS
        .iter()
        .find(|known| **known == text)
        .map(|known| Symbol(known))
}

/// All tokens with their places; the first thing that is none ends it.
pub(super) fn tokens(source: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut all = Vec::new();
    for (token, range) in Token::lexer(source).spanned() {
        let span = Span::new(range.start, range.end);
        match token {
            Ok(Token::Word(word)) if word.len() > limits::NAME_LENGTH => {
                return Err(Diagnostic::error("E004", span, "this name is too long"));
            }
            Ok(token) => all.push((token, span)),
            Err(()) => {
                let message = "this has no meaning in a DVE model";
                return Err(Diagnostic::error("E001", span, message));
            }
        }
    }
    Ok(all)
}
