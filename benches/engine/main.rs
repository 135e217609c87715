//! The parts of the engine by themselves, and whole checks.
//!
//! `cargo bench --bench engine -- table` measures those whose name has `table` in it.

mod certificates;
mod checks;
mod frontier;
mod intern;
mod successors;
mod table;
mod transitions;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    engine,
    successors::benches,
    intern::benches,
    table::benches,
    frontier::benches,
    checks::benches,
    transitions::benches,
    certificates::benches
);
criterion_main!(engine);
