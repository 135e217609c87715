//! Signals that nobody uses, transitions that nothing can trigger, guards that never change.

use std::collections::HashSet;

use crate::lang::action::{Expr, ExprKind, StatementKind, walk_statements};
use crate::lang::check::fold;
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Accepts, Machine, Transition};
use crate::lang::typed::{Class, Model, PropertyBody};
use crate::lang::value::{ClassId, SignalId, TransitionId, Value};

/// Which signals are sent by objects, and which are mentioned at all.
pub(super) struct Usage {
    sent: HashSet<SignalId>,
    mentioned: HashSet<SignalId>,
}

impl Usage {
    pub fn of(model: &Model) -> Usage {
        let mut usage = Usage {
            sent: HashSet::new(),
            mentioned: HashSet::new(),
        };
        for class in &model.classes {
            usage.see_machine(&class.machine);
        }
        for property in &model.properties {
            if let PropertyBody::Always(expr) | PropertyBody::Temporal(expr) = &property.body {
                usage.see_expr(expr);
            }
        }
        usage
    }

    fn see_machine(&mut self, machine: &Machine) {
        for block in machine.blocks() {
            walk_statements(block, &mut |statement| {
                if let StatementKind::Send { signal, .. } = &statement.kind {
                    self.sent.insert(*signal);
                }
            });
        }
        for trigger in machine.transitions.iter().flat_map(|t| &t.triggers) {
            if let Accepts::Signal(signal) = trigger.accepts {
                self.mentioned.insert(signal);
            }
        }
        let deferred = machine.states.iter().flat_map(|state| &state.defers);
        self.mentioned.extend(deferred);
    }

    fn see_expr(&mut self, expr: &Expr) {
        expr.walk(&mut |inner| match &inner.kind {
            ExprKind::Queued(at) | ExprKind::Action { signal: at, .. } => {
                self.mentioned.insert(at.signal);
            }
            ExprKind::QueuedBefore(first, second) => {
                self.mentioned.extend([first.signal, second.signal]);
            }
            _ => {}
        });
    }

    pub fn unused_signals(&self, model: &Model) -> Vec<Diagnostic> {
        let ids = (0..model.signals.len()).map(SignalId::new);
        let used = |id: &SignalId| self.sent.contains(id) || self.mentioned.contains(id);
        ids.filter(|id| !used(id))
            .map(|id| {
                let signal = model.signal(id);
                let message = format!("signal `{}` is never used", signal.name);
                Diagnostic::warning(codes::UNUSED_SIGNAL, signal.span, message)
            })
            .collect()
    }

    /// Whether objects of a class may ever get the signal.
    fn may_arrive(&self, model: &Model, class: ClassId, signal: SignalId) -> bool {
        if !model.signal(signal).external {
            return self.sent.contains(&signal);
        }
        let objects = model.objects.iter().filter(|object| object.class == class);
        let mut offered = objects.flat_map(|object| &object.from_environment);
        offered.any(|message| message.signal == signal)
    }
}

/// Transitions that can never fire, by their guard or their trigger.
pub(super) fn dead_transitions(
    model: &Model,
    usage: &Usage,
    class: usize,
) -> Vec<(TransitionId, Diagnostic)> {
    let id = ClassId::new(class);
    let has_objects = model.objects.iter().any(|object| object.class == id);
    let machine = &model.classes[class].machine;
    let mut dead = Vec::new();
    for transition_id in machine.transition_ids() {
        let transition = machine.transition(transition_id);
        let why = match guard_value(transition) {
            Some(false) => Some("its guard is always false".to_owned()),
            _ if has_objects => silent_trigger(model, usage, id, transition),
            _ => None,
        };
        if let Some(why) = why {
            let message = "this transition can never fire";
            let warning = Diagnostic::warning(codes::DEAD_TRANSITION, transition.span, message);
            dead.push((transition_id, warning.label(why)));
        }
    }
    dead
}

fn silent_trigger(
    model: &Model,
    usage: &Usage,
    class: ClassId,
    transition: &Transition,
) -> Option<String> {
    if transition.is_internal() && transition.effect.is_empty() {
        return None; // `ignore` is there to be safe
    }
    let mut signals = Vec::new();
    for trigger in &transition.triggers {
        match trigger.accepts {
            Accepts::Signal(signal) if !usage.may_arrive(model, class, signal) => {
                signals.push(format!("`{}`", model.signal(signal).name));
            }
            _ => return None,
        }
    }
    let verb = if signals.len() == 1 { "is" } else { "are" };
    (!signals.is_empty()).then(|| format!("{} {verb} never sent to it", signals.join(" and ")))
}

/// The value of a guard that does not depend on anything.
fn guard_value(transition: &Transition) -> Option<bool> {
    let conditions = &transition.guard.conditions;
    let values = conditions
        .iter()
        .filter(|c| c.is_constant())
        .map(|c| fold(c, &()));
    let known: Vec<bool> = values
        .filter_map(|value| value.ok().map(Value::bool))
        .collect();
    if known.contains(&false) {
        return Some(false);
    }
    let all_known = !conditions.is_empty() && known.len() == conditions.len();
    all_known.then_some(true)
}

pub(super) fn constant_guards(class: &Class) -> Vec<Diagnostic> {
    let always = class
        .machine
        .transitions
        .iter()
        .filter(|t| guard_value(t) == Some(true));
    always
        .map(|transition| {
            let span = transition.guard.conditions[0].span;
            let message = "this guard is always true";
            Diagnostic::warning(codes::CONSTANT_GUARD, span, message).help("leave it out")
        })
        .collect()
}
