//! What the README shows is what the program does.

use std::process::Command;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    std::fs::read_to_string(path).expect("README.md")
}

/// The text of the first block that begins with a line.
fn block(text: &str, first: &str) -> String {
    let start = text.find(first).expect("the block") + first.len();
    let end = text[start..].find("```").expect("the end of the block");
    text[start..start + end].to_owned()
}

#[test]
fn the_model_of_the_readme_is_the_one_that_is_shipped() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/pump/impatient.csm");
    let shipped = std::fs::read_to_string(path).expect("the model");
    assert_eq!(block(&readme(), "```text\n"), shipped);
}

/// What a check prints, without its last line, and that line.
fn printed(model: &str) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command.args(["check", model]);
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a run");
    let printed = String::from_utf8(output.stdout).expect("text");
    let (before_times, times) = printed.trim_end().rsplit_once('\n').expect("lines");
    (before_times.to_owned(), times.to_owned())
}

#[test]
fn the_check_of_the_readme_prints_what_it_shows() {
    let shown = block(&readme(), "-- check models/pump/impatient.csm\n");
    let (before_times, times) = printed("models/pump/impatient.csm");
    assert!(
        times.contains("144 states, 394 transitions, depth 51"),
        "{times}"
    );
    assert_eq!(shown.trim_end(), before_times);
}

#[test]
fn the_abstraction_of_the_readme_prints_what_it_shows() {
    let shown = block(&readme(), "$ crisol check models/orders/shop.csm\n");
    let (before_times, times) = printed("models/orders/shop.csm");
    assert!(times.contains("39 states"), "{times}");
    assert_eq!(shown.trim_end(), before_times);
}
