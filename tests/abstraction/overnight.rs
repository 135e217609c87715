//! A refinement that goes on for many rounds does not grow.
//!
//! ```text
//! cargo test --test abstraction overnight                                   150 rounds
//! CRISOL_ROUNDS=1000 cargo test --release --test abstraction overnight      a night in short
//! ```
//!
//! The rounds run in a process of their own: what other tests take would be counted, too.

use std::fmt::Write;
use std::process::Command;

use crisol::abstraction::Precision;
use crisol::abstraction::cegar::{Options, Policy, Relevance, Round};
use crisol::checker::verify_by_refinement;
use crisol::evidence::overall;
use crisol::lang::{Model, check, parse};
use crisol::search::{Budget, memory_bytes};

/// Many assertions, each of which takes a round of its own: `a` is 0 and has to be told apart from one
/// more number. All rounds are of the same size.
fn fan(width: u64) -> String {
    let mut text = String::from("system Fan;\nsemantics interleaving;\nclass Hand {\n  int a;\n");
    text += "  initial -> Open;\n  state Open;\n  final End;\n";
    for finger in 0..width {
        let far = 2 * width;
        writeln!(text, "  state F{finger};\n  Open -> F{finger};").expect("text");
        writeln!(
            text,
            "  F{finger} -> End / {{ assert a + {finger} != {far}; }}"
        )
        .expect("text");
    }
    text + "}\nobject hand: Hand;\nabstraction { Hand.a : any; }\n"
}

fn model(text: &str) -> Model {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}");
    check(&file, &Vec::new()).0.expect("a model")
}

#[test]
fn many_rounds_take_no_more_memory_than_ten() {
    let this = std::env::current_exe().expect("the program of this test");
    let alone = ["--exact", "overnight::rounds", "--ignored", "--nocapture"];
    let output = Command::new(this).args(alone).output().expect("a run");
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}\n{errors}");
    assert!(
        told.contains("1 passed"),
        "the rounds were not run:\n{told}"
    );
    println!("{told}");
}

#[test]
#[ignore = "the test above runs it, in a process of its own"]
fn rounds() {
    let rounds: u64 =
        std::env::var("CRISOL_ROUNDS").map_or(150, |text| text.parse().expect("a number"));
    let model = model(&fan(rounds));
    let assertions = model
        .properties
        .iter()
        .position(|p| p.name == "assertion_failure");
    let options = Options {
        policy: Policy::Boundary,
        relevance: Relevance::Differing,
        max_rounds: None,
        keep_rounds: 5,
        first_only: false,
        sees_overflow: false,
    };
    let budget = Budget {
        threads: Some(1),
        ..Budget::default()
    };
    let (mut early, mut last, mut seen) = (0, 0, 0);
    let mut watch = |round: &Round| {
        seen = round.number;
        last = memory_bytes();
        if round.number == 10 {
            early = last;
        }
    };
    let properties: Vec<usize> = assertions.into_iter().collect();
    let precision = Precision::declared(&model);
    let (findings, _) = verify_by_refinement(
        &model,
        &properties,
        precision,
        &options,
        &budget,
        &mut |_| {},
        &mut watch,
    )
    .expect("traces that are runs of the model");
    assert_eq!(overall(&findings.results), "holds");
    assert!(seen >= rounds, "{seen} rounds");
    println!("{early} bytes after 10 rounds, {last} after {seen}");
    assert!(
        last <= early + early / 5,
        "{early} bytes after 10 rounds, {last} after {seen}"
    );
}
