//! Dead variables: resetting them merges states and changes nothing else.

mod cases;
mod compare;
mod dve;
mod examples;
mod machines;
mod models;
mod random;
