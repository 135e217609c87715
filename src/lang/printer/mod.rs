//! Writes syntax trees as text, in one canonical form.
//!
//! Invariant: what is printed reads as the same tree, with the same comments in the same order, and
//! printing that tree again gives the same text. A comment keeps its place as well as lines allow:
//! on a line of its own before what follows it, or behind what it stands behind. One inside of
//! something that is printed without a break goes before it.

mod elements;
mod expressions;
mod items;
mod labels;
mod lines;
mod lists;
mod statements;

use super::syntax::{Block, Expr, File, Label, Property, StatePath, Target, Type};
use lines::{Lines, flat};

pub fn print(file: &File) -> String {
    let mut lines = Lines::new(&file.comments);
    items::file(&mut lines, file);
    lines.finish()
}

/// An expression in one line.
pub fn print_expr(expr: &Expr) -> String {
    flat(&expressions::expr(expr))
}

pub fn print_type(ty: &Type) -> String {
    flat(&expressions::ty(ty))
}

/// `{ a = 1; send b.C; }`, in one line.
pub fn print_block(block: &Block) -> String {
    flat(&labels::block(block))
}

/// `trigger [guard] / { effect }`, in one line; empty if the label is.
pub fn print_label(label: &Label) -> String {
    flat(&labels::label(label))
}

/// `Source -> Target : trigger [guard] / { effect }`, in one line.
pub fn print_transition(source: &StatePath, target: &Target, label: &Label) -> String {
    flat(&labels::transition(source, target, label))
}

/// `property name : always ...;`, in one line.
pub fn print_property(property: &Property) -> String {
    flat(&items::property(property))
}
