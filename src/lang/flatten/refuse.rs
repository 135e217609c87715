//! What has no flat counterpart of exactly the same behaviour.

use super::paths::Path;
use super::tree::Tree;
use super::{Refused, is_hierarchical, is_parallel};
use crate::lang::action::{
    Expr, ExprKind, Place, Range, Statement, StatementKind, walk_statements,
};
use crate::lang::machine::Machine;
use crate::lang::syntax::{AbstractionSubject, Domain, Item, ItemKind, Span};
use crate::lang::typed::{FaultKind, Model, PropertyBody};
use crate::lang::value::{ClassId, Type};

/// Regions side by side would need a state for every combination, and several transitions at once.
pub fn parallel(tree: &Tree, machine: &Machine) -> Result<(), Refused> {
    if let Some(state) = machine.states.iter().find(|state| state.regions.len() > 1) {
        let message = format!("state `{}` has several regions", state.path);
        return Err(Refused::new(state.span, message));
    }
    let mut vertices = tree.vertices.iter();
    match vertices.find(|vertex| is_parallel(vertex.node)) {
        Some(vertex) => {
            let message = format!("`{}` is a fork or a join", vertex.name);
            Err(Refused::new(vertex.span, message))
        }
        None => Ok(()),
    }
}

/// In the middle of a step an object has left some of its composite states and not yet entered
/// others; a flat machine is then in none at all.
pub fn own_states_in_effects(class: ClassId, machine: &Machine) -> Result<(), Refused> {
    let mut found: Option<Span> = None;
    let mut look = |expr: &Expr| {
        expr.walk(&mut |inner| {
            if let ExprKind::InState(object, _) = &inner.kind
                && object.ty == Type::Reference(class)
            {
                found.get_or_insert(inner.span);
            }
        });
    };
    for block in machine.blocks() {
        walk_statements(block, &mut |statement| {
            exprs_of(statement).iter().for_each(&mut look);
        });
    }
    let branches = machine.choices.iter().flat_map(|choice| &choice.branches);
    branches
        .filter_map(|branch| branch.condition.as_ref())
        .for_each(look);
    found.map_or(Ok(()), |span| {
        let message = "an object that asks for its own state in the middle of a step would see \
                       none of those that it has not left yet";
        Err(Refused::new(span, message.to_owned()))
    })
}

fn exprs_of(statement: &Statement) -> Vec<Expr> {
    let read = |place: &Place| Expr {
        kind: ExprKind::Read(place.clone()),
        ty: Type::Bool,
        span: statement.span,
    };
    match &statement.kind {
        StatementKind::Assign { place, value, .. } => vec![read(place), value.clone()],
        StatementKind::Send {
            target, arguments, ..
        } => std::iter::once(target).chain(arguments).cloned().collect(),
        StatementKind::Assert(condition) | StatementKind::If { condition, .. } => {
            vec![condition.clone()]
        }
        StatementKind::For { range, .. } => match range {
            Range::Numbers(low, high) => vec![Expr::clone(low), Expr::clone(high)],
            Range::Elements(place, _) => vec![read(place)],
            Range::Objects(_) => Vec::new(),
        },
    }
}

/// Under `interleaving` a transition without a trigger and one with are separate steps, but the
/// judge of nondeterminism lets the inner one of the two hide the outer one.
pub fn judged_nondeterminism(model: &Model, class: ClassId, paths: &[Path]) -> Result<(), Refused> {
    let concerns = |body: &PropertyBody| match body {
        PropertyBody::NoFault(FaultKind::Nondeterminism, objects) => objects
            .iter()
            .any(|object| model.object(*object).class == class),
        _ => false,
    };
    let is_judged = model.properties.iter().any(|p| concerns(&p.body));
    if !is_judged || model.runs_to_completion().is_some() {
        return Ok(());
    }
    let machine = &model.classes[class.index()].machine;
    let inside = |inner: &Path, outer: &Path| {
        let ends = inner.source().zip(outer.source());
        ends.is_some_and(|(inner, outer)| machine.is_inside(inner, outer))
    };
    let mixed = |outer: &&Path| {
        paths
            .iter()
            .any(|inner| inside(inner, outer) && inner.needs_message() != outer.needs_message())
    };
    match paths.iter().find(mixed) {
        Some(outer) => {
            let message = "one of this transition and those of the states inside has a trigger and \
                           another has none, and `never nondeterminism` does not count such a pair";
            Err(Refused::new(outer.span, message.to_owned()))
        }
        None => Ok(()),
    }
}

/// An abstraction of all variables of a class would abstract from its history, too.
pub fn abstraction(items: &[Item], model: &Model) -> Result<(), Refused> {
    let remembers = |machine: &Machine| {
        is_hierarchical(machine) && machine.regions.iter().any(|region| region.remembers)
    };
    let class_remembers = |name: &str| {
        let mut classes = model.classes.iter();
        classes.any(|class| class.name == name && remembers(&class.machine))
    };
    for item in items {
        let ItemKind::Abstraction(lines) = &item.kind else {
            continue;
        };
        for line in lines {
            let covers = match &line.subject {
                AbstractionSubject::Everything => {
                    model.classes.iter().any(|class| remembers(&class.machine))
                }
                AbstractionSubject::All(name) => class_remembers(&name.text),
                AbstractionSubject::Global(_) | AbstractionSubject::Member(..) => false,
            };
            if covers && !matches!(line.domain, Domain::Exact | Domain::Auto) {
                let message = "this abstraction would hold for what regions remember, too";
                return Err(Refused::new(line.span, message.to_owned()));
            }
        }
    }
    Ok(())
}
