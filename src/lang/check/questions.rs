//! What is asked about objects: in which state one is, what waits in its inbox, what happens to it.
//! Most of this only properties can ask.

use super::scope::{Purpose, Scope};
use super::{AskedState, Checked, Checker};
use crate::lang::action::{Expr, ExprKind, SignalAt};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, Binding, ExprKind as Written, Name, Span};
use crate::lang::value::{Slot, Type};

impl Checker<'_> {
    pub(super) fn question(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<Expr> {
        let span = written.span;
        let kind = match &written.kind {
            Written::InState(object, path) => {
                if scope.purpose == Purpose::Constant {
                    return Err(self.not_constant(span, "this asks for a state"));
                }
                let (object, class) = self.object(object, scope)?;
                let state = self.state_of(class, path)?;
                self.asked_states.push(AskedState { span, class, state });
                ExprKind::InState(Box::new(object), state)
            }
            Written::Queued(at) => {
                self.only_in_properties("queued", span, scope)?;
                ExprKind::Queued(self.signal_at(at, scope)?)
            }
            Written::QueuedBefore(first, second) => {
                self.only_in_properties("queued_before", span, scope)?;
                let first = self.signal_at(first, scope);
                let second = self.signal_at(second, scope);
                ExprKind::QueuedBefore(first?, second?)
            }
            Written::Enabled(object) => {
                self.only_in_properties("enabled", span, scope)?;
                ExprKind::Enabled(Box::new(self.object(object, scope)?.0))
            }
            Written::Idle(object) => {
                self.only_in_properties("idle", span, scope)?;
                ExprKind::Idle(Box::new(self.object(object, scope)?.0))
            }
            Written::Action { .. } => self.action(written, scope)?,
            other => unreachable!("{other:?} is no question"),
        };
        let ty = Type::Bool;
        Ok(Expr { kind, ty, span })
    }

    fn signal_at(&mut self, at: &syntax::SignalAt, scope: &mut Scope) -> Checked<SignalAt> {
        let object = at.object.as_ref().map(|object| self.object(object, scope));
        let signal = self.signal(&at.signal)?;
        let object = object.transpose()?.map(|(object, _)| Box::new(object));
        Ok(SignalAt { object, signal })
    }

    /// `sent(a1.Order(x) | x > 2)`
    fn action(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<ExprKind> {
        let Written::Action {
            received,
            signal: at,
            parameters,
            condition,
        } = &written.kind
        else {
            unreachable!("the caller has seen an action");
        };
        let what = if *received {
            "`received` is"
        } else {
            "`sent` is"
        };
        self.only_in_formulas(what, written.span, scope)?;
        let signal = self.signal_at(at, scope)?;
        let mark = scope.mark();
        let parameters = self.bind_parameters(&at.signal, &signal, parameters.as_deref(), scope);
        // Without its parameters the condition would be wrong for nothing.
        let condition = condition.as_ref().filter(|_| parameters.is_ok());
        let condition = condition.map(|condition| self.condition(condition, scope));
        scope.forget(mark);
        Ok(ExprKind::Action {
            received: *received,
            signal,
            parameters: parameters?,
            condition: condition.transpose()?.map(Box::new),
        })
    }

    fn bind_parameters(
        &mut self,
        name: &Name,
        signal: &SignalAt,
        bindings: Option<&[Binding]>,
        scope: &mut Scope,
    ) -> Checked<Vec<Option<Slot>>> {
        let declared = self.model.signal(signal.signal).parameters.clone();
        let mut slots = vec![None; declared.len()];
        let Some(bindings) = bindings else {
            return Ok(slots);
        };
        self.expect_count(name, bindings.len(), declared.len())?;
        for ((slot, binding), (_, ty)) in slots.iter_mut().zip(bindings).zip(&declared) {
            if let Binding::Name(name) = binding {
                *slot = Some(self.bind_new(name, ty, scope)?);
            }
        }
        Ok(slots)
    }

    pub(super) fn expect_count(
        &mut self,
        signal: &Name,
        given: usize,
        wanted: usize,
    ) -> Checked<()> {
        if given == wanted {
            return Ok(());
        }
        let plural = if wanted == 1 { "" } else { "s" };
        let (name, be) = (&signal.text, if given == 1 { "is" } else { "are" });
        let message = format!("`{name}` has {wanted} parameter{plural}, but {given} {be} given");
        let help = match wanted {
            0 => format!("write `{name}`"),
            _ => format!("it is declared as `{}`", self.declaration(name)),
        };
        Err(self.report(Diagnostic::error(codes::WRONG_COUNT, signal.span, message).help(help)))
    }

    /// A signal with its parameters, as many of them as fit in a line.
    fn declaration(&self, name: &str) -> String {
        const WIDTH: usize = 40;
        let id = self.signals.get(name);
        let parameters = id.map(|id| self.model.signal(*id).parameters.as_slice());
        let mut text = String::new();
        for (parameter, ty) in parameters.unwrap_or_default() {
            if text.len() > WIDTH {
                text += ", ...";
                break;
            }
            let comma = if text.is_empty() { "" } else { ", " };
            text += &format!("{comma}{} {parameter}", self.show_type(ty));
        }
        format!("{name}({text})")
    }

    fn only_in_properties(&mut self, what: &str, span: Span, scope: &Scope) -> Checked<()> {
        if matches!(scope.purpose, Purpose::Property | Purpose::Formula) {
            return Ok(());
        }
        let message = format!("`{what}` is for properties only: no object can see this");
        Err(self.error(codes::ONLY_IN_PROPERTIES, span, message))
    }

    pub(super) fn only_in_formulas(
        &mut self,
        what: &str,
        span: Span,
        scope: &Scope,
    ) -> Checked<()> {
        if scope.purpose == Purpose::Formula {
            return Ok(());
        }
        let message =
            format!("{what} for `ltl` properties only: it speaks of steps, not of states");
        Err(self.error(codes::ONLY_IN_FORMULAS, span, message))
    }
}
