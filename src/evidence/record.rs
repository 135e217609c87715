//! Steps in a form that can be written down and read again: names instead of numbers.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::csm::{Event, Origin, Step};
use crate::lang::{Message, Model, ObjectId, TransitionId, Type, Value};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// `start`, `fire`, `consume`, `defer`, `environment`, `dispatch`, `end_of_step` or `whole`.
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Transitions by their number in the class, in the order in which they are taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageRecord>,
    /// The message came straight from the environment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_environment: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// The parts of a whole run-to-completion step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<StepRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    pub signal: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Json>,
}

/// A record that does not fit the model, with what does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError(pub String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

impl StepRecord {
    pub fn of(model: &Model, step: &Step) -> StepRecord {
        let name = |object: ObjectId| Some(model.object(object).name.clone());
        let written = |message: &Message| Some(MessageRecord::of(model, message));
        let mut record = StepRecord {
            choices: step.choices.clone(),
            ..StepRecord::default()
        };
        record.object = match &step.event {
            Event::Whole(_) => None,
            event => event.object().and_then(name),
        };
        record.event = event_name(&step.event).to_owned();
        if let Event::Fire { transitions, .. } = &step.event {
            record.transitions = transitions.iter().map(|id| id.0).collect();
        }
        match &step.event {
            Event::Environment { message, .. } => record.message = written(message),
            Event::Whole(parts) => {
                let parts = parts.iter().map(|part| StepRecord::of(model, part));
                record.parts = parts.collect();
            }
            event => {
                let occasion = event.occasion();
                record.message = occasion.and_then(|(_, message, _)| written(message));
                record.from_environment =
                    occasion.is_some_and(|(.., origin)| origin == Origin::Environment);
            }
        }
        record
    }

    pub fn to_step(&self, model: &Model) -> Result<Step, RecordError> {
        let event = match self.event.as_str() {
            "start" => Event::Start,
            "end_of_step" => Event::EndOfStep {
                object: self.object(model)?,
            },
            "whole" => {
                let parts = self.parts.iter().map(|part| part.to_step(model));
                Event::Whole(parts.collect::<Result<_, _>>()?)
            }
            _ => self.message_event(model)?,
        };
        Ok(Step {
            event,
            choices: self.choices.clone(),
        })
    }

    fn message_event(&self, model: &Model) -> Result<Event, RecordError> {
        let object = self.object(model)?;
        let origin = match self.from_environment {
            true => Origin::Environment,
            false => Origin::Inbox,
        };
        let message = self
            .message
            .as_ref()
            .map(|message| message.to_message(model))
            .transpose()?;
        if self.event == "fire" {
            let transitions = self
                .transitions
                .iter()
                .map(|id| TransitionId(*id))
                .collect();
            return Ok(Event::Fire {
                object,
                transitions,
                message,
                origin,
            });
        }
        let missing = || RecordError(format!("step `{}` has no message", self.event));
        let message = message.ok_or_else(missing)?;
        match self.event.as_str() {
            "consume" => Ok(Event::Consume {
                object,
                message,
                origin,
            }),
            "defer" => Ok(Event::Defer {
                object,
                message,
                origin,
            }),
            "dispatch" => Ok(Event::Dispatch {
                object,
                message,
                origin,
            }),
            "environment" => Ok(Event::Environment { object, message }),
            other => Err(RecordError(format!("there is no event `{other}`"))),
        }
    }

    fn object(&self, model: &Model) -> Result<ObjectId, RecordError> {
        let missing = || RecordError(format!("step `{}` has no object", self.event));
        object_named(model, self.object.as_ref().ok_or_else(missing)?)
    }
}

fn event_name(event: &Event) -> &'static str {
    match event {
        Event::Start => "start",
        Event::Fire { .. } => "fire",
        Event::Consume { .. } => "consume",
        Event::Defer { .. } => "defer",
        Event::Environment { .. } => "environment",
        Event::Dispatch { .. } => "dispatch",
        Event::EndOfStep { .. } => "end_of_step",
        Event::Whole(_) => "whole",
    }
}

fn object_named(model: &Model, name: &str) -> Result<ObjectId, RecordError> {
    let position = model.objects.iter().position(|object| object.name == name);
    let unknown = || RecordError(format!("the model has no object `{name}`"));
    position.map(ObjectId::new).ok_or_else(unknown)
}

impl MessageRecord {
    pub fn of(model: &Model, message: &Message) -> MessageRecord {
        let signal = model.signal(message.signal);
        let typed = message.arguments.iter().zip(&signal.parameters);
        MessageRecord {
            signal: signal.name.clone(),
            arguments: typed
                .map(|(value, (_, ty))| to_json(model, *value, ty))
                .collect(),
        }
    }

    fn to_message(&self, model: &Model) -> Result<Message, RecordError> {
        let position = model
            .signals
            .iter()
            .position(|signal| signal.name == self.signal);
        let unknown = || RecordError(format!("the model has no signal `{}`", self.signal));
        let signal = crate::lang::SignalId::new(position.ok_or_else(unknown)?);
        let types = &model.signal(signal).parameters;
        if types.len() != self.arguments.len() {
            let (name, count) = (&self.signal, types.len());
            return Err(RecordError(format!("`{name}` needs {count} arguments")));
        }
        let typed = self.arguments.iter().zip(types);
        let arguments = typed.map(|(json, (_, ty))| from_json(model, json, ty));
        let arguments = arguments.collect::<Result<_, _>>()?;
        Ok(Message { signal, arguments })
    }
}

/// Numbers and truth values as they are; literals and objects by name; `null`.
pub(crate) fn to_json(model: &Model, value: Value, ty: &Type) -> Json {
    match value {
        Value::Int(number) => Json::from(number),
        Value::Bool(truth) => Json::from(truth),
        Value::Reference(None) => Json::Null,
        _ => Json::from(model.show(value, ty)),
    }
}

fn from_json(model: &Model, json: &Json, ty: &Type) -> Result<Value, RecordError> {
    let value = match (json, ty.element()) {
        (Json::Null, ty) if ty.is_reference() => Some(Value::Reference(None)),
        (Json::Bool(truth), Type::Bool) => Some(Value::Bool(*truth)),
        (Json::Number(number), ty) if ty.is_number() => number.as_i64().map(Value::Int),
        (Json::String(name), Type::Enum(id)) => {
            let literals = &model.enums[id.index()].literals;
            let position = literals.iter().position(|literal| literal == name);
            position.map(|number| Value::Literal(number as u32))
        }
        (Json::String(name), ty) if ty.is_reference() => {
            Some(Value::Reference(Some(object_named(model, name)?)))
        }
        _ => None,
    };
    value.ok_or_else(|| RecordError(format!("{json} is no value of its type")))
}
