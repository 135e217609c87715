//! What people meet: commands, help, documents, drawings, pages, and input that means no good. And the
//! folders of the source.

#[path = "../common/mod.rs"]
mod common;

mod architecture;
mod browser;
mod command_line;
mod docs;
mod draw;
mod graph;
mod help;
mod hostile;
mod options;
mod readme;
