//! What is suspicious about a model that is otherwise right. Each lint looks at the structure only;
//! none of them explores.

mod completion;
mod overlap;
mod reachable;
mod usage;

use super::diagnostics::Diagnostic;
use super::typed::Model;

/// All warnings, in source order.
pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let usage = usage::Usage::of(model);
    let mut warnings = usage.unused_signals(model);
    for (index, class) in model.classes.iter().enumerate() {
        let dead = usage::dead_transitions(model, &usage, index);
        warnings.extend(dead.iter().map(|(_, warning)| warning.clone()));
        warnings.extend(usage::constant_guards(class));
        warnings.extend(reachable::unreachable_states(&class.machine, &dead));
        if !model.nondeterminism_is_meant {
            warnings.extend(overlap::overlapping_guards(model, class));
        }
        if let Some(options) = model.runs_to_completion() {
            warnings.extend(completion::completion_loops(class));
            warnings.extend(completion::deaf_starts(class, options));
        }
    }
    warnings.sort_by_key(|warning| (warning.span.start, warning.code));
    warnings
}
