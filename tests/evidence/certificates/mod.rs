//! Certificates: what is right is confirmed, and nothing else is.

mod command;
mod corrupted;
mod dve;
mod made;
mod refused;
mod shipped;
