//! Claims that no set of states can prove, or that are about something else.

use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::evidence::certificate::{ProofClaim, Rejection, States, Subject, Writer};
use crisol::lang::SourceFile;
use crisol::search::{Bfs, Completion, StopWhen};

use crate::certificates::made::{Made, Scratch, budget, concrete, read};

/// A certificate that claims this of all states of a model.
pub fn claiming(
    source: &SourceFile,
    subject: &Subject,
    claim: &ProofClaim,
    leave_out: Option<u64>,
) -> Vec<u8> {
    let model = read(source, &subject.definitions);
    let semantics = Semantics::exact(&model);
    let system = CsmSystem::new(&semantics);
    let file = Scratch::new();
    let mut writer = Writer::create(&file.0, subject).expect("a file");
    let nothing = StopWhen::Everything;
    let mut show = |reached: &crisol::search::StateSet<'_, '_, CsmSystem<'_, '_, _>>| {
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
    let explored =
        Bfs::default().explore_and_show(&system, &nothing, &budget(1), &mut |_| {}, &mut show);
    assert_eq!(explored.exploration.end, Completion::Complete);
    writer.finish().expect("a certificate");
    file.bytes()
}

pub fn claim(properties: &[&str]) -> ProofClaim {
    ProofClaim {
        properties: properties.iter().map(|name| name.to_string()).collect(),
        precision: None,
        assumes_no_overflow: false,
        up_to_bound: false,
    }
}

/// A model of a text, with no verdicts.
fn of_text(text: &str) -> Made {
    let mut made = concrete("pump/pump.csm", &[], 1);
    made.source = SourceFile::new("test.csm", text);
    made.model = read(&made.source, &Vec::new());
    made.subject = Subject::new(text, &Vec::new(), &made.model);
    made
}

const COUNTER: &str = "
class Counter {
  int(0..5) n;
  initial -> Count;
  quiescent state Count;
  Count -> Count : [n < 5] / { n += 1; }
}
object counter: Counter;
property small : always counter.n <= 5;
property too_small : always counter.n <= 4;
";

#[test]
fn a_claim_that_is_true_is_confirmed() {
    let made = of_text(COUNTER);
    let bytes = claiming(&made.source, &made.subject, &claim(&["small"]), None);
    assert!(made.validate(&bytes).is_ok());
}

#[test]
fn a_property_that_a_state_violates_is_not_proved() {
    let made = of_text(COUNTER);
    let bytes = claiming(&made.source, &made.subject, &claim(&["too_small"]), None);
    let rejected = made.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::Violates { .. }), "{rejected}");
}

#[test]
fn a_property_that_the_model_does_not_have_is_not_proved() {
    let made = of_text(COUNTER);
    let bytes = claiming(&made.source, &made.subject, &claim(&["large"]), None);
    let rejected = made.validate(&bytes).err().expect("it is not right");
    assert!(
        matches!(rejected, Rejection::UnknownProperty(_)),
        "{rejected}"
    );
}

#[test]
fn numbers_that_leave_their_types_are_not_proved_away_by_not_looking() {
    let made = of_text(COUNTER);
    let unseen = ProofClaim {
        assumes_no_overflow: true,
        ..claim(&["arithmetic_fault"])
    };
    let bytes = claiming(&made.source, &made.subject, &unseen, None);
    let rejected = made.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::NotProvable(_)), "{rejected}");
}

#[test]
fn a_bound_that_is_not_told_is_found() {
    let text = "
signal Tick;
class Clock {
  Clock other;
  initial -> Run;
  quiescent state Run { ignore Tick; }
  Run -> Run / { send other.Tick; }
}
object one: Clock { other = two; }
object two: Clock { other = one; }
inbox * capacity 2 on_full cut;
";
    let made = of_text(text);
    let bytes = claiming(&made.source, &made.subject, &claim(&["deadlock"]), None);
    let rejected = made.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::HiddenBound), "{rejected}");
    let told = ProofClaim {
        up_to_bound: true,
        ..claim(&["deadlock"])
    };
    let bytes = claiming(&made.source, &made.subject, &told, None);
    assert!(made.validate(&bytes).is_ok());
}

/// Forty coins in one step have more outcomes than anybody looks at; two coins lead to the same states.
#[test]
fn a_step_that_is_too_large_to_look_at_proves_nothing() {
    let coins = |count: u32| {
        let text = format!(
            "
class Gambler {{
  int(0..2) coin;
  initial -> Toss;
  quiescent state Toss;
  Toss -> Toss / {{ for (i in 1..{count}) {{ coin = choose(0..1); }} }}
}}
object gambler: Gambler;
property small : always gambler.coin <= 1;
"
        );
        of_text(&text)
    };
    let (few, many) = (coins(2), coins(40));
    let bytes = claiming(&few.source, &few.subject, &claim(&["small"]), None);
    assert!(few.validate(&bytes).is_ok());
    let bytes = claiming(&few.source, &many.subject, &claim(&["small"]), None);
    let rejected = many.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::Unseen(_)), "{rejected}");
}

#[test]
fn a_temporal_property_is_not_proved_by_states() {
    let text = COUNTER.to_owned() + "property grows : ltl F (counter.n == 5);\n";
    let made = of_text(&text);
    let bytes = claiming(&made.source, &made.subject, &claim(&["grows"]), None);
    let rejected = made.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::NotProvable(_)), "{rejected}");
}

#[test]
fn another_model_is_refused_even_if_only_a_number_differs() {
    let made = of_text(COUNTER);
    let bytes = claiming(&made.source, &made.subject, &claim(&["small"]), None);
    let other = of_text(&COUNTER.replace("0..5", "0..6"));
    let rejected = other.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::OtherModel(_)), "{rejected}");
}

#[test]
fn the_checksum_of_another_model_does_not_make_a_proof_its_own() {
    let made = of_text(COUNTER);
    let other = of_text(&COUNTER.replace("n < 5", "n < 5 || n == 5"));
    let bytes = claiming(
        &made.source,
        &other.subject,
        &claim(&["arithmetic_fault"]),
        None,
    );
    let rejected = other.validate(&bytes).err().expect("it is not right");
    assert!(matches!(rejected, Rejection::Violates { .. }), "{rejected}");
}

#[test]
fn a_certificate_of_nothing_is_no_certificate() {
    let made = of_text(COUNTER);
    for bytes in [&b""[..], b"CRISOLC\x01", &[0; 100]] {
        let rejected = made.validate(bytes).err().expect("it is not right");
        assert!(matches!(rejected, Rejection::NotACertificate), "{rejected}");
    }
}
