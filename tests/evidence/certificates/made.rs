//! Certificates for the tests to look at, and to spoil.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crisol::abstraction::Precision;
use crisol::abstraction::cegar::{Options, Policy, Relevance};
use crisol::checker::{
    CheckUntil, DeadVariables, Proof, abstract_proofs, certify, concrete_proofs, verify,
    verify_by_refinement,
};
use crisol::evidence::CheckResult;
use crisol::evidence::certificate::{Confirmed, Rejection, Subject, Validated, validate};
use crisol::lang::{Definitions, Model, SourceFile, check, parse};
use crisol::search::Budget;

/// A model, what a check has found, and the certificate of that.
pub struct Made {
    pub source: SourceFile,
    pub model: Model,
    pub subject: Subject,
    pub findings: CheckResult,
    pub bytes: Vec<u8>,
}

pub fn source(path: &str) -> SourceFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("models")
        .join(path);
    SourceFile::read(&path).expect("a shipped model")
}

pub fn read(source: &SourceFile, definitions: &Definitions) -> Model {
    let (file, errors) = parse(source.text());
    assert!(errors.is_empty(), "{errors:#?}");
    let (model, errors) = check(&file, definitions);
    model.unwrap_or_else(|| panic!("{errors:#?}"))
}

fn definitions(define: &[(&str, &str)]) -> Definitions {
    let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    define.iter().map(owned).collect()
}

/// The certificate of a shipped model.
pub fn concrete(path: &str, define: &[(&str, &str)], threads: usize) -> Made {
    let (source, definitions) = (source(path), definitions(define));
    let model = read(&source, &definitions);
    let budget = budget(threads);
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let (extent, dead) = (CheckUntil::Decide, DeadVariables::Reset);
    let findings = verify(&model, &all, extent, dead, &budget, &mut |_| {});
    let findings = findings.expect("no contradiction");
    let proofs = concrete_proofs(&findings);
    Made::new(source, model, &definitions, (findings, &proofs), &budget)
}

/// The same by refinement, from what the model declares.
pub fn refined(path: &str, define: &[(&str, &str)], threads: usize) -> Made {
    refined_from(source(path), definitions(define), threads)
}

pub fn refined_text(text: &str) -> Made {
    refined_from(SourceFile::new("text.csm", text), Vec::new(), 1)
}

fn refined_from(source: SourceFile, definitions: Definitions, threads: usize) -> Made {
    let model = read(&source, &definitions);
    let budget = budget(threads);
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let options = Options {
        policy: Policy::Boundary,
        relevance: Relevance::Differing,
        max_rounds: None,
        keep_rounds: 1,
        first_only: false,
        sees_overflow: true,
    };
    let precision = Precision::declared(&model);
    let (findings, outcome) = verify_by_refinement(
        &model,
        &all,
        precision,
        &options,
        &budget,
        &mut |_| {},
        &mut |_| {},
    )
    .expect("no contradiction");
    let proofs = abstract_proofs(&outcome);
    Made::new(source, model, &definitions, (findings, &proofs), &budget)
}

pub fn budget(threads: usize) -> Budget {
    Budget {
        threads: Some(threads),
        ..Budget::default()
    }
}

impl Made {
    fn new(
        source: SourceFile,
        model: Model,
        definitions: &Definitions,
        (findings, proofs): (CheckResult, &[Proof]),
        budget: &Budget,
    ) -> Made {
        let subject = Subject::new(source.text(), definitions, &model);
        let file = Scratch::new();
        certify(
            &model,
            &subject,
            &findings,
            proofs,
            &file.0,
            budget,
            &mut |_| {},
        )
        .expect("a certificate");
        let bytes = file.bytes();
        Made {
            source,
            model,
            subject,
            findings,
            bytes,
        }
    }

    /// Validates other bytes in place of the certificate.
    pub fn validate(&self, bytes: &[u8]) -> Result<Validated, Rejection> {
        let file = Scratch::new();
        std::fs::write(&file.0, bytes).expect("a file");
        validate(&self.source, &file.0, 2, &|_, _| {})
    }

    /// Whether a property is violated, as the check has found.
    pub fn is_violated(&self, name: &str) -> bool {
        let found = self
            .findings
            .results
            .iter()
            .find(|result| self.model.properties[result.property].name == name)
            .unwrap_or_else(|| panic!("there is no `{name}`"));
        found.verdict.trace().is_some()
    }

    /// Whether all that was confirmed is what the check has found.
    pub fn agrees(&self, validated: &Validated) -> bool {
        validated.confirmed.iter().all(|confirmed| match confirmed {
            Confirmed::Violation { property, .. } => self.is_violated(property),
            Confirmed::Proof { claim, .. } => {
                !claim.properties.iter().any(|name| self.is_violated(name))
            }
        })
    }
}

/// A file that goes away.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("certificate-{}-{number}", std::process::id());
        Scratch(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
