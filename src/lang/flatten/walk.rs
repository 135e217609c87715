//! Visits every expression of a piece of syntax, inner ones first, to change it or to look at it.

use crate::lang::syntax::{
    Block, Class, Element, ElementKind, Expr, ExprKind, File, Guard, Initial, ItemKind, Label,
    PropertyBody, Range, SignalAt, Statement, StatementKind, Type, TypeKind, Variable,
};

type Visit<'v> = dyn FnMut(&mut Expr) + 'v;

pub fn file(file: &mut File, visit: &mut Visit) {
    for item in &mut file.items {
        match &mut item.kind {
            ItemKind::Global(variable) => self::variable(variable, visit),
            ItemKind::Class(class) => self::class(class, visit),
            ItemKind::Object(object) => {
                let values = object.initial.iter_mut();
                values.for_each(|(_, value)| initial(value, visit));
            }
            ItemKind::Property(property) => match &mut property.body {
                PropertyBody::Always(condition)
                | PropertyBody::Never(condition)
                | PropertyBody::Ltl(condition) => expr(condition, visit),
                PropertyBody::NeverFault { .. } => {}
            },
            // What stands in these is a constant, and asks no object for anything.
            ItemKind::Const { .. }
            | ItemKind::Enum { .. }
            | ItemKind::Signals(_)
            | ItemKind::Inbox(_)
            | ItemKind::Thread { .. }
            | ItemKind::Semantics { .. }
            | ItemKind::Environment { .. }
            | ItemKind::Allow(_)
            | ItemKind::Abstraction(_) => {}
        }
    }
}

fn class(class: &mut Class, visit: &mut Visit) {
    elements(&mut class.body, visit);
}

fn elements(body: &mut [Element], visit: &mut Visit) {
    for element in body {
        match &mut element.kind {
            ElementKind::Variable(variable) => self::variable(variable, visit),
            ElementKind::Initial { effect, .. } => {
                effect.iter_mut().for_each(|effect| block(effect, visit));
            }
            ElementKind::State { body, .. } => {
                body.iter_mut().for_each(|body| elements(body, visit));
            }
            ElementKind::Region { body, .. } => elements(body, visit),
            ElementKind::Transition { label, .. } | ElementKind::Internal(label) => {
                self::label(label, visit);
            }
            ElementKind::Entry(effect) | ElementKind::Exit(effect) => block(effect, visit),
            ElementKind::Vertices { .. }
            | ElementKind::Defer(_)
            | ElementKind::Ignore(_)
            | ElementKind::History { .. }
            | ElementKind::NoFlush => {}
        }
    }
}

fn variable(variable: &mut Variable, visit: &mut Visit) {
    ty(&mut variable.ty, visit);
    for (_, value) in &mut variable.declared {
        value.iter_mut().for_each(|value| initial(value, visit));
    }
}

fn initial(initial: &mut Initial, visit: &mut Visit) {
    match initial {
        Initial::Value(value) => expr(value, visit),
        Initial::List(values) => values.iter_mut().for_each(|value| expr(value, visit)),
    }
}

fn ty(ty: &mut Type, visit: &mut Visit) {
    match &mut ty.kind {
        TypeKind::Range(low, high) => {
            expr(low, visit);
            expr(high, visit);
        }
        TypeKind::Wrap(inner) => self::ty(inner, visit),
        TypeKind::Array(element, length) => {
            self::ty(element, visit);
            expr(length, visit);
        }
        TypeKind::Int | TypeKind::Bool | TypeKind::Nat | TypeKind::Integer | TypeKind::Named(_) => {
        }
    }
}

fn label(label: &mut Label, visit: &mut Visit) {
    if let Some(Guard::Condition(condition)) = &mut label.guard {
        expr(condition, visit);
    }
    label
        .effect
        .iter_mut()
        .for_each(|effect| block(effect, visit));
}

pub fn block(block: &mut Block, visit: &mut Visit) {
    for statement in &mut block.statements {
        self::statement(statement, visit);
    }
}

pub fn statement(statement: &mut Statement, visit: &mut Visit) {
    match &mut statement.kind {
        StatementKind::Local { ty, value, .. } => {
            self::ty(ty, visit);
            value.iter_mut().for_each(|value| expr(value, visit));
        }
        StatementKind::Assign { place, value, .. } => {
            expr(place, visit);
            expr(value, visit);
        }
        StatementKind::Send {
            target, arguments, ..
        } => {
            expr(target, visit);
            arguments
                .iter_mut()
                .for_each(|argument| expr(argument, visit));
        }
        StatementKind::Assert(condition) => expr(condition, visit),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => {
            expr(condition, visit);
            block(then, visit);
            otherwise.iter_mut().for_each(|other| block(other, visit));
        }
        StatementKind::For { range, body, .. } => {
            self::range(range, visit);
            block(body, visit);
        }
    }
}

fn range(range: &mut Range, visit: &mut Visit) {
    match range {
        Range::Numbers(low, high) => {
            expr(low, visit);
            expr(high, visit);
        }
        Range::Elements(array) => expr(array, visit),
    }
}

pub fn expr(expr: &mut Expr, visit: &mut Visit) {
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::SelfReference
        | ExprKind::Name(_) => {}
        ExprKind::Field(inner, _)
        | ExprKind::Unary(_, inner)
        | ExprKind::InState(inner, _)
        | ExprKind::Enabled(inner)
        | ExprKind::Idle(inner) => self::expr(inner, visit),
        ExprKind::Element(one, other)
        | ExprKind::Binary(_, one, other)
        | ExprKind::ChooseRange(one, other) => {
            self::expr(one, visit);
            self::expr(other, visit);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            self::expr(condition, visit);
            self::expr(then, visit);
            self::expr(otherwise, visit);
        }
        ExprKind::ChooseSet(options) => {
            options
                .iter_mut()
                .for_each(|option| self::expr(option, visit));
        }
        ExprKind::Quantified { range, body, .. } => {
            self::range(range, visit);
            self::expr(body, visit);
        }
        ExprKind::Queued(at) => signal_at(at, visit),
        ExprKind::QueuedBefore(first, second) => {
            signal_at(first, visit);
            signal_at(second, visit);
        }
        ExprKind::Action {
            signal, condition, ..
        } => {
            signal_at(signal, visit);
            condition
                .iter_mut()
                .for_each(|condition| self::expr(condition, visit));
        }
    }
    visit(expr);
}

fn signal_at(at: &mut SignalAt, visit: &mut Visit) {
    at.object
        .iter_mut()
        .for_each(|object| self::expr(object, visit));
}
