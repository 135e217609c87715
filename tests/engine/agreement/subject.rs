//! What is explored: a model of either language, read from its text.

use std::fmt::Debug;

use crisol::csm::{Semantics, Step};
use crisol::dve::system::DveSystem;
use crisol::dve::{self, DVE_PROPERTIES, DveStep, Program};
use crisol::evidence::{StepRecord, replay};
use crisol::lang::{FaultKind, Model, PropertyBody, check, parse, print};
use crisol::search::{Budget, Exploration, Explorer, Naive, Progress, StopWhen, Violation};
use crisol::system::{PropertyId, System, Target, Transition};

use crate::agreement::engine::Dead;
use crate::agreement::random::Random;
use crate::agreement::{engine, models, programs};

pub trait Subject: Sized {
    type Step: Clone + Debug + PartialEq;

    /// A random text, which is not sure to be right.
    fn draw(random: &mut Random) -> String;
    fn read(text: &str) -> Option<Self>;
    /// A text that is right, as people like to read it.
    fn tidy(text: &str) -> String;

    /// The properties that can be checked.
    fn properties(&self) -> Vec<PropertyId>;
    fn reference(
        &self,
        dead: Dead,
        stop_when: &StopWhen,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Exploration<Self::Step>;
    fn engine(
        &self,
        dead: Dead,
        threads: usize,
        stop_when: &StopWhen,
        budget: &Budget,
    ) -> Exploration<Self::Step>;
    /// Makes the steps to a violation again.
    fn confirm(&self, violation: &Violation<Self::Step>) -> Result<(), String>;
}

impl Subject for Model {
    type Step = Step;

    fn draw(random: &mut Random) -> String {
        models::draw(random)
    }

    fn read(text: &str) -> Option<Model> {
        let (file, errors) = parse(text);
        errors.is_empty().then(|| check(&file, &Vec::new()).0)?
    }

    fn tidy(text: &str) -> String {
        print(&parse(text).0)
    }

    fn properties(&self) -> Vec<PropertyId> {
        let is_checked = |body: &PropertyBody| {
            !matches!(
                body,
                PropertyBody::Temporal(_) | PropertyBody::NoFault(FaultKind::Livelock, _)
            )
        };
        let all = self.properties.iter().enumerate();
        all.filter(|(_, property)| is_checked(&property.body))
            .map(|(index, _)| PropertyId(index))
            .collect()
    }

    fn reference(
        &self,
        dead: Dead,
        stop_when: &StopWhen,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Exploration<Step> {
        let semantics = Semantics::exact(self);
        let system = engine::system(&semantics, dead);
        Naive.explore(&system, stop_when, budget, &mut |_, _, now| progress(now))
    }

    fn engine(
        &self,
        dead: Dead,
        threads: usize,
        stop_when: &StopWhen,
        budget: &Budget,
    ) -> Exploration<Step> {
        engine::engine(self, dead, threads, stop_when, budget)
    }

    /// Also from its written form.
    fn confirm(&self, violation: &Violation<Step>) -> Result<(), String> {
        let read_again = |step: &Step| StepRecord::of(self, step).to_step(self);
        let steps: Result<Vec<Step>, _> = violation.steps.iter().map(read_again).collect();
        let steps = steps.map_err(|error| error.to_string())?;
        let trace = replay(&Semantics::exact(self), &steps, Some(violation.property.0));
        trace.map(|_| ()).map_err(|error| error.to_string())
    }
}

impl Subject for Program {
    type Step = DveStep;

    fn draw(random: &mut Random) -> String {
        programs::draw(random)
    }

    fn read(text: &str) -> Option<Program> {
        dve::read(text).ok()
    }

    fn tidy(text: &str) -> String {
        text.to_owned()
    }

    fn properties(&self) -> Vec<PropertyId> {
        (0..DVE_PROPERTIES.len()).map(PropertyId).collect()
    }

    fn reference(
        &self,
        dead: Dead,
        stop_when: &StopWhen,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Exploration<DveStep> {
        let system = engine::dve_system(self, dead);
        Naive.explore(&system, stop_when, budget, &mut |_, _, now| progress(now))
    }

    fn engine(
        &self,
        dead: Dead,
        threads: usize,
        stop_when: &StopWhen,
        budget: &Budget,
    ) -> Exploration<DveStep> {
        engine::dve_engine(self, dead, threads, stop_when, budget)
    }

    fn confirm(&self, violation: &Violation<DveStep>) -> Result<(), String> {
        walk(&DveSystem::new(self), violation)
    }
}

/// Goes along the steps to a violation, and looks whether there is one at the end.
fn walk<S: System<Action: PartialEq + Debug>>(
    system: &S,
    violation: &Violation<S::Action>,
) -> Result<(), String> {
    let mut possible = system.initial();
    let mut violated = Vec::new();
    for (number, step) in violation.steps.iter().enumerate() {
        let same = |transition: &Transition<_, S::Action>| transition.action == *step;
        let transition = possible.into_iter().find(same);
        let transition = transition.ok_or(format!("step {number}, {step:?}, is not possible"))?;
        violated = transition.violated;
        possible = Vec::new();
        if let Target::State(state) = transition.target {
            let expansion = system.expand(&state);
            violated.extend(expansion.violated);
            possible = expansion.transitions;
        }
    }
    match violated.contains(&violation.property) {
        true => Ok(()),
        false => Err("the property is not violated at its end".to_owned()),
    }
}
