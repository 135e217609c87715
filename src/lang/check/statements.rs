//! Statements.

use super::scope::Scope;
use super::types::WRONG;
use super::{Checked, Checker, Reported};
use crate::lang::action::{Block, Expr, ExprKind, Place, Statement, StatementKind};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{self, BinaryOperator, Name, Span, StatementKind as Written};
use crate::lang::typed::Signal;
use crate::lang::value::Type;
use crate::lang::{codes, limits};

impl Checker<'_> {
    /// The statements that are right; the others have been reported.
    pub(super) fn block(&mut self, block: &syntax::Block, scope: &mut Scope) -> Block {
        let mark = scope.mark();
        let mut typed = Vec::new();
        for statement in &block.statements {
            if !self.has_room_for_statement(statement.span) {
                break;
            }
            if let Ok(kind) = self.statement(statement, scope) {
                let span = statement.span;
                typed.push(Statement { kind, span });
            }
        }
        scope.forget(mark);
        typed
    }

    fn has_room_for_statement(&mut self, span: Span) -> bool {
        self.statements += 1;
        if self.statements == limits::STATEMENTS + 1 {
            self.beyond_limit(span, "statements", limits::STATEMENTS);
        }
        self.statements <= limits::STATEMENTS
    }

    fn statement(
        &mut self,
        statement: &syntax::Statement,
        scope: &mut Scope,
    ) -> Checked<StatementKind> {
        match &statement.kind {
            Written::Local { ty, name, value } => self.local(ty, name, value.as_ref(), scope),
            Written::Assign {
                place,
                operator,
                value,
            } => self.assign(place, *operator, value, statement.span, scope),
            Written::Send {
                target,
                signal,
                arguments,
            } => self.send(target, signal, arguments, scope),
            Written::Assert(condition) => {
                let condition = self.condition(condition, scope)?;
                Ok(StatementKind::Assert(condition))
            }
            Written::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition, scope);
                let then = self.block(then, scope);
                let otherwise = otherwise.as_ref().map(|block| self.block(block, scope));
                Ok(StatementKind::If {
                    condition: condition?,
                    then,
                    otherwise: otherwise.unwrap_or_default(),
                })
            }
            Written::For {
                variable,
                range,
                body,
            } => self.for_loop(variable, range, body, scope),
        }
    }

    fn local(
        &mut self,
        ty: &syntax::Type,
        name: &Name,
        value: Option<&syntax::Expr>,
        scope: &mut Scope,
    ) -> Checked<StatementKind> {
        let ty = self.scalar_type_of(ty, "a local variable").unwrap_or(WRONG);
        let value = match value {
            Some(value) => self.expr(value, scope),
            None => Ok(Expr::constant(ty.default_value(), ty.clone(), name.span)),
        };
        // Known even where its type or value is wrong: what follows should not be wrong for that.
        let slot = self.bind_new(name, &ty, scope)?;
        let value = value?;
        self.expect_type(&value, &ty, &format!("`{}`", name.text))?;
        let place = Place::Local(slot);
        Ok(StatementKind::Assign { place, ty, value })
    }

    fn assign(
        &mut self,
        place: &syntax::Expr,
        operator: Option<BinaryOperator>,
        value: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<StatementKind> {
        let target = self.target(place, scope);
        let typed_value = match operator {
            // `x += e` is `x = x + e`; what it is checked against is the same.
            Some(operator) if target.is_ok() => {
                let left = Box::new(place.clone());
                let kind = syntax::ExprKind::Binary(operator, left, Box::new(value.clone()));
                self.expr(&syntax::Expr { kind, span }, scope)
            }
            _ => self.expr(value, scope),
        };
        let (place, ty) = target?;
        let value = typed_value?;
        self.expect_type(&value, &ty, "the value")?;
        Ok(StatementKind::Assign { place, ty, value })
    }

    /// Where an assignment stores, and values of which type.
    fn target(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<(Place, Type)> {
        let target = self.expr(written, scope)?;
        if let Type::Array(..) = target.ty {
            let message = "arrays are assigned element by element";
            let help = "write `a[i] = ...`, in a `for` loop for all of them";
            let error = Diagnostic::error(codes::WHOLE_ARRAY, target.span, message);
            return Err(self.report(error.help(help)));
        }
        if chooses(&target) {
            let message = "a place that is assigned to can't be chosen";
            let help = "choose into a local variable first";
            let error = Diagnostic::error(codes::CHOSEN_PLACE, target.span, message);
            return Err(self.report(error.help(help)));
        }
        match target.kind {
            ExprKind::Read(place) => Ok((place, target.ty)),
            _ => Err(self.not_a_variable(written)),
        }
    }

    fn not_a_variable(&mut self, written: &syntax::Expr) -> Reported {
        let mut message = "only variables can be assigned to".to_owned();
        if let syntax::ExprKind::Name(name) = &written.kind {
            let what = match name.as_str() {
                name if self.constants.contains_key(name) => "a constant",
                name if self.literals.contains_key(name) => "a literal",
                _ => "an object",
            };
            message += &format!(", and `{name}` is {what}");
        }
        self.error(codes::NOT_A_VARIABLE, written.span, message)
    }

    fn send(
        &mut self,
        target: &syntax::Expr,
        signal: &Name,
        arguments: &[syntax::Expr],
        scope: &mut Scope,
    ) -> Checked<StatementKind> {
        let target = self.object(target, scope);
        let id = self.signal(signal);
        let declared = id.map(|id| self.model.signal(id).clone());
        let given = self.arguments(signal, declared.ok(), arguments, scope);
        Ok(StatementKind::Send {
            signal: id?,
            target: target?.0,
            arguments: given?,
        })
    }

    fn arguments(
        &mut self,
        name: &Name,
        signal: Option<Signal>,
        arguments: &[syntax::Expr],
        scope: &mut Scope,
    ) -> Checked<Vec<Expr>> {
        let typed: Vec<Checked<Expr>> = arguments.iter().map(|a| self.expr(a, scope)).collect();
        let signal = signal.ok_or(Reported)?;
        if signal.external {
            let message = format!("`{}` is external: only the environment sends it", name.text);
            let help = "declare a signal of your own for what objects send";
            let error = Diagnostic::error(codes::EXTERNAL_SENT, name.span, message);
            return Err(self.report(error.help(help)));
        }
        self.expect_count(name, arguments.len(), signal.parameters.len())?;
        let mut checked = Vec::new();
        for (argument, (parameter, ty)) in typed.into_iter().zip(&signal.parameters) {
            checked.push(argument.and_then(|argument| {
                self.expect_type(&argument, ty, &format!("`{parameter}`"))?;
                Ok(argument)
            }));
        }
        checked.into_iter().collect()
    }

    fn for_loop(
        &mut self,
        variable: &Name,
        range: &syntax::Range,
        body: &syntax::Block,
        scope: &mut Scope,
    ) -> Checked<StatementKind> {
        let range = self.range(range, scope);
        let element = range.as_ref().map_or(&WRONG, |(_, ty)| ty);
        let mark = scope.mark();
        let slot = self.bind_new(variable, element, scope);
        let body = self.block(body, scope);
        scope.forget(mark);
        Ok(StatementKind::For {
            variable: slot?,
            range: range?.0,
            body,
        })
    }
}

/// `a[choose(0..3)] += 1` would choose twice.
fn chooses(target: &Expr) -> bool {
    target.any(|expr| {
        matches!(
            expr.kind,
            ExprKind::ChooseRange(..) | ExprKind::ChooseSet(_)
        )
    })
}
