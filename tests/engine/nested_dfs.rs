//! A search that the engine knows nothing of: nested depth first, in the product of a system and a Büchi
//! automaton. It stands on `StateSpace` alone, so whoever writes the next search needs nothing below it either.
//!
//! The automaton accepts the runs that a property forbids; a run that ends goes on standing still. A blue
//! search finds accepting states, and a red one from each of them, in the order in which the blue one leaves
//! them, looks for a way back to its path (Courcoubetis, Vardi, Wolper, Yannakakis).

use std::collections::{BTreeSet, HashMap};

use crisol::csm::Semantics;
use crisol::csm::system::CsmSystem;
use crisol::dve::system::DveSystem;
use crisol::dve::{Program, read};
use crisol::engine::{SpaceWorker, StateId, StateSpace, Width};
use crisol::search::state_graph;
use crisol::system::{Factored, LabelId, System, Target};

use crate::agreement::for_each;
use crate::common;

/// From each of its states: what must be true of the system there, and where it goes.
struct Buchi {
    edges: Vec<Vec<(Guard, usize)>>,
    accepting: Vec<bool>,
}

/// Labels and what they are.
type Guard = Vec<(LabelId, bool)>;

impl Buchi {
    /// Runs on which this is true only finitely often: they violate "again and again".
    fn finally_never(label: LabelId) -> Buchi {
        Buchi {
            edges: vec![
                vec![(vec![], 0), (vec![(label, false)], 1)],
                vec![(vec![(label, false)], 1)],
            ],
            accepting: vec![false, true],
        }
    }

    /// Runs on which the first is true at some time and the second never after: they violate "leads to".
    fn unanswered(asked: LabelId, answered: LabelId) -> Buchi {
        let open = vec![(vec![(answered, false)], 1)];
        Buchi {
            edges: vec![
                vec![(vec![], 0), (vec![(asked, true), (answered, false)], 1)],
                open,
            ],
            accepting: vec![false, true],
        }
    }
}

/// A state of the system, and one of the automaton.
type Node = (StateId, usize);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    /// On the path of the blue search.
    Cyan,
    Blue,
    Red,
}

struct NestedDfs<'b, 's, S: Factored> {
    space: StateSpace<'s, S>,
    worker: SpaceWorker<S>,
    automaton: &'b Buchi,
    colors: HashMap<Node, Color>,
}

/// A node, and which of its successors are still to be seen.
type Open = (Node, Vec<Node>);

impl<S: Factored> NestedDfs<'_, '_, S> {
    /// Whether the automaton accepts some run of the system.
    fn accepts_a_run(system: &S, automaton: &Buchi, width: Width) -> bool {
        let starts = system.initial().into_iter();
        let states = starts.filter_map(|start| match start.target {
            Target::State(state) => Some(state),
            _ => None,
        });
        let states: Vec<S::State> = states.collect();
        let space = StateSpace::new(system, &states, width).expect("memory");
        let mut search = NestedDfs {
            worker: space.worker(),
            space,
            automaton,
            colors: HashMap::new(),
        };
        let starts: Vec<StateId> = states.iter().map(|state| search.add(state)).collect();
        starts.into_iter().any(|start| search.blue((start, 0)))
    }

    fn add(&mut self, state: &S::State) -> StateId {
        loop {
            match self.space.add(state, &mut self.worker) {
                Ok(Some(id)) => return id,
                Ok(None) => return self.space.find(state).expect("it is there"),
                Err(pause) => {
                    let alone = crisol::engine::sync::ThreadPool::alone();
                    self.space
                        .provide(pause, usize::MAX, &alone)
                        .expect("memory");
                }
            }
        }
    }

    fn successors(&mut self, (state, place): Node) -> Vec<Node> {
        let next = self.space.successors(state, &mut self.worker);
        let mut next = next.expect("memory").to_vec();
        if next.is_empty() {
            next.push(state);
        }
        let mut successors = Vec::new();
        for (guard, to) in &self.automaton.edges[place] {
            let mut holds = |(label, value): &(LabelId, bool)| {
                self.space.label(*label, state, &mut self.worker) == *value
            };
            if guard.iter().all(&mut holds) {
                successors.extend(next.iter().map(|state| (*state, *to)));
            }
        }
        successors
    }

    fn open(&mut self, node: Node, color: Color) -> Open {
        self.colors.insert(node, color);
        (node, self.successors(node))
    }

    fn blue(&mut self, start: Node) -> bool {
        if self.colors.contains_key(&start) {
            return false;
        }
        let mut path = vec![self.open(start, Color::Cyan)];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            if let Some(next) = rest.pop() {
                if !self.colors.contains_key(&next) {
                    let open = self.open(next, Color::Cyan);
                    path.push(open);
                }
                continue;
            }
            if self.automaton.accepting[node.1] && self.red(node) {
                return true;
            }
            self.colors.entry(node).and_modify(|color| {
                if *color == Color::Cyan {
                    *color = Color::Blue;
                }
            });
            path.pop();
        }
        false
    }

    /// Whether a way leads from here back to the path of the blue search.
    fn red(&mut self, start: Node) -> bool {
        let mut path = vec![(start, self.successors(start))];
        while let Some((_, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                path.pop();
                continue;
            };
            match self.colors.get(&next) {
                Some(Color::Cyan) => return true,
                Some(Color::Blue) => {
                    let open = self.open(next, Color::Red);
                    path.push(open);
                }
                Some(Color::Red) => {}
                None => unreachable!("the blue search has seen all that comes after"),
            }
        }
        self.colors.insert(start, Color::Red);
        false
    }
}

/// The same, by looking at the whole product, without any of the engine.
fn product_has_accepting_cycle<S: Factored>(system: &S, automaton: &Buchi) -> Option<bool> {
    const MOST: usize = 3_000;
    let graph = state_graph(system, MOST).ok()?;
    let mut next: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); graph.states.len()];
    for (from, step) in &graph.moves {
        if let Target::State(to) = step.to {
            next[*from].insert(to);
        }
    }
    for (state, next) in next.iter_mut().enumerate() {
        if next.is_empty() {
            next.insert(state);
        }
    }
    let holds = |(label, value): &(LabelId, bool), state: usize| {
        system.label(*label, &graph.states[state]) == *value
    };
    let successors = |(state, place): (usize, usize)| {
        let edges = automaton.edges[place].iter();
        let open = edges.filter(|(guard, _)| guard.iter().all(|label| holds(label, state)));
        let to = open.flat_map(|(_, to)| next[state].iter().map(|state| (*state, *to)));
        to.collect::<Vec<(usize, usize)>>()
    };
    let reachable = |from: Vec<(usize, usize)>| {
        let (mut seen, mut open) = (BTreeSet::new(), from);
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                open.extend(successors(node));
            }
        }
        seen
    };
    let starts = graph.starts.iter().filter_map(|start| match start.to {
        Target::State(state) => Some((state, 0)),
        _ => None,
    });
    let mut all = reachable(starts.collect()).into_iter();
    Some(all.any(|node| automaton.accepting[node.1] && reachable(successors(node)).contains(&node)))
}

fn label<S: Factored>(system: &S, name: &str) -> LabelId {
    let labels = system.labels();
    let place = labels.iter().position(|label| label.name() == name);
    LabelId(place.unwrap_or_else(|| panic!("{name} is no label")))
}

/// What it finds, in both forms of states; and that the whole product says the same.
fn accepts_a_run<S: Factored>(system: &S, automaton: &Buchi) -> bool {
    let found = NestedDfs::accepts_a_run(system, automaton, Width::AsNeeded);
    assert_eq!(
        found,
        NestedDfs::accepts_a_run(system, automaton, Width::Any)
    );
    let judged = product_has_accepting_cycle(system, automaton);
    assert_eq!(judged.unwrap_or(found), found);
    found
}

/// Peterson's algorithm for two; the second may also rest for ever.
const PETERSON: &str = "
    byte wants[2]; byte turn;
    process P { state idle, asks, critical; init idle;
        trans idle -> asks { effect wants[0] = 1, turn = 1; },
              asks -> critical { guard wants[1] == 0 or turn == 0; },
              critical -> idle { effect wants[0] = 0; }; }
    process Q { state idle, asks, critical; init idle;
        trans idle -> asks { effect wants[1] = 1, turn = 0; },
              idle -> idle {},
              asks -> critical { guard wants[0] == 0 or turn == 1; },
              critical -> idle { effect wants[1] = 0; }; }
    system async;";

#[test]
fn who_asks_may_wait_for_ever_where_nothing_is_fair() {
    let program = read(PETERSON).expect("a program");
    let system = DveSystem::new(&program);
    let (asks, critical) = (label(&system, "P.asks"), label(&system, "P.critical"));
    assert!(accepts_a_run(&system, &Buchi::unanswered(asks, critical)));
    assert!(accepts_a_run(&system, &Buchi::finally_never(critical)));
}

#[test]
fn what_takes_turns_comes_again_and_again() {
    let text = "
        byte turn;
        process P { state a, b; init a;
            trans a -> b { guard turn == 0; effect turn = 1; }, b -> a {}; }
        process Q { state a; init a; trans a -> a { guard turn == 1; effect turn = 0; }; }
        system async;";
    let program = read(text).expect("a program");
    let system = DveSystem::new(&program);
    let b = label(&system, "P.b");
    assert!(!accepts_a_run(&system, &Buchi::finally_never(b)));
}

#[test]
fn philosophers_starve_at_the_deadlock() {
    let model = common::shipped("philosophers/deadlocking.csm", &[]);
    let semantics = Semantics::exact(&model);
    let system = CsmSystem::new(&semantics);
    for place in system.labels().iter().map(|label| label.name().to_owned()) {
        let label = label(&system, &place);
        let automaton = Buchi::finally_never(label);
        let found = NestedDfs::accepts_a_run(&system, &automaton, Width::AsNeeded);
        assert_eq!(
            Some(found),
            product_has_accepting_cycle(&system, &automaton),
            "{place}"
        );
    }
}

#[test]
fn random_programs_have_the_cycles_of_the_whole_product() {
    for_each::<Program>(60, |program, _| {
        let system = DveSystem::new(program);
        let labels = system.labels();
        let places = labels
            .iter()
            .zip(0..)
            .filter(|(label, _)| !label.is_claimed());
        for (label, id) in places {
            let id = LabelId(id);
            let other = LabelId(labels.len() - 1);
            for automaton in [Buchi::finally_never(id), Buchi::unanswered(id, other)] {
                let Some(judged) = product_has_accepting_cycle(&system, &automaton) else {
                    continue;
                };
                for width in [Width::AsNeeded, Width::Any] {
                    let found = NestedDfs::accepts_a_run(&system, &automaton, width);
                    if found != judged {
                        return Err(format!("{}: {found}, not {judged}", label.name()));
                    }
                }
            }
        }
        Ok(())
    });
}
