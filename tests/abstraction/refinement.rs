//! Abstraction and refinement from the outside: what the sources say must come out, and every model
//! that needs an abstraction.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crisol::abstraction::cegar::{self, Options, Policy, Relevance};
use crisol::abstraction::{Abstract, Precision};
use crisol::checker::verify_by_refinement;
use crisol::csm::Semantics;
use crisol::evidence::{CheckResult, Refinement, Runs, Spurious, overall};
use crisol::lang::{Definitions, Model, check, parse};
use crisol::search::Budget;
use crisol::system::Target;
use serde::Deserialize;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

fn read(path: &Path, definitions: &Definitions) -> Model {
    let text = std::fs::read_to_string(path).expect("a model");
    model(&text, definitions)
}

fn model(text: &str, definitions: &Definitions) -> Model {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}");
    let (model, errors) = check(&file, definitions);
    model.unwrap_or_else(|| panic!("{errors:?}"))
}

fn named(model: &Model, names: &[&str]) -> Vec<usize> {
    let place = |name: &&str| {
        let mut all = model.properties.iter();
        all.position(|property| property.name == *name)
            .unwrap_or_else(|| panic!("no property {name}"))
    };
    names.iter().map(place).collect()
}

/// Refines as `crisol check` does.
const USUAL: Options = Options {
    policy: Policy::Boundary,
    relevance: Relevance::Differing,
    max_rounds: Some(100),
    keep_rounds: 100,
    first_only: false,
    sees_overflow: true,
};

/// Refines as the source does.
const BY_VALUES: Options = Options {
    policy: Policy::Values,
    relevance: Relevance::All,
    ..USUAL
};

fn refine(
    model: &Model,
    properties: &[usize],
    options: &Options,
) -> (CheckResult, cegar::RefinementResult) {
    let budget = Budget {
        max_time: Some(Duration::from_secs(120)),
        ..Budget::default()
    };
    let precision = Precision::declared(model);
    let (mut quiet, mut unseen) = (|_| {}, |_: &_| {});
    verify_by_refinement(
        model,
        properties,
        precision,
        options,
        &budget,
        &mut quiet,
        &mut unseen,
    )
    .expect("traces that are runs of the model")
}

fn refined(path: &str, properties: &[&str], options: &Options) -> (Model, CheckResult) {
    let model = read(&models().join(path), &Vec::new());
    let properties = named(&model, properties);
    let (findings, _) = refine(&model, &properties, options);
    (model, findings)
}

fn rounds(findings: &CheckResult) -> &Refinement {
    findings.refinement.as_ref().expect("rounds")
}

fn runs(spurious: &Spurious) -> &Runs {
    spurious.runs.as_ref().expect("the runs of a recent round")
}

/// Ojala, examples 3.1, 5.1 to 5.7.
#[test]
fn the_example_of_the_source_is_proved_after_one_refinement() {
    let (_, findings) = refined("ojala/example.csm", &["assertion_failure"], &BY_VALUES);
    assert_eq!(overall(&findings.results), "holds");
    let refinement = rounds(&findings);
    assert_eq!(refinement.rounds.len(), 2);
    let [spurious] = &refinement.rounds[0].spurious[..] else {
        panic!("one counterexample");
    };
    assert_eq!(spurious.parted_at, 4, "the assertion of t4");
    let relevant: Vec<String> = runs(spurious).relevant[1..]
        .iter()
        .map(|names| names.join(" ").replace("machine.", ""))
        .collect();
    assert_eq!(relevant, ["var1 var2 var3", "var3 var4", "var5", "var5"]);
    let split = "..-3, -2, -1, 0, 1, 2..";
    let expected = ["var1", "var2"].map(|name| format!("Machine.{name}: {split}"));
    assert_eq!(refinement.rounds[0].splits, expected);
}

/// Ojala, example 5.4.
#[test]
fn a_reference_is_relevant_and_not_the_number_behind_it() {
    let properties = ["assertion_failure"];
    let (_, findings) = refined("ojala/swapped_reference.csm", &properties, &BY_VALUES);
    assert_eq!(overall(&findings.results), "holds");
    let spurious = &rounds(&findings).rounds[0].spurious[0];
    assert_eq!(
        runs(spurious).relevant[2],
        ["reader.chosen"],
        "before it is read"
    );
    assert_eq!(
        runs(spurious).relevant[1],
        ["reader.key"],
        "before it is set"
    );
    let splits = &rounds(&findings).rounds[0].splits;
    assert!(
        splits.iter().all(|split| split.starts_with("Reader.key")),
        "{splits:?}"
    );
}

#[test]
fn a_message_to_another_object_is_traced_back_to_what_chose_its_target() {
    for options in [USUAL, BY_VALUES] {
        let properties = ["implicit_consumption"];
        let (_, findings) = refined("ojala/send_target.csm", &properties, &options);
        assert_eq!(overall(&findings.results), "holds");
        let round = &rounds(&findings).rounds[0];
        assert_eq!(round.spurious[0].why, "closed has no Parcel to take");
        assert_eq!(runs(&round.spurious[0]).relevant[1], ["sorter.weight"]);
        assert!(
            round.splits[0].starts_with("Sorter.weight: "),
            "{:?}",
            round.splits
        );
    }
}

#[test]
fn a_guard_that_is_only_false_in_the_abstract_model_is_refined() {
    for options in [USUAL, BY_VALUES] {
        let properties = ["implicit_consumption"];
        let (_, findings) = refined("ojala/guarded_consumption.csm", &properties, &options);
        assert_eq!(overall(&findings.results), "holds");
        let spurious = &rounds(&findings).rounds[0].spurious[0];
        assert!(
            spurious.why.starts_with("the guard of `Waiting -> End"),
            "{}",
            spurious.why
        );
    }
}

/// Pasareanu, figure 3.
#[test]
fn a_violation_in_the_first_round_of_a_loop_needs_no_guess() {
    let (model, findings) = refined("pasareanu/loop.csm", &["assertion_failure"], &USUAL);
    let trace = findings.results[0].verdict.trace().expect("a violation");
    assert_eq!(trace.length(), 3, "in the first iteration");
    assert_eq!(rounds(&findings).rounds.len(), 1);
    let free = named(&model, &["assertion_failure"]);
    assert_eq!(rounds(&findings).choose_free, free);
}

/// Pasareanu, figure 3: the trace that goes through the loop twice. Here `done` is set only after
/// more rounds than there are.
#[test]
fn a_loop_that_goes_on_for_too_long_is_spurious_at_its_exit() {
    let text = "
        system TooLong;
        semantics interleaving;
        class App {
          int i;
          initial -> Test;
          state Test, Body;
          final End;
          Test -> Body : [i < 2];
          Test -> End : [else];
          Body -> Test / { i += 1; assert i <= 2; }
        }
        object app: App;
        abstraction { App.i : sign; }";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["assertion_failure"]);
    let (findings, _) = refine(&model, &properties, &BY_VALUES);
    assert_eq!(overall(&findings.results), "holds");
    let spurious = &rounds(&findings).rounds[0].spurious[0];
    assert!(spurious.parted_at >= 2, "after the first iteration");
}

/// A run that makes another choice comes farther here, but it can't say what to tell apart.
#[test]
fn a_run_that_chose_otherwise_does_not_explain_a_spurious_trace() {
    let text = "
        system Chosen;
        semantics run_to_completion;
        external signal Draw;
        signal Note;
        class K {
          int drawn = -1;
          initial -> Both;
          state Both {
            region draws { initial -> D; state D; D -> D : Draw / { drawn = choose(-1..0); } }
            region looks { initial -> L; state L; L -> L : [!(drawn - drawn <= drawn)] / { send self.Note(); } }
          }
        }
        object k: K;
        abstraction { K.drawn : any; }";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["implicit_consumption", "overflow"]);
    for options in [USUAL, BY_VALUES] {
        let (findings, _) = refine(&model, &properties, &options);
        let verdicts: Vec<_> = findings.results.iter().map(|j| j.verdict.name()).collect();
        assert_eq!(verdicts, ["holds", "violated"]);
    }
}

/// Who is meant by `peer` is guessed four times in a row: 256 ways, but few things that can come of it.
#[test]
fn guesses_that_come_to_the_same_are_one_step() {
    let text = "
        system Guesses;
        semantics interleaving;
        external signal Look;
        class K {
          K peer = k;
          bool found;
          initial -> A;
          quiescent state A;
          A -> A : Look / { found = peer.peer.peer.peer == self; }
        }
        object k: K;
        object l: K;
        object m: K;
        abstraction { K.peer : any; }";
    let model = model(text, &Vec::new());
    let precision = Precision::declared(&model);
    let known = Semantics::new(&model, Abstract::new(&model, precision, true));
    let Target::State(start) = &known.initial()[0].result else {
        panic!("it starts");
    };
    let steps = known.successors(start);
    let ends = ["found", "not found", "no object", "no object", "no object"];
    assert_eq!(steps.len(), model.objects.len() * ends.len());
}

/// What rules these traces out never stands in a configuration of the concrete run.
#[test]
fn what_is_guessed_for_a_value_is_believed_to_the_end_of_the_step() {
    let text = "
class Node {
  Node next = one;
  initial -> Here;
  quiescent state Here;
  quiescent state Torn;
  quiescent state There;
  Here -> Torn : [next == one && next == two];
  Here -> There : [next == two] / { assert(next == two); next = one; }
}
object one: Node;
object two: Node;
property whole : never one in Torn || two in Torn;
abstraction { Node.next : any; }
";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["whole", "assertion_failure"]);
    let (findings, outcome) = refine(&model, &properties, &USUAL);
    assert_eq!(overall(&findings.results), "holds");
    assert_eq!(outcome.rounds.len(), 1, "nothing had to be refined");
}

#[test]
fn values_inside_a_step_are_told_apart_at_last() {
    let inside_a_whole_step = "
        external signal E;
        integer g = 1;
        class K {
          initial -> A;
          state A;
          state B { initial -> C; state C; C -> C : [-g > 0]; }
          A -> B : E / { g = 0; }
        }
        object k: K;
        semantics run_to_completion with atomic_steps;
        thread main { k }
        abstraction { g : parity; }";
    let before_a_fault = "
        class K {
          int(1..2) v;
          initial -> A;
          state A { entry / { v += choose {-v}; } }
        }
        object k: K;
        abstraction { K.v : values(-1); }";
    let before_a_cut = "
        signal M(int a);
        nat g;
        class Listener { initial -> A; state A; }
        class Speaker { initial -> A / { send l.M(g); } state A; }
        object l: Listener;
        object s[2]: Speaker;
        inbox * capacity 1 on_full cut;
        abstraction { g : parity; M.a : any; }";
    let before_a_cut_at_the_start = "
        signal M(nat a), N;
        integer g;
        class Listener { initial -> A; state A; }
        class Speaker { initial -> A / { send l.N; send l.M(g); } state A; }
        object l: Listener;
        object s: Speaker;
        inbox * capacity 1 on_full cut;
        abstraction { g : any; M.a : any; }";
    for text in [
        inside_a_whole_step,
        before_a_fault,
        before_a_cut,
        before_a_cut_at_the_start,
    ] {
        let model = model(text, &Vec::new());
        let properties: Vec<usize> = (0..model.properties.len()).collect();
        for options in [USUAL, BY_VALUES] {
            let (findings, _) = refine(&model, &properties, &options);
            assert_ne!(overall(&findings.results), "unknown", "{text}");
        }
    }
}

/// What happens at the end of 64 bits is the same in both models.
#[test]
fn a_number_that_leaves_64_bits_is_a_fault_under_every_abstraction() {
    for (first, step, domain) in [
        ("9223372036854775806", "x += 1", "sign"),
        ("9223372036854775806", "x = x * 2", "any"),
        ("-9223372036854775807", "x -= 1", "parity"),
        ("-9223372036854775807", "x = x - 2", "values(0)"),
        ("4611686018427387904", "x += x", "intervals(..0, 1..)"),
    ] {
        let text = format!(
            "class K {{
               integer x = {first};
               initial -> A;
               state A;
               A -> A / {{ {step}; }}
             }}
             object k: K;
             abstraction {{ K.x : {domain}; }}"
        );
        let model = model(&text, &Vec::new());
        let properties = named(&model, &["arithmetic_fault", "deadlock"]);
        for options in [USUAL, BY_VALUES] {
            let (findings, _) = refine(&model, &properties, &options);
            let verdicts: Vec<_> = findings.results.iter().map(|j| j.verdict.name()).collect();
            assert_eq!(verdicts, ["violated", "holds"], "{text}");
        }
    }
}

/// Nobody can make a run of 2^63 steps, and no split rules it out.
#[test]
fn whether_an_endless_counter_leaves_64_bits_is_left_open() {
    let text = "
        class K {
          integer up;
          nat most = 5;
          initial -> A;
          state A;
          A -> A : [up < most] / { up += 1; }
          A -> A : [up >= most] / { most += 3; }
        }
        object k: K;
        allow nondeterminism;
        property ahead : always k.most > 0;";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["arithmetic_fault", "ahead"]);
    let (findings, _) = refine(&model, &properties, &USUAL);
    let verdicts: Vec<_> = findings.results.iter().map(|j| j.verdict.name()).collect();
    assert_eq!(verdicts, ["unknown", "holds"]);
    let bounded = text.replace("[up >= most]", "[up >= most && most < 1000000]");
    let model = self::model(&bounded, &Vec::new());
    let (findings, _) = refine(&model, &properties, &USUAL);
    assert_eq!(overall(&findings.results), "holds");
}

/// Pasareanu, figure 5.
#[test]
fn a_feasible_trace_that_is_harmless_is_put_down_to_the_abstraction_of_the_property() {
    let properties = ["assertion_failure"];
    let (_, findings) = refined("pasareanu/straight.csm", &properties, &USUAL);
    assert_eq!(overall(&findings.results), "holds");
    let spurious = &rounds(&findings).rounds[0].spurious[0];
    assert_eq!(spurious.why, "the assertion holds");
    assert_eq!(spurious.parted_at, 3, "all steps are possible");
    let runs = runs(spurious);
    assert_eq!(runs.concrete.len(), runs.trace.steps.len());
}

/// A reading is any of two milliards of numbers: as a set it is one choice, and the concrete run
/// that violates the property has a number of its own.
#[test]
fn a_choice_among_more_than_can_be_looked_at() {
    let text = "
        system Sensor;
        semantics interleaving;
        const HIGH = 1500000000;
        class Controller {
          int level;
          initial -> Shut;
          state Shut, Open;
          Shut -> Open / { level = choose(0..2000000000); }
          Open -> Shut : [level <= HIGH] / { assert level >= 0; }
          Open -> Shut : [level > HIGH] / { level = level - HIGH; assert level < 500000000; }
        }
        object controller: Controller;
        abstraction { Controller.level : auto; }";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["assertion_failure"]);
    let (findings, _) = refine(&model, &properties, &USUAL);
    let trace = findings.results[0].verdict.trace().expect("a violation");
    assert_eq!(trace.length(), 2, "the highest reading of all");
    let right = text.replace("< 500000000", "<= 500000000");
    let model = self::model(&right, &Vec::new());
    let (findings, _) = refine(&model, &properties, &USUAL);
    assert_eq!(overall(&findings.results), "holds");
}

/// What was found of one element says nothing of the next: one is large, and one is not.
#[test]
fn each_element_of_an_array_is_looked_at_for_itself() {
    let text = "
        system Elements;
        semantics interleaving;
        int[2] numbers = {5, 1};
        class Watcher {
          initial -> Idle;
          quiescent state Idle;
        }
        object watcher: Watcher;
        property alike : never exists(n in numbers : n > 3) && exists(n in numbers : n <= 3);
        abstraction { numbers : any; }";
    let model = model(text, &Vec::new());
    let properties = named(&model, &["alike"]);
    let (findings, _) = refine(&model, &properties, &USUAL);
    assert_eq!(overall(&findings.results), "violated");
}

/// The length of the first violation that a depth-first search of the abstract model comes to.
fn depth_first(model: &Model, property: usize) -> usize {
    let precision = Precision::declared(model);
    let known = precision.model(model);
    let semantics = Semantics::new(&known, Abstract::new(&known, precision, false));
    let mut seen = HashSet::new();
    let mut way = vec![semantics.initial().into_iter()];
    while let Some(open) = way.last_mut() {
        let Some(successor) = open.next() else {
            way.pop();
            continue;
        };
        let fault = successor
            .fault
            .iter()
            .flat_map(|fault| semantics.blamed(fault));
        if fault.into_iter().any(|blamed| blamed == property) {
            return way.len() - 1;
        }
        let Target::State(reached) = successor.result else {
            continue;
        };
        if !seen.insert(reached.clone()) {
            continue;
        }
        let next = semantics.successors(&reached);
        let verdicts = semantics.judge(&reached, &next);
        if verdicts
            .faults
            .iter()
            .any(|fault| fault.property == property)
        {
            return way.len() - 1;
        }
        way.push(next.into_iter());
    }
    panic!("no violation");
}

/// Pasareanu, figure 6.
#[test]
fn breadth_first_counterexamples_are_far_shorter_than_depth_first_ones() {
    let mut lengths = [0, 0];
    for (path, property) in [
        ("pasareanu/rax.csm", "deadlock"),
        ("pasareanu/readers_writers.csm", "assertion_failure"),
        ("pasareanu/bounded_buffer.csm", "deadlock"),
        ("pasareanu/replicated_workers.csm", "assertion_failure"),
        ("pasareanu/deos.csm", "assertion_failure"),
    ] {
        let (model, findings) = refined(path, &[property], &USUAL);
        let trace = findings.results[0].verdict.trace().expect("a violation");
        let deep = depth_first(&model, named(&model, &[property])[0]);
        println!(
            "{path}: {} breadth first, {deep} depth first",
            trace.length()
        );
        lengths[0] += trace.length();
        lengths[1] += deep;
    }
    assert!(lengths[1] > 3 * lengths[0], "{lengths:?}");
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    model: String,
    #[serde(default)]
    define: Vec<String>,
    property: Vec<String>,
    verdict: String,
    /// Whether the counterexample has no guesses (Pasareanu, figure 6).
    choose_free: Option<bool>,
    /// An estimate of the concrete states: `2e9`, `above 1e12`, `infinite`.
    space: Option<String>,
    #[serde(rename = "concrete_states")]
    _concrete_states: Option<u64>,
    #[serde(rename = "proof")]
    _proof: Option<String>,
    #[serde(rename = "why")]
    _why: String,
}

fn cases() -> Vec<(PathBuf, Case)> {
    let mut cases = Vec::new();
    for folder in std::fs::read_dir(models()).expect("models").flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join("abstract.toml")) else {
            continue;
        };
        let listed: Cases = toml::from_str(&text).expect("cases");
        let path = |case: &Case| folder.path().join(&case.model);
        cases.extend(listed.case.into_iter().map(|case| (path(&case), case)));
    }
    cases.sort_by(|(a, _), (b, _)| a.cmp(b));
    cases
}

impl Case {
    fn definitions(&self) -> Definitions {
        let split = |text: &String| {
            let (name, value) = text.split_once('=').expect("NAME=VALUE");
            (name.to_owned(), value.to_owned())
        };
        self.define.iter().map(split).collect()
    }

    /// 10^9 concrete states or more, or no end of them.
    fn is_large(&self) -> bool {
        let space = self
            .space
            .as_deref()
            .unwrap_or("0")
            .trim_start_matches("above ");
        space == "infinite" || space.parse::<f64>().expect("a number") >= 1e9
    }
}

#[test]
fn every_model_that_needs_abstraction_is_decided() {
    for (path, case) in cases() {
        let model = read(&path, &case.definitions());
        let properties: Vec<&str> = case.property.iter().map(String::as_str).collect();
        let properties = named(&model, &properties);
        let (findings, _) = refine(&model, &properties, &USUAL);
        let name = format!("{} {:?}", path.display(), case.define);
        assert_eq!(overall(&findings.results), case.verdict, "{name}");
        if let Some(choose_free) = case.choose_free {
            let found = !rounds(&findings).choose_free.is_empty();
            assert_eq!(found, choose_free, "{name}: without guesses");
        }
    }
}

#[test]
fn a_dozen_spaces_beyond_all_bounds_are_proved_in_seconds() {
    let large = cases()
        .into_iter()
        .filter(|(_, case)| case.is_large() && case.verdict == "holds");
    let mut proved: Vec<PathBuf> = large.map(|(path, _)| path).collect();
    proved.dedup();
    assert!(proved.len() >= 12, "{proved:?}");
}
