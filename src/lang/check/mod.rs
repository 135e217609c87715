//! From the syntax tree to the model: names, types, structure.
//!
//! Each pass reports what it finds and goes on with what it could make out, so that one run shows
//! many errors; a model comes out only if there are none. What is wrong for an error that has been
//! reported is not reported again: a declaration that failed leaves its name behind in `failed`, or
//! has the type `types::WRONG`.

mod abstraction;
mod constants;
mod crossings;
mod declarations;
mod environment;
mod expressions;
mod fold;
mod grow;
mod inboxes;
mod machines;
mod names;
mod objects;
mod paths;
mod properties;
mod questions;
mod report;
mod scope;
mod segments;
mod settings;
mod simultaneous;
mod statements;
mod threads;
mod tree;
mod triggers;
mod types;
mod vertices;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::diagnostics::{Diagnostic, Severity};
use super::syntax::{File, Item, ItemKind, Name, Span};
use super::typed::{Environment, Model, Semantics};
use super::value::{ClassId, EnumId, ObjectId, SignalId, StateId, Type, Value, VariableId};

pub use environment::why_not_lazy;
pub(crate) use fold::{Lookup, fold};
use report::{Diagnostics, Reported};
pub(crate) use tree::{Edge, Node, Source, Tree};

type Checked<T> = Result<T, Reported>;

/// Values for constants from outside the model: `-D N=5`.
pub type Definitions = Vec<(String, String)>;

/// Checks a tree; gives the model if there is no error, and all diagnostics in source order.
pub fn check(file: &File, definitions: &Definitions) -> (Option<Model>, Vec<Diagnostic>) {
    let mut checker = Checker::new(file);
    if checker.declare_types(&file.items).is_ok() {
        checker.check_all(file, definitions);
    }
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
    checker.declare_types(&file.items).ok()?;
    checker.check_all(file, definitions);
    let asked = std::mem::take(&mut checker.asked_states);
    let (model, _) = checker.finish();
    Some((model?, asked))
}

/// The machines of all classes as they are written, in order.
pub(crate) fn trees(file: &File) -> Vec<Tree<'_>> {
    let mut checker = Checker::new(file);
    let classes = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Class(class) => Some(class),
        _ => None,
    });
    classes
        .map(|class| checker.grow_tree(class.name.span, &class.body))
        .collect()
}

/// What is known so far.
struct Checker<'f> {
    model: Model,
    findings: Diagnostics,
    constants: HashMap<&'f str, (Value, Type)>,
    literals: HashMap<&'f str, (EnumId, u32)>,
    enums: HashMap<&'f str, EnumId>,
    classes: HashMap<&'f str, ClassId>,
    signals: HashMap<&'f str, SignalId>,
    globals: HashMap<&'f str, VariableId>,
    objects: HashMap<&'f str, ObjectGroup>,
    /// The variables of each class.
    fields: Vec<HashMap<&'f str, VariableId>>,
    /// Names of constants and objects whose declaration is wrong.
    failed: HashSet<&'f str>,
    /// What names of constants, variables and objects mean that may not be known yet.
    announced: HashMap<&'f str, &'static str>,
    trees: Vec<Rc<tree::Tree<'f>>>,
    asked_states: Vec<AskedState>,
    /// Elements of all declared variables so far.
    slots: usize,
    /// Elements of the variables of all objects so far.
    object_slots: usize,
    /// Statements so far.
    statements: usize,
    /// Messages that the environment can send, so far.
    offered: usize,
    /// Bytes of the labels of all paths through junctions so far.
    path_text: usize,
    declares_abstraction: bool,
}

/// What one name of an `object` declaration stands for.
#[derive(Clone)]
struct ObjectGroup {
    members: Arc<[ObjectId]>,
    is_array: bool,
    class: ClassId,
}

impl<'f> Checker<'f> {
    fn new(file: &'f File) -> Checker<'f> {
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
            findings: Diagnostics::new(),
            constants: HashMap::new(),
            literals: HashMap::new(),
            enums: HashMap::new(),
            classes: HashMap::new(),
            signals: HashMap::new(),
            globals: HashMap::new(),
            objects: HashMap::new(),
            fields: Vec::new(),
            failed: HashSet::new(),
            announced: HashMap::new(),
            trees: Vec::new(),
            asked_states: Vec::new(),
            slots: 0,
            object_slots: 0,
            statements: 0,
            offered: 0,
            path_text: 0,
            declares_abstraction: file
                .items
                .iter()
                .any(|item| matches!(item.kind, ItemKind::Abstraction(_))),
        }
    }

    fn check_all(&mut self, file: &'f File, definitions: &Definitions) {
        let items = &file.items;
        self.declare_constants(items, definitions);
        self.declare_signals(items);
        self.declare_variables(items);
        self.declare_objects(file);
        self.check_settings(items);
        self.check_machines(items);
        self.check_environment(items);
        self.check_properties(items);
        self.check_abstraction(items);
    }

    fn finish(self) -> (Option<Model>, Vec<Diagnostic>) {
        let diagnostics = self.findings.into_diagnostics();
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let failed = diagnostics.iter().any(is_error);
        ((!failed).then_some(self.model), diagnostics)
    }

    fn signal(&mut self, name: &Name) -> Checked<SignalId> {
        if let Some(id) = self.signals.get(name.text.as_str()) {
            return Ok(*id);
        }
        let near = self.suggest(&name.text, self.signals.keys().copied());
        Err(self.unknown("signal", name, near))
    }

    fn class(&mut self, name: &Name) -> Checked<ClassId> {
        if let Some(id) = self.classes.get(name.text.as_str()) {
            return Ok(*id);
        }
        let near = self.suggest(&name.text, self.classes.keys().copied());
        Err(self.unknown("class", name, near))
    }
}

/// The items of one kind, in order.
fn each<'f, T>(
    items: &'f [Item],
    pick: impl Fn(&'f ItemKind) -> Option<T> + 'f,
) -> impl Iterator<Item = T> + 'f {
    items.iter().filter_map(move |item| pick(&item.kind))
}
