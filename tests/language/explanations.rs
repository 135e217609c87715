//! `crisol explain`: every code has a text, and its examples do what they say.

use std::process::Command;

use crisol::lang::{
    CODES, Definitions, Example, Explanation, check, explanation, flatten, lint, parse,
};

fn explained() -> Vec<Explanation> {
    let all = CODES.iter().map(|(code, _)| {
        explanation(code).unwrap_or_else(|| panic!("{code} is not explained, or not in that form"))
    });
    all.collect()
}

/// The model with what is only described in it: `<U+200B>`, `<129 x a>`.
fn written_out(model: &str) -> String {
    let mut text = String::new();
    let mut rest = model;
    while let Some((before, after)) = rest.split_once('<') {
        text += before;
        let meant = after
            .split_once('>')
            .and_then(|(inside, behind)| Some((meant(inside)?, behind)));
        match meant {
            Some((meant, behind)) => {
                text += &meant;
                rest = behind;
            }
            None => {
                text.push('<');
                rest = after;
            }
        }
    }
    text + rest
}

fn meant(inside: &str) -> Option<String> {
    if let Some(code) = inside.strip_prefix("U+") {
        let code = u32::from_str_radix(code, 16).ok()?;
        return Some(char::from_u32(code)?.to_string());
    }
    let (times, what) = inside.split_once(" x ")?;
    Some(what.repeat(times.parse().ok()?))
}

fn definitions(arguments: &str) -> Definitions {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let pairs = words.chunks(2).filter(|pair| pair[0] == "-D");
    let split = pairs.filter_map(|pair| pair[1].split_once('='));
    split
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The codes of all diagnostics about an example.
fn codes(example: &Example) -> Vec<&'static str> {
    let text = written_out(example.model);
    let (file, mut found) = parse(&text);
    if found.is_empty() && example.arguments == "flatten" {
        found = flatten(&file).err().unwrap_or_default();
    } else if found.is_empty() {
        let (model, errors) = check(&file, &definitions(example.arguments));
        found = errors;
        found.extend(model.iter().flat_map(lint));
    }
    found.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_wrong_example_gives_its_code_and_no_other() {
    for explanation in explained() {
        let mut found = codes(&explanation.wrong);
        found.dedup();
        assert_eq!(found, [explanation.code]);
    }
}

#[test]
fn every_right_example_is_right() {
    for explanation in explained() {
        let found = codes(&explanation.right);
        assert_eq!(found, [] as [&str; 0], "{}", explanation.code);
    }
}

#[test]
fn the_examples_differ_little_and_fit_the_screen() {
    for Explanation {
        code,
        text,
        wrong,
        right,
        ..
    } in explained()
    {
        assert!(
            text.len() > 40 && text.len() < 500,
            "{code}: {}",
            text.len()
        );
        assert_ne!(
            (wrong.model, wrong.arguments),
            (right.model, right.arguments),
            "{code}"
        );
        let lines = wrong.model.lines().chain(right.model.lines());
        for line in lines {
            assert!(line.chars().count() <= 76, "{code}: {line}");
        }
    }
}

fn crisol(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_crisol"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a run");
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(all).expect("text"))
}

#[test]
fn the_command_shows_the_text_and_both_examples() {
    let (code, told) = crisol(&["explain", "e103", "W204"]);
    assert_eq!(code, Some(0));
    assert!(
        told.starts_with("E103: a value (`-D`) for a constant"),
        "{told}"
    );
    assert!(
        told.contains("Wrong, with -D DOOR=4:\n\n    const DOORS = 2;\n"),
        "{told}"
    );
    assert!(told.contains("\nW204: two transitions"), "{told}");
    assert!(
        told.lines().all(|line| line.chars().count() <= 80),
        "{told}"
    );
    let (code, told) = crisol(&["explain"]);
    assert_eq!(code, Some(0));
    assert!(
        CODES
            .iter()
            .all(|(code, _)| told.contains(&format!("- {code}: ")))
    );
    let (code, told) = crisol(&["explain", "E1O1"]);
    assert_eq!(code, Some(3));
    assert!(told.contains("did you mean `E101`?"), "{told}");
}

#[test]
fn diagnostics_say_where_to_read_more() {
    let (code, told) = crisol(&[
        "check",
        "tests/language/model_errors/unknown_definition.csm",
        "-D",
        "SIEZ=4",
    ]);
    assert_eq!(code, Some(3));
    assert!(
        told.trim_end().ends_with("For more: crisol explain E103"),
        "{told}"
    );
}
