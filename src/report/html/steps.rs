//! A run for the page: each step in words, and what it changed. The page adds the changes up.

use serde::Serialize;

use super::delivery::{Delivery, deliveries, sent, taken};
use super::scene::line;
use crate::csm::{Configuration, Event, Origin};
use crate::evidence::{StepRecord, Trace, TraceStep};
use crate::lang::{Message, Model, ObjectId, SourceFile, TransitionId};
use crate::report::narrative::{blamed, conclusion};
use crate::words::{Shown, active, headline, labels, spans, variables, waiting};

#[derive(Serialize)]
pub struct RunView {
    /// One of the properties of the scene.
    pub property: Option<usize>,
    /// What is wrong at its end.
    pub sentence: Option<String>,
    /// The line to blame.
    pub line: Option<usize>,
    pub steps: Vec<StepView>,
}

#[derive(Serialize)]
pub struct StepView {
    /// Who did what.
    pub summary: String,
    /// As in `StepRecord`.
    pub event: String,
    /// Who acts; none at the start.
    pub object: Option<u32>,
    /// In the words of the model.
    pub labels: Vec<String>,
    /// Transitions of the object's class.
    pub transitions: Vec<u32>,
    /// Branches at its choices: choice, number.
    pub branches: Vec<(u32, usize)>,
    /// Where they stand in the source.
    pub lines: Vec<usize>,
    pub chosen: Vec<String>,
    pub taken: Option<TakenView>,
    pub sent: Vec<SentView>,
    /// What it did wrong.
    pub fault: Option<String>,
    /// There is nothing after it.
    pub failed: bool,
    /// Objects that are not as before; at the start, all.
    pub objects: Vec<(u32, ObjectView)>,
    /// Variables that are not as before, by their number; at the start, all.
    pub variables: Vec<(u32, String)>,
}

#[derive(Serialize)]
pub struct TakenView {
    pub message: String,
    pub from_environment: bool,
    /// The step that sent it, or set it aside.
    pub sent_at: Option<usize>,
}

#[derive(Serialize)]
pub struct SentView {
    pub to: u32,
    pub message: String,
    pub lost: bool,
    pub taken_at: Option<usize>,
}

#[derive(PartialEq, Eq, Serialize)]
pub struct ObjectView {
    /// All active states, and the innermost ones in words.
    pub states: Vec<u32>,
    pub active: String,
    pub inbox: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deferred: Vec<String>,
    /// The message that it was given and has not used yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// Inside a run-to-completion step.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub busy: bool,
}

pub fn run_view(source: &SourceFile, model: &Model, trace: &Trace) -> RunView {
    let steps = deliveries(trace).into_iter().enumerate();
    let violated = trace.violates.as_ref();
    let place = violated.and_then(|(property, fault)| blamed(model, *property, fault.as_ref()));
    RunView {
        property: violated.map(|(property, _)| *property),
        sentence: violated
            .map(|(property, fault)| conclusion(source, model, *property, fault.as_ref())),
        line: place.map(|span| line(source, span)),
        steps: steps
            .map(|(index, delivery)| step_view(source, model, trace, index, &delivery))
            .collect(),
    }
}

fn step_view(
    source: &SourceFile,
    model: &Model,
    trace: &Trace,
    index: usize,
    delivery: &Delivery,
) -> StepView {
    let step = &trace.steps[index];
    let event = &step.step.event;
    let before = trace.before(index);
    let known = (index > 0).then_some(before);
    let words = labels(model, event, &step.branches);
    let shown = step.chosen.iter().map(|(value, ty)| model.show(*value, ty));
    let places = spans(model, event, &step.branches).into_iter();
    let fault = step.fault.as_ref().and_then(|fault| fault.span);
    let mut lines: Vec<usize> = places.chain(fault).map(|span| line(source, span)).collect();
    lines.dedup();
    StepView {
        summary: headline(model, event),
        event: StepRecord::of(model, &step.step).event,
        object: event.object().map(|object| object.0),
        labels: words.into_iter().map(str::to_owned).collect(),
        transitions: transitions(event).iter().map(|id| id.0).collect(),
        branches: step.branches.iter().map(|(id, n)| (id.0, *n)).collect(),
        lines,
        chosen: shown.collect(),
        taken: taken_view(model, before, event, delivery),
        sent: sent_views(model, step, delivery),
        fault: step.fault.as_ref().map(|fault| fault.message.clone()),
        failed: step.after.is_none(),
        objects: match &step.after {
            Some(after) => changed_objects(model, known, after),
            None => Vec::new(),
        },
        variables: match &step.after {
            Some(after) => changed_variables(model, known, after),
            None => Vec::new(),
        },
    }
}

pub fn transitions(event: &Event) -> Vec<TransitionId> {
    match event {
        Event::Fire { transitions, .. } => transitions.clone(),
        Event::Whole(parts) => parts.iter().flat_map(|p| transitions(&p.event)).collect(),
        _ => Vec::new(),
    }
}

fn taken_view(
    model: &Model,
    before: &Configuration,
    event: &Event,
    delivery: &Delivery,
) -> Option<TakenView> {
    let from_environment = environment_message(event);
    let message = match taken(before, event) {
        Some((_, message)) => model.show_message(message),
        None => model.show_message(from_environment?),
    };
    Some(TakenView {
        message,
        from_environment: from_environment.is_some(),
        sent_at: delivery.sent_at,
    })
}

/// What came straight from the environment.
fn environment_message(event: &Event) -> Option<&Message> {
    let (_, message, origin) = event.occasion()?;
    (origin == Origin::Environment).then_some(message)
}

fn sent_views(model: &Model, step: &TraceStep, delivery: &Delivery) -> Vec<SentView> {
    let sent = sent(step).into_iter().zip(&delivery.taken_at).enumerate();
    let view =
        |(number, ((to, message), taken_at)): (usize, ((ObjectId, _), &Option<usize>))| SentView {
            to: to.0,
            message: model.show_message(message),
            lost: step.sent.get(number).is_some_and(|sent| sent.lost),
            taken_at: *taken_at,
        };
    sent.map(view).collect()
}

fn changed_objects(
    model: &Model,
    before: Option<&Configuration>,
    after: &Configuration,
) -> Vec<(u32, ObjectView)> {
    let all = model.object_ids().map(|id| {
        let old = before.map(|before| object_view(model, before, id));
        (id.0, old, object_view(model, after, id))
    });
    let changed = all.filter(|(_, old, new)| old.as_ref() != Some(new));
    changed.map(|(id, _, new)| (id, new)).collect()
}

fn object_view(model: &Model, configuration: &Configuration, id: ObjectId) -> ObjectView {
    let state = configuration.object(id);
    let active_states = state.active_states(model.machine_of(id));
    let (inbox, deferred) = waiting(model, configuration, id);
    let running = configuration.threads.iter().map(|thread| thread.running);
    ObjectView {
        states: active_states.iter().map(|state| state.0).collect(),
        active: active(model, configuration, id),
        inbox,
        deferred,
        given: state.dispatched.as_ref().map(|m| model.show_message(m)),
        busy: running.flatten().any(|running| running == id),
    }
}

fn changed_variables(
    model: &Model,
    before: Option<&Configuration>,
    after: &Configuration,
) -> Vec<(u32, String)> {
    let old = before.map(|before| variables(model, before));
    let new = variables(model, after).into_iter().enumerate();
    let is_new = |(index, shown): &(usize, Shown)| {
        old.as_ref()
            .is_none_or(|old| old[*index].value != shown.value)
    };
    let changed = new.filter(is_new);
    changed
        .map(|(index, shown)| (index as u32, model.show(shown.value, &shown.ty)))
        .collect()
}
