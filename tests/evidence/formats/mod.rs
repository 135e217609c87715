//! Results for programs: each format against its schema, the screen, and whatever files are called.
//!
//! SARIF and JUnit files are held to validators of others where these are installed under
//! `target/validators`, as `.ci/run` does; with `CRISOL_VALIDATORS=required` they must be.

mod annotations;
mod delivery;
mod json;
mod validators;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
