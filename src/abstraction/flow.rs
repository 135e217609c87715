//! Where data goes: which variables and parameters get values that are computed from others.
//!
//! A variable that gets what an abstraction has forgotten can't be known exactly itself.

use std::collections::HashSet;

use super::precision::Place;
use crate::lang::{
    Block, ClassId, Expr, ExprKind, IntSet, Machine, Model, Place as Written, Range, SignalId,
    Slot, StatementKind, TransitionBinding, Type, UnaryOperator, calculate, calculates, limits,
    walk_statements,
};

/// Somewhere that data is kept, if only during a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Kept(Place),
    Local(ClassId, Slot),
}

/// The places of numbers that get values from these places, directly or through others, or from a
/// choice among more values than can be looked at one by one.
pub(super) fn tainted(model: &Model, sources: &HashSet<Place>) -> HashSet<Place> {
    let flows = flows(model);
    let mut tainted: HashSet<Holder> = sources.iter().map(|place| Holder::Kept(*place)).collect();
    loop {
        let before = tainted.len();
        for flow in &flows {
            if flow.is_wide || flow.from.iter().any(|holder| tainted.contains(holder)) {
                tainted.insert(flow.to);
            }
        }
        if tainted.len() == before {
            break;
        }
    }
    let kept = tainted.into_iter().filter_map(|holder| match holder {
        Holder::Kept(place) => Some(place),
        Holder::Local(..) => None,
    });
    kept.filter(|place| place.ty(model).is_number()).collect()
}

/// Something gets a value that is computed from others.
struct Flow {
    to: Holder,
    from: Vec<Holder>,
    /// It chooses among very many.
    is_wide: bool,
    /// The value is taken as it is.
    is_copy: bool,
    /// The ends of the choice that it is.
    chosen: Option<(i64, i64)>,
}

impl Flow {
    fn copy(from: Vec<Holder>, to: Holder) -> Flow {
        Flow {
            to,
            from,
            is_wide: false,
            is_copy: true,
            chosen: None,
        }
    }

    fn of(class: ClassId, to: Holder, value: &Expr) -> Flow {
        let mut flow = Flow {
            is_copy: matches!(value.kind, ExprKind::Read(_)),
            chosen: ends_of(value),
            ..Flow::copy(Vec::new(), to)
        };
        value.walk(&mut |expr| match &expr.kind {
            ExprKind::Read(Written::Local(slot)) => flow.from.push(Holder::Local(class, *slot)),
            ExprKind::Read(place) => flow.from.extend(kept_at(place).map(Holder::Kept)),
            ExprKind::ChooseRange(..) => flow.is_wide |= is_wide(expr),
            _ => {}
        });
        flow
    }
}

/// Whether a choice is among more values than can be looked at.
fn is_wide(choice: &Expr) -> bool {
    let ends = ends_of(choice);
    ends.is_some_and(|(low, high)| high.saturating_sub(low) >= limits::CHOICES)
}

/// The ends of a choice between constants.
fn ends_of(expr: &Expr) -> Option<(i64, i64)> {
    match &expr.kind {
        ExprKind::ChooseRange(low, high) => Some((constant_of(low)?, constant_of(high)?)),
        _ => None,
    }
}

/// The number that a constant expression comes to.
pub(super) fn constant_of(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(value) => value.numbers().and_then(IntSet::only),
        ExprKind::Unary(UnaryOperator::Negate, inner) => constant_of(inner)?.checked_neg(),
        ExprKind::Binary(operator, left, right) if calculates(*operator) => {
            calculate(*operator, constant_of(left)?, constant_of(right)?).ok()
        }
        _ => None,
    }
}

/// Places that get what is kept at others, as it is: from, to.
pub(super) fn copies(model: &Model) -> Vec<(Place, Place)> {
    let flows = flows(model);
    // Through local names, too.
    let mut copies: HashSet<(Holder, Holder)> = HashSet::new();
    for flow in flows.iter().filter(|flow| flow.is_copy) {
        copies.extend(flow.from.iter().map(|from| (*from, flow.to)));
    }
    loop {
        let before = copies.len();
        let through: Vec<(Holder, Holder)> = copies
            .iter()
            .flat_map(|(a, b)| {
                let local = matches!(b, Holder::Local(..));
                let next = copies.iter().filter(move |(c, _)| local && c == b);
                next.map(|(_, d)| (*a, *d)).collect::<Vec<_>>()
            })
            .collect();
        copies.extend(through);
        if copies.len() == before {
            break;
        }
    }
    let kept = copies.into_iter().filter_map(|pair| match pair {
        (Holder::Kept(from), Holder::Kept(to)) => Some((from, to)),
        _ => None,
    });
    kept.collect()
}

/// Places that get a choice between constants: place, low, high.
pub(super) fn choices(model: &Model) -> Vec<(Place, i64, i64)> {
    let flows = flows(model).into_iter();
    let chosen = flows.filter_map(|flow| match (flow.to, flow.chosen) {
        (Holder::Kept(place), Some((low, high))) => Some((place, low, high)),
        _ => None,
    });
    chosen.collect()
}

fn flows(model: &Model) -> Vec<Flow> {
    let mut flows = Vec::new();
    for (index, class) in model.classes.iter().enumerate() {
        let id = ClassId::new(index);
        for (slot, place) in bound_parameters(model, &class.machine) {
            flows.push(Flow::copy(
                vec![Holder::Kept(place)],
                Holder::Local(id, slot),
            ));
        }
        for_each_binding(model, &class.machine, &mut |place, binding| {
            if let TransitionBinding::Variable(variable) = binding {
                let to = Holder::Kept(Place::Field(id, *variable));
                flows.push(Flow::copy(vec![Holder::Kept(place)], to));
            }
        });
        for_each_block(&class.machine, &mut |block| {
            flows_of_block(id, block, &mut flows)
        });
    }
    flows
}

fn flows_of_block(class: ClassId, block: &Block, flows: &mut Vec<Flow>) {
    walk_statements(block, &mut |statement| match &statement.kind {
        StatementKind::Assign { place, value, .. } => {
            let to = match place {
                Written::Local(slot) => Some(Holder::Local(class, *slot)),
                kept => kept_at(kept).map(Holder::Kept),
            };
            flows.extend(to.map(|to| Flow::of(class, to, value)));
        }
        StatementKind::Send {
            signal, arguments, ..
        } => {
            for (index, argument) in arguments.iter().enumerate() {
                let to = Holder::Kept(Place::Parameter(*signal, index as u32));
                flows.push(Flow::of(class, to, argument));
            }
        }
        StatementKind::For {
            variable,
            range: Range::Elements(place, _),
            ..
        } => {
            let from = kept_at(place).map(Holder::Kept).into_iter().collect();
            flows.push(Flow::copy(from, Holder::Local(class, *variable)));
        }
        _ => {}
    });
}

/// The variable that a written place means, if it is not a local one.
pub(super) fn kept_at(place: &Written) -> Option<Place> {
    match place {
        Written::Local(_) => None,
        Written::Global { variable, .. } => Some(Place::Global(*variable)),
        Written::Field {
            object, variable, ..
        } => match &object.ty {
            Type::Reference(class) => Some(Place::Field(*class, *variable)),
            _ => None,
        },
    }
}

/// Which parameters the local names of a machine stand for.
pub(super) fn bound_parameters(model: &Model, machine: &Machine) -> Vec<(Slot, Place)> {
    let mut bound = Vec::new();
    for_each_binding(model, machine, &mut |place, binding| {
        if let TransitionBinding::Local(slot) = binding {
            bound.push((*slot, place));
        }
    });
    bound
}

fn for_each_binding(
    model: &Model,
    machine: &Machine,
    visit: &mut dyn FnMut(Place, &TransitionBinding),
) {
    let triggers = machine
        .transitions
        .iter()
        .flat_map(|transition| &transition.triggers);
    for trigger in triggers {
        let signals = (0..model.signals.len()).map(SignalId::new);
        for signal in signals.filter(|signal| trigger.accepts(*signal)) {
            for (index, binding) in trigger.bindings.iter().enumerate() {
                visit(Place::Parameter(signal, index as u32), binding);
            }
        }
    }
}

fn for_each_block(machine: &Machine, visit: &mut dyn FnMut(&Block)) {
    machine
        .transitions
        .iter()
        .for_each(|transition| visit(&transition.effect));
    for state in &machine.states {
        visit(&state.entry);
        visit(&state.exit);
    }
    machine
        .regions
        .iter()
        .for_each(|region| visit(&region.initial_effect));
    let branches = machine.choices.iter().flat_map(|choice| &choice.branches);
    branches.for_each(|branch| visit(&branch.effect));
}

/// Every expression of a machine and all inside it.
pub(super) fn for_each_expr(machine: &Machine, visit: &mut dyn FnMut(&Expr)) {
    let guards = machine
        .transitions
        .iter()
        .flat_map(|transition| &transition.guard.conditions);
    let branches = machine.choices.iter().flat_map(|choice| &choice.branches);
    let conditions = branches.filter_map(|branch| branch.condition.as_ref());
    guards
        .chain(conditions)
        .for_each(|condition| condition.walk(&mut |expr| visit(expr)));
    for_each_block(machine, &mut |block| {
        walk_statements(block, &mut |statement| match &statement.kind {
            StatementKind::Assign { value, .. } => value.walk(&mut |expr| visit(expr)),
            StatementKind::Send { arguments, .. } => {
                arguments
                    .iter()
                    .for_each(|argument| argument.walk(&mut |expr| visit(expr)));
            }
            StatementKind::Assert(condition) | StatementKind::If { condition, .. } => {
                condition.walk(&mut |expr| visit(expr));
            }
            StatementKind::For { .. } => {}
        });
    });
}
