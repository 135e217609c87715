//! The document about a check of a model, and the steps in one that was written down.

use serde::Serialize;
use serde_json::Value as Json;

use super::Report;
use super::document::{
    ChangeDocument, DiagnosticDocument, Document, FaultDocument, InboxDocument, PropertyDocument,
    RefinementDocument, RoundDocument, SCHEMA, SentDocument, SpuriousDocument, StepDocument,
    TraceDocument,
};
use super::excerpt::{place, region};
use super::summary::unused;
use super::told::Told;
use super::width::at_standard_width;
use crate::csm::{Configuration, Fault};
use crate::evidence::{
    MessageRecord, PropertyResult, Replayed, StepRecord, Trace, Verdict, overall,
};
use crate::lang::{Diagnostic, Model, Severity, SourceFile};
use crate::words::{active, changes, headline, labels, spans, variables, waiting};

pub fn document<M: Told>(report: &Report<'_, M>) -> Document {
    let statistics = &report.findings.statistics;
    let described = report.findings.dead.as_ref().map(|_| unused(report));
    let (dead_states, dead_transitions) = described.unzip();
    let results = report.findings.results.iter();
    let traces = results.filter_map(|result| result.verdict.trace());
    let shortest = traces.min_by_key(|trace| trace.length());
    Document {
        schema: SCHEMA.to_owned(),
        model: report.source.name().to_owned(),
        verdict: overall(&report.findings.results).to_owned(),
        reason: reason(&report.findings.results).or_else(|| statistics.stopped.clone()),
        properties: report
            .findings
            .results
            .iter()
            .map(|j| property(report, j))
            .collect(),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        deadlocks: statistics.deadlocks,
        seconds: statistics.elapsed.as_secs_f64(),
        peak_memory_bytes: statistics.peak_memory_bytes,
        threads: statistics.threads,
        rounds: statistics.rounds,
        complete: report.findings.complete,
        dead_states,
        dead_transitions,
        refinement: refinement(report),
        trace: shortest.map(|trace| report.model.trace_document(report.source, trace)),
        diagnostics: Vec::new(),
    }
}

fn refinement<M: Told>(report: &Report<'_, M>) -> Option<RefinementDocument> {
    let refinement = report.findings.refinement.as_ref()?;
    let name = |property: usize| report.model.property(property).name.to_owned();
    let rounds = refinement.rounds.iter().map(|round| RoundDocument {
        states: round.states,
        transitions: round.transitions,
        seconds: round.elapsed.as_secs_f64(),
        spurious: round
            .spurious
            .iter()
            .map(|spurious| SpuriousDocument {
                property: name(spurious.property),
                step: spurious.parted_at,
                why: spurious.why.clone(),
            })
            .collect(),
        splits: round.splits.clone(),
    });
    Some(RefinementDocument {
        rounds: rounds.collect(),
        precision: refinement.precision.clone(),
        assumptions: refinement.assumptions.clone(),
        choose_free: refinement
            .choose_free
            .iter()
            .map(|property| name(*property))
            .collect(),
    })
}

fn reason<T>(results: &[PropertyResult<T>]) -> Option<String> {
    let unknown = results.iter().find_map(|result| match &result.verdict {
        Verdict::Unknown(why) => Some(why.to_string()),
        _ => None,
    });
    let is_cut = |j: &PropertyResult<T>| matches!(j.verdict, Verdict::Holds { up_to_bound: true });
    let cut = results.iter().any(is_cut);
    unknown.or_else(|| cut.then(|| "inbox_bound_hit".to_owned()))
}

fn property<M: Told>(
    report: &Report<'_, M>,
    result: &PropertyResult<M::Trace>,
) -> PropertyDocument {
    let (source, model) = (report.source, report.model);
    let declared = model.property(result.property);
    let trace = result.verdict.trace();
    let blamed = trace
        .and_then(|trace| model.blamed(trace))
        .or(declared.span);
    PropertyDocument {
        name: declared.name.to_owned(),
        kind: declared.kind.to_owned(),
        verdict: result.verdict.name().to_owned(),
        reason: reason(std::slice::from_ref(result)),
        message: trace.map(|trace| model.conclusion(source, trace)),
        region: blamed.map(|span| region(source, span)),
        trace_length: trace.map(Replayed::length),
        rtc_steps: trace.map(Replayed::completed_steps),
        trace: trace.map(|trace| model.trace_document(source, trace)),
        story: trace.map(|trace| at_standard_width(|| model.narrate(source, trace))),
    }
}

pub(super) fn fault_of(trace: &Trace) -> Option<&Fault> {
    trace.violates.as_ref()?.1.as_ref()
}

pub fn trace_document(source: &SourceFile, model: &Model, trace: &Trace) -> TraceDocument {
    let property = trace.violates.as_ref();
    let fault = fault_of(trace);
    TraceDocument {
        property: property.map(|(index, _)| model.properties[*index].name.clone()),
        steps: (0..trace.steps.len())
            .map(|index| step(source, model, trace, index))
            .collect(),
        fault: fault.map(|fault| FaultDocument {
            kind: fault.kind.name().to_owned(),
            object: model.object(fault.object).name.clone(),
            message: fault.message.clone(),
            place: fault.span.map(|span| place(source, span)),
        }),
    }
}

fn step(source: &SourceFile, model: &Model, trace: &Trace, index: usize) -> StepDocument {
    let step = &trace.steps[index];
    let before = trace.before(index);
    let after = step.after.as_ref();
    StepDocument {
        number: index,
        summary: headline(model, &step.step.event),
        step: StepRecord::of(model, &step.step),
        labels: labels(model, &step.step.event, &step.branches)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        chosen: step
            .chosen
            .iter()
            .map(|(value, ty)| model.show(*value, ty))
            .collect(),
        sent: step
            .sent
            .iter()
            .map(|sent| SentDocument {
                to: model.object(sent.to).name.clone(),
                message: MessageRecord::of(model, &sent.message),
                lost: sent.lost,
            })
            .collect(),
        states: after
            .map(|after| states(model, before, after, index == 0))
            .unwrap_or_default(),
        variables: after
            .map(|after| values(model, before, after, index == 0))
            .unwrap_or_default(),
        inboxes: after
            .map(|after| inboxes(model, before, after))
            .unwrap_or_default(),
        regions: spans(model, &step.step.event, &step.branches)
            .into_iter()
            .map(|span| region(source, span))
            .collect(),
    }
}

fn states(
    model: &Model,
    before: &Configuration,
    after: &Configuration,
    is_start: bool,
) -> Vec<ChangeDocument> {
    let all = model.object_ids().map(|object| ChangeDocument {
        name: model.object(object).name.clone(),
        before: (!is_start).then(|| active(model, before, object)),
        after: active(model, after, object),
    });
    all.filter(|change| change.before.as_ref() != Some(&change.after))
        .collect()
}

fn inboxes(model: &Model, before: &Configuration, after: &Configuration) -> Vec<InboxDocument> {
    let changed = model.object_ids().filter_map(|object| {
        let now = waiting(model, after, object);
        (waiting(model, before, object) != now).then_some((object, now))
    });
    let shown = changed.map(|(object, (queued, deferred))| InboxDocument {
        object: model.object(object).name.clone(),
        queued,
        deferred,
    });
    shown.collect()
}

fn values(
    model: &Model,
    before: &Configuration,
    after: &Configuration,
    is_start: bool,
) -> Vec<ChangeDocument> {
    if is_start {
        let all = variables(model, after).into_iter();
        let shown = all.map(|v| ChangeDocument {
            after: model.show(v.value, &v.ty),
            name: v.name,
            before: None,
        });
        return shown.collect();
    }
    let changed = changes(model, before, after).into_iter();
    let shown = changed.map(|(name, before, after)| {
        let before = Some(before);
        ChangeDocument {
            name,
            before,
            after,
        }
    });
    shown.collect()
}

/// What is wrong, or suspicious, about the text of a model.
pub fn diagnosed(source: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<DiagnosticDocument> {
    let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let written = diagnostics.iter().map(|diagnostic| DiagnosticDocument {
        severity: match diagnostic.severity {
            Severity::Error => "error".to_owned(),
            Severity::Warning => "warning".to_owned(),
        },
        code: Some(diagnostic.code.to_owned()),
        message: diagnostic.message.clone(),
        help: some(&diagnostic.help),
        region: (!diagnostic.span.is_nowhere()).then(|| region(source, diagnostic.span)),
    });
    written.collect()
}

/// A run that was written down, and the property that it violates.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenTrace {
    pub property: Option<String>,
    pub steps: Vec<StepRecord>,
}

/// The steps of a trace in a JSON text: of a trace alone, of a whole result, or of the result on
/// this model among several.
pub fn steps_in(text: &str, model: &str) -> Result<(Vec<StepRecord>, Option<String>), String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let result = result_on(&json, model)?;
    let trace = result.get("trace").filter(|trace| !trace.is_null());
    let written = written(trace.unwrap_or(result))?;
    Ok((written.steps, written.property))
}

/// The result on a model: of all, where there are several.
fn result_on<'j>(json: &'j Json, model: &str) -> Result<&'j Json, String> {
    let Some(results) = json.get("results").and_then(Json::as_array) else {
        return Ok(json);
    };
    let mut about = results.iter().filter(|result| result["model"] == model);
    let missing = || format!("there is no result on {model} in it");
    about.next().ok_or_else(missing)
}

/// All traces in a JSON text, by property: the shortest first.
pub fn traces_in(text: &str, model: &str) -> Result<Vec<WrittenTrace>, String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let properties = result_on(&json, model)?.get("properties");
    let properties = properties.and_then(Json::as_array).into_iter().flatten();
    let traces = properties.filter_map(|property| property.get("trace"));
    let traces = traces.filter(|trace| !trace.is_null()).map(written);
    let mut all = traces.collect::<Result<Vec<_>, _>>()?;
    all.sort_by_key(|trace| trace.steps.len());
    if all.is_empty() {
        let (steps, property) = steps_in(text, model)?;
        all.push(WrittenTrace { property, steps });
    }
    Ok(all)
}

fn written(trace: &Json) -> Result<WrittenTrace, String> {
    let trace: TraceDocument = serde_json::from_value(trace.clone())
        .map_err(|error| format!("there is no trace in it: {error}"))?;
    Ok(WrittenTrace {
        property: trace.property,
        steps: trace.steps.into_iter().map(|step| step.step).collect(),
    })
}
