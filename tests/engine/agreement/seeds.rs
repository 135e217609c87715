//! Which models are tested, and what happens to one that fails.

use std::fmt::Display;
use std::num::NonZero;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};

use crate::agreement::random::Random;
use crate::agreement::shrink::shrink;
use crate::agreement::subject::Subject;

/// How large a state space may be; larger ones are left out.
#[derive(Clone, Copy)]
pub struct Extent {
    pub states: u64,
    pub transitions: u64,
}

impl Extent {
    /// Large spaces take most of the time, so only a long run has them.
    pub fn usual() -> Extent {
        let states = if is_long() { 5_000 } else { 2_000 };
        let transitions = 8 * states;
        Extent {
            states,
            transitions,
        }
    }
}

fn setting<T: FromStr<Err: Display>>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    let value = text.parse();
    Some(value.unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

fn is_long() -> bool {
    env::var_os("CRISOL_AGREEMENT").is_some() || env::var_os("CRISOL_SEED").is_some()
}

/// The seeds of this run, of which there are so many unless something else is asked for.
pub fn seeds(usual: u64) -> Range<u64> {
    let first: Option<u64> = setting("CRISOL_SEED");
    let count = setting("CRISOL_AGREEMENT").unwrap_or(if first.is_some() { 1 } else { usual });
    let first = first.unwrap_or(0);
    first..first + count
}

/// The text that a seed stands for: the first of its draws that can be read.
pub fn text_of<S: Subject>(seed: u64) -> String {
    let mut random = Random::new(seed);
    loop {
        let text = S::draw(&mut random);
        if S::read(&text).is_some() {
            return text;
        }
    }
}

/// Tests the model of every seed. One that fails is made as small as it can be, and shown.
pub fn for_each<S: Subject>(usual: u64, test: impl Fn(&S, &str) -> Result<(), String> + Sync) {
    let outcome = |text: &str| match S::read(text) {
        None => Ok(()),
        Some(subject) => without_panic(|| test(&subject, text)),
    };
    let fails = |seed: u64| outcome(&text_of::<S>(seed)).is_err();
    let seeds = seeds(usual);
    if seeds.end - seeds.start == 1 {
        println!("{}", S::tidy(&text_of::<S>(seeds.start))); // seen if it fails, or with --nocapture
    }
    let Some(seed) = first(seeds, fails) else {
        return;
    };
    let small = quietly(|| shrink(&text_of::<S>(seed), |text| outcome(text).is_err()));
    let why = outcome(&small).expect_err("what is shrunk fails");
    panic!("CRISOL_SEED={seed}: {why}\n\n{}", S::tidy(&small));
}

/// The first seed that fails. Seeds are handed out in order, and each is seen to its end, so this
/// does not depend on who is faster.
fn first(seeds: Range<u64>, fails: impl Fn(u64) -> bool + Sync) -> Option<u64> {
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicU64::new(seeds.end));
    let work = || {
        while failed.load(Ordering::Relaxed) == seeds.end {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            if fails(seed) {
                failed.fetch_min(seed, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    Some(failed.into_inner()).filter(|seed| *seed < seeds.end)
}

fn without_panic(test: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    panic::catch_unwind(AssertUnwindSafe(test)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Err(format!("panic: {}", said.unwrap_or_default()))
    })
}

/// Shrinking panics again and again; to hear of it once is enough.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = work();
    panic::set_hook(hook);
    result
}
