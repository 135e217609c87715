//! The places that expressions and statements read.

use crate::lang::{Expr, ExprKind, Place, Range, Statement, StatementKind};

/// Calls `visit` on every place that an expression may read.
pub(super) fn read_by_expr(expr: &Expr, visit: &mut impl FnMut(&Place)) {
    expr.walk(&mut |inner| match &inner.kind {
        ExprKind::Read(place) => visit(place),
        ExprKind::Quantified {
            range: Range::Elements(place, _),
            ..
        } => visit(place),
        _ => {}
    });
}

/// Calls `visit` on every place that a statement may read, not counting the statements inside it.
pub(super) fn read_by_statement(statement: &Statement, visit: &mut impl FnMut(&Place)) {
    match &statement.kind {
        StatementKind::Assign { place, value, .. } => {
            read_by_expr(value, visit);
            read_to_find(place, visit);
        }
        StatementKind::Send {
            target, arguments, ..
        } => {
            read_by_expr(target, visit);
            arguments
                .iter()
                .for_each(|value| read_by_expr(value, visit));
        }
        StatementKind::Assert(condition) | StatementKind::If { condition, .. } => {
            read_by_expr(condition, visit);
        }
        StatementKind::For { range, .. } => match range {
            Range::Numbers(low, high) => {
                read_by_expr(low, visit);
                read_by_expr(high, visit);
            }
            Range::Elements(place, _) => {
                read_to_find(place, visit);
                visit(place);
            }
            Range::Objects(_) => {}
        },
    }
}

/// What must be read to know which slot a place means.
fn read_to_find(place: &Place, visit: &mut impl FnMut(&Place)) {
    let (object, index) = match place {
        Place::Local(_) => (None, &None),
        Place::Global { index, .. } => (None, index),
        Place::Field { object, index, .. } => (Some(object), index),
    };
    object.iter().for_each(|object| read_by_expr(object, visit));
    index.iter().for_each(|index| read_by_expr(index, visit));
}
