//! Models that are written in another way and do the same.

use crisol::lang::syntax::{File, ItemKind, Name, PropertyBody};
use crisol::lang::{Model, Span, flatten, parse, print};

use crate::agreement::compare::{Found, whole_space};
use crate::agreement::subject::Subject;

/// What is printed and read again does the same, step by step.
pub fn prints(model: &Model, text: &str) -> Result<(), String> {
    same(model, &print(&parse(text).0))
}

/// A flat machine does the same, step by step, where there is one.
pub fn flattens(model: &Model, text: &str) -> Result<(), String> {
    match flatten(&parse(text).0) {
        Ok(flat) => same(model, &print(&flat)),
        Err(_) => Ok(()),
    }
}

fn same(model: &Model, text: &str) -> Result<(), String> {
    let Some(before) = whole_space(model) else {
        return Ok(());
    };
    let other = Model::read(text).ok_or(format!("it becomes wrong:\n{text}"))?;
    let after = whole_space(&other);
    let (before, after) = (Found::from(&before), after.as_ref().map(Found::from));
    match after == Some(before) {
        true => Ok(()),
        false => Err(format!("it becomes\n{text}")),
    }
}

/// On one thread, a run-to-completion step that is taken as one violates what its parts violate.
pub fn taken_apart(model: &Model, text: &str) -> Result<(), String> {
    let options = model.runs_to_completion();
    if !options.is_some_and(|options| options.atomic_steps) {
        return Ok(());
    }
    let apart = print(&in_parts(parse(text).0));
    let parts = Model::read(&apart).ok_or(format!("it becomes wrong:\n{apart}"))?;
    let (Some(whole), Some(parts)) = (whole_space(model), whole_space(&parts)) else {
        return Ok(());
    };
    let violated = |found: Found| found.violated.into_keys().collect::<Vec<_>>();
    let (whole, parts) = (violated(Found::from(&whole)), violated(Found::from(&parts)));
    match whole == parts {
        true => Ok(()),
        false => Err(format!("{whole:?} are violated, in parts {parts:?}")),
    }
}

/// Without `atomic_steps`, but looking at what is between steps only.
fn in_parts(mut file: File) -> File {
    for item in &mut file.items {
        match &mut item.kind {
            ItemKind::Semantics { options, .. } => options.retain(|o| o.text != "atomic_steps"),
            ItemKind::Property(property) => {
                let body = &property.body;
                if matches!(body, PropertyBody::Always(_) | PropertyBody::Never(_)) {
                    property.level = Some(Name {
                        text: "rtc".to_owned(),
                        span: Span::default(),
                    });
                }
            }
            _ => {}
        }
    }
    file
}
