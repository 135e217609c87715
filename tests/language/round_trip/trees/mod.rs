//! Random syntax trees: every kind of node, in every place where the grammar lets it stand.
//!
//! What no text can say is left out: an empty list where the grammar wants one element, a variable
//! called `G` in an `ltl` formula, a trigger on a signal called `any`, and so on.

pub mod elements;
pub mod expressions;
pub mod items;
pub mod names;
pub mod statements;
