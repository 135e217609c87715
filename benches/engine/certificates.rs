//! What it costs to validate a certificate, beside one exploration by the reference semantics on one
//! thread: it should be at most twice that.

use std::path::PathBuf;

use crisol::evidence::certificate::{Subject, validate};
use crisol::explore::{Budget, Explorer, Goal, Sequential};
use crisol::model::SourceFile;
use crisol::semantics::Semantics;
use crisol::system::Reference;
use crisol::verify::{DeadVariables, Extent, certify, concrete_proofs, verify};
use criterion::Criterion;

use crate::checks::shipped;

pub fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("certificate");
    group.sample_size(10);
    for path in [
        "two_phase_commit/two_phase_commit",
        "level_crossing/level_crossing",
    ] {
        let model = shipped(path);
        let name = format!("{}/models/{path}.csm", env!("CARGO_MANIFEST_DIR"));
        let source = SourceFile::read(name.as_ref()).expect("a shipped model");
        let certificate = certified(&source, path);
        group.bench_function(format!("{path}/explore"), |bencher| {
            bencher.iter(|| {
                let semantics = Semantics::exact(&model);
                let system = Reference::new(&semantics);
                let (goal, budget) = (Goal::Everything, Budget::default());
                Sequential.explore(&system, &goal, &budget, &mut |_, _, _| {})
            });
        });
        group.bench_function(format!("{path}/validate"), |bencher| {
            bencher.iter(|| {
                let validated = validate(&source, &certificate, 1, &|_, _| {});
                validated.map_err(|rejection| rejection.to_string())
            });
        });
        let _ = std::fs::remove_file(certificate);
    }
}

/// The certificate of a model.
fn certified(source: &SourceFile, path: &str) -> PathBuf {
    let model = shipped(path);
    let file = std::env::temp_dir().join(format!("crisol-bench-{}.cert", std::process::id()));
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let (budget, quiet) = (Budget::default(), &mut |_| {});
    let (extent, dead) = (Extent::Everything, DeadVariables::Keep);
    let findings = verify(&model, &all, extent, dead, &budget, quiet).expect("no contradiction");
    let subject = Subject::new(source.text(), &[], &model);
    let proofs = concrete_proofs(&findings);
    certify(
        &model,
        &subject,
        &findings,
        &proofs,
        &file,
        &budget,
        &mut |_| {},
    )
    .expect("a certificate");
    file
}
