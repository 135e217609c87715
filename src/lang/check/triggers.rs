//! Triggers: which messages a transition waits for, and where their parameters go.

use std::collections::{HashMap, HashSet};

use super::scope::Scope;
use super::tree::{Node, Tree};
use super::types::WRONG;
use super::{Checked, Checker};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Accepts, Binding, Trigger};
use crate::lang::syntax::{self, Label, Name, Span};
use crate::lang::value::{SignalId, Slot, Type};
use crate::lang::{codes, limits};

/// The signals that each vertex names in a trigger, a `defer` or an `ignore`: what `any` leaves out.
pub(super) type NamedSignals = HashMap<usize, Vec<SignalId>>;

/// Where a transition starts; `None` if that is unknown.
pub(super) type Start = Option<usize>;

impl Checker<'_> {
    pub(super) fn named_signals(&self, tree: &Tree, sources: &[Start]) -> NamedSignals {
        let mut named = NamedSignals::new();
        for (edge, source) in tree.edges.iter().zip(sources) {
            let Some(source) = source else { continue };
            let of_edge = edge
                .label
                .triggers
                .iter()
                .filter_map(|trigger| match trigger {
                    syntax::Trigger::Signal { name, .. } => self.signals.get(name.text.as_str()),
                    syntax::Trigger::Any(_) => None,
                });
            named.entry(*source).or_default().extend(of_edge);
        }
        for (state, names) in tree.defers.iter().chain(&tree.ignores) {
            let known = names
                .iter()
                .filter_map(|name| self.signals.get(name.text.as_str()));
            named
                .entry(tree.vertex_of(*state))
                .or_default()
                .extend(known);
        }
        for signals in named.values_mut() {
            signals.sort_unstable();
            signals.dedup();
        }
        named
    }

    /// The triggers, and the local names that all of them bind.
    pub(super) fn triggers(
        &mut self,
        label: &Label,
        any: &[SignalId],
        scope: &mut Scope,
    ) -> (Vec<Trigger>, Vec<Slot>) {
        let mut typed = Vec::new();
        let mut common: Option<Vec<Slot>> = None;
        let mut seen = HashSet::new();
        for trigger in &label.triggers {
            let checked = match trigger {
                syntax::Trigger::Any(_) => Ok((all_but(any), Vec::new())),
                syntax::Trigger::Signal { name, .. } if !seen.insert(&name.text) => {
                    let message = format!("`{}` triggers this transition twice", name.text);
                    Err(self.error(codes::NAME_TAKEN, name.span, message))
                }
                syntax::Trigger::Signal { name, parameters } => {
                    self.trigger(name, parameters.as_deref(), scope)
                }
            };
            let Ok((trigger, names)) = checked else {
                // Its names are known all the same: that they have no value has been said.
                return (typed, names_without_value(label, scope));
            };
            typed.push(trigger);
            match &mut common {
                None => common = Some(names),
                Some(common) => common.retain(|name| names.contains(name)),
            }
        }
        (typed, common.unwrap_or_default())
    }

    fn trigger(
        &mut self,
        name: &Name,
        parameters: Option<&[syntax::Binding]>,
        scope: &mut Scope,
    ) -> Checked<(Trigger, Vec<Slot>)> {
        let signal = self.signal(name)?;
        let declared = self.model.signal(signal).parameters.clone();
        let mut bindings = vec![Binding::Ignored; declared.len()];
        let mut names = Vec::new();
        if let Some(written) = parameters {
            self.expect_count(name, written.len(), declared.len())?;
            for ((binding, written), (_, ty)) in bindings.iter_mut().zip(written).zip(&declared) {
                if let syntax::Binding::Name(name) = written {
                    *binding = self.binding(name, ty, &mut names, scope)?;
                }
            }
        }
        let accepts = Accepts::Signal(signal);
        Ok((Trigger { accepts, bindings }, names))
    }

    /// A parameter goes to the variable of that name if the class has one (Ojala 2.1.2), and is a
    /// local name otherwise.
    fn binding(
        &mut self,
        name: &Name,
        ty: &Type,
        names: &mut Vec<Slot>,
        scope: &mut Scope,
    ) -> Checked<Binding> {
        let class = scope
            .class
            .map(|class| (class, &self.fields[class.index()]));
        let field =
            class.and_then(|(class, fields)| Some((class, *fields.get(name.text.as_str())?)));
        let Some((class, variable)) = field else {
            self.expect_room_for_local(name, scope)?;
            let slot = scope.slot(&name.text, ty);
            if names.iter().any(|other| scope.name_of(*other) == name.text) {
                return Err(self.already_declared(name, "parameter"));
            }
            names.push(slot);
            return Ok(Binding::Local(slot));
        };
        let stored = &self.model.classes[class.index()].variables[variable.index()].ty;
        if *stored == WRONG || *ty == WRONG || stored.agrees(ty) {
            return Ok(Binding::Variable(variable));
        }
        let (wanted, found) = (self.show_type(stored), self.show_type(ty));
        let name_text = &name.text;
        let message = format!("variable `{name_text}` is {wanted}, the parameter is {found}");
        let help = "the parameter is stored in the variable of that name; choose another name";
        Err(self.report(Diagnostic::error(codes::WRONG_TYPE, name.span, message).help(help)))
    }

    /// Only where an object can rest can it wait for a message.
    pub(super) fn expect_waiting(&mut self, tree: &Tree, source: Start, label: &Label) {
        let Some(vertex) = source.map(|source| &tree.vertices[source]) else {
            return;
        };
        let waits = matches!(vertex.node, Node::State(_) | Node::Join);
        if let (false, Some(first)) = (waits, label.triggers.first()) {
            let kind = vertex.node.kind();
            let message = format!(
                "`{}` is a {kind}, which can't wait for a message",
                vertex.name
            );
            let help = format!(
                "put the trigger on the transition that leads to `{}`",
                vertex.name
            );
            let error = Diagnostic::error(codes::WRONG_TRIGGER, trigger_span(first), message);
            self.report(error.help(help));
        }
    }
}

fn names_without_value(label: &Label, scope: &mut Scope) -> Vec<Slot> {
    let bindings = label.triggers.iter().filter_map(|trigger| match trigger {
        syntax::Trigger::Signal { parameters, .. } => parameters.as_deref(),
        syntax::Trigger::Any(_) => None,
    });
    let mut slots = Vec::new();
    for binding in bindings.flatten().take(limits::PARAMETERS) {
        if let syntax::Binding::Name(name) = binding {
            slots.push(scope.slot(&name.text, &WRONG));
        }
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

fn all_but(named: &[SignalId]) -> Trigger {
    Trigger {
        accepts: Accepts::AllBut(named.to_vec()),
        bindings: Vec::new(),
    }
}

fn trigger_span(trigger: &syntax::Trigger) -> Span {
    match trigger {
        syntax::Trigger::Any(span) => *span,
        syntax::Trigger::Signal { name, .. } => name.span,
    }
}
