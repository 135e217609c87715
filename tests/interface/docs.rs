//! What the guide shows is what the program does: every command in `docs/` is run.

use std::path::{Path, PathBuf};

use crate::common::console::{Prompt, Session, blocks, matches, prompts};

const BAD_INPUT: i32 = 3;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("docs"))
        .expect("docs")
        .flatten();
    let files = files.map(|file| file.path());
    let mut documents: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    documents.sort();
    documents
}

/// Runs a document; the result is what it should say where it says something else.
fn run(path: &Path) -> Vec<(Prompt, Vec<String>)> {
    let text = std::fs::read_to_string(path).expect("a document");
    let name = path.file_stem().expect("a name").to_string_lossy();
    let mut session = Session::new(&format!("docs_{name}"));
    let mut wrong = Vec::new();
    for block in blocks(&text) {
        match block.info.split_once(' ') {
            Some((_, file)) => session.write(file, &block.lines),
            None if block.info == "console" => {
                for prompt in prompts(&block) {
                    wrong.extend(check(&mut session, prompt));
                }
            }
            None => {}
        }
    }
    wrong
}

fn check(session: &mut Session, prompt: Prompt) -> Option<(Prompt, Vec<String>)> {
    let printed = session.run(&prompt.command)?;
    if prompt.shown.is_empty() {
        // Only that it can be done is said.
        assert!(
            session.last_code() < BAD_INPUT,
            "{}: {printed:#?}",
            prompt.command
        );
        return None;
    }
    (!matches(&prompt.shown, &printed)).then_some((prompt, printed))
}

/// Puts what was printed into the document: `CRISOL_BLESS=1`.
fn bless(path: &Path, wrong: &[(Prompt, Vec<String>)]) {
    let text = std::fs::read_to_string(path).expect("a document");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (prompt, printed) in wrong.iter().rev() {
        lines.splice(prompt.output.0..prompt.output.1, printed.iter().cloned());
    }
    std::fs::write(path, lines.join("\n") + "\n").expect("a document");
}

#[test]
fn every_command_of_the_guide_prints_what_is_shown() {
    let mut complaints = Vec::new();
    for path in documents() {
        let wrong = run(&path);
        if std::env::var_os("CRISOL_BLESS").is_some() {
            bless(&path, &wrong);
        }
        for (prompt, printed) in wrong {
            let document = path.display();
            let printed = printed.join("\n");
            complaints.push(format!("{document}: $ {}\n{printed}", prompt.command));
        }
    }
    let blessed = std::env::var_os("CRISOL_BLESS").is_some();
    assert!(
        blessed || complaints.is_empty(),
        "{}",
        complaints.join("\n\n")
    );
}

/// Where a link leads, seen from the document.
fn links(text: &str) -> Vec<String> {
    let parts = text.split("](").skip(1);
    let targets = parts.filter_map(|part| part.split_once(')'));
    let targets = targets.map(|(target, _)| target.split('#').next().unwrap_or_default());
    let local = targets.filter(|target| !target.is_empty() && !target.contains("://"));
    local.map(str::to_owned).collect()
}

#[test]
fn every_link_of_the_guide_leads_somewhere() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document");
        for link in links(&text) {
            let target = path.parent().expect("a folder").join(&link);
            assert!(target.exists(), "{}: {link}", path.display());
        }
    }
}

#[test]
fn the_index_names_every_document() {
    let index = std::fs::read_to_string(root().join("docs/README.md")).expect("the index");
    for path in documents() {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert!(
            name == "README.md" || index.contains(&name),
            "{name} is not in the index"
        );
    }
}
