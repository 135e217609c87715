//! Proves or refutes properties of systems of communicating state machines.
#![doc = include_str!("README.md")]

pub mod abstraction;
pub mod checker;
pub mod csm;
pub mod dead_variables;
#[cfg(feature = "cli")]
pub mod draw;
pub mod dve;
pub mod engine;
pub mod evidence;
pub mod lang;
#[cfg(feature = "cli")]
pub mod report;
pub mod search;
#[cfg(feature = "cli")]
pub mod simulate;
pub mod system;
#[cfg(feature = "cli")]
pub mod web;
