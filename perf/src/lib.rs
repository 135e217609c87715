//! Measures Crisol: against other model checkers (`perf/compare`), against published counts (`perf/beem`),
//! refinement against concrete exploration (`perf/cegar`), and systems of many objects (`perf/wide`).
//!
//! Everything is measured from outside, on whole processes, so that no program reports about itself.

pub mod beem;
pub mod contender;
pub mod crisol;
pub mod demands;
pub mod machine;
pub mod measure;
pub mod plot;
pub mod report;
pub mod session;
pub mod spin;
pub mod stateright;
pub mod suite;
pub mod summary;
pub mod wide;

use std::path::PathBuf;

/// Anything that ends a comparison, as a sentence for its user.
pub type Failure = Box<dyn std::error::Error>;

/// The folder of the product.
pub fn root() -> PathBuf {
    perf().join("..")
}

/// The folder of this package.
pub fn perf() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
