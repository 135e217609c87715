//! What is printed reads as what was printed: random trees, with random comments.
//!
//! `PROPTEST_CASES` sets the number of trees. A failure is shrunk, and its seed printed and kept.

mod trees;

use std::fs;
use std::path::Path;

use crisol::lang::syntax::{ElementKind, File, ItemKind};
use crisol::lang::{
    Colour, SourceFile, parse, print, print_expr, print_label, print_transition, print_type, render,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("seeds"))),
        ..ProptestConfig::default()
    }
}

/// The tree of a text that is right.
fn read(text: &str) -> Result<File, TestCaseError> {
    let (file, diagnostics) = parse(text);
    let source = SourceFile::new("printed", text);
    let errors = render(&source, &diagnostics, Colour::Plain);
    prop_assert!(diagnostics.is_empty(), "{}\nin\n{}", errors, text);
    Ok(file)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_printed_tree_reads_as_the_same_tree(tree in trees::items::shown()) {
        let text = print(&tree.0);
        let again = read(&text)?;
        prop_assert!(again == tree.0, "{:?}\nis not\n{:?}", again, tree.0);
        prop_assert_eq!(print(&again), text);
    }

    #[test]
    fn comments_survive_wherever_they_stand(
        tree in trees::items::shown(),
        places in vec((any::<prop::sample::Index>(), any::<bool>(), any::<bool>()), 1..8),
    ) {
        let commented = with_comments(&print(&tree.0), &places);
        let first = read(&commented)?;
        prop_assert!(first.items == tree.0.items, "another tree from\n{}", commented);
        let text = print(&first);
        let second = read(&text)?;
        prop_assert_eq!(&second.comments, &first.comments, "from\n{}\nprinted\n{}", commented, text);
        prop_assert!(second == first, "from\n{}\nprinted\n{}", commented, text);
        let again = print(&second);
        prop_assert!(again == text, "from\n{}\nfirst\n{}\nthen\n{}", commented, text, again);
    }

    #[test]
    fn an_expression_is_printed_in_one_line(expr in trees::expressions::Expressions::new().formula()) {
        prop_assert!(print_expr(&expr).chars().all(|character| !character.is_control()));
    }
}

/// Puts comments where there is a blank or the end of a line: before, behind and inside of things.
fn with_comments(text: &str, places: &[(prop::sample::Index, bool, bool)]) -> String {
    let mut blanks: Vec<usize> = text.match_indices([' ', '\n']).map(|(at, _)| at).collect();
    blanks.push(text.len());
    let mut places: Vec<_> = places
        .iter()
        .map(|(at, line, own)| (*at.get(&blanks), line, own))
        .collect();
    places.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
    let mut commented = text.to_string();
    for (number, (at, is_line, is_alone)) in places.into_iter().enumerate() {
        let start = if *is_alone { "\n" } else { " " };
        let comment = if *is_line {
            format!("// c{number}\n")
        } else {
            format!("/* c{number} */")
        };
        commented.insert_str(at, &format!("{start}{comment}"));
    }
    commented
}

#[test]
fn the_example_of_the_reference_is_printed_almost_as_it_is_written() {
    let reference = include_str!("../../../src/lang/README.md");
    let example = reference
        .split("```")
        .nth(1)
        .unwrap_or_default()
        .trim_start_matches("text");
    let (file, diagnostics) = parse(example);
    assert_eq!(diagnostics, []);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&print(&file)), words(example));
}

#[test]
fn models_are_printed_as_expected() {
    check("comments");
    check("everything");
}

#[test]
fn a_transition_is_printed_in_one_line_however_long_it_is() {
    let label = "Go(x, _), Stop() [x > 0 && x < 9] / { if (x > 1) { y = 1; } else if (x > 2) { y = 2; } \
                 for (i in 0..3) { y += i; } send self.Go(y, true); }";
    let text = format!("class A {{ S.T -> U.history : {label} int(0..9)[3] row; }}");
    let (file, diagnostics) = parse(&text);
    assert_eq!(diagnostics, []);
    let ItemKind::Class(class) = &file.items[0].kind else {
        panic!("{file:?}")
    };
    let [transition, variable] = class.body.as_slice() else {
        panic!("{file:?}")
    };
    if let ElementKind::Transition {
        source,
        target,
        label: read,
    } = &transition.kind
    {
        assert_eq!(print_label(read), label);
        let whole = format!("S.T -> U.history : {label}");
        assert_eq!(print_transition(source, target, read), whole);
    }
    if let ElementKind::Variable(variable) = &variable.kind {
        assert_eq!(print_type(&variable.ty), "int(0..9)[3]");
    }
}

/// Compares with what was printed before; `BLESS=1` writes it anew.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/printing");
    let text = fs::read_to_string(folder.join(format!("{name}.csm"))).expect("a model");
    let (file, diagnostics) = parse(&text);
    assert_eq!(diagnostics, []);
    let printed = print(&file);
    assert_eq!(parse(&printed).0, file);
    let expected = folder.join(format!("{name}.printed"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expected, &printed).expect("a folder that can be written");
    }
    assert_eq!(printed, fs::read_to_string(expected).unwrap_or_default());
    assert_eq!(print(&parse(&printed).0), printed);
}

/// The names of all kinds of nodes, as `Debug` writes them.
const KINDS: &[&str] = &[
    "Const {",
    "Enum {",
    "Signals(",
    "Global(",
    "Class(",
    "Object(",
    "Inbox(",
    "Thread {",
    "Semantics {",
    "Environment {",
    "Allow(",
    "Property(",
    "Abstraction(",
    "external: true",
    "Range(",
    "Wrap(",
    "Bool,",
    "Nat,",
    "Integer,",
    "Named(",
    "Array(",
    "Value(",
    "List(",
    "Variable(",
    "Initial {",
    "quiescent: true",
    "Region {",
    "kind: Choice",
    "kind: Junction",
    "kind: Fork",
    "kind: Join",
    "kind: Final",
    "Transition {",
    "Internal(",
    "Entry(",
    "Exit(",
    "Defer(",
    "Ignore(",
    "History {",
    "NoFlush",
    "Some(Shallow",
    "Some(Deep",
    "Signal {",
    "Any(",
    "Ignored(",
    "Condition(",
    "Else(",
    "Local {",
    "Assign {",
    "Send {",
    "Assert(",
    "If {",
    "For {",
    "Numbers(",
    "Elements(",
    "Int(",
    "Null",
    "SelfReference",
    "Name(",
    "Field(",
    "Element(",
    "Unary(",
    "Binary(",
    "Conditional(",
    "InState(",
    "ChooseRange(",
    "ChooseSet(",
    "Quantified {",
    "Queued(",
    "QueuedBefore(",
    "Enabled(",
    "Idle(",
    "Action {",
    "Forall",
    "Exists",
    "Count",
    "Not,",
    "Negate,",
    "Globally",
    "Finally",
    "Next",
    "Add",
    "Subtract",
    "Multiply",
    "Divide",
    "Remainder",
    "Equal",
    "NotEqual",
    "Less,",
    "LessEqual",
    "Greater,",
    "GreaterEqual",
    "And,",
    "Or,",
    "Implies",
    "Iff",
    "Until",
    "WeakUntil",
    "Release",
    "Always(",
    "Never(",
    "NeverFault {",
    "Ltl(",
    "Member(",
    "All(",
    "Everything",
    "Intervals(",
    "Values(",
    "Modulo(",
    "Timer(",
    "Sign,",
    "Parity",
    "Any,",
    "Exact",
    "Auto",
];

#[test]
fn every_kind_of_node_is_generated() {
    let mut runner = TestRunner::deterministic();
    let files = trees::items::file();
    let mut seen = String::new();
    for _ in 0..300 {
        if let Ok(tree) = files.new_tree(&mut runner) {
            seen += &format!("{:?}", tree.current());
        }
    }
    let missing: Vec<&&str> = KINDS.iter().filter(|kind| !seen.contains(**kind)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}
