//! Expressions (Ojala 2.1.1 and 2.1.3, `eval` and `resolve`).

use super::choices::Cause;
use super::journal;
use super::precision::{Chosen, Outcomes, Precision};
use super::queues::queue_of;
use super::run::Run;
use super::step::{Fault, Halt};
use crate::lang::{
    ArithmeticError, BinaryOperator, Expr, ExprKind, FaultKind, ObjectId, Place, Quantifier, Range,
    SignalAt, Span, Subject, Type, UnaryOperator, Value, VariableId, calculates, compares, limits,
};

/// A place that is known down to the slot it is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Local(usize),
    Global {
        slot: usize,
        subject: Subject,
    },
    Field {
        object: ObjectId,
        slot: usize,
        subject: Subject,
    },
}

impl<P: Precision> Run<'_, P> {
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result<Value, Halt> {
        journal::open();
        let result = self.value_of(expr);
        journal::close(expr, result.as_ref().ok().copied());
        result
    }

    /// The value of an expression that is to be kept at a place of this type. Where numbers wrap, the sums, differences
    /// and products that it is made of do so beyond 64 bits, too, instead of being a fault.
    pub(super) fn evaluate_for(&mut self, ty: &Type, expr: &Expr) -> Result<Value, Halt> {
        if !ty.wraps() {
            return self.evaluate(expr);
        }
        journal::open();
        let result = self.wrapping_value_of(ty, expr);
        journal::close(expr, result.as_ref().ok().copied());
        result
    }

    fn wrapping_value_of(&mut self, ty: &Type, expr: &Expr) -> Result<Value, Halt> {
        use BinaryOperator::{Add, Multiply, Subtract};
        let (operator, left, right) = match &expr.kind {
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.holds(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.evaluate_for(ty, chosen);
            }
            ExprKind::ChooseSet(options) => {
                let picked = self.choices.pick(Cause::Model, options.len());
                let value = self.evaluate_for(ty, &options[picked])?;
                return Ok(self.is_chosen(value, expr));
            }
            // Of `int` alone: checked against 32 bits, whatever becomes of it.
            _ if expr.ty == Type::INT => return self.value_of(expr),
            ExprKind::Unary(UnaryOperator::Negate, operand) => {
                (Subtract, Value::Int(0), self.evaluate_for(ty, operand)?)
            }
            ExprKind::Binary(operator @ (Add | Subtract | Multiply), left, right) => {
                let left = self.evaluate_for(ty, left)?;
                (*operator, left, self.evaluate_for(ty, right)?)
            }
            _ => return self.value_of(expr),
        };
        let outcomes = self.precision.calculate_wrapping(operator, left, right, ty);
        Ok(self.pick(outcomes))
    }

    fn value_of(&mut self, expr: &Expr) -> Result<Value, Halt> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(*value),
            ExprKind::SelfReference => Ok(Value::Reference(Some(self.actor))),
            ExprKind::Read(place) => {
                let location = self.locate(place, expr.span)?;
                journal::located(location);
                let value = self.read(location);
                let value = self.narrowed(location, value);
                Ok(self.known(location, &expr.ty, value))
            }
            ExprKind::ObjectAt(objects, index) => {
                let index = self.index(index, objects.len())?;
                Ok(Value::Reference(Some(objects[index])))
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, expr),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr),
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.holds(condition)? {
                    then
                } else {
                    otherwise
                };
                self.evaluate(chosen)
            }
            ExprKind::InState(object, state) => {
                let object = self.object(object)?;
                let machine = self.model.machine_of(object);
                let is_in = self.configuration.is_in(machine, object, *state);
                Ok(Value::Bool(is_in))
            }
            ExprKind::ChooseRange(low, high) => self.choose_range(low, high, expr),
            ExprKind::ChooseSet(options) => {
                let picked = self.choices.pick(Cause::Model, options.len());
                let value = self.evaluate(&options[picked])?;
                Ok(self.is_chosen(value, expr))
            }
            ExprKind::Quantified {
                quantifier,
                variable,
                range,
                body,
            } => self.quantified(*quantifier, variable.index(), range, body),
            ExprKind::Queued(at) => {
                let positions = self.queued(at)?;
                Ok(Value::Bool(!positions.is_empty()))
            }
            ExprKind::QueuedBefore(first, second) => {
                let (first, second) = (self.queued(first)?, self.queued(second)?);
                let before = |(queue, at): &(usize, usize)| {
                    second
                        .iter()
                        .any(|(other, later)| queue == other && at < later)
                };
                Ok(Value::Bool(first.iter().any(before)))
            }
            ExprKind::Enabled(object) => {
                let object = self.object(object)?;
                Ok(Value::Bool(self.has_enabled_transition(object)?))
            }
            ExprKind::Idle(object) => {
                let object = self.object(object)?;
                let thread = self.model.object(object).thread;
                let runs_anything = self.model.runs_to_completion().is_some();
                let runs = |run: &Self| run.configuration.thread(thread).running == Some(object);
                Ok(Value::Bool(!(runs_anything && runs(self))))
            }
            ExprKind::Action { .. } => unreachable!("events stand in temporal formulas only"),
        }
    }

    pub(super) fn holds(&mut self, condition: &Expr) -> Result<bool, Halt> {
        Ok(self.evaluate(condition)?.bool())
    }

    /// The object that an expression refers to; `null` is a fault.
    pub(super) fn object(&mut self, expr: &Expr) -> Result<ObjectId, Halt> {
        let object = self.evaluate(expr)?.reference();
        object.ok_or_else(|| self.fault(FaultKind::ReferenceFault, expr.span, "this is null"))
    }

    pub(super) fn pick<T: Copy>(&mut self, outcomes: Outcomes<T>) -> T {
        let picked = self.choices.pick(Cause::Abstraction, outcomes.len());
        outcomes.get(picked)
    }

    pub(super) fn fault(&self, kind: FaultKind, span: Span, message: impl Into<String>) -> Halt {
        Halt::Fault(Fault {
            kind,
            object: self.actor,
            span: Some(span),
            message: message.into(),
        })
    }

    /// `resolve`: the slot that a place means now.
    pub(super) fn locate(&mut self, place: &Place, span: Span) -> Result<Location, Halt> {
        match place {
            Place::Local(slot) => Ok(Location::Local(slot.index())),
            Place::Global { variable, index } => {
                let declared = &self.model.globals[variable.index()];
                let slot = declared.offset + self.offset(index.as_deref(), &declared.ty)?;
                Ok(Location::Global {
                    slot,
                    subject: Subject::Global(*variable),
                })
            }
            Place::Field {
                object,
                variable,
                index,
            } => {
                let object = match self.evaluate(object)?.reference() {
                    Some(object) => object,
                    None => return Err(self.null(object.span.to(span))),
                };
                self.locate_field(object, *variable, index.as_deref())
            }
        }
    }

    fn null(&self, span: Span) -> Halt {
        self.fault(
            FaultKind::ReferenceFault,
            span,
            "a variable of null is used",
        )
    }

    fn locate_field(
        &mut self,
        object: ObjectId,
        variable: VariableId,
        index: Option<&Expr>,
    ) -> Result<Location, Halt> {
        let class = self.model.object(object).class;
        let declared = &self.model.class_of(object).variables[variable.index()];
        let slot = declared.offset + self.offset(index, &declared.ty)?;
        let subject = Subject::Field(class, variable);
        Ok(Location::Field {
            object,
            slot,
            subject,
        })
    }

    fn offset(&mut self, index: Option<&Expr>, ty: &Type) -> Result<usize, Halt> {
        index.map_or(Ok(0), |index| self.index(index, ty.length()))
    }

    fn index(&mut self, index: &Expr, length: usize) -> Result<usize, Halt> {
        let value = self.evaluate(index)?;
        let last = length as i64 - 1;
        let outcomes = self.precision.number(value, 0, last);
        match self.pick(outcomes) {
            Some(inside) => Ok(inside as usize),
            None => {
                let shown = self.model.show(value, &index.ty);
                let message = format!("index {shown} is outside 0..{last}");
                Err(self.fault(FaultKind::ReferenceFault, index.span, message))
            }
        }
    }

    /// What can be known of a value that is kept somewhere.
    fn known(&mut self, location: Location, ty: &Type, value: Value) -> Value {
        let Some(subject) = location.subject() else {
            return value;
        };
        if let Some(guessed) = self.learnt.guessed(location) {
            return guessed;
        }
        let outcomes = self.precision.read(subject, ty, value);
        let is_open = outcomes.len() > 1;
        let known = self.pick(outcomes);
        if is_open {
            self.learnt.guess(location, known);
        }
        known
    }

    pub(super) fn read(&self, location: Location) -> Value {
        match location {
            Location::Local(slot) => self.frame[slot],
            Location::Global { slot, .. } => self.configuration.global(slot),
            Location::Field { object, slot, .. } => self.configuration.value(object, slot),
        }
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expr,
        whole: &Expr,
    ) -> Result<Value, Halt> {
        let value = self.evaluate(operand)?;
        match operator {
            UnaryOperator::Not => Ok(Value::Bool(!value.bool())),
            UnaryOperator::Negate => {
                self.arithmetic(BinaryOperator::Subtract, Value::Int(0), value, whole)
            }
            _ => unreachable!("temporal operators stand in temporal formulas only"),
        }
    }

    /// `&&`, `||` and `->` evaluate their right side only if they need it.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
    ) -> Result<Value, Halt> {
        use BinaryOperator::*;
        let first = self.evaluate(left)?;
        match (operator, first) {
            (And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (Or, Value::Bool(true)) => return Ok(Value::Bool(true)),
            (Implies, Value::Bool(false)) => return Ok(Value::Bool(true)),
            _ => {}
        }
        let second = self.evaluate(right)?;
        match operator {
            And | Or | Implies => Ok(second),
            Iff => Ok(Value::Bool(first == second)),
            _ if calculates(operator) => self.arithmetic(operator, first, second, whole),
            _ if compares(operator) => Ok(Value::Bool(self.compare(
                operator,
                (left, right),
                (first, second),
            ))),
            _ => unreachable!("temporal operators stand in temporal formulas only"),
        }
    }

    /// Where the outcome is open, it is not when it follows from an earlier one of the same step.
    fn compare(
        &mut self,
        operator: BinaryOperator,
        sides: (&Expr, &Expr),
        values: (Value, Value),
    ) -> bool {
        let outcomes = self.precision.compare(operator, values.0, values.1);
        if outcomes.len() == 1 {
            return outcomes.get(0);
        }
        let holds = match self.still_possible(operator, sides) {
            (true, false) => true,
            (false, true) => false,
            _ => self.pick(outcomes),
        };
        self.learn(operator, sides, values, holds);
        holds
    }

    /// Checked: a result that does not fit is a fault, never a silent wrap.
    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        whole: &Expr,
    ) -> Result<Value, Halt> {
        let outcomes = self.precision.calculate(operator, left, right);
        let fault = |run: &Self, message: String| {
            Err(run.fault(FaultKind::ArithmeticFault, whole.span, message))
        };
        match self.pick(outcomes) {
            Err(ArithmeticError::DivisionByZero) => fault(self, "division by zero".to_owned()),
            Err(ArithmeticError::TooLarge) => fault(self, "a result beyond 64 bits".to_owned()),
            Ok(value) => {
                let outcomes = self.precision.store(None, &whole.ty, value);
                let shown = self.model.show(value, &whole.ty);
                match self.pick(outcomes) {
                    Some(value) => Ok(value),
                    None => fault(self, format!("{shown} is beyond 32 bits")),
                }
            }
        }
    }

    fn choose_range(&mut self, low: &Expr, high: &Expr, whole: &Expr) -> Result<Value, Halt> {
        let low = self.evaluate(low)?;
        let high = self.evaluate(high)?;
        let fault = |run: &Self, message: String| {
            Err(run.fault(FaultKind::ArithmeticFault, whole.span, message))
        };
        let value = match self.precision.choose(low, high) {
            Chosen::One(value) => value,
            Chosen::From(_, options)
                if options > limits::CHOICES && !self.choices.is_scripted() =>
            {
                let message = format!("{options} values to choose from exceed {}", limits::CHOICES);
                return fault(self, message);
            }
            Chosen::From(first, options) => {
                let picked = self.choices.pick(Cause::Model, options as usize);
                Value::Int(first + picked as i64)
            }
            Chosen::Some(first, distances) => {
                let picked = self.choices.pick_of(Cause::Model, &distances);
                Value::Int(first + i64::from(picked))
            }
            Chosen::Nothing => {
                let shown = [low, high].map(|value| self.model.show(value, &whole.ty));
                let message = format!("there is nothing to choose in {}..{}", shown[0], shown[1]);
                return fault(self, message);
            }
        };
        Ok(self.is_chosen(value, whole))
    }

    /// Takes note of a value that the model chose.
    fn is_chosen(&mut self, value: Value, choice: &Expr) -> Value {
        self.chosen.push((value, choice.ty.clone()));
        value
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: usize,
        range: &Range,
        body: &Expr,
    ) -> Result<Value, Halt> {
        let mut count = 0;
        for value in self.range(range, body.span)? {
            self.bind(variable, value);
            let holds = self.holds(body)?;
            match quantifier {
                Quantifier::Forall if !holds => return Ok(Value::Bool(false)),
                Quantifier::Exists if holds => return Ok(Value::Bool(true)),
                _ => count += i64::from(holds),
            }
        }
        Ok(match quantifier {
            Quantifier::Forall => Value::Bool(true),
            Quantifier::Exists => Value::Bool(false),
            Quantifier::Count => Value::Int(count),
        })
    }

    /// Gives a local name its next value; nothing is known of this one yet.
    pub(super) fn bind(&mut self, slot: usize, value: Value) {
        self.frame[slot] = value;
        self.forget(Location::Local(slot));
    }

    /// The values that a loop or quantifier runs over, known before its first round.
    pub(super) fn range(&mut self, range: &Range, span: Span) -> Result<Vec<Value>, Halt> {
        match range {
            Range::Objects(objects) => Ok(objects
                .iter()
                .map(|object| Value::Reference(Some(*object)))
                .collect()),
            Range::Elements(place, length) => {
                let first = self.locate(place, span)?;
                let ty = self.element_type(first);
                let all = (0..*length as usize).map(|index| {
                    let value = self.read(first.further(index));
                    self.known(first, &ty, value)
                });
                Ok(all.collect())
            }
            Range::Numbers(low, high) => {
                let low = self.bound(low)?;
                let high = self.bound(high)?;
                let rounds = high.saturating_sub(low).saturating_add(1);
                if rounds > limits::LOOP_ROUNDS {
                    let message = format!("{rounds} rounds exceed {}", limits::LOOP_ROUNDS);
                    return Err(self.fault(FaultKind::ArithmeticFault, span, message));
                }
                Ok((low..=high).map(Value::Int).collect())
            }
        }
    }

    /// The type of the values that are kept at a place.
    fn element_type(&self, location: Location) -> Type {
        let declared = match location.subject() {
            Some(Subject::Global(variable)) => &self.model.globals[variable.index()].ty,
            Some(Subject::Field(class, variable)) => {
                &self.model.classes[class.index()].variables[variable.index()].ty
            }
            _ => &Type::Bool, // locals hold no arrays
        };
        declared.element().clone()
    }

    /// One end of a loop: loops run over numbers that are known.
    fn bound(&mut self, expr: &Expr) -> Result<i64, Halt> {
        let value = self.evaluate(expr)?;
        let (low, high) = match value.numbers() {
            Some(numbers)
                if numbers
                    .count()
                    .is_some_and(|n| n <= limits::LOOP_ROUNDS as u64) =>
            {
                (numbers.low(), numbers.high())
            }
            _ => {
                let message = "how often this loop runs is not known under the abstraction";
                return Err(self.fault(FaultKind::ArithmeticFault, expr.span, message));
            }
        };
        let outcomes = self.precision.number(value, low, high);
        Ok(self.pick(outcomes).unwrap_or(low))
    }

    /// Where a signal waits: which queue, and how far from its head.
    fn queued(&mut self, at: &SignalAt) -> Result<Vec<(usize, usize)>, Halt> {
        let wanted = at
            .object
            .as_ref()
            .map(|object| self.object(object))
            .transpose()?;
        let queues = match wanted {
            Some(object) => vec![queue_of(self.model, object)],
            None if self.model.threads.is_empty() => (0..self.model.objects.len()).collect(),
            None => (0..self.model.threads.len()).collect(),
        };
        let mut found = Vec::new();
        for queue in queues {
            let messages = self.configuration.messages(queue).into_iter().enumerate();
            let fits = |to: ObjectId| wanted.is_none_or(|object| object == to);
            let here = messages.filter(|(_, (to, m))| fits(*to) && m.signal == at.signal);
            found.extend(here.map(|(position, _)| (queue, position)));
        }
        Ok(found)
    }
}

impl Location {
    pub fn subject(self) -> Option<Subject> {
        match self {
            Location::Local(_) => None,
            Location::Global { subject, .. } | Location::Field { subject, .. } => Some(subject),
        }
    }

    /// The same place, some elements further in its array.
    fn further(self, by: usize) -> Location {
        match self {
            Location::Local(slot) => Location::Local(slot + by),
            Location::Global { slot, subject } => Location::Global {
                slot: slot + by,
                subject,
            },
            Location::Field {
                object,
                slot,
                subject,
            } => {
                let slot = slot + by;
                Location::Field {
                    object,
                    slot,
                    subject,
                }
            }
        }
    }
}
