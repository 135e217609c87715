//! Drawings of the state machines of a model, and of graphs of states.
//!
//! `diagram` and `notes` say what is shown; `arrange` says where, by `layers`; the rest are formats. SVG
//! needs no other program; DOT, PlantUML and Mermaid leave the layout to theirs.

mod arrange;
mod diagram;
mod dot;
mod indent;
mod layers;
mod loops;
mod mermaid;
mod notes;
mod plantuml;
mod svg;
mod text;
mod xml;

pub mod graph;

pub use dot::dot;
pub use mermaid::mermaid;
pub use plantuml::plantuml;
pub use svg::{STYLE, class_svg, document as svg};
