//! `crisol validate`: whether a certificate is right. Uses nothing of what made it.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use clap::Args;
use crisol::evidence::certificate::{Confirmed, ProofClaim, Rejection, Validated, validate};

use super::load::read;
use super::progress::StatusLine;
use super::{Failure, print};

/// The exit code if a certificate is not believed.
const REJECTED: u8 = 1;

#[derive(Args)]
pub struct Validate {
    /// The model, a .csm or .dve file
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// The certificate, as `crisol check --certify` writes it
    #[arg(value_name = "CERTIFICATE")]
    certificate: PathBuf,

    /// Work with this many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Say nothing while it works
    #[arg(short, long)]
    quiet: bool,
}

impl Validate {
    pub fn run(self) -> Result<u8, Failure> {
        let source = read(&self.model)?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(cores, usize::from);
        let (start, status) = (Instant::now(), Mutex::new(StatusLine::new(self.quiet)));
        let see = |done: usize, all: usize| {
            let elapsed = start.elapsed();
            // Where another thread is just speaking, nothing is lost.
            if let Ok(mut status) = status.try_lock()
                && status.is_due(elapsed)
            {
                let seconds = elapsed.as_secs();
                status.say(
                    elapsed,
                    &format!("validating: {done} of {all} states, {seconds} s"),
                );
            }
        };
        let validated = validate(&source, &self.certificate, threads, &see);
        drop(status);
        let (model, certificate) = (source.name(), self.certificate.display());
        match validated {
            Ok(validated) => {
                print(&told(&validated));
                print(&format!("\n{certificate}: right, for {model}\n"));
                Ok(0)
            }
            Err(Rejection::Unreadable(error)) => Err(Failure::Input(format!(
                "error: {certificate} can't be read: {error}"
            ))),
            Err(rejection) => {
                print(&format!(
                    "{certificate}: rejected, for {model}\n  {rejection}\n"
                ));
                Ok(REJECTED)
            }
        }
    }
}

fn told(validated: &Validated) -> String {
    let mut text = String::new();
    for (name, value) in &validated.subject.definitions {
        text += &format!("  with      {name} = {value}\n");
    }
    for confirmed in &validated.confirmed {
        match confirmed {
            Confirmed::Violation { property, steps } => {
                text += &format!("  violated  {property:<22} by {steps} steps, replayed\n");
            }
            Confirmed::Proof {
                claim,
                states,
                steps,
            } => {
                for property in &claim.properties {
                    text += &format!(
                        "  holds     {property:<22} in {states} states, closed under {steps} steps\n"
                    );
                }
                text += &terms(claim);
            }
        }
    }
    text
}

/// On what terms a proof is one.
fn terms(claim: &ProofClaim) -> String {
    let mut text = String::new();
    if let Some(precision) = &claim.precision {
        text += "  precision:\n";
        text.extend(precision.lines().map(|line| format!("    {line}\n")));
    }
    if claim.assumes_no_overflow {
        text += "  assumed: no number leaves its type\n";
    }
    if claim.up_to_bound {
        text += "  assumed: inboxes hold no more than their capacity (cut)\n";
    }
    text
}
