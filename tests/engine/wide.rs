//! Systems with thousands of components: found by the fast search as by the naive one.

use crisol::dve::read;
use crisol::dve::system::DveSystem;
use crisol::search::{Bfs, Budget, Explorer, Naive, StopWhen};

/// So many that no word is planned for them: processes that pass a number on and count it in one of their variables.
fn program() -> String {
    let mut text = String::from("byte at;\n");
    for process in 0..30 {
        let next = (process + 1) % 30;
        text += &format!(
            "process P{process} {{ byte x[80]; byte i; state s, t; init s; assert t: at < 29;
             trans s -> t {{ guard at == {process}; effect x[i] = x[i] + 1, i = (i + 1) % 80; }},
                   t -> s {{ guard i < 5; effect at = {next}; }}; }}\n"
        );
    }
    text + "system async;"
}

#[test]
fn thousands_of_components_are_a_tree_from_the_beginning() {
    let program = read(&program()).expect("a program");
    let system = DveSystem::new(&program);
    let budget = Budget {
        threads: Some(3),
        ..Budget::default()
    };
    let everything = StopWhen::Everything;
    let naive = Naive.explore(&system, &everything, &budget, &mut |_, _, _| {});
    let fast = Bfs::default().explore(&system, &everything, &budget, &mut |_| {});
    assert_eq!(fast.engine.cache.bits, 0, "they are trees");
    let fast = fast.exploration;
    let counts =
        |e: &crisol::search::Exploration<_>| (e.states, e.transitions, e.depth, e.deadlocks);
    assert_eq!(counts(&fast), counts(&naive));
    assert_eq!(fast.levels, naive.levels);
    let lengths = |e: &crisol::search::Exploration<_>| -> Vec<_> {
        let violations = e.violations.iter();
        violations.map(|v| (v.property, v.steps.len())).collect()
    };
    assert_eq!(lengths(&fast), lengths(&naive));
    assert!(!lengths(&fast).is_empty() && fast.states > 100);
}
