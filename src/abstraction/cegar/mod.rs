//! Counterexample-guided refinement: explore the abstract model, replay what is found on the concrete
//! one, and where it is spurious, find out why and refine the partitions.
//!
//! | file | what it does | source |
//! |---|---|---|
//! | `concretize` | is an abstract counterexample real? | Ojala 4, Pasareanu 4.2 |
//! | `guided` | the concrete model with few of its own choices | - |
//! | `message_origin` | which action sent a message | - |
//! | `analysis` | where do the runs part, and which action is to blame? | Ojala 5.1 |
//! | `relevance` | what led there | Ojala 5.2 |
//! | `refine` | which partitions to refine, and where | Ojala 5.3 |
//! | `fallback` | what to refine when that says nothing | - |
//!
//! Invariants: a proof comes from a complete exploration only, a violation only from a run that the
//! reference semantics has replayed; no round has the precision of an earlier one, unless a
//! property was decided in between.
#![doc = include_str!("README.md")]

mod analysis;
mod concretize;
mod fallback;
mod guided;
mod message_origin;
mod refine;
mod relevance;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::abstraction::{Abstract, Partition, Place, Precision, first_partitions};
use crate::csm::system::CsmSystem;
use crate::csm::{Exact, Semantics, Step};
use crate::evidence::{InternalError, Runs, Spurious, Trace, replay};
use crate::lang::{FaultKind, Model, PropertyBody, Type};
use crate::search::{Bfs, Budget, Completion, Explored, Progress, Reason, StopWhen, Violation};
use crate::system::PropertyId;
use analysis::Sides;
pub use analysis::{Analysis, Relevance, Spot};
use concretize::{Followed, Made, Purpose, follow, still_violates};
use fallback::split_somewhere;
pub use refine::{Policy, Split};
use refine::{refine, splits};

#[derive(Clone, Debug)]
pub struct Options {
    pub policy: Policy,
    pub relevance: Relevance,
    pub max_rounds: Option<u64>,
    /// Rounds whose runs are kept, from the last one back.
    pub keep_rounds: usize,
    /// Whether to stop at the first violation.
    pub first_only: bool,
    /// Whether a number that leaves its type is looked at.
    pub sees_overflow: bool,
}

/// Rounds whose runs are kept although nobody has asked for them.
const RECENT: usize = 10;

impl Default for Options {
    fn default() -> Options {
        Options {
            policy: Policy::Boundary,
            relevance: Relevance::Differing,
            max_rounds: None,
            keep_rounds: RECENT,
            first_only: false,
            sees_overflow: true,
        }
    }
}

/// One exploration under one precision.
#[derive(Clone, Debug)]
pub struct Round {
    pub number: u64,
    pub states: u64,
    pub transitions: u64,
    pub elapsed: Duration,
    pub spurious: Vec<Spurious>,
    pub splits: Vec<Split>,
}

/// A counterexample that is spurious, with its analysis.
struct Examined {
    property: usize,
    trace: Trace,
    /// The concrete run beside it.
    run: Vec<Made>,
    analysis: Analysis,
}

impl Examined {
    /// Nothing is left to be told apart that would rule it out.
    fn no_progress(&self, model: &Model) -> Stop {
        let mut relevant = self.analysis.relevant_names(model);
        Stop::NoProgress {
            step: self.analysis.parted_at,
            why: self.analysis.reason.clone(),
            relevant: relevant.pop().unwrap_or_default(),
        }
    }

    fn told(self, model: &Model) -> Spurious {
        Spurious {
            property: self.property,
            parted_at: self.analysis.parted_at,
            why: self.analysis.reason.clone(),
            runs: Some(Runs {
                concrete: self.run.into_iter().map(|made| made.after).collect(),
                relevant: self.analysis.relevant_names(model),
                trace: self.trace,
            }),
        }
    }
}

impl Round {
    /// Keeps only what can be said in a line: a night has many rounds.
    fn shorten(&mut self) {
        self.spurious
            .iter_mut()
            .for_each(|spurious| spurious.runs = None);
        self.splits.iter_mut().for_each(Split::shorten);
    }
}

/// What is known of a property at the end.
#[derive(Clone, Debug)]
pub enum Decision {
    /// No abstract state violates it.
    Holds {
        up_to_bound: bool,
        /// What was told apart then.
        precision: Precision,
    },
    /// By these concrete steps. `is_choose_free`: the abstract trace had no guesses, so that it had to
    /// be real.
    Violated {
        steps: Vec<Step>,
        is_choose_free: bool,
    },
    Unknown(Stop),
}

/// Why a property is not decided.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The last exploration did not end.
    Budget(Reason),
    Rounds(u64),
    /// Nothing is left to be told apart that would help.
    NoProgress {
        step: usize,
        why: String,
        /// What the counterexample hangs on there.
        relevant: Vec<String>,
    },
    /// A fault of arithmetic hangs on these counters of 64 bits: whether they ever get there is not known.
    Counter(Vec<String>),
    /// Another property was found violated, which was enough.
    FirstViolation,
}

pub struct RefinementResult {
    pub decisions: Vec<(usize, Decision)>,
    pub rounds: Vec<Round>,
    pub precision: Precision,
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    /// The states of each level of the last round.
    pub levels: Vec<u64>,
    pub engine: Vec<String>,
    /// Whether numbers that leave their types were looked at.
    pub sees_overflow: bool,
}

/// Sees each round when it is over.
pub type Watch<'w> = dyn FnMut(&Round) + 'w;

pub fn check(
    model: &Model,
    properties: &[usize],
    precision: Precision,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
    watch: &mut Watch<'_>,
) -> Result<RefinementResult, InternalError> {
    let mut check = Loop {
        model,
        options,
        budget,
        started: Instant::now(),
        open: properties.to_vec(),
        compared: first_partitions(model),
        chases: BTreeMap::new(),
        faults: None,
        outcome: RefinementResult {
            decisions: Vec::new(),
            rounds: Vec::new(),
            precision,
            states: 0,
            transitions: 0,
            depth: 0,
            levels: Vec::new(),
            engine: Vec::new(),
            sees_overflow: options.sees_overflow,
        },
    };
    while !check.open.is_empty() {
        let rounds = check.outcome.rounds.len();
        let stop = check.round(progress)?;
        check.outcome.rounds[rounds..].iter().for_each(&mut *watch);
        if let Some(stop) = stop {
            let open = std::mem::take(&mut check.open);
            let decided = open
                .into_iter()
                .map(|property| (property, Decision::Unknown(stop.clone())));
            check.outcome.decisions.extend(decided);
        }
    }
    check
        .outcome
        .decisions
        .sort_by_key(|(property, _)| *property);
    Ok(check.outcome)
}

struct Loop<'a> {
    model: &'a Model,
    options: &'a Options,
    budget: &'a Budget,
    started: Instant,
    open: Vec<usize>,
    /// For each variable what the model's own comparisons tell apart.
    compared: BTreeMap<Place, Partition>,
    /// How often each variable was split because a run came to another value, in rounds.
    chases: BTreeMap<Place, u32>,
    /// The last rounds in a row that were about faults of arithmetic alone, if there are any.
    faults: Option<Faults>,
    outcome: RefinementResult,
}

/// A variable that was split so often because the concrete run came to another value is taken for a
/// counter: its run would get there, only later. It is believed, and something else is blamed.
const PATIENCE: u32 = 3;

/// Rounds in a row about faults of arithmetic alone.
struct Faults {
    /// The precision before the first of them.
    before: Precision,
    /// How many of them split a counter of 64 bits.
    rounds: u32,
}

/// A counter of 64 bits that nothing bounds leaves its type at last, after more steps than any run can have: when
/// so many rounds in a row were about that, it is left open.
const MOST_FAULTS: u32 = 10;

/// Refinements in one round, before the whole model is explored again, at most.
const MOST_RETRIES: usize = 20;

impl Loop<'_> {
    /// One round; why there is to be no other, if so.
    fn round(&mut self, progress: &mut dyn FnMut(Progress)) -> Result<Option<Stop>, InternalError> {
        if let Some(reason) = self.budget.spent(self.started) {
            return Ok(Some(Stop::Budget(reason)));
        }
        let number = self.outcome.rounds.len() as u64 + 1;
        let begin = Instant::now();
        let precision = self.outcome.precision.clone();
        let known_model = precision.model(self.model);
        let sees_overflow = self.options.sees_overflow;
        let values = Abstract::new(&known_model, precision.clone(), sees_overflow);
        let semantics = Semantics::new(&known_model, values);
        let Explored {
            exploration,
            engine,
        } = self.explore(&semantics, progress);
        let outcome = &mut self.outcome;
        (outcome.states, outcome.transitions) = (exploration.states, exploration.transitions);
        outcome.depth = exploration.depth;
        outcome.levels.clone_from(&exploration.levels);
        outcome.engine = engine.lines(exploration.states);
        let followed = self.follow_all(&semantics, &precision, &exploration.violations)?;
        let traces = match followed {
            Ok(traces) => traces,
            Err(reason) => return Ok(Some(Stop::Budget(reason))),
        };
        let stop = self.conclude(&exploration.end, exploration.was_bounded, &traces);
        let gave_up = stop.is_none() && self.gives_up(&traces);
        let (spurious, splits) = match stop {
            None if !gave_up => self.rule_out(&semantics, traces)?,
            _ => (Vec::new(), Vec::new()),
        };
        let is_stuck = splits.is_empty() && !self.open.is_empty() && !gave_up;
        let stuck = spurious.last().filter(|_| is_stuck);
        let stuck = stuck.map(|spurious| spurious.no_progress(self.model));
        let told = spurious.into_iter().map(|it| it.told(self.model)).collect();
        self.keep(Round {
            number,
            states: exploration.states,
            transitions: exploration.transitions,
            elapsed: begin.elapsed(),
            spurious: told,
            splits,
        });
        Ok(stop.or_else(|| self.is_enough(number, stuck)))
    }

    /// Leaves faults of arithmetic open that hang on a counter of 64 bits, which can be split for ever; whether they
    /// are left open now.
    fn gives_up(&mut self, spurious: &[(usize, Trace)]) -> bool {
        let properties: BTreeSet<usize> = spurious.iter().map(|(property, _)| *property).collect();
        let mut all = properties.iter();
        if properties.is_empty() || !all.all(|p| is_about_arithmetic(self.model, *p)) {
            self.faults = None;
            return false;
        }
        let mut counters = self.believed();
        counters.retain(|place| {
            !place
                .ty(self.model)
                .numbers()
                .is_within(Type::INT.numbers())
        });
        let faults = self.faults.get_or_insert_with(|| Faults {
            before: self.outcome.precision.clone(),
            rounds: 0,
        });
        faults.rounds += u32::from(!counters.is_empty());
        if faults.rounds <= MOST_FAULTS {
            return false;
        }
        // What was split for this alone, the others need not know.
        self.outcome.precision.clone_from(&faults.before);
        self.faults = None;
        self.chases.clear();
        let names = counters.iter().map(|place| place.name(self.model));
        let stop = Stop::Counter(names.collect());
        let left = properties
            .iter()
            .map(|property| (*property, Decision::Unknown(stop.clone())));
        self.outcome.decisions.extend(left);
        self.open.retain(|open| !properties.contains(open));
        true
    }

    /// Makes all counterexamples again on the concrete model, and takes note of those that are real;
    /// gives those of properties that are still open. At least one is followed, also when the budget
    /// is spent: it may be real.
    fn follow_all(
        &mut self,
        semantics: &Semantics<'_, Abstract<'_>>,
        precision: &Precision,
        violations: &[Violation<Step>],
    ) -> Result<Result<Vec<(usize, Trace)>, Reason>, InternalError> {
        let mut traces = Vec::new();
        for violation in violations {
            let property = violation.property.0;
            if !self.open.contains(&property) {
                continue;
            }
            let trace = self.replayed(semantics, property, &violation.steps)?;
            let siblings = siblings(semantics, &trace, property);
            let mut all = vec![(trace, violation.is_choose_free)];
            for steps in siblings {
                all.push((self.replayed(semantics, property, &steps)?, false));
            }
            for (trace, is_choose_free) in all {
                let spent = self.budget.spent(self.started);
                if let Some(reason) = spent.filter(|_| !traces.is_empty()) {
                    return Ok(Err(reason));
                }
                let violate = Purpose::Violate(&self.open);
                let followed = follow(self.model, precision, &trace, violate);
                self.settle(&followed, property, is_choose_free);
                traces.push((property, trace));
            }
        }
        traces.retain(|(property, _)| self.open.contains(property));
        Ok(Ok(traces))
    }

    /// Keeps what a round has done; of old ones, only what can be said in a line.
    fn keep(&mut self, round: Round) {
        let rounds = &mut self.outcome.rounds;
        rounds.push(round);
        if let Some(old) = rounds.len().checked_sub(self.options.keep_rounds + 1) {
            rounds[old].shorten();
        }
    }

    /// Why a round that could be followed by another is not, if so.
    fn is_enough(&self, number: u64, stuck: Option<Stop>) -> Option<Stop> {
        let is_violated = |decision: &Decision| matches!(decision, Decision::Violated { .. });
        let mut decided = self.outcome.decisions.iter().map(|(_, decision)| decision);
        let first = self.options.first_only && decided.any(is_violated);
        let most = self.options.max_rounds.filter(|most| number >= *most);
        first
            .then_some(Stop::FirstViolation)
            .or(stuck)
            .or(most.map(Stop::Rounds))
    }

    fn explore(
        &self,
        semantics: &Semantics<'_, Abstract<'_>>,
        progress: &mut dyn FnMut(Progress),
    ) -> Explored<Step> {
        let system = CsmSystem::new(semantics).resetting();
        let wanted = self.open.iter().map(|property| PropertyId(*property));
        let stop_when = StopWhen::FirstOf(wanted.collect());
        let mut budget = self.budget.clone();
        budget.max_time = self
            .budget
            .max_time
            .map(|most| most.saturating_sub(self.started.elapsed()));
        let mut explored = Bfs::default().explore(&system, &stop_when, &budget, progress);
        let end = &mut explored.exploration.end;
        end.tell_which(system.coverage().too_many());
        // What a user hears of is the limit for all rounds, not what was left of it for this one.
        if let Completion::Stopped(Reason::TimeLimit(limit)) = end {
            *limit = self.budget.max_time.unwrap_or(*limit);
        }
        explored
    }

    /// Takes note of what a concrete run violates.
    fn settle(&mut self, followed: &Followed, violated: usize, is_choose_free: bool) {
        for property in self.open.clone() {
            if let Some(steps) = followed.violations.get(&property) {
                let decision = Decision::Violated {
                    steps: steps.clone(),
                    is_choose_free: is_choose_free && violated == property,
                };
                self.outcome.decisions.push((property, decision));
                self.open.retain(|open| *open != property);
            }
        }
    }

    /// Refines until none of these traces is possible any more, not even with other choices; why
    /// they were not real, and what was split.
    fn rule_out(
        &mut self,
        semantics: &Semantics<'_, Abstract<'_>>,
        mut traces: Vec<(usize, Trace)>,
    ) -> Result<(Vec<Examined>, Vec<Split>), InternalError> {
        let before = self.outcome.precision.clone();
        let mut all = self.refine_by(semantics, &traces);
        for _ in 0..MOST_RETRIES {
            let precision = self.outcome.precision.clone();
            if precision == before || self.budget.spent(self.started).is_some() {
                break;
            }
            let known_model = precision.model(self.model);
            let values = Abstract::new(&known_model, precision.clone(), self.options.sees_overflow);
            let refined = Semantics::new(&known_model, values);
            let mut left = Vec::new();
            for (property, trace) in traces {
                if let Some(steps) = still_violates(&refined, &trace, property) {
                    left.push((property, self.replayed(&refined, property, &steps)?));
                }
            }
            traces = left;
            if traces.is_empty() {
                break;
            }
            all.extend(self.refine_by(&refined, &traces));
            if self.outcome.precision == precision {
                break;
            }
        }
        let splits = splits(self.model, &before, &self.outcome.precision);
        Ok((all, splits))
    }

    fn replayed(
        &self,
        semantics: &Semantics<'_, Abstract<'_>>,
        property: usize,
        steps: &[Step],
    ) -> Result<Trace, InternalError> {
        replay(semantics, steps, Some(property)).map_err(|error| {
            let name = &self.model.properties[property].name;
            InternalError(format!("the abstract trace of `{name}` is wrong: {error}"))
        })
    }

    /// One refinement by these traces; why they are not real.
    fn refine_by(
        &mut self,
        semantics: &Semantics<'_, Abstract<'_>>,
        traces: &[(usize, Trace)],
    ) -> Vec<Examined> {
        let precision = self.outcome.precision.clone();
        let believed = self.believed();
        let spurious = self.analyse_all(semantics, &precision, traces, &believed);
        if !self.refine(&spurious).is_empty() || believed.is_empty() {
            return spurious;
        }
        self.chases.clear(); // what was believed is all that is left to be blamed
        let spurious = self.analyse_all(semantics, &precision, traces, &BTreeSet::new());
        self.refine(&spurious);
        spurious
    }

    /// Why these traces are not real. The values of some variables are taken as the traces have
    /// them, and not blamed.
    fn analyse_all(
        &self,
        semantics: &Semantics<'_, Abstract<'_>>,
        precision: &Precision,
        traces: &[(usize, Trace)],
        believed: &BTreeSet<Place>,
    ) -> Vec<Examined> {
        let concrete: Semantics<'_, Exact> = Semantics::exact(self.model);
        let sides = Sides {
            model: self.model,
            concrete: &concrete,
            known: semantics,
            believed,
        };
        let relevance = self.options.relevance;
        let analyse = |(property, trace): &(usize, Trace)| {
            let explain = Purpose::Explain { believed };
            let followed = follow(self.model, precision, trace, explain);
            let (run, stuck_at) = (followed.run, followed.stuck_at);
            Examined {
                property: *property,
                trace: trace.clone(),
                analysis: sides.analyse(trace, &run, stuck_at, *property, relevance),
                run,
            }
        };
        traces.iter().map(analyse).collect()
    }

    /// What a complete exploration did not find holds; an incomplete one ends the loop, unless it
    /// has left something to refine.
    fn conclude(
        &mut self,
        end: &Completion,
        was_bounded: bool,
        spurious: &[(usize, Trace)],
    ) -> Option<Stop> {
        match end {
            Completion::Complete => {
                let is_found =
                    |property: &usize| spurious.iter().any(|(found, _)| found == property);
                let (open, held) = self.open.iter().partition(|property| is_found(property));
                self.open = open;
                let held: Vec<usize> = held;
                let holds = |property| {
                    (
                        property,
                        Decision::Holds {
                            up_to_bound: was_bounded,
                            precision: self.outcome.precision.clone(),
                        },
                    )
                };
                self.outcome.decisions.extend(held.into_iter().map(holds));
                None
            }
            Completion::GoalMet => None,
            Completion::Stopped(reason) if spurious.is_empty() => {
                Some(Stop::Budget(reason.clone()))
            }
            Completion::Stopped(reason @ (Reason::TimeLimit(_) | Reason::Interrupted)) => {
                Some(Stop::Budget(reason.clone()))
            }
            Completion::Stopped(_) => None,
        }
    }

    /// Tells more values apart; what was split, empty if nothing could be.
    fn refine(&mut self, spurious: &[Examined]) -> Vec<Split> {
        let before = self.outcome.precision.clone();
        for spurious in spurious {
            let precision = &mut self.outcome.precision;
            let analysis = &spurious.analysis;
            let split = refine(self.model, precision, analysis, self.options.policy);
            if split.is_empty() {
                split_somewhere(self.model, precision, &spurious.run);
            }
        }
        let split = splits(self.model, &before, &self.outcome.precision);
        for split in &split {
            *self.chases.entry(split.place).or_default() += 1;
            if self.options.policy == Policy::Boundary {
                let compared = &self.compared[&split.place];
                let precision = &mut self.outcome.precision;
                precision.refine(split.place, |blocks| blocks.merge(compared));
            }
        }
        splits(self.model, &before, &self.outcome.precision)
    }

    /// The variables whose values are taken as the abstract run has them.
    fn believed(&self) -> BTreeSet<Place> {
        let often = self
            .chases
            .iter()
            .filter(|(_, rounds)| **rounds >= PATIENCE);
        often.map(|(place, _)| *place).collect()
    }
}

/// Whether a property says that no number leaves its type.
pub fn is_about_arithmetic(model: &Model, property: usize) -> bool {
    let body = &model.properties[property].body;
    matches!(body, PropertyBody::NoFault(FaultKind::ArithmeticFault, _))
}

/// Counterexamples that are analysed besides one, at most.
const MOST_SIBLINGS: usize = 15;

/// Other last steps of a counterexample that violate the property as well: to rule them out together
/// saves rounds.
fn siblings(
    semantics: &Semantics<'_, Abstract<'_>>,
    trace: &Trace,
    property: usize,
) -> Vec<Vec<Step>> {
    let Some((last, before)) = trace.steps.split_last() else {
        return Vec::new();
    };
    let Some(at) = before.last().and_then(|step| step.after.as_ref()) else {
        return Vec::new();
    };
    let prefix: Vec<Step> = before.iter().map(|step| step.step.clone()).collect();
    let mut siblings = Vec::new();
    for successor in semantics.successors(at) {
        let fault = successor.fault.as_ref();
        let blamed = fault
            .map(|fault| semantics.blamed(fault))
            .unwrap_or_default();
        let is_other = successor.step.event != last.step.event;
        if is_other && blamed.contains(&property) && siblings.len() < MOST_SIBLINGS {
            siblings.push([&prefix[..], &[successor.step]].concat());
        }
    }
    siblings
}
