//! What a check found, in a form for programs. All formats for programs are made from it.
//!
//! Invariant: the names of fields are a contract (`docs/result.schema.json`): none changes its name
//! or meaning while the schema keeps its number; new ones may come.

use serde::{Deserialize, Serialize};

use crate::evidence::{MessageRecord, StepRecord};

pub const SCHEMA: &str = "crisol/result/1";
/// Of a document about several models.
pub const SEVERAL: &str = "crisol/results/1";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Document {
    pub schema: String,
    pub model: String,
    /// `holds`, `violated`, `unknown`, or `error` where the model could not be checked at all.
    pub verdict: String,
    /// Why it is unknown or could not be checked, or with what restriction it holds.
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
    /// Errors and warnings about the text of the model.
    #[serde(default)]
    pub diagnostics: Vec<DiagnosticDocument>,
}

/// Several models of one call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub schema: String,
    /// In the order of the call.
    pub results: Vec<Document>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DiagnosticDocument {
    /// `error` or `warning`.
    pub severity: String,
    /// `E101`; none where it is about the file as a whole.
    pub code: Option<String>,
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    pub region: Option<RegionDocument>,
}

/// A piece of the model's text: lines and characters from 1, the end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionDocument {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefinementDocument {
    pub rounds: Vec<RoundDocument>,
    /// The precision at the end.
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
    /// `always` and `ltl` for what the model declares so; else the fault that must not happen:
    /// `deadlock`, `overflow`.
    #[serde(default)]
    pub kind: String,
    pub verdict: String,
    pub reason: Option<String>,
    /// What is wrong at the end of the trace, in a sentence.
    #[serde(default)]
    pub message: Option<String>,
    /// The place to blame: of the fault, or where the property is declared.
    #[serde(default)]
    pub region: Option<RegionDocument>,
    pub trace_length: Option<usize>,
    /// Completed run-to-completion steps of the trace.
    pub rtc_steps: Option<usize>,
    pub trace: Option<TraceDocument>,
    /// The trace as the screen shows it, for formats that hold text.
    #[serde(skip)]
    pub story: Option<String>,
}

impl PropertyDocument {
    /// The place to blame, or else where its trace ends.
    pub fn where_to_look(&self) -> Option<RegionDocument> {
        let steps = self.trace.iter().flat_map(|trace| trace.steps.iter().rev());
        let last = steps.filter_map(|step| step.regions.last().copied()).next();
        self.region.or(last)
    }
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
    /// What waits for the objects whose queues changed.
    #[serde(default)]
    pub inboxes: Vec<InboxDocument>,
    /// The transitions in the text of the model, in the order of `labels`.
    #[serde(default)]
    pub regions: Vec<RegionDocument>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InboxDocument {
    pub object: String,
    /// The first is the next to be taken.
    pub queued: Vec<String>,
    /// Set aside.
    pub deferred: Vec<String>,
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
