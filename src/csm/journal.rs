//! What a step did, action by action, and what every expression in it came to (Ojala 5.1): written
//! while somebody records.
//!
//! The rules stay as they are; the few places where something happens tell. Outside of `recording`
//! that costs the look at one flag.

use std::cell::{Cell, RefCell};

use super::evaluate::Location;
use crate::lang::{
    BinaryOperator, Expr, ExprKind, FaultKind, Message, ObjectId, SignalId, Span, TransitionId,
    UnaryOperator, Value,
};

/// One action of an object, with the expressions that it evaluated, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub object: ObjectId,
    pub action: Action,
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A guard was looked at.
    Guard {
        transition: TransitionId,
        holds: bool,
    },
    /// What was looked at is decided; what follows is done.
    Begin,
    /// RECV: where each parameter went.
    Receive(Message, Vec<Option<Location>>),
    /// A branch, or the condition of an `if`.
    Condition(bool),
    Assign(Location, Value),
    Send {
        to: ObjectId,
        message: Message,
        lost: bool,
    },
    Assert(bool),
    /// The expressions before it led to this fault.
    Fault(FaultKind),
}

/// An expression, as it was evaluated: parts that were not looked at are not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub kind: NodeKind,
    /// None if its evaluation failed.
    pub value: Option<Value>,
    pub span: Span,
    pub parts: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeKind {
    Constant,
    Read(Location),
    /// A parameter of the message that was received.
    Parameter(SignalId, usize),
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    Conditional,
    Choose,
    Other,
}

#[derive(Default)]
struct Recorder {
    entries: Vec<Entry>,
    /// For each expression that is being evaluated, its parts so far; the first list is of whole
    /// expressions.
    open: Vec<Vec<Node>>,
    located: Option<Location>,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// Runs something, and gives what it did on this thread.
pub(super) fn recording<T>(run: impl FnOnce() -> T) -> (T, Vec<Entry>) {
    RECORDER.replace(Recorder {
        open: vec![Vec::new()],
        ..Recorder::default()
    });
    IS_ON.set(true);
    let result = run();
    IS_ON.set(false);
    (result, RECORDER.take().entries)
}

fn tell(what: impl FnOnce(&mut Recorder)) {
    if IS_ON.get() {
        RECORDER.with_borrow_mut(what);
    }
}

/// An expression is about to be evaluated.
#[inline]
pub(super) fn open() {
    tell(|recorder| recorder.open.push(Vec::new()));
}

/// The expression that was opened last came to this.
#[inline]
pub(super) fn close(expr: &Expr, value: Option<Value>) {
    tell(|recorder| {
        let parts = recorder.open.pop().unwrap_or_default();
        let kind = match &expr.kind {
            ExprKind::Constant(_) => NodeKind::Constant,
            ExprKind::Read(_) => match recorder.located.take() {
                Some(location) => NodeKind::Read(location),
                None => NodeKind::Other, // the place itself could not be found
            },
            ExprKind::Unary(operator, _) => NodeKind::Unary(*operator),
            ExprKind::Binary(operator, ..) => NodeKind::Binary(*operator),
            ExprKind::Conditional(..) => NodeKind::Conditional,
            ExprKind::ChooseRange(..) | ExprKind::ChooseSet(_) => NodeKind::Choose,
            _ => NodeKind::Other,
        };
        let node = Node {
            kind,
            value,
            span: expr.span,
            parts,
        };
        if let Some(around) = recorder.open.last_mut() {
            around.push(node);
        }
    });
}

/// The place that the expression means.
#[inline]
pub(super) fn located(location: Location) {
    tell(|recorder| recorder.located = Some(location));
}

/// An action, with all that was evaluated since the last one.
#[inline]
pub(super) fn act(object: ObjectId, action: impl FnOnce() -> Action) {
    tell(|recorder| {
        let nodes = recorder.open.first_mut().map(std::mem::take);
        recorder.entries.push(Entry {
            object,
            action: action(),
            nodes: nodes.unwrap_or_default(),
        });
    });
}

/// A parameter of a message was read.
#[inline]
pub(super) fn parameter(signal: SignalId, index: usize, value: Value, span: Span) {
    tell(|recorder| {
        let node = Node {
            kind: NodeKind::Parameter(signal, index),
            value: Some(value),
            span,
            parts: Vec::new(),
        };
        if let Some(around) = recorder.open.last_mut() {
            around.push(node);
        }
    });
}
