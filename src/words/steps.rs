//! Steps and values in the words of the model.

use crate::csm::{Configuration, Event, Origin, Successor};
use crate::lang::{
    Branch, ChoiceId, Message, Model, ObjectId, Span, Transition, Type, Value, Variable,
};
use crate::system::Target;

/// Who did what, in one line.
pub fn headline(model: &Model, event: &Event) -> String {
    let name = |object: &ObjectId| model.object(*object).name.as_str();
    let shown = |message: &Message| model.show_message(message);
    let from = |origin: &Origin| match origin {
        Origin::Inbox => "",
        Origin::Environment => " from the environment",
    };
    match event {
        Event::Start => "the system starts".to_owned(),
        Event::Fire {
            object,
            message: None,
            ..
        } => format!("{} moves", name(object)),
        Event::Fire {
            object,
            message: Some(message),
            origin,
            ..
        } => {
            format!(
                "{} receives {}{}",
                name(object),
                shown(message),
                from(origin)
            )
        }
        Event::Consume {
            object,
            message,
            origin,
        } => {
            let (name, shown, from) = (name(object), shown(message), from(origin));
            format!("{name} discards {shown}{from}: nothing receives it")
        }
        Event::Defer {
            object,
            message,
            origin,
        } => {
            format!("{} defers {}{}", name(object), shown(message), from(origin))
        }
        Event::Environment { object, message } => {
            format!(
                "the environment sends {} to {}",
                shown(message),
                name(object)
            )
        }
        Event::Dispatch {
            object,
            message,
            origin,
        } => {
            format!(
                "{} is given {}{}",
                name(object),
                shown(message),
                from(origin)
            )
        }
        Event::EndOfStep { object } => format!("{} has completed its step", name(object)),
        Event::Whole(parts) => {
            let first = parts.first().map(|part| headline(model, &part.event));
            format!("{}, and completes its step", first.unwrap_or_default())
        }
    }
}

/// A possible step in words.
pub struct StepWords {
    /// Who does what.
    pub summary: String,
    pub labels: Vec<String>,
    /// What `choose` gives.
    pub chosen: Vec<String>,
}

pub fn step_words(model: &Model, successor: &Successor) -> StepWords {
    let event = &successor.step.event;
    let labels = labels(model, event, &successor.branches).into_iter();
    let chosen = successor.chosen.iter();
    let rest = match successor.result {
        Target::Truncated => ", in more ways than can be shown",
        _ => "",
    };
    StepWords {
        summary: headline(model, event) + rest,
        labels: labels.map(str::to_owned).collect(),
        chosen: chosen.map(|(value, ty)| model.show(*value, ty)).collect(),
    }
}

/// The labels of the transitions that a step takes, then of its branches at choices.
pub fn labels<'m>(model: &'m Model, event: &Event, branches: &[(ChoiceId, usize)]) -> Vec<&'m str> {
    let taken = taken(model, event).into_iter().map(|t| t.label.as_str());
    let passed = passed(model, event, branches);
    taken
        .chain(passed.map(|branch| branch.label.as_str()))
        .collect()
}

/// Where these transitions and branches are in the text of the model.
pub fn spans(model: &Model, event: &Event, branches: &[(ChoiceId, usize)]) -> Vec<Span> {
    let taken = taken(model, event).into_iter().map(|t| t.span);
    let passed = passed(model, event, branches);
    taken.chain(passed.map(|branch| branch.span)).collect()
}

fn taken<'m>(model: &'m Model, event: &Event) -> Vec<&'m Transition> {
    match event {
        Event::Fire {
            object,
            transitions,
            ..
        } => {
            let machine = model.machine_of(*object);
            let transitions = transitions.iter().map(|id| machine.transition(*id));
            transitions.collect()
        }
        Event::Whole(parts) => parts
            .iter()
            .flat_map(|part| taken(model, &part.event))
            .collect(),
        _ => Vec::new(),
    }
}

fn passed<'m>(
    model: &'m Model,
    event: &Event,
    branches: &[(ChoiceId, usize)],
) -> impl Iterator<Item = &'m Branch> {
    let machine = event.object().map(|object| model.machine_of(object));
    let passed = branches.iter().filter_map(move |(id, index)| {
        let choice = machine?.choice(*id);
        Some(&choice.branches[*index])
    });
    passed.collect::<Vec<_>>().into_iter()
}

/// The innermost active states of an object: `Working.Open and Quiet`.
pub fn active(model: &Model, configuration: &Configuration, object: ObjectId) -> String {
    let machine = model.machine_of(object);
    let active = configuration.object(object).active_states(machine);
    let leaves = active
        .iter()
        .filter(|id| machine.state(**id).regions.is_empty());
    let names: Vec<&str> = leaves.map(|id| machine.state(*id).path.as_str()).collect();
    names.join(" and ")
}

/// One value of a variable, with its place.
pub struct Shown {
    pub name: String,
    pub value: Value,
    pub ty: Type,
}

/// All variables with their values; objects' variables with a prefix, arrays element by element.
pub fn variables(model: &Model, configuration: &Configuration) -> Vec<Shown> {
    let mut all = shown("", &model.globals, &configuration.globals);
    for object in model.object_ids() {
        let prefix = format!("{}.", model.object(object).name);
        let declared = &model.class_of(object).variables;
        all.extend(shown(
            &prefix,
            declared,
            &configuration.object(object).values,
        ));
    }
    all
}

fn shown(prefix: &str, declared: &[Variable], values: &[Value]) -> Vec<Shown> {
    let mut all = Vec::new();
    for variable in declared {
        for index in 0..variable.ty.length() {
            let name = match variable.ty {
                Type::Array(..) => format!("{prefix}{}[{index}]", variable.name),
                _ => format!("{prefix}{}", variable.name),
            };
            all.push(Shown {
                name,
                value: values[variable.offset + index],
                ty: variable.ty.element().clone(),
            });
        }
    }
    all
}

/// What differs between two configurations: name, before, after.
pub fn changes(
    model: &Model,
    before: &Configuration,
    after: &Configuration,
) -> Vec<(String, String, String)> {
    let pairs = variables(model, before)
        .into_iter()
        .zip(variables(model, after));
    let changed = pairs.filter(|(before, after)| before.value != after.value);
    changed
        .map(|(before, after)| {
            let old = model.show(before.value, &before.ty);
            let new = model.show(after.value, &after.ty);
            (before.name, old, new)
        })
        .collect()
}

/// The messages that wait for an object, those set aside last.
pub fn waiting(
    model: &Model,
    configuration: &Configuration,
    object: ObjectId,
) -> (Vec<String>, Vec<String>) {
    let state = configuration.object(object);
    let thread = configuration
        .threads
        .get(model.object(object).thread.index());
    let in_thread = thread.iter().flat_map(|thread| &thread.queue);
    let in_thread = in_thread
        .filter(|(to, _)| *to == object)
        .map(|(_, message)| message);
    let queued = state
        .inbox
        .iter()
        .chain(in_thread)
        .map(|message| model.show_message(message));
    let deferred = state
        .deferred
        .iter()
        .map(|message| model.show_message(message));
    (queued.collect(), deferred.collect())
}

/// The active states of an object, and its messages.
pub fn object_line(model: &Model, configuration: &Configuration, object: ObjectId) -> String {
    let name = &model.object(object).name;
    let mut line = format!("{name} in {}", active(model, configuration, object));
    let (queued, deferred) = waiting(model, configuration, object);
    if !queued.is_empty() {
        line += &format!(", inbox: {}", queued.join(" "));
    }
    if !deferred.is_empty() {
        line += &format!(", deferred: {}", deferred.join(" "));
    }
    if let Some(message) = &configuration.object(object).dispatched {
        line += &format!(", given: {}", model.show_message(message));
    }
    line
}
