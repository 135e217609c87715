//! Writing down why verdicts are true, so that others can check it.
//!
//! What holds is explored once more for this, with dead variables as they are: a set without them is
//! closed only for those who know why they are dead, and a validator should not need to.

use std::path::Path;
use std::{fmt, io};

use super::DveTrace;
use crate::abstraction::cegar::{Decision, RefinementResult};
use crate::abstraction::{Abstract, Precision as Told};
use crate::csm::system::CsmSystem;
use crate::csm::{Semantics, parts};
use crate::dve::system::DveSystem;
use crate::dve::{self, DVE_PROPERTIES, Program};
use crate::evidence::certificate::{Content, ProofClaim, States, Subject, ViolationClaim, Writer};
use crate::evidence::{CheckResult, InternalError, PropertyResult, StepRecord, Verdict};
use crate::lang::Model;
use crate::search::{Bfs, Budget, Completion, Progress, StateSet, StopWhen};
use crate::system::{Factored, PropertyId};

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
    let proof = Proof {
        properties: held(findings),
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
    let name = |property: usize| model.properties[property].name.clone();
    let mut certifier = Certifier::new(path, subject, budget)?;
    for result in &findings.results {
        if let Some(trace) = result.verdict.trace() {
            let steps = trace.steps.iter();
            let steps = steps.map(|made| StepRecord::of(model, &made.step));
            certifier.violation(name(result.property), steps.collect())?;
        }
    }
    for proof in proofs {
        let precision = proof.precision.as_ref();
        let claim = ProofClaim {
            properties: proof.properties.iter().copied().map(name).collect(),
            precision: precision.map(|precision| precision.text(model)),
            assumes_no_overflow: !proof.sees_overflow,
            up_to_bound: false, // known at the end
        };
        let proved = Proved {
            properties: &proof.properties,
            claim,
            parts: parts(model).len(),
        };
        match precision {
            None => {
                let semantics = Semantics::exact(model);
                certifier.proof(&CsmSystem::new(&semantics), proved, progress)?;
            }
            Some(precision) => {
                let known = precision.model(model);
                let values = Abstract::new(&known, precision.clone(), proof.sees_overflow);
                let semantics = Semantics::new(&known, values);
                certifier.proof(&CsmSystem::new(&semantics), proved, progress)?;
            }
        }
    }
    Ok(certifier.finish()?)
}

/// The same of a DVE program.
pub fn certify_dve(
    program: &Program,
    subject: &Subject,
    findings: &CheckResult<DveTrace>,
    path: &Path,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Certified, NotCertified> {
    let name = |property: usize| DVE_PROPERTIES[property].to_owned();
    let mut certifier = Certifier::new(path, subject, budget)?;
    for result in &findings.results {
        if let Some(run) = result.verdict.trace() {
            let steps = run.steps.iter();
            let steps = steps.map(|(step, _)| StepRecord::of_dve(program, step));
            certifier.violation(name(result.property), steps.collect())?;
        }
    }
    let held = held(findings);
    if !held.is_empty() {
        let claim = ProofClaim {
            properties: held.iter().copied().map(name).collect(),
            precision: None,
            assumes_no_overflow: false,
            up_to_bound: false,
        };
        let proved = Proved {
            properties: &held,
            claim,
            parts: dve::parts(program).len(),
        };
        certifier.proof(&DveSystem::new(program), proved, progress)?;
    }
    Ok(certifier.finish()?)
}

fn held<T>(findings: &CheckResult<T>) -> Vec<usize> {
    let holds = |result: &&PropertyResult<T>| matches!(result.verdict, Verdict::Holds { .. });
    let held = findings.results.iter().filter(holds);
    held.map(|result| result.property).collect()
}

struct Certifier<'a> {
    budget: &'a Budget,
    writer: Writer,
    /// In all proofs.
    states: u64,
}

/// What is to be shown once more.
struct Proved<'a> {
    properties: &'a [usize],
    claim: ProofClaim,
    /// Of a state.
    parts: usize,
}

impl<'a> Certifier<'a> {
    fn new(path: &Path, subject: &Subject, budget: &'a Budget) -> io::Result<Certifier<'a>> {
        Ok(Certifier {
            budget,
            writer: Writer::create(path, subject)?,
            states: 0,
        })
    }

    fn finish(self) -> io::Result<Certified> {
        Ok(Certified {
            bytes: self.writer.finish()?,
            states: self.states,
        })
    }

    fn violation(&mut self, property: String, steps: Vec<StepRecord>) -> io::Result<()> {
        self.writer.violation(&ViolationClaim { property, steps })
    }

    fn proof<S: Factored<Value: Content>>(
        &mut self,
        system: &S,
        proved: Proved<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), NotCertified> {
        let held = proved.properties.iter();
        let stop_when = StopWhen::Decide(held.map(|property| PropertyId(*property)).collect());
        let names = proved.claim.properties.join(", ");
        let mut proved = Some(proved);
        let mut written = None;
        let explored = Bfs::default().explore_and_show(
            system,
            &stop_when,
            self.budget,
            progress,
            &mut |reached| {
                written = proved.take().map(|proved| self.write(proved, reached));
            },
        );
        let exploration = explored.exploration;
        match (exploration.end, exploration.violations.first(), written) {
            (Completion::Stopped(reason), ..) => Err(NotCertified::Stopped(reason.to_string())),
            (Completion::Complete, None, Some(written)) => written,
            _ => Err(NotCertified::Wrong(InternalError(format!(
                "the proof of {names} could not be repeated"
            )))),
        }
    }

    fn write<S: Factored<Value: Content>>(
        &mut self,
        proved: Proved<'_>,
        reached: &StateSet<'_, '_, S>,
    ) -> Result<(), NotCertified> {
        if let Some(reason) = self.budget.exceeded_with(reached.packed_bytes()) {
            return Err(NotCertified::Stopped(reason.to_string()));
        }
        let claim = ProofClaim {
            up_to_bound: reached.was_bounded(),
            ..proved.claim
        };
        self.states += reached.states();
        let mut contents = reached.values();
        contents.resize(proved.parts, Vec::new()); // none are known if there is no state
        let states = States {
            contents,
            count: reached.states(),
            each: &|see| reached.each(see),
        };
        Ok(self.writer.proof(&claim, &states)?)
    }
}
