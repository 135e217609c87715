//! What a transition costs under an abstraction, beside what it costs in the concrete model: both
//! spaces are explored to their end.

use crisol::abstraction::{Abstract, Precision};
use crisol::csm::system::CsmSystem;
use crisol::csm::{Precision as Answers, Semantics};
use crisol::lang::{Model, check, parse};
use crisol::search::{Bfs, Budget, StopWhen};
use criterion::{Criterion, Throughput};

/// With numbers small enough that the concrete model has an end.
const MODEL: &str = "sequence_numbers/wrap_around";
const SMALL: &str = "LAST=20";

pub fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("transition");
    group.sample_size(10);
    let model = shipped();
    let concrete = Semantics::exact(&model);
    group.throughput(Throughput::Elements(explore(&concrete)));
    group.bench_function("concrete", |bencher| bencher.iter(|| explore(&concrete)));
    let precision = Precision::declared(&model);
    let known = precision.model(&model);
    let known = Semantics::new(&known, Abstract::new(&known, precision, true));
    group.throughput(Throughput::Elements(explore(&known)));
    group.bench_function("abstract", |bencher| bencher.iter(|| explore(&known)));
}

/// The number of transitions.
fn explore<P: Answers + Sync>(semantics: &Semantics<'_, P>) -> u64 {
    let system = CsmSystem::new(semantics);
    let budget = Budget {
        threads: Some(1),
        ..Budget::default()
    };
    let explored = Bfs::default().explore(&system, &StopWhen::Everything, &budget, &mut |_| {});
    explored.exploration.transitions
}

fn shipped() -> Model {
    let path = format!("{}/models/{MODEL}.csm", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (name, value) = SMALL.split_once('=').expect("NAME=VALUE");
    let (model, errors) = check(&parse(&text).0, &vec![(name.to_owned(), value.to_owned())]);
    model.unwrap_or_else(|| panic!("{errors:#?}"))
}
