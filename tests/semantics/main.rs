//! What models mean: rule by rule, by the sources, by explorations written by hand, and for all shipped
//! models.

#[path = "../common/mod.rs"]
mod common;

mod dve;
mod edges;
mod independent;
mod meller;
mod models;
mod ojala;
mod rules;
