//! A DVE program as components: each variable, each process's state and each channel is one, unless
//! nothing ever changes it.

use super::DveSystem;
use super::accesses::Recording;
use super::groups::{DveGroup, Move, meets, transition};
use crate::dve::evaluate::{Failed, World, holds, perform};
use crate::dve::{
    ASSERTION_FAILURE, DEADLOCK, DveState, DveValue, Expr, Part, Sync, Transition, content, join,
    put,
};
use crate::system::{DeadlockInfo, Factored, GroupId, GroupResult, Groups, Projection, Read};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DveUpdate {
    /// A message is taken, then others are put at the end.
    Queue { pops: usize, pushes: Vec<Vec<i32>> },
}

/// Whether a process's state is committed.
pub(super) const COMMITTED: Projection = Projection(1);
/// How many messages wait in a channel.
pub(super) const WAITING: Projection = Projection(2);
/// The message that waits longest.
pub(super) const HEAD: Projection = Projection(3);

impl Factored for DveSystem<'_> {
    type Value = DveValue;
    type ValueUpdate = DveUpdate;

    fn name(&self, component: usize) -> String {
        match self.plan.parts[component] {
            Part::At(process) => self.program.processes[process].name.clone(),
            Part::Slot(slot) => self.program.name_of_slot(slot),
            Part::Channel(channel) => self.program.channels[channel].name.clone(),
        }
    }

    fn split(&self, state: &DveState) -> Vec<DveValue> {
        let mut canonical = state.clone();
        if let Some(dead) = &self.dead {
            dead.reset(&mut canonical);
        }
        let parts = self.plan.parts.iter();
        parts.map(|part| content(&canonical, *part)).collect()
    }

    fn join(&self, contents: &[&DveValue]) -> DveState {
        join(self.program, &self.plan.parts, contents)
    }

    fn put(&self, state: &mut DveState, component: usize, content: &DveValue) {
        put(state, self.plan.parts[component], content);
    }

    /// Processes with their own variables, then other variables, then channels.
    fn owner(&self, component: usize) -> usize {
        let processes = self.program.processes.len();
        match self.plan.parts[component] {
            Part::At(process) => process,
            Part::Slot(slot) => self.plan.owners[slot],
            Part::Channel(channel) => processes + self.program.variables.len() + channel,
        }
    }

    fn groups(&self) -> Groups {
        let is_judging =
            |task: &GroupId| matches!(self.plan.jobs[task.0 as usize], DveGroup::Assertions(_));
        let (judging, always) = self.plan.always.iter().partition(|task| is_judging(task));
        Groups {
            count: self.plan.jobs.len(),
            always,
            judging,
        }
    }

    fn run(&self, task: GroupId, state: &DveState) -> GroupResult<DveValue, DveUpdate> {
        let mut recording = Recording::new(self, state);
        let mut then = Vec::new();
        let mut violated = Vec::new();
        match self.plan.jobs[task.0 as usize] {
            DveGroup::Commitment => then = self.movers(&mut recording),
            DveGroup::Process(process) => then = self.begun_by(&mut recording, process),
            DveGroup::WithCommitted(process) => {
                then = self.begun_with_committed(&mut recording, process)
            }
            DveGroup::Offer(sender, partner) => {
                then = self.takers(&mut recording, sender, partner, false)
            }
            DveGroup::OfferToCommitted(sender, partner) => {
                then = self.takers(&mut recording, sender, partner, true);
            }
            DveGroup::Group(process, state, group) => {
                self.take_alone(&mut recording, &self.plan.groups[process][state][group]);
            }
            DveGroup::Handshake(sender, receiver) => {
                self.handshake(&mut recording, sender, receiver)
            }
            DveGroup::Assertions(process) => {
                let at = recording.at(process);
                let mut assertions = self.program.processes[process].states[at].assertions.iter();
                let fails = |(condition, _): &(Expr, _)| {
                    !holds(Some(condition), &mut recording).unwrap_or(false)
                };
                violated.extend(assertions.any(fails).then_some(ASSERTION_FAILURE));
            }
        }
        GroupResult {
            reads: recording.reads,
            then: then.into_iter().map(|job| self.plan.tasks[&job]).collect(),
            violated,
            transitions: recording.transitions,
        }
    }

    fn projection(&self, read: Read, content: &DveValue) -> DveValue {
        match (read.projection, content) {
            (COMMITTED, DveValue::Number(at)) => {
                let Part::At(process) = self.plan.parts[read.component] else {
                    unreachable!("only processes commit themselves");
                };
                let state = &self.program.processes[process].states[*at as usize];
                DveValue::Number(i32::from(state.is_committed))
            }
            (WAITING, DveValue::Queue(queue)) => DveValue::Number(queue.len() as i32),
            (HEAD, DveValue::Queue(queue)) => DveValue::Message(queue.first().cloned()),
            _ => unreachable!("a projection of another component"),
        }
    }

    fn apply(&self, change: &DveUpdate, content: &DveValue) -> DveValue {
        let (DveUpdate::Queue { pops, pushes }, DveValue::Queue(queue)) = (change, content) else {
            unreachable!("only queues change by parts");
        };
        let mut queue = queue[(*pops).min(queue.len())..].to_vec();
        queue.extend(pushes.iter().cloned());
        DveValue::Queue(queue)
    }

    fn deadlock_info(&self, _: &DveState) -> DeadlockInfo {
        DeadlockInfo {
            is_deadlock: true,
            violated: vec![DEADLOCK],
        }
    }
}

/// What each job does.
impl DveSystem<'_> {
    fn movers(&self, recording: &mut Recording<'_>) -> Vec<DveGroup> {
        let processes = 0..self.program.processes.len();
        let committed: Vec<bool> = processes
            .clone()
            .map(|process| recording.is_committed(process))
            .collect();
        if !committed.contains(&true) {
            return processes.map(DveGroup::Process).collect();
        }
        let job = |process: usize| match committed[process] {
            true => DveGroup::Process(process),
            false => DveGroup::WithCommitted(process),
        };
        processes.map(job).collect()
    }

    /// The transitions that start where a process is.
    fn moves(&self, recording: &mut Recording<'_>, process: usize) -> Vec<Move> {
        let at = recording.at(process);
        let transitions = self.program.processes[process]
            .transitions
            .iter()
            .enumerate();
        let here = transitions.filter(|(_, transition)| transition.from == at);
        here.map(|(number, _)| (process, number)).collect()
    }

    /// The first group of transitions at once; the others, and handshakes, later.
    fn begun_by(&self, recording: &mut Recording<'_>, process: usize) -> Vec<DveGroup> {
        let moves = self.moves(recording, process).into_iter();
        let offers = moves.flat_map(|moved| {
            let partners = self.offers(moved);
            partners.map(move |partner| DveGroup::Offer(moved, partner))
        });
        let state = recording.at(process);
        let groups = &self.plan.groups[process][state];
        let later = (1..groups.len()).map(|group| DveGroup::Group(process, state, group));
        let jobs = later.chain(offers).collect();
        self.take_alone(recording, &groups[0]);
        jobs
    }

    fn take_alone(&self, recording: &mut Recording<'_>, moves: &[Move]) {
        moves.iter().for_each(|moved| self.alone(recording, *moved));
    }

    fn begun_with_committed(&self, recording: &mut Recording<'_>, process: usize) -> Vec<DveGroup> {
        let moves = self.moves(recording, process).into_iter();
        let offers = moves.flat_map(|moved| {
            let partners = self.offers(moved);
            partners.map(move |partner| DveGroup::OfferToCommitted(moved, partner))
        });
        offers.collect()
    }

    /// The processes that could take what a transition sends, if it needs one.
    fn offers(&self, moved: Move) -> impl Iterator<Item = usize> {
        let partners = 0..self.program.processes.len();
        partners.filter(move |partner| {
            self.plan
                .tasks
                .contains_key(&DveGroup::Offer(moved, *partner))
        })
    }

    fn takers(
        &self,
        recording: &mut Recording<'_>,
        sender: Move,
        partner: usize,
        only_committed: bool,
    ) -> Vec<DveGroup> {
        if only_committed && !recording.is_committed(partner) {
            return Vec::new();
        }
        let moves = self.moves(recording, partner).into_iter();
        let handshakes = moves.map(|receiver| DveGroup::Handshake(sender, receiver));
        handshakes
            .filter(|job| self.plan.tasks.contains_key(job))
            .collect()
    }

    fn alone(&self, recording: &mut Recording<'_>, moved: Move) {
        let transition = transition(self.program, moved);
        match holds(transition.guard.as_ref(), recording) {
            Ok(false) => return,
            Err(Failed) => return recording.fails(),
            Ok(true) => {}
        }
        let has_room = match &transition.sync {
            Some(_) if meets(self.program, transition) => false, // only its guard was to be looked at
            Some(Sync::Send { channel, .. }) => {
                recording.waiting(*channel) < self.program.channels[*channel].capacity
            }
            Some(Sync::Receive { channel, .. }) => recording.waiting(*channel) > 0,
            None => true,
        };
        if has_room {
            self.take(recording, &[(moved.0, transition)]);
        }
    }

    /// A guard that fails has been reported with its process.
    fn handshake(&self, recording: &mut Recording<'_>, sender: Move, receiver: Move) {
        let pair = [sender, receiver].map(|moved| (moved.0, transition(self.program, moved)));
        let mut guards = pair.iter().map(|(_, transition)| transition.guard.as_ref());
        if guards.all(|guard| matches!(holds(guard, recording), Ok(true))) {
            self.take(recording, &pair);
        }
    }

    fn take(&self, recording: &mut Recording<'_>, transitions: &[(usize, &Transition)]) {
        match perform(self.program, recording, transitions) {
            Ok(()) => recording.succeeds(),
            Err(Failed) => recording.fails(),
        }
    }
}
