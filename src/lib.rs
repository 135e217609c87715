//! Proves or refutes properties of systems of communicating state machines.

pub mod model;
