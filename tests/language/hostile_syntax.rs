//! Texts that were made to break the reader: it ends soon, without a panic, and says what is wrong.

use std::path::Path;
use std::time::{Duration, Instant};

use crisol::lang::{Colour, Diagnostic, RESERVED, SourceFile, limits, parse, print, render};

const MODEL: &str = include_str!("printing/everything.csm");
/// Far more than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// Half of what a thread usually has.
const STACK: usize = 1 << 20;

/// Reads a text as every user of the tree does: prints, copies, compares and drops it.
fn survive(text: &str) -> Vec<Diagnostic> {
    let start = Instant::now();
    let (file, diagnostics) = parse(text);
    let printed = print(&file);
    // Towers are low; of what is merely long this would take most of the time.
    if text.len() < 1 << 18 {
        assert!(format!("{:?}", file.clone()).len() > printed.len() / 100);
    }
    if diagnostics.is_empty() {
        assert!(parse(&printed).0 == file, "printed as another tree: {text}");
    }
    assert!(diagnostics.len() <= limits::DIAGNOSTICS);
    let source = SourceFile::new("hostile.csm", text);
    let shown = render(&source, &diagnostics, Colour::Plain);
    assert!(
        shown.len() < 1000 * (diagnostics.len() + 1),
        "{} bytes are shown",
        shown.len()
    );
    assert!(
        shown
            .chars()
            .all(|character| character == '\n' || !character.is_control())
    );
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
    diagnostics
}

/// On a small stack.
fn survive_in_thread(text: String) -> Vec<Diagnostic> {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread
        .spawn(move || survive(&text))
        .expect("a thread")
        .join()
        .expect("no panic")
}

fn has(diagnostics: &[Diagnostic], code: &str) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code == code)
}

/// `before` and `behind`, each `depth` times, around the middle.
fn nested(depth: usize, before: &str, middle: &str, behind: &str) -> String {
    format!("{}{middle}{}", before.repeat(depth), behind.repeat(depth))
}

/// Everything that can be nested, in a whole model.
fn towers(depth: usize) -> Vec<(&'static str, String)> {
    let constant = |text: String| format!("const A = {text};\n");
    let formula = |text: String| format!("property p : ltl {text};\n");
    let effect = |text: String| format!("class A {{ S -> S / {{ {text} }} }}\n");
    let class = |text: String| format!("class A {{ {text} }}\n");
    vec![
        ("not", constant(nested(depth, "!", "a", ""))),
        ("minus", constant(nested(depth, "- ", "a", ""))),
        ("always", formula(nested(depth, "G ", "a", ""))),
        ("sum", constant(nested(depth, "1 + ", "1", ""))),
        ("product", constant(nested(depth, "1 * ", "1", ""))),
        ("conjunction", constant(nested(depth, "a && ", "a", ""))),
        ("implication", constant(nested(depth, "a -> ", "a", ""))),
        ("until", formula(nested(depth, "a U ", "a", ""))),
        ("comparison", constant(nested(depth, "a < ", "a", ""))),
        ("in state", constant(nested(depth, "", "a", " in S"))),
        ("conditional", constant(nested(depth, "a ? b : ", "c", ""))),
        (
            "inner conditional",
            constant(nested(depth, "a ? ", "b", " : c")),
        ),
        ("field", constant(nested(depth, "", "a", ".b"))),
        ("element", constant(nested(depth, "", "a", "[0]"))),
        ("index", constant(nested(depth, "a[", "0", "]"))),
        (
            "choice of values",
            constant(nested(depth, "choose {", "0", "}")),
        ),
        (
            "choice of a range",
            constant(nested(depth, "choose(0..", "0", ")")),
        ),
        (
            "quantifier",
            constant(nested(depth, "forall(a in b : ", "c", ")")),
        ),
        (
            "quantified range",
            constant(nested(depth, "forall(a in ", "c", " : d)")),
        ),
        ("enabled", constant(nested(depth, "enabled(", "a", ")"))),
        ("queued", constant(nested(depth, "queued((", "a.b", ").c)"))),
        ("sent", constant(nested(depth, "sent(a.B | ", "a", ")"))),
        (
            "range of a type",
            format!("int({}..1) x;\n", nested(depth, "1 + ", "1", "")),
        ),
        (
            "length of an array",
            format!("int[{}] x;\n", nested(depth, "a[", "1", "]")),
        ),
        ("if", effect(nested(depth, "if (a) { ", "", "}"))),
        (
            "else if",
            effect(nested(depth, "if (a) {} else ", "if (a) {}", "")),
        ),
        ("else", effect(nested(depth, "if (a) {} else { ", "", "}"))),
        ("for", effect(nested(depth, "for (i in a) { ", "", "}"))),
        ("state", class(nested(depth, "state S { ", "", "}"))),
        ("region", class(nested(depth, "region R { ", "", "}"))),
    ]
}

#[test]
fn no_tower_is_too_high_to_be_refused() {
    for (name, text) in towers(50_000) {
        let diagnostics = survive_in_thread(text);
        assert!(has(&diagnostics, "E015"), "{name}: {diagnostics:?}");
    }
}

#[test]
fn parentheses_are_bounded_too() {
    for depth in [limits::NESTING + 1, 50_000] {
        let text = format!("const A = {};", nested(depth, "(", "1", ")"));
        assert!(has(&survive_in_thread(text), "E015"));
    }
}

#[test]
fn towers_that_are_just_low_enough_are_read() {
    for (name, text) in towers(limits::NESTING / 2 - 4) {
        let diagnostics = survive_in_thread(text);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    }
    let text = format!("const A = {};", nested(limits::NESTING, "(", "1", ")"));
    assert_eq!(survive_in_thread(text), []);
}

/// The highest tower of each sort that is read at all, printed with all its parentheses, is still read.
#[test]
fn the_highest_towers_can_be_printed() {
    for depth in limits::NESTING / 2..=limits::NESTING {
        for (_, text) in towers(depth) {
            survive_in_thread(text);
        }
    }
}

#[test]
fn towers_inside_of_each_other_share_one_bound() {
    let third = limits::NESTING / 3;
    let sum = nested(third + 10, "1 + ", "1", "");
    let block = nested(third, "if (a) { ", &format!("x = {sum};"), "}");
    let state = nested(third, "state S { ", &format!("entry / {{ {block} }}"), "}");
    assert!(has(
        &survive_in_thread(format!("class A {{ {state} }}")),
        "E015"
    ));
}

#[test]
fn what_is_opened_and_never_closed_is_reported() {
    for opener in [
        "(",
        "[",
        "{",
        "choose {",
        "a[",
        "forall(x in ",
        "int(",
        "/* ",
        "\"",
        "class A { ",
        "class A {\n",
        "state S { ",
        "class A { S -> S / { if (a) { ",
        "a ? ",
        "enum E { ",
        "object a: B { ",
        "abstraction { ",
    ] {
        for start in [
            "",
            "const A = ",
            "class A { ",
            "class A { S -> S : [",
            "class A { S -> S / { x = ",
        ] {
            let diagnostics = survive_in_thread(format!("{start}{}", opener.repeat(20_000)));
            assert!(!diagnostics.is_empty(), "{start}{opener}");
        }
    }
}

#[test]
fn every_symbol_and_word_repeated_ends_soon() {
    let symbols = [
        "}",
        ")",
        "]",
        ";",
        ",",
        ":",
        "/",
        "->",
        ".",
        "..",
        "=",
        "|",
        "?",
        "_",
        "*",
        "++",
        "a",
        "1",
        "\n",
        "§",
        "\0",
        "a b ",
        "a -> b ",
        "a.b ",
        "a;\n",
        "x = ;\n",
        "state",
        "state\n",
        "class\n",
        "class A\n",
        "no flush ",
        "// c\n",
        "/**/",
        "signal A;\n",
        "int x\n",
        "} class A {\n",
        "const A = 1 +\n",
        "} }\n",
        "S -> T\n",
        "9",
    ];
    let words = RESERVED
        .iter()
        .flat_map(|word| [format!("{word} "), format!("{word}\n")]);
    for symbol in symbols.into_iter().map(str::to_string).chain(words) {
        let text = symbol.repeat(60_000 / symbol.len());
        survive(&text);
        survive(&format!("class A {{ {text}"));
        survive(&format!(
            "class A {{ S -> S / {{ {}",
            text.replace('\n', " ")
        ));
    }
}

#[test]
fn numbers_up_to_64_bits_are_read() {
    assert_eq!(survive("const A = 9223372036854775807;"), []);
    assert!(has(&survive("const A = 9223372036854775808;"), "E003"));
    assert!(has(
        &survive(&format!("const A = {};", "9".repeat(1 << 20))),
        "E003"
    ));
}

#[test]
fn names_have_a_longest_length() {
    let longest = "n".repeat(limits::NAME_LENGTH);
    assert_eq!(survive(&format!("int {longest};")), []);
    assert!(has(&survive(&format!("int {longest}n;")), "E004"));
    assert!(has(
        &survive(&format!("int {};", "n".repeat(1 << 20))),
        "E004"
    ));
    assert!(has(
        &survive(&format!("{} x;", "é".repeat(1 << 19))),
        "E001"
    ));
}

#[test]
fn a_byte_order_mark_is_accepted_at_the_start_only() {
    assert_eq!(survive("\u{feff}system A;"), []);
    assert_eq!(survive("\u{feff}"), []);
    assert!(has(&survive("system\u{feff} A;"), "E002"));
    assert!(has(&survive("\u{feff}\u{feff}system A;"), "E002"));
}

#[test]
fn control_characters_are_errors_everywhere() {
    let blanks = [' ', '\t', '\n'];
    let controls = (0..=0x9f)
        .filter_map(char::from_u32)
        .filter(|c| c.is_control() && !blanks.contains(c));
    for control in controls.chain(['\u{202e}', '\u{200b}', '\u{2028}', '\u{2066}']) {
        for text in [
            format!("system{control} A;"),
            format!("// {control} c\nsystem A;"),
            format!("/* {control} */"),
            format!("{control}"),
            format!("const A = \"{control}\";"),
        ] {
            assert!(!survive(&text).is_empty(), "{text:?}");
        }
    }
    assert_eq!(survive("system A;\r\n// c\r\n/* a\r\nb */\r\n"), []);
}

#[test]
fn escapes_never_reach_the_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m";
    let text = format!("class {evil} {{\n const {evil} = \"{evil}\"; // {evil}\n{evil}");
    let source = SourceFile::new(format!("{evil}.csm"), text);
    let (_, diagnostics) = parse(source.text());
    assert!(!diagnostics.is_empty());
    for colour in [Colour::Plain, Colour::Coloured] {
        let shown = render(&source, &diagnostics, colour);
        for raw in ["\u{1b}]", "\u{1b}[2J", "\u{7}", "\u{9b}"] {
            assert!(!shown.contains(raw), "{shown:?}");
        }
    }
    let missing = SourceFile::read(Path::new(evil)).expect_err("no such file");
    assert!(!missing.to_string().contains('\u{1b}'));
}

#[test]
fn long_lines_are_cut() {
    let line = "int x = 1; ".repeat(100_000);
    for text in [
        format!("{line} int y = ;"),
        format!("int y = ; {line}"),
        format!("int y = ; {line} int z = ;"),
    ] {
        assert!(has(&survive(&text), "E010"));
    }
    assert!(has(
        &survive(&format!("const A = {}$;", " ".repeat(1 << 20))),
        "E001"
    ));
    assert!(!survive(&format!("a{}", "\u{301}".repeat(1 << 19))).is_empty());
}

#[test]
fn only_so_many_errors_are_told() {
    assert_eq!(
        survive(&"const A = ;\n".repeat(10_000)).len(),
        limits::DIAGNOSTICS
    );
    assert_eq!(survive(&"§;".repeat(10_000)).len(), limits::DIAGNOSTICS);
}

#[test]
fn a_model_cut_off_anywhere_is_read_up_to_there() {
    assert_eq!(survive(MODEL), []);
    let ends = MODEL.char_indices().map(|(at, _)| at);
    for end in ends {
        let diagnostics = survive(&MODEL[..end]);
        let is_whole = MODEL[..end].trim_end().ends_with([';', '}']);
        let is_open = MODEL[..end].matches('{').count() > MODEL[..end].matches('}').count();
        assert!(
            !diagnostics.is_empty() || is_whole || end < 80,
            "{}",
            &MODEL[..end]
        );
        assert!(!diagnostics.is_empty() || !is_open, "{}", &MODEL[..end]);
        // All that is wrong is at the end.
        assert!(diagnostics.len() <= 2, "{} {diagnostics:?}", &MODEL[..end]);
    }
}

/// A small generator of random numbers: the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

const SYMBOLS: &[u8] = b"{}()[];:,./=<>-+*!?|&%_ \n\"a1";

fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let until = (at + random.below(30)).min(bytes.len());
        match random.below(5) {
            0 => bytes[at] = u8::try_from(random.below(256)).unwrap_or(0),
            1 => bytes[at] = SYMBOLS[random.below(SYMBOLS.len())],
            2 => drop(bytes.drain(at..until)),
            3 => {
                let piece = bytes[at..until].to_vec();
                let target = random.below(bytes.len());
                bytes.splice(target..target, piece);
            }
            _ => {
                let other = random.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    bytes
}

#[test]
fn a_model_with_random_damage_is_read_or_refused() {
    let seed = std::env::var("SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x5eed);
    println!("SEED={seed}");
    let mut random = Random(seed);
    for _ in 0..3000 {
        let damaged = mutated(MODEL.as_bytes(), &mut random);
        survive(&String::from_utf8_lossy(&damaged));
    }
}
