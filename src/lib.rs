//! Proves or refutes properties of systems of communicating state machines.
#![doc = include_str!("README.md")]

pub mod abstraction;
pub mod cegar;
pub mod concurrent;
pub mod draw;
pub mod evidence;
pub mod explore;
pub mod import;
pub mod liveness;
pub mod model;
pub mod report;
pub mod semantics;
pub mod serve;
pub mod simulate;
pub mod system;
pub mod verify;
