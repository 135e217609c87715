//! A program with all names resolved.
//!
//! Invariant: every slot is below `slots.len()`, every state number below the number of states of its
//! process; so whatever runs a program need not look again.

use crate::lang::Span;

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub variables: Vec<Variable>,
    /// The width and first value of each slot, arrays element by element.
    pub slots: Vec<(Width, i32)>,
    pub channels: Vec<Channel>,
    pub processes: Vec<Process>,
}

impl Program {
    /// The variable that a slot holds, or an element of it.
    pub fn name_of_slot(&self, slot: usize) -> String {
        let after = self.variables.partition_point(|v| v.first_slot <= slot);
        let variable = &self.variables[after - 1];
        match variable.is_array {
            true => format!("{}[{}]", variable.name, slot - variable.first_slot),
            false => variable.name.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 0 to 255.
    Byte,
    /// 16 bits with a sign.
    Int,
}

impl Width {
    /// What does not fit comes in again at the other end.
    pub fn wrap(self, value: i32) -> i32 {
        match self {
            Width::Byte => i32::from(value as u8),
            Width::Int => i32::from(value as i16),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// With its process where it has one: `P_0.j`.
    pub name: String,
    /// The process that declares it; `None`: it is global.
    pub process: Option<usize>,
    pub first_slot: usize,
    pub length: usize,
    pub is_array: bool,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub name: String,
    /// 0: sender and receiver meet.
    pub capacity: usize,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub states: Vec<State>,
    pub initial: usize,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub is_committed: bool,
    pub is_accepting: bool,
    pub assertions: Vec<(Expr, Span)>,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    pub to: usize,
    pub guard: Option<Expr>,
    pub sync: Option<Sync>,
    pub effects: Vec<Effect>,
    pub span: Span,
    /// What stands in braces, with these.
    pub body: Span,
}

#[derive(Clone, Debug)]
pub enum Sync {
    Send { channel: usize, values: Vec<Expr> },
    Receive { channel: usize, places: Vec<Place> },
}

#[derive(Clone, Debug)]
pub struct Effect {
    pub place: Place,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub first_slot: usize,
    pub length: usize,
    pub index: Option<Box<Expr>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(i32),
    Read(Place),
    InState { process: usize, state: usize },
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>, Span),
}
