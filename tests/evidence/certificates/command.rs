//! `crisol check --certify` and `crisol validate` from outside.

use std::path::Path;
use std::process::{Command, Output};

use crate::certificates::made::Scratch;

fn crisol(arguments: &[&str], certificate: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .args(arguments)
        .arg(certificate)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command.output().expect("a run")
}

/// The exit code, and all that was said.
fn said(output: &Output) -> (i32, String) {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(all).expect("text");
    (output.status.code().expect("an exit code"), text)
}

#[test]
fn a_check_writes_what_validate_confirms() {
    let file = Scratch::new();
    let model = "models/two_phase_commit/two_phase_commit.csm";
    let check = ["check", model, "-D", "N=2", "--certify"];
    let (code, text) = said(&crisol(&check, &file.0));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("certificate: "), "{text}");
    let (code, text) = said(&crisol(&["validate", model], &file.0));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("with      N = 2"), "{text}");
    assert!(text.contains("holds     agreement"), "{text}");
    assert!(
        text.contains(": right, for models/two_phase_commit"),
        "{text}"
    );
    let other = "models/two_phase_commit/two_phase_commit_impatient.csm";
    let (code, text) = said(&crisol(&["validate", other], &file.0));
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("made for another text"), "{text}");
}

#[test]
fn a_violation_is_certified_by_its_run() {
    let file = Scratch::new();
    let model = "models/pump/impatient.csm";
    let (code, text) = said(&crisol(&["check", model, "--certify"], &file.0));
    assert_eq!(code, 1, "{text}");
    let (code, text) = said(&crisol(&["validate", model], &file.0));
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("violated  rests_when_off         by 6 steps, replayed"),
        "{text}"
    );
}

#[test]
fn what_is_not_known_is_not_certified() {
    let file = Scratch::new();
    let model = "models/bakery/a_unbounded.csm";
    let check = ["check", model, "--max-states", "100", "--certify"];
    let (code, text) = said(&crisol(&check, &file.0));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("nothing was decided"), "{text}");
    assert!(!file.0.exists());
}

#[test]
fn a_certificate_that_can_not_be_written_is_missed() {
    let model = "models/pump/pump.csm";
    let nowhere = Path::new("no/such/folder/proof.crisol");
    let (code, text) = said(&crisol(&["check", model, "--certify"], nowhere));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("was not written: "), "{text}");
    let (code, text) = said(&crisol(&["validate", model], nowhere));
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("can't be read"), "{text}");
}
