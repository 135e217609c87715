//! Statements.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::model::action::{Block, Expr, ExprKind, Place, Statement, StatementKind};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::syntax::{self, BinaryOperator, Name, Span, StatementKind as Written};
use crate::model::value::Type;

impl Checker {
    /// The statements that are right; the others have been reported.
    pub(super) fn block(&mut self, block: &syntax::Block, scope: &mut Scope) -> Block {
        let known = scope.visible.len();
        let mut typed = Vec::new();
        for statement in &block.statements {
            if let Ok(kind) = self.statement(statement, scope) {
                let span = statement.span;
                typed.extend(kind.map(|kind| Statement { kind, span }));
            }
        }
        scope.visible.truncate(known);
        typed
    }

    /// `None` for a declaration that only makes a name known.
    fn statement(
        &mut self,
        statement: &syntax::Statement,
        scope: &mut Scope,
    ) -> Checked<Option<StatementKind>> {
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
                Ok(Some(StatementKind::Assert(condition)))
            }
            Written::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition, scope);
                let then = self.block(then, scope);
                let otherwise = otherwise.as_ref().map(|block| self.block(block, scope));
                Ok(Some(StatementKind::If {
                    condition: condition?,
                    then,
                    otherwise: otherwise.unwrap_or_default(),
                }))
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
    ) -> Checked<Option<StatementKind>> {
        let ty = self.scalar_type_of(ty, "a local variable")?;
        let value = match value {
            Some(value) => self.expr(value, scope),
            None => Ok(Expr::constant(ty.default_value(), ty.clone(), name.span)),
        };
        // Known even where its value is wrong: what follows should not be wrong for that.
        let slot = self.bind_new(name, &ty, scope)?;
        let value = value?;
        self.expect_type(&value, &ty, "the value")?;
        let place = Place::Local(slot);
        Ok(Some(StatementKind::Assign { place, ty, value }))
    }

    fn assign(
        &mut self,
        place: &syntax::Expr,
        operator: Option<BinaryOperator>,
        value: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Option<StatementKind>> {
        let target = self.expr(place, scope);
        let typed_value = match operator {
            // `x += e` is `x = x + e`; what it is checked against is the same.
            Some(operator) => {
                let kind = Box::new(place.clone());
                let sum = syntax::ExprKind::Binary(operator, kind, Box::new(value.clone()));
                self.expr(&syntax::Expr { kind: sum, span }, scope)
            }
            None => self.expr(value, scope),
        };
        let target = target?;
        let ExprKind::Read(place) = target.kind else {
            let message = "only variables can be assigned to";
            return Err(self.error(codes::NOT_A_VARIABLE, target.span, message));
        };
        let typed_value = typed_value?;
        if let Type::Array(..) = target.ty {
            let message = "arrays are assigned element by element";
            let help = "write `a[i] = ...`, in a `for` loop for all of them";
            return Err(
                self.report(Diagnostic::error(codes::WHOLE_ARRAY, target.span, message).help(help))
            );
        }
        self.no_choice_in_place(&place, target.span)?;
        self.expect_type(&typed_value, &target.ty, "the value")?;
        Ok(Some(StatementKind::Assign {
            place,
            ty: target.ty,
            value: typed_value,
        }))
    }

    /// `a[choose(0..3)] += 1` would choose twice.
    fn no_choice_in_place(&mut self, place: &Place, span: Span) -> Checked<()> {
        let read = Expr {
            kind: ExprKind::Read(place.clone()),
            ty: Type::Bool,
            span,
        };
        let chooses = |expr: &Expr| {
            matches!(
                expr.kind,
                ExprKind::ChooseRange(..) | ExprKind::ChooseSet(_)
            )
        };
        if !read.any(chooses) {
            return Ok(());
        }
        let message = "a place that is assigned to can't be chosen";
        let help = "choose into a local variable first";
        Err(self.report(Diagnostic::error(codes::CHOSEN_PLACE, span, message).help(help)))
    }

    fn send(
        &mut self,
        target: &syntax::Expr,
        signal: &Name,
        arguments: &[syntax::Expr],
        scope: &mut Scope,
    ) -> Checked<Option<StatementKind>> {
        let target = self.object(target, scope);
        let id = self.signal(signal)?;
        let declared = self.model.signal(id).clone();
        if declared.external {
            let message = format!(
                "`{}` is external: only the environment sends it",
                signal.text
            );
            let help = "declare a signal of your own for what objects send";
            return Err(self
                .report(Diagnostic::error(codes::EXTERNAL_SENT, signal.span, message).help(help)));
        }
        self.expect_count(signal, arguments.len(), declared.parameters.len())?;
        let mut typed = Vec::new();
        for (argument, (name, ty)) in arguments.iter().zip(&declared.parameters) {
            let argument = self.expr(argument, scope)?;
            self.expect_type(&argument, ty, &format!("`{name}`"))?;
            typed.push(argument);
        }
        Ok(Some(StatementKind::Send {
            target: target?.0,
            signal: id,
            arguments: typed,
        }))
    }

    fn for_loop(
        &mut self,
        variable: &Name,
        range: &syntax::Range,
        body: &syntax::Block,
        scope: &mut Scope,
    ) -> Checked<Option<StatementKind>> {
        let (range, ty) = self.range(range, scope)?;
        let known = scope.visible.len();
        let slot = self.bind_new(variable, &ty, scope);
        let body = self.block(body, scope);
        scope.visible.truncate(known);
        let variable = slot?;
        Ok(Some(StatementKind::For {
            variable,
            range,
            body,
        }))
    }
}
