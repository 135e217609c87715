//! Results for programs: each format against its schema, the screen, and whatever files are called.
//!
//! SARIF and JUnit files are held to validators of others where these are installed under
//! `target/validators`, as `.ci/run` does; with `CRISOL_VALIDATORS=required` they must be.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

const HOLDS: &str = "models/pump/pump.csm";
const VIOLATED: &str = "models/pump/impatient.csm";
const UNKNOWN: &str = "models/bakery/a_unbounded.csm";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command.args(arguments).current_dir(root());
    command
}

fn crisol(arguments: &[&str]) -> Output {
    command(arguments).output().expect("a run")
}

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(crisol(arguments).stdout).expect("text")
}

fn json(arguments: &[&str]) -> Json {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("crisol-formats-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn write(path: PathBuf, text: &str) -> String {
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a path that is text").to_owned()
}

/// A model of each kind of end: all hold, violated, unknown, warnings, not a model, no file, DVE.
fn one_of_each(name: &str) -> Vec<String> {
    let folder = folder(name);
    let bad =
        "signal A;\nclass C { initial -> Q; quiescent state Q; Q -> Z : B; }\nobject o : C;\n";
    let warned = "signal unused; class C { initial -> A; quiescent state A; } object o: C;";
    let dve = "byte x; process P { state a, b; init a; trans a -> b { effect x = x + 1; }; } system async;";
    let written = [
        write(folder.join("bad, one%: \"<&>'.csm"), bad),
        write(folder.join("warned.csm"), warned),
        write(folder.join("two.dve"), dve),
        folder.join("missing\n::error::.csm").display().to_string(),
    ];
    let shipped = [HOLDS, VIOLATED, UNKNOWN].map(str::to_owned);
    shipped.into_iter().chain(written).collect()
}

fn with_all<'a>(options: &[&'a str], paths: &'a [String]) -> Vec<&'a str> {
    let limits = ["check", "--quiet", "--max-rounds", "2"];
    let options = limits.iter().chain(options).copied();
    options.chain(paths.iter().map(String::as_str)).collect()
}

fn shipped_models() -> Vec<String> {
    let mut pending = vec![root().join("models")];
    let mut found = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => pending.push(path),
                Some(extension) if extension == "csm" => {
                    let path = path.strip_prefix(root()).expect("a shipped model");
                    found.push(path.display().to_string());
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The published schema; `strict` also refuses fields that it does not name.
fn schema(strict: bool) -> jsonschema::Validator {
    let text = std::fs::read_to_string(root().join("docs/result.schema.json")).expect("the schema");
    let mut schema: Json = serde_json::from_str(&text).expect("JSON");
    if strict {
        for definition in schema["$defs"].as_object_mut().expect("parts").values_mut() {
            definition["additionalProperties"] = Json::Bool(false);
        }
    }
    jsonschema::validator_for(&schema).expect("a schema")
}

fn hold_to_schema(document: &Json) {
    for strict in [false, true] {
        let validator = schema(strict);
        let errors = validator.iter_errors(document);
        let errors: Vec<String> = errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [] as [String; 0], "strict: {strict}");
    }
}

#[test]
fn every_json_document_keeps_to_the_published_schema() {
    let models = shipped_models();
    assert!(models.len() >= 80, "only {} models found", models.len());
    let several = json(&with_all(
        &["--format", "json", "--max-states", "500"],
        &models,
    ));
    assert_eq!(several["schema"], "crisol/results/1");
    assert_eq!(
        several["results"].as_array().map(Vec::len),
        Some(models.len())
    );
    hold_to_schema(&several);
    hold_to_schema(&json(&with_all(&["--json"], &one_of_each("schema"))));
    hold_to_schema(&json(&["check", VIOLATED, "--json"]));
    hold_to_schema(&json(&["count", VIOLATED, "--json"]));
    hold_to_schema(&json(&["check", "/no/such/model.csm", "--json"]));
}

#[test]
fn the_schema_refuses_what_is_not_a_result() {
    let mut wrong = json(&["check", VIOLATED, "--json"]);
    assert!(schema(true).is_valid(&wrong));
    wrong["verdict"] = Json::from("perhaps");
    assert!(!schema(false).is_valid(&wrong));
    let mut wrong = json(&["check", VIOLATED, "--json"]);
    wrong["trace"]["steps"][0]["surprise"] = Json::from(1);
    assert!(schema(false).is_valid(&wrong), "fields may be added");
    assert!(!schema(true).is_valid(&wrong));
}

/// A trace of the document in the words of the screen.
fn retold(trace: &Json) -> Vec<String> {
    let mut lines = Vec::new();
    let texts = |list: &Json| -> Vec<Json> { list.as_array().cloned().unwrap_or_default() };
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    for step in texts(&trace["steps"]) {
        lines.push(format!("{} {}", step["number"], text(&step["summary"])));
        lines.extend(texts(&step["labels"]).iter().map(text));
        let chosen: Vec<String> = texts(&step["chosen"]).iter().map(text).collect();
        if !chosen.is_empty() {
            lines.push(format!("chooses {}", chosen.join(", ")));
        }
        for sent in texts(&step["sent"]) {
            let arguments = texts(&sent["message"]["arguments"]);
            let arguments = arguments.iter().map(|a| match a {
                Json::String(name) => name.clone(),
                other => other.to_string(),
            });
            let arguments: Vec<String> = arguments.collect();
            let shown = match arguments.is_empty() {
                true => text(&sent["message"]["signal"]),
                false => format!(
                    "{}({})",
                    text(&sent["message"]["signal"]),
                    arguments.join(", ")
                ),
            };
            let lost = match sent["lost"] == true {
                true => ", which is lost: the inbox is full",
                false => "",
            };
            lines.push(format!("sends {shown} to {}{lost}", text(&sent["to"])));
        }
        for change in texts(&step["states"]) {
            let (name, after) = (text(&change["name"]), text(&change["after"]));
            lines.push(match &change["before"] {
                Json::String(before) => format!("{name}: {before} -> {after}"),
                _ => format!("{name} in {after}"),
            });
        }
        for change in texts(&step["variables"]) {
            if let Json::String(before) = &change["before"] {
                let (name, after) = (text(&change["name"]), text(&change["after"]));
                lines.push(format!("{name} = {after} (was {before})"));
            }
        }
    }
    lines
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_trace_for_programs_is_the_trace_on_the_screen() {
    let models = [
        VIOLATED,
        "models/deos/refund_all.csm",
        "models/par/par_short_timer.csm",
        "models/philosophers/deadlocking.csm",
    ];
    for model in models {
        let screen = stdout(&["check", model]);
        let document = json(&["check", model, "--json"]);
        let name = document["trace"]["property"].as_str().expect("a violation");
        let told = screen.split_once(&format!("{name}, step by step:\n"));
        let told = told
            .expect("a trace")
            .1
            .split("\n\n")
            .next()
            .expect("steps");
        let mut start = retold(&document["trace"]);
        // The first step of the document has all variables, which the screen leaves out.
        start.retain(|line| !line.is_empty());
        assert_eq!(words(told), words(&start.join(" ")), "{model}");
        let message = document["properties"]
            .as_array()
            .expect("properties")
            .iter();
        let message = message.filter(|p| p["name"] == name).map(|p| &p["message"]);
        let message = message.filter_map(Json::as_str).next().expect("a message");
        assert!(
            words(&screen).contains(&words(message)),
            "{model}: {message}"
        );
    }
}

#[test]
fn queues_and_places_are_in_the_document() {
    let document = json(&["check", VIOLATED, "--json"]);
    let step = &document["trace"]["steps"][1];
    assert_eq!(step["inboxes"][0]["object"], "motor");
    assert_eq!(step["inboxes"][0]["queued"][0], "Start");
    let model = std::fs::read_to_string(root().join(VIOLATED)).expect("the model");
    let region = &step["regions"][0];
    let line = region["line"].as_u64().expect("a line") as usize;
    let line = model.lines().nth(line - 1).expect("that line");
    let label = step["labels"][0].as_str().expect("a label");
    assert_eq!(line.trim(), label);
    let column = region["column"].as_u64().expect("a column") as usize;
    assert!(line[column - 1..].starts_with(label));
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
fn annotations_stay_one_command_each_whatever_files_are_called() {
    let models = one_of_each("annotations");
    let text = stdout(&with_all(&["--format", "github"], &models));
    let levels = ["::error file=", "::warning file=", "::notice file="];
    for line in text.lines() {
        assert!(levels.iter().any(|level| line.starts_with(level)), "{line}");
        assert!(!line.contains('\u{1b}'));
    }
    let violated = "::error file=models/pump/impatient.csm,line=35,endLine=35,col=1,endColumn=65,\
                    title=rests_when_off violated::`always control in Idle -> motor in Off` does not \
                    hold here (models/pump/impatient.csm:35:1); in 6 steps:%0A   0  the system starts%0A";
    assert!(text.contains(violated), "{text}");
    assert!(text.contains("::notice file=models/pump/pump.csm,title=holds::"));
    assert!(text.contains("::warning file=models/bakery/a_unbounded.csm,"));
    assert!(
        text.contains("bad%2C one%25%3A \"<&>'.csm,line=2,endLine=2,col=49,"),
        "{text}"
    );
    assert!(text.contains("title=W201::"), "{text}");
}

#[test]
fn a_violation_in_sarif_has_its_place_and_its_way() {
    let log = json(&["check", VIOLATED, "--format", "sarif"]);
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3, "only what is violated");
    let last = &results[2];
    let rule = last["ruleIndex"].as_u64().expect("a rule") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "always");
    let region = &last["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"]),
        (&Json::from(35), &Json::from(1))
    );
    let steps = last["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    let steps = steps.expect("a way");
    assert_eq!(steps.len(), 7);
    let first = &steps[1]["location"];
    assert_eq!(first["physicalLocation"]["region"]["startLine"], 15);
    let told = "control takes Button from the environment\ncontrol: Idle -> Busy";
    assert_eq!(first["message"]["text"], told);
}

#[test]
fn what_is_not_known_does_not_look_well_anywhere() {
    let limited = [
        "check",
        UNKNOWN,
        "--max-states",
        "50",
        "--quiet",
        "--format",
    ];
    let log = json(&[&limited[..], &["sarif"]].concat());
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(!results.is_empty());
    for result in results {
        assert_eq!(
            (&result["kind"], &result["level"]),
            (&"open".into(), &"none".into())
        );
    }
    let notified = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notified[0]["level"], "warning");
    let suite = stdout(&[&limited[..], &["junit"]].concat());
    assert!(suite.contains("<error type=\"unknown\" message=\"the abstract model was not"));
    assert!(!suite.contains("<skipped"), "{suite}");
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

/// The folder of the validators; none where they are not installed and need not be.
fn validators() -> Option<PathBuf> {
    let folder = root().join("target/validators");
    let required = std::env::var("CRISOL_VALIDATORS").is_ok_and(|value| value == "required");
    if folder.join("node_modules").is_dir() {
        return Some(folder);
    }
    assert!(!required, "no validators in {}", folder.display());
    eprintln!(
        "skipped: no validators in {} (.ci/run installs them)",
        folder.display()
    );
    None
}

/// The result of one call on a model of each kind, written to a file.
fn written(format: &str, name: &str) -> PathBuf {
    let mut models = one_of_each(name);
    models.push(VIOLATED.to_owned()); // given twice
    let text = stdout(&with_all(&["--format", format], &models));
    PathBuf::from(write(folder(name).join(format!("result.{format}")), &text))
}

/// What a validator says of a file, and whether it is content.
fn judged_junit(validators: &Path, file: &Path) -> (bool, String) {
    let script = root().join("tests/validators/junit.cjs");
    let output = Command::new("node")
        .arg(script)
        .arg(validators)
        .arg(file)
        .output();
    let output = output.expect("node");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), told)
}

#[test]
fn junit_files_are_what_jenkins_accepts() {
    let Some(validators) = validators() else {
        return;
    };
    let file = written("junit", "junit");
    let (accepted, told) = judged_junit(&validators, &file);
    assert!(accepted, "{told}");
    let broken = std::fs::read_to_string(&file).expect("the file");
    let broken = broken.replacen("<testcase name=", "<testcase title=", 1);
    let broken = write(folder("junit").join("broken.xml"), &broken);
    let (accepted, told) = judged_junit(&validators, Path::new(&broken));
    assert!(!accepted && told.contains("title"), "{told}");
}

/// The errors that the validator of the SARIF SDK has found; it also gives advice, which is none.
fn judged_sarif(validators: &Path, file: &Path) -> Vec<String> {
    let package = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";
    let output = Command::new(validators.join(package))
        .arg("validate")
        .arg(file)
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output();
    let told = String::from_utf8(output.expect("the validator").stdout).expect("text");
    assert!(told.contains("1 files scanned"), "{told}");
    let is_error = |line: &&str| line.contains(": error ");
    told.lines().filter(is_error).map(str::to_owned).collect()
}

#[test]
fn sarif_files_are_what_the_sdk_accepts() {
    let Some(validators) = validators() else {
        return;
    };
    let file = written("sarif", "sarif");
    assert_eq!(judged_sarif(&validators, &file), [] as [String; 0]);
    let broken = std::fs::read_to_string(&file).expect("the file");
    let broken = broken.replacen("\"ruleId\": \"", "\"ruleId\": 7, \"rule\": \"", 1);
    let broken = write(folder("sarif").join("broken.sarif"), &broken);
    assert!(!judged_sarif(&validators, Path::new(&broken)).is_empty());
}
