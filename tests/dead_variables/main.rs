//! Dead variables: resetting them merges states and changes nothing else.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod compare;
mod dve;
mod examples;
mod machines;
mod models;
mod random;
