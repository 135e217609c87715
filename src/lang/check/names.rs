//! Names and places: what a bare name, a field or an element stands for.

use super::scope::{Purpose, Scope};
use super::types::WRONG;
use super::{Checked, Checker, Reported};
use crate::lang::action::{Expr, ExprKind, Place};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, ExprKind as Written, Name, Span};
use crate::lang::value::{Slot, Type, Value};
use crate::lang::{codes, limits};

impl Checker<'_> {
    pub(super) fn self_reference(&mut self, scope: &Scope, span: Span) -> Checked<Expr> {
        match scope.class {
            Some(class) => Ok(Expr {
                kind: ExprKind::SelfReference,
                ty: Type::Reference(class),
                span,
            }),
            None => {
                let message = "there is no `self` here: no object is acting";
                let help = "name the object that is meant";
                Err(self.report(Diagnostic::error(codes::NO_SELF, span, message).help(help)))
            }
        }
    }

    /// A bare name: a local one, a variable of the own class, a global one, a constant, a literal,
    /// an object; in this order.
    pub(super) fn name(&mut self, name: &str, span: Span, scope: &Scope) -> Checked<Expr> {
        if let Some(place) = self.variable(name, span, scope) {
            return self.read(place, span, scope);
        }
        let built = |value, ty| Ok(Expr::constant(value, ty, span));
        if let Some((value, ty)) = self.constants.get(name) {
            return built(*value, type_of_constant(*value, ty));
        }
        if let Some((id, literal)) = self.literals.get(name) {
            return built(Value::Literal(*literal), Type::Enum(*id));
        }
        match self.objects.get(name) {
            Some(group) if group.is_array => Err(self.whole_object_array(name, span)),
            Some(group) => {
                let value = Value::Reference(group.members.first().copied());
                built(value, Type::Reference(group.class))
            }
            None => Err(self.unknown_name(name, span, scope)),
        }
    }

    fn whole_object_array(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("`{name}` is an array of objects");
        let help = format!("take one of them, `{name}[0]`, or run over it with `for` or `forall`");
        self.report(Diagnostic::error(codes::OBJECT_ARRAY, span, message).help(help))
    }

    /// The variable that is written without a prefix: a local one, of the own class, or global.
    pub(super) fn variable(&self, name: &str, span: Span, scope: &Scope) -> Option<Place> {
        if let Some(slot) = scope.find(name) {
            return Some(Place::Local(slot));
        }
        if scope.purpose == Purpose::Constant {
            return None;
        }
        let index = None;
        if let Some(class) = scope.class
            && let Some(variable) = self.fields[class.index()].get(name)
        {
            let (kind, ty) = (ExprKind::SelfReference, Type::Reference(class));
            return Some(Place::Field {
                object: Box::new(Expr { kind, ty, span }),
                variable: *variable,
                index,
            });
        }
        let variable = *self.globals.get(name)?;
        Some(Place::Global { variable, index })
    }

    /// What is kept in a place; nothing, if its type is wrong.
    fn read(&mut self, place: Place, span: Span, scope: &Scope) -> Checked<Expr> {
        let ty = self.type_of_place(&place, scope);
        if ty == WRONG {
            return Err(Reported);
        }
        let kind = ExprKind::Read(place);
        Ok(Expr { kind, ty, span })
    }

    fn type_of_place(&self, place: &Place, scope: &Scope) -> Type {
        match place {
            Place::Local(slot) => scope.type_of(*slot).clone(),
            Place::Global { variable, .. } => self.model.globals[variable.index()].ty.clone(),
            Place::Field {
                object, variable, ..
            } => match object.ty {
                Type::Reference(class) => {
                    let variables = &self.model.classes[class.index()].variables;
                    variables[variable.index()].ty.clone()
                }
                _ => WRONG,
            },
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope) -> Reported {
        if self.failed.contains(name) {
            return Reported;
        }
        if scope.purpose == Purpose::Constant
            && let Some(what) = self.announced.get(name)
        {
            return self.not_constant(span, &format!("`{name}` is {what}"));
        }
        let what = self.other_meaning(name, scope);
        if !what.is_empty() {
            let message = format!("unknown name `{name}`");
            let error = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
            return self.report(error.help(what));
        }
        let near = self.nearest_name(name, scope);
        let text = name.to_owned();
        self.unknown("name", &Name { text, span }, near)
    }

    /// What a name that means nothing here means elsewhere.
    fn other_meaning(&self, name: &str, scope: &Scope) -> String {
        let own = scope.class.and_then(|class| self.trees.get(class.index()));
        if name == "index" {
            "`index` is known in the initialisers of an array of objects".to_owned()
        } else if scope.class.is_some() && scope.is_known_elsewhere(name) {
            format!("`{name}` is a local name, but not every way to here binds it, with one type")
        } else if self.signals.contains_key(name) {
            format!("`{name}` is a signal; signals are sent and received, they have no value")
        } else if own.is_some_and(|tree| tree.has_vertex(name)) {
            format!("`{name}` is a state; write `self in {name}` to ask whether it is active")
        } else if self.classes.contains_key(name) || self.enums.contains_key(name) {
            format!("`{name}` is a type, not a value of it")
        } else {
            String::new()
        }
    }

    fn nearest_name(&self, name: &str, scope: &Scope) -> Option<String> {
        let own = scope.class.map(|class| &self.fields[class.index()]);
        let own = own.into_iter().flat_map(|fields| fields.keys().copied());
        let global = self.globals.keys().copied();
        let variables = own
            .chain(global)
            .filter(|_| scope.purpose != Purpose::Constant);
        let declared = self.constants.keys().chain(self.literals.keys());
        let declared = declared.chain(self.objects.keys()).copied();
        let local = scope.visible_names();
        self.suggest(name, local.chain(variables).chain(declared))
    }

    pub(super) fn field_of(
        &mut self,
        object: &syntax::Expr,
        field: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let (object, class) = self.object(object, scope)?;
        if scope.purpose == Purpose::Constant {
            return Err(self.not_constant(span, "this is a variable"));
        }
        let variable = self.field(class, field)?;
        let place = Place::Field {
            object: Box::new(object),
            variable,
            index: None,
        };
        self.read(place, span, scope)
    }

    pub(super) fn element(
        &mut self,
        array: &syntax::Expr,
        index: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        if let Some(expr) = self.object_at(array, index, span, scope) {
            return expr;
        }
        let array = self.expr(array, scope);
        let index = self.number(index, scope);
        let (array, index) = (array?, index?);
        match (array.kind, array.ty) {
            (ExprKind::Read(place), Type::Array(element, _)) => Ok(Expr {
                kind: ExprKind::Read(with_index(place, index)),
                ty: *element,
                span,
            }),
            (_, ty) => {
                let message = format!("expected an array, found {}", self.show_type(&ty));
                Err(self.error(codes::NOT_AN_ARRAY, array.span, message))
            }
        }
    }

    /// `pool[i]`, where `pool` is an array of objects.
    fn object_at(
        &mut self,
        array: &syntax::Expr,
        index: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Option<Checked<Expr>> {
        let Written::Name(name) = &array.kind else {
            return None;
        };
        if self.variable(name, span, scope).is_some() {
            return None;
        }
        let group = self.objects.get(name.as_str())?;
        let group = Some(group).filter(|group| group.is_array)?.clone();
        let index = self.number(index, scope);
        Some(index.map(|index| Expr {
            kind: ExprKind::ObjectAt(group.members, Box::new(index)),
            ty: Type::Reference(group.class),
            span,
        }))
    }

    /// Makes a new local name known, which must not hide another one.
    pub(super) fn bind_new(&mut self, name: &Name, ty: &Type, scope: &mut Scope) -> Checked<Slot> {
        if self.variable(&name.text, name.span, scope).is_some() {
            let message = format!("`{}` is the name of another variable here", name.text);
            let help = "choose another name";
            let error = Diagnostic::error(codes::NAME_TAKEN, name.span, message);
            return Err(self.report(error.help(help)));
        }
        self.expect_room_for_local(name, scope)?;
        Ok(scope.bind(&name.text, ty))
    }

    /// Local names of a class are kept side by side while it makes a step.
    pub(super) fn expect_room_for_local(&mut self, name: &Name, scope: &Scope) -> Checked<()> {
        if scope.local_count() < limits::LOCALS || scope.is_known_elsewhere(&name.text) {
            return Ok(());
        }
        Err(self.beyond_limit(name.span, "local names in one class", limits::LOCALS))
    }
}

/// The type of a number as it is written.
pub(super) fn int_type(number: i64) -> Type {
    match Type::INT.admit(Value::Int(number)) {
        Some(_) => Type::INT,
        None => Type::Integer,
    }
}

fn type_of_constant(value: Value, ty: &Type) -> Type {
    match value {
        Value::Int(number) => int_type(number),
        _ => ty.clone(),
    }
}

fn with_index(place: Place, expr: Expr) -> Place {
    let index = Some(Box::new(expr));
    match place {
        Place::Local(slot) => Place::Local(slot), // locals are no arrays
        Place::Global { variable, .. } => Place::Global { variable, index },
        Place::Field {
            object, variable, ..
        } => Place::Field {
            object,
            variable,
            index,
        },
    }
}
