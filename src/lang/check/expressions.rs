//! Expressions: every operand of a fitting type. Names are in `names`, what only properties ask in
//! `questions`.

use super::names::int_type;
use super::scope::{Purpose, Scope};
use super::types::WRONG;
use super::{Checked, Checker, Reported, fold};
use crate::lang::action::{Expr, ExprKind, Range};
use crate::lang::arithmetic::{calculates, compares};
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{
    self, BinaryOperator, ExprKind as Written, Name, Quantifier, Span, UnaryOperator,
};
use crate::lang::value::{ClassId, Type, Value};
use crate::lang::{codes, limits};

impl Checker<'_> {
    pub(super) fn expr(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<Expr> {
        let span = written.span;
        let built = |kind, ty| Ok(Expr { kind, ty, span });
        match &written.kind {
            Written::Int(number) => self.literal((*number).into(), span),
            Written::Bool(truth) => built(ExprKind::Constant(Value::Bool(*truth)), Type::Bool),
            Written::Null => built(ExprKind::Constant(Value::Reference(None)), Type::Null),
            Written::SelfReference => self.self_reference(scope, span),
            Written::Name(name) => self.name(name, span, scope),
            Written::Field(object, field) => self.field_of(object, field, span, scope),
            Written::Element(array, index) => self.element(array, index, span, scope),
            Written::Unary(operator, operand) => self.unary(*operator, operand, span, scope),
            Written::Binary(operator, left, right) => {
                self.binary(*operator, left, right, span, scope)
            }
            Written::Conditional(condition, then, otherwise) => {
                self.conditional([condition, then, otherwise], span, scope)
            }
            Written::ChooseRange(low, high) => self.choose_range(low, high, span, scope),
            Written::ChooseSet(options) => self.choose_set(options, span, scope),
            Written::Quantified {
                quantifier,
                variable,
                range,
                body,
            } => self.quantified(*quantifier, (variable, range, body), span, scope),
            _ => self.question(written, scope),
        }
    }

    /// An expression that is true or false.
    pub(super) fn condition(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<Expr> {
        let expr = self.expr(written, scope)?;
        self.expect_type(&expr, &Type::Bool, "a condition")?;
        Ok(expr)
    }

    pub(super) fn number(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<Expr> {
        let expr = self.expr(written, scope)?;
        if expr.ty.is_number() {
            return Ok(expr);
        }
        if let Type::Array(..) = expr.ty {
            return Err(self.whole_array(expr.span));
        }
        let message = format!("expected a number, found {}", self.show_type(&expr.ty));
        Err(self.error(codes::NOT_A_NUMBER, expr.span, message))
    }

    /// An expression that refers to an object, and the class of it.
    pub(super) fn object(
        &mut self,
        written: &syntax::Expr,
        scope: &mut Scope,
    ) -> Checked<(Expr, ClassId)> {
        let expr = self.expr(written, scope)?;
        match expr.ty {
            Type::Reference(class) => Ok((expr, class)),
            Type::Array(..) => Err(self.whole_array(expr.span)),
            _ => {
                let message = format!("expected an object, found {}", self.show_type(&expr.ty));
                Err(self.error(codes::NOT_AN_OBJECT, expr.span, message))
            }
        }
    }

    pub(super) fn expect_type(&mut self, expr: &Expr, wanted: &Type, what: &str) -> Checked<()> {
        if let Type::Array(..) = expr.ty {
            return Err(self.whole_array(expr.span));
        }
        if *wanted == WRONG || wanted.agrees(&expr.ty) {
            return Ok(());
        }
        let shown = (self.show_type(wanted), self.show_type(&expr.ty));
        let message = format!("{what} must be {}, but this is {}", shown.0, shown.1);
        let mut error = Diagnostic::error(codes::WRONG_TYPE, expr.span, message);
        if *wanted == Type::Bool && expr.ty.is_number() {
            error = error.help(match expr.kind {
                ExprKind::Constant(_) => "write `true` or `false`",
                _ => "compare it with something, for example `... != 0`",
            });
        }
        Err(self.report(error))
    }

    fn whole_array(&mut self, span: Span) -> Reported {
        let message = "an array can't be used as a value";
        let help = "take one of its elements, `a[i]`, or run over it with `for` or `forall`";
        self.report(Diagnostic::error(codes::WHOLE_ARRAY, span, message).help(help))
    }

    fn common_type(&mut self, one: (&Type, Span), other: (&Type, Span)) -> Checked<Type> {
        for (ty, span) in [one, other] {
            if let Type::Array(..) = ty {
                return Err(self.whole_array(span));
            }
        }
        let span = one.1.to(other.1);
        if !one.0.agrees(other.0) {
            let (one, other) = (self.show_type(one.0), self.show_type(other.0));
            let message = format!("{one} and {other} don't go together");
            return Err(self.error(codes::TYPES_DIFFER, span, message));
        }
        Ok(match (one.0, other.0) {
            (Type::Null, other) => other.clone(),
            (one, other) if one.is_number() && one != other => arithmetic_type(one, other),
            (one, _) => one.clone(),
        })
    }

    fn conditional(
        &mut self,
        [condition, then, otherwise]: [&syntax::Expr; 3],
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let condition = self.condition(condition, scope);
        let then = self.expr(then, scope);
        let otherwise = self.expr(otherwise, scope);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let ty = self.common_type((&then.ty, then.span), (&otherwise.ty, otherwise.span))?;
        let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
        let kind = ExprKind::Conditional(condition, then, otherwise);
        Ok(Expr { kind, ty, span })
    }

    /// A number with its sign: the smallest can be written although its opposite is none.
    fn literal(&mut self, number: i128, span: Span) -> Checked<Expr> {
        match i64::try_from(number) {
            Ok(number) => Ok(Expr::constant(Value::Int(number), int_type(number), span)),
            Err(_) => {
                let message = "this number does not fit in 64 bits";
                Err(self.error(codes::NUMBER_TOO_LARGE, span, message))
            }
        }
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let (operand, ty) = match operator {
            UnaryOperator::Negate => {
                if let Written::Int(number) = operand.kind {
                    return self.literal(-i128::from(number), span);
                }
                let operand = self.number(operand, scope)?;
                let ty = arithmetic_type(&operand.ty, &operand.ty);
                (operand, ty)
            }
            UnaryOperator::Not => (self.condition(operand, scope)?, Type::Bool),
            _ => {
                self.only_in_formulas("a temporal operator is", span, scope)?;
                (self.condition(operand, scope)?, Type::Bool)
            }
        };
        let kind = ExprKind::Unary(operator, Box::new(operand));
        Ok(Expr { kind, ty, span })
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        use BinaryOperator::*;
        if matches!(operator, Until | WeakUntil | Release) {
            self.only_in_formulas("a temporal operator is", span, scope)?;
        }
        let (left, right) = if matches!(operator, Equal | NotEqual) {
            (self.expr(left, scope), self.expr(right, scope))
        } else if calculates(operator) || compares(operator) {
            (self.number(left, scope), self.number(right, scope))
        } else {
            (self.condition(left, scope), self.condition(right, scope))
        };
        let (left, right) = (left?, right?);
        let common = self.common_type((&left.ty, left.span), (&right.ty, right.span))?;
        let ty = match calculates(operator) {
            true => arithmetic_type(&common, &common),
            false => Type::Bool,
        };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty, span })
    }

    fn choose_range(
        &mut self,
        low: &syntax::Expr,
        high: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        self.only_in_effects(span, scope)?;
        let (low, high) = self.ends(low, high, scope)?;
        if let Some((low, high)) = known_ends(&low, &high) {
            self.expect_values(low, high, span)?;
            // Under an abstraction a choice is a set, whatever its size.
            let most = match self.declares_abstraction {
                true => i64::from(u32::MAX),
                false => limits::CHOICES,
            };
            self.expect_few((low, high), most, "values to choose from", span)?;
        }
        let kind = ExprKind::ChooseRange(Box::new(low), Box::new(high));
        let ty = Type::INT;
        Ok(Expr { kind, ty, span })
    }

    fn choose_set(
        &mut self,
        options: &[syntax::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        self.only_in_effects(span, scope)?;
        if options.len() > limits::CHOICES as usize {
            let limit = limits::CHOICES as usize;
            return Err(self.beyond_limit(span, "values to choose from", limit));
        }
        let typed: Vec<Checked<Expr>> = options.iter().map(|o| self.expr(o, scope)).collect();
        let typed = typed.into_iter().collect::<Checked<Vec<Expr>>>()?;
        let mut ty = typed.first().map_or(WRONG, |first| first.ty.clone());
        for option in &typed {
            ty = self.common_type((&ty, option.span), (&option.ty, option.span))?;
        }
        let kind = ExprKind::ChooseSet(typed);
        Ok(Expr { kind, ty, span })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        (variable, range, body): (&Name, &syntax::Range, &syntax::Expr),
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let range = self.range(range, scope);
        let element = range.as_ref().map_or(&WRONG, |(_, ty)| ty);
        let mark = scope.mark();
        let slot = self.bind_new(variable, element, scope);
        let body = self.condition(body, scope);
        scope.forget(mark);
        let kind = ExprKind::Quantified {
            quantifier,
            range: range?.0,
            variable: slot?,
            body: Box::new(body?),
        };
        let ty = match quantifier {
            Quantifier::Count => Type::INT,
            _ => Type::Bool,
        };
        Ok(Expr { kind, ty, span })
    }

    /// What a loop or quantifier runs over, and the type of its variable.
    pub(super) fn range(
        &mut self,
        range: &syntax::Range,
        scope: &mut Scope,
    ) -> Checked<(Range, Type)> {
        match range {
            syntax::Range::Numbers(low, high) => {
                let span = low.span.to(high.span);
                let (low, high) = self.ends(low, high, scope)?;
                if let Some(ends) = known_ends(&low, &high) {
                    self.expect_few(ends, limits::LOOP_ROUNDS, "rounds", span)?;
                }
                Ok((Range::Numbers(Box::new(low), Box::new(high)), Type::INT))
            }
            syntax::Range::Elements(array) => self.elements(array, scope),
        }
    }

    fn elements(&mut self, array: &syntax::Expr, scope: &mut Scope) -> Checked<(Range, Type)> {
        if let Written::Name(name) = &array.kind
            && self.variable(name, array.span, scope).is_none()
            && let Some(group) = self
                .objects
                .get(name.as_str())
                .filter(|group| group.is_array)
        {
            let ty = Type::Reference(group.class);
            return Ok((Range::Objects(group.members.clone()), ty));
        }
        let array = self.expr(array, scope)?;
        match (array.kind, array.ty) {
            (ExprKind::Read(place), Type::Array(element, length)) => {
                Ok((Range::Elements(place, length), *element))
            }
            (_, ty) => {
                let message = format!("can't run over {}", self.show_type(&ty));
                let help = "a range `0..3`, an array, or an array of objects can be run over";
                let error = Diagnostic::error(codes::NOT_A_RANGE, array.span, message);
                Err(self.report(error.help(help)))
            }
        }
    }

    fn ends(
        &mut self,
        low: &syntax::Expr,
        high: &syntax::Expr,
        scope: &mut Scope,
    ) -> Checked<(Expr, Expr)> {
        let (low, high) = (self.number(low, scope), self.number(high, scope));
        Ok((low?, high?))
    }

    fn expect_few(
        &mut self,
        (low, high): (i64, i64),
        limit: i64,
        what: &str,
        span: Span,
    ) -> Checked<()> {
        let count = i128::from(high) - i128::from(low) + 1;
        if count <= i128::from(limit) {
            return Ok(());
        }
        let message = format!("{count} {what} exceed {limit}");
        Err(self.error(codes::OUT_OF_BOUNDS, span, message))
    }

    fn only_in_effects(&mut self, span: Span, scope: &Scope) -> Checked<()> {
        if scope.purpose == Purpose::Effect {
            return Ok(());
        }
        let message = "`choose` is for effects only";
        let help = "choose in the effect of a transition before, and store what was chosen";
        let error = Diagnostic::error(codes::CHOOSE_OUTSIDE_EFFECT, span, message);
        Err(self.report(error.help(help)))
    }
}

/// The ends of a range, where they are constants.
fn known_ends(low: &Expr, high: &Expr) -> Option<(i64, i64)> {
    let known = |end: &Expr| Some(fold(end, &()).ok()?.int());
    Some((known(low)?, known(high)?))
}

/// What the result of arithmetic is checked against: 64 bits where an operand is wider than `int`
/// or wraps, 32 otherwise.
fn arithmetic_type(one: &Type, other: &Type) -> Type {
    let is_small = |number| int_type(number) == Type::INT;
    let is_wide = |ty: &Type| match ty {
        Type::Int { low, high, wrap } => *wrap || !is_small(*low) || !is_small(*high),
        _ => true, // `nat` and `integer`
    };
    if is_wide(one) || is_wide(other) {
        return Type::Integer;
    }
    Type::INT
}
