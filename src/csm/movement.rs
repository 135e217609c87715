//! From state to state: leaving, entering, history, choices (Meller 1.6 `dest`, Ojala 2.2.5).
//!
//! A transition leaves everything in the innermost region that holds its sources and its target,
//! runs its effect, and enters the target from there. Innermost states are left first, outermost
//! entered first (UML 2.5, 14.2.3.9.6).

use super::choices::Cause;
use super::evaluate::Location;
use super::journal::{self, Action};
use super::precision::Precision;
use super::queues::QueueChange;
use super::run::Run;
use super::step::Halt;
use crate::lang::{
    Branch, Choice, ChoiceId, FaultKind, HistoryKind, Machine, Message, RegionId, StateId, Subject,
    TOP, Target, Transition, TransitionBinding, TransitionId, limits,
};

/// The region that a transition empties and fills again; none for an internal one.
pub(crate) fn scope_of(machine: &Machine, transition: &Transition) -> Option<RegionId> {
    let target = region_of(machine, &transition.target)?;
    let sources = transition
        .sources
        .iter()
        .map(|state| machine.state(*state).region);
    Some(sources.fold(target, |scope, region| machine.common_region(scope, region)))
}

/// The largest region that a transition may empty, wherever its choices lead.
pub(super) fn reach_of(machine: &Machine, transition: &Transition) -> Option<RegionId> {
    let targets = machine.possible_targets(&transition.target).into_iter();
    let regions = targets.map(|state| machine.state(state).region);
    Some(
        regions.fold(scope_of(machine, transition)?, |reach, region| {
            machine.common_region(reach, region)
        }),
    )
}

/// The innermost region that holds all of a target; none for an internal transition.
pub(crate) fn region_of(machine: &Machine, target: &Target) -> Option<RegionId> {
    match target {
        Target::Internal => None,
        Target::States(states) => {
            let regions = states.iter().map(|state| machine.state(*state).region);
            regions.reduce(|one, other| machine.common_region(one, other))
        }
        Target::History(state, _) => Some(machine.state(*state).region),
        Target::Choice(choice) => Some(machine.choice(*choice).region),
    }
}

/// What is to be entered below a region.
#[derive(Clone, Copy)]
struct Entry<'t> {
    states: &'t [StateId],
    /// This state's regions (and, if deep, those inside) are entered where they were left.
    history: Option<(StateId, HistoryKind)>,
}

impl<'a, P: Precision> Run<'a, P> {
    fn machine(&self) -> &'a Machine {
        self.model.machine_of(self.actor)
    }

    /// Enters the initial states of the actor.
    pub(super) fn start(&mut self) -> Result<(), Halt> {
        let entry = Entry {
            states: &[],
            history: None,
        };
        self.enter(TOP, entry)
    }

    /// Takes transitions one after the other; the message has been removed from its queue.
    pub(super) fn fire(
        &mut self,
        transitions: &[TransitionId],
        message: Option<&Message>,
    ) -> Result<(), Halt> {
        for id in transitions {
            let transition = self.machine().transition(*id);
            if let Some(message) = message {
                self.receive(transition, message)?;
            }
            self.take(transition)?;
        }
        Ok(())
    }

    /// Ojala 2.2.1: the parameters of the message go to the names that the trigger gives them.
    pub(super) fn receive(
        &mut self,
        transition: &Transition,
        message: &Message,
    ) -> Result<(), Halt> {
        let Some(trigger) = transition.trigger_for(message.signal) else {
            return Ok(()); // `rhapsody_triggers`: the message is lost
        };
        journal::act(self.actor, || {
            Action::Receive(message.clone(), self.places_of(&trigger.bindings))
        });
        let bound = trigger.bindings.iter().zip(message.arguments.iter());
        for (index, (binding, value)) in bound.enumerate() {
            let ty = &self.model.signal(message.signal).parameters[index].1;
            let parameter = Subject::Parameter(message.signal, index);
            let known = |run: &mut Self| {
                let outcomes = run.precision.read(parameter, ty, *value);
                run.pick(outcomes)
            };
            match binding {
                TransitionBinding::Ignored => {}
                TransitionBinding::Local(slot) => {
                    let value = known(self);
                    self.bind(slot.index(), value);
                    self.learnt.bind(slot.index(), index);
                }
                TransitionBinding::Variable(variable) => {
                    let declared = &self.model.class_of(self.actor).variables[variable.index()];
                    let location = self.own_field(*variable, declared.offset);
                    let value = known(self);
                    journal::parameter(message.signal, index, value, transition.span);
                    self.write(location, &declared.ty, value, transition.span)?;
                }
            }
        }
        Ok(())
    }

    /// Where the parameters of a message go.
    fn places_of(&self, bindings: &[TransitionBinding]) -> Vec<Option<Location>> {
        let place = |binding: &TransitionBinding| match binding {
            TransitionBinding::Ignored => None,
            TransitionBinding::Local(slot) => Some(Location::Local(slot.index())),
            TransitionBinding::Variable(variable) => {
                let declared = &self.model.class_of(self.actor).variables[variable.index()];
                Some(self.own_field(*variable, declared.offset))
            }
        };
        bindings.iter().map(place).collect()
    }

    fn take(&mut self, transition: &'a Transition) -> Result<(), Halt> {
        let Some(scope) = scope_of(self.machine(), transition) else {
            return self.block(&transition.effect);
        };
        self.leave(scope, None)?;
        self.block(&transition.effect)?;
        self.arrive(scope, &transition.target)
    }

    /// Goes on to a target, `scope` being left already.
    fn arrive(&mut self, mut scope: RegionId, mut target: &'a Target) -> Result<(), Halt> {
        let mut last = None;
        for _ in 0..=limits::CHOICE_CHAIN {
            match target {
                Target::Internal => return Ok(()),
                Target::States(states) => {
                    return self.enter(
                        scope,
                        Entry {
                            states,
                            history: None,
                        },
                    );
                }
                Target::History(state, kind) => {
                    let states = std::slice::from_ref(state);
                    let history = Some((*state, *kind));
                    return self.enter(scope, Entry { states, history });
                }
                Target::Choice(choice) => {
                    last = Some(*choice);
                    let branch = self.branch(*choice)?;
                    let region = region_of(self.machine(), &branch.target).unwrap_or(scope);
                    let wider = self.machine().common_region(scope, region);
                    self.leave(wider, Some(scope))?;
                    self.block(&branch.effect)?;
                    scope = wider;
                    target = &branch.target;
                }
            }
        }
        let message = format!("more than {} choices in one step", limits::CHOICE_CHAIN);
        let choice = last.map(|choice| self.machine().choice(choice));
        let span = choice.map(|choice| choice.span).unwrap_or_default();
        Err(self.fault(FaultKind::ReferenceFault, span, message))
    }

    /// A branch whose condition holds now; any of them if several do.
    fn branch(&mut self, id: ChoiceId) -> Result<&'a Branch, Halt> {
        let choice = self.machine().choice(id);
        let mut open = self.open_branches(choice, false)?;
        if open.is_empty() {
            open = self.open_branches(choice, true)?;
        }
        if open.is_empty() {
            let message = format!("no branch of choice {} can be taken", choice.name);
            return Err(self.fault(FaultKind::ReferenceFault, choice.span, message));
        }
        let picked = open[self.choices.pick(Cause::Model, open.len())];
        self.branches.push((id, picked));
        Ok(&choice.branches[picked])
    }

    /// The branches whose condition holds: those with `[else]`, or the others.
    fn open_branches(&mut self, choice: &Choice, otherwise: bool) -> Result<Vec<usize>, Halt> {
        let mut open = Vec::new();
        for (index, branch) in choice.branches.iter().enumerate() {
            if branch.otherwise == otherwise && self.branch_holds(branch)? {
                open.push(index);
            }
        }
        Ok(open)
    }

    fn branch_holds(&mut self, branch: &Branch) -> Result<bool, Halt> {
        let Some(condition) = &branch.condition else {
            return Ok(true);
        };
        let holds = self.holds(condition)?;
        journal::act(self.actor, || Action::Condition(holds));
        Ok(holds)
    }

    /// Leaves the active state of a region and all inside it, except what is in `left`, where
    /// nobody is any more.
    fn leave(&mut self, region: RegionId, left: Option<RegionId>) -> Result<(), Halt> {
        if left == Some(region) {
            return Ok(());
        }
        let state = self.configuration.object(self.actor).regions[region.index()];
        let Some(state) = state else { return Ok(()) };
        let declared = self.machine().state(state);
        for inner in &declared.regions {
            self.leave(*inner, left)?;
        }
        self.block(&declared.exit)?;
        let declared_region = self.machine().region(region);
        let memory = match declared.is_final {
            true => declared_region.fresh(), // it has ended
            false => declared_region.remembers.then_some(state),
        };
        self.configuration.object_mut(self.actor).regions[region.index()] = memory;
        Ok(())
    }

    fn enter(&mut self, region: RegionId, entry: Entry<'_>) -> Result<(), Halt> {
        let state = match self.explicit(region, entry.states) {
            Some(state) => state,
            None => self.default_state(region, entry)?,
        };
        self.configuration.object_mut(self.actor).regions[region.index()] = Some(state);
        let declared = self.machine().state(state);
        self.block(&declared.entry)?;
        if declared.flushes && declared.regions.is_empty() {
            self.flush();
        }
        for inner in &declared.regions {
            self.enter(*inner, entry)?;
        }
        Ok(())
    }

    /// The state of this region that is, or holds, one of the given.
    fn explicit(&self, region: RegionId, states: &[StateId]) -> Option<StateId> {
        let machine = self.machine();
        let mut around = states
            .iter()
            .flat_map(|state| machine.states_around(*state));
        around.find(|state| machine.state(*state).region == region)
    }

    fn default_state(&mut self, region: RegionId, entry: Entry<'_>) -> Result<StateId, Halt> {
        let declared = self.machine().region(region);
        let restored = entry.history.is_some_and(|(state, kind)| match kind {
            HistoryKind::Shallow => declared.parent == Some(state),
            HistoryKind::Deep => self.machine().region_is_inside(region, state),
        });
        let last = self.configuration.object(self.actor).regions[region.index()];
        if let (true, Some(last)) = (declared.history || restored, last) {
            return Ok(last);
        }
        self.block(&declared.initial_effect)?;
        Ok(declared.initial)
    }

    /// Ojala 2.2.5: deferred messages return to the front of the queue, in their order.
    fn flush(&mut self) {
        self.change_queue(self.actor, QueueChange::Flush(self.actor));
    }
}
