//! What is written, before names are resolved.

use crate::lang::Span;

#[derive(Debug, Default)]
pub(super) struct File {
    pub variables: Vec<Declaration>,
    pub channels: Vec<ChannelDeclaration>,
    pub processes: Vec<ProcessDeclaration>,
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub is_const: bool,
    pub is_byte: bool,
    pub name: Word,
    pub length: Option<Term>,
    pub initial: Vec<Term>,
}

#[derive(Debug)]
pub(super) struct ChannelDeclaration {
    pub name: Word,
    /// 0: a handshake.
    pub capacity: i64,
    /// The number of values of a message, where it is declared.
    pub arity: Option<usize>,
}

#[derive(Debug)]
pub(super) struct ProcessDeclaration {
    pub name: Word,
    pub variables: Vec<Declaration>,
    pub states: Vec<Word>,
    pub initial: Option<Word>,
    pub committed: Vec<Word>,
    pub accepting: Vec<Word>,
    pub assertions: Vec<(Word, Term)>,
    pub transitions: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub from: Word,
    pub to: Word,
    pub guard: Option<Term>,
    pub sync: Option<SyncTerm>,
    pub effects: Vec<(Term, Term)>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct SyncTerm {
    pub channel: Word,
    pub sends: bool,
    pub values: Vec<Term>,
}

#[derive(Clone, Debug)]
pub(super) struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TermKind {
    Number(i64),
    Name(String),
    Element(String, Box<Term>),
    /// `Process.state`
    InState(String, String),
    /// `Process->variable`, perhaps with an index.
    Foreign(String, String, Option<Box<Term>>),
    Unary(&'static str, Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
}
