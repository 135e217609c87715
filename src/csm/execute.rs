//! Effects: assignment, send, assertion (Ojala 2.2), and what the language adds to them.

use super::choices::Cause;
use super::evaluate::Location;
use super::journal::{self, Action};
use super::precision::Precision;
use super::queues::{QueueChange, queue_of};
use super::run::Run;
use super::step::{Halt, Sent};
use crate::lang::{
    Block, Expr, ExprKind, FaultKind, Inbox, Message, ObjectId, OnFull, SignalId, Span, Statement,
    StatementKind, Subject, Type, Value,
};

/// Who has to decide how a value is kept: one that the model chooses is the model's own affair, also
/// where an abstraction takes the choice as a whole.
fn cause_of(value: &Expr) -> Cause {
    match value.kind {
        ExprKind::ChooseRange(..) => Cause::Model,
        _ => Cause::Abstraction,
    }
}

impl<P: Precision> Run<'_, P> {
    pub(super) fn block(&mut self, block: &Block) -> Result<(), Halt> {
        block
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Halt> {
        match &statement.kind {
            StatementKind::Assign { place, ty, value } => {
                let (span, cause) = (value.span, cause_of(value));
                let value = self.evaluate_for(ty, value)?;
                let location = self.locate(place, statement.span)?;
                self.write_by(cause, location, ty, value, span)
            }
            StatementKind::Send {
                target,
                signal,
                arguments,
            } => self.send(target, *signal, arguments, statement.span),
            StatementKind::Assert(condition) => {
                let holds = self.holds(condition)?;
                journal::act(self.actor, || Action::Assert(holds));
                match holds {
                    true => Ok(()),
                    false => {
                        let message = "the assertion is false";
                        Err(self.fault(FaultKind::AssertionFailure, statement.span, message))
                    }
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.holds(condition)?;
                journal::act(self.actor, || Action::Condition(holds));
                self.block(if holds { then } else { otherwise })
            }
            StatementKind::For {
                variable,
                range,
                body,
            } => {
                for value in self.range(range, statement.span)? {
                    self.bind(variable.index(), value);
                    self.block(body)?;
                }
                Ok(())
            }
        }
    }

    /// Assignment (Ojala 2.2.3). A value that does not fit the type is a fault.
    pub(super) fn write(
        &mut self,
        location: Location,
        ty: &Type,
        value: Value,
        span: Span,
    ) -> Result<(), Halt> {
        self.write_by(Cause::Abstraction, location, ty, value, span)
    }

    /// The same; the cause is to blame if there are several ways to keep the value.
    fn write_by(
        &mut self,
        cause: Cause,
        location: Location,
        ty: &Type,
        value: Value,
        span: Span,
    ) -> Result<(), Halt> {
        let value = self.admit(cause, location.subject(), ty, value, span)?;
        journal::act(self.actor, || Action::Assign(location, value));
        self.forget(location);
        match location {
            Location::Local(slot) => self.frame[slot] = value,
            Location::Global { slot, .. } => self.configuration.set_global(slot, value),
            Location::Field { object, slot, .. } => {
                self.configuration.set_value(object, slot, value);
            }
        }
        Ok(())
    }

    fn admit(
        &mut self,
        cause: Cause,
        subject: Option<Subject>,
        ty: &Type,
        value: Value,
        span: Span,
    ) -> Result<Value, Halt> {
        let outcomes = self.precision.store(subject, ty, value);
        let picked = self.choices.pick(cause, outcomes.len());
        let admitted = outcomes.get(picked);
        admitted.ok_or_else(|| {
            let shown = self.model.show(value, ty);
            let message = match ty {
                Type::Int { low, high, .. } => format!("{shown} is outside {low}..{high}"),
                _ => format!("{shown} is negative"),
            };
            self.fault(FaultKind::ArithmeticFault, span, message)
        })
    }

    /// Ojala 2.2.2: the target is found, the message is formed, and goes to the end of the queue.
    fn send(
        &mut self,
        target: &Expr,
        signal: SignalId,
        arguments: &[Expr],
        span: Span,
    ) -> Result<(), Halt> {
        let target = match self.evaluate(target)?.reference() {
            Some(object) => object,
            None => {
                let message = "the target of this message is null";
                return Err(self.fault(FaultKind::ReferenceFault, target.span, message));
            }
        };
        let model = self.model;
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let ty = &model.signal(signal).parameters[index].1;
            let value = self.evaluate_for(ty, argument)?;
            let subject = Some(Subject::Parameter(signal, index));
            values.push(self.admit(cause_of(argument), subject, ty, value, argument.span)?);
        }
        let message = Message {
            signal,
            arguments: values.into(),
        };
        self.deliver(target, message, span)
    }

    /// At the capacity the policy of the inbox decides.
    fn deliver(&mut self, to: ObjectId, message: Message, span: Span) -> Result<(), Halt> {
        let inbox = self.inbox_of(to);
        let full = self.waiting(to) >= inbox.capacity;
        let lost = full && inbox.on_full == OnFull::Lose;
        match inbox.on_full {
            OnFull::Violate if full => {
                let (name, capacity) = (&self.model.object(to).name, inbox.capacity);
                let shown = self.model.show_message(&message);
                let text = format!("no room for {shown}: the inbox of {name} holds {capacity}");
                return Err(self.fault(FaultKind::Overflow, span, text));
            }
            OnFull::Block if full => return Err(Halt::Blocked),
            OnFull::Cut if full => return Err(Halt::Cut),
            _ => {}
        }
        journal::act(self.actor, || Action::Send {
            to,
            message: message.clone(),
            lost,
        });
        self.sent.push(Sent {
            to,
            message: message.clone(),
            lost,
        });
        if !lost {
            self.enqueue(to, message);
        }
        Ok(())
    }

    pub(super) fn enqueue(&mut self, to: ObjectId, message: Message) {
        self.change_queue(to, QueueChange::Push(to, message));
    }

    /// The settings of the queue in which messages for an object wait.
    pub(super) fn inbox_of(&self, object: ObjectId) -> Inbox {
        let object = self.model.object(object);
        let thread = self.model.threads.get(object.thread.index());
        thread.map_or(object.inbox, |thread| thread.inbox)
    }

    /// How many messages that queue holds, those set aside included.
    pub(super) fn waiting(&self, object: ObjectId) -> usize {
        let queue = queue_of(self.model, object);
        self.configuration.waiting(self.model, queue)
    }

    pub(super) fn has_room(&self, object: ObjectId) -> bool {
        self.waiting(object) < self.inbox_of(object).capacity
    }
}
