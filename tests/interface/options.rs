//! Every option of every command, for our language and for DVE: it does what it says, or it is refused.
//!
//! Invariant: an option that clap knows and `LINES` does not is a failure, and the other way round.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const CSM: &str = "system Options;
const N = 2;
signal unused;
external signal tick(int(1..2) a);
class C {
  int(0..9) n = 0;
  int(0..3) scratch = 0;
  initial -> S;
  state S, T;
  S -> T : tick(a) / { n = N; scratch = a; };
  T -> S : tick(a) [n > 0] / { n = n - 1; };
}
object o: C;
property small : always o.n != 2;
property home : always o in S;
property fine : always o.n < 8;
";

const DVE: &str = "const byte N = 2;
byte n, scratch;
process P { state s, t; init s; assert s: n < N;
  trans s -> t { effect n = n + 1, scratch = 1; },
        s -> t { effect n = n + 1, scratch = 2; },
        t -> s { guard n < 4; }; }
process Q { state s, t; init s; trans s -> t { }; }
system async;
";

/// The same with millions of states.
const LARGE_CSM: &str = "class C { int(0..255) a, b, c; initial -> S; state S;
  S -> S / { a = (a + 1) % 256; }; S -> S / { b = (b + 1) % 256; }; S -> S / { c = (c + 1) % 256; }; }
object o: C;
";
const LARGE_DVE: &str = "byte a, b, c; process P { state s; init s;
  trans s -> s { effect a = a + 1; }, s -> s { effect b = b + 1; }, s -> s { effect c = c + 1; }; }
system async;
";

/// A small model and a large one.
struct Models {
    language: &'static str,
    small: &'static str,
    large: &'static str,
}

const CSM_MODELS: Models = Models {
    language: "csm",
    small: CSM,
    large: LARGE_CSM,
};

const DVE_MODELS: Models = Models {
    language: "dve",
    small: DVE,
    large: LARGE_DVE,
};

/// What comes of an option.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// The output has this, and has it not without the option.
    Shows(&'static str),
    /// The output has this only without the option.
    Hides(&'static str),
    /// The file `{out}` has this.
    Writes(&'static str),
    /// Exit code 2, with these words, where the model is large.
    Stops(&'static str),
    /// Exit code 3, with these words.
    Refused(&'static str),
    /// It is accepted, and there is nothing to be seen: why.
    Accepted(&'static str),
}

use Outcome::{Accepted, Hides, Refused, Shows, Stops, Writes};

struct Line {
    command: &'static str,
    option: &'static str,
    /// What is given in any case, and with the option.
    base: &'static str,
    with: &'static str,
    csm: Outcome,
    dve: Outcome,
}

const fn line(
    command: &'static str,
    option: &'static str,
    [base, with]: [&'static str; 2],
    csm: Outcome,
    dve: Outcome,
) -> Line {
    Line {
        command,
        option,
        base,
        with,
        csm,
        dve,
    }
}

const FOR_CSM: Outcome = Refused("is for .csm models");
const CONCRETE: Outcome = Refused("explored without abstraction");
const NO_ENVIRONMENT: Outcome = Refused("it has no environment");
const NO_WARNINGS: Outcome = Refused("there are no warnings");
const ANY: &str = "--domain C.n:any";
const UNKNOWN: Outcome = Refused("has no constant `M`");
const DENIED: Outcome = Refused("1 warning is denied");

/// Options of all commands, which are tried below.
const EVERYWHERE: [&str; 2] = ["--color", "--help"];

#[rustfmt::skip]
const LINES: &[Line] = &[
    line("check", "--define", ["", "-D N=9"], Shows("holds     small"), Shows("holds     assertion_failure")),
    line("check", "--environment", ["--json", "--environment eager"], Shows("\"states\": 93"), NO_ENVIRONMENT),
    line("check", "--deny", ["", "--deny warnings"], DENIED, NO_WARNINGS),
    line("check", "--property", ["", "--property arithmetic_fault"], Shows(": holds"), Shows(": holds")),
    line("check", "--first", ["", "--first"], Shows("unknown"), Shows("unknown")),
    line("check", "--all-traces", ["", "--all-traces"], Shows("home, step by step"), Shows("deadlock, step by step")),
    line("check", "--dead-variables", ["--json", "--dead-variables keep"], Shows("\"states\": 5"), Shows("\"states\": 30")),
    line("check", "--abstract", ["", "--abstract"], Shows("Abstraction:"), CONCRETE),
    line("check", "--concrete", ["", "--concrete"], Accepted("nothing is abstracted"), Accepted("nothing is abstracted")),
    line("check", "--domain", ["", "--domain C.n:sign"], Shows("Abstraction:"), CONCRETE),
    line("check", "--precision", ["", "--precision {precision}"], Shows("Abstraction:"), CONCRETE),
    line("check", "--refine", [ANY, "--refine exact"], Shows("every variable is known exactly"), CONCRETE),
    line("check", "--max-rounds", [ANY, "--max-rounds 1"], Shows("--max-rounds lets it go on"), CONCRETE),
    line("check", "--save-precision", [ANY, "--save-precision {out}"], Writes("abstraction {"), CONCRETE),
    line("check", "--explain", [ANY, "--explain"], Shows("Round 1"), CONCRETE),
    line("check", "--certify", ["", "--certify {out}"], Shows("certificate:"), Shows("certificate:")),
    line("check", "--max-states", ["", "--max-states 1"], Shows("limit of 1 states"), Shows("unknown")),
    line("check", "--max-time", ["", "{large} --max-time 0.01"], Stops("the limit of 0.01 s"), Stops(": unknown")),
    line("check", "--memory", ["", "{large} --memory 1"], Stops("the limit of"), Stops(": unknown")),
    line("check", "--threads", ["--json", "--threads 3"], Shows("\"threads\": 3"), Shows("\"threads\": 3")),
    line("check", "--quiet", ["--json {model}", "--quiet"], Hides("1 of 2"), Hides("1 of 2")),
    line("check", "--stats", ["", "--stats"], Shows("local states of"), Shows("local states of")),
    line("check", "--format", ["", "--format junit"], Shows("<testsuite"), Shows("<testsuite")),
    line("check", "--json", ["", "--json"], Shows("\"schema\""), Shows("\"schema\"")),
    line("check", "--output", ["", "--output {out}"], Writes(": violated"), Writes(": violated")),
    line("check", "--html", ["", "--html {out}"], Writes("<html"), Writes("<html")),

    line("count", "--define", ["", "-D M=1"], UNKNOWN, UNKNOWN),
    line("count", "--environment", ["", "--environment eager"], Shows(" 155"), NO_ENVIRONMENT),
    line("count", "--deny", ["", "--deny warnings"], DENIED, NO_WARNINGS),
    line("count", "--dead-variables", ["--json", "--dead-variables reset"], Shows("\"states\": 3"), Shows("\"states\": 16")),
    line("count", "--max-states", ["", "--max-states 1"], Shows("limit of 1 states"), Shows("limit of 1 states")),
    line("count", "--max-time", ["", "{large} --max-time 0.01"], Stops("the limit of 0.01 s"), Stops("the limit of 0.01 s")),
    line("count", "--memory", ["", "{large} --memory 1"], Stops("the limit of"), Stops("the limit of")),
    line("count", "--threads", ["--json", "--threads 3"], Shows("\"threads\": 3"), Shows("\"threads\": 3")),
    line("count", "--quiet", ["", "--quiet"], Accepted("it is over at once"), Accepted("it is over at once")),
    line("count", "--stats", ["", "--stats"], Shows("local states of"), Shows("local states of")),
    line("count", "--json", ["", "--json"], Shows("\"schema\""), Shows("\"schema\"")),

    line("graph", "--define", ["", "-D M=1"], UNKNOWN, UNKNOWN),
    line("graph", "--environment", ["", "--environment eager"], Shows("inbox"), NO_ENVIRONMENT),
    line("graph", "--deny", ["", "--deny warnings"], DENIED, NO_WARNINGS),
    line("graph", "--format", ["", "--format svg"], Shows("<svg"), Shows("<svg")),
    line("graph", "--max-states", ["", "--max-states 1"], Refused("more than 1 states"), Refused("more than 1 states")),
    line("graph", "--abstract", ["", "--abstract"], Shows(".."), CONCRETE),
    line("graph", "--concrete", ["", "--concrete"], Accepted("nothing is abstracted"), Accepted("nothing is abstracted")),
    line("graph", "--domain", ["", "--domain C.n:sign"], Shows(".."), CONCRETE),
    line("graph", "--precision", ["", "--precision {precision}"], Shows(".."), CONCRETE),
    line("graph", "--output", ["", "--output {out}"], Writes("digraph"), Writes("digraph")),

    line("simulate", "--define", ["", "-D M=1"], UNKNOWN, UNKNOWN),
    line("simulate", "--environment", ["", "--environment eager"], Shows("the environment sends"), NO_ENVIRONMENT),
    line("simulate", "--deny", ["", "--deny warnings"], DENIED, NO_WARNINGS),
    line("simulate", "--random", ["", "--random"], Shows(", seed "), Shows(", seed ")),
    line("simulate", "--seed", ["", "--seed 7"], Shows(", seed 7"), Shows(", seed 7")),
    line("simulate", "--steps", ["--seed 7", "--steps 0"], Shows("0 steps, seed 7"), Shows("0 steps, seed 7")),
    line("simulate", "--replay", ["", "--replay {missing}"], Refused("No such file"), Refused("No such file")),

    line("explore", "--define", ["", "-D M=1"], UNKNOWN, FOR_CSM),
    line("explore", "--environment", ["--port {busy}", "--environment eager"], Refused("in use"), FOR_CSM),
    line("explore", "--deny", ["", "--deny warnings"], DENIED, FOR_CSM),
    line("explore", "--trace", ["", "--trace {missing}"], Refused("No such file"), FOR_CSM),
    line("explore", "--port", ["", "--port {busy}"], Refused("in use"), FOR_CSM),

    line("draw", "--define", ["", "-D M=1"], UNKNOWN, UNKNOWN),
    line("draw", "--environment", ["", "--environment eager"], Accepted("machines are the same"), NO_ENVIRONMENT),
    line("draw", "--deny", ["", "--deny warnings"], DENIED, NO_WARNINGS),
    line("draw", "--format", ["", "--format mermaid"], Shows("stateDiagram"), Shows("stateDiagram")),
    line("draw", "--class", ["", "--class D"], Refused("no class `D`"), Refused("no class `D`")),
    line("draw", "--output", ["", "--output {out}"], Writes("<svg"), Writes("<svg")),

    line("fmt", "--write", ["", "--write"], Hides("system Options"), FOR_CSM),
    line("fmt", "--check", ["", "--check"], Shows("is not in canonical form"), FOR_CSM),

    line("validate", "--threads", ["{certificate}", "--threads 3"], Accepted("the same is found"), Accepted("the same is found")),
    line("validate", "--quiet", ["{certificate}", "--quiet"], Accepted("it is over at once"), Accepted("it is over at once")),
];

/// The options of each command, as clap knows them: from what it writes for shells.
fn known() -> BTreeSet<(String, String)> {
    let output = run(&["completions", "bash"]).0;
    let mut known = BTreeSet::new();
    let mut command = None;
    for line in output.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("crisol__subcmd__") {
            command = Some(name.trim_end_matches(')').to_owned());
        } else if let (Some(command), Some(options)) = (&command, line.strip_prefix("opts=\"")) {
            let long = options.trim_end_matches('"').split(' ');
            let long = long.filter(|option| option.starts_with("--"));
            known.extend(long.map(|option| (command.clone(), option.to_owned())));
        }
    }
    known
}

#[test]
fn there_is_a_line_for_every_option_of_every_command() {
    let known = known();
    assert!(known.len() > 60, "only {} options are found", known.len());
    let lines = LINES
        .iter()
        .map(|line| (line.command.to_owned(), line.option.to_owned()));
    let lines: BTreeSet<_> = lines.collect();
    assert_eq!(lines.len(), LINES.len(), "one line for each");
    let tried_below = |(_, option): &&(String, String)| EVERYWHERE.contains(&option.as_str());
    let missing: Vec<_> = known
        .difference(&lines)
        .filter(|known| !tried_below(known))
        .collect();
    assert!(missing.is_empty(), "no line for {missing:?}");
    let gone: Vec<_> = lines.difference(&known).collect();
    assert!(gone.is_empty(), "there is no such option: {gone:?}");
}

#[test]
fn every_option_is_honoured_or_refused() {
    let wrong: Vec<String> = LINES.iter().flat_map(wrong_with).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn wrong_with(line: &Line) -> Vec<String> {
    let tried = [(&CSM_MODELS, line.csm), (&DVE_MODELS, line.dve)];
    let wrong = tried.into_iter().filter_map(|(models, outcome)| {
        let trial = Trial::new(models);
        let wrong = trial.wrong_with(line, outcome)?;
        Some(format!(
            "{} {} for {}: {wrong}",
            line.command, line.option, models.language
        ))
    });
    wrong.collect()
}

/// A folder of its own for a run of the program.
struct Trial {
    folder: PathBuf,
    language: &'static str,
    /// Its port is taken.
    busy: TcpListener,
}

impl Trial {
    fn new(models: &Models) -> Trial {
        // Tests run side by side: no two trials may share a folder.
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let language = models.language;
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.join("options").join(number.to_string());
        let _ = std::fs::remove_dir_all(&folder); // there may be none
        std::fs::create_dir_all(&folder).expect("a folder");
        let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
        let trial = Trial {
            folder,
            language,
            busy,
        };
        std::fs::write(trial.path("{model}"), models.small).expect("a model");
        std::fs::write(trial.path("{large}"), models.large).expect("a model");
        std::fs::write(trial.path("{precision}"), "abstraction { C.n : sign; }").expect("a file");
        trial
    }

    fn path(&self, word: &str) -> String {
        let name = word.trim_matches(['{', '}']);
        let extension = match name {
            "model" | "large" => self.language,
            _ => "file",
        };
        let path = self.folder.join(format!("{name}.{extension}"));
        path.display().to_string()
    }

    fn word(&self, word: &str) -> String {
        match word {
            "{busy}" => self.busy.local_addr().expect("a port").port().to_string(),
            _ if word.starts_with('{') => self.path(word),
            _ => word.to_owned(),
        }
    }

    fn run(&self, command: &str, arguments: &str) -> (String, i32) {
        let words = arguments.split(' ').filter(|word| !word.is_empty());
        let (large, words): (Vec<&str>, Vec<&str>) = words.partition(|word| *word == "{large}");
        let model = large.first().unwrap_or(&"{model}");
        let words = words.iter().map(|word| self.word(word));
        let all = [command.to_owned(), self.path(model)].into_iter();
        let all: Vec<String> = all.chain(words).collect();
        run(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn wrong_with(&self, line: &Line, outcome: Outcome) -> Option<String> {
        if line.base.contains("{certificate}") {
            self.run("check", "--certify {certificate}");
        }
        let both = format!("{} {}", line.base, line.with);
        let (with, code) = match outcome {
            Hides(_) | Shows(_) => {
                let without = self.run(line.command, line.base);
                let with = self.run(line.command, &both);
                let (Hides(text) | Shows(text)) = outcome else {
                    unreachable!()
                };
                let expected = matches!(outcome, Shows(_));
                let is_seen = [&without, &with].map(|(output, _)| output.contains(text));
                if is_seen != [!expected, expected] {
                    return Some(format!(
                        "`{text}` without and with it: {is_seen:?}\n{}",
                        with.0
                    ));
                }
                with
            }
            _ => self.run(line.command, &both),
        };
        let is_right = match outcome {
            Stops(text) => code == 2 && with.contains(text),
            Refused(text) => code == 3 && with.contains(text),
            Writes(text) => {
                let written = std::fs::read_to_string(self.path("{out}"));
                code < 3 && written.is_ok_and(|written| written.contains(text))
            }
            Shows(_) | Hides(_) | Accepted(_) => (0..3).contains(&code),
        };
        let why = match outcome {
            Accepted(why) => format!("is accepted, as {why}"),
            other => format!("{other:?}"),
        };
        (!is_right).then(|| format!("{why}, but the exit code is {code}:\n{with}"))
    }
}

fn run(arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let output = command
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("a run");
    let printed = [output.stdout, output.stderr].concat();
    let code = output.status.code().unwrap_or(-1);
    (String::from_utf8_lossy(&printed).into_owned(), code)
}

#[test]
fn every_command_has_help_and_colours() {
    let commands: BTreeSet<String> = known().into_iter().map(|(command, _)| command).collect();
    for command in &commands {
        let (text, code) = run(&[command, "--help"]);
        assert!(
            code == 0 && text.contains("Usage: crisol"),
            "{command}: {text}"
        );
    }
    for models in [CSM_MODELS, DVE_MODELS] {
        let trial = Trial::new(&models);
        let coloured = |when: &str| {
            trial
                .run("check", &format!("--color {when}"))
                .0
                .contains('\x1b')
        };
        assert!(
            coloured("always") && !coloured("never"),
            "{}",
            models.language
        );
    }
}

/// What only some models of our language have.
#[test]
fn options_that_a_model_of_our_language_has_no_use_for_are_refused() {
    let trial = Trial::new(&CSM_MODELS);
    let (text, code) = trial.run("check", "--save-precision {out}");
    assert!(
        code == 3 && text.contains("nothing is abstracted"),
        "{text}"
    );
    let (text, code) = trial.run("check", "--abstract --dead-variables keep");
    assert!(
        code == 3 && text.contains("refinement resets them"),
        "{text}"
    );
}
