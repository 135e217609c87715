//! What is said about models that can not be read: each `.csm` beside the text that it leads to.
//!
//! `BLESS=1` writes that text anew; look at it before it is kept.

use std::fs;
use std::path::{Path, PathBuf};

use crisol::lang::{CODES, Colour, SourceFile, parse, print, render};

#[test]
fn every_error_is_told_as_expected() {
    let models = models();
    assert!(models.len() >= 20, "only {} models found", models.len());
    let wrong: Vec<String> = models.iter().filter_map(|model| check(model)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/syntax_errors");
    let files = fs::read_dir(folder)
        .expect("the folder of models")
        .flatten();
    let is_model = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "csm");
    let mut models: Vec<PathBuf> = files.map(|file| file.path()).filter(is_model).collect();
    models.sort();
    models
}

/// What differs, if anything does.
fn check(model: &Path) -> Option<String> {
    let text = fs::read_to_string(model).expect("a model that is text");
    let name = model.file_name().expect("a file").to_string_lossy();
    let source = SourceFile::new(name, text);
    let (file, diagnostics) = parse(source.text());
    // A tree that lacks what could not be read can still be printed.
    print(&file);
    let is_listed = |code| CODES.iter().any(|(listed, _)| *listed == code);
    assert!(
        diagnostics
            .iter()
            .all(|diagnostic| is_listed(diagnostic.code))
    );
    compare(
        &model.with_extension("stderr"),
        &render(&source, &diagnostics, Colour::Plain),
    )
}

fn compare(expected: &Path, actual: &str) -> Option<String> {
    if std::env::var_os("BLESS").is_some() {
        fs::write(expected, actual).expect("a folder that can be written");
        return None;
    }
    let wanted = fs::read_to_string(expected).unwrap_or_default();
    (wanted != actual).then(|| {
        format!(
            "{}:\nexpected\n{wanted}\nbut it says\n{actual}",
            expected.display()
        )
    })
}
