//! Which objects share a thread.

use std::collections::HashSet;

use super::{Checker, each};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{Item, ItemKind, Name};
use crate::lang::typed::{Inbox, Thread};
use crate::lang::value::{ObjectId, ThreadId};
use crate::lang::{codes, limits};

impl<'f> Checker<'f> {
    pub(super) fn check_threads(&mut self, items: &'f [Item]) {
        let mut placed = vec![false; self.model.objects.len()];
        let mut names: HashSet<&str> = HashSet::new();
        for (name, objects) in each(items, |item| match item {
            ItemKind::Thread { name, objects } => Some((name, objects)),
            _ => None,
        }) {
            if self.model.runs_to_completion().is_none() {
                self.stray_thread(name);
                continue;
            }
            if !names.insert(&name.text) {
                self.already_declared(name, "thread");
                continue;
            }
            if names.len() > limits::OBJECTS as usize {
                self.beyond_limit(name.span, "threads", limits::OBJECTS as usize);
                return;
            }
            let mut members = self.object_list(objects);
            if let Some(again) = members.iter().find(|member| placed[member.index()]) {
                self.on_two_threads(*again, name);
                members.retain(|member| !placed[member.index()]);
            }
            for member in &members {
                placed[member.index()] = true;
            }
            self.add_thread(name.text.clone(), members);
        }
        if self.model.runs_to_completion().is_some() {
            let mut alone: Vec<ObjectId> = self.model.object_ids().collect();
            alone.retain(|object| !placed[object.index()]);
            for object in alone {
                let name = self.model.object(object).name.clone();
                self.add_thread(name, vec![object]);
            }
        }
        self.check_atomic_steps(items);
    }

    fn stray_thread(&mut self, name: &Name) {
        let message = "threads have a meaning under `run_to_completion` only";
        let help = "add `semantics run_to_completion;`, or take the thread away";
        let error = Diagnostic::error(codes::STRAY_THREAD, name.span, message);
        self.report(error.help(help));
    }

    fn on_two_threads(&mut self, object: ObjectId, thread: &Name) {
        let first = self.model.object(object).thread;
        let first = &self.model.threads[first.index()].name;
        let object = &self.model.object(object).name;
        let message = format!("`{object}` is on thread `{first}` already");
        self.error(codes::TWO_THREADS, thread.span, message);
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
        let options = self.model.runs_to_completion();
        let atomic = options.is_some_and(|options| options.atomic_steps);
        if !atomic || self.model.threads.len() <= 1 {
            return;
        }
        let option = items.iter().find_map(|item| match &item.kind {
            ItemKind::Semantics { options, .. } => {
                options.iter().find(|option| option.text == "atomic_steps")
            }
            _ => None,
        });
        let mut names = self.model.threads.iter().map(|thread| thread.name.as_str());
        let (first, second) = (names.next().unwrap_or(""), names.next().unwrap_or(""));
        let message = format!(
            "`atomic_steps` needs a single thread, but there are {}: `{first}`, `{second}`{}",
            self.model.threads.len(),
            if self.model.threads.len() > 2 {
                ", ..."
            } else {
                ""
            }
        );
        let help = "put all objects on one thread: `thread main { ... }`";
        let span = option.map(|option| option.span).unwrap_or_default();
        self.report(Diagnostic::error(codes::ATOMIC_STEPS, span, message).help(help));
    }
}
