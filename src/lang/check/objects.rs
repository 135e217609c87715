//! Objects, and the initial values of variables: constants, all of them.

use std::collections::HashSet;

use super::declarations::fields;
use super::scope::{Purpose, Scope};
use super::types::WRONG;
use super::{Checked, Checker, Lookup, ObjectGroup, Reported, each};
use crate::lang::action::{Expr, Place};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, File, Item, ItemKind, Name, Span};
use crate::lang::typed::{Inbox, Object, Variable};
use crate::lang::value::{ClassId, ObjectId, ThreadId, Type, Value};
use crate::lang::{codes, limits};

/// An initialiser of a field, typed.
struct Given {
    variable: Variable,
    /// One for each element; or one for all.
    values: Vec<Expr>,
}

impl<'f> Checker<'f> {
    pub(super) fn declare_objects(&mut self, file: &'f File) {
        let objects = || {
            each(&file.items, |item| match item {
                ItemKind::Object(object) => Some(object),
                _ => None,
            })
        };
        for object in objects() {
            for (name, size) in &object.declared {
                if self.declare_object(object, name, size.as_ref()).is_err() {
                    self.failed.insert(&name.text);
                }
            }
        }
        self.initialise_variables(&file.items);
        for object in objects() {
            self.initialise_objects(object);
        }
        if self.model.objects.is_empty() && self.findings.count == 0 {
            let message = "the model has no objects, so nothing can happen";
            let help = "declare some: `object a: SomeClass;`";
            let span = place_of_whole(file);
            self.report(Diagnostic::error(codes::NO_OBJECTS, span, message).help(help));
        }
    }

    fn declare_object(
        &mut self,
        object: &'f syntax::Object,
        name: &'f Name,
        size: Option<&syntax::Expr>,
    ) -> Checked<()> {
        if self.is_value(&name.text) {
            return Err(self.already_declared(name, "name"));
        }
        let class = self.class(&object.class)?;
        let count = match size {
            Some(size) => self.bounded(size, "the number of objects", 1, limits::OBJECTS)?,
            None => 1,
        };
        self.expect_room(name, class, count as usize)?;
        let first = self.model.objects.len();
        for index in 0..count {
            let shown = match size {
                Some(_) => format!("{}[{index}]", name.text),
                None => name.text.clone(),
            };
            self.model.objects.push(Object {
                name: shown,
                class,
                values: self.model.classes[class.index()].defaults.clone(),
                inbox: Inbox::default(),
                thread: ThreadId(0),
                from_environment: Vec::new(),
                span: name.span,
            });
        }
        let members = (first..self.model.objects.len()).map(ObjectId::new);
        let group = ObjectGroup {
            members: members.collect(),
            is_array: size.is_some(),
            class,
        };
        self.objects.insert(&name.text, group);
        Ok(())
    }

    /// So many more objects, and their variables, are not too many.
    fn expect_room(&mut self, name: &Name, class: ClassId, count: usize) -> Checked<()> {
        let objects = self.model.objects.len() + count;
        if objects > limits::OBJECTS as usize {
            let message = format!(
                "with `{}` there are {objects} objects, more than {}",
                name.text,
                limits::OBJECTS
            );
            return Err(self.error(codes::OUT_OF_BOUNDS, name.span, message));
        }
        let each = self.model.classes[class.index()].defaults.len();
        let slots = self.object_slots + each * count;
        if slots > limits::SLOTS && self.slots > limits::SLOTS {
            return Err(Reported); // already the classes alone have too many
        }
        if slots > limits::SLOTS {
            let message = format!(
                "with `{}` the variables of all objects have {slots} elements, more than {}",
                name.text,
                limits::SLOTS
            );
            return Err(self.error(codes::OUT_OF_BOUNDS, name.span, message));
        }
        self.object_slots = slots;
        Ok(())
    }

    /// Global variables, and what the variables of a class start with in all its objects.
    fn initialise_variables(&mut self, items: &'f [Item]) {
        let mut classes = (0..).map(ClassId::new);
        for item in items {
            match &item.kind {
                ItemKind::Global(declaration) => {
                    for (name, initial) in &declaration.declared {
                        self.initialise_global(name, initial.as_ref());
                    }
                }
                ItemKind::Class(body) => {
                    if let Some(class) = classes.next() {
                        self.initialise_fields(class, body);
                    }
                }
                _ => {}
            }
        }
    }

    fn initialise_global(&mut self, name: &Name, initial: Option<&syntax::Initial>) {
        let (Some(initial), Some(id)) = (initial, self.globals.get(name.text.as_str())) else {
            return;
        };
        let variable = self.model.globals[id.index()].clone();
        if let Ok(given) = self.given(variable, initial, &mut Scope::constant()) {
            let mut values = std::mem::take(&mut self.model.global_values);
            let _ = self.assign_initial(&mut values, &given, &Index(None));
            self.model.global_values = values;
        }
    }

    fn initialise_fields(&mut self, class: ClassId, body: &'f syntax::Class) {
        let mut seen = HashSet::new();
        for (name, initial) in fields(body).flat_map(|declaration| &declaration.declared) {
            let (Some(initial), true) = (initial, seen.insert(&name.text)) else {
                continue;
            };
            let Ok(field) = self.field(class, name) else {
                continue;
            };
            let variable = self.model.classes[class.index()].variables[field.index()].clone();
            let Ok(given) = self.given(variable, initial, &mut Scope::constant()) else {
                continue;
            };
            let mut values = std::mem::take(&mut self.model.classes[class.index()].defaults);
            let _ = self.assign_initial(&mut values, &given, &Index(None));
            self.model.classes[class.index()].defaults = values;
        }
    }

    /// The initialisers in the braces of an object declaration.
    fn initialise_objects(&mut self, object: &'f syntax::Object) {
        for (index, (name, _)) in object.declared.iter().enumerate() {
            let Some(group) = self.objects.get(name.text.as_str()).cloned() else {
                continue;
            };
            let defaults = self.model.classes[group.class.index()].defaults.clone();
            for member in group.members.iter() {
                self.model.objects[member.index()]
                    .values
                    .clone_from(&defaults);
            }
            // Several names share their initialisers: what is wrong with them is said once.
            let reported = self.findings.count;
            self.initialise_group(object, &group);
            if index == 0 && self.findings.count > reported {
                return;
            }
        }
    }

    fn initialise_group(&mut self, object: &'f syntax::Object, group: &ObjectGroup) {
        let mut seen = HashSet::new();
        for (field, initial) in &object.initial {
            if !seen.insert(&field.text) {
                let message = format!("`{}` is given a value twice", field.text);
                self.error(codes::NAME_TAKEN, field.span, message);
                continue;
            }
            let _ = self.initialise_field(group, field, initial);
        }
    }

    fn initialise_field(
        &mut self,
        group: &ObjectGroup,
        field: &Name,
        initial: &syntax::Initial,
    ) -> Checked<()> {
        let id = self.field(group.class, field)?;
        let variable = self.model.classes[group.class.index()].variables[id.index()].clone();
        let mut scope = Scope::new(None, Purpose::Constant, Vec::new());
        if group.is_array {
            scope.bind("index", &Type::INT);
        }
        let given = self.given(variable, initial, &mut scope)?;
        self.expect_little_work(group, &given, field.span)?;
        for (index, member) in group.members.iter().enumerate() {
            let mut values = std::mem::take(&mut self.model.objects[member.index()].values);
            let index = Index(group.is_array.then_some(index));
            let result = self.assign_initial(&mut values, &given, &index);
            self.model.objects[member.index()].values = values;
            result?; // the others would say the same again
        }
        Ok(())
    }

    /// A large initialiser is computed anew for every object of an array.
    fn expect_little_work(
        &mut self,
        group: &ObjectGroup,
        given: &Given,
        span: Span,
    ) -> Checked<()> {
        let mut size = 0usize;
        for value in &given.values {
            value.walk(&mut |_| size += 1);
        }
        if size.saturating_mul(group.members.len()) <= limits::INITIAL_WORK {
            return Ok(());
        }
        let message = format!(
            "an initialiser of {size} parts is too large for {} objects",
            group.members.len()
        );
        Err(self.error(codes::OUT_OF_BOUNDS, span, message))
    }

    /// The expressions of an initialiser, typed.
    fn given(
        &mut self,
        variable: Variable,
        initial: &syntax::Initial,
        scope: &mut Scope,
    ) -> Checked<Given> {
        if variable.ty == WRONG {
            return Err(Reported);
        }
        let list = match initial {
            syntax::Initial::Value(value) => std::slice::from_ref(value),
            syntax::Initial::List(list) => {
                self.expect_list_for(&variable, list)?;
                list
            }
        };
        let mut values = Vec::new();
        let mut failed = None;
        for value in list {
            match self.initial_value(value, &variable.ty, scope) {
                Ok(value) => values.push(value),
                Err(reported) => failed = Some(reported),
            }
        }
        match failed {
            None => Ok(Given { variable, values }),
            Some(reported) => Err(reported),
        }
    }

    fn expect_list_for(&mut self, variable: &Variable, list: &[syntax::Expr]) -> Checked<()> {
        let span = list.iter().map(|value| value.span).reduce(Span::to);
        let span = span.unwrap_or(variable.span);
        let name = &variable.name;
        if !matches!(variable.ty, Type::Array(..)) {
            let shown = self.show_type(&variable.ty);
            let message = format!("a list of values is for arrays, but `{name}` is {shown}");
            return Err(self.error(codes::BAD_LIST, span, message));
        }
        let (given, wanted) = (list.len(), variable.ty.length());
        if given == wanted {
            return Ok(());
        }
        let message = format!("{given} values for `{name}`, an array of {wanted}");
        let help = "give each element its value, or all of them one: `= 0`";
        Err(self.report(Diagnostic::error(codes::BAD_LIST, span, message).help(help)))
    }

    fn initial_value(
        &mut self,
        value: &syntax::Expr,
        ty: &Type,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let typed = self.expr(value, scope)?;
        self.expect_type(&typed, ty.element(), "the initial value")?;
        Ok(typed)
    }

    fn assign_initial(
        &mut self,
        values: &mut [Value],
        given: &Given,
        index: &Index,
    ) -> Checked<()> {
        let ty = given.variable.ty.element();
        let start = given.variable.offset;
        let single = given.values.len() == 1;
        let end = start
            + if single {
                given.variable.ty.length()
            } else {
                given.values.len()
            };
        let Some(places) = values.get_mut(start..end) else {
            return Err(Reported); // there was no room for it
        };
        if let [value] = &given.values[..] {
            places.fill(self.constant(value, ty, index, index.remark())?);
            return Ok(());
        }
        for (place, value) in places.iter_mut().zip(&given.values) {
            *place = self.constant(value, ty, index, index.remark())?;
        }
        Ok(())
    }
}

/// Where to say something about the model as a whole.
fn place_of_whole(file: &File) -> Span {
    let class = each(&file.items, |item| match item {
        ItemKind::Class(class) => Some(class.name.span),
        _ => None,
    });
    let system = file.system.as_ref().map(|name| name.span);
    system
        .into_iter()
        .chain(class)
        .next()
        .unwrap_or(Span::NOWHERE)
}

/// The number of an object in its array, as the one local name of its initialiser.
struct Index(Option<usize>);

impl Index {
    fn remark(&self) -> String {
        self.0
            .map_or(String::new(), |index| format!("where index is {index}"))
    }
}

impl Lookup for Index {
    fn value(&self, place: &Place) -> Option<Value> {
        match place {
            Place::Local(_) => self.0.map(|index| Value::Int(index as i64)),
            _ => None,
        }
    }
}
