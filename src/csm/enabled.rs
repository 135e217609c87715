//! Which transitions can be taken (Ojala 2.3, Meller 1.5), and which of them together (Meller 1.7).

use super::evaluate::Location;
use super::journal::{self, Action};
use super::movement::reach_of;
use super::precision::Precision;
use super::run::Run;
use super::step::Halt;
use crate::lang::{
    Machine, Message, Model, ObjectId, StateId, Subject, Transition, TransitionBinding,
    TransitionId, VariableId,
};

/// What a transition may answer to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Occasion<'m> {
    /// No message: transitions without a trigger.
    Spontaneous,
    /// This message: transitions that it triggers.
    Message(&'m Message),
    /// Either (`rhapsody_triggers`).
    MessageOrSpontaneous(&'m Message),
}

impl<'m> Occasion<'m> {
    /// What a message gives an object occasion to: under `interleaving` transitions without a
    /// trigger compete with the triggered ones, after a dispatch only with `rhapsody_triggers`.
    pub fn of(model: &Model, message: &'m Message) -> Occasion<'m> {
        match model.runs_to_completion() {
            Some(options) if !options.rhapsody_triggers => Occasion::Message(message),
            _ => Occasion::MessageOrSpontaneous(message),
        }
    }

    fn message(self) -> Option<&'m Message> {
        match self {
            Occasion::Spontaneous => None,
            Occasion::Message(message) | Occasion::MessageOrSpontaneous(message) => Some(message),
        }
    }

    fn admits(self, transition: &Transition) -> bool {
        match self {
            Occasion::Spontaneous => !transition.needs_message(),
            Occasion::Message(message) => transition.trigger_for(message.signal).is_some(),
            Occasion::MessageOrSpontaneous(message) => {
                !transition.needs_message() || transition.trigger_for(message.signal).is_some()
            }
        }
    }
}

/// A guard that could not be evaluated, and whose it is.
pub(super) type GuardFault = (TransitionId, Halt);

impl<P: Precision> Run<'_, P> {
    /// The enabled transitions of the actor.
    pub(super) fn enabled(&mut self, occasion: Occasion) -> Result<Vec<TransitionId>, GuardFault> {
        let machine = self.model.machine_of(self.actor);
        let mut ready = Vec::new();
        for id in machine.transition_ids() {
            if self.is_ready(id, occasion).map_err(|halt| (id, halt))? {
                ready.push(id);
            }
        }
        let is_else = |id: &TransitionId| machine.transition(*id).guard.otherwise;
        let beaten = |id: &TransitionId| {
            let this = machine.transition(*id);
            let beats = |other: &TransitionId| {
                let rival = machine.transition(*other);
                !is_else(other)
                    && rival.sources == this.sources
                    && rival.needs_message() == this.needs_message()
            };
            is_else(id) && ready.iter().any(beats)
        };
        let open: Vec<TransitionId> = ready.iter().copied().filter(|id| !beaten(id)).collect();
        self.choices.learnt = self.learnt.without_locals();
        Ok(innermost(machine, &open))
    }

    /// Source active, trigger matches, guard holds; nothing about other transitions.
    fn is_ready(&mut self, id: TransitionId, occasion: Occasion) -> Result<bool, Halt> {
        let machine = self.model.machine_of(self.actor);
        let transition = machine.transition(id);
        let state = self.configuration.object(self.actor);
        let active = |source: &StateId| state.is_active(machine, *source);
        if !occasion.admits(transition) || !transition.sources.iter().all(active) {
            return Ok(false);
        }
        if !transition.needs_message() && !self.is_complete(transition) {
            return Ok(false);
        }
        self.guard_holds(id, occasion.message())
    }

    /// A transition without a trigger leaves a composite state with final states only when every
    /// region that has one stands in it (UML 2.5, 14.2.3.8.3, completion).
    fn is_complete(&self, transition: &Transition) -> bool {
        let machine = self.model.machine_of(self.actor);
        let state = self.configuration.object(self.actor);
        let inner = transition
            .sources
            .iter()
            .flat_map(|source| &machine.state(*source).regions);
        inner.into_iter().all(|region| {
            let ends = |id: &StateId| machine.state(*id).is_final;
            let has_end = machine.region(*region).states.iter().any(ends);
            !has_end || state.regions[region.index()].as_ref().is_some_and(ends)
        })
    }

    /// The guard sees the message received (Ojala 2.3: evaluated in exec_recv(C, o, trig)); the
    /// configuration is as before afterwards.
    fn guard_holds(&mut self, id: TransitionId, message: Option<&Message>) -> Result<bool, Halt> {
        let transition = self.model.machine_of(self.actor).transition(id);
        if transition.guard.conditions.is_empty() {
            return Ok(true);
        }
        let trigger = message.and_then(|message| transition.trigger_for(message.signal));
        let stores = trigger.is_some_and(|trigger| {
            let mut bindings = trigger.bindings.iter();
            bindings.any(|binding| matches!(binding, TransitionBinding::Variable(_)))
        });
        let before = stores.then(|| self.configuration.clone());
        let known = self.learnt.clone();
        let result = self.guard_after_receiving(transition, message);
        if let Ok(holds) = result {
            journal::act(self.actor, || Action::Guard {
                transition: id,
                holds,
            });
        }
        if let Some(before) = before {
            self.configuration = before;
            self.learnt = known; // it may be about what was stored only for a moment
        }
        result
    }

    fn guard_after_receiving(
        &mut self,
        transition: &Transition,
        message: Option<&Message>,
    ) -> Result<bool, Halt> {
        if let Some(message) = message {
            self.receive(transition, message)?;
        }
        for condition in &transition.guard.conditions {
            if !self.holds(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn own_field(&self, variable: VariableId, slot: usize) -> Location {
        let object = self.actor;
        let subject = Subject::Field(self.model.object(object).class, variable);
        Location::Field {
            object,
            slot,
            subject,
        }
    }

    /// Whether an active state of the object defers the message.
    pub(super) fn defers(&self, object: ObjectId, message: &Message) -> bool {
        let machine = self.model.machine_of(object);
        let state = self.configuration.object(object);
        let active = state.active_states(machine);
        active
            .iter()
            .any(|state| machine.state(*state).defers.contains(&message.signal))
    }

    /// `enabled(o)` in properties: under `interleaving` with the message at the head of its inbox,
    /// under `run_to_completion` inside a step, with the message that was dispatched.
    pub(super) fn has_enabled_transition(&mut self, object: ObjectId) -> Result<bool, Halt> {
        let dispatched = self.configuration.object(object).dispatched.clone();
        let message = dispatched.or_else(|| self.head_of_inbox(object));
        let mut run = Run::of_object(
            self.model,
            self.precision,
            self.choices,
            &self.configuration,
            object,
        );
        let occasion = match &message {
            Some(message) => Occasion::of(self.model, message),
            None => Occasion::Spontaneous,
        };
        let enabled = run.enabled(occasion).map_err(|(_, halt)| halt)?;
        Ok(!enabled.is_empty())
    }
}

impl<P: Precision> Run<'_, P> {
    /// Under `run_to_completion` messages wait for the thread, not for the object.
    fn head_of_inbox(&self, object: ObjectId) -> Option<Message> {
        let has_inbox = self.model.runs_to_completion().is_none();
        let head = has_inbox.then(|| self.configuration.head(object.index()))?;
        head.map(|(_, message)| message.clone())
    }
}

/// Inner transitions go before outer ones.
fn innermost(machine: &Machine, open: &[TransitionId]) -> Vec<TransitionId> {
    let is_beaten = |id: &TransitionId| {
        let outer = &machine.transition(*id).sources;
        open.iter().any(|other| {
            let inner = &machine.transition(*other).sources;
            inner
                .iter()
                .any(|i| outer.iter().any(|o| machine.is_inside(*i, *o)))
        })
    };
    open.iter().copied().filter(|id| !is_beaten(id)).collect()
}

/// Whether two transitions of one machine can be taken in the same step: their sources are
/// orthogonal, and neither leaves what the other enters.
pub(super) fn compatible(machine: &Machine, one: TransitionId, other: TransitionId) -> bool {
    let (one, other) = (machine.transition(one), machine.transition(other));
    let orthogonal = one
        .sources
        .iter()
        .all(|a| other.sources.iter().all(|b| machine.orthogonal(*a, *b)));
    let apart = match (reach_of(machine, one), reach_of(machine, other)) {
        (Some(a), Some(b)) => {
            let common = machine.common_region(a, b);
            common != a && common != b
        }
        _ => true,
    };
    orthogonal && apart
}

/// maxORTH (Meller 1.7): the largest sets of transitions that can be taken together.
pub(super) fn maximal_sets(machine: &Machine, enabled: &[TransitionId]) -> Vec<Vec<TransitionId>> {
    let mut sets = Vec::new();
    extend_set(machine, enabled, &mut Vec::new(), 0, &mut sets);
    sets
}

fn extend_set(
    machine: &Machine,
    enabled: &[TransitionId],
    chosen: &mut Vec<TransitionId>,
    next: usize,
    sets: &mut Vec<Vec<TransitionId>>,
) {
    let fits = |id: &TransitionId, set: &[TransitionId]| {
        set.iter().all(|other| compatible(machine, *id, *other))
    };
    if next == enabled.len() {
        let could_grow = |id: &TransitionId| !chosen.contains(id) && fits(id, chosen);
        if !chosen.is_empty() && !enabled.iter().any(could_grow) {
            sets.push(chosen.clone());
        }
        return;
    }
    if fits(&enabled[next], chosen) {
        chosen.push(enabled[next]);
        extend_set(machine, enabled, chosen, next + 1, sets);
        chosen.pop();
    }
    extend_set(machine, enabled, chosen, next + 1, sets);
}

/// All orders of a set, the given one first.
pub(super) fn orders(set: &[TransitionId]) -> Vec<Vec<TransitionId>> {
    if set.len() <= 1 {
        return vec![set.to_vec()];
    }
    let mut all = Vec::new();
    for (index, first) in set.iter().enumerate() {
        let mut rest = set.to_vec();
        rest.remove(index);
        for order in orders(&rest) {
            all.push([&[*first], &order[..]].concat());
        }
    }
    all
}
