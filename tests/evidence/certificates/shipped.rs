//! Certificates of shipped models are right, small, and always the same.

use crisol::evidence::certificate::Confirmed;

use crate::certificates::made::{Made, concrete, refined, refined_text};

fn confirmed(made: &Made) -> usize {
    let validated = match made.validate(&made.bytes) {
        Ok(validated) => validated,
        Err(rejection) => panic!("{}: {rejection}", made.source.name()),
    };
    assert!(made.agrees(&validated));
    let said = |confirmed: &Confirmed| match confirmed {
        Confirmed::Violation { .. } => 1,
        Confirmed::Proof { claim, .. } => claim.properties.len(),
    };
    validated.confirmed.iter().map(said).sum()
}

#[test]
fn what_was_decided_is_confirmed() {
    let models: &[(&str, &[(&str, &str)])] = &[
        ("pump/pump.csm", &[]),
        ("pump/impatient.csm", &[]),
        ("two_phase_commit/two_phase_commit.csm", &[]),
        (
            "two_phase_commit/two_phase_commit_impatient.csm",
            &[("N", "2")],
        ),
        ("leader_election/leader_election.csm", &[]),
        ("philosophers/messages.csm", &[("N", "3")]),
    ];
    for (path, define) in models {
        let made = concrete(path, define, 2);
        assert_eq!(confirmed(&made), made.findings.results.len(), "{path}");
    }
}

#[test]
fn what_was_decided_by_refinement_is_confirmed() {
    for (path, open) in [
        ("orders/shop.csm", 0),
        ("orders/shop_late_payment.csm", 0),
        ("orders/transfers.csm", 1), // that no balance leaves 64 bits hangs on their sum
        ("ojala/example.csm", 0),
    ] {
        let made = refined(path, &[], 2);
        let all = made.findings.results.len();
        assert_eq!(confirmed(&made), all - open, "{path}");
    }
}

#[test]
fn a_precision_may_name_the_ends_of_64_bits() {
    let made = refined_text(
        "class K {
           integer x;
           initial -> A;
           quiescent state A;
           A -> A : [x < 5] / { x += 1; }
         }
         object k: K;
         abstraction {
           K.x : intervals(..-9223372036854775808, -9223372036854775807..9223372036854775806, 9223372036854775807..);
         }",
    );
    assert_eq!(confirmed(&made), made.findings.results.len());
}

#[test]
fn a_certificate_does_not_depend_on_threads() {
    let path = "two_phase_commit/two_phase_commit.csm";
    let one = concrete(path, &[], 1).bytes;
    for threads in [2, 4] {
        assert!(
            concrete(path, &[], threads).bytes == one,
            "{threads} threads"
        );
    }
}

#[test]
fn a_state_takes_less_than_four_bytes() {
    let made = concrete("two_phase_commit/two_phase_commit.csm", &[("N", "4")], 2);
    let validated = made.validate(&made.bytes).expect("it is right");
    let states = validated.confirmed.iter().map(|confirmed| match confirmed {
        Confirmed::Proof { states, .. } => *states,
        Confirmed::Violation { .. } => 0,
    });
    let states: usize = states.sum();
    assert!(states > 20_000, "{states}");
    let bytes = made.bytes.len();
    assert!(bytes < 4 * states, "{bytes} bytes for {states} states");
}
