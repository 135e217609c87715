//! How many messages wait for whom, and what happens to one too many.

use std::collections::{HashMap, HashSet};

use super::{Checked, Checker, Reported, each};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, Item, ItemKind, ObjectName};
use crate::lang::typed::{Inbox, OnFull};
use crate::lang::value::{ObjectId, ThreadId};
use crate::lang::{codes, limits};

/// Whose inboxes a line speaks of. What is said of fewer goes before what is said of more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breadth {
    Class,
    Array,
    Single,
}

/// Threads by their names.
type Threads = HashMap<String, ThreadId>;

impl<'f> Checker<'f> {
    pub(super) fn check_inboxes(&mut self, items: &'f [Item]) {
        let mut settings = Vec::new();
        for inbox in each(items, |item| match item {
            ItemKind::Inbox(inbox) => Some(inbox),
            _ => None,
        }) {
            let checked = self.inbox(inbox);
            settings.push((inbox, checked));
        }
        self.set_all(&settings);
        let named = self.model.threads.iter().enumerate();
        let threads: Threads = named
            .map(|(i, t)| (t.name.clone(), ThreadId::new(i)))
            .collect();
        let mut seen = HashSet::new();
        for breadth in [Breadth::Class, Breadth::Array, Breadth::Single] {
            for (inbox, checked) in &settings {
                for owner in &inbox.owners {
                    if self.breadth(owner, &threads) != breadth {
                        continue;
                    }
                    if owner.index.is_none() && !seen.insert(&owner.name.text) {
                        let what = format!("the inbox of `{}`", owner.name.text);
                        self.second_setting(owner.name.span, &what);
                        continue;
                    }
                    let _ = self.set_inbox(owner, *checked, &threads);
                }
            }
        }
    }

    /// `inbox * ...`
    fn set_all(&mut self, settings: &[(&syntax::Inbox, Checked<Inbox>)]) {
        let mut lines = settings.iter().filter(|(inbox, _)| inbox.owners.is_empty());
        if let Some((_, Ok(inbox))) = lines.next() {
            let objects = self.model.objects.iter_mut();
            objects.for_each(|object| object.inbox = *inbox);
            let threads = self.model.threads.iter_mut();
            threads.for_each(|thread| thread.inbox = *inbox);
        }
        for (second, _) in lines {
            self.second_setting(second.capacity.span, "the capacity of all inboxes");
        }
    }

    fn breadth(&self, owner: &ObjectName, threads: &Threads) -> Breadth {
        let name = owner.name.text.as_str();
        match self.objects.get(name) {
            _ if threads.contains_key(name) => Breadth::Single,
            Some(group) if group.is_array && owner.index.is_none() => Breadth::Array,
            None if self.classes.contains_key(name) => Breadth::Class,
            _ => Breadth::Single,
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
                let known = ["violate", "block", "lose", "cut"];
                return Err(self.unknown_word("policy", name, &known));
            }
        };
        let capacity = capacity? as usize;
        Ok(Inbox { capacity, on_full })
    }

    /// The owner is a thread, a class, or objects.
    fn set_inbox(
        &mut self,
        owner: &ObjectName,
        inbox: Checked<Inbox>,
        threads: &Threads,
    ) -> Checked<()> {
        if let Some(thread) = threads.get(&owner.name.text) {
            self.model.threads[thread.index()].inbox = inbox?;
            return Ok(());
        }
        let objects = match self.classes.get(owner.name.text.as_str()) {
            Some(class) if !self.objects.contains_key(owner.name.text.as_str()) => {
                let of_class = |id: &ObjectId| self.model.object(*id).class == *class;
                self.model.object_ids().filter(of_class).collect()
            }
            _ => self.objects_named(owner)?,
        };
        let inbox = inbox?;
        for object in objects {
            self.model.objects[object.index()].inbox = inbox;
            let thread = self.model.object(object).thread;
            let Some(thread) = self.model.threads.get_mut(thread.index()) else {
                continue;
            };
            if thread.objects.len() > 1 {
                let thread = thread.name.clone();
                return Err(self.shared_inbox(owner, object, &thread));
            }
            thread.inbox = inbox;
        }
        Ok(())
    }

    fn shared_inbox(&mut self, owner: &ObjectName, object: ObjectId, thread: &str) -> Reported {
        let name = &self.model.object(object).name;
        let message = format!("`{name}` has no inbox of its own: thread `{thread}` has");
        let help = format!("write `inbox {thread} capacity ...;`");
        let error = Diagnostic::error(codes::SHARED_INBOX, owner.name.span, message);
        self.report(error.help(help))
    }
}
