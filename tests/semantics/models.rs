//! Every shipped model has the verdicts and counts that stand beside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crisol::checker::{CheckUntil, DeadVariables, verify};
use crisol::evidence::overall;
use crisol::lang::{Model, check, lint, parse, print};
use crisol::search::Budget;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Codes of the warnings that the model is meant to have.
    #[serde(default)]
    warnings: Vec<String>,
    run: Vec<Run>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    define: Vec<String>,
    verdict: String,
    states: u64,
    transitions: u64,
    depth: u64,
    deadlocks: u64,
    /// Where the counts come from.
    counts: Source,
    /// Explore only so many states: the model has no end.
    #[serde(default)]
    max_states: Option<u64>,
    #[serde(default)]
    properties: BTreeMap<String, Outcome>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Hand,
    Literature,
    Independent,
    Regression,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Outcome {
    ShortestTrace(usize),
    Word(String),
}

/// What is compared, in the form in which it is expected.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    verdict: String,
    counts: [u64; 4],
    properties: BTreeMap<String, Outcome>,
}

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let families = std::fs::read_dir(root)
        .expect("models/")
        .flatten()
        .map(|entry| entry.path());
    let families = families.filter(|path| path.is_dir());
    let files = families.flat_map(|path| std::fs::read_dir(path).expect("a family").flatten());
    let models = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "csm"));
    let mut models: Vec<PathBuf> = models.collect();
    models.sort();
    models
}

fn load(path: &Path, define: &[String]) -> Model {
    let text = std::fs::read_to_string(path).expect("a model");
    let (file, errors) = parse(&text);
    assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').expect("NAME=VALUE");
        (name.to_owned(), value.to_owned())
    };
    let (model, errors) = check(&file, &define.iter().map(pair).collect());
    model.unwrap_or_else(|| panic!("{}: {errors:?}", path.display()))
}

fn expected(path: &Path) -> Expected {
    let path = path.with_extension("toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Explores everything, so that counts and verdicts come from one run.
fn found(model: &Model, max_states: Option<u64>) -> Found {
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let budget = Budget {
        max_states,
        ..Budget::default()
    };
    let findings = verify(
        model,
        &all,
        CheckUntil::Everything,
        DeadVariables::Keep,
        &budget,
        &mut |_| {},
    )
    .expect("no contradiction");
    let mut properties = BTreeMap::new();
    for result in &findings.results {
        let property = &model.properties[result.property];
        let outcome = match result.verdict.trace() {
            Some(trace) => Outcome::ShortestTrace(trace.length()),
            None => Outcome::Word(result.verdict.name().to_owned()),
        };
        // What is built in is listed only where it is violated.
        if property.span.is_some() || result.verdict.trace().is_some() {
            properties.insert(property.name.clone(), outcome);
        }
    }
    let s = &findings.statistics;
    Found {
        verdict: overall(&findings.results).to_owned(),
        counts: [s.states, s.transitions, s.depth, s.deadlocks],
        properties,
    }
}

/// `None` if all is as expected.
fn difference(path: &Path) -> Option<String> {
    let mut wrong = Vec::new();
    for run in expected(path).run {
        let found = found(&load(path, &run.define), run.max_states);
        let wanted = Found {
            verdict: run.verdict,
            counts: [run.states, run.transitions, run.depth, run.deadlocks],
            properties: run.properties,
        };
        if found != wanted {
            wrong.push(format!(
                "{} {:?}\n  expected ({:?}) {wanted:?}\n  found {found:?}",
                path.display(),
                run.define,
                run.counts
            ));
        }
    }
    (!wrong.is_empty()).then(|| wrong.join("\n"))
}

#[test]
fn every_model_has_its_expected_verdicts_and_counts() {
    let models = models();
    assert!(models.len() > 40, "only {} models", models.len());
    let next = AtomicUsize::new(0);
    let worker = || {
        let indices = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mine = indices.map_while(|index| models.get(index));
        mine.filter_map(|path| difference(path))
            .collect::<Vec<String>>()
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker"))
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_model_is_in_canonical_form() {
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a model");
        assert_eq!(
            print(&parse(&text).0),
            text,
            "{}: run `crisol fmt --write`",
            path.display()
        );
    }
}

#[test]
fn no_model_has_warnings_that_it_is_not_meant_to_have() {
    for path in models() {
        let expected = expected(&path);
        let warnings = lint(&load(&path, &[]));
        let mut codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
        codes.dedup();
        assert_eq!(
            codes,
            expected.warnings,
            "{}: {warnings:#?}",
            path.display()
        );
    }
}

#[test]
fn every_family_says_what_it_is() {
    for path in models() {
        let readme = path.with_file_name("README.md");
        let text = std::fs::read_to_string(&readme).unwrap_or_default();
        assert!(text.len() > 100, "{} is missing or empty", readme.display());
    }
}
