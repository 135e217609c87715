//! What a warning says of all runs is true of all runs.

use crisol::checker::{CheckUntil, DeadVariables, verify};
use crisol::evidence::Dead;
use crisol::lang::{Diagnostic, Model, Transition, TransitionBinding, lint};

use crate::agreement::compare::budget;

/// States that can't be reached are not entered, and transitions that can't fire are not taken.
pub fn are_true(model: &Model) -> Result<(), String> {
    if model.runs_to_completion().is_some_and(|o| o.atomic_steps) {
        return Ok(()); // nobody sees what is entered inside of a whole step
    }
    let (budget, mut watch) = budget();
    let findings = verify(
        model,
        &[],
        CheckUntil::Everything,
        DeadVariables::Keep,
        &budget,
        &mut watch,
    );
    let Some(dead) = findings.map_err(|error| error.0)?.dead else {
        return Ok(());
    };
    for warning in lint(model) {
        let holds = match warning.code {
            "W202" => is_never_entered(model, &dead, &warning),
            "W203" => is_never_taken(model, &dead, &warning),
            _ => true,
        };
        if !holds {
            return Err(format!("{} is not true", warning.message));
        }
    }
    Ok(())
}

fn is_never_entered(model: &Model, dead: &Dead, warning: &Diagnostic) -> bool {
    model.object_ids().all(|object| {
        let machine = model.machine_of(object);
        let meant = |id| machine.state(id).span.start == warning.span.start;
        let mut states = machine.state_ids().filter(|id| meant(*id));
        states.all(|id| dead.states.contains(&(object, id)))
    })
}

/// Of the paths through a junction, which start at the same place, one is meant.
fn is_never_taken(model: &Model, dead: &Dead, warning: &Diagnostic) -> bool {
    model.object_ids().all(|object| {
        let machine = model.machine_of(object);
        let is_meant = |transition: &Transition| {
            transition.span.start == warning.span.start && is_counted(transition)
        };
        let ids = machine.transition_ids();
        let meant: Vec<_> = ids.filter(|id| is_meant(machine.transition(*id))).collect();
        let is_dead = |id| dead.transitions.contains(&(object, id));
        meant.is_empty() || meant.into_iter().any(is_dead)
    })
}

/// What is ignored is never called dead; and where storing a parameter fails, the step counts as
/// taken although its guard was not even looked at.
fn is_counted(transition: &Transition) -> bool {
    let is_ignored = transition.is_internal() && transition.effect.is_empty();
    let bindings = transition.triggers.iter().flat_map(|t| &t.bindings);
    let stores = |binding: &TransitionBinding| matches!(binding, TransitionBinding::Variable(_));
    !is_ignored && !bindings.into_iter().any(stores)
}
