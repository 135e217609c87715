//! One execution in progress: a configuration that is being changed on behalf of an object.

use std::collections::HashSet;

use super::choices::{Answers, Choices, distinct_outcomes, first_outcomes};
use super::configuration::Configuration;
use super::journal::{self, Action};
use super::narrowing::Learnt;
use super::precision::Precision;
use super::queues::QueueChange;
use super::replay;
use super::step::{Event, Fault, Halt, Sent, Step, Successor};
use crate::lang::{ChoiceId, Local, Model, ObjectId, Type, Value, limits};
use crate::system::Target;

pub(super) struct Run<'a, P> {
    pub model: &'a Model,
    pub precision: &'a P,
    pub choices: &'a mut Choices,
    pub configuration: Configuration,
    /// The object that acts; for properties, one that nothing asks for.
    pub actor: ObjectId,
    /// Local names of the step.
    pub frame: Vec<Value>,
    pub sent: Vec<Sent>,
    pub queue_changes: Vec<(usize, QueueChange)>,
    /// Branches taken at choices.
    pub branches: Vec<(ChoiceId, usize)>,
    /// What `choose` gave.
    pub chosen: Vec<(Value, Type)>,
    pub learnt: Learnt,
}

impl<'a, P: Precision> Run<'a, P> {
    /// A run on behalf of an object.
    pub fn of_object(
        model: &'a Model,
        precision: &'a P,
        choices: &'a mut Choices,
        configuration: &Configuration,
        actor: ObjectId,
    ) -> Run<'a, P> {
        Run {
            model,
            precision,
            choices,
            configuration: configuration.clone(),
            actor,
            frame: blank_frame(&model.class_of(actor).frame),
            sent: Vec::new(),
            queue_changes: Vec::new(),
            branches: Vec::new(),
            chosen: Vec::new(),
            learnt: Learnt::default(),
        }
    }

    /// A run that only looks, on behalf of a property.
    pub fn of_property(
        model: &'a Model,
        precision: &'a P,
        choices: &'a mut Choices,
        configuration: &Configuration,
    ) -> Run<'a, P> {
        Run {
            model,
            precision,
            choices,
            configuration: configuration.clone(),
            actor: ObjectId(0),
            frame: blank_frame(&model.property_frame),
            sent: Vec::new(),
            queue_changes: Vec::new(),
            branches: Vec::new(),
            chosen: Vec::new(),
            learnt: Learnt::default(),
        }
    }
}

/// The steps of all outcomes. If an abstraction leaves open whether there is any step at all, none
/// of them keeps the system from being stuck.
fn unless_uncertain(outcomes: Vec<(Answers, Vec<Successor>)>) -> Vec<Successor> {
    let is_step = |steps: &[Successor]| steps.iter().any(|step| step.is_progress);
    let is_certain = outcomes
        .iter()
        .all(|(answers, steps)| answers.is_choose_free || is_step(steps));
    let mut steps: Vec<Successor> = outcomes.into_iter().flat_map(|(_, steps)| steps).collect();
    if !is_certain {
        steps.iter_mut().for_each(|step| step.is_progress = false);
    }
    merge_guesses(&mut steps);
    steps
}

/// Of guesses that come to the same the first is enough: there may be thousands.
fn merge_guesses(steps: &mut Vec<Successor>) {
    let firsts: Vec<bool> = {
        let mut seen = HashSet::new();
        let all = steps.iter();
        all.map(|step| step.is_choose_free || seen.insert(step.deed()))
            .collect()
    };
    let mut firsts = firsts.into_iter();
    steps.retain(|_| firsts.next() == Some(true));
}

/// Outcomes of an event that are too many to look at.
pub(super) fn unseen(event: Event) -> Successor {
    let choices = Vec::new();
    Successor {
        step: Step { event, choices },
        result: Target::Truncated,
        fault: None,
        sent: Vec::new(),
        queue_changes: Vec::new(),
        branches: Vec::new(),
        chosen: Vec::new(),
        is_progress: true,
        is_choose_free: false,
    }
}

fn blank_frame(locals: &[Local]) -> Vec<Value> {
    locals
        .iter()
        .map(|local| local.ty.default_value())
        .collect()
}

/// A set of rules on a model: what `interleaving` and `run_to_completion` have in common.
pub(super) struct Rules<'a, P> {
    pub model: &'a Model,
    pub precision: &'a P,
}

impl<P: Precision> Rules<'_, P> {
    /// The steps that follow from what an object sees, in every possible way to see it. `event` names
    /// them where they are too many.
    pub fn steps_after<T: PartialEq>(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        event: impl FnOnce() -> Event,
        look: impl Fn(&mut Run<'_, P>) -> T,
        steps: impl Fn(&Answers, T) -> Vec<Successor>,
    ) -> Vec<Successor> {
        let (outcomes, complete) = distinct_outcomes(|choices| {
            let mut run =
                Run::of_object(self.model, self.precision, choices, configuration, object);
            look(&mut run)
        });
        let outcomes = outcomes.into_iter().map(|(choices, seen)| {
            let steps = steps(&choices, seen);
            (choices, steps)
        });
        let mut steps = unless_uncertain(outcomes.collect());
        if !complete {
            steps.push(unseen(event()));
        }
        steps
    }

    /// Does something on behalf of an object in every possible way, as successors. `before` are the
    /// choices that led to this step being possible at all.
    pub fn perform(
        &self,
        configuration: &Configuration,
        actor: ObjectId,
        event: Event,
        before: &Answers,
        action: impl Fn(&mut Run<'_, P>) -> Result<Option<Fault>, Halt>,
    ) -> Vec<Successor> {
        if !replay::is_wanted(&event) {
            return Vec::new();
        }
        journal::act(actor, || Action::Begin);
        let (outcomes, complete) = first_outcomes(2 * limits::OUTCOMES, |choices| {
            let mut run = Run::of_object(self.model, self.precision, choices, configuration, actor);
            run.learnt.clone_from(&before.learnt);
            let (result, fault) = match action(&mut run) {
                Ok(fault) => (Target::State(run.configuration), fault),
                Err(Halt::Fault(fault)) => {
                    journal::act(run.actor, || Action::Fault(fault.kind));
                    (Target::Error, Some(fault))
                }
                Err(Halt::Cut) => (Target::Bounded, None),
                Err(Halt::Blocked) => return None,
            };
            let step = Step {
                event: event.clone(),
                choices: before.taken.clone(),
            };
            Some(Successor {
                step,
                result,
                fault,
                sent: run.sent,
                queue_changes: run.queue_changes,
                branches: run.branches,
                chosen: run.chosen,
                is_progress: true,
                is_choose_free: before.is_choose_free,
            })
        });
        let is_certain = outcomes
            .iter()
            .all(|(answers, successor)| answers.is_choose_free || successor.is_some());
        let mut successors = Vec::new();
        for (answers, successor) in outcomes {
            successors.extend(successor.map(|mut successor| {
                successor.step.choices.extend(answers.taken);
                successor.is_choose_free &= answers.is_choose_free;
                successor.is_progress = is_certain;
                successor
            }));
        }
        if !complete {
            successors.push(unseen(event));
        }
        successors
    }
}
