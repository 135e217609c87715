//! The BEEM models against their published counts: the judge that nobody here wrote.
//!
//! The models are not part of the project. Where they lie beside it (`../shared/data/beem`, or the folder
//! that `CRISOL_BEEM` names) they are read from there; otherwise these tests say so and pass.

use std::path::PathBuf;

use crisol::explore::{Budget, End, Explorer, Goal, Sequential};
use crisol::import::dve::read;
use crisol::system::DveSystem;

/// A line of `counts.tsv`.
struct Published {
    name: String,
    states: u64,
    transitions: Option<u64>,
    levels: Option<u64>,
}

fn folder() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/beem");
    let named = std::env::var_os("CRISOL_BEEM").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| PathBuf::from(beside));
    let there = folder.join("counts.tsv").exists();
    if !there {
        eprintln!("skipped: there are no BEEM models in {}", folder.display());
    }
    there.then_some(folder)
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

/// What differs from the published counts, if anything does.
fn difference(folder: &std::path::Path, published: &Published) -> Option<String> {
    let path = folder.join(format!("{}.dve", published.name));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let program = read(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    let system = DveSystem::new(&program);
    let found = Sequential.explore(
        &system,
        &Goal::Everything,
        &Budget::default(),
        &mut |_, _, _| {},
    );
    assert_eq!(found.end, End::Complete);
    let differs = found.states != published.states
        || published
            .transitions
            .is_some_and(|wanted| wanted != found.transitions)
        || published.levels.is_some_and(|wanted| wanted != found.depth);
    differs.then(|| {
        format!(
            "{}: {} states, {} transitions, {} levels; published {}, {:?}, {:?}",
            published.name,
            found.states,
            found.transitions,
            found.depth,
            published.states,
            published.transitions,
            published.levels
        )
    })
}

#[test]
fn published_counts_of_the_small_instances() {
    let Some(folder) = folder() else { return };
    let most = std::env::var("CRISOL_BEEM_MOST")
        .ok()
        .and_then(|text| text.parse().ok());
    let instances = published(&folder, most.unwrap_or(30_000));
    assert!(instances.len() > 40, "only {} instances", instances.len());
    let wrong: Vec<String> = instances
        .iter()
        .filter_map(|i| difference(&folder, i))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        instances.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_instance_can_be_read() {
    let Some(folder) = folder() else { return };
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
