//! The language of the DiVinE model checker, in which the BEEM benchmark models are written:
//! processes with shared variables and channels.
//!
//! A text becomes a `Program`: names resolved, every value in a numbered slot. What a program does is
//! in `system`, which slots are dead in `dead_variables`.

mod dead_variables;
mod lexer;
mod parser;
mod program;
mod resolve;
mod syntax;
mod system;

pub use dead_variables::DeadSlots;
pub use program::{
    Channel, Effect, Expr, Place, Process, Program, State, Sync, Transition, Variable, Width,
};
pub use system::{DVE_PROPERTIES, DveState, DveStep, DveSystem};

use crate::lang::{Definitions, Diagnostic};

/// Reads a program; or says what is wrong with its text.
pub fn read(source: &str) -> Result<Program, Vec<Diagnostic>> {
    read_with(source, &Definitions::new())
}

/// The same with other values for its global constants.
pub fn read_with(source: &str, definitions: &Definitions) -> Result<Program, Vec<Diagnostic>> {
    let file = parser::parse(source).map_err(|error| vec![error])?;
    resolve::resolve(&file, definitions)
}
