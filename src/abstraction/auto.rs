//! A first precision: what guards, conditions, assertions and invariants compare a variable with.
//!
//! A variable that nothing is compared with is dropped; one that is compared with constants is cut
//! where the outcome of a comparison changes. What else it takes is found by refinement.

use std::collections::BTreeMap;

use super::flow::{bound_parameters, choices, constant_of, copies, for_each_expr, kept_at};
use super::partition::Partition;
use super::precision::Place;
use crate::lang::{
    BinaryOperator, Expr, ExprKind, Model, Place as Written, PropertyBody, Slot, compares, mirrored,
};

/// For each variable and parameter the partition to begin with.
pub fn first_partitions(model: &Model) -> BTreeMap<Place, Partition> {
    let places = Place::all(model);
    let mut partitions: BTreeMap<Place, Partition> = places
        .into_iter()
        .map(|place| (place, Partition::any()))
        .collect();
    let mut cut = |place: Place, operator: BinaryOperator, constant: i64| {
        if let Some(partition) = partitions.get_mut(&place) {
            cut_for(partition, operator, constant);
        }
    };
    for class in &model.classes {
        let bound = bound_parameters(model, &class.machine);
        for_each_expr(&class.machine, &mut |expr| {
            comparisons(&bound, expr, &mut cut)
        });
    }
    for (place, low, high) in choices(model) {
        cut(place, BinaryOperator::GreaterEqual, low);
        cut(place, BinaryOperator::LessEqual, high);
    }
    for property in &model.properties {
        if let PropertyBody::Always(expr) = &property.body {
            expr.walk(&mut |inner| comparisons(&[], inner, &mut cut));
        }
    }
    copy_back(&mut partitions, &copies(model));
    partitions
}

/// What is copied from one place to another is told apart there as it will be needed here.
fn copy_back(partitions: &mut BTreeMap<Place, Partition>, copies: &[(Place, Place)]) {
    loop {
        let mut is_new = false;
        for (from, to) in copies {
            if let Some(wanted) = partitions.get(to).cloned()
                && let Some(partition) = partitions.get_mut(from)
            {
                is_new |= partition.merge(&wanted);
            }
        }
        if !is_new {
            return;
        }
    }
}

/// Tells apart what a comparison with a constant tells apart.
fn cut_for(partition: &mut Partition, operator: BinaryOperator, constant: i64) {
    match operator {
        BinaryOperator::Less | BinaryOperator::GreaterEqual => partition.cut_before(constant),
        BinaryOperator::Greater | BinaryOperator::LessEqual => {
            partition.cut_before(constant.saturating_add(1))
        }
        _ => partition.split_out(constant),
    };
}

/// `variable op constant`, either way round.
fn comparisons(
    bound: &[(Slot, Place)],
    expr: &Expr,
    cut: &mut impl FnMut(Place, BinaryOperator, i64),
) {
    let ExprKind::Binary(operator, left, right) = &expr.kind else {
        return;
    };
    if !compares(*operator) {
        return;
    }
    for (place, constant, operator) in
        [(left, right, *operator), (right, left, mirrored(*operator))]
    {
        let Some(constant) = constant_of(constant) else {
            continue;
        };
        for place in places_of(bound, place) {
            cut(place, operator, constant);
        }
    }
}

/// The variables and parameters that an expression reads as a whole.
fn places_of(bound: &[(Slot, Place)], expr: &Expr) -> Vec<Place> {
    let ExprKind::Read(written) = &expr.kind else {
        return Vec::new();
    };
    match written {
        Written::Local(slot) => {
            let meant = bound.iter().filter(|(other, _)| other == slot);
            meant.map(|(_, place)| *place).collect()
        }
        other => kept_at(other).into_iter().collect(),
    }
}
