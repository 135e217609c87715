//! From the syntax tree to the model: names, types, structure.
//!
//! Each pass reports what it finds and goes on with what it could make out, so that one run shows
//! many errors; a model comes out only if there are none.

mod abstraction;
mod declarations;
mod environment;
mod expressions;
mod fold;
mod machines;
mod paths;
mod properties;
mod scope;
mod settings;
mod statements;
mod tree;
mod types;

use std::collections::HashMap;
use std::rc::Rc;

use super::diagnostics::{Diagnostic, Severity, nearest};
use super::syntax::{File, Item, ItemKind, Name, Span};
use super::typed::{Environment, Model, Semantics};
use super::value::{ClassId, EnumId, ObjectId, SignalId, StateId, Type, Value, VariableId};

pub use environment::why_not_lazy;
pub(crate) use fold::{Lookup, fold};
pub(crate) use tree::{Edge, Node, Source, StateAction, Tree};

/// The error has been reported already; whoever meets this has nothing to add.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

type Checked<T> = Result<T, Reported>;

/// Values for constants from outside the model: `-D N=5`.
pub type Definitions = Vec<(String, String)>;

/// Checks a tree; gives the model if there is no error, and all diagnostics in source order.
pub fn check(file: &File, definitions: &Definitions) -> (Option<Model>, Vec<Diagnostic>) {
    let mut checker = Checker::new(file);
    checker.check_all(file, definitions);
    checker.finish()
}

/// `o in State` as it is written, found again by its place: the class of `o`, and the state.
pub(crate) struct AskedState {
    pub span: Span,
    pub class: ClassId,
    pub state: StateId,
}

/// A model without errors, and which states its expressions ask for.
pub(crate) fn resolve(file: &File, definitions: &Definitions) -> Option<(Model, Vec<AskedState>)> {
    let mut checker = Checker::new(file);
    checker.check_all(file, definitions);
    let asked = std::mem::take(&mut checker.asked_states);
    let (model, _) = checker.finish();
    Some((model?, asked))
}

/// The machines of all classes as they are written, in order.
pub(crate) fn trees(file: &File) -> Vec<Tree> {
    let mut checker = Checker::new(file);
    let classes = each(&file.items, |item| match &item.kind {
        ItemKind::Class(class) => Some(class),
        _ => None,
    });
    classes
        .map(|class| checker.grow_tree(class.name.span, &class.body))
        .collect()
}

/// What is known so far.
struct Checker {
    model: Model,
    diagnostics: Vec<Diagnostic>,
    constants: HashMap<String, (Value, Type)>,
    literals: HashMap<String, (EnumId, u32)>,
    enums: HashMap<String, EnumId>,
    classes: HashMap<String, ClassId>,
    signals: HashMap<String, SignalId>,
    globals: HashMap<String, VariableId>,
    objects: HashMap<String, ObjectGroup>,
    trees: Vec<Rc<tree::Tree>>,
    asked_states: Vec<AskedState>,
}

/// What one name of an `object` declaration stands for.
#[derive(Clone)]
struct ObjectGroup {
    members: Vec<ObjectId>,
    is_array: bool,
    class: ClassId,
}

impl Checker {
    fn new(file: &File) -> Checker {
        let name = file.system.as_ref().map_or("system", |name| &name.text);
        let model = Model {
            name: name.to_owned(),
            enums: Vec::new(),
            signals: Vec::new(),
            classes: Vec::new(),
            objects: Vec::new(),
            globals: Vec::new(),
            global_values: Vec::new(),
            threads: Vec::new(),
            semantics: Semantics::Interleaving,
            environment: Environment::Lazy,
            properties: Vec::new(),
            property_frame: Vec::new(),
            abstraction: Vec::new(),
            nondeterminism_is_meant: false,
        };
        Checker {
            model,
            diagnostics: Vec::new(),
            constants: HashMap::new(),
            literals: HashMap::new(),
            enums: HashMap::new(),
            classes: HashMap::new(),
            signals: HashMap::new(),
            globals: HashMap::new(),
            objects: HashMap::new(),
            trees: Vec::new(),
            asked_states: Vec::new(),
        }
    }

    fn check_all(&mut self, file: &File, definitions: &Definitions) {
        self.declare(&file.items, definitions);
        self.declare_objects(&file.items);
        self.check_settings(&file.items);
        self.check_machines(&file.items);
        self.check_environment(&file.items);
        self.check_properties(&file.items);
        self.check_abstraction(&file.items);
    }

    fn finish(mut self) -> (Option<Model>, Vec<Diagnostic>) {
        self.diagnostics
            .sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.code));
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let failed = self.diagnostics.iter().any(is_error);
        ((!failed).then_some(self.model), self.diagnostics)
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(code, span, message))
    }

    /// "unknown signal `Oder`", with the nearest name that there is.
    fn unknown<'a>(
        &mut self,
        what: &str,
        name: &Name,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Reported {
        let mut diagnostic =
            Diagnostic::error("E101", name.span, format!("unknown {what} `{}`", name.text));
        if let Some(near) = nearest(&name.text, known) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic)
    }

    fn already_declared(&mut self, name: &Name, what: &str) -> Reported {
        let message = format!("{what} `{}` is declared twice", name.text);
        let help = "give one of them another name";
        self.report(Diagnostic::error("E102", name.span, message).help(help))
    }

    fn signal(&mut self, name: &Name) -> Checked<SignalId> {
        if let Some(id) = self.signals.get(&name.text) {
            return Ok(*id);
        }
        let known: Vec<String> = self.signals.keys().cloned().collect();
        Err(self.unknown("signal", name, known.iter().map(String::as_str)))
    }

    fn class(&mut self, name: &Name) -> Checked<ClassId> {
        if let Some(id) = self.classes.get(&name.text) {
            return Ok(*id);
        }
        let known: Vec<String> = self.classes.keys().cloned().collect();
        Err(self.unknown("class", name, known.iter().map(String::as_str)))
    }
}

/// The items of one kind, in order.
fn each<'f, T>(
    items: &'f [Item],
    pick: impl Fn(&'f Item) -> Option<T> + 'f,
) -> impl Iterator<Item = T> + 'f {
    items.iter().filter_map(pick)
}
