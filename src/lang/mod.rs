//! The modelling language: its text, its syntax tree, its types, and what can be wrong with it.
#![doc = include_str!("README.md")]

mod abstraction;
mod action;
mod arithmetic;
mod characters;
mod check;
mod codes;
mod diagnostics;
mod explanations;
mod flatten;
mod int_set;
mod lexer;
mod lint;
mod machine;
mod operators;
mod parser;
mod printer;
mod render;
mod source;
mod typed;
mod value;

pub mod limits;
pub mod syntax;

pub use abstraction::{NoAbstraction, abstraction_in};
pub use action::{
    Block, Expr, ExprKind, Place, Range, SignalAt, Statement, StatementKind, walk_statements,
};
pub use arithmetic::{
    ArithmeticError, calculate, calculate_wrapping, calculates, compare, compares, mirrored,
};
pub use check::{Definitions, check, why_not_lazy};
pub(crate) use check::{Lookup, fold};
pub use codes::CODES;
pub use diagnostics::{Diagnostic, Severity, nearest};
pub use explanations::{Example, Explanation, explanation};
pub use flatten::flatten;
pub use int_set::{IntSet, NO_HIGH, NO_LOW};
pub use lexer::RESERVED;
pub use lint::lint;
pub use machine::{
    Accepts, Binding as TransitionBinding, Branch, Choice, Guard, Machine, Region, State, TOP,
    Target, Transition, Trigger,
};
pub use parser::parse;
pub use printer::{print, print_expr, print_label, print_property, print_transition, print_type};
pub use render::{Colour, render, visible};
pub use source::{Position, SourceError, SourceFile};
pub use syntax::{BinaryOperator, HistoryKind, Quantifier, Span, UnaryOperator};
pub use typed::{
    AbstractionEntry, Class, Domain, Enum, Environment, FaultKind, Inbox, Level, Local, Model,
    Object, OnFull, Property, PropertyBody, RunToCompletion, Semantics, Signal, Subject, Thread,
    Variable,
};
pub use value::{
    ChoiceId, ClassId, EnumId, Message, ObjectId, RegionId, SignalId, Slot, StateId, ThreadId,
    TransitionId, Type, Value, VariableId,
};
