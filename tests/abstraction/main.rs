//! Refinement: what the sources of the method say must come out, and a night of it.

mod overnight;
mod refinement;
