//! What the environment may send to whom, and whether it sends eagerly or lazily.

use std::collections::HashSet;
use std::sync::Arc;

use super::types::WRONG;
use super::{Checked, Checker, Reported, each};
use crate::lang::action::{Expr, ExprKind};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::Accepts;
use crate::lang::syntax::{Item, ItemKind, Name, Signals};
use crate::lang::typed::{Class, Environment, Model, PropertyBody};
use crate::lang::value::{ClassId, Message, ObjectId, SignalId, Type, Value};
use crate::lang::{codes, limits};

impl<'f> Checker<'f> {
    pub(super) fn check_environment(&mut self, items: &'f [Item]) {
        let uses: Vec<Uses> = self.model.classes.iter().map(Uses::of).collect();
        for signals in each(items, |item| match item {
            ItemKind::Signals(signals) => Some(signals),
            _ => None,
        }) {
            if signals.external {
                self.connect(signals, &uses);
            } else {
                self.expect_no_receivers(signals);
            }
        }
        let mut seen = false;
        for kind in each(items, |item| match item {
            ItemKind::Environment { kind } => Some(kind),
            _ => None,
        }) {
            if seen {
                self.second_setting(kind.span, "the environment");
                continue;
            }
            seen = true;
            let _ = self.check_environment_kind(kind);
        }
    }

    fn expect_no_receivers(&mut self, signals: &Signals) {
        if let Some(first) = signals.receivers.first() {
            let message = "`to` is for external signals: others go where they are sent";
            let help = "write `external signal ...`, or leave out `to`";
            let error = Diagnostic::error(codes::STRAY_RECEIVERS, first.name.span, message);
            self.report(error.help(help));
        }
    }

    fn connect(&mut self, signals: &Signals, uses: &[Uses]) {
        let receivers = self.object_list(&signals.receivers);
        for signal in &signals.signals {
            let id = self.signals.get(signal.name.text.as_str()).copied();
            let declared = id.map(|id| (id, self.model.signal(id).span.start));
            // A second signal of the same name has been reported.
            let Some((id, _)) = declared.filter(|(_, at)| *at == signal.name.span.start) else {
                continue;
            };
            let objects: Vec<ObjectId> = match signals.receivers.is_empty() {
                true => {
                    let class = |object: &ObjectId| self.model.object(*object).class.index();
                    let has_use = |object: &ObjectId| uses[class(object)].contains(id);
                    self.model.object_ids().filter(has_use).collect()
                }
                false => receivers.clone(),
            };
            let _ = self.offer(&signal.name, id, &objects);
        }
    }

    /// Lets the environment send a signal, with all its arguments, to objects.
    fn offer(&mut self, name: &Name, signal: SignalId, objects: &[ObjectId]) -> Checked<()> {
        let messages = self.possible_messages(name, signal)?;
        let before = self.offered;
        self.offered += messages.len() * objects.len();
        if before > limits::ENVIRONMENT {
            return Err(Reported); // said once
        }
        if self.offered > limits::ENVIRONMENT {
            let message = format!(
                "with `{}` the environment can send {} messages, more than {}",
                name.text,
                self.offered,
                limits::ENVIRONMENT
            );
            let help = "a message counts for every object that may receive it";
            let error = Diagnostic::error(codes::OUT_OF_BOUNDS, name.span, message);
            return Err(self.report(error.help(help)));
        }
        for object in objects {
            let object = &mut self.model.objects[object.index()];
            object.from_environment.extend(messages.iter().cloned());
        }
        Ok(())
    }

    /// The signal with every combination of arguments.
    fn possible_messages(&mut self, name: &Name, signal: SignalId) -> Checked<Vec<Message>> {
        let mut messages = vec![Message {
            signal,
            arguments: Arc::default(),
        }];
        for (parameter, ty) in self.model.signal(signal).parameters.clone() {
            if ty == WRONG {
                return Err(Reported);
            }
            let Some(values) = self.all_values(&ty) else {
                return Err(self.endless_parameter(name, &parameter, &ty));
            };
            let total = values.len().saturating_mul(messages.len());
            if total > limits::CHOICES as usize {
                return Err(self.too_many_messages(name, total));
            }
            let extended = messages.iter().flat_map(|message| {
                values.iter().map(|value| Message {
                    signal,
                    arguments: message.arguments.iter().chain([value]).copied().collect(),
                })
            });
            messages = extended.collect();
        }
        Ok(messages)
    }

    fn endless_parameter(&mut self, name: &Name, parameter: &str, ty: &Type) -> Reported {
        let shown = self.show_type(ty);
        let message = format!("the environment can't try every value of `{parameter}`, {shown}");
        let limit = limits::CHOICES;
        let help = format!("give it a smaller type, `int(0..9)`; {limit} values are the most");
        self.report(Diagnostic::error(codes::ENDLESS_PARAMETER, name.span, message).help(help))
    }

    fn too_many_messages(&mut self, name: &Name, total: usize) -> Reported {
        let message = format!(
            "the parameters of `{}` have {total} combinations of values",
            name.text
        );
        let limit = limits::CHOICES;
        let help = format!("give them smaller types; the environment tries at most {limit}");
        self.report(Diagnostic::error(codes::ENDLESS_PARAMETER, name.span, message).help(help))
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
            _ => return Err(self.unknown_word("environment", kind, &["lazy", "eager"])),
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

/// The signals that a class has a use for.
struct Uses {
    named: HashSet<SignalId>,
    /// With `any`: all signals but these.
    all_but: Option<HashSet<SignalId>>,
}

impl Uses {
    fn of(class: &Class) -> Uses {
        let machine = &class.machine;
        let deferred = machine.states.iter().flat_map(|state| &state.defers);
        let mut uses = Uses {
            named: deferred.copied().collect(),
            all_but: None,
        };
        for trigger in machine.transitions.iter().flat_map(|t| &t.triggers) {
            match &trigger.accepts {
                Accepts::Signal(signal) => _ = uses.named.insert(*signal),
                Accepts::AllBut(others) => match &mut uses.all_but {
                    None => uses.all_but = Some(others.iter().copied().collect()),
                    Some(before) => before.retain(|other| others.binary_search(other).is_ok()),
                },
            }
        }
        uses
    }

    fn contains(&self, signal: SignalId) -> bool {
        let by_any = |others: &HashSet<SignalId>| !others.contains(&signal);
        self.named.contains(&signal) || self.all_but.as_ref().is_some_and(by_any)
    }
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
        if asks_enabled(expr) && model.signals.iter().any(|signal| signal.external) {
            return Some(format!(
                "property `{}` asks what is enabled, which a message from outside may change",
                property.name
            ));
        }
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

fn asks_enabled(expr: &Expr) -> bool {
    expr.any(|inner| matches!(inner.kind, ExprKind::Enabled(_)))
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
