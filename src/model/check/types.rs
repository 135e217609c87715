//! Types and constant expressions.

use super::scope::Scope;
use super::{Checked, Checker, fold};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::limits;
use crate::model::syntax::{Expr, Initial, Name, Span, Type as Written, TypeKind};
use crate::model::value::{Type, Value};

impl Checker {
    pub(super) fn type_of(&mut self, written: &Written) -> Checked<Type> {
        match &written.kind {
            TypeKind::Int => Ok(Type::INT),
            TypeKind::Bool => Ok(Type::Bool),
            TypeKind::Nat => Ok(Type::Nat),
            TypeKind::Integer => Ok(Type::Integer),
            TypeKind::Range(low, high) => self.range_type(low, high, written.span),
            TypeKind::Wrap(inner) => self.wrap_type(inner),
            TypeKind::Named(name) => self.named_type(name),
            TypeKind::Array(element, length) => {
                let element = self.type_of(element)?;
                let length = self.bounded(length, "array length", 1, limits::ARRAY_LENGTH)?;
                Ok(Type::Array(Box::new(element), length as u32))
            }
        }
    }

    /// A type for something that holds one value: a parameter or a local variable.
    pub(super) fn scalar_type_of(&mut self, written: &Written, what: &str) -> Checked<Type> {
        let ty = self.type_of(written)?;
        if let Type::Array(..) = ty {
            let message = format!("{what} can't be an array");
            let help = "arrays belong to objects, or are global";
            return Err(
                self.report(Diagnostic::error(codes::NOT_SCALAR, written.span, message).help(help))
            );
        }
        Ok(ty)
    }

    fn range_type(&mut self, low: &Expr, high: &Expr, span: Span) -> Checked<Type> {
        let low = self.constant_int(low)?;
        let high = self.constant_int(high)?;
        if low > high {
            let message = format!("the range {low}..{high} has no values");
            let help = format!("write int({high}..{low})");
            return Err(
                self.report(Diagnostic::error(codes::EMPTY_RANGE, span, message).help(help))
            );
        }
        let wrap = false;
        Ok(Type::Int { low, high, wrap })
    }

    fn wrap_type(&mut self, inner: &Written) -> Checked<Type> {
        match self.type_of(inner)? {
            Type::Int { low, high, .. } => Ok(Type::Int {
                low,
                high,
                wrap: true,
            }),
            _ => Err(self.error(codes::CANNOT_WRAP, inner.span, "only `int` types can wrap")),
        }
    }

    fn named_type(&mut self, name: &Name) -> Checked<Type> {
        if let Some(id) = self.enums.get(&name.text) {
            return Ok(Type::Enum(*id));
        }
        if let Some(id) = self.classes.get(&name.text) {
            return Ok(Type::Reference(*id));
        }
        let built_in = ["int", "bool", "nat", "integer"].map(String::from);
        let declared = self.enums.keys().chain(self.classes.keys()).cloned();
        let known: Vec<String> = declared.chain(built_in).collect();
        Err(self.unknown("type", name, known.iter().map(String::as_str)))
    }

    pub(super) fn constant_int(&mut self, expr: &Expr) -> Checked<i64> {
        let mut scope = Scope::constant();
        let typed = self.number(expr, &mut scope)?;
        match fold(&typed, &()) {
            Ok(value) => Ok(value.int()),
            Err(why) => Err(self.not_foldable(expr.span, &why)),
        }
    }

    /// A constant between two bounds.
    pub(super) fn bounded(&mut self, expr: &Expr, what: &str, low: i64, high: i64) -> Checked<i64> {
        let number = self.constant_int(expr)?;
        if number < low {
            let message = format!("{what} {number} is below {low}");
            return Err(self.error(codes::OUT_OF_BOUNDS, expr.span, message));
        }
        if number > high {
            let message = format!("{what} {number} exceeds {high}");
            return Err(self.error(codes::OUT_OF_BOUNDS, expr.span, message));
        }
        Ok(number)
    }

    /// A constant of a type, in a scope that may know `index`.
    pub(super) fn constant(
        &mut self,
        expr: &Expr,
        ty: &Type,
        scope: &mut Scope,
        known: &impl super::Lookup,
    ) -> Checked<Value> {
        let typed = self.expr(expr, scope)?;
        self.expect_type(&typed, ty, "the initial value")?;
        let value = match fold(&typed, known) {
            Ok(value) => value,
            Err(why) => return Err(self.not_foldable(expr.span, &why)),
        };
        match ty.admit(value) {
            Some(value) => Ok(value),
            None => {
                let message = format!("{} does not fit {}", value.int(), self.show_type(ty));
                Err(self.error(codes::DOES_NOT_FIT, expr.span, message))
            }
        }
    }

    fn not_foldable(&mut self, span: Span, why: &str) -> super::Reported {
        let message = "this must be a constant".to_owned();
        self.report(Diagnostic::error(codes::NOT_CONSTANT, span, message).label(why))
    }

    /// The values that an initialiser gives to a variable, one for each element.
    pub(super) fn initial_values(
        &mut self,
        initial: &Initial,
        ty: &Type,
        scope: &mut Scope,
        known: &impl super::Lookup,
    ) -> Checked<Vec<Value>> {
        match initial {
            Initial::Value(expr) => {
                let value = self.constant(expr, ty.element(), scope, known)?;
                Ok(vec![value; ty.length()])
            }
            Initial::List(list) => {
                let span = list
                    .iter()
                    .map(|e| e.span)
                    .reduce(Span::to)
                    .unwrap_or_default();
                if !matches!(ty, Type::Array(..)) {
                    return Err(self.error(
                        codes::BAD_LIST,
                        span,
                        "a list of values is for arrays only",
                    ));
                }
                if list.len() != ty.length() {
                    let (given, wanted) = (list.len(), ty.length());
                    let message = format!("{given} values for an array of {wanted}");
                    return Err(self.error(codes::BAD_LIST, span, message));
                }
                let each = list
                    .iter()
                    .map(|e| self.constant(e, ty.element(), scope, known));
                each.collect()
            }
        }
    }

    pub(super) fn show_type(&self, ty: &Type) -> String {
        match ty {
            ty if *ty == Type::INT => "int".to_owned(),
            Type::Int { low, high, wrap } => {
                format!("{}int({low}..{high})", if *wrap { "wrap " } else { "" })
            }
            Type::Nat => "nat".to_owned(),
            Type::Integer => "integer".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Enum(id) => self.model.enums[id.index()].name.clone(),
            Type::Reference(id) => self.model.classes[id.index()].name.clone(),
            Type::Null => "null".to_owned(),
            Type::Array(element, length) => format!("{}[{length}]", self.show_type(element)),
        }
    }
}
