//! A DVE program as components: each variable, each process's state and each channel is one, unless
//! nothing ever changes it.

use std::collections::{HashMap, HashSet};

use super::dead::Dead;
use super::owners;
use super::world::{Failed, World, holds, perform};
use super::{ARITHMETIC_FAULT, ASSERTION_FAILURE, DEADLOCK, DveState, DveSystem};
use crate::dve::{Expr, Place, Program, Sync, Transition};
use crate::system::{
    DeadlockInfo, Factored, GroupId, GroupResult, Groups, LocalTransition, Projection, PropertyId,
    Read, Target, Update,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DveValue {
    Number(i32),
    Queue(Vec<Vec<i32>>),
    Message(Option<Vec<i32>>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DveUpdate {
    /// A message is taken, then others are put at the end.
    Queue { pops: usize, pushes: Vec<Vec<i32>> },
}

/// Whether a process's state is committed.
const COMMITTED: Projection = Projection(1);
/// How many messages wait in a channel.
const WAITING: Projection = Projection(2);
/// The message that waits longest.
const HEAD: Projection = Projection(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    At(usize),
    Slot(usize),
    Channel(usize),
}

/// A process and one of its transitions.
type Move = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum DveGroup {
    /// Which processes may move: all, or those that are committed.
    Commitment,
    /// All that a process can begin.
    Process(usize),
    /// What a process that is not committed can begin with one that is.
    WithCommitted(usize),
    /// One of the groups of transitions that start in a state of a process.
    Group(usize, usize, usize),
    /// A send that another process may take.
    Offer(Move, usize),
    OfferToCommitted(Move, usize),
    Handshake(Move, Move),
    Assertions(usize),
}

/// Which components and tasks a program has.
pub(super) struct Plan {
    parts: Vec<Part>,
    at: Vec<Option<usize>>,
    slots: Vec<Option<usize>>,
    channels: Vec<Option<usize>>,
    /// By slot: what it belongs to.
    owners: Vec<usize>,
    /// By process and state: transitions that it begins, in groups that look at few components.
    groups: Vec<Vec<Vec<Vec<Move>>>>,
    jobs: Vec<DveGroup>,
    tasks: HashMap<DveGroup, GroupId>,
    always: Vec<GroupId>,
}

impl Plan {
    pub fn new(program: &Program) -> Plan {
        let parts = parts(program);
        let find = |part: Part| parts.iter().position(|other| *other == part);
        let groups = groups(program, &parts);
        let (jobs, always) = jobs(program, &groups);
        let tasks: HashMap<DveGroup, GroupId> =
            jobs.iter().copied().zip((0..).map(GroupId)).collect();
        Plan {
            at: (0..program.processes.len())
                .map(|p| find(Part::At(p)))
                .collect(),
            slots: (0..program.slots.len())
                .map(|s| find(Part::Slot(s)))
                .collect(),
            channels: (0..program.channels.len())
                .map(|c| find(Part::Channel(c)))
                .collect(),
            always: always.iter().map(|job| tasks[job]).collect(),
            owners: owners::owners(program),
            parts,
            groups,
            jobs,
            tasks,
        }
    }
}

/// What can change, process by process: a process's own variables next to its state.
fn parts(program: &Program) -> Vec<Part> {
    let written = written_slots(program);
    let mut parts = Vec::new();
    let mut placed = vec![false; program.slots.len()];
    for (number, process) in program.processes.iter().enumerate() {
        if process.states.len() > 1 {
            parts.push(Part::At(number));
        }
        let own = program.variables.iter().filter(|v| {
            let owner = v.name.split_once('.');
            owner.is_some_and(|(owner, _)| owner == process.name)
        });
        for slot in own.flat_map(|v| v.first_slot..v.first_slot + v.length) {
            if written[slot] && !std::mem::replace(&mut placed[slot], true) {
                parts.push(Part::Slot(slot));
            }
        }
    }
    let shared = (0..program.slots.len()).filter(|slot| written[*slot] && !placed[*slot]);
    parts.extend(shared.map(Part::Slot));
    let buffered = program
        .channels
        .iter()
        .enumerate()
        .filter(|(_, c)| c.capacity > 0);
    parts.extend(buffered.map(|(channel, _)| Part::Channel(channel)));
    parts
}

fn written_slots(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.slots.len()];
    let mut write = |place: &Place| match &place.index {
        None => written[place.first_slot] = true,
        Some(index) => match **index {
            Expr::Number(index) if (0..place.length as i32).contains(&index) => {
                written[place.first_slot + index as usize] = true;
            }
            _ => written[place.first_slot..][..place.length].fill(true),
        },
    };
    for transition in program.processes.iter().flat_map(|p| &p.transitions) {
        transition
            .effects
            .iter()
            .for_each(|effect| write(&effect.place));
        if let Some(Sync::Receive { places, .. }) = &transition.sync {
            places.iter().for_each(&mut write);
        }
    }
    written
}

/// All jobs, and those that every state needs.
fn jobs(program: &Program, groups: &[Vec<Vec<Vec<Move>>>]) -> (Vec<DveGroup>, Vec<DveGroup>) {
    let processes = 0..program.processes.len();
    let may_commit = |p: usize| program.processes[p].states.iter().any(|s| s.is_committed);
    let asserts = |p: &usize| {
        program.processes[*p]
            .states
            .iter()
            .any(|s| !s.assertions.is_empty())
    };
    let mut always: Vec<DveGroup> = processes
        .clone()
        .filter(asserts)
        .map(DveGroup::Assertions)
        .collect();
    let mut jobs = Vec::new();
    if processes.clone().any(may_commit) {
        always.push(DveGroup::Commitment);
        jobs.extend(
            processes
                .clone()
                .flat_map(|p| [DveGroup::Process(p), DveGroup::WithCommitted(p)]),
        );
    } else {
        always.extend(processes.clone().map(DveGroup::Process));
    }
    jobs.extend(always.iter().copied());
    for process in processes.clone() {
        for number in 0..program.processes[process].transitions.len() {
            jobs.extend(jobs_of(program, (process, number)));
        }
        for (state, groups) in groups[process].iter().enumerate() {
            jobs.extend((1..groups.len()).map(|group| DveGroup::Group(process, state, group)));
        }
    }
    (jobs, always)
}

/// Components that a group of transitions may look at: one lesson for all of them needs fewer looks
/// than one for each, but there are as many lessons as combinations of what they look at.
const GROUP_LOOKS: usize = 6;

fn groups(program: &Program, parts: &[Part]) -> Vec<Vec<Vec<Vec<Move>>>> {
    let group = |process: usize, state: usize| {
        let mut groups: Vec<(HashSet<usize>, Vec<Move>)> = vec![(HashSet::new(), Vec::new())];
        let transitions = program.processes[process].transitions.iter().enumerate();
        for (number, transition) in transitions.filter(|(_, t)| t.from == state) {
            let meets = meets(program, transition);
            if meets && !transition.guard.as_ref().is_some_and(may_fail) {
                continue;
            }
            let reads = looks_of(program, parts, transition);
            let growth = |group: &HashSet<usize>| reads.difference(group).count();
            let fits = |group: &HashSet<usize>| {
                group.is_empty() || group.len() + growth(group) <= GROUP_LOOKS
            };
            let fitting = groups.iter_mut().filter(|(group, _)| fits(group));
            match fitting.min_by_key(|(group, _)| growth(group)) {
                Some((group, moves)) => {
                    group.extend(&reads);
                    moves.push((process, number));
                }
                None => groups.push((reads, vec![(process, number)])),
            }
        }
        groups.into_iter().map(|(_, moves)| moves).collect()
    };
    let states = |process: usize| 0..program.processes[process].states.len();
    let processes = 0..program.processes.len();
    processes
        .map(|process| states(process).map(|state| group(process, state)).collect())
        .collect()
}

/// The slots that a transition may look at; of an array with a variable index the first two stand
/// for those that it will look at in one state.
fn looks_of(program: &Program, parts: &[Part], transition: &Transition) -> HashSet<usize> {
    let mut slots = HashSet::new();
    let mut see = |expr: &Expr| slots_of(expr, &mut slots);
    transition.guard.iter().for_each(&mut see);
    for effect in &transition.effects {
        see(&effect.value);
        effect.place.index.as_deref().into_iter().for_each(&mut see);
    }
    if let Some(Sync::Send { values, .. }) = &transition.sync {
        values.iter().for_each(&mut see);
    }
    if let Some(Sync::Send { channel, .. } | Sync::Receive { channel, .. }) = &transition.sync {
        slots.insert(program.slots.len() + channel);
    }
    slots.retain(|slot| *slot >= program.slots.len() || parts.contains(&Part::Slot(*slot)));
    slots
}

fn slots_of(expr: &Expr, slots: &mut HashSet<usize>) {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => {}
        Expr::Read(place) => match place.index.as_deref() {
            None => slots.extend([place.first_slot]),
            Some(Expr::Number(index)) => {
                let inside = usize::try_from(*index)
                    .ok()
                    .filter(|index| *index < place.length);
                slots.extend(inside.map(|index| place.first_slot + index));
            }
            Some(index) => {
                slots.extend(place.first_slot..place.first_slot + place.length.min(2));
                slots_of(index, slots);
            }
        },
        Expr::Unary(_, operand) => slots_of(operand, slots),
        Expr::Binary(_, left, right, _) => {
            slots_of(left, slots);
            slots_of(right, slots);
        }
    }
}

fn jobs_of(program: &Program, sender: Move) -> Vec<DveGroup> {
    let mut jobs = Vec::new();
    let Some(Sync::Send { channel, .. }) = &transition(program, sender).sync else {
        return jobs;
    };
    if program.channels[*channel].capacity > 0 {
        return jobs;
    }
    for partner in (0..program.processes.len()).filter(|p| *p != sender.0) {
        let receivers = receivers(program, *channel, partner);
        if !receivers.is_empty() {
            jobs.extend([
                DveGroup::Offer(sender, partner),
                DveGroup::OfferToCommitted(sender, partner),
            ]);
        }
        jobs.extend(
            receivers
                .into_iter()
                .map(|receiver| DveGroup::Handshake(sender, receiver)),
        );
    }
    jobs
}

fn transition(program: &Program, (process, number): Move) -> &Transition {
    &program.processes[process].transitions[number]
}

/// The transitions of a process that take from a channel.
fn receivers(program: &Program, channel: usize, process: usize) -> Vec<Move> {
    let transitions = program.processes[process].transitions.iter().enumerate();
    let takes = |transition: &Transition| matches!(&transition.sync, Some(Sync::Receive { channel: from, .. }) if *from == channel);
    transitions
        .filter(|(_, transition)| takes(transition))
        .map(|(number, _)| (process, number))
        .collect()
}

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
        let state = canonical;
        let content = |part: &Part| match *part {
            Part::At(process) => DveValue::Number(state.processes[process] as i32),
            Part::Slot(slot) => DveValue::Number(state.values[slot]),
            Part::Channel(channel) => DveValue::Queue(state.channels[channel].clone()),
        };
        self.plan.parts.iter().map(content).collect()
    }

    fn join(&self, contents: &[&DveValue]) -> DveState {
        let mut state = self.initial_state();
        for (component, content) in contents.iter().enumerate() {
            self.put(&mut state, component, content);
        }
        state
    }

    fn put(&self, state: &mut DveState, component: usize, content: &DveValue) {
        match (self.plan.parts[component], content) {
            (Part::At(process), DveValue::Number(at)) => state.processes[process] = *at as u32,
            (Part::Slot(slot), DveValue::Number(value)) => state.values[slot] = *value,
            (Part::Channel(channel), DveValue::Queue(queue)) => {
                state.channels[channel].clone_from(queue);
            }
            _ => unreachable!("the content of another component"),
        }
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
            _ => unreachable!("a facet of another component"),
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

/// Whether a transition needs another process.
fn meets(program: &Program, transition: &Transition) -> bool {
    match &transition.sync {
        None => false,
        Some(Sync::Send { channel, .. } | Sync::Receive { channel, .. }) => {
            program.channels[*channel].capacity == 0
        }
    }
}

/// Whether evaluation can fail at all: by division, or by an index that is not a constant.
fn may_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) | Expr::InState { .. } => false,
        Expr::Read(place) => place.index.as_ref().is_some_and(|index| match **index {
            Expr::Number(index) => !(0..place.length as i32).contains(&index),
            _ => true,
        }),
        Expr::Unary(_, operand) => may_fail(operand),
        Expr::Binary(operator, left, right, _) => {
            matches!(*operator, "/" | "%") || may_fail(left) || may_fail(right)
        }
    }
}

/// A state that notes what is looked at, and keeps what is written apart.
struct Recording<'a> {
    plan: &'a Plan,
    dead: Option<&'a Dead>,
    /// Processes that have moved, and where to.
    moved: Vec<(usize, usize)>,
    program: &'a Program,
    state: &'a DveState,
    reads: Vec<Read>,
    updates: Vec<(usize, Update<DveValue, DveUpdate>)>,
    transitions: Vec<LocalTransition<DveValue, DveUpdate>>,
}

impl<'a> Recording<'a> {
    fn new(system: &'a DveSystem<'_>, state: &'a DveState) -> Recording<'a> {
        Recording {
            plan: &system.plan,
            dead: system.dead.as_ref(),
            moved: Vec::new(),
            program: system.program,
            state,
            reads: Vec::new(),
            updates: Vec::new(),
            transitions: Vec::new(),
        }
    }

    fn read(&mut self, component: Option<usize>, projection: Projection) {
        let read = component.map(|component| Read {
            component,
            projection,
        });
        let new = read.filter(|read| !self.reads.contains(read));
        self.reads.extend(new);
    }

    fn is_committed(&mut self, process: usize) -> bool {
        let states = &self.program.processes[process].states;
        if states.iter().any(|state| state.is_committed) {
            self.read(self.plan.at[process], COMMITTED);
        }
        states[self.state.processes[process] as usize].is_committed
    }

    /// What was written to a component during this step.
    fn written(&self, component: Option<usize>) -> Option<i32> {
        let written = self
            .updates
            .iter()
            .find(|(other, _)| Some(*other) == component);
        match written {
            Some((_, Update::Set(DveValue::Number(number)))) => Some(*number),
            _ => None,
        }
    }

    fn write(&mut self, component: Option<usize>, number: i32) {
        let component = component.expect("what is written is a component");
        self.updates.retain(|(other, _)| *other != component);
        let content = DveValue::Number(number);
        self.updates.push((component, Update::Set(content)));
    }

    fn succeeds(&mut self) {
        self.reset_dead();
        let updates = std::mem::take(&mut self.updates);
        self.end(Target::State(()), updates, Vec::new());
    }

    /// Gives dead variables their fixed value: those that a move has made dead, and those that were
    /// written while dead, which depends on where the process is that decides about them.
    fn reset_dead(&mut self) {
        let Some(dead) = self.dead else { return };
        let written: Vec<usize> = self
            .updates
            .iter()
            .map(|(component, _)| *component)
            .collect();
        for component in written {
            let Part::Slot(slot) = self.plan.parts[component] else {
                continue;
            };
            if let Some(decider) = dead.decider(slot) {
                let state = self.at(decider);
                if dead.is_dead(slot, decider, state) {
                    self.write(Some(component), 0);
                }
            }
        }
        for (process, state) in std::mem::take(&mut self.moved) {
            for slot in dead.at(process, state) {
                if self.plan.slots[*slot].is_some() {
                    self.write(self.plan.slots[*slot], 0);
                }
            }
        }
    }

    fn fails(&mut self) {
        self.moved.clear();
        self.updates.clear();
        self.end(Target::Error, Vec::new(), vec![ARITHMETIC_FAULT]);
    }

    fn end(
        &mut self,
        end: Target<()>,
        updates: Vec<(usize, Update<DveValue, DveUpdate>)>,
        violated: Vec<PropertyId>,
    ) {
        self.transitions.push(LocalTransition {
            end,
            updates,
            violated,
            is_progress: true,
        });
    }
}

/// A step does one thing to one channel, so its queue need not be followed.
impl World for Recording<'_> {
    fn value(&mut self, slot: usize) -> i32 {
        let component = self.plan.slots[slot];
        if let Some(number) = self.written(component) {
            return number;
        }
        self.read(component, Projection::WHOLE);
        self.state.values[slot]
    }

    fn set_value(&mut self, slot: usize, value: i32) {
        self.write(self.plan.slots[slot], value);
    }

    fn at(&mut self, process: usize) -> usize {
        let component = self.plan.at[process];
        if let Some(number) = self.written(component) {
            return number as usize;
        }
        self.read(component, Projection::WHOLE);
        self.state.processes[process] as usize
    }

    fn set_at(&mut self, process: usize, state: usize) {
        self.moved.push((process, state));
        if self.plan.at[process].is_some() {
            self.write(self.plan.at[process], state as i32);
        }
    }

    fn waiting(&mut self, channel: usize) -> usize {
        self.read(self.plan.channels[channel], WAITING);
        self.state.channels[channel].len()
    }

    fn push(&mut self, channel: usize, message: Vec<i32>) {
        let change = DveUpdate::Queue {
            pops: 0,
            pushes: vec![message],
        };
        let component = self.plan.channels[channel].expect("it has room");
        self.updates.push((component, Update::Apply(change)));
    }

    fn pop(&mut self, channel: usize) -> Vec<i32> {
        self.read(self.plan.channels[channel], HEAD);
        let change = DveUpdate::Queue {
            pops: 1,
            pushes: Vec::new(),
        };
        let component = self.plan.channels[channel].expect("it has room");
        self.updates.push((component, Update::Apply(change)));
        self.state.channels[channel][0].clone()
    }
}
