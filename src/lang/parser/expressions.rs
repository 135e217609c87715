//! Expressions: operators and what they stand between.
//!
//! Invariant: `Built::height` is the height of its tree. A chain `1 + 1 + ...` is read in a loop but
//! makes a tree as high as the chain is long, so heights are counted as trees are put together.

use super::cursor::{Parsed, Parser};
use super::words::{TEMPORAL_INFIXES, TEMPORAL_PREFIXES};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::operators::{self, Binding};
use crate::lang::syntax::{BinaryOperator, Expr, ExprKind, Span, StatePath};

pub struct Built {
    pub expr: Expr,
    pub height: usize,
}

impl Built {
    pub fn leaf(kind: ExprKind, span: Span) -> Built {
        Built {
            expr: Expr { kind, span },
            height: 1,
        }
    }
}

impl Parser<'_> {
    pub fn expression(&mut self) -> Parsed<Expr> {
        Ok(self.built()?.expr)
    }

    /// A whole expression: nothing that could go on with it follows.
    pub fn built(&mut self) -> Parsed<Built> {
        let built = self.binding(Binding::Conditional)?;
        if self.at("=") {
            self.no_assignment()?;
        }
        self.no_temporal_operator()?;
        Ok(built)
    }

    /// `x = 3` for `x == 3`. The rest is read, to find what else is wrong.
    fn no_assignment(&mut self) -> Parsed<()> {
        let help = match self.peek(1) {
            ">" => "\"at least\" is written `>=`",
            "<" => "\"at most\" is written `<=`",
            _ => "values are compared with `==`",
        };
        self.error(
            codes::ASSIGNMENT_IN_EXPRESSION,
            "`=` can not stand in an expression",
            help,
        );
        self.advance();
        if self.at_any(&["<", ">"]) {
            self.advance();
        }
        self.deeper(|parser| parser.built())?;
        Ok(())
    }

    fn no_temporal_operator(&mut self) -> Parsed<()> {
        // The only names that follow an expression.
        let is_name = self.at_name() && !self.at_any(&["at", "on_full"]);
        let begins_operand = is_name || self.at_any(&["(", "!", "forall", "exists"]);
        let is_prefix = TEMPORAL_PREFIXES.contains(&self.previous_text()) && begins_operand;
        let is_infix = self.at_any(TEMPORAL_INFIXES);
        if self.temporal || !is_prefix && !is_infix || self.is_first_of_line() {
            return Ok(());
        }
        let (operator, span) = if is_infix {
            (self.text(), self.span())
        } else {
            (self.previous_text(), self.previous())
        };
        let message = format!("`{operator}` is a temporal operator in `ltl` properties only");
        let error = Diagnostic::error(codes::TEMPORAL_OPERATOR, span, message);
        Err(self.report(error.help("write `property name : ltl ...;`")))
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    pub fn binding(&mut self, loosest: Binding) -> Parsed<Built> {
        let mut left = self.unary()?;
        while let Some(binding) = self.binding_here().filter(|&binding| binding >= loosest) {
            left = match binding {
                Binding::Conditional => self.conditional(left)?,
                _ if self.at("in") => self.in_state(left)?,
                _ => self.binary(left, binding)?,
            };
        }
        Ok(left)
    }

    /// How tightly the infix operator here binds, if there is one.
    fn binding_here(&self) -> Option<Binding> {
        match self.text() {
            "?" => Some(Binding::Conditional),
            "in" => Some(Binding::Comparison),
            // The effect behind a guard that is not closed.
            "/" if self.peek(1) == "{" => None,
            text if TEMPORAL_INFIXES.contains(&text) && !self.temporal => None,
            text => operators::binary(text).map(|(_, binding)| binding),
        }
    }

    fn binary(&mut self, left: Built, binding: Binding) -> Parsed<Built> {
        let operator = operators::binary(self.text()).map(|(operator, _)| operator);
        let Some(operator) = operator else {
            return Err(self.unexpected("an operator"));
        };
        self.advance();
        let loosest = if binding.is_right_associative() {
            binding
        } else {
            binding.tighter()
        };
        let right = self.deeper(|parser| parser.binding(loosest))?;
        self.join(operator, left, right)
    }

    fn join(&mut self, operator: BinaryOperator, left: Built, right: Built) -> Parsed<Built> {
        let span = left.expr.span;
        let height = left.height.max(right.height);
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        self.above(kind, span, height)
    }

    /// A tree over others of which the highest has `height`.
    pub fn above(&mut self, kind: ExprKind, start: Span, height: usize) -> Parsed<Built> {
        let height = height + 1;
        self.check_depth(height)?;
        Ok(Built {
            expr: Expr {
                kind,
                span: self.span_from(start),
            },
            height,
        })
    }

    fn conditional(&mut self, condition: Built) -> Parsed<Built> {
        let span = condition.expr.span;
        self.advance();
        let yes = self.deeper(|parser| parser.binding(Binding::Conditional))?;
        self.expect_because(":", "a choice of values is written `condition ? yes : no`")?;
        let no = self.deeper(|parser| parser.binding(Binding::Conditional))?;
        let height = condition.height.max(yes.height).max(no.height);
        let [condition, yes, no] = [condition, yes, no].map(|built| Box::new(built.expr));
        self.above(ExprKind::Conditional(condition, yes, no), span, height)
    }

    fn in_state(&mut self, object: Built) -> Parsed<Built> {
        let span = object.expr.span;
        self.advance();
        let path = self.state_path()?;
        self.above(
            ExprKind::InState(Box::new(object.expr), path),
            span,
            object.height,
        )
    }

    /// `A.B.C`
    pub fn state_path(&mut self) -> Parsed<StatePath> {
        let mut names = vec![self.name("the name of a state")?];
        while self.eat(".") {
            names.push(self.name("the name of a state")?);
        }
        Ok(StatePath { names })
    }

    fn unary(&mut self) -> Parsed<Built> {
        let text = self.text();
        let is_temporal = TEMPORAL_PREFIXES.contains(&text);
        if self.temporal && TEMPORAL_INFIXES.contains(&text) {
            return Err(self.unexpected_because(
                "an expression",
                "this operator stands between two expressions",
            ));
        }
        match operators::unary(text) {
            Some(operator) if self.temporal || !is_temporal => {
                let start = self.advance();
                let loosest = operators::unary_binding(operator);
                let operand = self.deeper(|parser| parser.binding(loosest))?;
                let height = operand.height;
                self.above(
                    ExprKind::Unary(operator, Box::new(operand.expr)),
                    start,
                    height,
                )
            }
            _ => self.postfix(),
        }
    }
}
