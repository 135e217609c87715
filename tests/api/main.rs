//! The library as other programs use it: models and systems in Rust, their reports, and what goes wrong.

mod examples;
mod models;
mod systems;
