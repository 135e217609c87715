//! Writing down why verdicts are true, so that others can check it.
//!
//! What holds is explored once more for this, with dead variables as they are: a set without them is
//! closed only for those who know why they are dead, and a validator should not need to.

use std::path::Path;
use std::{fmt, io};

use crate::abstraction::cegar::{Decision, RefinementResult};
use crate::abstraction::{Abstract, Precision as Told};
use crate::csm::system::CsmSystem;
use crate::csm::{Precision, Semantics, parts};
use crate::evidence::certificate::{ProofClaim, States, Subject, ViolationClaim, Writer};
use crate::evidence::{CheckResult, InternalError, PropertyResult, StepRecord, Verdict};
use crate::lang::Model;
use crate::search::{Bfs, Budget, Completion, Progress, StateSet, StopWhen};
use crate::system::PropertyId;

/// Properties that hold, and the precision of their proof.
pub struct Proof {
    properties: Vec<usize>,
    /// None: everything.
    precision: Option<Told>,
    sees_overflow: bool,
}

/// A certificate that was written.
pub struct Certified {
    pub bytes: u64,
    pub states: u64,
}

/// Why there is no certificate.
#[derive(Debug)]
pub enum NotCertified {
    File(io::Error),
    /// The states could not all be seen again.
    Stopped(String),
    Wrong(InternalError),
}

impl fmt::Display for NotCertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCertified::File(error) => error.fmt(f),
            NotCertified::Stopped(reason) => f.write_str(reason),
            NotCertified::Wrong(error) => f.write_str(&error.0),
        }
    }
}

impl std::error::Error for NotCertified {}

impl From<io::Error> for NotCertified {
    fn from(error: io::Error) -> NotCertified {
        NotCertified::File(error)
    }
}

/// What a check without abstraction has proved.
pub fn concrete_proofs(findings: &CheckResult) -> Vec<Proof> {
    let holds = |result: &&PropertyResult| matches!(result.verdict, Verdict::Holds { .. });
    let held = findings.results.iter().filter(holds);
    let properties: Vec<usize> = held.map(|result| result.property).collect();
    let proof = Proof {
        properties,
        precision: None,
        sees_overflow: true,
    };
    Vec::from_iter((!proof.properties.is_empty()).then_some(proof))
}

/// What a check by refinement has proved: one proof for each precision that was enough for something.
pub fn abstract_proofs(outcome: &RefinementResult) -> Vec<Proof> {
    let mut proofs: Vec<Proof> = Vec::new();
    for (property, decision) in &outcome.decisions {
        let Decision::Holds { precision, .. } = decision else {
            continue;
        };
        let same = |proof: &&mut Proof| proof.precision.as_ref() == Some(precision);
        match proofs.iter_mut().find(same) {
            Some(proof) => proof.properties.push(*property),
            None => proofs.push(Proof {
                properties: vec![*property],
                precision: Some(precision.clone()),
                sees_overflow: outcome.sees_overflow,
            }),
        }
    }
    proofs
}

/// Writes a certificate of all that was decided.
pub fn certify(
    model: &Model,
    subject: &Subject,
    findings: &CheckResult,
    proofs: &[Proof],
    path: &Path,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Certified, NotCertified> {
    let mut certifier = Certifier {
        model,
        budget,
        writer: Writer::create(path, subject)?,
        states: 0,
    };
    for result in &findings.results {
        certifier.violation(result)?;
    }
    for proof in proofs {
        certifier.proof(proof, progress)?;
    }
    Ok(Certified {
        bytes: certifier.writer.finish()?,
        states: certifier.states,
    })
}

struct Certifier<'a> {
    model: &'a Model,
    budget: &'a Budget,
    writer: Writer,
    /// In all proofs.
    states: u64,
}

impl Certifier<'_> {
    fn violation(&mut self, result: &PropertyResult) -> io::Result<()> {
        let Some(trace) = result.verdict.trace() else {
            return Ok(());
        };
        let steps = trace.steps.iter();
        self.writer.violation(&ViolationClaim {
            property: self.model.properties[result.property].name.clone(),
            steps: steps
                .map(|made| StepRecord::of(self.model, &made.step))
                .collect(),
        })
    }

    fn proof(
        &mut self,
        proof: &Proof,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), NotCertified> {
        match &proof.precision {
            None => self.states(proof, &Semantics::exact(self.model), progress),
            Some(precision) => {
                let known = precision.model(self.model);
                let values = Abstract::new(&known, precision.clone(), proof.sees_overflow);
                self.states(proof, &Semantics::new(&known, values), progress)
            }
        }
    }

    fn states(
        &mut self,
        proof: &Proof,
        semantics: &Semantics<'_, impl Precision + Sync>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), NotCertified> {
        let system = CsmSystem::new(semantics);
        let held = proof
            .properties
            .iter()
            .map(|property| PropertyId(*property));
        let stop_when = StopWhen::Decide(held.collect());
        let mut written = None;
        let explored = Bfs::default().explore_and_show(
            &system,
            &stop_when,
            self.budget,
            progress,
            &mut |reached| {
                written = Some(self.write(proof, reached));
            },
        );
        let exploration = explored.exploration;
        match (exploration.end, exploration.violations.first(), written) {
            (Completion::Stopped(reason), ..) => Err(NotCertified::Stopped(reason.to_string())),
            (Completion::Complete, None, Some(written)) => written,
            _ => Err(self.contradicts(proof)),
        }
    }

    fn contradicts(&self, proof: &Proof) -> NotCertified {
        let names = proof.properties.iter();
        let names: Vec<&str> = names
            .map(|property| self.model.properties[*property].name.as_str())
            .collect();
        let names = names.join(", ");
        NotCertified::Wrong(InternalError(format!(
            "the proof of {names} could not be repeated"
        )))
    }

    fn write<S>(&mut self, proof: &Proof, reached: &StateSet<'_, '_, S>) -> Result<(), NotCertified>
    where
        S: crate::system::Factored<Value = crate::csm::ComponentValue>,
    {
        if let Some(reason) = self.budget.exceeded_with(reached.packed_bytes()) {
            return Err(NotCertified::Stopped(reason.to_string()));
        }
        let names = proof.properties.iter();
        let precision = proof.precision.as_ref();
        let claim = ProofClaim {
            properties: names
                .map(|property| self.model.properties[*property].name.clone())
                .collect(),
            precision: precision.map(|precision| precision.text(self.model)),
            assumes_no_overflow: !proof.sees_overflow,
            up_to_bound: reached.was_bounded(),
        };
        self.states += reached.states();
        let mut contents = reached.values();
        contents.resize(parts(self.model).len(), Vec::new()); // none are known if there is no state
        let states = States {
            contents,
            count: reached.states(),
            each: &|see| reached.each(see),
        };
        Ok(self.writer.proof(&claim, &states)?)
    }
}
