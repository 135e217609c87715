//! The language of the DiVinE model checker, in which the BEEM benchmark models are written:
//! processes with shared variables and channels.
//!
//! A text becomes a `Program`: names resolved, every value in a numbered slot. What a program does is
//! in `semantics`, for searches in `system`; which slots are dead in `dead_variables`.

mod components;
pub mod dead_variables;
mod drawn;
mod evaluate;
mod lexer;
mod parser;
mod program;
mod resolve;
mod semantics;
mod syntax;
pub mod system;

pub use components::{DveValue, Part, content, join, parts, put};
pub use drawn::drawn;
pub use program::{
    Channel, Effect, Expr, Place, Process, Program, State, Sync, Transition, Variable, Width,
};
pub use semantics::{
    ARITHMETIC_FAULT, ASSERTION_FAILURE, DEADLOCK, DVE_PROPERTIES, DveState, DveStep, Semantics,
};

use crate::lang::{Definitions, Diagnostic};
use components::written_slots;

/// Reads a program; or says what is wrong with its text.
pub fn read(source: &str) -> Result<Program, Vec<Diagnostic>> {
    read_with(source, &Definitions::new())
}

/// The same with other values for its global constants.
pub fn read_with(source: &str, definitions: &Definitions) -> Result<Program, Vec<Diagnostic>> {
    let file = parser::parse(source).map_err(|error| vec![error])?;
    resolve::resolve(&file, definitions)
}
