//! Writing down why verdicts are true, so that others can check it.
//!
//! What holds is explored once more for this, with dead variables as they are: a set without them is
//! closed only for those who know why they are dead, and a validator should not need to.

use std::fmt;
use std::io;
use std::path::Path;

use super::Contradiction;
use crate::abstraction::{Abstract, Precision as Told};
use crate::cegar::{Decision, Outcome};
use crate::evidence::certificate::{ProofClaim, States, Subject, ViolationClaim, Writer};
use crate::evidence::{Findings, Judgement, StepRecord, Verdict};
use crate::explore::{Budget, End, Goal, Parallel, Progress, Reached};
use crate::model::Model;
use crate::semantics::{Precision, Semantics, parts};
use crate::system::{PropertyId, Reference};

/// Properties that hold, and what their proof tells apart.
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
    Wrong(Contradiction),
}

impl fmt::Display for NotCertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCertified::File(error) => error.fmt(f),
            NotCertified::Stopped(reason) => f.write_str(reason),
            NotCertified::Wrong(contradiction) => f.write_str(&contradiction.0),
        }
    }
}

impl From<io::Error> for NotCertified {
    fn from(error: io::Error) -> NotCertified {
        NotCertified::File(error)
    }
}

/// What a check without abstraction has proved.
pub fn concrete_proofs(findings: &Findings) -> Vec<Proof> {
    let holds = |judgement: &&Judgement| matches!(judgement.verdict, Verdict::Holds { .. });
    let held = findings.judgements.iter().filter(holds);
    let properties: Vec<usize> = held.map(|judgement| judgement.property).collect();
    let proof = Proof {
        properties,
        precision: None,
        sees_overflow: true,
    };
    Vec::from_iter((!proof.properties.is_empty()).then_some(proof))
}

/// What a check by refinement has proved: one proof for each precision that was enough for something.
pub fn abstract_proofs(outcome: &Outcome) -> Vec<Proof> {
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
    findings: &Findings,
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
    for judgement in &findings.judgements {
        certifier.violation(judgement)?;
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
    fn violation(&mut self, judgement: &Judgement) -> io::Result<()> {
        let Some(trace) = judgement.verdict.trace() else {
            return Ok(());
        };
        let steps = trace.steps.iter();
        self.writer.violation(&ViolationClaim {
            property: self.model.properties[judgement.property].name.clone(),
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
        let system = Reference::new(semantics);
        let held = proof
            .properties
            .iter()
            .map(|property| PropertyId(*property));
        let goal = Goal::Decide(held.collect());
        let mut written = None;
        let explored =
            Parallel.explore_and_show(&system, &goal, self.budget, progress, &mut |reached| {
                written = Some(self.write(proof, reached));
            });
        let too_large = "its states have too many parts for the explorer";
        let exploration = explored
            .ok_or_else(|| NotCertified::Stopped(too_large.to_owned()))?
            .exploration;
        match (exploration.end, exploration.violations.first(), written) {
            (End::Stopped(reason), ..) => Err(NotCertified::Stopped(reason.to_string())),
            (End::Complete, None, Some(written)) => written,
            _ => Err(self.contradicts(proof)),
        }
    }

    fn contradicts(&self, proof: &Proof) -> NotCertified {
        let names = proof.properties.iter();
        let names: Vec<&str> = names
            .map(|property| self.model.properties[*property].name.as_str())
            .collect();
        let names = names.join(", ");
        NotCertified::Wrong(Contradiction(format!(
            "the proof of {names} could not be made again"
        )))
    }

    fn write<S>(&mut self, proof: &Proof, reached: &Reached<'_, '_, S>) -> Result<(), NotCertified>
    where
        S: crate::system::Components<Content = crate::semantics::Content>,
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
            up_to_bound: reached.was_cut(),
        };
        self.states += reached.states();
        let mut contents = reached.contents();
        contents.resize(parts(self.model).len(), Vec::new()); // none are known if there is no state
        let states = States {
            contents,
            count: reached.states(),
            each: &|see| reached.each(see),
        };
        Ok(self.writer.proof(&claim, &states)?)
    }
}
