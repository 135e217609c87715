//! The pictures of the README, made again by one command:
//! `CRISOL_SCREENSHOTS=1 cargo test --test interface screenshots`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser::chromium::{Browser, browser};
use crate::browser::reports::{Folder, report};

const MODEL: &str = "models/pump/impatient.csm";

/// The colours of a terminal, by the number of the escape sequence.
const COLOURS: [(&str, &str); 5] = [
    ("1", "font-weight:600"),
    ("31", "color:#ff8181"),
    ("32", "color:#5fca93"),
    ("33", "color:#ecb968"),
    ("36", "color:#7fd0e0"),
];

#[test]
fn screenshots_of_the_readme() {
    if std::env::var_os("CRISOL_SCREENSHOTS").is_none() {
        println!("skipped: CRISOL_SCREENSHOTS=1 makes the pictures again");
        return;
    }
    let mut browser = browser().expect("a Chromium");
    let folder = Folder::new("screenshots");
    let file = report(&folder, MODEL, &[]);
    browser.prefer("light");
    browser.resize(1280, 1190, 0.85);
    browser.open_file(&file);
    browser.value("document.querySelector('#properties').remove()"); // the story is what is to be seen
    keep(&mut browser, "report.png");
    let page = folder.path("terminal.html");
    std::fs::write(&page, terminal(&coloured())).expect("a page");
    browser.open_file(&page);
    let height = browser
        .value("document.body.scrollHeight")
        .as_u64()
        .expect("a height");
    browser.resize(760, height as u32, 1.0);
    keep(&mut browser, "terminal.png");
}

fn images() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/images")
}

fn keep(browser: &mut Browser, name: &str) {
    std::fs::create_dir_all(images()).expect("a folder");
    std::fs::write(images().join(name), browser.screenshot()).expect("a picture");
}

/// What a check prints on a terminal, without the last line, which has times.
fn coloured() -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let command = command.args(["check", MODEL]).env("CLICOLOR_FORCE", "1");
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a run");
    let text = String::from_utf8(output.stdout).expect("text");
    let (before_times, _) = text.trim_end().rsplit_once('\n').expect("lines");
    format!("$ crisol check {MODEL}\n{before_times}")
}

/// The text as a page that looks like a terminal.
fn terminal(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let mut body = escaped(pieces.next().unwrap_or_default());
    let mut open = 0;
    for piece in pieces {
        let (codes, rest) = piece.split_once('m').expect("a style");
        match codes {
            "0" => body += &"</span>".repeat(std::mem::take(&mut open)),
            _ => {
                body += &format!("<span style=\"{}\">", style(codes));
                open += 1;
            }
        }
        body += &escaped(rest);
    }
    format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><body style=\"margin:0;background:#11151c\"><pre style=\"margin:0;padding:20px 24px;\
         color:#d7dde8;font:13px/1.5 'DejaVu Sans Mono',monospace\">{body}</pre></body>"
    )
}

fn style(codes: &str) -> String {
    let styles = codes
        .split(';')
        .filter_map(|code| COLOURS.iter().find(|(name, _)| *name == code));
    styles
        .map(|(_, style)| *style)
        .collect::<Vec<_>>()
        .join(";")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[test]
fn the_pictures_that_the_readme_shows_are_there_and_small() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("README.md");
    for name in ["report.png", "terminal.png"] {
        assert!(readme.contains(&format!("docs/images/{name}")), "{name}");
        let size = std::fs::metadata(images().join(name))
            .expect("a picture")
            .len();
        assert!(size < 150_000, "{name} has {size} bytes");
    }
}
