//! Typed expressions and statements: names resolved, types known.

use std::sync::Arc;

use super::syntax::{BinaryOperator, Quantifier, Span, UnaryOperator};
use super::value::{ObjectId, SignalId, Slot, StateId, Type, Value, VariableId};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// For arithmetic also what the result is checked against.
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Constant(Value),
    SelfReference,
    Read(Place),
    /// `pool[i]`; all mentions of a pool share the list of its objects.
    ObjectAt(Arc<[ObjectId]>, Box<Expr>),
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    InState(Box<Expr>, StateId),
    ChooseRange(Box<Expr>, Box<Expr>),
    ChooseSet(Vec<Expr>),
    Quantified {
        quantifier: Quantifier,
        variable: Slot,
        range: Range,
        body: Box<Expr>,
    },
    Queued(SignalAt),
    QueuedBefore(SignalAt, SignalAt),
    Enabled(Box<Expr>),
    Idle(Box<Expr>),
    Action {
        received: bool,
        signal: SignalAt,
        parameters: Vec<Option<Slot>>,
        condition: Option<Box<Expr>>,
    },
}

#[derive(Clone, Debug)]
pub struct SignalAt {
    pub object: Option<Box<Expr>>,
    pub signal: SignalId,
}

/// Somewhere a value is kept. An index stands only with variables of array type.
#[derive(Clone, Debug)]
pub enum Place {
    Local(Slot),
    Global {
        variable: VariableId,
        index: Option<Box<Expr>>,
    },
    Field {
        object: Box<Expr>,
        variable: VariableId,
        index: Option<Box<Expr>>,
    },
}

#[derive(Clone, Debug)]
pub enum Range {
    Numbers(Box<Expr>, Box<Expr>),
    /// The elements of an array variable: its place without an index, and its length.
    Elements(Place, u32),
    Objects(Arc<[ObjectId]>),
}

pub type Block = Vec<Statement>;

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Assign {
        place: Place,
        /// What the stored value is checked against.
        ty: Type,
        value: Expr,
    },
    Send {
        target: Expr,
        signal: SignalId,
        arguments: Vec<Expr>,
    },
    Assert(Expr),
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    For {
        variable: Slot,
        range: Range,
        body: Block,
    },
}

impl Expr {
    pub fn constant(value: Value, ty: Type, span: Span) -> Expr {
        let kind = ExprKind::Constant(value);
        Expr { kind, ty, span }
    }

    /// Calls `visit` on this expression and all inside it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::SelfReference => {}
            ExprKind::Read(place) => place.walk(visit),
            ExprKind::ObjectAt(_, inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::InState(inner, _)
            | ExprKind::Enabled(inner)
            | ExprKind::Idle(inner) => inner.walk(visit),
            ExprKind::Binary(_, left, right) | ExprKind::ChooseRange(left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                condition.walk(visit);
                then.walk(visit);
                otherwise.walk(visit);
            }
            ExprKind::ChooseSet(options) => options.iter().for_each(|option| option.walk(visit)),
            ExprKind::Quantified { range, body, .. } => {
                range.walk(visit);
                body.walk(visit);
            }
            ExprKind::Queued(at) => at.walk(visit),
            ExprKind::QueuedBefore(first, second) => {
                first.walk(visit);
                second.walk(visit);
            }
            ExprKind::Action {
                signal, condition, ..
            } => {
                signal.walk(visit);
                condition.iter().for_each(|inner| inner.walk(visit));
            }
        }
    }

    pub fn any(&self, mut test: impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |expr| found |= test(expr));
        found
    }

    /// Whether its value can be known without a state.
    pub fn is_constant(&self) -> bool {
        !self.any(|expr| {
            !matches!(
                expr.kind,
                ExprKind::Constant(_)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Conditional(..)
            )
        })
    }
}

impl SignalAt {
    fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        self.object.iter().for_each(|object| object.walk(visit));
    }
}

impl Place {
    fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Place::Local(_) => {}
            Place::Global { index, .. } => index.iter().for_each(|index| index.walk(visit)),
            Place::Field { object, index, .. } => {
                object.walk(visit);
                index.iter().for_each(|index| index.walk(visit));
            }
        }
    }
}

impl Range {
    fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Range::Numbers(low, high) => {
                low.walk(visit);
                high.walk(visit);
            }
            Range::Elements(place, _) => place.walk(visit),
            Range::Objects(_) => {}
        }
    }
}

/// Calls `visit` on every statement of a block, and on those inside them.
pub fn walk_statements(block: &Block, visit: &mut impl FnMut(&Statement)) {
    for statement in block {
        visit(statement);
        match &statement.kind {
            StatementKind::If {
                then, otherwise, ..
            } => {
                walk_statements(then, visit);
                walk_statements(otherwise, visit);
            }
            StatementKind::For { body, .. } => walk_statements(body, visit),
            _ => {}
        }
    }
}
