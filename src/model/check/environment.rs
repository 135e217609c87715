//! What the environment may send to whom, and whether it sends eagerly or lazily.

use super::{Checked, Checker, each};
use crate::model::action::{Expr, ExprKind};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::limits;
use crate::model::syntax::{Item, ItemKind, Name, Signals};
use crate::model::typed::{Class, Environment, Model, PropertyBody};
use crate::model::value::{ClassId, Message, ObjectId, SignalId, Type, Value};

impl Checker {
    pub(super) fn check_environment(&mut self, items: &[Item]) {
        for signals in each(items, |item| match &item.kind {
            ItemKind::Signals(signals) if signals.external => Some(signals),
            ItemKind::Signals(signals) => {
                let stray = !signals.receivers.is_empty();
                stray.then_some(signals)
            }
            _ => None,
        }) {
            self.connect(signals);
        }
        for kind in each(items, |item| match &item.kind {
            ItemKind::Environment { kind } => Some(kind),
            _ => None,
        }) {
            let _ = self.check_environment_kind(kind);
        }
    }

    fn connect(&mut self, signals: &Signals) {
        if let (false, Some(first)) = (signals.external, signals.signals.first()) {
            let message = "`to` is for external signals: others go where they are sent";
            self.error(codes::STRAY_RECEIVERS, first.name.span, message);
            return;
        }
        let receivers = self.object_list(&signals.receivers);
        for signal in &signals.signals {
            let Ok(id) = self.signal(&signal.name) else {
                continue;
            };
            let Ok(messages) = self.possible_messages(&signal.name, id) else {
                continue;
            };
            let all: Vec<ObjectId> = match signals.receivers.is_empty() {
                true => self
                    .model
                    .object_ids()
                    .filter(|o| names_signal(&self.model, *o, id))
                    .collect(),
                false => receivers.clone(),
            };
            for object in all {
                let object = &mut self.model.objects[object.index()];
                object.from_environment.extend(messages.iter().cloned());
            }
        }
    }

    /// The signal with every combination of arguments.
    fn possible_messages(&mut self, name: &Name, signal: SignalId) -> Checked<Vec<Message>> {
        let mut messages = vec![Message {
            signal,
            arguments: Vec::new(),
        }];
        for (parameter, ty) in self.model.signal(signal).parameters.clone() {
            let values = self.all_values(&ty).unwrap_or_default();
            let total = values.len().saturating_mul(messages.len()) as i64;
            if values.is_empty() || total > limits::CHOICES {
                let shown = self.show_type(&ty);
                let message =
                    format!("the environment can't try every value of `{parameter}`, {shown}");
                let help = format!(
                    "give it a smaller type, `int(0..9)`; {} values are the most",
                    limits::CHOICES
                );
                return Err(self.report(
                    Diagnostic::error(codes::ENDLESS_PARAMETER, name.span, message).help(help),
                ));
            }
            let extended = messages.iter().flat_map(|message| {
                values.iter().map(|value| {
                    let mut message = message.clone();
                    message.arguments.push(*value);
                    message
                })
            });
            messages = extended.collect();
        }
        Ok(messages)
    }

    /// All values of a type, if they are few enough to be tried.
    fn all_values(&self, ty: &Type) -> Option<Vec<Value>> {
        match ty {
            Type::Int { low, high, .. } => {
                let few = high.checked_sub(*low)? < limits::CHOICES;
                few.then(|| (*low..=*high).map(Value::Int).collect())
            }
            Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(id) => {
                let count = self.model.enums[id.index()].literals.len() as u32;
                Some((0..count).map(Value::Literal).collect())
            }
            Type::Reference(class) => {
                let of_class = |id: &ObjectId| self.model.object(*id).class == *class;
                let objects = self.model.object_ids().filter(of_class).map(Some);
                let all = [None].into_iter().chain(objects);
                Some(all.map(Value::Reference).collect())
            }
            Type::Nat | Type::Integer | Type::Null | Type::Array(..) => None,
        }
    }

    fn check_environment_kind(&mut self, kind: &Name) -> Checked<()> {
        self.model.environment = match kind.text.as_str() {
            "eager" => Environment::Eager,
            "lazy" => Environment::Lazy,
            _ => return Err(self.unknown("environment", kind, ["lazy", "eager"])),
        };
        Ok(())
    }

    /// `lazy`, unless the model can see the difference. Called when the properties are known.
    pub(super) fn choose_environment(&mut self, items: &[Item]) {
        let declared = items.iter().find_map(|item| match &item.kind {
            ItemKind::Environment { kind } => Some(kind),
            _ => None,
        });
        let sees = why_not_lazy(&self.model);
        match (declared, sees) {
            (None, Some(_)) => self.model.environment = Environment::Eager,
            (Some(kind), Some(why)) if kind.text == "lazy" => {
                let message = "a lazy environment would change what this model can do";
                let help = "write `environment eager;`, or leave the line out";
                let diagnostic = Diagnostic::error(codes::NOT_LAZY, kind.span, message);
                self.report(diagnostic.label(why).help(help));
            }
            _ => {}
        }
    }
}

fn names_signal(model: &Model, object: ObjectId, signal: SignalId) -> bool {
    class_names_signal(model.class_of(object), signal)
}

fn class_names_signal(class: &Class, signal: SignalId) -> bool {
    let mut triggers = class.machine.transitions.iter().flat_map(|t| &t.triggers);
    triggers.any(|trigger| trigger.accepts(signal))
        || class
            .machine
            .states
            .iter()
            .any(|state| state.defers.contains(&signal))
}

/// Meller 1.12: waiting messages of the environment need not be kept, as long as nothing can tell
/// how many of them wait, or where.
pub fn why_not_lazy(model: &Model) -> Option<String> {
    for class in 0..model.classes.len() {
        if let Some(name) = deferred_external(model, ClassId::new(class)) {
            return Some(format!("`{name}` from the environment can be deferred"));
        }
    }
    let external = |signal: &SignalId| model.signal(*signal).external;
    for property in &model.properties {
        let (PropertyBody::Always(expr) | PropertyBody::Temporal(expr)) = &property.body else {
            continue;
        };
        if let Some(signal) = queued_signals(expr).into_iter().find(external) {
            let name = &model.signal(signal).name;
            return Some(format!(
                "property `{}` asks whether `{name}` is queued",
                property.name
            ));
        }
    }
    None
}

fn deferred_external(model: &Model, class: ClassId) -> Option<&str> {
    let states = &model.classes[class.index()].machine.states;
    let deferred = states.iter().flat_map(|state| &state.defers);
    let signals = deferred.map(|signal| model.signal(*signal));
    signals
        .filter(|signal| signal.external)
        .map(|signal| signal.name.as_str())
        .next()
}

fn queued_signals(expr: &Expr) -> Vec<SignalId> {
    let mut signals = Vec::new();
    expr.walk(&mut |inner| match &inner.kind {
        ExprKind::Queued(at) => signals.push(at.signal),
        ExprKind::QueuedBefore(first, second) => signals.extend([first.signal, second.signal]),
        _ => {}
    });
    signals
}
