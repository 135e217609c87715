//! Enumerations, classes with their variables, signals, global variables: their names and types.
//! Initial values come later, when the objects are known.

use std::collections::{HashMap, HashSet};

use super::types::WRONG;
use super::{Checked, Checker, each};
use crate::lang::syntax::{self, ElementKind, Item, ItemKind, Name};
use crate::lang::typed::{Class, Enum, Signal, Variable};
use crate::lang::value::{ClassId, EnumId, SignalId, Type, Value, VariableId};
use crate::lang::{codes, limits};

impl<'f> Checker<'f> {
    /// The names of enumerations and classes: what types are made of. With too many of them nothing
    /// else is looked at.
    pub(super) fn declare_types(&mut self, items: &'f [Item]) -> Checked<()> {
        for item in items {
            match &item.kind {
                ItemKind::Enum { name, literals } => self.declare_enum(name, literals),
                ItemKind::Class(class) => self.declare_class(&class.name)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn declare_enum(&mut self, name: &'f Name, literals: &'f [Name]) {
        if self.is_type(&name.text) {
            self.already_declared(name, "type");
            return;
        }
        let id = EnumId::new(self.model.enums.len());
        self.enums.insert(&name.text, id);
        let texts = literals.iter().map(|literal| literal.text.clone());
        self.model.enums.push(Enum {
            name: name.text.clone(),
            literals: texts.collect(),
        });
        for (number, literal) in literals.iter().enumerate() {
            if self.is_value(&literal.text) {
                self.already_declared(literal, "name");
                continue;
            }
            self.literals.insert(&literal.text, (id, number as u32));
        }
    }

    fn declare_class(&mut self, name: &'f Name) -> Checked<()> {
        if self.is_type(&name.text) {
            self.already_declared(name, "type");
        }
        if self.model.classes.len() == limits::CLASSES {
            return Err(self.beyond_limit(name.span, "classes", limits::CLASSES));
        }
        // A second class of the same name is kept all the same, so that the passes find each in turn.
        let id = ClassId::new(self.model.classes.len());
        self.classes.insert(&name.text, id);
        self.fields.push(HashMap::new());
        self.model.classes.push(Class {
            name: name.text.clone(),
            variables: Vec::new(),
            defaults: Vec::new(),
            machine: Default::default(),
            frame: Vec::new(),
            span: name.span,
        });
        Ok(())
    }

    fn is_type(&self, name: &str) -> bool {
        self.enums.contains_key(name) || self.classes.contains_key(name)
    }

    pub(super) fn is_value(&self, name: &str) -> bool {
        self.constants.contains_key(name)
            || self.literals.contains_key(name)
            || self.globals.contains_key(name)
            || self.objects.contains_key(name)
            || self.failed.contains(name)
    }

    pub(super) fn declare_signals(&mut self, items: &'f [Item]) {
        for signals in each(items, |item| match item {
            ItemKind::Signals(signals) => Some(signals),
            _ => None,
        }) {
            for signal in &signals.signals {
                self.declare_signal(signal, signals.external);
            }
        }
    }

    fn declare_signal(&mut self, signal: &'f syntax::Signal, external: bool) {
        if self.signals.contains_key(signal.name.text.as_str()) {
            self.already_declared(&signal.name, "signal");
            return;
        }
        if self.model.signals.len() == limits::SIGNALS {
            self.beyond_limit(signal.name.span, "signals", limits::SIGNALS);
        }
        let id = SignalId::new(self.model.signals.len());
        self.signals.insert(&signal.name.text, id);
        let parameters = self.parameters(signal);
        self.model.signals.push(Signal {
            name: signal.name.text.clone(),
            parameters,
            external,
            may_be_lost: false,
            span: signal.name.span,
        });
    }

    fn parameters(&mut self, signal: &'f syntax::Signal) -> Vec<(String, Type)> {
        if signal.parameters.len() > limits::PARAMETERS {
            let span = signal.parameters[limits::PARAMETERS].name.span;
            self.beyond_limit(span, "parameters of one signal", limits::PARAMETERS);
        }
        let mut names = HashSet::new();
        let mut parameters = Vec::new();
        for parameter in &signal.parameters {
            if !names.insert(&parameter.name.text) {
                self.already_declared(&parameter.name, "parameter");
            }
            let ty = self.scalar_type_of(&parameter.ty, "a parameter");
            parameters.push((parameter.name.text.clone(), ty.unwrap_or(WRONG)));
        }
        parameters
    }

    pub(super) fn declare_variables(&mut self, items: &'f [Item]) {
        let mut classes = (0..).map(ClassId::new);
        for item in items {
            match &item.kind {
                ItemKind::Global(declaration) => self.declare_globals(declaration),
                ItemKind::Class(body) => {
                    if let Some(class) = classes.next() {
                        self.declare_fields(class, body);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_globals(&mut self, declaration: &'f syntax::Variable) {
        let ty = self.type_of(&declaration.ty).unwrap_or(WRONG);
        for (name, _) in &declaration.declared {
            if self.is_value(&name.text) {
                self.already_declared(name, "name");
                continue;
            }
            let ty = self.with_room(name, &ty).unwrap_or(WRONG);
            let id = VariableId::new(self.model.globals.len());
            self.globals.insert(&name.text, id);
            let (variables, values) = (&mut self.model.globals, &mut self.model.global_values);
            add_variable(variables, values, name, ty);
        }
    }

    fn declare_fields(&mut self, class: ClassId, body: &'f syntax::Class) {
        for declaration in fields(body) {
            let ty = self.type_of(&declaration.ty).unwrap_or(WRONG);
            for (name, _) in &declaration.declared {
                if self.fields[class.index()].contains_key(name.text.as_str()) {
                    self.already_declared(name, "variable");
                    continue;
                }
                let ty = self.with_room(name, &ty).unwrap_or(WRONG);
                let declared = &mut self.model.classes[class.index()];
                let id = VariableId::new(declared.variables.len());
                self.fields[class.index()].insert(&name.text, id);
                add_variable(&mut declared.variables, &mut declared.defaults, name, ty);
            }
        }
    }

    /// The type, if there is room for one more variable of it.
    fn with_room(&mut self, name: &Name, ty: &Type) -> Checked<Type> {
        let before = self.slots;
        self.slots = before.saturating_add(ty.length());
        if self.slots <= limits::SLOTS {
            return Ok(ty.clone());
        }
        if before > limits::SLOTS {
            return Err(super::Reported); // said once
        }
        let message = format!(
            "with `{}` the variables have {} elements, more than {}",
            name.text,
            self.slots,
            limits::SLOTS
        );
        Err(self.error(codes::OUT_OF_BOUNDS, name.span, message))
    }

    /// A variable of a class.
    pub(super) fn field(&mut self, class: ClassId, name: &Name) -> Checked<VariableId> {
        let fields = &self.fields[class.index()];
        if let Some(id) = fields.get(name.text.as_str()) {
            return Ok(*id);
        }
        let near = self.suggest(&name.text, fields.keys().copied());
        let class = format!("class `{}`", self.model.classes[class.index()].name);
        Err(self.unknown_member(&class, "variable", name, near))
    }
}

/// The declarations of variables in a class.
pub(super) fn fields(class: &syntax::Class) -> impl Iterator<Item = &syntax::Variable> {
    class.body.iter().filter_map(|element| match &element.kind {
        ElementKind::Variable(declaration) => Some(declaration),
        _ => None,
    })
}

fn add_variable(variables: &mut Vec<Variable>, values: &mut Vec<Value>, name: &Name, ty: Type) {
    let offset = values.len();
    values.extend(std::iter::repeat_n(ty.default_value(), ty.length()));
    variables.push(Variable {
        name: name.text.clone(),
        ty,
        offset,
        span: name.span,
    });
}
