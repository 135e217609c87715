//! The folders of `src/` use each other in one direction only, as `src/README.md` says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each room, and the rooms that it may use. A folder inside of another can be a room of its own: what it
/// may use, and who may use it, is then said for it alone.
const MAY_USE: &[(&str, &[&str])] = &[
    ("lang", &[]),
    ("system", &[]),
    ("dead_variables", &[]),
    ("draw", &["lang"]),
    ("csm", &["lang", "system"]),
    (
        "csm/dead_variables",
        &["lang", "system", "dead_variables", "csm"],
    ),
    (
        "csm/system",
        &["lang", "system", "csm", "csm/dead_variables"],
    ),
    ("dve", &["lang", "system"]),
    (
        "dve/dead_variables",
        &["lang", "system", "dead_variables", "dve"],
    ),
    ("dve/system", &["system", "dve", "dve/dead_variables"]),
    ("engine/sync", &[]),
    ("engine", &["engine/sync", "system"]),
    ("search", &["engine/sync", "engine", "system"]),
    ("abstraction", &["lang", "csm"]),
    // Never a search: a verdict is believed because an independent reader confirms it.
    ("evidence", &["lang", "system", "csm", "dve", "abstraction"]),
    (
        "abstraction/cegar",
        &[
            "lang",
            "system",
            "csm",
            "csm/system",
            "abstraction",
            "search",
            "evidence",
        ],
    ),
    ("words", &["lang", "system", "csm", "dve"]),
    (
        "report",
        &["draw", "lang", "system", "csm", "dve", "evidence", "words"],
    ),
    (
        "simulate",
        &["lang", "system", "csm", "dve", "evidence", "report"],
    ),
    ("web", &["lang", "system", "csm", "evidence", "report"]),
    (
        "checker",
        &[
            "lang",
            "system",
            "csm",
            "csm/system",
            "dve",
            "dve/system",
            "search",
            "abstraction",
            "abstraction/cegar",
            "evidence",
        ],
    ),
    (
        "api",
        &[
            "lang",
            "system",
            "dve",
            "search",
            "abstraction",
            "abstraction/cegar",
            "evidence",
            "words",
            "checker",
        ],
    ),
];

/// The binary: it may use all of the library, and nothing of the library uses it.
const BINARY: &[&str] = &["cli", "main.rs"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn is_room(name: &str) -> bool {
    MAY_USE.iter().any(|(room, _)| *room == name)
}

/// The Rust files of a room, those of rooms inside of it left out.
fn rust_files(room: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(source().join(room))
        .expect("a folder")
        .flatten()
    {
        let path = entry.path();
        let inner = format!("{room}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() && !is_room(&inner) {
            files.extend(rust_files(&inner));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What follows a `crate::` in code: the path up to its first name that is no folder, or each of the
/// paths in a list.
fn paths(rest: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let head: String = rest.chars().take_while(|c| is_path(*c)).collect();
    match rest[head.len()..].strip_prefix('{') {
        Some(list) if head.is_empty() || head.ends_with("::") => {
            let mut found = Vec::new();
            let mut depth = 0;
            let mut start = 0;
            for (place, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    ',' | '}' if depth == 0 => {
                        let part = list[start..place].trim();
                        found.extend(paths(part).iter().map(|path| format!("{head}{path}")));
                        start = place + 1;
                    }
                    '}' => depth -= 1,
                    _ => {}
                }
                if c == '}' && depth == 0 && start == place + 1 {
                    break;
                }
            }
            found
        }
        _ => vec![head],
    }
}

/// The room that a path leads to: the innermost of those whose folders it names.
fn room_of(path: &str) -> Option<String> {
    let names: Vec<&str> = path.split("::").collect();
    let rooms = (1..=names.len()).map(|count| names[..count].join("/"));
    rooms.rev().find(|name| is_room(name))
}

/// The rooms that a file names as `crate::room`, also in lists `crate::{a, b}`. Tests, which stand
/// at the end, may use whatever makes them simple.
fn used(text: &str) -> Vec<String> {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let text = product.split("#[cfg(all(test").next().unwrap_or_default();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.collect::<Vec<_>>().join("\n");
    let starts = code.match_indices("crate::");
    let all = starts.flat_map(|(start, here)| paths(&code[start + here.len()..]));
    all.filter_map(|path| room_of(&path)).collect()
}

#[test]
fn the_arrows_between_the_folders_point_one_way() {
    let mut wrong = Vec::new();
    for (room, allowed) in MAY_USE {
        for file in rust_files(room) {
            let text = std::fs::read_to_string(&file).expect("a file");
            for name in used(&text) {
                if name != *room && !allowed.contains(&name.as_str()) {
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
    for (room, _) in MAY_USE {
        assert!(source().join(room).is_dir(), "{room} is no folder");
        assert!(
            document.contains(&format!("`src/{room}/`")),
            "{room} is not described"
        );
    }
    for entry in std::fs::read_dir(source()).expect("src").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            assert!(
                is_room(&name) || BINARY.contains(&name.as_str()),
                "{name} is in no table"
            );
        }
    }
}

/// A room, and all that it may use, and all that these may.
fn reached_from(room: &str) -> BTreeSet<&'static str> {
    let table: BTreeMap<&str, &(&'static str, &[&'static str])> =
        MAY_USE.iter().map(|entry| (entry.0, entry)).collect();
    let (room, uses) = table[room];
    let further = uses.iter().flat_map(|used| reached_from(used));
    further.chain([*room]).collect()
}

#[test]
fn whoever_validates_a_certificate_needs_nothing_that_could_have_made_it() {
    let trusted = reached_from("evidence");
    assert_eq!(
        trusted,
        BTreeSet::from(["lang", "system", "csm", "dve", "abstraction", "evidence"])
    );
    let command = source().join("cli/validate.rs");
    let text = std::fs::read_to_string(command).expect("a file");
    let text = text.replace("crisol::", "crate::");
    for room in used(&text) {
        assert!(trusted.contains(room.as_str()), "it uses {room}");
    }
    assert!(text.contains("use crate::evidence"), "it uses one by one");
}

#[test]
fn the_table_itself_has_no_circles() {
    let mut placed: Vec<&str> = Vec::new();
    while placed.len() < MAY_USE.len() {
        let next = MAY_USE.iter().find(|(room, uses)| {
            !placed.contains(room) && uses.iter().all(|used| placed.contains(used))
        });
        placed.push(next.expect("a room that uses only placed ones").0);
    }
}

#[test]
fn the_reader_of_uses_finds_lists_and_paths() {
    assert_eq!(used("use crate::lang::{A, B};"), ["lang", "lang"]);
    assert_eq!(
        used("use crate::{lang::A, search};\nlet x = 1;"),
        ["lang", "search"]
    );
    assert_eq!(used("use crate::csm::system::CsmSystem;"), ["csm/system"]);
    assert_eq!(
        used("use crate::csm::{Semantics, system::{A, B}, dead_variables};"),
        ["csm", "csm/system", "csm/system", "csm/dead_variables"]
    );
    assert_eq!(
        used("crate::csm::system::CsmSystem::new(x)"),
        ["csm/system"]
    );
    assert!(used("// crate::search is not used").is_empty());
}

/// A room inside of another would be reached unseen by `super::` or by a name alone.
#[test]
fn rooms_inside_of_others_are_named_in_full() {
    for (room, _) in MAY_USE {
        let Some((outer, inner)) = room.rsplit_once('/') else {
            continue;
        };
        for file in rust_files(outer) {
            let text = std::fs::read_to_string(&file).expect("a file");
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            for near in [format!("super::{inner}"), format!("use {inner}::")] {
                assert!(!product.contains(&near), "{} has {near}", file.display());
            }
        }
        for file in rust_files(room) {
            let text = std::fs::read_to_string(&file).expect("a file");
            let is_top = file.file_name().is_some_and(|name| name == "mod.rs")
                && file.parent() == Some(&source().join(room));
            let up = if is_top {
                "use super::"
            } else {
                "use super::super::"
            };
            let product = text.split("#[cfg(").next().unwrap_or_default();
            assert!(!product.contains(up), "{} has {up}", file.display());
        }
    }
}

/// Who embeds the library does not pay for the command line.
#[test]
fn the_library_without_the_command_line_has_none_of_its_dependencies() {
    let tree = |arguments: &[&str]| {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.args([
            "tree",
            "--locked",
            "--offline",
            "--edges=normal",
            "--prefix=none",
        ]);
        let output = cargo
            .args(arguments)
            .current_dir(source())
            .output()
            .expect("cargo");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).expect("names");
        let names = text.lines().filter_map(|line| line.split(' ').next());
        names.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let (all, alone) = (tree(&[]), tree(&["--no-default-features"]));
    for name in [
        "anstream",
        "base64",
        "clap",
        "clap_complete",
        "clap_mangen",
        "ctrlc",
        "getrandom",
        "mimalloc",
        "quick-xml",
        "rand_chacha",
        "terminal_size",
        "tiny_http",
    ] {
        assert!(all.contains(name), "{name} is used no more");
        assert!(!alone.contains(name), "{name} is in the library");
    }
}
