//! A thousand certificates that somebody has spoiled: none is accepted that should not be.
//!
//! Bytes are changed with the checksum as it was, and with a right one; states are left out; steps of
//! runs are changed. What is accepted all the same must be true.

use crisol::csm::{Event, Semantics, Successor};
use crisol::evidence::StepRecord;
use crisol::evidence::certificate::{Confirmed, ViolationClaim, Writer};
use crisol::lang::Model;
use crisol::system::Target;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::certificates::made::{Made, Scratch, concrete, refined};
use crate::certificates::refused::{claim, claiming};

const MAGIC: usize = 8;
const CHECKSUM: usize = 32;

/// Random numbers that are the same in every run.
struct Chooser(ChaCha8Rng);

impl Chooser {
    fn new(seed: u64) -> Chooser {
        Chooser(ChaCha8Rng::seed_from_u64(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }
}

fn subjects() -> Vec<Made> {
    vec![
        concrete("pump/impatient.csm", &[], 1),
        concrete(
            "two_phase_commit/two_phase_commit_impatient.csm",
            &[("N", "2")],
            1,
        ),
        refined("orders/shop_late_payment.csm", &[], 1),
        refined("orders/shop.csm", &[], 1),
    ]
}

#[test]
fn a_byte_that_was_changed_is_found() {
    for (seed, made) in subjects().iter().enumerate() {
        let mut chooser = Chooser::new(seed as u64);
        for _ in 0..100 {
            let mut bytes = made.bytes.clone();
            let place = chooser.below(bytes.len());
            bytes[place] ^= 1 << chooser.below(8);
            assert!(made.validate(&bytes).is_err(), "byte {place} was changed");
        }
    }
}

/// What stands inside of a certificate.
pub fn inside(bytes: &[u8]) -> Vec<u8> {
    let compressed = &bytes[MAGIC..bytes.len() - CHECKSUM];
    zstd::decode_all(compressed).expect("it is compressed")
}

/// A certificate with this inside, and the right checksum.
pub fn around(bytes: &[u8], inside: &[u8]) -> Vec<u8> {
    let mut whole = bytes[..MAGIC].to_vec();
    whole.extend(zstd::encode_all(inside, 1).expect("it can be compressed"));
    let sum = Sha256::digest(&whole);
    whole.extend_from_slice(&sum);
    whole
}

/// Where the sections begin: what comes before says which model it is about, and that is not a claim.
pub fn after_subject(inside: &[u8]) -> usize {
    let end = inside.windows(2).position(|pair| pair == b"\"}");
    end.expect("the subject ends") + 2
}

#[test]
fn a_change_with_a_right_checksum_proves_nothing_that_is_not_true() {
    let mut accepted = 0;
    for (seed, made) in subjects().iter().enumerate() {
        let mut chooser = Chooser::new(100 + seed as u64);
        let inside = inside(&made.bytes);
        let begin = after_subject(&inside);
        for _ in 0..100 {
            let mut changed = inside.clone();
            let place = begin + chooser.below(inside.len() - begin);
            match chooser.below(4) {
                0 => changed.truncate(place),
                1 => drop(changed.remove(place)),
                2 => changed.insert(place, chooser.below(256) as u8),
                _ => changed[place] ^= 1 << chooser.below(8),
            }
            if let Ok(validated) = made.validate(&around(&made.bytes, &changed)) {
                assert!(made.agrees(&validated), "byte {place} was changed");
                accepted += 1;
            }
        }
    }
    // A run may be changed to another that is real; a set of states can hardly be.
    assert!(accepted < 40, "{accepted} of 400 were accepted");
}

#[test]
fn a_state_that_was_left_out_is_missed() {
    let made = concrete(
        "two_phase_commit/two_phase_commit_impatient.csm",
        &[("N", "2")],
        1,
    );
    let held = made.findings.results.iter();
    let held = held.filter(|result| result.verdict.trace().is_none());
    let names: Vec<&str> = held
        .map(|result| made.model.properties[result.property].name.as_str())
        .collect();
    let claim = claim(&names);
    let whole = claiming(&made.source, &made.subject, &claim, None);
    let validated = made.validate(&whole).expect("the whole is right");
    let Some(Confirmed::Proof { states, .. }) = validated.confirmed.first() else {
        panic!("there is a proof");
    };
    let mut chooser = Chooser::new(1000);
    for _ in 0..150 {
        let missing = chooser.below(*states) as u64;
        let bytes = claiming(&made.source, &made.subject, &claim, Some(missing));
        assert!(made.validate(&bytes).is_err(), "state {missing} is missing");
    }
}

/// Whether steps are a run that violates a property, by looking through all successors.
fn is_violation(model: &Model, steps: &[StepRecord], property: usize) -> bool {
    let semantics = Semantics::exact(model);
    let mut possible = semantics.initial();
    let mut at = None;
    for (index, record) in steps.iter().enumerate() {
        let is_it = |made: &&Successor| StepRecord::of(model, &made.step) == *record;
        let Some(made) = possible.iter().find(is_it).cloned() else {
            return false;
        };
        let blamed = made.fault.as_ref().map(|fault| semantics.blamed(fault));
        let is_last = index + 1 == steps.len();
        if is_last && blamed.is_some_and(|blamed| blamed.contains(&property)) {
            return true;
        }
        assert!((made.step.event == Event::Start) == (index == 0));
        let Target::State(after) = made.result else {
            return false;
        };
        possible = semantics.successors(&after);
        at = Some(after);
    }
    let Some(at) = at else { return false };
    let verdicts = semantics.judge(&at, &possible);
    verdicts
        .faults
        .iter()
        .any(|fault| fault.property == property)
}

fn change(chooser: &mut Chooser, claim: &mut ViolationClaim, model: &Model) {
    let place = chooser.below(claim.steps.len());
    let other = chooser.below(claim.steps.len());
    let objects: Vec<String> = model.objects.iter().map(|o| o.name.clone()).collect();
    match chooser.below(7) {
        0 => drop(claim.steps.remove(place)),
        1 => claim.steps.swap(place, other),
        2 => claim.steps[place].choices.push(chooser.below(3) as u32),
        3 => claim.steps[place].object = Some(objects[chooser.below(objects.len())].clone()),
        4 => claim.steps[place].transitions = vec![chooser.below(9) as u32],
        5 => claim.steps[place].message = claim.steps[other].message.clone(),
        _ => {
            claim.property = model.properties[chooser.below(model.properties.len())]
                .name
                .clone()
        }
    }
}

#[test]
fn a_run_that_was_changed_is_one_or_is_refused() {
    let made = concrete("pump/impatient.csm", &[], 1);
    let model = &made.model;
    let mut chooser = Chooser::new(2000);
    let mut rejected = 0;
    for number in 0..100 {
        let violated = made.findings.results.iter();
        let violated: Vec<_> = violated.filter(|j| j.verdict.trace().is_some()).collect();
        let result = violated[number % violated.len()];
        let trace = result.verdict.trace().expect("a trace");
        let steps = trace.steps.iter();
        let mut claim = ViolationClaim {
            property: model.properties[result.property].name.clone(),
            steps: steps
                .map(|made| StepRecord::of(model, &made.step))
                .collect(),
        };
        change(&mut chooser, &mut claim, model);
        let file = Scratch::new();
        let mut writer = Writer::create(&file.0, &made.subject).expect("a file");
        writer.violation(&claim).expect("a claim");
        writer.finish().expect("a certificate");
        let mut properties = model.properties.iter();
        let property = properties.position(|property| property.name == claim.property);
        let is_one = is_violation(model, &claim.steps, property.expect("a property"));
        let is_accepted = made.validate(&file.bytes()).is_ok();
        assert_eq!(is_accepted, is_one, "{claim:#?}");
        rejected += usize::from(!is_accepted);
    }
    assert!(rejected > 60, "only {rejected} were rejected");
}
