//! Other languages in.

pub mod dve;
