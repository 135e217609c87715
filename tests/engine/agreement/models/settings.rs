//! Random settings: semantics, threads, environment, inboxes, what is allowed.

use super::words::{Environment, Semantics, Threads};
use super::writer::Writer;

impl Writer<'_> {
    pub fn settings(&mut self) -> String {
        [
            self.semantics(),
            self.threads(),
            self.environment(),
            self.inboxes(),
            self.allowed(),
        ]
        .concat()
    }

    fn semantics(&mut self) -> String {
        let Semantics::RunToCompletion { atomic, .. } = self.words.semantics else {
            return match self.percent(30) {
                true => "semantics interleaving;\n".to_owned(),
                false => String::new(),
            };
        };
        let mut options = Vec::new();
        if atomic {
            options.push("atomic_steps");
        }
        for option in ["initial_step", "rhapsody_triggers"] {
            if self.percent(30) {
                options.push(option);
            }
        }
        match options.is_empty() {
            true => "semantics run_to_completion;\n".to_owned(),
            false => format!("semantics run_to_completion with {};\n", options.join(", ")),
        }
    }

    fn threads(&mut self) -> String {
        let Semantics::RunToCompletion { threads, .. } = self.words.semantics else {
            return String::new();
        };
        let objects = &self.words.objects;
        let shared = match threads {
            Threads::Own => return String::new(),
            Threads::One => &objects[..],
            Threads::Shared => &objects[..objects.len().min(2)],
        };
        let names: Vec<&str> = shared.iter().map(|object| object.name.as_str()).collect();
        format!("thread main {{ {} }}\n", names.join(", "))
    }

    fn environment(&mut self) -> String {
        match self.words.environment {
            Environment::Unsaid => "",
            Environment::Lazy => "environment lazy;\n",
            Environment::Eager => "environment eager;\n",
        }
        .to_owned()
    }

    fn inboxes(&mut self) -> String {
        let mut text = format!("inbox * {};\n", self.inbox());
        if self.percent(40) {
            let owner = match self.words.semantics {
                Semantics::RunToCompletion {
                    threads: Threads::One | Threads::Shared,
                    ..
                } => "main".to_owned(),
                _ => self.pick(&self.words.objects).name.clone(),
            };
            text += &format!("inbox {owner} {};\n", self.inbox());
        }
        text
    }

    fn inbox(&mut self) -> String {
        let policy = *self.pick(&["violate", "lose", "block", "cut"]);
        // What comes eagerly fills every inbox in every order; three of them have many orders.
        let few = self.words.environment != Environment::Lazy || self.words.objects.len() > 2;
        let capacity = *self.pick(if few { &[1, 1, 2] } else { &[1, 2, 3] });
        format!("capacity {capacity} on_full {policy}")
    }

    fn allowed(&mut self) -> String {
        let mut text = String::new();
        if self.percent(30) {
            let signal = &self.pick(&self.words.signals).name;
            text += &format!("allow implicit_consumption of ({signal});\n");
        }
        for fault in ["deadlock", "overflow", "arithmetic_fault", "divergence"] {
            if self.percent(10) {
                text += &format!("allow {fault};\n");
            }
        }
        text
    }
}
