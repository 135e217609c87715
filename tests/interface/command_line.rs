//! The program from outside: exit codes, output, and the contract of the JSON document.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

fn crisol(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command.output().expect("a run")
}

fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).expect("text")
}

fn code(arguments: &[&str]) -> i32 {
    crisol(arguments).status.code().expect("an exit code")
}

fn temporary(name: &str, content: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("crisol-{}-{name}", std::process::id()));
    std::fs::write(&path, content).expect("a file");
    path
}

const HOLDS: &str = "models/pump/pump.csm";
const VIOLATED: &str = "models/pump/impatient.csm";
const UNBOUNDED: &str = "models/bakery/a_unbounded.csm";
const LARGE: [&str; 3] = ["models/philosophers/asymmetric.csm", "-D", "N=22"];

#[test]
fn exit_codes_say_what_was_found() {
    assert_eq!(code(&["check", HOLDS]), 0);
    assert_eq!(code(&["check", VIOLATED]), 1);
    assert_eq!(code(&["check", UNBOUNDED, "--max-states", "100"]), 2);
    assert_eq!(code(&["check", UNBOUNDED, "--max-time", "0.2s"]), 2);
    assert_eq!(code(&["check", VIOLATED, "--property", "deadlock"]), 0);
    assert_eq!(code(&["count", VIOLATED]), 0, "counting does not judge");
    assert_eq!(code(&["count", UNBOUNDED, "--max-states", "100"]), 2);
    assert_eq!(code(&["check", "no_such_model.csm"]), 3);
    assert_eq!(code(&["check"]), 3);
    assert_eq!(code(&["frobnicate"]), 3);
    assert_eq!(code(&["--help"]), 0);
    assert_eq!(code(&["--version"]), 0);
}

#[test]
fn an_unknown_verdict_says_why_and_what_could_be_done() {
    let output = text(&crisol(&["check", UNBOUNDED, "--max-states", "100"]));
    assert!(
        output.contains("the limit of 100 states was reached"),
        "{output}"
    );
    assert!(output.contains("--max-states"), "{output}");
}

/// The concrete model was asked to divide a set of numbers.
#[test]
fn a_guard_on_a_message_from_outside_is_analysed_with_a_message_that_there_is() {
    let path = temporary(
        "divided.csm",
        "external signal Ask(int(0..1) a);
         class C { initial -> A; state A, B; A -> B : Ask(n) [n / 1 == n]; }
         object o: C;",
    );
    let path = path.to_str().expect("a path");
    let output = crisol(&["check", path, "--domain", "Ask.a : any"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
}

/// It used to be what the rounds before had left of it, to the nanosecond.
#[test]
fn a_refinement_names_the_time_limit_that_was_given() {
    let loops = ["check", "models/counters/loop.csm", "--refine", "exact"];
    let output = text(&crisol(&[&loops[..], &["--max-time", "0.5s"]].concat()));
    let words: Vec<&str> = output.split_whitespace().collect();
    let output = words.join(" ");
    assert!(
        output.contains("the limit of 0.5 s was reached"),
        "{output}"
    );
}

#[test]
fn temporal_properties_are_unknown_and_say_so() {
    let path = temporary(
        "ltl.csm",
        "class C { initial -> A; quiescent state A; } object o: C;
         property p : ltl G (o in A -> F o in A);",
    );
    let path = path.to_str().expect("a path");
    let output = crisol(&["check", path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output).contains("temporal formulas are not checked"),
        "{}",
        text(&output)
    );
}

/// What a check prints that is interrupted after a while.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> Json {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .arg("check")
        .args(arguments)
        .args(["--json", "--quiet"]);
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped());
    let child = command.spawn().expect("a run");
    std::thread::sleep(Duration::from_millis(1500));
    // Twice, as `timeout` does.
    for _ in 0..2 {
        let interrupted = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(interrupted.expect("kill").success());
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(2));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_an_honest_unknown_with_what_was_seen() {
    let json = interrupted(&LARGE);
    assert_eq!(json["verdict"], "unknown");
    assert_eq!(json["reason"], "it was interrupted");
    assert!(json["states"].as_u64().expect("a number") > 0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_refinement_with_what_its_rounds_have_done() {
    let json = interrupted(&[UNBOUNDED]);
    assert_eq!(json["verdict"], "unknown");
    let reason = json["reason"].as_str().expect("a reason");
    assert!(reason.ends_with("it was interrupted"), "{reason}");
    let rounds = json["refinement"]["rounds"].as_array().expect("rounds");
    assert!(rounds.len() > 1, "{rounds:?}");
    assert!(rounds[0]["spurious"][0]["why"].is_string());
}

#[test]
fn a_limit_of_time_is_kept() {
    let start = Instant::now();
    assert_eq!(
        code(&[&["check", "--max-time", "1"], &LARGE[..]].concat()),
        2
    );
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn the_json_document_keeps_its_contract() {
    for (command, path) in [("check", VIOLATED), ("count", VIOLATED), ("check", HOLDS)] {
        let output = crisol(&[command, path, "--json"]);
        let json: Json = serde_json::from_slice(&output.stdout).expect("one JSON object");
        for name in ["schema", "model", "verdict"] {
            assert!(json[name].is_string(), "{name}: {}", json[name]);
        }
        let counts = [
            "states",
            "transitions",
            "depth",
            "deadlocks",
            "peak_memory_bytes",
            "threads",
            "rounds",
        ];
        for name in counts {
            assert!(json[name].is_u64(), "{name}: {}", json[name]);
        }
        assert!(json["seconds"].is_f64());
        assert!(json.get("reason").is_some());
        for property in json["properties"].as_array().expect("properties") {
            assert!(property["name"].is_string());
            let verdict = property["verdict"].as_str().expect("a verdict");
            assert!(["holds", "violated", "unknown"].contains(&verdict));
            assert_eq!(property["trace_length"].is_u64(), verdict == "violated");
        }
        assert_eq!(json["trace"].is_object(), path == VIOLATED);
    }
}

#[test]
fn the_trace_of_the_document_is_the_shortest_and_complete() {
    let output = crisol(&["check", VIOLATED, "--json"]);
    let json: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["trace"]["property"], "rests_when_off");
    let steps = json["trace"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 7, "the start and six steps");
    assert_eq!(
        steps[1]["summary"],
        "control receives Button from the environment"
    );
}

#[test]
fn output_fits_the_screen_and_has_no_colours_when_piped() {
    let paths = [
        "models/pump/impatient.csm",
        "models/deos/refund_all.csm",
        "models/par/par_short_timer.csm",
    ];
    for path in paths {
        let output = text(&crisol(&["check", path, "--all-traces"]));
        assert!(!output.contains('\x1b'));
        let too_long = output.lines().find(|line| line.chars().count() > 80);
        assert_eq!(too_long, None, "{path}");
    }
    for arguments in [
        &["--help"][..],
        &["check", "--help"],
        &["simulate", "--help"],
    ] {
        let output = text(&crisol(arguments));
        assert!(
            output.lines().all(|line| line.chars().count() <= 80),
            "{output}"
        );
    }
    assert!(text(&crisol(&["--help"])).contains("Exit codes"));
}

#[test]
fn constants_come_from_the_command_line() {
    let states = |define: &str| {
        let output = crisol(&[
            "count",
            "models/philosophers/deadlocking.csm",
            "-D",
            define,
            "--json",
        ]);
        let json: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        json["states"].as_u64().expect("a number")
    };
    assert_eq!(states("N=3"), 26);
    assert_eq!(states("N=4"), 80);
    let output = crisol(&["count", "models/philosophers/deadlocking.csm", "-D", "M=4"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output).contains("did you mean `N`?") || text(&output).contains("no constant `M`")
    );
}

#[test]
fn a_misspelt_property_is_suggested() {
    let output = crisol(&["check", VIOLATED, "--property", "rest_when_off"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output).contains("did you mean `rests_when_off`?"),
        "{}",
        text(&output)
    );
}

#[test]
fn warnings_can_be_denied() {
    let path = temporary(
        "warning.csm",
        "signal unused; class C { initial -> A; quiescent state A; } object o: C;",
    );
    let path = path.to_str().expect("a path");
    let output = crisol(&["check", path]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("W201"), "{}", text(&output));
    assert_eq!(code(&["check", path, "--deny", "warnings"]), 3);
    assert_eq!(code(&["check", HOLDS, "--deny", "warnings"]), 0);
}

#[test]
fn fmt_prints_checks_and_writes_the_canonical_form() {
    assert_eq!(code(&["fmt", "--check", HOLDS, VIOLATED]), 0);
    let path = temporary(
        "ugly.csm",
        "class C{initial->A;state A;}object o:C;// end\n",
    );
    let name = path.to_str().expect("a path");
    assert_eq!(code(&["fmt", "--check", name]), 1);
    let printed = text(&crisol(&["fmt", name]));
    assert_eq!(code(&["fmt", "--write", name]), 0);
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), printed);
    assert!(printed.contains("// end"));
    assert_eq!(code(&["fmt", "--check", name]), 0);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let command = format!(
        "{} check --all-traces {VIOLATED} | head -n 1",
        env!("CARGO_BIN_EXE_crisol")
    );
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &command])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = shell.output().expect("a shell");
    assert!(output.stderr.is_empty(), "{}", text(&output));
    assert_eq!(text(&output).lines().count(), 1);
}

#[test]
fn a_conversation_can_go_forwards_and_back_and_look_around() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .args(["simulate", VIOLATED])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    let mut input = child.stdin.take().expect("input");
    input
        .write_all(b"1\ns\nb\ns\nnonsense\nq\n")
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output);
    assert!(told.contains("motor in Off, inbox: Start"), "{told}");
    assert!(
        told.contains("go back a step"),
        "help for what is not understood: {told}"
    );
}

#[test]
fn dve_models_are_checked_too() {
    let path = temporary(
        "two.dve",
        "byte x; process P { state a, b; init a; trans a -> b { effect x = x + 1; }; } system async;",
    );
    let path = path.to_str().expect("a path");
    let output = crisol(&["count", path, "--json"]);
    let json: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (json["states"].as_u64(), json["transitions"].as_u64()),
        (Some(2), Some(1))
    );
    assert_eq!(code(&["check", path]), 1, "it ends in a deadlock");
    let path = temporary(
        "bad.dve",
        "byte x; process P { state a; init a; trans a -> c { }; } system async;",
    );
    let output = crisol(&["check", path.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output).contains("unknown state `c`"),
        "{}",
        text(&output)
    );
}

#[test]
fn runs_of_dve_models_are_simulated_and_replayed() {
    let path = temporary(
        "meet.dve",
        "byte x; channel c; channel buffer[2];
         process S { byte n; state a, b; init a; trans a -> b { sync c!n + 7; },
             b -> b { guard n < 1; sync buffer!n + 1; effect n = n + 1; }; }
         process R { state a, b; init a; assert b: x == 0; trans a -> b { sync c?x; }; }
         system async;",
    );
    let path = path.to_str().expect("a path");
    let random = text(&crisol(&["simulate", path, "--seed", "1"]));
    assert!(
        random.contains("S: a -> b (c!), R: a -> b (c?)"),
        "{random}"
    );
    assert!(
        random.contains("!  assertion_failure is violated here"),
        "{random}"
    );
    assert!(
        random.contains("1 steps, seed 1: a property is violated"),
        "{random}"
    );

    let found = crisol(&["check", path, "--property", "deadlock", "--json"]);
    let trace = temporary("meet.json", &String::from_utf8(found.stdout).expect("text"));
    let replay = [
        "simulate",
        path,
        "--replay",
        trace.to_str().expect("a path"),
    ];
    let output = crisol(&replay);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for line in [
        "x = 7  (was 0)",
        "buffer: 1",
        "deadlock: no process can move.",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let other = std::fs::read_to_string(&trace).expect("a file");
    let other = other.replace("\"object\": \"R\"", "\"object\": \"S\"");
    std::fs::write(&trace, other).expect("a file");
    let output = crisol(&replay);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output).contains("this is no run of the model: step 1"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_dve_model_is_gone_through_by_hand() {
    let path = temporary(
        "hand.dve",
        "byte x; process P { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }; } system async;",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let command = command
        .arg("simulate")
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    let mut input = child.stdin.take().expect("an input");
    input.write_all(b"\n1\ns\nb\nt\nq\n").expect("written");
    drop(input);
    let told = text(&child.wait_with_output().expect("an end"));
    for line in [
        "P in a",
        "x = 1  (was 0)",
        "x = 2  (was 1)",
        "!  deadlock is violated here",
        "x = 2\n",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}
