//! The reference semantics: what a model means. Slow and obvious; everything fast is tested against
//! it.
//!
//! | file | what it says | source |
//! |---|---|---|
//! | `configuration` | what a state of the system is | Ojala 2.1.3, Meller 1.4 |
//! | `evaluate` | the value of an expression | Ojala 2.1.1, `eval` and `resolve` |
//! | `execute` | assignment, send, assert | Ojala 2.2.2 - 2.2.4 |
//! | `movement` | leaving and entering states, history, choices | Ojala 2.2.5, Meller 1.6 |
//! | `enabled` | which transitions can be taken, and which together | Ojala 2.3, Meller 1.5, 1.7 |
//! | `interleaving` | steps: TRANS, IMPL, DEFER | Ojala 2.3, 2.4 |
//! | `run_to_completion` | steps: DISP, TRANS, EndRTC, ENV | Meller 1.8 |
//! | `queues` | where messages wait | Ojala 2.2.2, 2.2.5, Meller 1.4 |
//! | `components` | configurations part by part | - |
//! | `groups`, `accesses` | successors piece by piece, and what each piece depends on | - |
//! | `journal`, `replay` | one step replayed, and all that it did, action by action | Ojala 5.1 |
//! | `judge` | which properties a configuration or a step violates | Meller 2.2 - 2.4 |
//! | `narrowing` | what a step learns about numbers that an abstraction does not know | - |
//! | `precision`, `choices` | evaluation to sets of outcomes | Ojala 3.1.1, Pasareanu 4.5 |
#![doc = include_str!("README.md")]

mod accesses;
mod atomic;
mod choices;
mod components;
mod configuration;
pub mod dead_variables;
mod enabled;
mod evaluate;
mod execute;
mod groups;
mod interleaving;
mod journal;
mod judge;
mod movement;
mod narrowing;
mod precision;
mod queues;
mod replay;
mod run;
mod run_to_completion;
mod step;
pub mod system;

pub use accesses::{Accesses, Part, watching};
pub use choices::{Answers, Cause, Choices, all_outcomes};
pub use components::{ComponentValue, Queue, content, holds, join, members, parts, put};
pub use configuration::{Configuration, ObjectState, ThreadState, is_active};
pub use evaluate::Location;
pub use groups::CsmGroup;
pub use journal::{Action, Entry, Node, NodeKind};
pub(crate) use judge::may_loop;
pub use judge::{StateFault, Verdicts};
pub(crate) use movement::{region_of, scope_of};
pub use precision::{Arithmetic, Chosen, Exact, Outcomes, Precision};
pub use queues::{QueueChange, queue_of};
pub use step::{Event, Fault, Origin, Sent, Step, Successor};

use crate::lang::{FaultKind, Message, Model, ObjectId, Semantics as Kind, StateId, TransitionId};
use enabled::Occasion;
use run::{Rules, Run};
use step::Halt;

/// A model under a precision: where it starts, and what can happen next.
pub struct Semantics<'m, P = Exact> {
    model: &'m Model,
    precision: P,
    /// By class: whether its transitions without a trigger may go round in a circle.
    may_loop: Vec<bool>,
}

impl<'m> Semantics<'m, Exact> {
    /// The concrete semantics.
    pub fn exact(model: &'m Model) -> Semantics<'m, Exact> {
        Semantics::new(model, Exact)
    }
}

impl<'m, P: Precision> Semantics<'m, P> {
    pub fn new(model: &'m Model, precision: P) -> Semantics<'m, P> {
        // Only a run-to-completion step can go on for ever.
        let completes = model.runs_to_completion().is_some();
        let classes = model.classes.iter();
        let may_loop = classes.map(|class| completes && judge::may_loop(&class.machine));
        Semantics {
            model,
            precision,
            may_loop: may_loop.collect(),
        }
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    fn rules(&self) -> Rules<'_, P> {
        Rules {
            model: self.model,
            precision: &self.precision,
        }
    }

    /// How the system comes into being: all objects enter their initial states, in order. More than
    /// one way only if entering chooses.
    pub fn initial(&self) -> Vec<Successor> {
        let blank = Configuration::blank(self.model);
        let initial_step = self
            .model
            .runs_to_completion()
            .is_some_and(|o| o.initial_step);
        let first = ObjectId(0);
        self.rules()
            .perform(&blank, first, Event::Start, &Answers::default(), |run| {
                for object in self.model.object_ids() {
                    run.become_actor(object);
                    run.start().map_err(|halt| run.waits_at_the_start(halt))?;
                }
                if initial_step {
                    run.begin_initial_steps();
                }
                Ok(None)
            })
    }

    /// Everything that can happen next, always in the same order.
    pub fn successors(&self, configuration: &Configuration) -> Vec<Successor> {
        match self.model.semantics {
            Kind::Interleaving => self.rules().interleaving_steps(configuration),
            Kind::RunToCompletion(options) if options.atomic_steps => {
                self.atomic_steps(configuration)
            }
            Kind::RunToCompletion(_) => self.rules().completion_steps(configuration),
        }
    }

    /// The enabled transitions of an object; with a message, those that it triggers.
    pub fn enabled(
        &self,
        configuration: &Configuration,
        object: ObjectId,
        message: Option<&Message>,
    ) -> Vec<TransitionId> {
        let occasion = message.map_or(Occasion::Spontaneous, Occasion::Message);
        let outcomes = all_outcomes(|choices| {
            let mut run =
                Run::of_object(self.model, &self.precision, choices, configuration, object);
            run.enabled(occasion).unwrap_or_default()
        });
        let mut all: Vec<TransitionId> = outcomes.into_iter().flat_map(|(_, ids)| ids).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The largest sets of these transitions that can be taken together (maxORTH, Meller 1.7).
    pub fn maximal_sets(
        &self,
        object: ObjectId,
        enabled: &[TransitionId],
    ) -> Vec<Vec<TransitionId>> {
        enabled::maximal_sets(self.model.machine_of(object), enabled)
    }
}

/// All sets of states that a machine could have active together (Meller 1.4), reachable or not.
pub fn possible_active_sets(machine: &crate::lang::Machine) -> Vec<Vec<StateId>> {
    active_sets_of(machine, crate::lang::TOP)
}

fn active_sets_of(
    machine: &crate::lang::Machine,
    region: crate::lang::RegionId,
) -> Vec<Vec<StateId>> {
    let mut all = Vec::new();
    for state in &machine.region(region).states {
        let mut sets = vec![vec![*state]];
        for inner in &machine.state(*state).regions {
            let inside = active_sets_of(machine, *inner);
            let product = sets.iter().flat_map(|set| {
                inside
                    .iter()
                    .map(move |more| [&set[..], &more[..]].concat())
            });
            sets = product.collect();
        }
        all.extend(sets);
    }
    all
}

impl<P: Precision> Run<'_, P> {
    /// A send that waits for room before anything can happen waits for ever.
    fn waits_at_the_start(&self, halt: Halt) -> Halt {
        let Halt::Blocked = halt else { return halt };
        let name = &self.model.object(self.actor).name;
        Halt::Fault(Fault {
            kind: FaultKind::Deadlock,
            object: self.actor,
            span: None,
            message: format!("{name} waits for room in an inbox before anything can happen"),
        })
    }

    /// Turns to another object: its local names are blank.
    fn become_actor(&mut self, object: ObjectId) {
        let locals = &self.model.class_of(object).frame;
        self.frame = locals
            .iter()
            .map(|local| local.ty.default_value())
            .collect();
        self.actor = object;
    }
}
