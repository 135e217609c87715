//! The folders of `src/` use each other in one direction only, as `src/README.md` says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each folder, and the folders that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("concurrent", &[]),
    ("model", &[]),
    ("draw", &["model"]),
    ("semantics", &["model"]),
    ("abstraction", &["model", "semantics"]),
    ("import", &["model"]),
    ("liveness", &["model", "semantics", "import"]),
    (
        "system",
        &["concurrent", "model", "semantics", "import", "liveness"],
    ),
    ("explore", &["concurrent", "system"]),
    // Never an explorer: a verdict is believed because an independent reader confirms it.
    ("evidence", &["model", "semantics", "abstraction"]),
    (
        "cegar",
        &[
            "model",
            "semantics",
            "abstraction",
            "system",
            "explore",
            "evidence",
        ],
    ),
    (
        "report",
        &["draw", "model", "semantics", "import", "evidence"],
    ),
    ("simulate", &["model", "semantics", "evidence", "report"]),
    ("serve", &["model", "semantics", "evidence", "report"]),
    (
        "verify",
        &[
            "model",
            "semantics",
            "abstraction",
            "system",
            "explore",
            "evidence",
            "cegar",
        ],
    ),
];

/// The binary: it may use all of the library, and nothing of the library uses it.
const BINARY: &[&str] = &["command", "main.rs"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The folders that a file names as `crate::folder`, also in lists `crate::{a, b}`. Tests, which stand
/// at the end, may use whatever makes them simple.
fn used(text: &str) -> Vec<String> {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let text = product.split("#[cfg(all(test").next().unwrap_or_default();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = &list[..list.find("};").unwrap_or(list.len())];
                let firsts = list.split(',').map(|part| part.trim().split("::").next());
                names.extend(firsts.flatten().map(str::to_owned));
            }
            None => names.push(rest.chars().take_while(|c| is_name(*c)).collect()),
        }
    }
    names
}

#[test]
fn the_arrows_between_the_folders_point_one_way() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for (folder, allowed) in MAY_USE {
        for file in rust_files(&source().join(folder)) {
            let text = std::fs::read_to_string(&file).expect("a file");
            for name in used(&text) {
                let is_folder = table.contains_key(name.as_str());
                if is_folder && name != *folder && !allowed.contains(&name.as_str()) {
                    wrong.push(format!("{} uses {name}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_is_in_the_table_here_and_in_the_architecture_document() {
    let document = std::fs::read_to_string(source().join("README.md")).expect("src/README.md");
    for entry in std::fs::read_dir(source()).expect("src").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let known = MAY_USE.iter().any(|(folder, _)| *folder == name);
        if entry.path().is_dir() {
            assert!(
                known || BINARY.contains(&name.as_str()),
                "{name} is in no table"
            );
            assert!(
                document.contains(&format!("`src/{name}/`")),
                "{name} is not described"
            );
        }
    }
}

/// A folder, and all that it may use, and all that these may.
fn reached_from(folder: &str) -> BTreeSet<&'static str> {
    let (folder, uses) = MAY_USE
        .iter()
        .find(|(known, _)| *known == folder)
        .expect("a folder of the table");
    let further = uses.iter().flat_map(|used| reached_from(used));
    further.chain([*folder]).collect()
}

#[test]
fn whoever_validates_a_certificate_needs_nothing_that_could_have_made_it() {
    let trusted = reached_from("evidence");
    assert_eq!(
        trusted,
        BTreeSet::from(["model", "semantics", "abstraction", "evidence"])
    );
    let command = source().join("command/validate.rs");
    let text = std::fs::read_to_string(command).expect("a file");
    for (folder, _) in MAY_USE {
        let is_used = text.contains(&format!("crisol::{folder}"));
        assert!(!is_used || trusted.contains(folder), "it uses {folder}");
    }
    assert!(text.contains("use crisol::evidence"), "it uses one by one");
}

#[test]
fn the_table_itself_has_no_circles() {
    let mut placed: Vec<&str> = Vec::new();
    while placed.len() < MAY_USE.len() {
        let next = MAY_USE.iter().find(|(folder, uses)| {
            !placed.contains(folder) && uses.iter().all(|used| placed.contains(used))
        });
        placed.push(next.expect("a folder that uses only placed ones").0);
    }
}

#[test]
fn the_reader_of_uses_finds_lists_and_paths() {
    assert_eq!(used("use crate::model::{A, B};"), ["model"]);
    assert_eq!(
        used("use crate::{model::A, explore};"),
        ["model", "explore"]
    );
    assert!(used("// crate::explore is not used").is_empty());
}
