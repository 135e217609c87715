//! Which semantics, what is allowed. Threads and inboxes have files of their own.

use std::collections::HashSet;

use super::{Checked, Checker, each};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{Allow, Item, ItemKind, Name, ObjectName, Span};
use crate::lang::typed::{FaultKind, Level, Property, PropertyBody, RunToCompletion, Semantics};
use crate::lang::value::ObjectId;

impl<'f> Checker<'f> {
    pub(super) fn check_settings(&mut self, items: &'f [Item]) {
        self.check_semantics(items);
        self.check_threads(items);
        self.check_inboxes(items);
        self.add_built_in_properties(items);
    }

    fn check_semantics(&mut self, items: &[Item]) {
        let mut seen = false;
        for (kind, options) in each(items, |item| match item {
            ItemKind::Semantics { kind, options } => Some((kind, options)),
            _ => None,
        }) {
            if seen {
                self.second_setting(kind.span, "the semantics");
                continue;
            }
            seen = true;
            if let Ok(semantics) = self.semantics(kind, options) {
                self.model.semantics = semantics;
            }
        }
    }

    pub(super) fn second_setting(&mut self, span: Span, what: &str) {
        let message = format!("{what} is declared twice");
        let help = "leave one of the two lines";
        self.report(Diagnostic::error(codes::SECOND_SETTING, span, message).help(help));
    }

    fn semantics(&mut self, kind: &Name, options: &[Name]) -> Checked<Semantics> {
        match kind.text.as_str() {
            "interleaving" => {
                if let Some(option) = options.first() {
                    let message = format!("`interleaving` has no option `{}`", option.text);
                    let help = "options are for `run_to_completion`";
                    let error = Diagnostic::error(codes::UNKNOWN_OPTION, option.span, message);
                    self.report(error.help(help));
                }
                Ok(Semantics::Interleaving)
            }
            "run_to_completion" => Ok(Semantics::RunToCompletion(self.options(options))),
            _ => Err(self.unknown_word("semantics", kind, &["interleaving", "run_to_completion"])),
        }
    }

    fn options(&mut self, options: &[Name]) -> RunToCompletion {
        let mut chosen = RunToCompletion::default();
        for option in options {
            match option.text.as_str() {
                "rhapsody_triggers" => chosen.rhapsody_triggers = true,
                "initial_step" => chosen.initial_step = true,
                "atomic_steps" => chosen.atomic_steps = true,
                _ => {
                    let known = ["rhapsody_triggers", "initial_step", "atomic_steps"];
                    self.unknown_word("option", option, &known);
                }
            }
        }
        chosen
    }

    /// The objects that a list of names means, each once; a whole array by its name.
    pub(super) fn object_list(&mut self, names: &[ObjectName]) -> Vec<ObjectId> {
        let mut names_seen = HashSet::new();
        let mut seen = vec![false; self.model.objects.len()];
        let mut all = Vec::new();
        for name in names {
            if name.index.is_none() && !names_seen.insert(&name.name.text) {
                self.named_twice(name, &name.name.text);
                continue;
            }
            let found = self.objects_named(name).unwrap_or_default();
            let mut each = found.iter();
            let again = each.find(|id| std::mem::replace(&mut seen[id.index()], true));
            match again.map(|object| self.model.object(*object).name.clone()) {
                Some(object) => self.named_twice(name, &object),
                None => all.extend(found),
            }
        }
        all
    }

    fn named_twice(&mut self, name: &ObjectName, object: &str) {
        let message = format!("`{object}` is named twice");
        self.error(codes::NAME_TAKEN, name.name.span, message);
    }

    pub(super) fn objects_named(&mut self, name: &ObjectName) -> Checked<Vec<ObjectId>> {
        let Some(group) = self.objects.get(name.name.text.as_str()).cloned() else {
            return Err(self.unknown_object(&name.name));
        };
        let Some(index) = &name.index else {
            return Ok(group.members.to_vec());
        };
        if !group.is_array {
            let text = &name.name.text;
            let message = format!("`{text}` is a single object, it takes no index");
            let help = format!("write `{text}`");
            let error = Diagnostic::error(codes::SINGLE_OBJECT, name.name.span, message);
            return Err(self.report(error.help(help)));
        }
        let last = group.members.len() as i64 - 1;
        let index = self.bounded(index, "index", 0, last)?;
        Ok(vec![group.members[index as usize]])
    }

    fn unknown_object(&mut self, name: &Name) -> super::Reported {
        if self.failed.contains(name.text.as_str()) {
            return super::Reported;
        }
        let near = self.suggest(&name.text, self.objects.keys().copied());
        self.unknown("object", name, near)
    }

    /// Every fault of the language is a property, unless the model allows it.
    fn add_built_in_properties(&mut self, items: &[Item]) {
        let mut allowed: HashSet<FaultKind> = HashSet::new();
        let lists = each(items, |item| match item {
            ItemKind::Allow(list) => Some(list),
            _ => None,
        });
        for allow in lists.flatten() {
            if let Ok(Some(fault)) = self.allow(allow) {
                allowed.insert(fault);
            }
        }
        self.model.nondeterminism_is_meant = allowed.contains(&FaultKind::Nondeterminism);
        let runs_to_completion = self.model.runs_to_completion().is_some();
        for fault in FaultKind::ALL {
            let asked_for = matches!(fault, FaultKind::Nondeterminism | FaultKind::Livelock);
            let meaningless = fault == FaultKind::Divergence && !runs_to_completion;
            if asked_for || meaningless || allowed.contains(&fault) {
                continue;
            }
            self.model.properties.push(Property {
                name: fault.name().to_owned(),
                body: PropertyBody::NoFault(fault, self.model.object_ids().collect()),
                level: Level::Transition,
                text: String::new(),
                span: None,
            });
        }
    }

    /// The fault that is allowed altogether; or none, if it is for some signals only.
    fn allow(&mut self, allow: &Allow) -> Checked<Option<FaultKind>> {
        let fault = self.fault(&allow.fault)?;
        if allow.of.is_empty() {
            return Ok(Some(fault));
        }
        if fault != FaultKind::ImplicitConsumption {
            let name = &allow.fault.text;
            let message = format!("`{name}` can't be allowed for single signals");
            let help = "only implicit consumption can; leave out `of (...)`";
            let error = Diagnostic::error(codes::NOT_BY_SIGNAL, allow.fault.span, message);
            return Err(self.report(error.help(help)));
        }
        for name in &allow.of {
            if let Ok(signal) = self.signal(name) {
                self.model.signals[signal.index()].may_be_lost = true;
            }
        }
        Ok(None)
    }

    pub(super) fn fault(&mut self, name: &Name) -> Checked<FaultKind> {
        let known = FaultKind::ALL.map(FaultKind::name);
        FaultKind::from_name(&name.text).ok_or_else(|| self.unknown_word("fault", name, &known))
    }
}
