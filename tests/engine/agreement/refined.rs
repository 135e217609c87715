//! Abstraction and refinement come to the verdicts of the concrete model, whatever was told apart at
//! first.

use std::time::Duration;

use crisol::abstraction::cegar::{Options, Policy, RefinementResult, Relevance};
use crisol::abstraction::{Place, Precision};
use crisol::checker::verify_by_refinement;
use crisol::evidence::{CheckResult, Verdict};
use crisol::lang::{AbstractionEntry, Domain, Model, Subject as Declared};
use crisol::search::Budget;

use crate::agreement::compare::{Found, whole_space};
use crate::agreement::random::Random;
use crate::agreement::subject::Subject;

/// Enough for any model whose values are few.
const ROUNDS: u64 = 500;

pub fn refines(model: &Model) -> Result<(), String> {
    let Some(everything) = whole_space(model) else {
        return Ok(());
    };
    let expected = Found::from(&everything).violated;
    for policy in [Policy::Boundary, Policy::Values, Policy::Exact] {
        refines_by(policy, model, |property| expected.contains_key(&property))
            .map_err(|why| format!("by {policy:?}, {why}"))?;
    }
    Ok(())
}

/// A check by refinement from some precision on.
pub fn refined(model: &Model) -> Result<(CheckResult, RefinementResult), String> {
    refined_by(Policy::Boundary, model)
}

fn refined_by(policy: Policy, model: &Model) -> Result<(CheckResult, RefinementResult), String> {
    let properties: Vec<usize> = model
        .properties()
        .iter()
        .map(|property| property.0)
        .collect();
    let options = Options {
        policy,
        relevance: Relevance::Differing,
        max_rounds: Some(ROUNDS),
        keep_rounds: 1,
        first_only: false,
        sees_overflow: true,
    };
    let budget = Budget {
        max_time: Some(Duration::from_secs(60)),
        threads: Some(1),
        ..Budget::default()
    };
    let first = some_precision(model);
    verify_by_refinement(
        model,
        &properties,
        first,
        &options,
        &budget,
        &mut |_| {},
        &mut |_| {},
    )
    .map_err(|contradiction| contradiction.0)
}

fn refines_by(
    policy: Policy,
    model: &Model,
    is_violated: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let (findings, _) = refined_by(policy, model)?;
    for result in &findings.results {
        let name = &model.properties[result.property].name;
        let expected = is_violated(result.property);
        match (&result.verdict, expected) {
            (Verdict::Violated(_), true) | (Verdict::Holds { .. }, false) => {}
            (Verdict::Unknown(why), _) => {
                return Err(format!("{name} is unknown: {why}"));
            }
            (verdict, _) => {
                let truth = if expected { "is violated" } else { "holds" };
                return Err(format!(
                    "{name} {truth}, but the verdict is {}",
                    verdict.name()
                ));
            }
        }
    }
    Ok(())
}

/// A precision that depends on names alone, so that a smaller model has the same.
fn some_precision(model: &Model) -> Precision {
    let entries = Place::all(model).into_iter().map(|place| {
        let name = place.name(model);
        let seed = name
            .bytes()
            .fold(7u64, |seed, byte| seed * 31 + u64::from(byte));
        let subject = match place {
            Place::Global(variable) => Declared::Global(variable),
            Place::Field(class, variable) => Declared::Field(class, variable),
            Place::Parameter(signal, index) => Declared::Parameter(signal, index as usize),
        };
        AbstractionEntry {
            subject,
            domain: some_domain(&mut Random::new(seed)),
            span: Default::default(),
        }
    });
    Precision::from_entries(model, &entries.collect::<Vec<_>>())
}

fn some_domain(random: &mut Random) -> Domain {
    match random.below(10) {
        0 | 1 => Domain::Any,
        2 => Domain::Sign,
        3 => Domain::Parity,
        4 => Domain::Modulo(random.between(2, 4)),
        5 => Domain::Range(0, random.between(0, 3)),
        6 => Domain::Timer(random.between(0, 3)),
        7 => Domain::Values(vec![random.between(-2, 4)]),
        8 => Domain::Auto,
        _ => Domain::Exact,
    }
}
