//! Whether an object that takes a message can have a transition without a trigger enabled.
//!
//! With `rhapsody_triggers` the two compete, and an inner one of either kind goes before an outer
//! one of the other. A flat machine has no inner and outer, and a guard can't see the message; but
//! none is needed where the two never meet. A step ends only when nothing is enabled. What only
//! reads variables that only the object itself writes is then still not enabled when the next
//! message comes.

use crate::lang::action::{Expr, ExprKind, Place, Range, StatementKind, walk_statements};
use crate::lang::typed::Model;
use crate::lang::value::{ClassId, Type, VariableId};

/// Whether all guards of transitions without a trigger depend on the object alone.
pub fn is_private(model: &Model, class: ClassId) -> bool {
    let machine = &model.classes[class.index()].machine;
    let spontaneous = machine.transitions.iter().filter(|t| !t.needs_message());
    let mut conditions = spontaneous.flat_map(|transition| &transition.guard.conditions);
    conditions.all(|condition| reads_only_own(model, class, condition))
}

fn reads_only_own(model: &Model, class: ClassId, condition: &Expr) -> bool {
    let is_private = |expr: &Expr| match &expr.kind {
        ExprKind::Read(place) => is_own_place(model, class, place),
        ExprKind::Quantified { range, .. } => match range {
            Range::Numbers(..) | Range::Objects(_) => true,
            Range::Elements(place, _) => is_own_place(model, class, place),
        },
        ExprKind::InState(object, _) => matches!(object.kind, ExprKind::SelfReference),
        _ => true,
    };
    !condition.any(|expr| !is_private(expr))
}

fn is_own_place(model: &Model, class: ClassId, place: &Place) -> bool {
    match place {
        Place::Local(_) => true, // bound in the guard itself: there is no trigger
        Place::Global { .. } => false,
        Place::Field {
            object, variable, ..
        } => is_self(object) && !is_written_by_others(model, class, *variable),
    }
}

fn is_self(object: &Expr) -> bool {
    matches!(object.kind, ExprKind::SelfReference)
}

fn is_written_by_others(model: &Model, class: ClassId, variable: VariableId) -> bool {
    let mut found = false;
    for other in &model.classes {
        for block in other.machine.blocks() {
            walk_statements(block, &mut |statement| {
                if let StatementKind::Assign {
                    place:
                        Place::Field {
                            object,
                            variable: written,
                            ..
                        },
                    ..
                } = &statement.kind
                {
                    let this = object.ty == Type::Reference(class) && *written == variable;
                    found |= this && !is_self(object);
                }
            });
        }
    }
    found
}
