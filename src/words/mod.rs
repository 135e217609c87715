//! States and steps in words: what reports, graphs and traces are made of.

mod dve;
mod states;
mod steps;

pub use dve::dve_headline;
pub use states::{DveWords, Words};
pub use steps::{
    Shown, StepWords, active, changes, headline, labels, object_line, spans, step_words, variables,
    waiting,
};
