//! Where results go, and several models in one call.

use std::process::Stdio;

use serde_json::Value as Json;

use super::*;

#[test]
fn a_trace_is_replayed_from_the_result_on_its_model_among_several() {
    let file = folder("replay").join("results.json");
    let path = file.to_str().expect("text");
    let several = ["check", HOLDS, VIOLATED, "--json", "--output", path];
    assert_eq!(crisol(&several).status.code(), Some(1));
    let output = crisol(&["simulate", VIOLATED, "--replay", path]);
    let told = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("rests_when_off: `always"), "{told}");
    let output = crisol(&["simulate", "models/deos/refund_all.csm", "--replay", path]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(
        told.contains("there is no result on models/deos/refund_all.csm"),
        "{told}"
    );
}

#[test]
fn a_file_gets_the_document_and_the_terminal_the_text() {
    let folder = folder("output");
    let file = folder.join("results.xml");
    let path = file.to_str().expect("text");
    let output = crisol(&["check", VIOLATED, "--format", "junit", "--output", path]);
    assert_eq!(output.status.code(), Some(1));
    let screen = String::from_utf8(output.stdout).expect("text");
    assert!(screen.contains("rests_when_off, step by step:"), "{screen}");
    let written = std::fs::read_to_string(&file).expect("the file");
    assert!(written.starts_with("<?xml"), "{written}");
    // The text itself, without styles.
    crisol(&["check", VIOLATED, "-o", path]);
    let written = std::fs::read_to_string(&file).expect("the file");
    assert!(written.contains("rests_when_off, step by step:") && !written.contains('\u{1b}'));
    let left: Vec<_> = std::fs::read_dir(&folder).expect("it").flatten().collect();
    assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
}

#[test]
fn a_file_that_can_not_be_written_is_said_before_the_work() {
    let output = crisol(&["check", VIOLATED, "-o", "/no/such/folder/results.xml"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(
        told.contains("/no/such/folder/results.xml can't be written"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let output = crisol(&["check", HOLDS, "--json", "-o", "/dev/null"]);
    assert_eq!(output.status.code(), Some(0));
    let device = std::fs::metadata("/dev/null").expect("it is there");
    assert!(!device.is_file());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_its_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("kept");
    let (file, link) = (folder.join("results.json"), folder.join("link.json"));
    std::fs::write(&file, "old").expect("written");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("set");
    symlink(&file, &link).expect("a link");
    crisol(&["check", HOLDS, "--json", "-o", link.to_str().expect("text")]);
    let written = std::fs::read_to_string(&file).expect("the file");
    assert!(written.contains("crisol/result/1"), "{written}");
    assert!(std::fs::symlink_metadata(&link).expect("it").is_symlink());
    let mode = std::fs::metadata(&file).expect("it").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn every_command_that_reads_a_model_takes_standard_input() {
    let calls = [
        &["count", "-"][..],
        &["fmt", "-"],
        &["fmt", "--write", "-"],
        &["flatten", "-"],
        &["simulate", "-", "--seed", "1"],
    ];
    for arguments in calls {
        let folder = folder("input");
        let model = std::fs::File::open(root().join(HOLDS)).expect("the model");
        let mut run = command(arguments);
        let output = run.current_dir(&folder).stdin(Stdio::from(model)).output();
        let output = output.expect("a run");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stdout.is_empty(), "{arguments:?}");
        assert!(
            !folder.join("-").exists(),
            "{arguments:?} has written a file"
        );
    }
}

#[test]
fn a_model_comes_from_standard_input() {
    let model = std::fs::File::open(root().join(VIOLATED)).expect("the model");
    let mut run = command(&["check", "-", "--json", "--domain", "Motor.* : exact"]);
    let output = run.stdin(Stdio::from(model)).output().expect("a run");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    let document: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&document["model"], &document["verdict"]),
        (&"-".into(), &"violated".into())
    );
}

#[test]
fn standard_output_has_the_document_and_nothing_else() {
    let models = one_of_each("alone");
    for format in ["json", "junit", "sarif", "github"] {
        let output = crisol(&with_all(
            &["--format", format, "--explain", "--stats"],
            &models,
        ));
        assert_eq!(output.status.code(), Some(3), "{format}");
        let text = String::from_utf8(output.stdout).expect("text");
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(told.contains("error[E101]"), "{format}: {told}");
        match format {
            "json" | "sarif" => {
                serde_json::from_str::<Json>(&text).expect("one document");
            }
            "junit" => assert!(text.starts_with("<?xml") && text.ends_with("</testsuites>\n")),
            _ => assert!(text.lines().all(|line| line.starts_with("::")), "{text}"),
        }
    }
}

#[test]
fn the_same_call_gives_the_same_file() {
    let models = one_of_each("same");
    for format in ["sarif", "github"] {
        let once = stdout(&with_all(&["--format", format, "--threads", "1"], &models));
        let again = stdout(&with_all(&["--format", format, "--threads", "2"], &models));
        assert_eq!(once, again, "{format}");
    }
}

#[test]
fn the_worst_model_decides_the_exit_code_and_stops_no_other() {
    let code = |models: &[&str]| {
        let limits = ["check", "--quiet", "--max-rounds", "2"];
        crisol(&[&limits[..], models].concat()).status.code()
    };
    assert_eq!(code(&[HOLDS, HOLDS]), Some(0));
    assert_eq!(code(&[UNKNOWN, HOLDS]), Some(2));
    assert_eq!(code(&[VIOLATED, UNKNOWN]), Some(1));
    assert_eq!(code(&["missing.csm", VIOLATED]), Some(3));
    let output = crisol(&["check", "missing.csm", HOLDS, VIOLATED]);
    let told = String::from_utf8(output.stdout).expect("text");
    let table = told.split("\n\n").last().expect("a table");
    let verdicts = table
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().next());
    let verdicts: Vec<&str> = verdicts.flatten().collect();
    assert_eq!(verdicts, ["error", "holds", "violated"], "{told}");
    assert!(table.ends_with("  models/pump/impatient.csm\n"), "{table}");
}

#[test]
fn one_property_of_several_models_of_both_languages() {
    let models = one_of_each("property");
    let dve = models
        .iter()
        .find(|path| path.ends_with(".dve"))
        .expect("it");
    let both = json(&["check", VIOLATED, dve, "--property", "deadlock", "--json"]);
    let results = both["results"].as_array().expect("results");
    for (result, verdict) in results.iter().zip(["holds", "violated"]) {
        assert_eq!(result["verdict"], verdict);
        assert_eq!(result["properties"].as_array().map(Vec::len), Some(1));
    }
    let output = crisol(&["check", dve, "--property", "deadlok"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("did you mean `deadlock`?"), "{told}");
}
