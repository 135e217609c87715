//! The file and its items.

use super::elements::{self, initial_span, initial_value};
use super::expressions::{expr, exprs, joined, ty};
use super::lines::{Lines, limits};
use super::lists::{Close, List, Piece};
use crate::lang::parser::words::FAULTS;
use crate::lang::syntax::{
    Abstraction, AbstractionSubject, Allow, Domain, Expr, ExprKind, File, Inbox, Initial, Item,
    ItemKind, Name, Object, ObjectName, Parameter, Property, PropertyBody, Signal, Signals, Span,
};

pub fn file(lines: &mut Lines, file: &File) {
    let first = file.items.first().map_or(u32::MAX, |item| item.span.start);
    if let Some(name) = &file.system {
        lines.before(name.span.end);
        lines.line(&format!("system {};", name.text), first);
    }
    let limits = limits(file.items.iter().map(|item| item.span.start), u32::MAX);
    let mut previous: Option<(&Item, bool)> = None;
    for (item, limit) in file.items.iter().zip(limits) {
        let start = lines.length();
        lines.before(head_end(item));
        let head = lines.length();
        self::item(lines, item, limit);
        let is_long = lines.is_long_from(head);
        let apart = |(before, was_long): (&Item, bool)| {
            !is_same_kind(before, item) || was_long || is_long || head > start
        };
        if previous.map_or(start > 0, apart) {
            lines.blank_at(start);
        }
        previous = Some((item, is_long));
    }
}

fn is_same_kind(one: &Item, other: &Item) -> bool {
    std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
}

/// Comments that start before this place go before the item.
fn head_end(item: &Item) -> u32 {
    match &item.kind {
        ItemKind::Class(class) => class.name.span.end,
        ItemKind::Object(object) if !object.initial.is_empty() => object.class.span.end,
        ItemKind::Abstraction(_) => item.span.start,
        _ => list(item).map_or(item.span.end, |list| list.head_end()),
    }
}

/// Those items that are lists.
fn list(item: &Item) -> Option<List> {
    let braces = |name: &Name| {
        Close::Braces(Span {
            start: name.span.end,
            end: item.span.end,
        })
    };
    match &item.kind {
        ItemKind::Enum { name, literals } => {
            let pieces = literals.iter().map(Piece::name).collect();
            Some(List {
                head: format!("enum {}", name.text),
                pieces,
                close: braces(name),
            })
        }
        ItemKind::Thread { name, objects } => {
            let piece = |object: &ObjectName| Piece {
                text: object_name(object),
                span: object.name.span,
            };
            let pieces = objects.iter().map(piece).collect();
            Some(List {
                head: format!("thread {}", name.text),
                pieces,
                close: braces(name),
            })
        }
        ItemKind::Signals(signals) => Some(self::signals(signals)),
        ItemKind::Global(variable) => Some(elements::variable(variable)),
        _ => None,
    }
}

fn item(lines: &mut Lines, item: &Item, limit: u32) {
    let text = match &item.kind {
        ItemKind::Const { name, value } => format!("const {} = {};", name.text, expr(value)),
        ItemKind::Class(class) => {
            lines.begin(&format!("class {} {{", class.name.text));
            elements::body(lines, &class.body, item.span.end);
            return lines.end(limit);
        }
        ItemKind::Object(object) => return self::object(lines, object, item.span, limit),
        ItemKind::Inbox(inbox) => self::inbox(inbox),
        ItemKind::Semantics { kind, options } => {
            let with = if options.is_empty() { "" } else { " with " };
            format!("semantics {}{with}{};", kind.text, names(options))
        }
        ItemKind::Environment { kind } => format!("environment {};", kind.text),
        ItemKind::Allow(allowed) => format!("allow {};", joined(allowed.iter().map(allow))),
        ItemKind::Property(property) => self::property(property),
        ItemKind::Abstraction(abstracted) => {
            return abstraction(lines, abstracted, item.span, limit);
        }
        _ => {
            if let Some(list) = list(item) {
                list.write(lines, limit);
            }
            return;
        }
    };
    lines.line(&text, limit);
}

fn names(names: &[Name]) -> String {
    joined(names.iter().map(|name| name.text.clone()))
}

fn object_name(object: &ObjectName) -> String {
    indexed(&object.name, object.index.as_ref())
}

fn indexed(name: &Name, index: Option<&Expr>) -> String {
    match index {
        Some(index) => format!("{}[{}]", name.text, expr(index)),
        None => name.text.clone(),
    }
}

fn object_names(objects: &[ObjectName]) -> String {
    joined(objects.iter().map(object_name))
}

fn signals(signals: &Signals) -> List {
    let head = if signals.external {
        "external signal"
    } else {
        "signal"
    };
    let tail = match signals.receivers.as_slice() {
        [] => String::new(),
        receivers => format!(" to {}", object_names(receivers)),
    };
    List {
        head: head.to_string(),
        pieces: signals.signals.iter().map(signal).collect(),
        close: Close::Semicolon(tail),
    }
}

fn signal(signal: &Signal) -> Piece {
    let Some(last) = signal.parameters.last() else {
        return Piece::name(&signal.name);
    };
    let parameter =
        |parameter: &Parameter| format!("{} {}", ty(&parameter.ty), parameter.name.text);
    let parameters = joined(signal.parameters.iter().map(parameter));
    Piece {
        text: format!("{}({parameters})", signal.name.text),
        span: signal.name.span.to(last.name.span),
    }
}

fn object(lines: &mut Lines, object: &Object, span: Span, limit: u32) {
    let declared = joined(
        object
            .declared
            .iter()
            .map(|(name, length)| indexed(name, length.as_ref())),
    );
    let head = format!("object {declared}: {}", object.class.text);
    let initialised =
        |(name, value): &(Name, Initial)| format!("{} = {};", name.text, initial_value(value));
    let values: Vec<String> = object.initial.iter().map(initialised).collect();
    if values.is_empty() {
        return lines.line(&format!("{head};"), limit);
    }
    let flat = format!("{head} {{ {} }}", values.join(" "));
    let inside = Span {
        start: object.class.span.end,
        end: span.end,
    };
    if lines.fits(&flat) && !lines.has_comment_in(inside) {
        return lines.line(&flat, limit);
    }
    lines.begin(&format!("{head} {{"));
    lines.end(
        object
            .initial
            .first()
            .map_or(span.end, |(name, _)| name.span.start),
    );
    lines.indented(|lines| object_lines(lines, object, &values, span.end));
    lines.line("}", limit);
}

fn object_lines(lines: &mut Lines, object: &Object, values: &[String], end: u32) {
    let limits = limits(object.initial.iter().map(|(name, _)| name.span.start), end);
    for (((name, value), text), limit) in object.initial.iter().zip(values).zip(limits) {
        lines.before(initial_span(value, name).end);
        lines.line(text, limit);
    }
    lines.before(end);
}

fn inbox(inbox: &Inbox) -> String {
    let owners = match inbox.owners.as_slice() {
        [] => "*".to_string(),
        owners => object_names(owners),
    };
    let policy = inbox
        .on_full
        .as_ref()
        .map(|policy| format!(" on_full {}", policy.text));
    format!(
        "inbox {owners} capacity {}{};",
        expr(&inbox.capacity),
        policy.unwrap_or_default()
    )
}

fn allow(allow: &Allow) -> String {
    match allow.of.as_slice() {
        [] => allow.fault.text.clone(),
        of => format!("{} of ({})", allow.fault.text, names(of)),
    }
}

pub fn property(property: &Property) -> String {
    let body = match &property.body {
        PropertyBody::Always(condition) => format!("always {}", expr(condition)),
        PropertyBody::Never(condition) => format!("never {}", never(condition)),
        PropertyBody::NeverFault { fault, of } if of.is_empty() => format!("never {}", fault.text),
        PropertyBody::NeverFault { fault, of } => {
            format!("never {} of {}", fault.text, object_names(of))
        }
        PropertyBody::Ltl(formula) => format!("ltl {}", expr(formula)),
    };
    let level = property
        .level
        .as_ref()
        .map(|level| format!(" at {}", level.text));
    format!(
        "property {} : {body}{};",
        property.name.text,
        level.unwrap_or_default()
    )
}

/// A variable that is called like a fault has parentheses: `never (deadlock)`.
fn never(condition: &Expr) -> String {
    match &condition.kind {
        ExprKind::Name(name) if FAULTS.contains(&name.as_str()) => format!("({name})"),
        _ => expr(condition),
    }
}

fn abstraction(lines: &mut Lines, abstracted: &[Abstraction], span: Span, limit: u32) {
    lines.begin("abstraction {");
    lines.end(
        abstracted
            .first()
            .map_or(span.end, |first| first.span.start),
    );
    let limits = limits(abstracted.iter().map(|one| one.span.start), span.end);
    lines.indented(|lines| {
        for (one, limit) in abstracted.iter().zip(limits) {
            lines.before(one.span.end);
            lines.line(
                &format!("{} : {};", subject(&one.subject), domain(&one.domain)),
                limit,
            );
        }
        lines.before(span.end);
    });
    lines.line("}", limit);
}

fn subject(subject: &AbstractionSubject) -> String {
    match subject {
        AbstractionSubject::Global(name) => name.text.clone(),
        AbstractionSubject::Member(owner, name) => format!("{}.{}", owner.text, name.text),
        AbstractionSubject::All(owner) => format!("{}.*", owner.text),
        AbstractionSubject::Everything => "*".to_string(),
    }
}

fn domain(domain: &Domain) -> String {
    match domain {
        Domain::Intervals(intervals) => {
            format!("intervals({})", joined(intervals.iter().map(interval)))
        }
        Domain::Values(values) => format!("values({})", exprs(values)),
        Domain::Range(low, high) => format!("range({}..{})", expr(low), expr(high)),
        Domain::Modulo(modulus) => format!("modulo({})", expr(modulus)),
        Domain::Timer(bound) => format!("timer({})", expr(bound)),
        Domain::Sign => "sign".to_string(),
        Domain::Parity => "parity".to_string(),
        Domain::Any => "any".to_string(),
        Domain::Exact => "exact".to_string(),
        Domain::Auto => "auto".to_string(),
        Domain::Both(one, other) => format!("{} && {}", self::domain(one), self::domain(other)),
    }
}

fn interval((low, high): &(Option<Expr>, Option<Expr>)) -> String {
    if let (Some(low), Some(high)) = (low, high)
        && low == high
    {
        return expr(low);
    }
    let end = |end: &Option<Expr>| end.as_ref().map(expr).unwrap_or_default();
    format!("{}..{}", end(low), end(high))
}
