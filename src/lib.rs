//! Proves or refutes properties of systems of communicating state machines.
//!
//! A [`Model`] in a file, or a [`System`] written in Rust, is given to a [`Checker`], which visits every state
//! that can be reached, on all cores, and gives a [`Report`]: for each property a [`Verdict`], with a shortest
//! trace where it is violated, and the reason where nothing is known.
//!
//! ```
//! use crisol::{Checker, Model, Verdict};
//!
//! # fn main() -> Result<(), crisol::Error> {
//! let model = Model::open("models/pump/impatient.csm")?;
//! let report = Checker::new(&model).threads(2).memory(8 << 30).run()?;
//! match report.verdict("rests_when_off") {
//!     Some(Verdict::Violated(trace)) => print!("{trace}"),
//!     other => panic!("it is violated, not {other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Verdicts do not depend on the number of threads. Nothing is printed, the process is never ended, and a panic
//! of a thread that searches is an [`Error`]. A program that has no command line leaves out what only that needs
//! with `default-features = false`.
#![deny(missing_docs)]

mod api;

/// What the README shows as Rust is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use api::{
    Abstraction, Checker, Error, Figures, Model, Problem, PropertyReport, Report, Snapshot, Step,
    Subject, Trace, Verdict,
};
pub use evidence::Unknown;
pub use lang::SourceError;
pub use search::Progress;
pub use system::{Label, LabelId, Reason, System, Transition};

// The rest is open to the command line, which is a program of its own, to the tests, and to what measures
// speed. It is no interface: it changes with every version.
#[doc(hidden)]
pub mod abstraction;
#[doc(hidden)]
pub mod checker;
#[doc(hidden)]
pub mod csm;
#[doc(hidden)]
pub mod dead_variables;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod dve;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod evidence;
#[doc(hidden)]
pub mod lang;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod search;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod simulate;
#[doc(hidden)]
pub mod system;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod web;
#[doc(hidden)]
pub mod words;
