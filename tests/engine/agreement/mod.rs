//! The engine agrees with the reference on random small models of both languages: on the counts, the
//! verdicts, the lengths of the traces, with any number of threads; and each of its traces is a run
//! of the model. What else does not change what a model does is tested with the same models.
//!
//! Models are known by their seeds. Every run of the tests has the same ones, with small spaces:
//!
//! ```text
//! cargo test --test engine agreement                                       300 models
//! CRISOL_AGREEMENT=100000 cargo test --release --test engine agreement     as many as are wanted, larger ones
//! CRISOL_SEED=1653 cargo test --test engine agreement                      one of them again
//! CRISOL_SEED=100000 CRISOL_AGREEMENT=1000 cargo test ...                  others than the first ones
//! ```
//!
//! A model that fails is made as small as it can be, and printed with its seed.

mod census;
mod certified;
mod compare;
mod engine;
mod models;
mod programs;
mod random;
mod refined;
mod seeds;
mod shrink;
mod subject;
mod transformed;
mod warnings;

use std::collections::BTreeSet;

use crisol::dve::Program;
use crisol::lang::Model;

use census::{Census, HAPPENING, JUDGED, WRITTEN, WRITTEN_DVE};
use compare::{Found, agree, resets, whole_space};
use random::Random;
pub use seeds::for_each;
use seeds::text_of;
use shrink::shrink;
use subject::Subject;
use transformed::{flattens, prints, taken_apart};

/// Models and programs in every run of the tests.
const MODELS: u64 = 300;
const PROGRAMS: u64 = 100;
const REFINED: u64 = 100;
const CERTIFIED: u64 = 100;

#[test]
fn the_engine_agrees_with_the_reference() {
    for_each::<Model>(MODELS, |model, _| agree(model));
}

#[test]
fn the_engine_agrees_with_the_reference_on_dve_programs() {
    for_each::<Program>(PROGRAMS, |program, _| agree(program));
}

#[test]
fn resetting_dead_variables_changes_no_verdict() {
    for_each::<Model>(MODELS, |model, _| resets(model));
    for_each::<Program>(PROGRAMS, |program, _| resets(program));
}

#[test]
fn refinement_comes_to_the_verdicts_of_the_concrete_model() {
    for_each::<Model>(REFINED, |model, _| refined::refines(model));
}

#[test]
fn certificates_are_right() {
    for_each::<Model>(CERTIFIED, certified::are_right);
    for_each::<Program>(CERTIFIED, certified::program_is_right);
}

#[test]
fn a_printed_model_does_the_same() {
    for_each::<Model>(MODELS, prints);
}

#[test]
fn a_flat_model_does_the_same() {
    for_each::<Model>(MODELS, flattens);
}

#[test]
fn atomic_steps_hide_no_violation() {
    for_each::<Model>(MODELS, taken_apart);
}

#[test]
fn warnings_are_true() {
    for_each::<Model>(MODELS, |model, _| warnings::are_true(model));
}

fn missing(all: &[&'static str], seen: &BTreeSet<&str>) -> Vec<&'static str> {
    let missing = all.iter().filter(|what| !seen.contains(**what));
    missing.copied().collect()
}

#[test]
fn everything_occurs_in_random_models() {
    let mut census = Census::default();
    for seed in 0..MODELS {
        let text = text_of::<Model>(seed);
        let model = Model::read(&text).expect("a model");
        census.count(&model, &text, 500);
    }
    assert_eq!(
        missing(WRITTEN, &census.written),
        [""; 0],
        "are not written"
    );
    assert_eq!(
        missing(HAPPENING, &census.happening),
        [""; 0],
        "do not happen"
    );
    assert_eq!(missing(JUDGED, &census.violated), [""; 0], "always hold");
    assert_eq!(missing(JUDGED, &census.holding), [""; 0], "never hold");
    let worthwhile = census.worthwhile;
    assert!(
        worthwhile > MODELS * 6 / 10,
        "{worthwhile} have more than ten states"
    );
}

#[test]
fn everything_occurs_in_random_programs() {
    let (mut written, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..PROGRAMS {
        let text = text_of::<Program>(seed);
        written.extend(WRITTEN_DVE.iter().filter(|word| text.contains(**word)));
        let program = Program::read(&text).expect("a program");
        if let Some(space) = whole_space(&program) {
            let violated = Found::from(&space).violated;
            let properties = program.properties().into_iter();
            outcomes.extend(properties.map(|p| (p, violated.contains_key(&p.0))));
        }
    }
    assert_eq!(missing(WRITTEN_DVE, &written), [""; 0], "are not written");
    assert_eq!(
        outcomes.len(),
        6,
        "each is violated, and holds: {outcomes:?}"
    );
}

/// What is drawn again and again takes time.
#[test]
fn nearly_all_random_models_are_accepted() {
    let rejected = |seed: &u64| Model::read(&Model::draw(&mut Random::new(*seed))).is_none();
    let rejected: Vec<u64> = (0..MODELS).filter(rejected).collect();
    assert!(rejected.len() < 10, "rejected: {rejected:?}");
    let rejected = |seed: &u64| Program::read(&Program::draw(&mut Random::new(*seed))).is_none();
    let rejected: Vec<u64> = (0..PROGRAMS).filter(rejected).collect();
    assert!(rejected.len() < 5, "rejected: {rejected:?}");
}

/// Here it fails where something is chosen that is sent to another object.
#[test]
fn what_fails_is_shrunk_to_what_makes_it_fail() {
    let text = "
        signal Order(int(0..9) seats, bool urgent), Done;
        external signal Tick(int(0..3) amount);
        int(0..7) total = 3;
        class Client {
          Server server;
          initial -> Idle / { total = 2; }
          quiescent state Idle { defer Done; }
          state Busy {
            initial -> Early;
            state Early, Late;
            entry / { assert total > 0; }
            Early -> Late : Tick(n) [n > 2 && total < 5] / {
              if (total > n) { total--; send server.Order(choose(n..7), !(total == 3)); } else { total = 1; }
            }
          }
          Idle -> Busy : Tick;
          Busy -> Idle : Done;
        }
        class Server { initial -> On; state On { ignore Order; } }
        object clients[3]: Client { server = server; }
        object server: Server;
        inbox * capacity 2 on_full lose;
        property early : never clients[1] in Early && total == 4;
    ";
    let fails = |text: &str| {
        let sends_a_choice = text.contains("send server . Order ( choose");
        sends_a_choice && Model::read(text).is_some()
    };
    let small = shrink(text, fails);
    let expected = "\
signal Order(int seats, bool urgent);

class Client {
  Server server;

  initial -> Early;
  state Early, Late;

  Early -> Late / { send server.Order(choose(0..0), true); }
}

class Server {
  initial -> On;
  state On {}
}

object clients: Client;
";
    assert_eq!(Model::tidy(&small), expected);
}
