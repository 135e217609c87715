//! Certificates of DVE programs: what is right is confirmed, and nothing else is.

use crisol::checker::{CheckUntil, DeadVariables, certify_dve, verify_dve};
use crisol::dve::system::DveSystem;
use crisol::dve::{DVE_PROPERTIES, Program, read};
use crisol::evidence::certificate::{
    Confirmed, ProofClaim, Rejection, States, Subject, Validated, ViolationClaim, Writer, validate,
};
use crisol::evidence::{StepRecord, Verdict};
use crisol::lang::SourceFile;
use crisol::search::{Bfs, StateSet, StopWhen};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::certificates::corrupted::{after_subject, around, inside};
use crate::certificates::made::{Scratch, budget};
use crate::certificates::refused::claim;

/// Two processes that meet, a queue, and a counter that comes round: everything that a state can hold.
const TEXT: &str = "byte x; channel c; channel q[2];
    process S { byte n; state a, b; init a;
        trans a -> b { sync c!n; effect n = (n + 1) % 5; }, b -> a { sync q!{n, 7}; }; }
    process R { byte m, t; state a, b; init a; assert a: m < 5, b: m < 5;
        trans a -> b { sync c?m; }, b -> a { sync q?{x, t}; }; }
    system async;";

/// The same with an assertion that fails.
fn wrong() -> String {
    TEXT.replace("a: m < 5", "a: m < 3")
}

fn program(text: &str) -> Program {
    read(text).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn certificate(text: &str) -> Vec<u8> {
    let program = program(text);
    let (extent, dead) = (CheckUntil::Decide, DeadVariables::Reset);
    let found = verify_dve(&program, &[0, 1, 2], extent, dead, &budget(2), &mut |_| {});
    let found = found.expect("no contradiction");
    let (file, subject) = (Scratch::new(), Subject::of_dve(text, &[]));
    certify_dve(&program, &subject, &found, &file.0, &budget(2), &mut |_| {}).expect("a file");
    file.bytes()
}

fn validated(text: &str, bytes: &[u8]) -> Result<Validated, Rejection> {
    let file = Scratch::new();
    std::fs::write(&file.0, bytes).expect("a file");
    validate(&SourceFile::new("test.dve", text), &file.0, 2, &|_, _| {})
}

/// A certificate that claims this of the states that can be reached, or of all but one.
fn claiming(text: &str, claim: &ProofClaim, leave_out: Option<u64>) -> Vec<u8> {
    let program = program(text);
    let system = DveSystem::new(&program);
    let file = Scratch::new();
    let mut writer = Writer::create(&file.0, &Subject::of_dve(text, &[])).expect("a file");
    let mut show = |reached: &StateSet<'_, '_, DveSystem<'_>>| {
        let states = States {
            contents: reached.values(),
            count: reached.states(),
            each: &|see| {
                let mut number = 0;
                reached.each(&mut |state| {
                    if leave_out != Some(number) {
                        see(state);
                    }
                    number += 1;
                });
            },
        };
        writer.proof(claim, &states).expect("a proof");
    };
    let everything = StopWhen::Everything;
    Bfs::default().explore_and_show(&system, &everything, &budget(1), &mut |_| {}, &mut show);
    writer.finish().expect("a certificate");
    file.bytes()
}

#[test]
fn what_holds_and_what_does_not_is_confirmed() {
    let right = validated(TEXT, &certificate(TEXT)).expect("it is right");
    let [
        Confirmed::Proof {
            claim,
            states,
            steps,
        },
    ] = &right.confirmed[..]
    else {
        panic!("{} sections", right.confirmed.len());
    };
    assert_eq!(claim.properties, DVE_PROPERTIES);
    assert!(
        *states > 10 && *steps >= *states as u64,
        "{states} states, {steps} steps"
    );
    let right = validated(&wrong(), &certificate(&wrong())).expect("it is right");
    let violated = right
        .confirmed
        .iter()
        .find_map(|confirmed| match confirmed {
            Confirmed::Violation { property, steps } => Some((property.as_str(), *steps)),
            Confirmed::Proof { .. } => None,
        });
    let program = program(&wrong());
    let (extent, dead) = (CheckUntil::Decide, DeadVariables::Keep);
    let found = verify_dve(&program, &[0], extent, dead, &budget(1), &mut |_| {});
    let Verdict::Violated(run) = &found.expect("no contradiction").results[0].verdict else {
        panic!("it is violated");
    };
    assert_eq!(violated, Some(("assertion_failure", run.steps.len() - 1)));
}

#[test]
fn it_is_about_one_text() {
    let bytes = certificate(TEXT);
    assert!(matches!(
        validated(&wrong(), &bytes),
        Err(Rejection::OtherModel(_))
    ));
    let file = Scratch::new();
    let mut subject = Subject::of_dve(TEXT, &[]);
    subject.language = Some("cobol".to_owned());
    Writer::create(&file.0, &subject)
        .expect("a file")
        .finish()
        .expect("a file");
    assert!(matches!(
        validated(TEXT, &file.bytes()),
        Err(Rejection::WrongModel(_))
    ));
    subject.language = None;
    Writer::create(&file.0, &subject)
        .expect("a file")
        .finish()
        .expect("a file");
    assert!(matches!(
        validated(TEXT, &file.bytes()),
        Err(Rejection::WrongModel(_))
    ));
}

#[test]
fn a_state_that_was_left_out_is_missed() {
    let all = claim(&DVE_PROPERTIES);
    let right = validated(TEXT, &claiming(TEXT, &all, None)).expect("the whole is right");
    let Some(Confirmed::Proof { states, .. }) = right.confirmed.first() else {
        panic!("there is a proof");
    };
    for missing in 0..*states as u64 {
        let bytes = claiming(TEXT, &all, Some(missing));
        assert!(
            validated(TEXT, &bytes).is_err(),
            "state {missing} is missing"
        );
    }
}

#[test]
fn what_is_violated_is_not_proved() {
    let false_claim = claiming(&wrong(), &claim(&["assertion_failure"]), None);
    let refused = validated(&wrong(), &false_claim)
        .err()
        .expect("it is false");
    assert!(matches!(refused, Rejection::Violates { .. }), "{refused}");
    assert!(validated(&wrong(), &claiming(&wrong(), &claim(&["deadlock"]), None)).is_ok());
    let failing =
        "byte x; process P { state a; init a; trans a -> a { effect x = 1 / x; }; } system async;";
    let refused = validated(
        failing,
        &claiming(failing, &claim(&["arithmetic_fault"]), None),
    );
    assert!(matches!(refused, Err(Rejection::Violates { .. })));
}

#[test]
fn what_dve_does_not_have_is_not_claimed() {
    let all = claim(&DVE_PROPERTIES);
    for terms in [
        ProofClaim {
            assumes_no_overflow: true,
            ..all.clone()
        },
        ProofClaim {
            up_to_bound: true,
            ..all.clone()
        },
        ProofClaim {
            precision: Some(String::new()),
            ..all.clone()
        },
    ] {
        let refused = validated(TEXT, &claiming(TEXT, &terms, None));
        assert!(matches!(refused, Err(Rejection::Malformed(_))), "{terms:?}");
    }
    let refused = validated(TEXT, &claiming(TEXT, &claim(&["overflow"]), None));
    assert!(matches!(refused, Err(Rejection::UnknownProperty(_))));
}

#[test]
fn a_run_that_was_changed_is_refused() {
    let step = |event: &str, object: &str, number: u32| StepRecord {
        event: event.to_owned(),
        object: Some(object.to_owned()),
        transitions: vec![number],
        ..StepRecord::default()
    };
    let start = StepRecord {
        event: "start".to_owned(),
        ..StepRecord::default()
    };
    let meet = StepRecord {
        event: "handshake".to_owned(),
        parts: vec![step("fire", "S", 0), step("fire", "R", 0)],
        ..StepRecord::default()
    };
    let (put, take) = (step("fire", "S", 1), step("fire", "R", 1));
    let round = [meet, put, take];
    let steps: Vec<StepRecord> = [start]
        .into_iter()
        .chain(round.iter().cycle().take(12).cloned())
        .collect();
    let text = wrong();
    let is_right = |steps: &[StepRecord], property: &str| {
        let file = Scratch::new();
        let mut writer = Writer::create(&file.0, &Subject::of_dve(&text, &[])).expect("a file");
        let (property, steps) = (property.to_owned(), steps.to_vec());
        writer
            .violation(&ViolationClaim { property, steps })
            .expect("a claim");
        writer.finish().expect("a certificate");
        validated(&text, &file.bytes()).is_ok()
    };
    assert!(is_right(&steps, "assertion_failure"));
    assert!(!is_right(&steps, "deadlock"));
    assert!(!is_right(&steps[..steps.len() - 1], "assertion_failure"));
    assert!(!is_right(&steps[1..], "assertion_failure"));
    for place in 0..steps.len() {
        let mut changed = steps.clone();
        changed.remove(place);
        assert!(!is_right(&changed, "assertion_failure"), "without {place}");
        let mut changed = steps.clone();
        changed[place].choices.push(0);
        assert!(
            !is_right(&changed, "assertion_failure"),
            "more than was done at {place}"
        );
        changed[place] = step("fire", "S", 9);
        assert!(
            !is_right(&changed, "assertion_failure"),
            "no transition at {place}"
        );
    }
}

#[test]
fn a_change_with_a_right_checksum_proves_nothing_that_is_not_true() {
    let text = wrong();
    let bytes = certificate(&text);
    let inside = inside(&bytes);
    let begin = after_subject(&inside);
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut accepted = 0;
    for _ in 0..200 {
        let mut changed = inside.clone();
        let place = begin + below(inside.len() - begin);
        match below(4) {
            0 => changed.truncate(place),
            1 => drop(changed.remove(place)),
            2 => changed.insert(place, below(256) as u8),
            _ => changed[place] ^= 1 << below(8),
        }
        let Ok(right) = validated(&text, &around(&bytes, &changed)) else {
            continue;
        };
        accepted += 1;
        for confirmed in &right.confirmed {
            let is_true = match confirmed {
                Confirmed::Violation { property, .. } => property == "assertion_failure",
                Confirmed::Proof { claim, .. } => {
                    !claim.properties.contains(&"assertion_failure".to_owned())
                }
            };
            assert!(is_true, "byte {place} was changed");
        }
    }
    assert!(accepted < 20, "{accepted} of 200 were accepted");
}
