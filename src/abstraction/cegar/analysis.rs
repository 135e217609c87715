//! Why an abstract counterexample is spurious (Ojala chapter 5).
//!
//! The trace and the concrete run beside it are replayed action by action. Where they part, some
//! expression came out differently; the locations that it read are relevant, and, going backwards,
//! those that their values came from. The first action that gave a relevant location a value that
//! does not correspond is to blame.

use std::collections::{BTreeSet, HashMap};

use super::concretize::{Made, may_be};
use super::message_origin::MessageOrigins;
use super::relevance::{propagate, relevant_in};
use crate::abstraction::{Abstract, Place};
use crate::csm::{
    Action, Configuration, Entry, Event, Exact, Location, Node, Origin, Semantics, Step, queue_of,
};
use crate::evidence::Trace;
use crate::lang::{Message, Model, ObjectId, PropertyBody, SignalId};

/// A location, or a parameter of a message, by the action that sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// Only while one step lasts.
    Local(usize),
    Global(usize),
    Field(ObjectId, usize),
    Parameter(usize, usize),
}

/// One action in both models.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The step that it belongs to; 0 is the start.
    pub step: usize,
    pub concrete: Entry,
    pub known: Entry,
    /// The messages that are received, by the actions that sent them.
    pub received: Option<(Option<usize>, Option<usize>)>,
}

/// Two expressions that came out differently, or could have.
#[derive(Clone, Debug)]
pub struct Difference {
    pub concrete: Vec<Node>,
    pub known: Vec<Node>,
}

/// The analysis of one spurious trace.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    pub pairs: Vec<Pair>,
    /// Before each action, and after the last, what is relevant.
    pub relevant: Vec<BTreeSet<Spot>>,
    /// The step where the two part.
    pub parted_at: usize,
    /// Why, in words.
    pub reason: String,
    pub blame: Option<Blame>,
}

impl Analysis {
    /// Before each step the names of what is relevant.
    pub fn relevant_names(&self, model: &Model) -> Vec<Vec<String>> {
        let steps = 0..=self.parted_at;
        let before = |step: usize| {
            let first = self.pairs.iter().position(|pair| pair.step >= step);
            let first = first.unwrap_or(self.pairs.len());
            let spots = self.relevant.get(first).or(self.relevant.last());
            let spots = spots.filter(|_| first < self.relevant.len());
            spots
                .into_iter()
                .flatten()
                .filter_map(|spot| self.name(model, *spot))
                .collect()
        };
        steps.map(before).collect()
    }

    fn name(&self, model: &Model, spot: Spot) -> Option<String> {
        match spot {
            Spot::Local(_) => None,
            Spot::Global(slot) => {
                let mut all = model.globals.iter();
                all.find(|v| (v.offset..v.offset + v.ty.length()).contains(&slot))
                    .map(|variable| variable.name.clone())
            }
            Spot::Field(object, slot) => {
                let mut all = model.class_of(object).variables.iter();
                let found = all.find(|v| (v.offset..v.offset + v.ty.length()).contains(&slot));
                found.map(|v| format!("{}.{}", model.object(object).name, v.name))
            }
            Spot::Parameter(sender, number) => match &self.pairs.get(sender)?.concrete.action {
                Action::Send { message, .. } => {
                    let signal = model.signal(message.signal);
                    let parameter = &signal.parameters.get(number)?.0;
                    Some(format!("{}.{parameter}", signal.name))
                }
                _ => None,
            },
        }
    }
}

/// What gave a relevant location a value that does not correspond.
#[derive(Clone, Debug)]
pub struct Blame {
    pub difference: Difference,
    /// Where the value was stored, if it was.
    pub target: Option<Place>,
    /// The actions before it in the same step: they gave local names their values.
    pub before: std::ops::Range<usize>,
    pub step: usize,
    /// Which parameters local names stand for, where a guard is to blame.
    pub parameters: HashMap<Spot, Place>,
}

/// Which of the locations that a value was computed from are followed backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// All of them, as in the source.
    All,
    /// Those whose values do not correspond, if there are any.
    Differing,
}

pub struct Sides<'a, 'm> {
    pub model: &'m Model,
    pub concrete: &'a Semantics<'m, Exact>,
    pub known: &'a Semantics<'m, Abstract<'m>>,
    /// Variables that are not to be blamed: their values are taken as the abstract run has them.
    pub believed: &'a BTreeSet<Place>,
}

/// What the local names of a guard stand for: parameters of the message at hand.
#[derive(Clone, Debug, Default)]
struct Names {
    places: HashMap<Spot, Place>,
    /// The number of each parameter.
    numbers: HashMap<Spot, usize>,
    /// Who sent the message, in both models.
    received: (Option<usize>, Option<usize>),
}

impl Names {
    /// A local name as the parameter that it stands for, if both models got the same message.
    fn meaning(&self, spot: Spot) -> Spot {
        match self.received {
            (Some(one), Some(other)) if one == other => {
                let number = self.numbers.get(&spot);
                number.map_or(spot, |number| Spot::Parameter(one, *number))
            }
            _ => spot,
        }
    }
}

/// How the two runs end.
enum Parting {
    /// An expression comes out differently.
    Differently(Difference, String),
    /// A guard does, whose local names stand for these parameters.
    Guard(Difference, String, Names),
    /// The messages at hand are not the same.
    Messages(ObjectId, String),
}

impl Sides<'_, '_> {
    pub fn analyse(
        &self,
        trace: &Trace,
        run: &[Made],
        stuck_at: Option<usize>,
        property: usize,
        relevance: Relevance,
    ) -> Analysis {
        let mut analysis = Analysis::default();
        let mut mailboxes = MessageOrigins::default();
        let mut parting = None;
        for (index, made) in run.iter().enumerate() {
            let known_before = trace.before(index);
            let step = &trace.steps[index].step;
            parting = self.pair_up(
                index,
                made,
                known_before,
                step,
                &mut analysis,
                &mut mailboxes,
            );
            if parting.is_some() {
                analysis.parted_at = index;
                break;
            }
        }
        let parting = parting.unwrap_or_else(|| {
            let index = stuck_at.unwrap_or(trace.steps.len());
            analysis.parted_at = index.min(trace.steps.len().saturating_sub(1));
            let concrete = run.last().and_then(|made| made.after.as_ref());
            let blank = Configuration::blank(self.model);
            let concrete = concrete.unwrap_or(&blank);
            match stuck_at {
                Some(index) => self.not_possible(trace, index, concrete, &mailboxes),
                None => self.harmless(trace, concrete, property, &mailboxes),
            }
        });
        self.find_blame(&mut analysis, parting, relevance);
        analysis
    }

    /// Makes a step again in both models, and pairs their actions; how they part, if they do.
    fn pair_up(
        &self,
        index: usize,
        made: &Made,
        known_before: &Configuration,
        known_step: &Step,
        analysis: &mut Analysis,
        mailboxes: &mut MessageOrigins,
    ) -> Option<Parting> {
        let (concrete, mut concrete_entries) = self.concrete.retrace(&made.before, &made.step)?;
        let (known, mut known_entries) = self.known.retrace(known_before, known_step)?;
        drop_guards(&mut concrete_entries);
        drop_guards(&mut known_entries);
        let received = mailboxes.receive(self.model, &concrete.step.event);
        let first = analysis.pairs.len();
        let mut parting = None;
        let mut pairs = concrete_entries.into_iter().zip(known_entries);
        for (concrete, known) in &mut pairs {
            let is_same = is_same_action(&concrete.action, &known.action);
            if !is_same {
                let difference = Difference {
                    concrete: concrete.nodes.clone(),
                    known: known.nodes.clone(),
                };
                parting = Some(Parting::Differently(difference, parted(&concrete, &known)));
                break;
            }
            let receives = matches!(concrete.action, Action::Receive(..));
            analysis.pairs.push(Pair {
                step: index,
                received: receives.then_some(received),
                concrete,
                known,
            });
        }
        mailboxes.send(&analysis.pairs[first..], first, &concrete, &known);
        parting
    }

    /// A step that is possible in the abstract model only.
    fn not_possible(
        &self,
        trace: &Trace,
        index: usize,
        concrete: &Configuration,
        mailboxes: &MessageOrigins,
    ) -> Parting {
        let step = &trace.steps[index].step;
        let event = match &step.event {
            Event::Whole(parts) => parts.first().map_or(&step.event, |part| &part.event),
            event => event,
        };
        let Some(object) = event.object() else {
            return nothing("it can't begin like this");
        };
        let known = trace.before(index);
        let (needed, at_hand) = self.messages(event, object, concrete);
        if let Some(signal) = needed
            && at_hand.as_ref().map(|message| message.signal) != Some(signal)
        {
            let name = &self.model.object(object).name;
            let signal = &self.model.signal(signal).name;
            return Parting::Messages(object, format!("{name} has no {signal} to take"));
        }
        let known_message = message_of(event).cloned();
        let known_entries = match self.known.retrace(known, step) {
            Some((_, entries)) => entries,
            None => self.known.guards(known, object, known_message.as_ref()),
        };
        let concrete_entries = self.concrete.guards(concrete, object, at_hand.as_ref());
        let received = mailboxes.receive(self.model, event);
        self.guards_differ(&concrete_entries, &known_entries, object, received)
    }

    /// The signal that an event needs, and the message that is at hand in the concrete model.
    fn messages(
        &self,
        event: &Event,
        object: ObjectId,
        concrete: &Configuration,
    ) -> (Option<SignalId>, Option<Message>) {
        let Some(message) = message_of(event) else {
            let dispatched = concrete.object(object).dispatched.clone();
            return (None, dispatched);
        };
        let from_outside = matches!(
            event,
            Event::Fire {
                origin: Origin::Environment,
                ..
            } | Event::Consume {
                origin: Origin::Environment,
                ..
            } | Event::Defer {
                origin: Origin::Environment,
                ..
            } | Event::Dispatch {
                origin: Origin::Environment,
                ..
            } | Event::Environment { .. }
        );
        let at_hand = match from_outside {
            // An abstract message has sets of numbers, which the concrete model can't compute with.
            true => {
                let mut offered = self.model.object(object).from_environment.iter();
                offered.find(|offered| may_be(message, offered)).cloned()
            }
            false => {
                let dispatched = concrete.object(object).dispatched.clone();
                let first = concrete.first_message(queue_of(self.model, object));
                dispatched.or(first)
            }
        };
        (Some(message.signal), at_hand)
    }

    /// The first guard that comes out differently; or all that were looked at.
    fn guards_differ(
        &self,
        concrete: &[Entry],
        known: &[Entry],
        object: ObjectId,
        received: (Option<usize>, Option<usize>),
    ) -> Parting {
        let mut names = Names {
            received,
            ..Names::default()
        };
        for entry in concrete {
            if let Action::Receive(message, places) = &entry.action {
                for (number, place) in places.iter().enumerate() {
                    if let Some(location) = place {
                        let place = Place::Parameter(message.signal, number as u32);
                        names.places.insert(spot(*location), place);
                        names.numbers.insert(spot(*location), number);
                    }
                }
            }
        }
        let guards = |entries: &[Entry]| {
            let mut found: Vec<(u32, bool, Vec<Node>)> = Vec::new();
            for entry in entries {
                if let Action::Guard { transition, holds } = entry.action {
                    found.push((transition.0, holds, entry.nodes.clone()));
                }
            }
            found
        };
        let (concrete, known) = (guards(concrete), guards(known));
        let pairs = concrete.iter().filter_map(|(id, holds, nodes)| {
            let other = known.iter().find(|(other, ..)| other == id)?;
            Some((*id, *holds, nodes, other.1, &other.2))
        });
        let pairs: Vec<_> = pairs.collect();
        let differing = pairs.iter().find(|(_, holds, _, other, _)| holds != other);
        let open = |nodes: &[Node]| nodes.iter().any(is_open);
        let chosen = differing.or_else(|| pairs.iter().find(|(.., known)| open(known)));
        let Some((id, holds, concrete, _, known)) = chosen else {
            return nothing("the step is not possible");
        };
        let transition = crate::lang::TransitionId(*id);
        let label = self.model.transition_label(object, transition);
        let name = &self.model.object(object).name;
        let truth = if *holds { "true" } else { "false" };
        let difference = Difference {
            concrete: (*concrete).clone(),
            known: (*known).clone(),
        };
        let reason = format!("the guard of `{label}` is {truth} for {name}");
        Parting::Guard(difference, reason, names)
    }

    /// All steps are possible, but the end violates nothing.
    fn harmless(
        &self,
        trace: &Trace,
        concrete: &Configuration,
        property: usize,
        mailboxes: &MessageOrigins,
    ) -> Parting {
        let Some(known) = trace.steps.last().and_then(|step| step.after.as_ref()) else {
            return nothing("the last step does not fail");
        };
        let declared = &self.model.properties[property];
        if let PropertyBody::Always(_) = declared.body {
            let concrete = self.concrete.property_nodes(concrete, property);
            let known = self.known.property_nodes(known, property);
            let fails = |entry: &&Entry| entry.action == Action::Assert(false);
            if let (Some(concrete), Some(known)) = (concrete.first(), known.iter().find(fails)) {
                let difference = Difference {
                    concrete: concrete.nodes.clone(),
                    known: known.nodes.clone(),
                };
                let reason = format!("{} holds there", declared.name);
                return Parting::Differently(difference, reason);
            }
        }
        // A deadlock, or something else that guards decide.
        for object in self.model.object_ids() {
            let received = mailboxes.of(self.model, object);
            for (message, known_message) in self.at_hand(object, concrete, known) {
                let concrete = self.concrete.guards(concrete, object, message.as_ref());
                let known = self.known.guards(known, object, known_message.as_ref());
                let parting = self.guards_differ(&concrete, &known, object, received);
                if matches!(&parting, Parting::Guard(found, ..) if !found.known.is_empty()) {
                    return parting;
                }
            }
        }
        nothing("the property holds at its end")
    }

    /// The messages that an object may have to decide about, in both models.
    fn at_hand(
        &self,
        object: ObjectId,
        concrete: &Configuration,
        known: &Configuration,
    ) -> Vec<(Option<Message>, Option<Message>)> {
        let first = |at: &Configuration| {
            let dispatched = at.object(object).dispatched.clone();
            dispatched.or_else(|| at.first_message(queue_of(self.model, object)))
        };
        let mut messages = vec![(first(concrete), first(known))];
        let offered = &self.known.model().object(object).from_environment;
        for message in &self.model.object(object).from_environment {
            let known = offered.iter().find(|known| may_be(known, message));
            messages.push((Some(message.clone()), known.cloned()));
        }
        messages
    }

    fn find_blame(&self, analysis: &mut Analysis, parting: Parting, relevance: Relevance) {
        let end = analysis.pairs.len();
        let mut names = Names::default();
        let (position, difference) = match parting {
            Parting::Differently(difference, reason) => {
                analysis.reason = reason;
                (end, difference)
            }
            Parting::Guard(difference, reason, meant) => {
                analysis.reason = reason;
                names = meant;
                (end, difference)
            }
            Parting::Messages(object, reason) => {
                analysis.reason = reason;
                match first_other_target(&analysis.pairs, object) {
                    Some(position) => (position, target_of(&analysis.pairs[position])),
                    None => (
                        end,
                        Difference {
                            concrete: Vec::new(),
                            known: Vec::new(),
                        },
                    ),
                }
            }
        };
        let mut initial = BTreeSet::new();
        relevant_in(&difference, &mut initial);
        let initial = initial
            .into_iter()
            .map(|spot| names.meaning(spot))
            .collect();
        match propagate(&analysis.pairs, position, initial, relevance) {
            Ok(relevant) => {
                analysis.relevant = relevant;
                analysis.blame = Some(self.blame(analysis, position, difference, names.places));
            }
            // The messages that were received are not the same: where they were sent is to blame.
            Err(restart) => {
                let difference = target_of(&analysis.pairs[restart]);
                let mut initial = BTreeSet::new();
                relevant_in(&difference, &mut initial);
                let pairs = &analysis.pairs;
                analysis.relevant = propagate(pairs, restart, initial, relevance)
                    .unwrap_or_else(|_| vec![BTreeSet::new(); restart + 1]);
                analysis.blame = Some(self.blame(analysis, restart, difference, HashMap::new()));
            }
        }
    }

    fn is_believed(&self, location: Location) -> bool {
        let place = location.subject().and_then(Place::of);
        place.is_some_and(|place| self.believed.contains(&place))
    }

    /// The first action before a position that gave a relevant location a value that does not
    /// correspond; otherwise the expressions that differ there.
    fn blame(
        &self,
        analysis: &Analysis,
        position: usize,
        difference: Difference,
        parameters: HashMap<Spot, Place>,
    ) -> Blame {
        let first_of = |step: usize| {
            let found = analysis.pairs.iter().position(|pair| pair.step == step);
            found.unwrap_or(analysis.pairs.len())
        };
        for (index, pair) in analysis.pairs[..position].iter().enumerate() {
            let after = analysis.relevant.get(index + 1);
            let is_relevant = |spot: Spot| after.is_some_and(|after| after.contains(&spot));
            let found = match (&pair.concrete.action, &pair.known.action) {
                (Action::Assign(at, concrete), Action::Assign(_, known))
                    if is_relevant(spot(*at))
                        && !known.may_be(*concrete)
                        && !self.is_believed(*at) =>
                {
                    let target = at.subject().and_then(Place::of);
                    Some((0, target))
                }
                (
                    Action::Send {
                        message: concrete, ..
                    },
                    Action::Send { message: known, .. },
                ) => {
                    let pairs = concrete.arguments.iter().zip(known.arguments.iter());
                    let differing = pairs.enumerate().find(|(number, (concrete, known))| {
                        is_relevant(Spot::Parameter(index, *number)) && !known.may_be(**concrete)
                    });
                    differing.map(|(number, _)| {
                        (
                            number + 1,
                            Some(Place::Parameter(concrete.signal, number as u32)),
                        )
                    })
                }
                _ => None,
            };
            if let Some((number, target)) = found {
                let node = |entry: &Entry| entry.nodes.get(number).cloned().into_iter().collect();
                return Blame {
                    difference: Difference {
                        concrete: node(&pair.concrete),
                        known: node(&pair.known),
                    },
                    target,
                    before: first_of(pair.step)..index,
                    step: pair.step,
                    parameters: HashMap::new(),
                };
            }
        }
        let step = match analysis.pairs.get(position) {
            Some(pair) => pair.step,
            None => analysis.parted_at,
        };
        Blame {
            difference,
            target: None,
            before: first_of(step).min(position)..position,
            step,
            parameters,
        }
    }
}

fn nothing(reason: &str) -> Parting {
    let difference = Difference {
        concrete: Vec::new(),
        known: Vec::new(),
    };
    Parting::Differently(difference, reason.to_owned())
}

fn parted(concrete: &Entry, known: &Entry) -> String {
    match (&concrete.action, &known.action) {
        (Action::Assert(true), _) => "the assertion holds".to_owned(),
        (Action::Condition(holds), _) => format!("a condition is {holds}"),
        (_, Action::Fault(kind)) => format!("there is no {}", kind.name().replace('_', " ")),
        _ => "the step does something else".to_owned(),
    }
}

/// What was looked at before the step was decided.
fn drop_guards(entries: &mut Vec<Entry>) {
    let begin = entries
        .iter()
        .position(|entry| entry.action == Action::Begin);
    entries.drain(..begin.map_or(0, |begin| begin + 1));
    entries.retain(|entry| !matches!(entry.action, Action::Begin | Action::Guard { .. }));
}

fn is_same_action(concrete: &Action, known: &Action) -> bool {
    match (concrete, known) {
        (Action::Condition(a), Action::Condition(b)) | (Action::Assert(a), Action::Assert(b)) => {
            a == b
        }
        (Action::Fault(a), Action::Fault(b)) => a == b,
        (Action::Receive(a, _), Action::Receive(b, _)) => a.signal == b.signal,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

fn message_of(event: &Event) -> Option<&Message> {
    match event {
        Event::Fire { message, .. } => message.as_ref(),
        Event::Consume { message, .. }
        | Event::Defer { message, .. }
        | Event::Dispatch { message, .. }
        | Event::Environment { message, .. } => Some(message),
        _ => None,
    }
}

/// Whether something in an expression is not known exactly.
pub fn is_open(node: &Node) -> bool {
    let among = matches!(node.value, Some(crate::lang::Value::Among(_)));
    among || node.parts.iter().any(is_open)
}

pub fn spot(location: Location) -> Spot {
    match location {
        Location::Local(slot) => Spot::Local(slot),
        Location::Global { slot, .. } => Spot::Global(slot),
        Location::Field { object, slot, .. } => Spot::Field(object, slot),
    }
}

/// Whether two expressions came out differently.
pub fn differs(concrete: &Node, known: &Node) -> bool {
    match (concrete.value, known.value) {
        (Some(concrete), Some(known)) => !known.may_be(concrete),
        (concrete, known) => concrete.is_some() != known.is_some(),
    }
}

/// The first send that went to an object in one model only.
pub fn first_other_target(pairs: &[Pair], object: ObjectId) -> Option<usize> {
    pairs
        .iter()
        .position(|pair| match (&pair.concrete.action, &pair.known.action) {
            (Action::Send { to: concrete, .. }, Action::Send { to: known, .. }) => {
                concrete != known && (*concrete == object || *known == object)
            }
            _ => false,
        })
}

fn target_of(pair: &Pair) -> Difference {
    let first = |entry: &Entry| entry.nodes.first().cloned().into_iter().collect();
    Difference {
        concrete: first(&pair.concrete),
        known: first(&pair.known),
    }
}
