//! Variables that are never called dead, whatever the states of their objects.

use std::collections::HashSet;

use super::reads::{read_by_expr, read_by_statement};
use crate::csm::may_loop;
use crate::lang::{
    ClassId, Expr, ExprKind, FaultKind, Machine, Model, Place, Property, PropertyBody,
    StatementKind, Subject, Type, walk_statements,
};

/// The variables that are looked at from outside the machines of their objects.
pub(super) fn kept(model: &Model) -> HashSet<Subject> {
    let mut kept = HashSet::new();
    let asks_for_divergence = model.properties.iter().any(is_divergence);
    for class in &model.classes {
        keep_read_of_others(&class.machine, &mut kept);
        if asks_for_divergence && may_loop(&class.machine) {
            keep_written(&class.machine, &mut kept);
        }
    }
    for property in &model.properties {
        if let PropertyBody::Always(expr) | PropertyBody::Temporal(expr) = &property.body {
            read_by_expr(expr, &mut |place| kept.extend(subject(place)));
        }
    }
    kept
}

fn is_divergence(property: &Property) -> bool {
    matches!(
        property.body,
        PropertyBody::NoFault(FaultKind::Divergence, _)
    )
}

/// Another object may read them at any time.
fn keep_read_of_others(machine: &Machine, kept: &mut HashSet<Subject>) {
    let mut keep = |place: &Place| {
        if let Place::Field { object, .. } = place
            && !is_self(object)
        {
            kept.extend(subject(place));
        }
    };
    for condition in machine.conditions() {
        read_by_expr(condition, &mut keep);
    }
    for block in machine.blocks() {
        walk_statements(block, &mut |statement| {
            read_by_statement(statement, &mut keep);
        });
    }
}

/// Divergence is seen by a configuration that comes round again as a whole: if a dead variable were
/// written on the way, it would not be the same.
fn keep_written(machine: &Machine, kept: &mut HashSet<Subject>) {
    for block in machine.blocks() {
        walk_statements(block, &mut |statement| {
            if let StatementKind::Assign { place, .. } = &statement.kind {
                kept.extend(subject(place));
            }
        });
    }
}

fn subject(place: &Place) -> Option<Subject> {
    match place {
        Place::Local(_) => None,
        Place::Global { variable, .. } => Some(Subject::Global(*variable)),
        Place::Field {
            object, variable, ..
        } => class_of(object).map(|class| Subject::Field(class, *variable)),
    }
}

fn class_of(object: &Expr) -> Option<ClassId> {
    match object.ty {
        Type::Reference(class) => Some(class),
        _ => None, // `null`: there is no such variable
    }
}

pub(super) fn is_self(object: &Expr) -> bool {
    matches!(object.kind, ExprKind::SelfReference)
}
