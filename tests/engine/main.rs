//! The fast search does what the slow one does: on random models, on those of BEEM, with any number of
//! threads, with dead variables and without.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/shared.rs"]
mod shared;

mod agreement;
mod beem;
mod dead_variables;
mod nested_dfs;
mod panics;
mod threads;
mod wide;
