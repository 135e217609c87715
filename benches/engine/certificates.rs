//! What it costs to validate a certificate, beside one exploration by the reference semantics on one
//! thread: it should be at most twice that.

use std::path::PathBuf;

use crisol::checker::{CheckUntil, DeadVariables, certify, concrete_proofs, verify};
use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::evidence::certificate::{Subject, validate};
use crisol::lang::SourceFile;
use crisol::search::{Budget, Explorer, Naive, StopWhen};
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
                let system = CsmSystem::new(&semantics);
                let (stop_when, budget) = (StopWhen::Everything, Budget::default());
                Naive.explore(&system, &stop_when, &budget, &mut |_, _, _| {})
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
    let (extent, dead) = (CheckUntil::Everything, DeadVariables::Keep);
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
