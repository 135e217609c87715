//! Drawings of the state machines of a model.
//!
//! `diagram` says what is shown; `arrange` says where, by `layers`; the rest are formats. SVG needs no
//! other program; DOT, PlantUML and Mermaid leave the layout to theirs.

mod arrange;
mod diagram;
mod layers;
mod svg;
mod text;

pub use svg::{STYLE, class_svg, document as svg};
