//! What a model's `.toml` expects, and the comparison with a hand-coded exploration of the same system.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::independent::walk::Findings;

#[derive(Deserialize)]
struct Expected {
    run: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    define: Vec<String>,
    verdict: String,
    states: usize,
    transitions: usize,
    depth: usize,
    deadlocks: usize,
    #[serde(default)]
    properties: BTreeMap<String, Outcome>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Outcome {
    ShortestTrace(usize),
    Word(String),
}

/// The constants of one run, as `-D NAME=VALUE` gives them.
pub struct Constants(BTreeMap<String, usize>);

impl Constants {
    /// The value of a constant; `otherwise` is the one that the model itself gives it.
    pub fn get(&self, name: &str, otherwise: usize) -> usize {
        self.0.get(name).copied().unwrap_or(otherwise)
    }
}

/// Compares every run that `models/{model}.toml` lists with what `explore` finds for its constants.
pub fn judge(model: &str, explore: impl Fn(&Constants) -> Findings) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("models")
        .join(format!("{model}.toml"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expected: Expected =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for run in &expected.run {
        let found = explore(&constants(&run.define));
        assert_eq!(
            found,
            run.findings(),
            "{model} {:?}: found (left) and expected (right)",
            run.define
        );
        let violated = found.properties.values().any(Option::is_some);
        assert_eq!(
            run.verdict,
            if violated { "violated" } else { "holds" },
            "{model} {:?}",
            run.define
        );
    }
}

fn constants(define: &[String]) -> Constants {
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').expect("NAME=VALUE");
        let value = match value {
            "false" => 0,
            "true" => 1,
            number => number.parse().expect("a number"),
        };
        (name.to_string(), value)
    };
    Constants(define.iter().map(pair).collect())
}

impl Run {
    fn findings(&self) -> Findings {
        Findings {
            states: self.states,
            transitions: self.transitions,
            depth: self.depth,
            deadlocks: self.deadlocks,
            properties: self
                .properties
                .iter()
                .map(|(name, outcome)| (name.clone(), outcome.steps()))
                .collect(),
        }
    }
}

impl Outcome {
    fn steps(&self) -> Option<usize> {
        match self {
            Outcome::ShortestTrace(steps) => Some(*steps),
            Outcome::Word(word) => {
                assert_eq!(
                    word, "holds",
                    "a property holds, or has the length of its shortest trace"
                );
                None
            }
        }
    }
}
