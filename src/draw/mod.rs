//! Drawings of the state machines of a model.
//!
//! `diagram` and `notes` say what is shown; `arrange` says where, by `layers`; the rest are formats. SVG
//! needs no other program; DOT, PlantUML and Mermaid leave the layout to theirs.

mod arrange;
mod diagram;
mod dot;
mod indent;
mod layers;
mod mermaid;
mod notes;
mod plantuml;
mod svg;
mod text;

pub use dot::dot;
pub use mermaid::mermaid;
pub use plantuml::plantuml;
pub use svg::{STYLE, class_svg, document as svg};
