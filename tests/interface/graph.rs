//! The graph of states that `crisol graph` writes is the space that `crisol count` counts.

use std::path::Path;
use std::process::{Command, Output};

use roxmltree::Document;

fn crisol(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a run")
}

fn graph(arguments: &[&str]) -> String {
    let output = crisol(&[&["graph"], arguments].concat());
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{complaint}");
    String::from_utf8(output.stdout).expect("text")
}

/// States and transitions.
fn counted(model: &str) -> (u64, u64) {
    let output = crisol(&["count", model, "--json", "--quiet"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    let number = |name: &str| document[name].as_u64().expect("a number");
    (number("states"), number("transitions"))
}

/// First state, transitions and states, as the head of an `.aut` file says.
fn head(aut: &str) -> Vec<u64> {
    let first = aut.lines().next().expect("a line");
    let inner = first
        .strip_prefix("des (")
        .and_then(|rest| rest.strip_suffix(')'));
    let numbers = inner.expect("a head").split(',');
    numbers
        .map(|number| number.parse().expect("a number"))
        .collect()
}

const SMALL: [&str; 5] = [
    "models/pump/pump.csm",
    "models/peterson/two.csm",
    "models/dishwasher/dishwasher.csm",
    "models/philosophers/deadlocking.csm",
    "models/alternating_bit/alternating_bit.csm",
];

#[test]
fn an_aut_file_has_as_many_states_and_transitions_as_are_counted() {
    for model in SMALL {
        let aut = graph(&[model, "--format", "aldebaran", "--max-states", "20000"]);
        let (states, transitions) = counted(model);
        assert_eq!(head(&aut), [0, transitions, states], "{model}");
        assert_eq!(aut.lines().count() as u64, transitions + 1, "{model}");
    }
}

/// A step that fails, or is cut at a full inbox, leads to a node that is no state.
#[test]
fn failed_steps_and_cut_ones_have_an_end() {
    let (failing, cut) = (
        "models/pump/impatient.csm",
        "models/figure_2_1/figure_2_1.csm",
    );
    for model in [failing, cut] {
        let aut = graph(&[model, "--format", "aldebaran"]);
        let (states, transitions) = counted(model);
        assert_eq!(head(&aut), [0, transitions, states + 1], "{model}");
    }
    let dot = graph(&[failing]);
    assert!(dot.contains("the run fails") && dot.contains("violates overflow"));
    assert!(graph(&[cut]).contains("the run is cut"));
}

#[test]
fn graphml_is_well_formed_and_complete() {
    let model = "models/pump/impatient.csm";
    let text = graph(&[model, "--format", "graphml"]);
    let document = Document::parse(&text).expect("well-formed");
    // The namespace of GraphML is part of the name.
    let named = |name: &str| {
        let all = document.descendants();
        all.filter(|node| node.tag_name().name() == name).count() as u64
    };
    let (states, transitions) = counted(model);
    assert_eq!((named("node"), named("edge")), (states + 1, transitions));
    let marked = |value: &str| text.matches(value).count();
    assert_eq!(marked("<data key=\"initial\">true</data>"), 1);
    assert!(marked("<data key=\"violates\">rests_when_off</data>") > 0);
}

#[test]
fn dot_has_a_node_for_every_state_and_balanced_quotes() {
    let model = "models/pump/pump.csm";
    let dot = graph(&[model]);
    let (states, transitions) = counted(model);
    let nodes = dot.lines().filter(|line| {
        line.starts_with("  s") && line.contains(" [label=\"") && !line.contains(" -> ")
    });
    assert_eq!(nodes.count() as u64, states);
    let edges = dot
        .lines()
        .filter(|line| line.contains(" -> s") && line.contains("label"));
    assert_eq!(edges.count() as u64, transitions);
    let unescaped = dot.replace("\\\\", "").replace("\\\"", "");
    assert!(
        unescaped
            .lines()
            .all(|line| line.matches('"').count() % 2 == 0)
    );
}

#[test]
fn the_picture_shows_every_state_once() {
    let model = "models/pump/impatient.csm";
    let svg = graph(&[model, "--format", "svg"]);
    let document = Document::parse(&svg).expect("well-formed");
    let shown = document
        .descendants()
        .filter(|node| node.has_attribute("data-state"));
    assert_eq!(shown.count() as u64, counted(model).0 + 1);
}

#[test]
fn graphs_are_the_same_every_time() {
    for format in ["dot", "svg", "graphml", "aldebaran"] {
        let arguments = ["models/dishwasher/dishwasher.csm", "--format", format];
        assert_eq!(graph(&arguments), graph(&arguments));
    }
}

#[test]
fn an_abstraction_makes_abstract_states() {
    let model = "models/orders/shop.csm";
    let aut = graph(&[model, "--format", "aldebaran"]);
    assert_eq!(head(&aut)[2], 39);
    let refused = crisol(&["graph", model, "--concrete"]);
    assert_eq!(refused.status.code(), Some(3));
}

#[test]
fn large_models_are_refused_with_advice() {
    let output = crisol(&["graph", "models/pump/impatient.csm", "--max-states", "10"]);
    assert_eq!(output.status.code(), Some(3));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("more than 10 states"), "{complaint}");
    assert!(complaint.contains("--max-states"), "{complaint}");
}

const DVE: &str = "byte x = 0;\nprocess P {\n  state a, b;\n  init a;\n  trans\n    a -> b { guard x < 2; effect x = x + 1; },\n    b -> a { };\n}\nsystem async;\n";

#[test]
fn dve_models_have_graphs_too() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph.dve");
    std::fs::write(&path, DVE).expect("a file");
    let path = path.to_string_lossy();
    let aut = graph(&[&path, "--format", "aldebaran"]);
    let (states, transitions) = counted(&path);
    assert_eq!(head(&aut), [0, transitions, states]);
    assert!(graph(&[&path]).contains("P in a"));
}
