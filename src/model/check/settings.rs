//! Which semantics, which threads, how large the inboxes, what is allowed.

use std::collections::HashSet;

use super::{Checked, Checker, each};
use crate::model::codes;
use crate::model::diagnostics::{Diagnostic, nearest};
use crate::model::limits;
use crate::model::syntax::{self, Allow, Item, ItemKind, Name, ObjectName};
use crate::model::typed::{
    FaultKind, Inbox, Level, OnFull, Property, PropertyBody, RunToCompletion, Semantics, Thread,
};
use crate::model::value::{ObjectId, ThreadId};

impl Checker {
    pub(super) fn check_settings(&mut self, items: &[Item]) {
        self.check_semantics(items);
        self.check_threads(items);
        self.check_inboxes(items);
        self.add_built_in_properties(items);
    }

    fn check_semantics(&mut self, items: &[Item]) {
        let mut seen = false;
        for (kind, options) in each(items, |item| match &item.kind {
            ItemKind::Semantics { kind, options } => Some((kind, options)),
            _ => None,
        }) {
            if seen {
                self.error(
                    codes::SECOND_SETTING,
                    kind.span,
                    "the semantics is declared twice",
                );
            }
            seen = true;
            if let Ok(semantics) = self.semantics(kind, options) {
                self.model.semantics = semantics;
            }
        }
    }

    fn semantics(&mut self, kind: &Name, options: &[Name]) -> Checked<Semantics> {
        match kind.text.as_str() {
            "interleaving" => {
                if let Some(option) = options.first() {
                    let message = format!("`interleaving` has no option `{}`", option.text);
                    self.error(codes::UNKNOWN_OPTION, option.span, message);
                }
                Ok(Semantics::Interleaving)
            }
            "run_to_completion" => {
                let mut chosen = RunToCompletion::default();
                for option in options {
                    match option.text.as_str() {
                        "rhapsody_triggers" => chosen.rhapsody_triggers = true,
                        "initial_step" => chosen.initial_step = true,
                        "atomic_steps" => chosen.atomic_steps = true,
                        _ => {
                            let known = ["rhapsody_triggers", "initial_step", "atomic_steps"];
                            self.unknown("option", option, known);
                        }
                    }
                }
                Ok(Semantics::RunToCompletion(chosen))
            }
            _ => Err(self.unknown("semantics", kind, ["interleaving", "run_to_completion"])),
        }
    }

    fn check_threads(&mut self, items: &[Item]) {
        let mut placed: HashSet<ObjectId> = HashSet::new();
        for (name, objects) in each(items, |item| match &item.kind {
            ItemKind::Thread { name, objects } => Some((name, objects)),
            _ => None,
        }) {
            if self.model.runs_to_completion().is_none() {
                let message = "threads have a meaning under `run_to_completion` only";
                let help = "add `semantics run_to_completion;`, or take the thread away";
                self.report(Diagnostic::error(codes::STRAY_THREAD, name.span, message).help(help));
                continue;
            }
            if self
                .model
                .threads
                .iter()
                .any(|thread| thread.name == name.text)
            {
                self.already_declared(name, "thread");
            }
            let members = self.object_list(objects);
            for member in &members {
                if !placed.insert(*member) {
                    let object = &self.model.object(*member).name;
                    let message = format!("`{object}` is on two threads");
                    self.error(codes::TWO_THREADS, name.span, message);
                }
            }
            self.add_thread(name.text.clone(), members);
        }
        if self.model.runs_to_completion().is_some() {
            let alone = self
                .model
                .object_ids()
                .filter(|object| !placed.contains(object));
            for object in alone.collect::<Vec<_>>() {
                let name = self.model.object(object).name.clone();
                self.add_thread(name, vec![object]);
            }
        }
        self.check_atomic_steps(items);
    }

    fn add_thread(&mut self, name: String, objects: Vec<ObjectId>) {
        let id = ThreadId::new(self.model.threads.len());
        for object in &objects {
            self.model.objects[object.index()].thread = id;
        }
        let inbox = Inbox::default();
        self.model.threads.push(Thread {
            name,
            objects,
            inbox,
        });
    }

    /// Another thread could look into a step that is one.
    fn check_atomic_steps(&mut self, items: &[Item]) {
        let atomic = self
            .model
            .runs_to_completion()
            .is_some_and(|options| options.atomic_steps);
        if !atomic || self.model.threads.len() == 1 {
            return;
        }
        let span = items
            .iter()
            .find(|item| matches!(item.kind, ItemKind::Semantics { .. }));
        let message = format!(
            "`atomic_steps` needs a single thread, but there are {}",
            self.model.threads.len()
        );
        let help = "put all objects on one thread: `thread main { ... }`";
        let span = span.map(|item| item.span).unwrap_or_default();
        self.report(Diagnostic::error(codes::ATOMIC_STEPS, span, message).help(help));
    }

    /// The objects that a list of names means; a whole array by its name.
    pub(super) fn object_list(&mut self, names: &[ObjectName]) -> Vec<ObjectId> {
        let mut all = Vec::new();
        for name in names {
            all.extend(self.objects_named(name).unwrap_or_default());
        }
        all
    }

    fn objects_named(&mut self, name: &ObjectName) -> Checked<Vec<ObjectId>> {
        let Some(group) = self.objects.get(&name.name.text).cloned() else {
            let known: Vec<String> = self.objects.keys().cloned().collect();
            return Err(self.unknown("object", &name.name, known.iter().map(String::as_str)));
        };
        let Some(index) = &name.index else {
            return Ok(group.members);
        };
        if !group.is_array {
            let message = format!("`{}` is a single object", name.name.text);
            return Err(self.error(codes::SINGLE_OBJECT, name.name.span, message));
        }
        let last = group.members.len() as i64 - 1;
        let index = self.bounded(index, "index", 0, last)?;
        Ok(vec![group.members[index as usize]])
    }

    fn check_inboxes(&mut self, items: &[Item]) {
        let inboxes = || {
            each(items, |item| match &item.kind {
                ItemKind::Inbox(inbox) => Some(inbox),
                _ => None,
            })
        };
        // First what holds for all, so that what is said of some goes before it.
        for inbox in inboxes().filter(|inbox| inbox.owners.is_empty()) {
            let Ok(settings) = self.inbox(inbox) else {
                continue;
            };
            self.model
                .objects
                .iter_mut()
                .for_each(|object| object.inbox = settings);
            self.model
                .threads
                .iter_mut()
                .for_each(|thread| thread.inbox = settings);
        }
        for inbox in inboxes().filter(|inbox| !inbox.owners.is_empty()) {
            let Ok(settings) = self.inbox(inbox) else {
                continue;
            };
            for owner in &inbox.owners {
                let _ = self.set_inbox(owner, settings);
            }
        }
    }

    fn inbox(&mut self, inbox: &syntax::Inbox) -> Checked<Inbox> {
        let capacity = self.bounded(&inbox.capacity, "inbox capacity", 1, limits::INBOX_CAPACITY);
        let on_full = match inbox
            .on_full
            .as_ref()
            .map(|name| (name, name.text.as_str()))
        {
            None | Some((_, "violate")) => OnFull::Violate,
            Some((_, "block")) => OnFull::Block,
            Some((_, "lose")) => OnFull::Lose,
            Some((_, "cut")) => OnFull::Cut,
            Some((name, _)) => {
                return Err(self.unknown("policy", name, ["violate", "block", "lose", "cut"]));
            }
        };
        let capacity = capacity? as usize;
        Ok(Inbox { capacity, on_full })
    }

    /// The owner is a thread, a class, or objects.
    fn set_inbox(&mut self, owner: &ObjectName, inbox: Inbox) -> Checked<()> {
        let name = &owner.name.text;
        if let Some(thread) = self.model.threads.iter_mut().find(|t| t.name == *name) {
            thread.inbox = inbox;
            return Ok(());
        }
        let objects = match self.classes.get(name) {
            Some(class) => {
                let of_class = |id: &ObjectId| self.model.object(*id).class == *class;
                self.model.object_ids().filter(of_class).collect()
            }
            None => self.objects_named(owner)?,
        };
        for object in objects {
            self.model.objects[object.index()].inbox = inbox;
            let thread = self.model.object(object).thread;
            let Some(thread) = self.model.threads.get_mut(thread.index()) else {
                continue;
            };
            if thread.objects.len() > 1 {
                let message = format!(
                    "`{name}` has no inbox of its own: thread {} has",
                    thread.name
                );
                let help = format!("write `inbox {} capacity ...;`", thread.name);
                let span = owner.name.span;
                return Err(
                    self.report(Diagnostic::error(codes::SHARED_INBOX, span, message).help(help))
                );
            }
            thread.inbox = inbox;
        }
        Ok(())
    }

    /// Every fault of the language is a property, unless the model allows it.
    fn add_built_in_properties(&mut self, items: &[Item]) {
        let mut allowed: HashSet<FaultKind> = HashSet::new();
        for allow in each(items, |item| match &item.kind {
            ItemKind::Allow(list) => Some(list),
            _ => None,
        })
        .flatten()
        {
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
            let message = "only implicit consumption can be allowed for single signals";
            return Err(self.error(codes::NOT_BY_SIGNAL, allow.fault.span, message));
        }
        for name in &allow.of {
            if let Ok(signal) = self.signal(name) {
                self.model.signals[signal.index()].may_be_lost = true;
            }
        }
        Ok(None)
    }

    pub(super) fn fault(&mut self, name: &Name) -> Checked<FaultKind> {
        if let Some(fault) = FaultKind::from_name(&name.text) {
            return Ok(fault);
        }
        let names = FaultKind::ALL.map(FaultKind::name);
        let help = match nearest(&name.text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        let message = format!("unknown fault `{}`", name.text);
        Err(self.report(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).help(help)))
    }
}
