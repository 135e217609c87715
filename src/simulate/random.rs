//! A random run. The same seed gives the same run, on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Course;

/// Why a random run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As many steps as were asked for.
    Enough,
    /// Nothing can happen any more.
    Stuck,
    /// A property is violated.
    Violation,
}

/// Throws that a seed determines.
pub struct Chooser(ChaCha8Rng);

impl Chooser {
    pub fn new(seed: u64) -> Chooser {
        Chooser(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `sides`, of which there is at least one. The bias of the remainder is below
    /// 2^-40 for any real number of sides.
    pub fn below(&mut self, sides: usize) -> usize {
        (self.0.next_u64() % sides as u64) as usize
    }
}

/// Starts the system and makes up to `steps` steps; shows each with `show`.
pub fn random_run(
    simulation: &mut impl Course,
    seed: u64,
    steps: usize,
    mut show: impl FnMut(&[String]),
) -> Ending {
    let mut chooser = Chooser::new(seed);
    loop {
        let mut possible = simulation.possible();
        if possible.is_empty() {
            return Ending::Stuck;
        }
        let picked = chooser.below(possible.len());
        simulation.take(possible.swap_remove(picked));
        show(&simulation.describe_last());
        if !simulation.complaints().is_empty() {
            return Ending::Violation;
        }
        if simulation.length() >= steps {
            return Ending::Enough;
        }
    }
}
