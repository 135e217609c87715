//! A trace as a story for the terminal: who did what, and only what changed.

use super::excerpt::{excerpt, place};
use super::width::columns;
use crate::csm::{Configuration, Fault, Successor};
use crate::evidence::{Trace, TraceStep};
use crate::lang::{FaultKind, Model, SourceFile, Span, Type, Value, visible};
use crate::words::{active, changes, headline, labels, object_line, variables};

/// The whole trace, and what is wrong at its end.
pub fn narrate(source: &SourceFile, model: &Model, trace: &Trace) -> String {
    let mut lines = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let before = trace.before(index);
        lines.extend(describe_step(model, index, before, step));
    }
    if let Some((property, fault)) = &trace.violates {
        lines.push(String::new());
        lines.extend(conclude(source, model, *property, fault.as_ref()));
    }
    lines.join("\n") + "\n"
}

/// One step: what happened, the transition, messages sent, states and variables that changed.
pub fn describe_step(
    model: &Model,
    number: usize,
    before: &Configuration,
    step: &TraceStep,
) -> Vec<String> {
    let event = &step.step.event;
    let mut lines = wrap(&format!("{number:>4}  "), &headline(model, event));
    let detail = "        ";
    for label in labels(model, event, &step.branches) {
        lines.extend(wrap(detail, label));
    }
    if let Some(chosen) = chosen(model, &step.chosen) {
        lines.extend(wrap(detail, &chosen));
    }
    for sent in &step.sent {
        let (shown, to) = (
            model.show_message(&sent.message),
            &model.object(sent.to).name,
        );
        let fate = if sent.lost {
            ", which is lost: the inbox is full"
        } else {
            ""
        };
        lines.extend(wrap(detail, &format!("sends {shown} to {to}{fate}")));
    }
    if let Some(after) = &step.after {
        for change in differences(model, before, after, number == 0) {
            lines.extend(wrap(detail, &change));
        }
    }
    lines
}

/// `chooses 2, true`
fn chosen(model: &Model, values: &[(Value, Type)]) -> Option<String> {
    let shown = values.iter().map(|(value, ty)| model.show(*value, ty));
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| format!("chooses {}", shown.join(", ")))
}

/// A step as one of several to choose from.
pub fn choice_line(model: &Model, number: usize, successor: &Successor) -> Vec<String> {
    let event = &successor.step.event;
    let mut text = headline(model, event);
    let labels = labels(model, event, &successor.branches);
    if !labels.is_empty() {
        text += &format!(": {}", labels.join("; "));
    }
    if let Some(chosen) = chosen(model, &successor.chosen) {
        text += &format!(" ({chosen})");
    }
    wrap(&format!("{number:>4}  "), &text)
}

/// States and variables that a step changed; at the start, all states.
fn differences(
    model: &Model,
    before: &Configuration,
    after: &Configuration,
    is_start: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    for object in model.object_ids() {
        let (old, new) = (active(model, before, object), active(model, after, object));
        let name = &model.object(object).name;
        if is_start {
            lines.push(format!("{name} in {new}"));
        } else if old != new {
            lines.push(format!("{name}: {old} -> {new}"));
        }
    }
    for (name, old, new) in changes(model, before, after) {
        lines.push(format!("{name} = {new}  (was {old})"));
    }
    lines
}

/// What went wrong and where in the source, with the line itself.
fn conclude(
    source: &SourceFile,
    model: &Model,
    property: usize,
    fault: Option<&Fault>,
) -> Vec<String> {
    let declared = &model.properties[property];
    let sentence = conclusion(source, model, property, fault);
    let mut lines = wrap("      ", &format!("{}: {sentence}.", declared.name));
    if let Some(span) = blamed(model, property, fault) {
        let shown = excerpt(source, span).into_iter();
        lines.extend(shown.map(|line| format!("    {line}")));
    }
    lines
}

/// The piece of source that is to blame for a violation, if one is.
pub(super) fn blamed(model: &Model, property: usize, fault: Option<&Fault>) -> Option<Span> {
    fault.map_or(model.properties[property].span, |fault| fault.span)
}

/// One sentence, without its full stop, that says what went wrong and where.
pub(super) fn conclusion(
    source: &SourceFile,
    model: &Model,
    property: usize,
    fault: Option<&Fault>,
) -> String {
    let declared = &model.properties[property];
    let Some(fault) = fault else {
        let text = declared.text.trim_end_matches(';');
        let body = text.split_once(" : ").map_or(text, |(_, body)| body);
        let place = declared.span.map(|span| place(source, span));
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        return format!("`{body}` does not hold here{place}");
    };
    let who = &model.object(fault.object).name;
    match (fault.kind, fault.span) {
        (FaultKind::ImplicitConsumption, Some(span)) => {
            format!("{} ({})", fault.message, place(source, span))
        }
        (_, Some(span)) => format!("{} (in {who}, {})", fault.message, place(source, span)),
        (_, None) => fault.message.clone(),
    }
}

/// Everything about a configuration: states, variables, queues.
pub fn state_lines(model: &Model, configuration: &Configuration) -> Vec<String> {
    let mut lines = Vec::new();
    for object in model.object_ids() {
        lines.extend(wrap("      ", &object_line(model, configuration, object)));
    }
    let shown = variables(model, configuration);
    let shown = shown
        .iter()
        .map(|v| format!("{} = {}", v.name, model.show(v.value, &v.ty)));
    let all: Vec<String> = shown.collect();
    if !all.is_empty() {
        lines.extend(wrap("      ", &all.join(", ")));
    }
    lines
}

/// Breaks at spaces; following lines are indented a little further.
pub(super) fn wrap(indent: &str, text: &str) -> Vec<String> {
    let further = " ".repeat(indent.chars().count() + 2);
    let mut lines = Vec::new();
    let mut line = indent.to_owned();
    let mut is_empty = true;
    for word in visible(text).split(' ') {
        let needed = word.chars().count() + usize::from(!is_empty);
        if !is_empty && line.chars().count() + needed > columns() {
            lines.push(std::mem::replace(&mut line, further.clone()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::super::width::{STANDARD, at_standard_width, set_columns};
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_within_the_columns() {
        let text = "word ".repeat(40);
        let longest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max();
        let lines = wrap("    ", text.trim_end());
        assert_eq!(longest(&lines), Some(80));
        set_columns(60);
        assert_eq!(longest(&wrap("    ", text.trim_end())), Some(60));
        let for_a_file = at_standard_width(|| wrap("    ", text.trim_end()));
        assert_eq!(for_a_file, lines);
        set_columns(STANDARD);
        let joined: Vec<&str> = lines
            .iter()
            .flat_map(|line| line.split_whitespace())
            .collect();
        assert_eq!(joined.len(), 40);
    }
}
