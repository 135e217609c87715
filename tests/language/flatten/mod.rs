//! Flat machines do what the hierarchical ones that they come from do.

mod cases;
mod compare;
mod refusals;

use std::path::{Path, PathBuf};

use compare::{Found, checked, explore, flat_text, typed};
use crisol::lang::{Model, flatten, parse, print};

fn shipped(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("models")
        .join(path);
    std::fs::read_to_string(path).expect("a model")
}

/// States and transitions summed over all objects, as Meller counts them.
fn size(model: &Model) -> (usize, usize) {
    let machines = model.object_ids().map(|object| model.machine_of(object));
    machines.fold((0, 0), |(states, transitions), machine| {
        (
            states + machine.states.len(),
            transitions + machine.transitions.len(),
        )
    })
}

/// Meller, section 4.5.2: 26 states and 36 transitions become 24 and 54, with one more variable in
/// each data base.
#[test]
fn ticket_ordering_has_the_size_that_meller_gives() {
    let text = shipped("ticket_ordering/ticket_ordering.csm");
    let (before, after) = (typed(&text, &[]), typed(&flat_text(&text), &[]));
    assert_eq!(size(&before), (26, 36));
    assert_eq!(size(&after), (24, 54));
    let variables = |model: &Model, name: &str| {
        let class = model.classes.iter().find(|class| class.name == name);
        class.map(|class| class.variables.len())
    };
    assert_eq!(variables(&before, "Db"), Some(4));
    assert_eq!(variables(&after, "Db"), Some(5));
    assert_eq!(variables(&before, "Agent"), variables(&after, "Agent"));
}

/// The variable for history is set back whenever its region is entered: not a state more.
#[test]
fn ticket_ordering_has_the_same_states_verdicts_and_traces() {
    let text = shipped("ticket_ordering/ticket_ordering.csm");
    let flat = flat_text(&text);
    for define in [
        &["ACCOUNT=0", "SPACE=1"][..],
        &["SPACE=1"],
        &["ACCOUNT=1"],
        &["OWN1=false"],
    ] {
        let before = explore(&typed(&text, define), None);
        assert_eq!(before, explore(&typed(&flat, define), None), "{define:?}");
    }
    let expected = explore(&typed(&text, &["ACCOUNT=0", "SPACE=1"]), None);
    assert_eq!((expected.states, expected.transitions), (6129, 8440));
}

/// Were it not set back, the variable would keep in an active region the state in which that was
/// left before, and tell apart what has the same future.
#[test]
fn a_history_that_is_not_set_back_only_adds_states() {
    let flat = flat_text(
        "external signal A, B;
        class C {
          initial -> S;
          state S { history; initial -> I; state I, J; I -> J : A; J -> I : A; }
          state T;
          S -> T : B;
          T -> S : B;
        }
        object c: C;
        allow implicit_consumption;
        property out : never c in T;",
    );
    let stale = flat.replace(" / { S_history = S_I; }\n}", ";\n}");
    assert_ne!(stale, flat);
    let (exact, stale) = (
        explore(&typed(&flat, &[]), None),
        explore(&typed(&stale, &[]), None),
    );
    assert_eq!((exact.states, stale.states), (4, 6));
    assert_eq!(stale.properties, exact.properties);
}

/// Here that would make no difference: a data base is left in another state than `Idle` only when
/// both ask for the flight, and is then known by owning it together with the other.
#[test]
fn the_history_of_ticket_ordering_follows_from_the_rest() {
    let flat = flat_text(&shipped("ticket_ordering/ticket_ordering.csm"));
    let reset = "send itsDb.evGrantOwnership;\n    Main_history = Main_Idle;";
    let stale = flat.replace(reset, "send itsDb.evGrantOwnership;");
    assert_ne!(stale, flat);
    for define in [&["ACCOUNT=0", "SPACE=1"][..], &["OWN1=false", "SPACE=1"]] {
        let exact = explore(&typed(&flat, define), None);
        assert_eq!(exact, explore(&typed(&stale, define), None));
    }
}

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let families = std::fs::read_dir(root).expect("models/").flatten();
    let files = families.filter_map(|family| std::fs::read_dir(family.path()).ok());
    let paths = files.flatten().flatten().map(|entry| entry.path());
    let mut models: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "csm"))
        .collect();
    models.sort();
    models
}

/// States up to which models are explored here.
const FEW: u64 = 20_000;

#[test]
fn every_model_is_flattened_to_an_equal_one_or_refused() {
    let (mut equal, mut refused) = (0, Vec::new());
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a model");
        let name = path.file_stem().map(|name| name.to_string_lossy());
        let Ok(flat) = flatten(&parse(&text).0) else {
            refused.extend(name.map(|name| name.into_owned()));
            continue;
        };
        let flat = print(&flat);
        if flat != text {
            let limit = Some(FEW);
            let before: Found = explore(&typed(&text, &[]), limit);
            if !before.complete {
                continue;
            }
            assert_eq!(before, explore(&typed(&flat, &[]), limit), "{name:?}");
        }
        equal += 1;
    }
    let parallel = ["dishwasher", "dishwasher_open_door", "figure_2_1"];
    assert_eq!(refused, parallel);
    assert!(equal > 40, "only {equal} models");
}

#[test]
fn a_flat_model_stays_as_it_is() {
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a model");
        let (file, _) = parse(&text);
        let is_flat = |model: &Model| model.classes.iter().all(|c| c.machine.regions.len() == 1);
        if is_flat(&typed(&text, &[])) {
            let flat = flatten(&file).expect("a flat model");
            assert_eq!(flat, file, "{}", path.display());
            assert_eq!(print(&flat), print(&file));
        }
    }
}

/// What is flat already is not flattened again.
#[test]
fn flattening_twice_is_flattening_once() {
    let once = flat_text(&shipped("ticket_ordering/ticket_ordering.csm"));
    assert_eq!(flat_text(&once), once);
    assert!(checked(&once, &[]).is_ok());
}

#[test]
fn the_command_says_what_it_refuses_and_fails() {
    let run = |model: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("models")
            .join(model);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crisol"));
        command.arg("flatten").arg(path).output().expect("crisol")
    };
    let refused = run("dishwasher/dishwasher.csm");
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("state `Working` has several regions"),
        "{said}"
    );
    let flat = run("ticket_ordering/ticket_ordering.csm");
    assert_eq!(flat.status.code(), Some(0));
    let expected = flat_text(&shipped("ticket_ordering/ticket_ordering.csm"));
    assert_eq!(String::from_utf8_lossy(&flat.stdout), expected);
}
