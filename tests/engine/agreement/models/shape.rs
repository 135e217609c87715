//! The states of a machine, and how they stand inside each other.

use crate::agreement::random::Random;

pub struct Region {
    pub name: String,
    pub states: Vec<State>,
    /// The final state, if it has one.
    pub end: Option<String>,
}

pub struct State {
    pub name: String,
    /// Several: they are active together.
    pub regions: Vec<Region>,
}

impl Region {
    /// The states of a whole machine.
    pub fn draw(random: &mut Random) -> Region {
        let mut names = Names::default();
        let states = 2 + random.below(3);
        region(random, &mut names, 0, states)
    }

    /// The states in it and inside of these.
    pub fn all(&self) -> Vec<&State> {
        let states = self.states.iter();
        states
            .flat_map(|state| std::iter::once(state).chain(state.inside()))
            .collect()
    }
}

impl State {
    pub fn inside(&self) -> Vec<&State> {
        self.regions.iter().flat_map(Region::all).collect()
    }
}

/// Names that no two states or regions of a machine share.
#[derive(Default)]
struct Names {
    given: usize,
}

impl Names {
    fn next(&mut self, letter: char) -> String {
        self.given += 1;
        format!("{letter}{}", self.given)
    }
}

fn region(random: &mut Random, names: &mut Names, depth: usize, states: usize) -> Region {
    let is_inner = depth > 0;
    Region {
        name: names.next('r'),
        states: (0..states).map(|_| state(random, names, depth)).collect(),
        end: random
            .percent(if is_inner { 30 } else { 10 })
            .then(|| names.next('F')),
    }
}

fn state(random: &mut Random, names: &mut Names, depth: usize) -> State {
    let name = names.next('S');
    let regions = match depth {
        0 if random.percent(25) => 1 + random.below(2),
        1 if random.percent(20) => 1,
        _ => 0,
    };
    let inner = |_| {
        let states = 1 + random.below(2);
        region(random, names, depth + 1, states)
    };
    State {
        name,
        regions: (0..regions).map(inner).collect(),
    }
}
