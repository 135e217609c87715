//! Runs of any system, made again by the system alone.

use super::trace::ReplayError;
use crate::system::{PropertyId, System, Target, Transition};

/// Makes the steps again. With a property, the last of them, or the state that it leads to, must violate it.
/// Gives the state after each, none after one that failed. `same` says whether an action is the one that was done.
pub fn replay_system<S: System>(
    system: &S,
    steps: &[S::Action],
    property: Option<PropertyId>,
    same: impl Fn(&S::Action, &S::Action) -> bool,
) -> Result<Vec<Option<S::State>>, ReplayError> {
    let mut states: Vec<Option<S::State>> = Vec::new();
    let mut violated = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let possible = match states.last() {
            None => system.initial(),
            Some(Some(state)) => system.successors(state),
            Some(None) => Vec::new(), // there is nothing to go on from
        };
        let is_it = |made: &Transition<_, S::Action>| same(&made.action, step);
        let made = possible.into_iter().find(is_it);
        let made = made.ok_or(ReplayError::Impossible(index))?;
        violated = made.violated;
        states.push(match made.target {
            Target::State(state) => Some(state),
            Target::Error | Target::Bounded | Target::Truncated => None,
        });
    }
    if let Some(Some(end)) = states.last() {
        violated.extend(system.expand(end).violated);
    }
    match property.is_none_or(|property| violated.contains(&property)) {
        true => Ok(states),
        false => Err(ReplayError::Harmless),
    }
}
