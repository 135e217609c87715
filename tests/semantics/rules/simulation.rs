//! Runs step by step, and traces that are replayed.

use super::*;
use std::path::PathBuf;
use std::process::Command;

use crisol::simulate::{Course, Simulation, random_run};
use serde_json::Value as Json;

const MODEL: &str = "external signal go(int(1..2) n); signal m(C who);
    class C { C other; int(0..9) sum; initial -> S; quiescent state S; quiescent state T { ignore go; }
      S -> T : go(n) / { sum = choose(0..n); send other.m(self); }
      T -> S : m(who) / { assert who.sum < 2; }
      S -> S : m(_); }
    object o: C { other = p; } object p: C { other = o; }
    inbox * capacity 2 on_full cut;";

fn run(model: &Model, seed: u64) -> Vec<String> {
    let mut told = Vec::new();
    let mut simulation = Simulation::new(model);
    random_run(&mut simulation, seed, 30, |lines| {
        told.extend_from_slice(lines)
    });
    told
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let model = model(MODEL);
    assert_eq!(run(&model, 7), run(&model, 7));
    let different: HashSet<Vec<String>> = (0..5).map(|seed| run(&model, seed)).collect();
    assert!(different.len() > 1);
}

#[test]
fn a_step_can_be_taken_back() {
    let model = model(MODEL);
    let mut simulation = Simulation::new(&model);
    simulation.take(simulation.possible().remove(0));
    let before = simulation.now().cloned();
    simulation.take(simulation.possible().remove(0));
    assert_ne!(simulation.now().cloned(), before);
    assert!(simulation.back());
    assert_eq!(simulation.now().cloned(), before);
    assert!(!simulation.back(), "the start stays");
}

/// A folder of this test's own, with the model in it.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, text: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("crisol-language-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("model.csm"), text).expect("a model");
        Folder(path)
    }

    /// Runs the program: its exit code and output.
    fn crisol(&self, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
        let output = command
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("a run");
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (
            output.status.code().expect("an exit code"),
            text.into_owned(),
        )
    }

    fn check(&self, property: &str) -> Json {
        let arguments = ["check", "--json", "model.csm", "--property", property];
        let (code, text) = self.crisol(&arguments);
        assert_eq!(code, 1, "{text}");
        serde_json::from_str(&text).expect("one JSON object")
    }

    fn replay(&self, document: &Json) -> (i32, String) {
        std::fs::write(self.0.join("trace.json"), document.to_string()).expect("a trace");
        self.crisol(&["simulate", "--replay", "trace.json", "model.csm"])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_trace_that_a_check_has_written_can_be_replayed() {
    let semantics = [
        "",
        "semantics run_to_completion;",
        "thread t { o, p } semantics run_to_completion with atomic_steps;",
    ];
    for (number, semantics) in semantics.into_iter().enumerate() {
        let folder = Folder::with(&format!("replay{number}"), &format!("{MODEL} {semantics}"));
        let (code, text) = folder.replay(&folder.check("assertion_failure"));
        assert_eq!(code, 1, "it violates what it says it does: {text}");
        assert!(text.contains("assert who.sum < 2"), "{text}");
    }
}

#[test]
fn a_trace_with_choices_at_the_start_can_be_replayed() {
    let text = "class C { int x; initial -> S / { x = choose(0..5); } state S; final T;
        S -> T / { x = x * 10 + choose { 3, 4 }; } }
        object o: C; property p : never o.x == 34;";
    let folder = Folder::with("start", text);
    let document = folder.check("p");
    assert_eq!(folder.replay(&document).0, 1);
    let other = changed(&document, |steps| {
        steps[0]["step"]["choices"] = Json::from(vec![2]);
    });
    assert_eq!(folder.replay(&other).0, 3, "24 is not 34");
}

/// Changes something in the steps of the first trace.
fn changed(document: &Json, change: impl Fn(&mut Vec<Json>)) -> Json {
    let mut document = document.clone();
    let steps = document["trace"]["steps"].as_array_mut().expect("steps");
    change(steps);
    document
}

#[test]
fn a_trace_with_one_step_changed_is_refused() {
    let folder = Folder::with("changed", MODEL);
    let document = folder.check("assertion_failure");
    let is_refused = |what: &str, change: &dyn Fn(&mut Vec<Json>)| {
        let changed = changed(&document, change);
        assert_ne!(changed, document, "{what} changes nothing");
        let (code, text) = folder.replay(&changed);
        assert_eq!(code, 3, "{what}: {text}");
        assert!(text.contains("error:"), "{what}: {text}");
    };
    is_refused("a step less", &|steps| _ = steps.remove(1));
    is_refused("the last step less", &|steps| _ = steps.pop());
    is_refused("two steps exchanged", &|steps| steps.swap(1, 3));
    is_refused("a step twice", &|steps| {
        steps.push(steps[steps.len() - 1].clone())
    });
}

#[test]
fn a_trace_of_another_model_is_refused() {
    let folder = Folder::with("other", MODEL);
    let document = folder.check("assertion_failure");
    std::fs::write(
        folder.0.join("model.csm"),
        MODEL.replace("sum < 2", "sum < 3"),
    )
    .expect("a model");
    let (code, text) = folder.replay(&document);
    assert_eq!(code, 3, "the assertion holds now: {text}");
    std::fs::write(
        folder.0.join("model.csm"),
        MODEL.replace("object p", "object q").replace("= p", "= q"),
    )
    .expect("a model");
    let (code, text) = folder.replay(&document);
    assert_eq!(code, 3);
    assert!(text.contains("no object `p`"), "{text}");
}

#[test]
fn random_runs_of_the_program_say_their_seed() {
    let folder = Folder::with("random", MODEL);
    let (_, first) = folder.crisol(&[
        "simulate",
        "--random",
        "--seed",
        "11",
        "--steps",
        "12",
        "model.csm",
    ]);
    let (_, second) = folder.crisol(&[
        "simulate",
        "--random",
        "--seed",
        "11",
        "--steps",
        "12",
        "model.csm",
    ]);
    assert_eq!(first, second);
    assert!(first.contains("seed 11"), "{first}");
}
