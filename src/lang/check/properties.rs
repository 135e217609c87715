//! Declared properties.

use std::collections::HashSet;

use super::scope::{Purpose, Scope};
use super::{Checked, Checker, Reported};
use crate::lang::action::{Expr, ExprKind};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, Item, ItemKind, Name, PropertyBody as Written, UnaryOperator};
use crate::lang::typed::{FaultKind, Level, Property, PropertyBody};
use crate::lang::value::Type;
use crate::lang::{codes, limits, printer};

impl<'f> Checker<'f> {
    pub(super) fn check_properties(&mut self, items: &'f [Item]) {
        let built_in = self.model.properties.iter();
        let mut names: HashSet<String> = built_in.map(|property| property.name.clone()).collect();
        let declared = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Property(property) => Some((property, item.span)),
            _ => None,
        });
        for (property, span) in declared {
            if !names.insert(property.name.text.clone()) {
                self.property_declared_twice(&property.name);
                continue;
            }
            if self.model.properties.len() >= limits::PROPERTIES {
                self.beyond_limit(property.name.span, "properties", limits::PROPERTIES);
                break;
            }
            let (body, level) = (self.property_body(property), self.level(property));
            let (Ok(body), Ok(level)) = (body, level) else {
                continue;
            };
            self.model.properties.push(Property {
                name: property.name.text.clone(),
                body,
                level,
                text: printer::print_property(property),
                span: Some(span),
            });
        }
        self.choose_environment(items);
    }

    fn property_declared_twice(&mut self, name: &Name) -> Reported {
        if FaultKind::from_name(&name.text).is_some() {
            let message = format!("`{}` is a property of every model already", name.text);
            let help = format!("leave it out, or write `allow {};` as well", name.text);
            let error = Diagnostic::error(codes::NAME_TAKEN, name.span, message);
            return self.report(error.help(help));
        }
        self.already_declared(name, "property")
    }

    fn level(&mut self, property: &syntax::Property) -> Checked<Level> {
        let options = self.model.runs_to_completion();
        let atomic = options.is_some_and(|options| options.atomic_steps);
        let Some(level) = &property.level else {
            let looks_at_states = matches!(property.body, Written::Always(_) | Written::Never(_));
            return Ok(match atomic && looks_at_states {
                true => Level::RunToCompletion,
                false => Level::Transition, // faults are found inside a step, too
            });
        };
        match level.text.as_str() {
            "transition" if atomic => {
                let message = "with `atomic_steps` nothing is seen inside a step";
                let help = "write `at rtc`, or leave `atomic_steps` out";
                let error = Diagnostic::error(codes::INSIDE_ATOMIC_STEP, level.span, message);
                Err(self.report(error.help(help)))
            }
            "transition" => Ok(Level::Transition),
            "rtc" => Ok(Level::RunToCompletion),
            _ => Err(self.unknown_word("level", level, &["transition", "rtc"])),
        }
    }

    fn property_body(&mut self, property: &syntax::Property) -> Checked<PropertyBody> {
        match &property.body {
            Written::Always(expr) => {
                let expr = self.property_expr(expr, Purpose::Property)?;
                Ok(PropertyBody::Always(expr))
            }
            Written::Never(expr) => {
                let expr = self.property_expr(expr, Purpose::Property)?;
                let (span, ty) = (expr.span, Type::Bool);
                let kind = ExprKind::Unary(UnaryOperator::Not, Box::new(expr));
                Ok(PropertyBody::Always(Expr { kind, ty, span }))
            }
            Written::NeverFault { fault, of } => {
                let fault = self.fault(fault)?;
                let objects = match of.is_empty() {
                    true => self.model.object_ids().collect(),
                    false => self.object_list(of),
                };
                Ok(PropertyBody::NoFault(fault, objects))
            }
            Written::Ltl(expr) => {
                let expr = self.property_expr(expr, Purpose::Formula)?;
                Ok(PropertyBody::Temporal(expr))
            }
        }
    }

    fn property_expr(&mut self, expr: &syntax::Expr, purpose: Purpose) -> Checked<Expr> {
        let frame = std::mem::take(&mut self.model.property_frame);
        let mut scope = Scope::new(None, purpose, frame);
        let expr = self.condition(expr, &mut scope);
        self.model.property_frame = scope.into_frame();
        expr
    }
}
