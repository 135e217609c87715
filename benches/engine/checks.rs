//! Whole checks of shipped models, from the typed model to the verdicts.

use crisol::checker::{CheckUntil, DeadVariables, verify};
use crisol::lang::{Model, check, parse};
use crisol::search::Budget;
use criterion::Criterion;

pub fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10);
    for path in [
        "philosophers/deadlocking",
        "two_phase_commit/two_phase_commit",
        "level_crossing/level_crossing",
    ] {
        let model = shipped(path);
        let all: Vec<usize> = (0..model.properties.len()).collect();
        let budget = Budget::default();
        group.bench_function(path, |bencher| {
            bencher.iter(|| {
                let found = verify(
                    &model,
                    &all,
                    CheckUntil::Everything,
                    DeadVariables::Keep,
                    &budget,
                    &mut |_| {},
                );
                found.expect("no contradiction").statistics
            });
        });
    }
}

/// A model of `models/`.
pub fn shipped(path: &str) -> Model {
    let path = format!("{}/models/{path}.csm", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (file, errors) = parse(&text);
    assert!(errors.is_empty(), "{errors:#?}");
    let (model, errors) = check(&file, &Vec::new());
    model.unwrap_or_else(|| panic!("{errors:#?}"))
}
