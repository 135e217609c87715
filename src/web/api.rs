//! What the page may ask: where a run leads and what can happen there, and which runs a file holds.

use serde::{Deserialize, Serialize};

use super::choices::{ChoiceView, Complaint, choices, complaints};
use crate::csm::{Exact, Semantics, Step, Successor};
use crate::evidence::{ReplayError, StepRecord, Trace, replay};
use crate::lang::{Model, SourceFile};
use crate::report::{RunView, WrittenTrace, run_view, traces_in};

pub struct Api<'a> {
    pub source: &'a SourceFile,
    pub model: &'a Model,
    pub start: Start,
    semantics: Semantics<'a, Exact>,
}

/// The runs that the page can begin with.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Start {
    pub runs: Vec<WrittenTrace>,
}

/// A run, and the step at which the reader stands.
#[derive(Deserialize)]
struct Question {
    /// None: the system has just started.
    #[serde(default)]
    steps: Vec<StepRecord>,
    #[serde(default)]
    at: usize,
}

#[derive(Serialize)]
struct Answer {
    run: RunView,
    /// The steps, to be sent again.
    steps: Vec<StepRecord>,
    at: usize,
    /// What can happen there.
    next: Vec<ChoiceView>,
    /// What could have happened instead of the step that led there.
    instead: Vec<ChoiceView>,
    /// What the step, or the configuration that it led to, violates.
    violated: Vec<Complaint>,
}

/// The runs in a file that `check --json` or `simulate` has written.
pub fn start_of(text: &str, model: &str) -> Result<Start, String> {
    let runs = traces_in(text, model)?;
    Ok(Start { runs })
}

impl<'a> Api<'a> {
    pub fn new(source: &'a SourceFile, model: &'a Model, start: Start) -> Api<'a> {
        Api {
            source,
            model,
            start,
            semantics: Semantics::exact(model),
        }
    }

    /// Makes a run again and looks around at one of its steps.
    pub fn run(&self, body: &str) -> Result<String, String> {
        let question: Question = serde_json::from_str(body).map_err(|error| error.to_string())?;
        let steps = self.steps(&question.steps)?;
        let trace = replay(&self.semantics, &steps, None).map_err(|error| refusal(&error))?;
        let at = question.at.min(steps.len() - 1);
        let answer = Answer {
            run: run_view(self.source, self.model, &trace),
            steps: steps
                .iter()
                .map(|step| StepRecord::of(self.model, step))
                .collect(),
            at,
            next: self.offer(self.after(&trace, at), steps.get(at + 1)),
            instead: self.offer(self.before(&trace, at), steps.get(at)),
            violated: complaints(&self.semantics, &trace.steps[at]),
        };
        serde_json::to_string(&answer).map_err(|error| error.to_string())
    }

    pub fn traces(&self, body: &str) -> Result<String, String> {
        let start = start_of(body, self.source.name())?;
        serde_json::to_string(&start).map_err(|error| error.to_string())
    }

    /// Where nothing has been done yet, the system starts in the first way that it can.
    fn steps(&self, records: &[StepRecord]) -> Result<Vec<Step>, String> {
        let read = records.iter().map(|record| record.to_step(self.model));
        let steps: Vec<Step> = read
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        if !steps.is_empty() {
            return Ok(steps);
        }
        let first = self.semantics.initial().into_iter().next();
        let first = first.ok_or("the system can't start")?;
        Ok(vec![first.step])
    }

    fn after(&self, trace: &Trace, at: usize) -> Vec<Successor> {
        let here = trace.steps[at].after.as_ref();
        here.map(|here| self.semantics.successors(here))
            .unwrap_or_default()
    }

    fn before(&self, trace: &Trace, at: usize) -> Vec<Successor> {
        match at {
            0 => self.semantics.initial(),
            _ => self.semantics.successors(trace.before(at)),
        }
    }

    fn offer(&self, possible: Vec<Successor>, taken: Option<&Step>) -> Vec<ChoiceView> {
        choices(&self.semantics, possible, taken)
    }
}

fn refusal(error: &ReplayError) -> String {
    format!("this is no run of the model: {error}")
}
