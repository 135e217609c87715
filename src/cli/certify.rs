//! `crisol check --certify`: verdicts that others can check.

use std::path::{Path, PathBuf};

use clap::Args;
use crisol::checker::{Certified, NotCertified};
use crisol::evidence::{CheckResult, PropertyResult};

use super::{Failure, print_error};

#[derive(Args)]
pub struct Certify {
    /// Write a certificate of all that was decided, for `crisol validate`
    #[arg(long, value_name = "FILE")]
    certify: Option<PathBuf>,
}

impl Certify {
    pub fn is_wanted(&self) -> bool {
        self.certify.is_some()
    }

    /// Writes the certificate, if one was asked for; whether all is well.
    pub fn write<T>(
        &self,
        findings: &CheckResult<T>,
        certify: impl FnOnce(&Path) -> Result<Certified, NotCertified>,
    ) -> Result<bool, Failure> {
        let Some(path) = &self.certify else {
            return Ok(true);
        };
        let is_decided = |result: &PropertyResult<T>| result.verdict.name() != "unknown";
        if !findings.results.iter().any(is_decided) {
            let path = path.display();
            print_error(&format!(
                "error: {path} was not written: nothing was decided\n"
            ));
            return Ok(false);
        }
        let certified = certify(path);
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
