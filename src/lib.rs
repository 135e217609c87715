//! Proves or refutes properties of systems of communicating state machines.
#![doc = include_str!("README.md")]

pub mod abstraction;
pub mod checker;
pub mod csm;
pub mod dead_variables;
pub mod draw;
pub mod dve;
pub mod engine;
pub mod evidence;
pub mod lang;
pub mod report;
pub mod search;
pub mod simulate;
pub mod system;
pub mod web;
