//! Hostile input through the real program: each ends with a clear error and exit code 3, within two
//! seconds of processor time and 256 MB, and nothing raw reaches the terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `crisol check` under the limits; a run that exceeds them dies by a signal.
fn check(path: &Path) -> Output {
    let shell = "ulimit -v 262144 && ulimit -t 2 && exec \"$0\" check --max-states 100 \"$1\"";
    Command::new("sh")
        .args(["-c", shell, env!("CARGO_BIN_EXE_crisol")])
        .arg(path)
        .output()
        .expect("a shell")
}

fn folder() -> PathBuf {
    let path = std::env::temp_dir().join(format!("crisol-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Checks some input; gives the exit code.
fn code_of(name: &str, input: impl AsRef<[u8]>) -> i32 {
    code_in("csm", name, input)
}

/// The same in a language, by the extension of its files.
fn code_in(extension: &str, name: &str, input: impl AsRef<[u8]>) -> i32 {
    // Tests run side by side: no two of them may write the same file.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder().join(format!("{number}.{extension}"));
    std::fs::write(&path, input).expect("a file");
    let output = check(&path);
    let _ = std::fs::remove_file(&path);
    judge(name, &output)
}

fn judge(name: &str, output: &Output) -> i32 {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let start = String::from_utf8_lossy(&text[..text.len().min(600)]).into_owned();
    let raw = |byte: &u8| *byte < b' ' && *byte != b'\n' || *byte == 0x7f;
    assert!(
        !text.iter().any(raw),
        "{name}: control characters: {start:?}"
    );
    assert!(
        text.len() < 200_000,
        "{name}: {} bytes of output",
        text.len()
    );
    let code = output.status.code();
    let code = code.unwrap_or_else(|| panic!("{name}: {} {start}", output.status));
    assert_ne!(code, 4, "{name}: {start}");
    if code == 3 {
        assert!(start.contains("error"), "{name}: no error is told: {start}");
    }
    code
}

fn is_refused(name: &str, input: impl AsRef<[u8]>) {
    assert_eq!(code_of(name, input), 3, "{name} is accepted");
}

/// A model around the body of its only class.
fn class(body: &str) -> String {
    format!("signal e; class C {{ initial -> S; state S; {body} }} object o: C; allow deadlock;")
}

#[test]
fn what_is_no_text_is_refused() {
    is_refused("nul", "system A;\0");
    is_refused("bad_utf8", b"system A\xff;");
    is_refused("empty", "");
    is_refused("escape", "system A; // \x1b[31mred\x1b[0m \x07");
    is_refused("escape_in_name", "system \x1b]0;title\x07;");
    is_refused(
        "noise",
        (0..4096u32)
            .map(|i| ((i * 7919) >> 3) as u8)
            .collect::<Vec<u8>>(),
    );
    for name in ["/dev/zero", "/no/such/file.csm", env!("CARGO_MANIFEST_DIR")] {
        assert_eq!(judge(name, &check(Path::new(name))), 3, "{name}");
    }
}

#[test]
fn a_byte_order_mark_is_no_offence() {
    assert_eq!(code_of("bom", format!("\u{feff}{}", class(""))), 0);
}

#[test]
fn endless_repetition_is_refused() {
    const SIZE: usize = 4_000_000;
    for unit in [
        "{", "(", "a.", "state S{", "/*", "//", "-", "!", "1+", "if(x){", "class C{", "\n", "[",
        "a,",
    ] {
        let name = format!(
            "many_{}",
            unit.escape_debug().to_string().replace('/', "slash")
        );
        is_refused(&name, unit.repeat(SIZE / unit.len()));
    }
}

#[test]
fn endless_repetition_is_refused_in_dve_files() {
    const SIZE: usize = 8_000_000;
    for unit in [
        "byte x;",
        "byte x[65536];",
        "channel c;",
        "process P{",
        "(",
        "/*",
        "//",
        "a",
        "1 ",
        "int x=-",
        "const int x=1+",
    ] {
        let text = unit.repeat(SIZE / unit.len());
        assert_eq!(code_in("dve", unit, text), 3, "{unit} is accepted");
    }
    let process = |body: &str| format!("process P {{ state s; init s; {body} }} system async;");
    let refused = |name: &str, text: String| assert_eq!(code_in("dve", name, text), 3, "{name}");
    refused(
        "states",
        process(&format!("state {}s;", "s,".repeat(3_900_000))),
    );
    refused(
        "transitions",
        process(&format!("trans {};", vec!["s->s{}"; 20_000].join(","))),
    );
    refused("too large", " ".repeat((8 << 20) + 1));
    let comment = format!("{} {}", " ".repeat(8_000_000), process(""));
    assert_eq!(code_in("dve", "large", comment), 1, "it is a deadlock");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, close: &str| open.repeat(5000) + &close.repeat(5000);
    is_refused(
        "parentheses",
        class(&format!(
            "S -> S : [{}];",
            "(".repeat(5000) + "true" + &")".repeat(5000)
        )),
    );
    is_refused(
        "negations",
        class(&format!("S -> S : [{}true];", "!".repeat(5000))),
    );
    is_refused(
        "sum",
        class(&format!(
            "int x; S -> S / {{ x = {}1; }}",
            "1 + ".repeat(5000)
        )),
    );
    is_refused("states", class(&deep("state T { initial -> T; ", "}")));
    is_refused(
        "blocks",
        class(&format!("S -> S / {{ {} }}", deep("if (true) {", "}"))),
    );
    is_refused(
        "fields",
        class(&format!("C c; S -> S : [{}c == null];", "c.".repeat(5000))),
    );
    is_refused(
        "elements",
        class(&format!("int[2] a; S -> S : [{} == 0];", deep("a[", "]"))),
    );
}

#[test]
fn huge_numbers_and_names_are_refused() {
    is_refused("number", class("int x = 99999999999999999999999;"));
    is_refused(
        "digits",
        class(&format!("int x = {};", "9".repeat(1_000_000))),
    );
    is_refused("name", format!("system {};", "a".repeat(1_000_000)));
    is_refused("array", class("int[2000000000] x;"));
    is_refused("arrays", class(&"int[65536] x; ".repeat(100)));
    is_refused(
        "objects",
        "class C { initial -> S; state S; } object o[100000000]: C;",
    );
    is_refused("capacity", class("") + "inbox o capacity 70000;");
    is_refused("range", class("int(9..1) x;"));
    is_refused(
        "constant",
        class("") + "const A = 9223372036854775807 + 1; int(0..A) x;",
    );
    is_refused("division", class("") + "const A = 1 / 0;");
    is_refused(
        "parameter",
        "external signal e(int n); ".to_owned() + &class("S -> S : e;").replace("signal e;", ""),
    );
}

#[test]
fn models_that_would_take_for_ever_to_look_at_are_refused() {
    let states: String = (0..20_000)
        .map(|i| format!("state T{i}; S -> T{i} : e; "))
        .collect();
    is_refused("states", class(&states));
    let levels: String = (0..40)
        .map(|i| {
            format!(
                "junction J{i}; J{i} -> J{0} : [x > {i}]; J{i} -> J{0} : [x < {i}]; ",
                i + 1
            )
        })
        .collect();
    is_refused(
        "junctions",
        class(&format!("int x; {levels} junction J40; S -> J0; J40 -> S;")),
    );
    let regions: String = (0..40)
        .map(|i| format!("region r{i} {{ initial -> A{i}; state A{i}; A{i} -> A{i} : e; }} "))
        .collect();
    is_refused(
        "regions",
        class(&format!("state K {{ {regions} }} S -> K : e;")),
    );
    let errors: String = (0..100_000)
        .map(|i| format!("S -> T{i} : f{i}; "))
        .collect();
    is_refused("errors", class(&errors));
    let constants: String = (1..20_000)
        .map(|i| format!("const A{i} = A{} + 1; ", i - 1))
        .collect();
    let code = code_of(
        "constants",
        format!("const A0 = 0; {constants} {}", class("")),
    );
    assert!(code == 0 || code == 3);
}

#[test]
fn a_large_but_sound_model_is_accepted() {
    let states: String = (0..1000)
        .map(|i| format!("state T{i}; S -> T{i} : e; "))
        .collect();
    let text = class(&states) + " allow nondeterminism;";
    assert_eq!(code_of("sound", text), 0);
}

#[test]
fn choices_and_loops_without_end_are_refused_or_are_faults() {
    is_refused(
        "choose",
        class("int x; S -> S / { x = choose(0..2000000000); }"),
    );
    is_refused(
        "for",
        class("int x; S -> S / { for (i in 0..2000000000) { x = i; } }"),
    );
    let most = "int most = 2000000000; int x; S -> S / ";
    let text = class(&format!("{most} {{ x = choose(0..most); }}"));
    assert_eq!(
        code_of("choose_most", text),
        1,
        "a fault of the running model"
    );
    let text = class(&format!("{most} {{ for (i in 0..most) {{ x = i; }} }}"));
    assert_eq!(code_of("for_most", text), 1, "a fault of the running model");
}

#[test]
fn a_step_with_too_many_outcomes_proves_nothing() {
    let text = class("int x; S -> S / { for (i in 1..40) { x = choose(0..1); } }");
    assert_eq!(code_of("outcomes", text), 2);
    let atomic =
        " external signal go; semantics run_to_completion with atomic_steps; thread t { o }";
    let count =
        "int n; state T; S -> T : go / { n = 0; } T -> T : [n < 20000] / { n += 1; } T -> S;";
    assert_eq!(code_of("parts", class(count) + atomic), 2);
    let steps = (1..9).map(|i| {
        format!(
            "state T{i}; T{i} -> T{} / {{ v{i} = choose(0..60); }} int(0..60) v{i}; ",
            i + 1
        )
    });
    let steps: String = steps.collect();
    let zero: String = (1..9).map(|i| format!("v{i} = 0; ")).collect();
    let ways = format!("{steps} state T9; S -> T1 : go; T9 -> S / {{ {zero} }}");
    assert_eq!(code_of("ways", class(&ways) + atomic), 2);
}

/// Cut anywhere, a model is refused or is a smaller model; a byte changed, it is read or refused.
#[test]
fn truncated_and_mutated_models_end_well() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/pump/impatient.csm");
    let text = std::fs::read(model).expect("a model");
    for end in (0..text.len()).step_by(7) {
        let code = code_of("truncated", &text[..end]);
        assert!([0, 1, 2, 3].contains(&code), "cut at {end}: {code}");
    }
    let mut noise = 12345u32;
    for _ in 0..100 {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut mutated = text.clone();
        let at = noise as usize % mutated.len();
        mutated[at] = (noise >> 24) as u8;
        let code = code_of("mutated", &mutated);
        assert!([0, 1, 2, 3].contains(&code), "byte {at}: {code}");
    }
}
