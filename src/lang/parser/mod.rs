//! Reads the text of a model into its syntax tree, by recursive descent.
//!
//! Invariant: no tree is higher than `limits::NESTING` levels, so that whoever walks, prints or
//! drops one can use recursion. An error is reported where it is found and reading goes on behind
//! it; at one token at most one error is reported.

mod closing;
mod cursor;
mod declarations;
mod elements;
mod expressions;
mod items;
mod primaries;
mod properties;
mod recovery;
mod statements;
mod transitions;
mod types;
pub mod words;

use super::diagnostics::Diagnostic;
use super::lexer;
use super::syntax::File;
use cursor::Parser;

/// The tree of a model, and what is wrong with its syntax, in the order of the text. With errors the
/// tree lacks what could not be read.
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    let lexed = lexer::lex(source);
    let mut parser = Parser::new(source, lexed.tokens, lexed.diagnostics);
    let mut file = parser.file();
    file.comments = lexed.comments;
    (file, parser.finish())
}
