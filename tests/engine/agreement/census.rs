//! What occurs in random models: written in their texts, happening in their runs, found by a check.

use std::collections::BTreeSet;

use crisol::csm::system::CsmSystem;
use crisol::csm::{Configuration, Event, Origin, Semantics, Step, Successor};
use crisol::lang::{Level, Model, ObjectId, PropertyBody};
use crisol::search::{Budget, Completion, Exploration, Explorer, Naive, StopWhen};
use crisol::system::{PropertyId, Target};

use crate::agreement::subject::Subject;

/// What the texts of models must have, somewhere.
pub const WRITTEN: &[&str] = &[
    "semantics interleaving",
    "semantics run_to_completion",
    "atomic_steps",
    "initial_step",
    "rhapsody_triggers",
    "thread main",
    "environment lazy",
    "environment eager",
    "capacity 1",
    "capacity 2",
    "on_full violate",
    "on_full lose",
    "on_full block",
    "on_full cut",
    "allow deadlock",
    "allow implicit_consumption of",
    "external signal",
    " to o0",
    "enum",
    "wrap int(",
    "nat ",
    "integer ",
    "bool[2]",
    "object o0[2]",
    "null",
    "self",
    "peer.peer",
    "region ",
    "\nhistory;",
    "deep history;",
    ".history",
    ".deep_history",
    "choice ",
    "junction ",
    "fork ",
    "join ",
    "final ",
    "quiescent ",
    "entry / ",
    "exit / ",
    "defer E",
    "defer M",
    "no flush;",
    "ignore ",
    "\non ",
    " : any",
    "[else]",
    "send self",
    "(_",
    "choose(",
    "choose {",
    "for (",
    "if (",
    "else {",
    "assert ",
    "++;",
    " -= ",
    " / ",
    " % ",
    " ? ",
    "<->",
    "count(",
    "forall(",
    "exists(",
    "queued(o",
    "queued_before(",
    "enabled(",
    "idle(",
    "always ",
    "never ",
    "never nondeterminism",
    " of o",
    "at rtc",
    "at transition",
    "ltl ",
];

/// The same for DVE programs.
pub const WRITTEN_DVE: &[&str] = &[
    "byte g",
    "int g",
    "int v",
    "[2] = {",
    "channel c",
    "channel {byte} c",
    "channel {} c",
    "channel {byte, byte} c",
    "commit",
    "assert",
    "guard",
    "c0!",
    "c0?",
    "!{",
    "?{",
    "[g",
    "P0->",
    "P1.q",
    " / ",
    " % 3",
    "* 100",
    " << ",
    "~",
    "imply",
    "not (",
];

/// What must happen in runs, somewhere.
pub const HAPPENING: &[&str] = &[
    "several starts",
    "a transition",
    "transitions together",
    "a branch",
    "a choice",
    "a message from the environment",
    "a message put into an inbox",
    "a message thrown away",
    "a message set aside",
    "a message put back",
    "a message lost",
    "a wait for room",
    "a dispatch",
    "an end of a step",
    "a whole step",
    "a cut",
    "a failed step",
    "a fault that is survived",
    "a deadlock",
];

/// The kinds of properties, each of which must be violated somewhere and hold somewhere.
pub const JUDGED: &[&str] = &[
    "always",
    "always at rtc",
    "assertion_failure",
    "implicit_consumption",
    "overflow",
    "deadlock",
    "arithmetic_fault",
    "reference_fault",
    "divergence",
    "nondeterminism",
];

#[derive(Default)]
pub struct Census {
    pub written: BTreeSet<&'static str>,
    pub happening: BTreeSet<&'static str>,
    pub violated: BTreeSet<&'static str>,
    pub holding: BTreeSet<&'static str>,
    /// How many models have more than ten states.
    pub worthwhile: u64,
}

impl Census {
    pub fn count(&mut self, model: &Model, text: &str, max_states: u64) {
        let occurring = WRITTEN.iter().filter(|word| text.contains(**word));
        self.written.extend(occurring);
        let semantics = Semantics::exact(model);
        if semantics.initial().len() > 1 {
            self.happening.insert("several starts");
        }
        let budget = Budget {
            max_states: Some(max_states),
            ..Budget::default()
        };
        let system = CsmSystem::new(&semantics);
        let exploration =
            Naive.explore(&system, &StopWhen::Everything, &budget, &mut |at, _, _| {
                self.look(&semantics, at);
            });
        self.judge(model, &exploration);
    }

    /// What happens in a state.
    fn look(&mut self, semantics: &Semantics<'_>, at: &Configuration) {
        let successors = semantics.successors(at);
        for successor in &successors {
            self.happening.extend(event(&successor.step.event));
            self.happening
                .extend(outcome(at, successor, semantics.model()));
        }
        if waits_for_room(semantics, at, &successors) {
            self.happening.insert("a wait for room");
        }
        if semantics.judge(at, &successors).is_deadlock {
            self.happening.insert("a deadlock");
        }
    }

    fn judge(&mut self, model: &Model, exploration: &Exploration<Step>) {
        self.worthwhile += u64::from(exploration.states > 10);
        if exploration.end != Completion::Complete {
            return;
        }
        for PropertyId(property) in Subject::properties(model) {
            let mut violations = exploration.violations.iter();
            let kind = kind(model, property);
            match violations.any(|violation| violation.property == PropertyId(property)) {
                true => self.violated.insert(kind),
                false => self.holding.insert(kind),
            };
        }
    }
}

fn kind(model: &Model, property: usize) -> &'static str {
    let property = &model.properties[property];
    match (&property.body, property.level) {
        (PropertyBody::NoFault(kind, _), _) => kind.name(),
        (_, Level::Transition) => "always",
        (_, Level::RunToCompletion) => "always at rtc",
    }
}

fn event(event: &Event) -> Vec<&'static str> {
    let origin = match event {
        Event::Fire { origin, .. }
        | Event::Consume { origin, .. }
        | Event::Defer { origin, .. }
        | Event::Dispatch { origin, .. } => *origin,
        _ => Origin::Inbox,
    };
    let name = match event {
        Event::Start => "several starts",
        Event::Fire { transitions, .. } if transitions.len() > 1 => "transitions together",
        Event::Fire { .. } => "a transition",
        Event::Consume { .. } => "a message thrown away",
        Event::Defer { .. } => "a message set aside",
        Event::Environment { .. } => "a message put into an inbox",
        Event::Dispatch { .. } => "a dispatch",
        Event::EndOfStep { .. } => "an end of a step",
        Event::Whole(_) => "a whole step",
    };
    match origin {
        Origin::Inbox => vec![name],
        Origin::Environment => vec![name, "a message from the environment"],
    }
}

fn outcome(at: &Configuration, successor: &Successor, model: &Model) -> Vec<&'static str> {
    let mut all = Vec::new();
    let mut note = |happens: bool, what: &'static str| all.extend(happens.then_some(what));
    note(!successor.branches.is_empty(), "a branch");
    note(!successor.chosen.is_empty(), "a choice");
    note(
        successor.sent.iter().any(|sent| sent.lost),
        "a message lost",
    );
    match &successor.result {
        Target::Bounded => note(true, "a cut"),
        Target::Truncated => {}
        Target::Error => note(true, "a failed step"),
        Target::State(after) => {
            let waiting = |at: &Configuration, id: ObjectId| at.object(id).deferred.len();
            let returns = |id: ObjectId| waiting(after, id) < waiting(at, id);
            note(model.object_ids().any(returns), "a message put back");
            note(successor.fault.is_some(), "a fault that is survived");
        }
    }
    all
}

/// Under `interleaving` an enabled transition without a trigger is a step unless it sends into a
/// full inbox.
fn waits_for_room(semantics: &Semantics<'_>, at: &Configuration, steps: &[Successor]) -> bool {
    let model = semantics.model();
    let is_taken = |object: ObjectId, id| {
        steps.iter().any(|successor| match &successor.step.event {
            Event::Fire {
                object: actor,
                transitions,
                ..
            } => *actor == object && transitions.contains(&id),
            _ => false,
        })
    };
    let waits = |object: ObjectId| {
        let enabled = semantics.enabled(at, object, None);
        enabled.iter().any(|id| !is_taken(object, *id))
    };
    model.runs_to_completion().is_none() && model.object_ids().any(waits)
}
