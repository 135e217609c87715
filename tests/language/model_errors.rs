//! What is said about models that can be read, but mean nothing: each `.csm` beside the text that
//! the program writes about it.
//!
//! A first line `// arguments: ...` gives further arguments. `BLESS=1` writes the texts anew; look
//! at them before they are kept.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use crisol::lang::CODES;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/model_errors")
}

fn models() -> Vec<PathBuf> {
    let files = fs::read_dir(folder())
        .expect("the folder of models")
        .flatten();
    let is_model = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "csm");
    let mut models: Vec<PathBuf> = files.map(|file| file.path()).filter(is_model).collect();
    models.sort();
    models
}

/// What the program writes about a model.
fn told(model: &Path) -> String {
    let text = fs::read_to_string(model).expect("a model that is text");
    let first = text.lines().next().unwrap_or_default();
    let arguments = first.strip_prefix("// arguments: ").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_crisol"))
        .current_dir(folder())
        .arg("check")
        .arg(model.file_name().expect("a file"))
        .args(arguments.split_whitespace())
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(3), "{}", model.display());
    assert!(output.stdout.is_empty(), "{}", model.display());
    String::from_utf8(output.stderr).expect("text")
}

/// What differs, if anything does.
fn difference(model: &Path) -> Option<String> {
    let expected = model.with_extension("stderr");
    let actual = told(model);
    if std::env::var_os("BLESS").is_some() {
        fs::write(expected, actual).expect("a folder that can be written");
        return None;
    }
    let wanted = fs::read_to_string(&expected).unwrap_or_default();
    let name = expected.display();
    (wanted != actual).then(|| format!("{name}:\nexpected\n{wanted}\nbut it says\n{actual}"))
}

#[test]
fn every_error_is_told_as_expected() {
    let models = models();
    assert!(models.len() >= 40, "only {} models found", models.len());
    let wrong: Vec<String> = models
        .iter()
        .filter_map(|model| difference(model))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// E190 is not the checker's: its cases are in `flatten.rs`.
#[test]
fn every_code_of_the_checker_has_a_model() {
    let is_code = |word: &&str| word.len() == 4 && word.starts_with("E1") && *word != "E190";
    let mut seen = HashSet::new();
    for model in models() {
        let text = fs::read_to_string(model.with_extension("stderr")).unwrap_or_default();
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        seen.extend(words.filter(is_code).map(str::to_owned));
    }
    let missing = CODES
        .iter()
        .filter(|(code, _)| is_code(code) && !seen.contains(*code));
    assert_eq!(missing.collect::<Vec<_>>(), [] as [&(&str, &str); 0]);
}

/// A line that is longer than a screen is broken by the terminal, and the underline is lost.
#[test]
fn lines_fit_the_screen() {
    for model in models() {
        let text = fs::read_to_string(model.with_extension("stderr")).unwrap_or_default();
        for line in text.lines() {
            assert!(line.chars().count() <= 110, "{}: {line}", model.display());
        }
    }
}
