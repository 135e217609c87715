//! Constants, enumerations, signals, classes with their variables, globals, objects.

use std::collections::HashSet;

use super::scope::{Purpose, Scope};
use super::{Checked, Checker, Definitions, Lookup, ObjectGroup, each, fold};
use crate::model::action::Place;
use crate::model::codes;
use crate::model::diagnostics::{Diagnostic, nearest};
use crate::model::limits;
use crate::model::syntax::{self, ElementKind, Expr, Item, ItemKind, Name, Span};
use crate::model::typed::{Class, Enum, Inbox, Local, Object, Signal, Variable};
use crate::model::value::{ClassId, EnumId, ObjectId, SignalId, ThreadId, Type, Value, VariableId};

impl Checker {
    pub(super) fn declare(&mut self, items: &[Item], definitions: &Definitions) {
        self.declare_types(items);
        self.declare_constants(items, definitions);
        self.declare_signals(items);
        self.declare_variables(items);
    }

    /// The names of enumerations and classes: what types are made of.
    fn declare_types(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Enum { name, literals } => self.declare_enum(name, literals),
                ItemKind::Class(class) => self.declare_class(&class.name),
                _ => {}
            }
        }
    }

    fn declare_enum(&mut self, name: &Name, literals: &[Name]) {
        if self.is_type(&name.text) {
            self.already_declared(name, "type");
            return;
        }
        let id = EnumId::new(self.model.enums.len());
        self.enums.insert(name.text.clone(), id);
        self.model.enums.push(Enum {
            name: name.text.clone(),
            literals: literals
                .iter()
                .map(|literal| literal.text.clone())
                .collect(),
        });
        for (number, literal) in literals.iter().enumerate() {
            if self.is_value(&literal.text) {
                self.already_declared(literal, "name");
            }
            self.literals
                .insert(literal.text.clone(), (id, number as u32));
        }
    }

    fn declare_class(&mut self, name: &Name) {
        if self.is_type(&name.text) {
            self.already_declared(name, "type");
        }
        // A second class of the same name is kept all the same, so that the passes find each in turn.
        let id = ClassId::new(self.model.classes.len());
        self.classes.insert(name.text.clone(), id);
        self.model.classes.push(Class {
            name: name.text.clone(),
            variables: Vec::new(),
            defaults: Vec::new(),
            machine: Default::default(),
            frame: Vec::new(),
            span: name.span,
        });
    }

    fn is_type(&self, name: &str) -> bool {
        self.enums.contains_key(name) || self.classes.contains_key(name)
    }

    fn is_value(&self, name: &str) -> bool {
        self.constants.contains_key(name)
            || self.literals.contains_key(name)
            || self.globals.contains_key(name)
            || self.objects.contains_key(name)
    }

    fn declare_constants(&mut self, items: &[Item], definitions: &Definitions) {
        for (name, value) in each(items, |item| match &item.kind {
            ItemKind::Const { name, value } => Some((name, value)),
            _ => None,
        }) {
            if self.is_value(&name.text) {
                self.already_declared(name, "name");
            }
            let given = definitions
                .iter()
                .rev()
                .find(|(given, _)| *given == name.text);
            if let Ok(constant) = self.constant_value(value, given.map(|(_, text)| text.as_str())) {
                self.constants.insert(name.text.clone(), constant);
            }
        }
        self.check_definitions(definitions);
    }

    fn constant_value(&mut self, expr: &Expr, given: Option<&str>) -> Checked<(Value, Type)> {
        let mut scope = Scope::constant();
        let typed = self.expr(expr, &mut scope)?;
        let ty = if typed.ty.is_number() {
            Type::Integer
        } else {
            typed.ty.clone()
        };
        let value = match given {
            Some(text) => self.given_value(text, &ty),
            None => fold(&typed, &()),
        };
        match value {
            Ok(value) => Ok((value, ty)),
            Err(why) => {
                let message = "this must be a constant";
                Err(self
                    .report(Diagnostic::error(codes::NOT_CONSTANT, expr.span, message).label(why)))
            }
        }
    }

    fn given_value(&self, text: &str, ty: &Type) -> Result<Value, String> {
        let wrong = || format!("`{text}`, given with -D, is not of its type");
        match ty {
            Type::Integer => text.parse().map(Value::Int).map_err(|_| wrong()),
            Type::Bool => text.parse().map(Value::Bool).map_err(|_| wrong()),
            Type::Enum(id) => match self.literals.get(text) {
                Some((of, number)) if of == id => Ok(Value::Literal(*number)),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }

    fn check_definitions(&mut self, definitions: &Definitions) {
        for (name, _) in definitions {
            if self.constants.contains_key(name) {
                continue;
            }
            let message = format!("-D {name}: the model has no constant `{name}`");
            let mut diagnostic =
                Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::default(), message);
            if let Some(near) = nearest(name, self.constants.keys().map(String::as_str)) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
        }
    }

    fn declare_signals(&mut self, items: &[Item]) {
        for signals in each(items, |item| match &item.kind {
            ItemKind::Signals(signals) => Some(signals),
            _ => None,
        }) {
            for signal in &signals.signals {
                self.declare_signal(signal, signals.external);
            }
        }
    }

    fn declare_signal(&mut self, signal: &syntax::Signal, external: bool) {
        if self.signals.contains_key(&signal.name.text) {
            self.already_declared(&signal.name, "signal");
            return;
        }
        let mut parameters = Vec::new();
        for parameter in &signal.parameters {
            if parameters
                .iter()
                .any(|(name, _)| *name == parameter.name.text)
            {
                self.already_declared(&parameter.name, "parameter");
            }
            let ty = self.scalar_type_of(&parameter.ty, "a parameter");
            parameters.push((parameter.name.text.clone(), ty.unwrap_or(Type::INT)));
        }
        let id = SignalId::new(self.model.signals.len());
        self.signals.insert(signal.name.text.clone(), id);
        self.model.signals.push(Signal {
            name: signal.name.text.clone(),
            parameters,
            external,
            may_be_lost: false,
            span: signal.name.span,
        });
    }

    /// Names and types of variables; their values come once the objects are known.
    fn declare_variables(&mut self, items: &[Item]) {
        let mut class = 0;
        for item in items {
            match &item.kind {
                ItemKind::Global(declaration) => self.declare_globals(declaration),
                ItemKind::Class(body) => {
                    self.declare_fields(ClassId::new(class), body);
                    class += 1;
                }
                _ => {}
            }
        }
    }

    fn declare_globals(&mut self, declaration: &syntax::Variable) {
        let ty = self.type_of(&declaration.ty).unwrap_or(Type::INT);
        for (name, _) in &declaration.declared {
            if self.is_value(&name.text) {
                self.already_declared(name, "name");
                continue;
            }
            let id = VariableId::new(self.model.globals.len());
            self.globals.insert(name.text.clone(), id);
            add_variable(
                &mut self.model.globals,
                &mut self.model.global_values,
                name,
                &ty,
            );
        }
    }

    fn declare_fields(&mut self, class: ClassId, body: &syntax::Class) {
        let mut names = HashSet::new();
        for declaration in fields(body) {
            let ty = self.type_of(&declaration.ty).unwrap_or(Type::INT);
            for (name, _) in &declaration.declared {
                if !names.insert(name.text.clone()) {
                    self.already_declared(name, "variable");
                    continue;
                }
                let class = &mut self.model.classes[class.index()];
                add_variable(&mut class.variables, &mut class.defaults, name, &ty);
            }
        }
    }

    pub(super) fn declare_objects(&mut self, items: &[Item]) {
        let objects = || {
            each(items, |item| match &item.kind {
                ItemKind::Object(object) => Some(object),
                _ => None,
            })
        };
        for object in objects() {
            for (name, size) in &object.declared {
                let _ = self.declare_object(object, name, size.as_ref());
            }
        }
        self.initialise_variables(items);
        for object in objects() {
            for (name, _) in &object.declared {
                self.initialise_objects(object, name);
            }
        }
        if self.model.objects.is_empty() && self.diagnostics.is_empty() {
            let message = "the model has no objects, so nothing can happen";
            let help = "declare some: `object a: SomeClass;`";
            self.report(Diagnostic::error(codes::NO_OBJECTS, Span::default(), message).help(help));
        }
    }

    fn declare_object(
        &mut self,
        object: &syntax::Object,
        name: &Name,
        size: Option<&Expr>,
    ) -> Checked<()> {
        if self.is_value(&name.text) {
            return Err(self.already_declared(name, "name"));
        }
        let class = self.class(&object.class)?;
        let room = limits::OBJECTS - self.model.objects.len() as i64;
        let count = match size {
            Some(size) => self.bounded(size, "the number of objects", 1, room)?,
            None if room < 1 => {
                let message = format!("more than {} objects", limits::OBJECTS);
                return Err(self.error(codes::OUT_OF_BOUNDS, name.span, message));
            }
            None => 1,
        };
        let mut members = Vec::new();
        for index in 0..count {
            members.push(ObjectId::new(self.model.objects.len()));
            let shown = match size {
                Some(_) => format!("{}[{index}]", name.text),
                None => name.text.clone(),
            };
            self.model.objects.push(Object {
                name: shown,
                class,
                values: Vec::new(),
                inbox: Inbox::default(),
                thread: ThreadId(0),
                from_environment: Vec::new(),
                span: name.span,
            });
        }
        let is_array = size.is_some();
        let group = ObjectGroup {
            members,
            is_array,
            class,
        };
        self.objects.insert(name.text.clone(), group);
        Ok(())
    }

    fn initialise_variables(&mut self, items: &[Item]) {
        let mut class = 0;
        let mut global = 0;
        for item in items {
            match &item.kind {
                ItemKind::Global(declaration) => {
                    for (name, initial) in &declaration.declared {
                        let known = self.model.globals.get(global).map(|v| v.name == name.text);
                        if known == Some(true) {
                            self.initialise_global(global, initial.as_ref());
                            global += 1;
                        }
                    }
                }
                ItemKind::Class(body) => {
                    self.initialise_fields(class, body);
                    class += 1;
                }
                _ => {}
            }
        }
        let per_object = |object: &Object| self.model.classes[object.class.index()].defaults.len();
        let slots: usize = self.model.objects.iter().map(per_object).sum();
        if slots > limits::SLOTS {
            let message = format!(
                "{slots} variables over all objects exceed {}",
                limits::SLOTS
            );
            self.error(codes::OUT_OF_BOUNDS, Span::default(), message);
        }
    }

    fn initialise_global(&mut self, index: usize, initial: Option<&syntax::Initial>) {
        let Some(initial) = initial else { return };
        let variable = self.model.globals[index].clone();
        let mut scope = Scope::constant();
        if let Ok(values) = self.initial_values(initial, &variable.ty, &mut scope, &()) {
            set(&mut self.model.global_values, &variable, &values);
        }
    }

    fn initialise_fields(&mut self, class: usize, body: &syntax::Class) {
        for (name, initial) in fields(body).flat_map(|declaration| &declaration.declared) {
            let Some(initial) = initial else { continue };
            let variables = &self.model.classes[class].variables;
            let Some(variable) = variables.iter().find(|v| v.name == name.text).cloned() else {
                continue;
            };
            let mut scope = Scope::constant();
            if let Ok(values) = self.initial_values(initial, &variable.ty, &mut scope, &()) {
                set(&mut self.model.classes[class].defaults, &variable, &values);
            }
        }
    }

    fn initialise_objects(&mut self, object: &syntax::Object, name: &Name) {
        let Some(group) = self.objects.get(&name.text).cloned() else {
            return;
        };
        for (index, member) in group.members.iter().enumerate() {
            let reported = self.diagnostics.len();
            let mut values = self.model.classes[group.class.index()].defaults.clone();
            for (field, initial) in &object.initial {
                let given = Index(group.is_array.then_some(index));
                let _ = self.initialise_field(group.class, &mut values, field, initial, &given);
            }
            self.model.objects[member.index()].values = values;
            if self.diagnostics.len() > reported {
                break; // the others would say the same again
            }
        }
    }

    fn initialise_field(
        &mut self,
        class: ClassId,
        values: &mut [Value],
        field: &Name,
        initial: &syntax::Initial,
        index: &Index,
    ) -> Checked<()> {
        let variable = self.field(class, field)?;
        let variable = self.model.classes[class.index()].variables[variable.index()].clone();
        let mut scope = Scope::new(None, Purpose::Constant, Vec::<Local>::new());
        if index.0.is_some() {
            scope.bind("index", &Type::INT);
        }
        let given = self.initial_values(initial, &variable.ty, &mut scope, index)?;
        set(values, &variable, &given);
        Ok(())
    }

    /// A variable of a class.
    pub(super) fn field(&mut self, class: ClassId, name: &Name) -> Checked<VariableId> {
        let class = &self.model.classes[class.index()];
        if let Some(index) = class.variables.iter().position(|v| v.name == name.text) {
            return Ok(VariableId::new(index));
        }
        let what = format!("variable of class {}", class.name);
        let known: Vec<String> = class.variables.iter().map(|v| v.name.clone()).collect();
        Err(self.unknown(&what, name, known.iter().map(String::as_str)))
    }
}

/// The number of an object in its array, as the one local name of its initialiser.
struct Index(Option<usize>);

impl Lookup for Index {
    fn value(&self, place: &Place) -> Option<Value> {
        match place {
            Place::Local(_) => self.0.map(|index| Value::Int(index as i64)),
            _ => None,
        }
    }
}

fn fields(class: &syntax::Class) -> impl Iterator<Item = &syntax::Variable> {
    class.body.iter().filter_map(|element| match &element.kind {
        ElementKind::Variable(declaration) => Some(declaration),
        _ => None,
    })
}

fn add_variable(variables: &mut Vec<Variable>, values: &mut Vec<Value>, name: &Name, ty: &Type) {
    variables.push(Variable {
        name: name.text.clone(),
        ty: ty.clone(),
        offset: values.len(),
        span: name.span,
    });
    let room = limits::SLOTS.saturating_sub(values.len());
    values.extend(std::iter::repeat_n(
        ty.default_value(),
        ty.length().min(room),
    ));
}

fn set(values: &mut [Value], variable: &Variable, given: &[Value]) {
    let end = variable.offset + given.len();
    if let Some(place) = values.get_mut(variable.offset..end) {
        place.copy_from_slice(given);
    }
}
