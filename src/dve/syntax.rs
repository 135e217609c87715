//! What is written, before names are resolved.

use crate::lang::Span;

#[derive(Debug, Default)]
pub(super) struct File<'s> {
    pub variables: Vec<Declaration<'s>>,
    pub channels: Vec<ChannelDeclaration<'s>>,
    pub processes: Vec<ProcessDeclaration<'s>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'s> {
    pub text: &'s str,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Declaration<'s> {
    pub is_const: bool,
    pub is_byte: bool,
    pub name: Word<'s>,
    pub length: Option<Term<'s>>,
    pub initial: Vec<Term<'s>>,
}

#[derive(Debug)]
pub(super) struct ChannelDeclaration<'s> {
    pub name: Word<'s>,
    /// 0: a handshake.
    pub capacity: i64,
    /// The number of values of a message, where it is declared.
    pub arity: Option<usize>,
}

#[derive(Debug)]
pub(super) struct ProcessDeclaration<'s> {
    pub name: Word<'s>,
    pub variables: Vec<Declaration<'s>>,
    pub states: Vec<Word<'s>>,
    pub initial: Option<Word<'s>>,
    pub committed: Vec<Word<'s>>,
    pub accepting: Vec<Word<'s>>,
    pub assertions: Vec<(Word<'s>, Term<'s>)>,
    pub transitions: Vec<Edge<'s>>,
}

#[derive(Debug)]
pub(super) struct Edge<'s> {
    pub from: Word<'s>,
    pub to: Word<'s>,
    pub guard: Option<Term<'s>>,
    pub sync: Option<SyncTerm<'s>>,
    pub effects: Vec<(Term<'s>, Term<'s>)>,
    pub span: Span,
    /// From brace to brace.
    pub body: Span,
}

#[derive(Debug)]
pub(super) struct SyncTerm<'s> {
    pub channel: Word<'s>,
    pub sends: bool,
    pub values: Vec<Term<'s>>,
}

#[derive(Clone, Debug)]
pub(super) struct Term<'s> {
    pub kind: TermKind<'s>,
    pub span: Span,
    /// Levels of operators and indices.
    pub height: u32,
}

#[derive(Clone, Debug)]
pub(super) enum TermKind<'s> {
    Number(i64),
    Name(&'s str),
    Element(&'s str, Box<Term<'s>>),
    /// `Process.state`
    InState(&'s str, &'s str),
    /// `Process->variable`, perhaps with an index.
    Foreign(&'s str, &'s str, Option<Box<Term<'s>>>),
    Unary(&'static str, Box<Term<'s>>),
    Binary(&'static str, Box<Term<'s>>, Box<Term<'s>>),
}
