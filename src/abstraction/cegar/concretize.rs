//! Is an abstract counterexample real? Its events are replayed on the concrete model (Ojala 4,
//! Pasareanu 4.2).
//!
//! Where the model itself chooses, several concrete runs are followed side by side, those that
//! correspond to the abstract one first.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::discriminant;
use std::sync::Arc;

use super::guided::Guided;
use crate::abstraction::{Abstract, Place, Precision};
use crate::csm::{Configuration, Event, Fault, Origin, Semantics, Step, Successor};
use crate::evidence::Trace;
use crate::lang::{Message, Model, Value};
use crate::system::Target;

/// Concrete runs that are followed at once, at most.
const SIDE_BY_SIDE: usize = 32;
/// Abstract runs that are tried at once, at most.
const MOST_TRIED: usize = 256;

/// What became of it.
pub struct Followed {
    /// Properties that a concrete run violates, each with its steps.
    pub violations: HashMap<usize, Vec<Step>>,
    /// The concrete run that came farthest.
    pub run: Vec<Made>,
    /// The first abstract step that was not possible; none if all were.
    pub stuck_at: Option<usize>,
}

/// A concrete step.
#[derive(Clone)]
pub struct Made {
    pub step: Step,
    pub before: Configuration,
    /// None after a failed step.
    pub after: Option<Configuration>,
}

/// One of the runs that are followed.
#[derive(Clone)]
struct Runner {
    made: Vec<Made>,
}

impl Runner {
    fn at(&self) -> Option<&Configuration> {
        self.made.last().and_then(|made| made.after.as_ref())
    }

    fn steps(&self) -> Vec<Step> {
        self.made.iter().map(|made| made.step.clone()).collect()
    }

    /// Takes over the values of some variables; whether it corresponds then.
    fn believe(
        &mut self,
        model: &Model,
        known: &Configuration,
        believed: &BTreeSet<Place>,
    ) -> bool {
        let after = self.made.last_mut().and_then(|made| made.after.as_mut());
        let Some(after) = after else { return false };
        for place in believed {
            take_over(model, known, after, *place);
        }
        corresponds(known, after)
    }
}

/// What a trace is followed for.
#[derive(Clone, Copy)]
pub enum Purpose<'a> {
    /// To find real violations of these properties, on whatever run.
    Violate(&'a [usize]),
    /// To see where the concrete model can't go along. A run that chose otherwise than the trace, where
    /// it could have chosen the same, says nothing about that. Variables that are `believed` get
    /// values of the trace where theirs do not correspond.
    Explain { believed: &'a BTreeSet<Place> },
}

/// Follows an abstract trace.
pub fn follow(
    model: &Model,
    precision: &Precision,
    trace: &Trace,
    purpose: Purpose<'_>,
) -> Followed {
    let semantics = Semantics::new(model, Guided::new(model, precision));
    let mut violations = HashMap::new();
    let blank = Configuration::blank(model);
    let mut runners = vec![Runner { made: Vec::new() }];
    let mut stuck_at = None;
    for (index, step) in trace.steps.iter().enumerate() {
        let mut next: Vec<(bool, Runner)> = Vec::new();
        for runner in &runners {
            let at = if index == 0 {
                Some(&blank)
            } else {
                runner.at()
            };
            let Some(at) = at else { continue };
            let possible = match index {
                0 => semantics.initial(),
                _ => semantics.successors(at),
            };
            for successor in possible {
                if successor.result == Target::Truncated {
                    continue;
                }
                if is_same_event(&step.step.event, &successor.step.event) {
                    next.push(go_on(
                        &semantics,
                        runner,
                        at,
                        successor,
                        step.after.as_ref(),
                        purpose,
                        &mut violations,
                    ));
                }
            }
        }
        if next.is_empty() {
            stuck_at = Some(index);
            break;
        }
        if let (Purpose::Explain { believed }, Some(known)) = (purpose, &step.after) {
            for (corresponds, runner) in next.iter_mut().filter(|(corresponds, _)| !corresponds) {
                *corresponds = runner.believe(model, known, believed);
            }
        }
        // Those that correspond come first; otherwise the order stays.
        next.sort_by_key(|(corresponds, _)| !corresponds);
        if let (Purpose::Explain { .. }, Some((true, _))) = (purpose, next.first()) {
            next.retain(|(corresponds, _)| *corresponds);
        }
        next.truncate(SIDE_BY_SIDE);
        runners = next.into_iter().map(|(_, runner)| runner).collect();
    }
    let run = runners
        .into_iter()
        .next()
        .map_or(Vec::new(), |runner| runner.made);
    Followed {
        violations,
        run,
        stuck_at,
    }
}

/// A run with one step more, whether it corresponds to the abstract one there; what it violates is
/// noted.
fn go_on(
    semantics: &Semantics<'_, Guided>,
    runner: &Runner,
    before: &Configuration,
    successor: Successor,
    abstract_after: Option<&Configuration>,
    purpose: Purpose<'_>,
    violations: &mut HashMap<usize, Vec<Step>>,
) -> (bool, Runner) {
    let mut runner = runner.clone();
    let after = match &successor.result {
        Target::State(reached) => Some(reached.clone()),
        Target::Error | Target::Bounded | Target::Truncated => None,
    };
    let fault = successor.fault.clone();
    let corresponds = match (abstract_after, &after) {
        (Some(known), Some(after)) => corresponds(known, after),
        (known, after) => known.is_none() && after.is_none(),
    };
    runner.made.push(Made {
        step: successor.step,
        before: before.clone(),
        after,
    });
    if let Purpose::Violate(wanted) = purpose {
        let mut found = violated(semantics, fault.as_ref(), runner.at());
        found.retain(|property| wanted.contains(property));
        for property in found {
            violations.entry(property).or_insert_with(|| runner.steps());
        }
    }
    (corresponds, runner)
}

/// The properties that a step violates, or the state that it leads to.
fn violated(
    semantics: &Semantics<'_, Guided>,
    fault: Option<&Fault>,
    after: Option<&Configuration>,
) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    found.extend(fault.iter().flat_map(|fault| semantics.blamed(fault)));
    if let Some(after) = after {
        let verdicts = semantics.judge(after, &semantics.successors(after));
        found.extend(verdicts.faults.iter().map(|fault| fault.property));
    }
    found
}

/// Tries the events of a trace again on an abstract model, with every choice; the steps to a
/// violation of the property, if there still are any.
pub fn still_violates(
    semantics: &Semantics<'_, Abstract<'_>>,
    trace: &Trace,
    property: usize,
) -> Option<Vec<Step>> {
    let blank = Configuration::blank(semantics.model());
    let mut runs: Vec<(Vec<Step>, Configuration)> = vec![(Vec::new(), blank)];
    let last = trace.steps.len() - 1;
    for (index, step) in trace.steps.iter().enumerate() {
        let mut next: Vec<(Vec<Step>, Configuration)> = Vec::new();
        let mut seen = HashSet::new();
        for (steps, at) in &runs {
            let possible = match index {
                0 => semantics.initial(),
                _ => semantics.successors(at),
            };
            let same = possible
                .into_iter()
                .filter(|successor| is_same_kind(&step.step.event, &successor.step.event));
            for successor in same {
                let mut steps = steps.clone();
                steps.push(successor.step);
                let fault = successor.fault.as_ref();
                let blamed = fault
                    .map(|fault| semantics.blamed(fault))
                    .unwrap_or_default();
                if index == last && blamed.contains(&property) {
                    return Some(steps);
                }
                let Target::State(after) = successor.result else {
                    continue;
                };
                if index == last && is_guilty(semantics, &after, property) {
                    return Some(steps);
                }
                if seen.insert(after.clone()) && next.len() < MOST_TRIED {
                    next.push((steps, after));
                }
            }
        }
        runs = next;
    }
    None
}

fn is_guilty(semantics: &Semantics<'_, Abstract<'_>>, at: &Configuration, property: usize) -> bool {
    let verdicts = semantics.judge(at, &semantics.successors(at));
    verdicts
        .faults
        .iter()
        .any(|fault| fault.property == property)
}

/// The same event, whatever its message holds.
fn is_same_kind(one: &Event, other: &Event) -> bool {
    let blank = |event: &Event| {
        let mut event = event.clone();
        forget_arguments(&mut event);
        event
    };
    blank(one) == blank(other)
}

fn forget_arguments(event: &mut Event) {
    match event {
        Event::Fire { message, .. } => {
            if let Some(message) = message {
                message.arguments = Arc::default();
            }
        }
        Event::Consume { message, .. }
        | Event::Defer { message, .. }
        | Event::Dispatch { message, .. }
        | Event::Environment { message, .. } => message.arguments = Arc::default(),
        Event::Whole(parts) => parts.iter_mut().for_each(|part| {
            part.choices.clear();
            forget_arguments(&mut part.event);
        }),
        Event::Start | Event::EndOfStep { .. } => {}
    }
}

/// The same event, but for what an abstraction may not know of its message.
fn is_same_event(known: &Event, concrete: &Event) -> bool {
    let is_same_kind = discriminant(known) == discriminant(concrete);
    if !is_same_kind || known.object() != concrete.object() {
        return false;
    }
    match (known, concrete) {
        (Event::Whole(known), Event::Whole(concrete)) => {
            let mut pairs = known.iter().zip(concrete);
            known.len() == concrete.len()
                && pairs.all(|(known, concrete)| is_same_event(&known.event, &concrete.event))
        }
        (Event::Fire { transitions: s, .. }, Event::Fire { transitions: t, .. }) if s != t => false,
        (Event::Environment { message: m, .. }, Event::Environment { message: n, .. }) => {
            m.signal == n.signal && may_be(m, n)
        }
        (known, concrete) => match (known.occasion(), concrete.occasion()) {
            (Some((_, m, Origin::Inbox)), Some((_, n, Origin::Inbox))) => m.signal == n.signal,
            (Some((_, m, Origin::Environment)), Some((_, n, Origin::Environment))) => {
                m.signal == n.signal && may_be(m, n)
            }
            (known, concrete) => known.is_none() && concrete.is_none(),
        },
    }
}

/// Whether a message is one of those that an abstract one stands for.
pub fn may_be(known: &Message, concrete: &Message) -> bool {
    let mut arguments = known.arguments.iter().zip(concrete.arguments.iter());
    known.signal == concrete.signal && arguments.all(|(known, concrete)| known.may_be(*concrete))
}

/// Whether a concrete configuration is one of those that an abstract one stands for. What is
/// forgotten altogether is not compared.
fn corresponds(known: &Configuration, concrete: &Configuration) -> bool {
    let values = |known: &[Value], concrete: &[Value]| {
        known
            .iter()
            .zip(concrete)
            .all(|(known, concrete)| known.may_be(*concrete))
    };
    let messages = |known: &Message, concrete: &Message| may_be(known, concrete);
    let objects = known.states().zip(concrete.states());
    let same_objects = objects.into_iter().all(|(known, concrete)| {
        let inbox = known.inbox.iter().zip(&concrete.inbox);
        let deferred = known.deferred.iter().zip(&concrete.deferred);
        let mut queued = inbox.chain(deferred);
        known.regions == concrete.regions
            && values(&known.values, &concrete.values)
            && known.inbox.len() == concrete.inbox.len()
            && known.deferred.len() == concrete.deferred.len()
            && queued.all(|(known, concrete)| messages(known, concrete))
    });
    let threads = known.threads.iter().zip(&concrete.threads);
    let same_threads = threads.into_iter().all(|(known, concrete)| {
        let mut queued = known.queue.iter().zip(&concrete.queue);
        known.running == concrete.running
            && known.queue.len() == concrete.queue.len()
            && queued.all(|((a, known), (b, concrete))| a == b && messages(known, concrete))
    });
    values(&known.globals, &concrete.globals) && same_objects && same_threads
}

/// Gives a variable the value nearest to 0 that the abstract configuration allows, where its own is
/// not allowed.
fn take_over(model: &Model, known: &Configuration, concrete: &mut Configuration, place: Place) {
    for slot in place.slots(model) {
        let (known, own) = (slot.value(known), slot.value(concrete));
        if let (Some(numbers), false) = (known.numbers(), known.may_be(own)) {
            let nearest = numbers.low().max(numbers.high().min(0));
            let member = numbers.contains(nearest);
            slot.set(
                concrete,
                Value::Int(if member { nearest } else { numbers.low() }),
            );
        }
    }
}
