//! Expressions: every name resolved, every operand of a fitting type.

use super::scope::{Purpose, Scope};
use super::{AskedState, Checked, Checker, Reported};
use crate::model::action::{Expr, ExprKind, Place, Range, SignalAt};
use crate::model::arithmetic::{calculates, compares};
use crate::model::diagnostics::Diagnostic;
use crate::model::syntax::{
    self, BinaryOperator, Binding, ExprKind as Written, Name, Quantifier, Span, UnaryOperator,
};
use crate::model::value::{ClassId, Slot, Type, Value, VariableId};

impl Checker {
    pub(super) fn expr(&mut self, written: &syntax::Expr, scope: &mut Scope) -> Checked<Expr> {
        let span = written.span;
        let built = |kind, ty| Ok(Expr { kind, ty, span });
        match &written.kind {
            Written::Int(number) => {
                built(ExprKind::Constant(Value::Int(*number)), int_type(*number))
            }
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
                let condition = self.condition(condition, scope)?;
                let then = self.expr(then, scope)?;
                let otherwise = self.expr(otherwise, scope)?;
                let ty = self.common_type(&then, &otherwise, span)?;
                let parts = [condition, then, otherwise].map(Box::new);
                let [condition, then, otherwise] = parts;
                built(ExprKind::Conditional(condition, then, otherwise), ty)
            }
            Written::InState(object, path) => {
                let (object, class) = self.object(object, scope)?;
                let state = self.state_of(class, path)?;
                self.asked_states.push(AskedState { span, class, state });
                built(ExprKind::InState(Box::new(object), state), Type::Bool)
            }
            Written::ChooseRange(low, high) => {
                self.only_in_effects(span, scope)?;
                let low = Box::new(self.number(low, scope)?);
                let high = Box::new(self.number(high, scope)?);
                built(ExprKind::ChooseRange(low, high), Type::INT)
            }
            Written::ChooseSet(options) => self.choose_set(options, span, scope),
            Written::Quantified {
                quantifier,
                variable,
                range,
                body,
            } => self.quantified(*quantifier, (variable, range, body), span, scope),
            Written::Queued(at) => {
                self.only_in_properties("queued", span, scope)?;
                built(ExprKind::Queued(self.signal_at(at, scope)?), Type::Bool)
            }
            Written::QueuedBefore(first, second) => {
                self.only_in_properties("queued_before", span, scope)?;
                let first = self.signal_at(first, scope)?;
                let second = self.signal_at(second, scope)?;
                built(ExprKind::QueuedBefore(first, second), Type::Bool)
            }
            Written::Enabled(object) => {
                self.only_in_properties("enabled", span, scope)?;
                let (object, _) = self.object(object, scope)?;
                built(ExprKind::Enabled(Box::new(object)), Type::Bool)
            }
            Written::Idle(object) => {
                self.only_in_properties("idle", span, scope)?;
                let (object, _) = self.object(object, scope)?;
                built(ExprKind::Idle(Box::new(object)), Type::Bool)
            }
            Written::Action {
                received,
                signal,
                parameters,
                condition,
            } => {
                let parts = (signal, parameters.as_deref(), condition.as_deref());
                self.action(*received, parts, span, scope)
            }
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
        let message = format!("expected a number, found {}", self.show_type(&expr.ty));
        Err(self.error("E120", expr.span, message))
    }

    /// An expression that refers to an object, and the class of it.
    pub(super) fn object(
        &mut self,
        written: &syntax::Expr,
        scope: &mut Scope,
    ) -> Checked<(Expr, ClassId)> {
        let expr = self.expr(written, scope)?;
        if let Type::Reference(class) = expr.ty {
            return Ok((expr, class));
        }
        let message = format!("expected an object, found {}", self.show_type(&expr.ty));
        Err(self.error("E121", expr.span, message))
    }

    pub(super) fn expect_type(&mut self, expr: &Expr, wanted: &Type, what: &str) -> Checked<()> {
        if let Type::Array(..) = expr.ty {
            return Err(self.whole_array(expr.span));
        }
        if wanted.agrees(&expr.ty) {
            return Ok(());
        }
        let (wanted, found) = (self.show_type(wanted), self.show_type(&expr.ty));
        let message = format!("{what} must be {wanted}, but this is {found}");
        Err(self.error("E122", expr.span, message))
    }

    fn whole_array(&mut self, span: Span) -> Reported {
        let message = "an array can't be used as a value";
        let help = "take one of its elements, `a[i]`, or run over it with `for` or `forall`";
        self.report(Diagnostic::error("E123", span, message).help(help))
    }

    fn common_type(&mut self, one: &Expr, other: &Expr, span: Span) -> Checked<Type> {
        if let (Type::Array(..), _) | (_, Type::Array(..)) = (&one.ty, &other.ty) {
            return Err(self.whole_array(span));
        }
        if !one.ty.agrees(&other.ty) {
            let (one, other) = (self.show_type(&one.ty), self.show_type(&other.ty));
            let message = format!("{one} and {other} don't go together");
            return Err(self.error("E124", span, message));
        }
        Ok(match (&one.ty, &other.ty) {
            (Type::Null, other) => other.clone(),
            (one, other) if one.is_number() && one != other => arithmetic_type(one, other),
            (one, _) => one.clone(),
        })
    }

    fn self_reference(&mut self, scope: &Scope, span: Span) -> Checked<Expr> {
        match scope.class {
            Some(class) if scope.purpose != Purpose::Constant => Ok(Expr {
                kind: ExprKind::SelfReference,
                ty: Type::Reference(class),
                span,
            }),
            _ => Err(self.error("E125", span, "there is no `self` here: no object is acting")),
        }
    }

    /// A bare name: a local one, a variable of the own class, a global one, a constant, a literal,
    /// an object; in this order.
    fn name(&mut self, name: &str, span: Span, scope: &Scope) -> Checked<Expr> {
        let built = |kind, ty| Ok(Expr { kind, ty, span });
        if let Some(slot) = scope.find(name) {
            let ty = scope.type_of(slot).clone();
            return built(ExprKind::Read(Place::Local(slot)), ty);
        }
        if let Some(place) = self.own_variable(name, span, scope) {
            let ty = self.type_of_place(&place, scope);
            return built(ExprKind::Read(place), ty);
        }
        if let Some((value, ty)) = self.constants.get(name) {
            return built(ExprKind::Constant(*value), ty_of_constant(*value, ty));
        }
        if let Some((id, literal)) = self.literals.get(name) {
            return built(
                ExprKind::Constant(Value::Literal(*literal)),
                Type::Enum(*id),
            );
        }
        match self.objects.get(name).cloned() {
            Some(group) if group.is_array => {
                let message = format!("`{name}` is an array of objects");
                let help = format!("take one of them: `{name}[0]`");
                Err(self.report(Diagnostic::error("E126", span, message).help(help)))
            }
            Some(group) => {
                let value = Value::Reference(group.members.first().copied());
                built(ExprKind::Constant(value), Type::Reference(group.class))
            }
            None => Err(self.unknown_name(name, span, scope)),
        }
    }

    /// A variable that is written without a prefix: of the own class, or a global one.
    fn own_variable(&self, name: &str, span: Span, scope: &Scope) -> Option<Place> {
        if scope.purpose == Purpose::Constant {
            return None;
        }
        let class = scope
            .class
            .map(|class| (class, &self.model.classes[class.index()]));
        let field = class.and_then(|(id, class)| {
            let index = class.variables.iter().position(|v| v.name == name)?;
            let kind = ExprKind::SelfReference;
            let ty = Type::Reference(id);
            let object = Box::new(Expr { kind, ty, span });
            let variable = VariableId::new(index);
            Some(Place::Field {
                object,
                variable,
                index: None,
            })
        });
        let global = || {
            let variable = *self.globals.get(name)?;
            Some(Place::Global {
                variable,
                index: None,
            })
        };
        field.or_else(global)
    }

    pub(super) fn type_of_place(&self, place: &Place, scope: &Scope) -> Type {
        let (ty, index) = match place {
            Place::Local(slot) => (scope.type_of(*slot), &None),
            Place::Global { variable, index } => (&self.model.globals[variable.index()].ty, index),
            Place::Field {
                object,
                variable,
                index,
            } => {
                let Type::Reference(class) = object.ty else {
                    unreachable!("a field of something that is no object")
                };
                let variables = &self.model.classes[class.index()].variables;
                (&variables[variable.index()].ty, index)
            }
        };
        match index {
            Some(_) => ty.element().clone(),
            None => ty.clone(),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope) -> Reported {
        let local = scope.visible.iter().map(|(name, _)| name.clone());
        let class = scope.class.map(|class| &self.model.classes[class.index()]);
        let own = class.into_iter().flat_map(|class| &class.variables);
        let own = own.map(|variable| variable.name.clone());
        let declared = self.globals.keys().chain(self.constants.keys());
        let declared = declared
            .chain(self.literals.keys())
            .chain(self.objects.keys());
        let known: Vec<String> = local.chain(own).chain(declared.cloned()).collect();
        let text = name.to_owned();
        let name = Name { text, span };
        self.unknown("name", &name, known.iter().map(String::as_str))
    }

    fn field_of(
        &mut self,
        object: &syntax::Expr,
        field: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        let (object, class) = self.object(object, scope)?;
        if scope.purpose == Purpose::Constant {
            let message = "variables of objects are not known before the system runs";
            return Err(self.error("E115", span, message));
        }
        let variable = self.field(class, field)?;
        let object = Box::new(object);
        let index = None;
        let place = Place::Field {
            object,
            variable,
            index,
        };
        let ty = self.type_of_place(&place, scope);
        let kind = ExprKind::Read(place);
        Ok(Expr { kind, ty, span })
    }

    fn element(
        &mut self,
        array: &syntax::Expr,
        index: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        if let Some(expr) = self.object_at(array, index, span, scope) {
            return expr;
        }
        let array = self.expr(array, scope)?;
        let index = self.number(index, scope)?;
        match (array.kind, array.ty) {
            (ExprKind::Read(place), Type::Array(element, _)) => {
                let place = with_index(place, index);
                let kind = ExprKind::Read(place);
                Ok(Expr {
                    kind,
                    ty: *element,
                    span,
                })
            }
            (_, ty) => {
                let message = format!("expected an array, found {}", self.show_type(&ty));
                Err(self.error("E127", array.span, message))
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
        let hidden = scope.find(name).is_some() || self.own_variable(name, span, scope).is_some();
        let group = self
            .objects
            .get(name)
            .filter(|group| group.is_array && !hidden)?;
        let (members, class) = (group.members.clone(), group.class);
        let index = match self.number(index, scope) {
            Ok(index) => Box::new(index),
            Err(reported) => return Some(Err(reported)),
        };
        let kind = ExprKind::ObjectAt(members, index);
        let ty = Type::Reference(class);
        Some(Ok(Expr { kind, ty, span }))
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
                let operand = self.number(operand, scope)?;
                let ty = arithmetic_type(&operand.ty, &operand.ty);
                (operand, ty)
            }
            UnaryOperator::Not => (self.condition(operand, scope)?, Type::Bool),
            _ => {
                self.only_in_formulas(span, scope)?;
                (self.condition(operand, scope)?, Type::Bool)
            }
        };
        // The smallest int can be written although its absolute value is none.
        if let (UnaryOperator::Negate, ExprKind::Constant(Value::Int(number))) =
            (operator, &operand.kind)
        {
            let value = Value::Int(-number);
            return Ok(Expr::constant(value, int_type(-number), span));
        }
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
        let (left, right, ty) = if calculates(operator) {
            let left = self.number(left, scope)?;
            let right = self.number(right, scope)?;
            let ty = arithmetic_type(&left.ty, &right.ty);
            (left, right, ty)
        } else if matches!(operator, Equal | NotEqual) {
            let left = self.expr(left, scope)?;
            let right = self.expr(right, scope)?;
            self.common_type(&left, &right, span)?;
            (left, right, Type::Bool)
        } else if compares(operator) {
            let left = self.number(left, scope)?;
            let right = self.number(right, scope)?;
            (left, right, Type::Bool)
        } else {
            if matches!(operator, Until | WeakUntil | Release) {
                self.only_in_formulas(span, scope)?;
            }
            let left = self.condition(left, scope)?;
            let right = self.condition(right, scope)?;
            (left, right, Type::Bool)
        };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty, span })
    }

    fn choose_set(
        &mut self,
        options: &[syntax::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        self.only_in_effects(span, scope)?;
        let mut typed: Vec<Expr> = Vec::new();
        let mut ty = Type::Null;
        for option in options {
            let option = self.expr(option, scope)?;
            ty = match typed.first() {
                None => option.ty.clone(),
                Some(_) => {
                    let so_far = Expr::constant(Value::Bool(true), ty, span);
                    self.common_type(&so_far, &option, option.span)?
                }
            };
            typed.push(option);
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
        let (range, ty) = self.range(range, scope)?;
        let known = scope.visible.len();
        let slot = self.bind_new(variable, &ty, scope)?;
        let body = self.condition(body, scope);
        scope.visible.truncate(known);
        let kind = ExprKind::Quantified {
            quantifier,
            variable: slot,
            range,
            body: Box::new(body?),
        };
        let ty = match quantifier {
            Quantifier::Count => Type::INT,
            _ => Type::Bool,
        };
        Ok(Expr { kind, ty, span })
    }

    /// Makes a new local name known, which must not hide another one.
    pub(super) fn bind_new(&mut self, name: &Name, ty: &Type, scope: &mut Scope) -> Checked<Slot> {
        let hides = scope.find(&name.text).is_some()
            || self.own_variable(&name.text, name.span, scope).is_some();
        if hides {
            let message = format!("`{}` is the name of something else here", name.text);
            let help = "choose another name";
            return Err(self.report(Diagnostic::error("E102", name.span, message).help(help)));
        }
        Ok(scope.bind(&name.text, ty))
    }

    /// What a loop or quantifier runs over, and the type of its variable.
    pub(super) fn range(
        &mut self,
        range: &syntax::Range,
        scope: &mut Scope,
    ) -> Checked<(Range, Type)> {
        match range {
            syntax::Range::Numbers(low, high) => {
                let low = Box::new(self.number(low, scope)?);
                let high = Box::new(self.number(high, scope)?);
                Ok((Range::Numbers(low, high), Type::INT))
            }
            syntax::Range::Elements(array) => self.elements(array, scope),
        }
    }

    fn elements(&mut self, array: &syntax::Expr, scope: &mut Scope) -> Checked<(Range, Type)> {
        if let Written::Name(name) = &array.kind
            && let Some(group) = self.objects.get(name).filter(|group| group.is_array)
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
                Err(self.report(Diagnostic::error("E128", array.span, message).help(help)))
            }
        }
    }

    fn signal_at(&mut self, at: &syntax::SignalAt, scope: &mut Scope) -> Checked<SignalAt> {
        let object = match &at.object {
            Some(object) => Some(Box::new(self.object(object, scope)?.0)),
            None => None,
        };
        let signal = self.signal(&at.signal)?;
        Ok(SignalAt { object, signal })
    }

    fn action(
        &mut self,
        received: bool,
        (signal, parameters, condition): (
            &syntax::SignalAt,
            Option<&[Binding]>,
            Option<&syntax::Expr>,
        ),
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Expr> {
        self.only_in_formulas(span, scope)?;
        let name = signal.signal.clone();
        let signal = self.signal_at(signal, scope)?;
        let types = self.model.signal(signal.signal).parameters.clone();
        let known = scope.visible.len();
        let mut slots = vec![None; types.len()];
        if let Some(bindings) = parameters {
            self.expect_count(&name, bindings.len(), types.len())?;
            for (index, binding) in bindings.iter().enumerate() {
                if let Binding::Name(name) = binding {
                    slots[index] = Some(self.bind_new(name, &types[index].1, scope)?);
                }
            }
        }
        let condition = condition.map(|condition| self.condition(condition, scope));
        scope.visible.truncate(known);
        let kind = ExprKind::Action {
            received,
            signal,
            parameters: slots,
            condition: condition.transpose()?.map(Box::new),
        };
        let ty = Type::Bool;
        Ok(Expr { kind, ty, span })
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
        let plural = if wanted == 1 {
            "parameter"
        } else {
            "parameters"
        };
        let message = format!(
            "`{}` has {wanted} {plural}, but {given} are given",
            signal.text
        );
        Err(self.error("E129", signal.span, message))
    }

    fn only_in_effects(&mut self, span: Span, scope: &Scope) -> Checked<()> {
        if scope.purpose == Purpose::Effect {
            return Ok(());
        }
        let message = "`choose` is for effects only";
        let help = "choose in the effect of a transition before, and store what was chosen";
        Err(self.report(Diagnostic::error("E130", span, message).help(help)))
    }

    fn only_in_properties(&mut self, what: &str, span: Span, scope: &Scope) -> Checked<()> {
        if matches!(scope.purpose, Purpose::Property | Purpose::Formula) {
            return Ok(());
        }
        let message = format!("`{what}` is for properties only: no object can see this");
        Err(self.error("E131", span, message))
    }

    fn only_in_formulas(&mut self, span: Span, scope: &Scope) -> Checked<()> {
        if scope.purpose == Purpose::Formula {
            return Ok(());
        }
        let message = "temporal operators and events are for `ltl` properties only";
        Err(self.error("E132", span, message))
    }
}

/// The type of a number as it is written.
fn int_type(number: i64) -> Type {
    match Type::INT.admit(Value::Int(number)) {
        Some(_) => Type::INT,
        None => Type::Integer,
    }
}

fn ty_of_constant(value: Value, ty: &Type) -> Type {
    match value {
        Value::Int(number) => int_type(number),
        _ => ty.clone(),
    }
}

/// What the result of arithmetic is checked against: 64 bits where an operand is wider than `int`
/// or wraps, 32 otherwise.
fn arithmetic_type(one: &Type, other: &Type) -> Type {
    let wide = |ty: &Type| matches!(ty, Type::Nat | Type::Integer | Type::Int { wrap: true, .. });
    if wide(one) || wide(other) {
        return Type::Integer;
    }
    Type::INT
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
