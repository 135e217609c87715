//! What the README shows is what the program does.

use crate::common::console::{Prompt, Session, blocks, prompts};

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    std::fs::read_to_string(path).expect("README.md")
}

#[test]
fn the_model_of_the_readme_is_the_one_that_is_shipped() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/pump/impatient.csm");
    let shipped = std::fs::read_to_string(path).expect("the model");
    let blocks = blocks(&readme());
    let model = blocks.iter().find(|block| block.info == "text");
    assert_eq!(model.expect("a model").lines.join("\n") + "\n", shipped);
}

/// The commands whose output the README shows; all but the line with times and counts.
fn shown() -> Vec<Prompt> {
    let blocks = blocks(&readme());
    let consoles = blocks.iter().filter(|block| block.info == "console");
    let all = consoles.flat_map(prompts);
    all.filter(|prompt| !prompt.shown.is_empty()).collect()
}

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    let mut session = Session::new("readme");
    let mut counts = Vec::new();
    for prompt in shown() {
        let command = prompt
            .command
            .replace("cargo run -q --release --", "crisol");
        let mut printed = session.run(&command).expect("a command of ours");
        printed.retain(|line| !line.starts_with("round ")); // on standard error
        counts.extend(printed.pop());
        assert_eq!(prompt.shown, printed, "{command}");
    }
    assert!(counts[0].contains("144 states, 394 transitions, depth 51"));
    assert!(counts[1].contains("39 states"));
}
