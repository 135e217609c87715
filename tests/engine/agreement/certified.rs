//! Certificates of random models are right, with abstraction and without; and they say just what the check
//! has found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crisol::checker::{
    CheckUntil, DeadVariables, Proof, abstract_proofs, certify, certify_dve, concrete_proofs,
    verify, verify_dve,
};
use crisol::dve::{DVE_PROPERTIES, Program};
use crisol::evidence::certificate::{Confirmed, Subject as Certified, validate};
use crisol::evidence::{CheckResult, Verdict};
use crisol::lang::{Model, SourceFile};
use crisol::search::Budget;

use crate::agreement::compare::whole_space;
use crate::agreement::refined;
use crate::agreement::subject::Subject;

pub fn are_right(model: &Model, text: &str) -> Result<(), String> {
    if whole_space(model).is_none() {
        return Ok(());
    }
    let properties: Vec<usize> = model.properties().iter().map(|p| p.0).collect();
    let budget = Budget::default();
    let (extent, dead) = (CheckUntil::Decide, DeadVariables::Reset);
    let findings = verify(model, &properties, extent, dead, &budget, &mut |_| {});
    let findings = findings.map_err(|contradiction| contradiction.0)?;
    let proofs = concrete_proofs(&findings);
    is_right(model, text, &findings, &proofs).map_err(|why| format!("concrete: {why}"))?;
    let (findings, outcome) = refined::refined(model)?;
    let proofs = abstract_proofs(&outcome);
    is_right(model, text, &findings, &proofs).map_err(|why| format!("refined: {why}"))
}

fn is_right(
    model: &Model,
    text: &str,
    findings: &CheckResult,
    proofs: &[Proof],
) -> Result<(), String> {
    let path = some_file();
    let subject = Certified::new(text, &[], model);
    let budget = Budget::default();
    certify(
        model,
        &subject,
        findings,
        proofs,
        &path,
        &budget,
        &mut |_| {},
    )
    .map_err(|why| why.to_string())?;
    let name = |property: usize| model.properties[property].name.clone();
    confirms(&path, text, findings, name)
}

/// The same of a DVE program.
pub fn program_is_right(program: &Program, text: &str) -> Result<(), String> {
    if whole_space(program).is_none() {
        return Ok(());
    }
    let properties: Vec<usize> = (0..DVE_PROPERTIES.len()).collect();
    let budget = Budget::default();
    let (extent, dead) = (CheckUntil::Decide, DeadVariables::Reset);
    let findings = verify_dve(program, &properties, extent, dead, &budget, &mut |_| {});
    let findings = findings.map_err(|contradiction| contradiction.0)?;
    let path = some_file();
    let subject = Certified::of_dve(text, &[]);
    let written = certify_dve(program, &subject, &findings, &path, &budget, &mut |_| {});
    written.map_err(|why| why.to_string())?;
    confirms(&path, text, &findings, |property| {
        DVE_PROPERTIES[property].to_owned()
    })
}

/// A certificate says what was found, and is right.
fn confirms<T>(
    path: &Path,
    text: &str,
    findings: &CheckResult<T>,
    name: impl Fn(usize) -> String,
) -> Result<(), String> {
    let source = SourceFile::new("random", text);
    let validated = validate(&source, path, 2, &|_, _| {});
    let _ = std::fs::remove_file(path);
    let validated = validated.map_err(|rejection| format!("rejected: {rejection}"))?;
    let confirmed: BTreeSet<(String, bool)> = validated.confirmed.iter().flat_map(said).collect();
    let found = findings.results.iter().filter_map(|result| {
        let name = name(result.property);
        match result.verdict {
            Verdict::Holds { .. } => Some((name, true)),
            Verdict::Violated(_) => Some((name, false)),
            Verdict::Unknown(_) => None,
        }
    });
    let found: BTreeSet<(String, bool)> = found.collect();
    match confirmed == found {
        true => Ok(()),
        false => Err(format!("{found:?} were found, {confirmed:?} certified")),
    }
}

/// The properties that are confirmed, and whether they hold.
fn said(confirmed: &Confirmed) -> Vec<(String, bool)> {
    match confirmed {
        Confirmed::Violation { property, .. } => vec![(property.clone(), false)],
        Confirmed::Proof { claim, .. } => {
            let names = claim.properties.iter();
            names.map(|name| (name.clone(), true)).collect()
        }
    }
}

fn some_file() -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let digits: String = thread.chars().filter(char::is_ascii_digit).collect();
    std::env::temp_dir().join(format!("crisol-{}-{digits}.cert", std::process::id()))
}
