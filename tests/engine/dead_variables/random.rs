//! Random machines, made to read and write a few variables in every corner: entry and exit actions,
//! history, regions, choices, messages that are stored.

use crisol::lang::{Model, check, parse};
use crisol::search::Budget;
use crisol::simulate::Chooser;

use crate::dead_variables::compare::compare_model;

/// Machines in every run; `CRISOL_AGREEMENT` asks for another number, `CRISOL_SEED` for another
/// first one.
const MACHINES: u64 = 300;

#[test]
fn random_machines_have_the_same_verdicts_and_traces() {
    let budget = Budget {
        max_states: Some(500),
        ..Budget::default()
    };
    let mut smaller = 0;
    let (first, count) = (setting("CRISOL_SEED"), setting("CRISOL_AGREEMENT"));
    let (first, count) = (first.unwrap_or(0), count.unwrap_or(MACHINES));
    for seed in first..first + count {
        let (text, model) = draw(seed);
        match compare_model(&model, &budget) {
            Ok(compared) => smaller += u64::from(compared.reset < compared.full),
            Err(error) => panic!("CRISOL_SEED={seed}\n{text}\n{error}"),
        }
    }
    assert!(
        smaller >= count / 10,
        "only {smaller} of {count} have dead variables"
    );
}

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// The first text of a seed that is a model.
fn draw(seed: u64) -> (String, Model) {
    let mut writer = Writer {
        chooser: Chooser::new(seed),
        states: Vec::new(),
        choices: 0,
    };
    loop {
        let text = writer.model();
        let (file, errors) = parse(&text);
        if errors.is_empty()
            && let (Some(model), _) = check(&file, &Vec::new())
        {
            return (text, model);
        }
    }
}

struct Writer {
    chooser: Chooser,
    /// Every state of the class, and whether it has states inside.
    states: Vec<(String, bool)>,
    choices: usize,
}

impl Writer {
    fn model(&mut self) -> String {
        self.states.clear();
        self.choices = 0;
        let machine = self.region(2);
        let transitions: String = (0..3).map(|_| self.transition()).collect();
        let semantics = self.pick(&[
            "",
            "",
            "semantics run_to_completion;",
            "semantics run_to_completion with rhapsody_triggers;",
            "semantics run_to_completion with initial_step;",
            "thread all { a, b } semantics run_to_completion with atomic_steps;",
        ]);
        let property = self.pick(&["", "", "", "property small : always a.x < 1 || a.y < 1;"]);
        let divergence = self.pick(&["", ", divergence"]);
        let other = match self.percent(30) {
            true => format!(
                "S -> S / {{ {}; }}",
                self.pick(&["it.x = 1", "g = it.y", "it.z = g", "g = 0"])
            ),
            false => String::new(),
        };
        format!(
            "signal M(int(0..1) m);
             external signal E(int(0..1) e), F;
             int(0..1) g;
             class A {{ int(0..1) x, y, z; int(0..1)[2] t; {machine} {transitions} }}
             class B {{ A it; initial -> S; quiescent state S; {other} }}
             object a: A; object b: B {{ it = a; }}
             inbox * capacity 1 on_full lose;
             {semantics} {property}
             allow implicit_consumption, deadlock, nondeterminism{divergence};"
        )
    }

    /// What stands in a region: its states, with what is in them, and transitions between all.
    fn region(&mut self, depth: usize) -> String {
        let count = 2 + self.chooser.below(2);
        let mut text = String::new();
        let mut names = Vec::new();
        for _ in 0..count {
            let name = format!("S{}", self.states.len());
            let inside = if depth > 0 {
                self.inside(&name, depth)
            } else {
                self.leaf(&name)
            };
            text += &inside;
            names.push(name);
        }
        text += &format!("initial -> {}{};", names[0], self.effect(30));
        for name in &names {
            text += &format!("{name} -> {}{};", self.pick(&names), self.label());
        }
        if self.percent(50) {
            text += &self.choice(&names);
        }
        text
    }

    fn leaf(&mut self, name: &str) -> String {
        self.states.push((name.to_owned(), false));
        format!("state {name} {{ {} }}", self.actions())
    }

    fn inside(&mut self, name: &str, depth: usize) -> String {
        let regions = [0, 0, 1, 1, 2][self.chooser.below(5)];
        if regions == 0 {
            return self.leaf(name);
        }
        self.states.push((name.to_owned(), true));
        let actions = self.actions();
        let history = |writer: &mut Writer| writer.pick(&["", "history;", "deep history;"]);
        let body: String = match regions {
            1 => history(self) + &self.region(depth - 1),
            _ => (0..2)
                .map(|number| {
                    let (history, region) = (history(self), self.region(depth - 1));
                    format!("region r{number} {{ {history} {region} }}")
                })
                .collect(),
        };
        format!("state {name} {{ {actions} {body} }}")
    }

    fn actions(&mut self) -> String {
        let mut text = String::new();
        for action in ["entry", "exit"] {
            if self.percent(35) {
                text += &format!("{action} / {{ {} }}", self.statements());
            }
        }
        text + &self.pick(&[
            "",
            "",
            "",
            "defer M;",
            "on F / { y = x; }",
            "on E(y) [z == 0];",
        ])
    }

    /// A transition between any two states, which may be one too many.
    fn transition(&mut self) -> String {
        let states = self.states.clone();
        let (source, _) = &states[self.chooser.below(states.len())];
        let (target, is_composite) = &states[self.chooser.below(states.len())];
        let history = match is_composite {
            true => self.pick(&["", ".history", ".deep_history"]),
            false => String::new(),
        };
        format!("{source} -> {target}{history}{};", self.label())
    }

    fn choice(&mut self, names: &[String]) -> String {
        self.choices += 1;
        let choice = format!("C{}", self.choices);
        let (from, one, other) = (self.pick(names), self.pick(names), self.pick(names));
        let (label, condition) = (self.label(), self.condition());
        let (then, otherwise) = (self.effect(40), self.effect(40));
        format!(
            "choice {choice}; {from} -> {choice}{label};
             {choice} -> {one} : [{condition}]{then}; {choice} -> {other} : [else]{otherwise};"
        )
    }

    fn label(&mut self) -> String {
        let trigger = self.pick(&[
            "", "", "", "E(x)", "E(_)", "F", "M(z)", "M(y)", "E(x), F", "any",
        ]);
        let guard = match self.percent(35) {
            true => format!("[{}]", self.condition()),
            false => String::new(),
        };
        match trigger.is_empty() && guard.is_empty() {
            true => self.effect(60),
            false => format!(" : {trigger} {guard}{}", self.effect(60)),
        }
    }

    fn condition(&mut self) -> String {
        let conditions = [
            "x == 0",
            "x == 1",
            "y == 0",
            "y == 1",
            "z == 1",
            "x == y",
            "t[0] == 1",
            "t[z] == 0",
            "g == 0",
            "exists(e in t : e == 1)",
            "x == 1 || y == 1",
            "self.z == 0",
        ];
        self.pick(&conditions)
    }

    /// ` / { ... }` in so many cases of a hundred.
    fn effect(&mut self, cases: usize) -> String {
        match self.percent(cases) {
            true => format!(" / {{ {} }}", self.statements()),
            false => String::new(),
        }
    }

    fn statements(&mut self) -> String {
        (0..=self.chooser.below(2))
            .map(|_| self.statement())
            .collect()
    }

    fn statement(&mut self) -> String {
        let plain = [
            "x = 0;",
            "x = 1;",
            "y = 1;",
            "z = 0;",
            "z = 1;",
            "x = choose(0..1);",
            "y = choose(0..1);",
            "y = x;",
            "z = y;",
            "x = z;",
            "t[0] = 1;",
            "t[1] = x;",
            "t[x] = 0;",
            "for (i in 0..1) { t[i] = y; }",
            "for (i in x..y) { z = 1; }",
            "g = x;",
            "y = g;",
            "send self.M(x);",
            "send a.M(z);",
            "for (e in t) { x = e; }",
        ];
        match self.chooser.below(12) {
            0 => format!("if ({}) {{ {} }}", self.condition(), self.pick(&plain)),
            1 => {
                let (then, otherwise) = (self.pick(&plain), self.pick(&plain));
                format!(
                    "if ({}) {{ {then} }} else {{ {otherwise} }}",
                    self.condition()
                )
            }
            2 if self.percent(30) => format!("assert {};", self.condition()),
            _ => self.pick(&plain),
        }
    }

    fn percent(&mut self, cases: usize) -> bool {
        self.chooser.below(100) < cases
    }

    fn pick<T: ToString>(&mut self, all: &[T]) -> String {
        all[self.chooser.below(all.len())].to_string()
    }
}
