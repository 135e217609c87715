//! The modelling language: its text, its syntax tree, and what can be wrong with it.

mod characters;
mod codes;
mod diagnostics;
mod lexer;
mod operators;
mod parser;
mod printer;
mod render;
mod source;

pub mod limits;
pub mod syntax;

pub use codes::CODES;
pub use diagnostics::{Diagnostic, Severity, nearest};
pub use lexer::RESERVED;
pub use parser::parse;
pub use printer::{print, print_expr, print_label, print_transition, print_type};
pub use render::{Colour, render, visible};
pub use source::{Position, SourceError, SourceFile};
