//! The shipped models, and those of the BEEM set.

use std::path::{Path, PathBuf};

use crisol::dve::dead_variables::DeadSlots;
use crisol::dve::read;
use crisol::dve::system::DveSystem;
use crisol::search::Budget;

use crate::common;
use crate::dead_variables::compare::{compare, compare_model};
use crate::shared::beem;

/// Larger ones are not looked at, or only so far.
const STATES: u64 = 10_000;

fn budget() -> Budget {
    Budget {
        max_states: Some(STATES),
        ..Budget::default()
    }
}

fn csm_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(csm_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "csm") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn shipped_models_have_the_same_verdicts_and_traces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let (mut wrong, mut smaller) = (Vec::new(), 0);
    for path in csm_files(&root) {
        let model = common::shipped(path.to_str().expect("a name"), &[]);
        match compare_model(&model, &budget()) {
            Ok(compared) => smaller += usize::from(compared.reset < compared.full),
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(smaller >= 5, "only {smaller} models have dead variables");
}

#[test]
fn small_beem_models_have_the_same_verdicts_and_traces() {
    let Some(folder) = beem() else { return };
    let counts = std::fs::read_to_string(folder.join("counts.tsv")).expect("counts.tsv");
    let mut wrong = Vec::new();
    for line in counts.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let states: u64 = fields[1].parse().expect("a number");
        if states > STATES {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(format!("{}.dve", fields[0])));
        let program = read(&text.expect("a model")).expect("a program");
        let dead = DeadSlots::new(&program);
        if let Err(error) = compare(&DveSystem::new(&program), &dead, &budget()) {
            wrong.push(format!("{}: {error}", fields[0]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
