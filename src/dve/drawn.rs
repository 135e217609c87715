//! Processes as the machines of classes, with their transitions in the words of the text: for drawings. It can be
//! drawn, and nothing else.

use super::program::{Process, Program, State, Transition};
use crate::lang::{
    self, Class, Environment, Machine, Model, Region, SourceFile, Span, StateId, Target,
};

/// Letters of the text of a transition; what is longer is cut.
const LONGEST: usize = 80;

pub fn drawn(program: &Program, source: &SourceFile) -> Model {
    let processes = program.processes.iter();
    let classes = processes.map(|process| Class {
        name: process.name.clone(),
        variables: Vec::new(),
        defaults: Vec::new(),
        machine: machine(process, source),
        frame: Vec::new(),
        span: process.span,
    });
    Model {
        name: source.name().to_owned(),
        enums: Vec::new(),
        signals: Vec::new(),
        classes: classes.collect(),
        objects: Vec::new(),
        globals: Vec::new(),
        global_values: Vec::new(),
        threads: Vec::new(),
        semantics: lang::Semantics::Interleaving,
        environment: Environment::Lazy,
        properties: Vec::new(),
        property_frame: Vec::new(),
        abstraction: Vec::new(),
        nondeterminism_is_meant: true,
    }
}

fn machine(process: &Process, source: &SourceFile) -> Machine {
    let top = Region {
        name: String::new(),
        parent: None,
        states: (0..process.states.len()).map(StateId::new).collect(),
        initial: StateId::new(process.initial),
        initial_effect: Vec::new(),
        initial_text: String::new(),
        history: false,
        deep: false,
        remembers: false,
        span: process.span,
    };
    let transitions = process.transitions.iter();
    Machine {
        regions: vec![top],
        states: process.states.iter().map(state).collect(),
        choices: Vec::new(),
        transitions: transitions.map(|t| transition(t, source)).collect(),
    }
}

fn state(state: &State) -> lang::State {
    lang::State {
        name: state.name.clone(),
        path: state.name.clone(),
        region: lang::TOP,
        regions: Vec::new(),
        is_final: false,
        quiescent: false,
        flushes: false,
        entry: Vec::new(),
        exit: Vec::new(),
        entry_text: String::new(),
        exit_text: String::new(),
        defers: Vec::new(),
        span: Span::NOWHERE,
    }
}

fn transition(transition: &Transition, source: &SourceFile) -> lang::Transition {
    let text = text(transition.body, source);
    lang::Transition {
        sources: vec![StateId::new(transition.from)],
        triggers: Vec::new(),
        guard: lang::Guard::default(),
        effect: Vec::new(),
        target: Target::States(vec![StateId::new(transition.to)]),
        label: text.clone(),
        texts: Vec::from_iter((!text.is_empty()).then_some(text)),
        span: transition.span,
    }
}

/// What stands in braces, on one line.
fn text(body: Span, source: &SourceFile) -> String {
    let inside = source
        .text()
        .get(body.start as usize + 1..body.end as usize);
    let inside = inside.unwrap_or_default().trim_end_matches('}');
    let words: Vec<&str> = inside.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        None => line,
        Some((end, _)) => format!("{} ...", &line[..end]),
    }
}
