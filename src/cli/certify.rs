//! `crisol check --certify`: verdicts that others can check.

use std::path::PathBuf;

use clap::Args;
use crisol::checker::{Certified, NotCertified, Proof, certify};
use crisol::evidence::certificate::Subject;
use crisol::evidence::{CheckResult, PropertyResult};
use crisol::lang::Definitions;
use crisol::search::Budget;

use super::load::Loaded;
use super::progress::Reporter;
use super::{Failure, print_error};

#[derive(Args)]
pub struct Certify {
    /// Write a certificate of all that was decided, for `crisol validate`
    #[arg(long, value_name = "FILE")]
    certify: Option<PathBuf>,
}

/// What a certificate is about.
pub struct Decided<'a> {
    pub loaded: &'a Loaded,
    pub definitions: &'a Definitions,
    pub findings: &'a CheckResult,
    pub proofs: &'a [Proof],
}

impl Certify {
    pub fn is_wanted(&self) -> bool {
        self.certify.is_some()
    }

    /// Writes the certificate, if one was asked for; whether all is well.
    pub fn write(
        &self,
        decided: &Decided<'_>,
        budget: &Budget,
        mut reporter: Reporter,
    ) -> Result<bool, Failure> {
        let Some(path) = &self.certify else {
            return Ok(true);
        };
        let is_decided = |result: &PropertyResult| result.verdict.name() != "unknown";
        if !decided.findings.results.iter().any(is_decided) {
            let path = path.display();
            print_error(&format!(
                "error: {path} was not written: nothing was decided\n"
            ));
            return Ok(false);
        }
        let Loaded { source, model, .. } = decided.loaded;
        let subject = Subject::new(source.text(), decided.definitions, model);
        let (findings, proofs) = (decided.findings, decided.proofs);
        let mut watch = |now| reporter.see(now);
        let certified = certify(model, &subject, findings, proofs, path, budget, &mut watch);
        drop(reporter); // its line goes before anything else is said
        let path = path.display();
        match certified {
            Ok(certified) => {
                print_error(&format!("certificate: {path}, {}\n", size(&certified)));
                Ok(true)
            }
            Err(NotCertified::Wrong(error)) => Err(Failure::Internal(error.0)),
            Err(why) => {
                print_error(&format!("error: {path} was not written: {why}\n"));
                Ok(false)
            }
        }
    }
}

fn size(certified: &Certified) -> String {
    let Certified { bytes, states } = certified;
    match states {
        0 => format!("{bytes} bytes"),
        states => {
            let each = *bytes as f64 / *states as f64;
            format!("{states} states in {bytes} bytes ({each:.2} each)")
        }
    }
}
