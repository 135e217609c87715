//! The machine-readable result: one JSON object. The names of its fields are a contract.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Report;
use super::excerpt::place;
use super::wording::{active, changes, headline, labels, variables};
use crate::evidence::{Judgement, MessageRecord, StepRecord, Trace, Verdict, overall};
use crate::model::{Model, SourceFile};
use crate::semantics::Configuration;

pub const SCHEMA: &str = "crisol/result/1";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    pub schema: String,
    pub model: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// Why it is unknown, or with what restriction it holds.
    pub reason: Option<String>,
    pub properties: Vec<PropertyDocument>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub deadlocks: u64,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
    pub threads: usize,
    pub rounds: u64,
    /// Every reachable state was seen.
    pub complete: bool,
    /// States that no run enters, known if the exploration is complete: `a1 in Broke`.
    pub dead_states: Option<Vec<String>>,
    pub dead_transitions: Option<Vec<String>>,
    /// Where there was abstraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refinement: Option<RefinementDocument>,
    /// The shortest trace; the others are under `properties`.
    pub trace: Option<TraceDocument>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefinementDocument {
    pub rounds: Vec<RoundDocument>,
    /// What is told apart at the end.
    pub precision: Vec<String>,
    pub assumptions: Vec<String>,
    /// Violated properties whose abstract counterexamples had no guesses.
    pub choose_free: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundDocument {
    pub states: u64,
    pub transitions: u64,
    pub seconds: f64,
    pub spurious: Vec<SpuriousDocument>,
    pub splits: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpuriousDocument {
    pub property: String,
    /// Where the counterexample parts from the model.
    pub step: usize,
    pub why: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertyDocument {
    pub name: String,
    pub verdict: String,
    pub reason: Option<String>,
    pub trace_length: Option<usize>,
    /// Completed run-to-completion steps of the trace.
    pub rtc_steps: Option<usize>,
    pub trace: Option<TraceDocument>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraceDocument {
    pub property: Option<String>,
    pub steps: Vec<StepDocument>,
    pub fault: Option<FaultDocument>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StepDocument {
    /// 0 for the start.
    pub number: usize,
    /// Who did what, in words.
    pub summary: String,
    /// What a replay needs.
    pub step: StepRecord,
    /// The transitions, in the words of the model.
    pub labels: Vec<String>,
    /// What `choose` gave.
    #[serde(default)]
    pub chosen: Vec<String>,
    pub sent: Vec<SentDocument>,
    /// Active states of the objects that changed theirs; at the start, of all.
    pub states: Vec<ChangeDocument>,
    /// Variables that changed; at the start, all.
    pub variables: Vec<ChangeDocument>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SentDocument {
    pub to: String,
    pub message: MessageRecord,
    pub lost: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangeDocument {
    pub name: String,
    pub before: Option<String>,
    pub after: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FaultDocument {
    pub kind: String,
    pub object: String,
    pub message: String,
    /// `pump.csm:17:5`
    pub place: Option<String>,
}

pub fn document(report: &Report<'_>) -> Document {
    let model = report.model;
    let statistics = &report.findings.statistics;
    let described = report.findings.dead.as_ref().map(|dead| {
        let states = dead.states.iter().map(|(object, state)| {
            format!(
                "{} in {}",
                model.object(*object).name,
                model.state_name(*object, *state)
            )
        });
        let transitions = dead.transitions.iter().map(|(object, id)| {
            format!(
                "{}: {}",
                model.object(*object).name,
                model.transition_label(*object, *id)
            )
        });
        (states.collect(), transitions.collect())
    });
    let (dead_states, dead_transitions) = described.unzip();
    let judgements = report.findings.judgements.iter();
    let traces = judgements.filter_map(|judgement| judgement.verdict.trace());
    let shortest = traces.min_by_key(|trace| trace.length());
    Document {
        schema: SCHEMA.to_owned(),
        model: report.source.name().to_owned(),
        verdict: overall(&report.findings.judgements).to_owned(),
        reason: reason(&report.findings.judgements).or_else(|| statistics.stopped.clone()),
        properties: report
            .findings
            .judgements
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
        complete: report.findings.dead.is_some(),
        dead_states,
        dead_transitions,
        refinement: refinement(report),
        trace: shortest.map(|trace| trace_document(report.source, model, trace)),
    }
}

fn refinement(report: &Report<'_>) -> Option<RefinementDocument> {
    let refinement = report.findings.refinement.as_ref()?;
    let name = |property: usize| report.model.properties[property].name.clone();
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

fn reason(judgements: &[Judgement]) -> Option<String> {
    let unknown = judgements
        .iter()
        .find_map(|judgement| match &judgement.verdict {
            Verdict::Unknown(why) => Some(why.reason.clone()),
            _ => None,
        });
    let is_cut = |j: &Judgement| matches!(j.verdict, Verdict::Holds { up_to_bound: true });
    let cut = judgements.iter().any(is_cut);
    unknown.or_else(|| cut.then(|| "inbox_bound_hit".to_owned()))
}

fn property(report: &Report<'_>, judgement: &Judgement) -> PropertyDocument {
    let trace = judgement.verdict.trace();
    PropertyDocument {
        name: report.model.properties[judgement.property].name.clone(),
        verdict: judgement.verdict.name().to_owned(),
        reason: reason(std::slice::from_ref(judgement)),
        trace_length: trace.map(Trace::length),
        rtc_steps: trace.map(Trace::completed_steps),
        trace: trace.map(|trace| trace_document(report.source, report.model, trace)),
    }
}

pub fn trace_document(source: &SourceFile, model: &Model, trace: &Trace) -> TraceDocument {
    let property = trace.violates.as_ref();
    let fault = property.and_then(|(_, fault)| fault.as_ref());
    TraceDocument {
        property: property.map(|(index, _)| model.properties[*index].name.clone()),
        steps: (0..trace.steps.len())
            .map(|index| step(model, trace, index))
            .collect(),
        fault: fault.map(|fault| FaultDocument {
            kind: fault.kind.name().to_owned(),
            object: model.object(fault.object).name.clone(),
            message: fault.message.clone(),
            place: fault.span.map(|span| place(source, span)),
        }),
    }
}

fn step(model: &Model, trace: &Trace, index: usize) -> StepDocument {
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

/// The steps of a trace in a JSON text: of a whole result, or of a trace alone.
pub fn steps_in(text: &str) -> Result<(Vec<StepRecord>, Option<String>), String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let trace = json
        .get("trace")
        .filter(|trace| !trace.is_null())
        .unwrap_or(&json);
    let trace: TraceDocument = serde_json::from_value(trace.clone())
        .map_err(|error| format!("there is no trace in it: {error}"))?;
    let steps = trace.steps.into_iter().map(|step| step.step).collect();
    Ok((steps, trace.property))
}
