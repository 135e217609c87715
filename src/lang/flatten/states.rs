//! `o in State`, where the states have other names or are gone: a composite state is any of its
//! leaves.

use std::collections::HashMap;

use super::{Refused, build, walk};
use crate::lang::check::AskedState;
use crate::lang::machine::Machine;
use crate::lang::syntax::{BinaryOperator, Expr, ExprKind, File};
use crate::lang::typed::Model;
use crate::lang::value::StateId;

/// The leaves inside a state, or the state itself.
pub fn leaves(machine: &Machine, state: StateId) -> impl Iterator<Item = StateId> + '_ {
    machine.state_ids().filter(move |leaf| {
        let is_leaf = machine.state(*leaf).regions.is_empty();
        is_leaf && (*leaf == state || machine.is_inside(*leaf, state))
    })
}

/// Rewrites all that the file asks of objects of classes with names for their flat states.
pub fn rewrite(
    file: &mut File,
    model: &Model,
    asked: &[AskedState],
    names: &[Option<Vec<String>>],
) -> Result<(), Refused> {
    let place = |asked: &AskedState| (asked.span.start, asked.span.end);
    let asked: HashMap<(u32, u32), &AskedState> =
        asked.iter().map(|asked| (place(asked), asked)).collect();
    let mut refused = None;
    walk::file(file, &mut |expr| {
        let ExprKind::InState(object, _) = &expr.kind else {
            return;
        };
        let Some(asked) = asked.get(&(expr.span.start, expr.span.end)) else {
            return;
        };
        let Some(names) = &names[asked.class.index()] else {
            return;
        };
        let machine = &model.classes[asked.class.index()].machine;
        let leaves: Vec<StateId> = leaves(machine, asked.state).collect();
        if leaves.len() > 1 && chooses(object) {
            let message = "this object would be chosen once for every state inside";
            refused.get_or_insert(Refused::new(expr.span, message.to_owned()));
        }
        let each = leaves
            .iter()
            .map(|leaf| in_state(object, &names[leaf.index()]));
        let or = |left, right| build::binary(BinaryOperator::Or, left, right);
        if let Some(any) = each.reduce(or) {
            expr.kind = any.kind;
        }
    });
    refused.map_or(Ok(()), Err)
}

fn in_state(object: &Expr, state: &str) -> Expr {
    Expr {
        kind: ExprKind::InState(Box::new(object.clone()), build::path(state)),
        span: object.span,
    }
}

fn chooses(expr: &Expr) -> bool {
    let mut found = false;
    walk::expr(&mut expr.clone(), &mut |expr| {
        found |= matches!(
            expr.kind,
            ExprKind::ChooseRange(..) | ExprKind::ChooseSet(_)
        );
    });
    found
}
