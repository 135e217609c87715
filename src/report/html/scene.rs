//! What does not change from step to step: the model's text, objects, variables and properties.

use serde::Serialize;

use crate::lang::{Model, ObjectId, SourceFile, Span, Type, Variable, visible};

#[derive(Serialize)]
pub struct Scene {
    pub model: String,
    pub file: String,
    /// The text of the model, line by line.
    pub source: Vec<String>,
    pub classes: Vec<String>,
    pub objects: Vec<ObjectScene>,
    pub variables: Vec<VariableScene>,
    pub properties: Vec<PropertyScene>,
}

#[derive(Serialize)]
pub struct ObjectScene {
    pub name: String,
    /// One of `Scene::classes`.
    pub class: u32,
    /// Where its messages wait: `inbox`, or the thread whose queue it shares.
    pub queue: String,
    pub capacity: usize,
    pub line: usize,
}

#[derive(Serialize)]
pub struct VariableScene {
    /// None for a global one.
    pub object: Option<u32>,
    pub name: String,
}

#[derive(Serialize)]
pub struct PropertyScene {
    pub name: String,
    /// In the words of the model; empty for what is built in.
    pub text: String,
    pub line: Option<usize>,
}

impl Scene {
    pub fn of(source: &SourceFile, model: &Model) -> Scene {
        let properties = model.properties.iter().map(|property| PropertyScene {
            name: property.name.clone(),
            text: property.text.clone(),
            line: property.span.map(|span| line(source, span)),
        });
        Scene {
            model: model.name.clone(),
            file: visible(source.name()),
            source: source.text().lines().map(visible).collect(),
            classes: model.classes.iter().map(|c| c.name.clone()).collect(),
            objects: model
                .object_ids()
                .map(|id| object(source, model, id))
                .collect(),
            variables: variables(model),
            properties: properties.collect(),
        }
    }
}

/// Lines are counted from 1.
pub fn line(source: &SourceFile, span: Span) -> usize {
    source.position(span.start as usize).line
}

fn object(source: &SourceFile, model: &Model, id: ObjectId) -> ObjectScene {
    let object = model.object(id);
    let thread = model.threads.get(object.thread.index());
    ObjectScene {
        name: object.name.clone(),
        class: object.class.0,
        queue: thread.map_or("inbox".to_owned(), |thread| thread.name.clone()),
        capacity: thread.map_or(object.inbox, |thread| thread.inbox).capacity,
        line: line(source, object.span),
    }
}

/// In the order of `words::variables`: globals first, then object by object.
fn variables(model: &Model) -> Vec<VariableScene> {
    let mut all = elements(None, &model.globals);
    for id in model.object_ids() {
        all.extend(elements(Some(id.0), &model.class_of(id).variables));
    }
    all
}

fn elements(object: Option<u32>, declared: &[Variable]) -> Vec<VariableScene> {
    let named = declared.iter().flat_map(|variable| {
        let name = move |index| match variable.ty {
            Type::Array(..) => format!("{}[{index}]", variable.name),
            _ => variable.name.clone(),
        };
        (0..variable.ty.length()).map(name)
    });
    named.map(|name| VariableScene { object, name }).collect()
}
