//! The BEEM models against their published counts: the judge that nobody here wrote.
//!
//! The models are not part of the project. Where they lie beside it (`../shared/data/beem`, or the folder
//! that `CRISOL_BEEM` names) they are read from there; where there is no `../shared` these tests say so and pass.

use crisol::dve::system::DveSystem;
use crisol::dve::{DveStep, Program, read};
use crisol::search::{Bfs, Budget, Completion, Exploration, Explorer, Naive, StopWhen, Width};

use crate::shared::beem;

/// A line of `counts.tsv`.
struct Published {
    name: String,
    states: u64,
    transitions: Option<u64>,
    levels: Option<u64>,
}

/// Completely explored instances up to a size, smallest first.
fn published(folder: &std::path::Path, most: u64) -> Vec<Published> {
    let text = std::fs::read_to_string(folder.join("counts.tsv")).expect("counts.tsv");
    let mut all: Vec<Published> = text.lines().skip(1).filter_map(line).collect();
    all.retain(|instance| instance.states <= most);
    all.sort_by_key(|instance| instance.states);
    all
}

fn line(line: &str) -> Option<Published> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, states, complete, transitions, levels, ..] = fields[..] else {
        panic!("a line of counts.tsv: {line}")
    };
    (complete == "yes").then(|| Published {
        name: name.to_owned(),
        states: states.parse().expect("a number"),
        transitions: transitions.parse().ok(),
        levels: levels.parse().ok(),
    })
}

fn program(folder: &std::path::Path, name: &str) -> Program {
    let path = folder.join(format!("{name}.dve"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    read(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()))
}

/// What differs from the published counts, if anything does.
fn difference(published: &Published, found: &Exploration<DveStep>) -> Option<String> {
    assert_eq!(found.end, Completion::Complete, "{}", published.name);
    let transitions = published.transitions.unwrap_or(found.transitions);
    let levels = published.levels.unwrap_or(found.depth);
    let wanted = (published.states, transitions, levels);
    let counts = (found.states, found.transitions, found.depth);
    let name = &published.name;
    (counts != wanted).then(|| format!("{name}: {counts:?}, published are {wanted:?}"))
}

fn assert_published(most: u64, explore: impl Fn(&DveSystem<'_>) -> Exploration<DveStep>) {
    let Some(folder) = beem() else { return };
    let instances = published(&folder, most);
    assert!(instances.len() > 25, "only {} instances", instances.len());
    let wrong = instances.iter().filter_map(|instance| {
        let program = program(&folder, &instance.name);
        difference(instance, &explore(&DveSystem::new(&program)))
    });
    let wrong: Vec<String> = wrong.collect();
    let count = instances.len();
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// `CRISOL_BEEM_MOST=1000000 cargo test --release --test engine beem` takes larger ones; `perf/beem` all of them.
#[test]
fn the_engine_finds_the_published_counts() {
    let most = std::env::var("CRISOL_BEEM_MOST").ok();
    let most = most.and_then(|text| text.parse().ok());
    assert_published(most.unwrap_or(300_000), |system| {
        explore(system, Width::AsNeeded)
    });
}

#[test]
fn trees_have_the_published_counts() {
    assert_published(100_000, |system| explore(system, Width::Any));
}

fn explore(system: &DveSystem<'_>, width: Width) -> Exploration<DveStep> {
    let (stop_when, budget) = (StopWhen::Everything, Budget::default());
    let explored = Bfs { width }.explore(system, &stop_when, &budget, &mut |_| {});
    explored.exploration
}

#[test]
fn the_reference_finds_the_published_counts() {
    assert_published(15_000, |system| {
        let (stop_when, budget) = (StopWhen::Everything, Budget::default());
        Naive.explore(system, &stop_when, &budget, &mut |_, _, _| {})
    });
}

#[test]
fn every_instance_can_be_read() {
    let Some(folder) = beem() else { return };
    for instance in published(&folder, u64::MAX) {
        let path = folder.join(format!("{}.dve", instance.name));
        let text = std::fs::read_to_string(&path).expect("a model");
        assert!(
            read(&text).is_ok(),
            "{}: {:?}",
            path.display(),
            read(&text).err()
        );
    }
}
