//! Types and constant expressions.

use super::fold::NoValue;
use super::scope::Scope;
use super::{Checked, Checker, Lookup, Reported, fold};
use crate::lang::action::Expr as Typed;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{Expr, Name, Span, Type as Written, TypeKind};
use crate::lang::value::{Type, Value};
use crate::lang::{codes, limits};

/// The type of what is declared with a type that is wrong. Nobody can write this one; whoever meets
/// it says nothing, for it has been said.
pub(super) const WRONG: Type = Type::Null;

/// The ends of `int`.
const INT32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

impl Checker<'_> {
    pub(super) fn type_of(&mut self, written: &Written) -> Checked<Type> {
        match &written.kind {
            TypeKind::Int => Ok(Type::INT),
            TypeKind::Bool => Ok(Type::Bool),
            TypeKind::Nat => Ok(Type::Nat),
            TypeKind::Integer => Ok(Type::Integer),
            TypeKind::Range(low, high) => self.range_type(low, high),
            TypeKind::Wrap(inner) => self.wrap_type(inner),
            TypeKind::Named(name) => self.named_type(name),
            TypeKind::Array(element, length) => {
                let element = self.type_of(element);
                let length = self.bounded(length, "array length", 1, limits::ARRAY_LENGTH);
                Ok(Type::Array(Box::new(element?), length? as u32))
            }
        }
    }

    /// A type for something that holds one value: a parameter or a local variable.
    pub(super) fn scalar_type_of(&mut self, written: &Written, what: &str) -> Checked<Type> {
        let ty = self.type_of(written)?;
        if let Type::Array(..) = ty {
            let message = format!("{what} can't be an array");
            let help = "arrays belong to objects, or are global";
            let error = Diagnostic::error(codes::NOT_SCALAR, written.span, message);
            return Err(self.report(error.help(help)));
        }
        Ok(ty)
    }

    fn range_type(&mut self, low: &Expr, high: &Expr) -> Checked<Type> {
        let (low, high) = self.constant_range(low, high)?;
        let wrap = false;
        Ok(Type::Int { low, high, wrap })
    }

    /// Two constants, the first not larger than the second.
    pub(super) fn constant_range(&mut self, low: &Expr, high: &Expr) -> Checked<(i64, i64)> {
        let span = low.span.to(high.span);
        let low = self.constant_int(low);
        let high = self.constant_int(high);
        let (low, high) = (low?, high?);
        self.expect_values(low, high, span)?;
        Ok((low, high))
    }

    pub(super) fn expect_values(&mut self, low: i64, high: i64, span: Span) -> Checked<()> {
        if low <= high {
            return Ok(());
        }
        let message = format!("the range {low}..{high} has no values");
        let help = format!("the smaller number stands first: {high}..{low}");
        Err(self.report(Diagnostic::error(codes::EMPTY_RANGE, span, message).help(help)))
    }

    fn wrap_type(&mut self, inner: &Written) -> Checked<Type> {
        match self.type_of(inner)? {
            Type::Int { low, high, .. } => Ok(Type::Int {
                low,
                high,
                wrap: true,
            }),
            // The parser lets nothing else through.
            other => {
                let message = format!("only `int` types can wrap, not {}", self.show_type(&other));
                Err(self.error(codes::WRONG_TYPE, inner.span, message))
            }
        }
    }

    fn named_type(&mut self, name: &Name) -> Checked<Type> {
        if let Some(id) = self.enums.get(name.text.as_str()) {
            return Ok(Type::Enum(*id));
        }
        if let Some(id) = self.classes.get(name.text.as_str()) {
            return Ok(Type::Reference(*id));
        }
        let declared = self.enums.keys().chain(self.classes.keys()).copied();
        let known = declared.chain(["int", "bool", "nat", "integer"]);
        let near = self.suggest(&name.text, known);
        Err(self.unknown("type", name, near))
    }

    pub(super) fn constant_int(&mut self, expr: &Expr) -> Checked<i64> {
        let mut scope = Scope::constant();
        let typed = self.number(expr, &mut scope)?;
        let value = self.folded(expr.span, fold(&typed, &()))?;
        Ok(value.int())
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

    /// The value of a constant expression, as a variable of a type stores it.
    pub(super) fn constant(
        &mut self,
        expr: &Typed,
        ty: &Type,
        known: &impl Lookup,
        remark: String,
    ) -> Checked<Value> {
        let value = self.folded(expr.span, fold(expr, known))?;
        if let Some(value) = ty.admit(value) {
            return Ok(value);
        }
        let message = format!("{} does not fit {}", value.int(), self.show_type(ty));
        let error = Diagnostic::error(codes::DOES_NOT_FIT, expr.span, message);
        Err(self.report(error.label(remark)))
    }

    /// The value that was computed, or why there is none.
    pub(super) fn folded(&mut self, span: Span, value: Result<Value, NoValue>) -> Checked<Value> {
        value.map_err(|why| {
            let message = "this can't be computed before the system runs";
            let error = Diagnostic::error(codes::NOT_CONSTANT, span, message);
            self.report(match why {
                NoValue::NotConstant => error,
                NoValue::Because(why) => error.label(why),
            })
        })
    }

    pub(super) fn not_constant(&mut self, span: Span, what: &str) -> Reported {
        let message = format!("{what}, not known when constants are computed");
        let help = "use numbers, literals, and constants that are declared before";
        self.report(Diagnostic::error(codes::NOT_CONSTANT, span, message).help(help))
    }

    pub(super) fn show_type(&self, ty: &Type) -> String {
        match ty {
            ty if *ty == Type::INT => "int".to_owned(),
            Type::Int { low, high, .. } if (*low, *high) == INT32 => "wrap int".to_owned(),
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
