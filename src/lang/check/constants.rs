//! Constants, and the values that the command line gives them.

use super::scope::Scope;
use super::{Checked, Checker, Definitions, each, fold};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{Expr, Item, ItemKind, Name, Span};
use crate::lang::value::{Type, Value};

impl<'f> Checker<'f> {
    pub(super) fn declare_constants(&mut self, items: &'f [Item], definitions: &Definitions) {
        self.announce(items);
        for (name, value) in each(items, |item| match item {
            ItemKind::Const { name, value } => Some((name, value)),
            _ => None,
        }) {
            if self.is_value(&name.text) {
                self.already_declared(name, "name");
            }
            let mut given = definitions.iter().rev();
            let given = given.find(|(given, _)| *given == name.text);
            let given = given.map(|(_, text)| text.as_str());
            match self.constant_value(name, value, given) {
                Ok(constant) => _ = self.constants.insert(&name.text, constant),
                Err(_) => _ = self.failed.insert(&name.text),
            }
        }
        self.check_definitions(definitions);
    }

    /// What names will mean that have no meaning yet.
    fn announce(&mut self, items: &'f [Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Const { name, .. } => {
                    let what = "a constant that is declared further down";
                    self.announced.insert(&name.text, what);
                }
                ItemKind::Global(variables) => {
                    let names = variables
                        .declared
                        .iter()
                        .map(|(name, _)| name.text.as_str());
                    self.announced
                        .extend(names.map(|name| (name, "a variable")));
                }
                ItemKind::Object(objects) => {
                    let names = objects.declared.iter().map(|(name, _)| name.text.as_str());
                    self.announced.extend(names.map(|name| (name, "an object")));
                }
                _ => {}
            }
        }
    }

    fn constant_value(
        &mut self,
        name: &Name,
        expr: &Expr,
        given: Option<&str>,
    ) -> Checked<(Value, Type)> {
        let mut scope = Scope::constant();
        let typed = self.expr(expr, &mut scope)?;
        let ty = if typed.ty.is_number() {
            Type::Integer
        } else {
            typed.ty.clone()
        };
        let value = match given {
            Some(text) => self.given_value(name, text, &ty)?,
            None => self.folded(expr.span, fold(&typed, &()))?,
        };
        Ok((value, ty))
    }

    fn given_value(&mut self, name: &Name, text: &str, ty: &Type) -> Checked<Value> {
        let value = match ty {
            Type::Integer => text.parse().ok().map(Value::Int),
            Type::Bool => text.parse().ok().map(Value::Bool),
            Type::Enum(id) => match self.literals.get(text) {
                Some((of, number)) if of == id => Some(Value::Literal(*number)),
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = value {
            return Ok(value);
        }
        let message = format!("-D {0}={text}: `{0}` is {1}", name.text, self.kind_of(ty));
        let label = "declared here";
        Err(self.report(Diagnostic::error(codes::BAD_DEFINITION, name.span, message).label(label)))
    }

    fn kind_of(&self, ty: &Type) -> String {
        match ty {
            Type::Integer => "a number of at most 64 bits".to_owned(),
            Type::Bool => "`true` or `false`".to_owned(),
            other => format!("a literal of {}", self.show_type(other)),
        }
    }

    fn check_definitions(&mut self, definitions: &Definitions) {
        for (name, value) in definitions {
            let known =
                |name: &str| self.constants.contains_key(name) || self.failed.contains(name);
            if known(name) {
                continue;
            }
            let message = format!("-D {name}={value}: the model has no constant `{name}`");
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::NOWHERE, message);
            if let Some(near) = self.suggest(name, self.constants.keys().copied()) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
        }
    }
}
