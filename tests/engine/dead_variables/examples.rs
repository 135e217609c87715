//! What the examples share: which variables are dead where, and how many states that saves.

use crisol::csm::Semantics;
use crisol::csm::dead_variables::DeadVariables;
use crisol::csm::system::CsmSystem;
use crisol::lang::{Model, ObjectId, Variable};
use crisol::search::{Bfs, Budget, StopWhen, Width};

use crate::common;
use crate::dead_variables::compare::compare_model;

/// Where an object is, `a in S and T`, and the variables that are dead there, `x y[0]`.
pub type Dead<'t> = (&'t str, &'t str);

/// The model has so many states; so many with dead variables reset; and these variables are dead.
#[track_caller]
pub fn example(text: &str, states: (u64, u64), dead: &[Dead]) {
    let model = common::model(text);
    for (place, expected) in dead {
        let (object, active) = place.split_once(" in ").expect("an object in states");
        let object = common::object(&model, object);
        let active: Vec<&str> = active.split(" and ").collect();
        assert_eq!(
            dead_in(&model, object, &active).join(" "),
            *expected,
            "{place}"
        );
    }
    let compared = compare_model(&model, &Budget::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((compared.full, compared.reset), states);
    assert_eq!(states_of_the_engine(&model), [states.1; 2]);
}

/// How many states the fast search finds with dead variables reset, in both forms of states.
fn states_of_the_engine(model: &Model) -> [u64; 2] {
    let semantics = Semantics::exact(model);
    [Width::AsNeeded, Width::Any].map(|width| {
        let system = CsmSystem::new(&semantics).resetting();
        let (stop_when, budget) = (StopWhen::Everything, Budget::default());
        let explored = Bfs { width }.explore(&system, &stop_when, &budget, &mut |_| {});
        explored.exploration.states
    })
}

fn dead_in(model: &Model, object: ObjectId, active: &[&str]) -> Vec<String> {
    let mut at = common::start(model);
    common::put(model, &mut at, object, active);
    let state = at.object(object);
    let dead = DeadVariables::new(model);
    let own = dead.dead(object, state).map(|(slot, _)| slot);
    let own = own.map(|slot| name(&model.class_of(object).variables, slot));
    let globals = dead.dead_globals(object, state).map(|(slot, _)| slot);
    let globals = globals.map(|slot| name(&model.globals, slot));
    own.chain(globals).collect()
}

/// The name of a slot: `x`, or `a[2]`.
fn name(variables: &[Variable], slot: usize) -> String {
    let mut before = variables.iter().rev();
    let variable = before.find(|v| v.offset <= slot).expect("a variable");
    match variable.ty.length() {
        1 => variable.name.clone(),
        _ => format!("{}[{}]", variable.name, slot - variable.offset),
    }
}
