//! What a newcomer meets first: the demo, help and its topics, completions, manual pages, colours.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command.args(arguments).current_dir(folder);
    command.env_remove("NO_COLOR").output().expect("a run")
}

fn crisol(arguments: &[&str]) -> Output {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

fn told(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).expect("text")
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("crisol-help-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path); // of an earlier run
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn the_demo_can_be_followed_to_its_end() {
    let folder = folder("demo");
    let next = told(&run_in(&folder, &["demo"]));
    let command = next
        .lines()
        .find(|line| line.trim().starts_with("crisol check "));
    let words: Vec<&str> = command.expect("what to type").split_whitespace().collect();
    let output = run_in(&folder, &words[1..]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(
        told(&output).contains("enough_seats, step by step:"),
        "{}",
        told(&output)
    );
    let advice = next
        .lines()
        .find(|line| line.contains(" write "))
        .expect("how to right it");
    let between = |from: &str, to: &str| {
        let rest = advice.split_once(from).expect("advice").1;
        rest.split_once(to).expect("advice").0.to_owned()
    };
    let (line, right, wrong) = (
        between("in line ", " write"),
        between(" write ", " for "),
        between(" for ", ","),
    );
    let model = std::fs::read_to_string(folder.join("demo.csm")).expect("the model");
    let line: usize = line.parse().expect("a number");
    assert!(
        model
            .lines()
            .nth(line - 1)
            .expect("that line")
            .contains(&wrong)
    );
    std::fs::write(folder.join("demo.csm"), model.replace(&wrong, &right)).expect("written");
    let output = run_in(&folder, &words[1..]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
}

#[test]
fn the_demo_overwrites_nothing() {
    let folder = folder("careful");
    std::fs::write(folder.join("demo.csm"), "mine").expect("written");
    let output = run_in(&folder, &["demo"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        told(&output).contains("demo.csm is there already"),
        "{}",
        told(&output)
    );
    assert_eq!(std::fs::read(folder.join("demo.csm")).expect("it"), b"mine");
    let output = run_in(&folder, &["demo", "new/one"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(folder.join("new/one/demo.csm").is_file());
}

fn topics() -> Vec<String> {
    let list = told(&crisol(&["help", "topics"]));
    let names = list
        .lines()
        .filter_map(|line| line.trim().strip_prefix("crisol help "));
    names
        .filter_map(|rest| rest.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn every_topic_is_there_and_fits_the_screen() {
    let topics = topics();
    assert!(topics.len() >= 6, "{topics:?}");
    for topic in &topics {
        let output = crisol(&["help", topic]);
        assert_eq!(output.status.code(), Some(0));
        let text = told(&output);
        assert!(text.lines().count() > 5, "{text}");
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{topic}");
    }
}

/// What follows a word in all topics, such as the options that they speak of.
fn mentioned(start: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut found = Vec::new();
    for topic in topics() {
        let text = told(&crisol(&["help", &topic]));
        for (at, _) in text.match_indices(start) {
            let rest = text[at + start.len()..].split(|c| !is_part(c)).next();
            found.extend(rest.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    found
}

#[test]
fn topics_speak_only_of_options_and_commands_that_exist() {
    let commands = ["check", "count", "simulate", "fmt"].map(|c| told(&crisol(&[c, "--help"])));
    let options = mentioned("--");
    assert!(options.len() > 20, "{options:?}");
    for option in options {
        let option = format!("--{option}");
        assert!(
            commands.iter().any(|help| help.contains(&option)),
            "{option}"
        );
    }
    let help = told(&crisol(&["--help"]));
    for command in mentioned("`crisol ") {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn the_model_of_the_language_topic_holds() {
    let text = told(&crisol(&["help", "language"]));
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let model: Vec<&str> = lines.collect();
    let path = folder("language").join("topic.csm");
    std::fs::write(&path, model.join("\n")).expect("written");
    let output = crisol(&["check", path.to_str().expect("text"), "--property", "rests"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
}

#[test]
fn help_knows_commands_and_near_misses() {
    let by_help = told(&crisol(&["help", "check"]));
    assert_eq!(by_help, told(&crisol(&["check", "--help"])));
    assert_eq!(told(&crisol(&["help"])), told(&crisol(&["--help"])));
    let output = crisol(&["help", "formts"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(told(&output).contains("did you mean `crisol help formats`?"));
    let output = crisol(&["help", "quantum"]);
    assert!(
        told(&output).contains("`crisol help topics`"),
        "{}",
        told(&output)
    );
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = crisol(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = told(&output);
        assert!(
            script.contains("max-states") && script.contains("simulate"),
            "{shell}"
        );
    }
    assert_eq!(crisol(&["completions", "teletype"]).status.code(), Some(3));
}

/// The script is taken by the shell that it is for, where there is one.
#[test]
fn bash_takes_its_completions() {
    let script = folder("bash").join("crisol.bash");
    std::fs::write(&script, crisol(&["completions", "bash"]).stdout).expect("written");
    let source = format!("source '{}' && complete -p crisol", script.display());
    let Ok(output) = Command::new("bash").args(["-c", &source]).output() else {
        return;
    };
    assert!(output.status.success(), "{}", told(&output));
    assert!(told(&output).contains("_crisol"), "{}", told(&output));
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = folder("man");
    let path = folder.join("man1");
    let output = crisol(&["man", path.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let help = told(&crisol(&["--help"]));
    let commands = help.split("Commands:\n").nth(1).expect("commands");
    let commands = commands.split("\n\n").next().expect("commands").lines();
    let commands = commands
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '));
    let commands: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let page = std::fs::read_to_string(path.join(format!("crisol-{command}.1")));
        assert!(page.expect("a page").contains(".SH NAME"), "{command}");
    }
    assert!(path.join("crisol.1").is_file());
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let model = "models/pump/impatient.csm";
    let coloured = told(&crisol(&["check", model, "--color", "always"]));
    assert!(coloured.contains("\u{1b}[31mviolated"), "{coloured}");
    assert!(
        !told(&crisol(&["check", model])).contains('\u{1b}'),
        "not into a pipe"
    );
    assert!(!told(&crisol(&["--color", "never", "check", model])).contains('\u{1b}'));
    let missing = told(&crisol(&[
        "check",
        "tests/language/model_errors/empty.csm",
        "--color=always",
    ]));
    assert!(
        missing.contains("\u{1b}[") && missing.contains("E104"),
        "{missing}"
    );
}

#[test]
fn a_model_and_answers_can_not_share_standard_input() {
    let output = crisol(&["simulate", "-"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        told(&output).contains("--random or --replay"),
        "{}",
        told(&output)
    );
}
