//! `crisol graph`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crisol::abstraction::Abstract;
use crisol::csm::system::CsmSystem;
use crisol::csm::{Configuration, Precision, Semantics, Step};
use crisol::draw::graph::{self, Edge, Graph as Drawn, Kind, Node};
use crisol::dve::DVE_PROPERTIES;
use crisol::dve::system::DveSystem;
use crisol::lang::Model;
use crisol::report::{DveWords, Words};
use crisol::search::{StateGraph, TooLarge, state_graph};
use crisol::system::{System, Target};

use super::abstraction::Beginning;
use super::load::Input;
use super::{Failure, dve, write_out};

#[derive(Args)]
pub struct Graph {
    #[command(flatten)]
    input: Input,

    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,

    /// Refuse models with more states
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_states: usize,

    #[command(flatten)]
    abstraction: Beginning,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// For yEd, Gephi, networkx
    Graphml,
    /// For CADP and mCRL2 (.aut)
    Aldebaran,
}

impl Graph {
    pub fn run(self) -> Result<u8, Failure> {
        let drawn = match dve::is_dve(&self.input.path) {
            true => self.dve()?,
            false => self.model()?,
        };
        let text = match self.format {
            Format::Dot => graph::dot(&drawn),
            Format::Svg => graph::svg(&drawn),
            Format::Graphml => graph::graphml(&drawn),
            Format::Aldebaran => graph::aldebaran(&drawn),
        };
        write_out(self.output.as_deref(), &text)?;
        Ok(0)
    }

    fn model(&self) -> Result<Drawn, Failure> {
        let reading = &self.input.reading;
        let loaded = reading.load(&self.input.path)?;
        match self.abstraction.precision(reading, &loaded)? {
            None => self.explored(&loaded.model, &Semantics::exact(&loaded.model)),
            Some(precision) => {
                let known_model = precision.model(&loaded.model);
                let values = Abstract::new(&known_model, precision, true);
                self.explored(&known_model, &Semantics::new(&known_model, values))
            }
        }
    }

    fn explored<P: Precision + Sync>(
        &self,
        model: &Model,
        semantics: &Semantics<'_, P>,
    ) -> Result<Drawn, Failure> {
        let found = self.found(&CsmSystem::new(semantics))?;
        let words = Words::new(model, found.states.iter());
        let names: Vec<&str> = model.properties.iter().map(|p| p.name.as_str()).collect();
        let state = |state: &Configuration| words.state(state);
        Ok(in_words(
            &found,
            &model.name,
            &names,
            state,
            |step: &Step| words.step(&step.event),
        ))
    }

    fn dve(&self) -> Result<Drawn, Failure> {
        let Input { path, reading } = &self.input;
        dve::refuse(path, self.abstraction.unfit_for_dve())?;
        let (source, program) = dve::load(path, reading)?;
        let found = self.found(&DveSystem::new(&program))?;
        let words = DveWords::new(&program, found.states.iter().map(|state| &state.values[..]));
        Ok(in_words(
            &found,
            source.name(),
            &DVE_PROPERTIES,
            |state| words.state(&state.values, &state.processes, &state.channels),
            |step| words.step(&step.0),
        ))
    }

    fn found<S: System>(&self, system: &S) -> Result<StateGraph<S>, Failure> {
        let (path, most) = (self.input.path.display(), self.max_states);
        state_graph(system, most).map_err(|TooLarge(found)| {
            Failure::Input(format!(
                "error: {path} has more than {most} states: {found} were found before it gave up\n\
                 help: `--max-states N` for more, a smaller constant (-D) or --abstract for fewer; \
                 `crisol count` says how many there are"
            ))
        })
    }
}

/// What was found, in the words of the model. Steps that fail, or are cut, lead to nodes of their own.
fn in_words<S: System>(
    found: &StateGraph<S>,
    name: &str,
    properties: &[&str],
    state: impl Fn(&S::State) -> Vec<String>,
    step: impl Fn(&S::Action) -> String,
) -> Drawn {
    let named = |violated: &[crisol::system::PropertyId]| {
        let names = violated
            .iter()
            .map(|property| properties[property.0].to_owned());
        names.collect::<Vec<String>>()
    };
    let judged = found.states.iter().zip(&found.results);
    let nodes = judged.map(|(configuration, result)| Node {
        kind: Kind::State,
        lines: state(configuration),
        violates: named(&result.violated),
        is_deadlock: result.is_deadlock,
    });
    let mut ends = Ends {
        nodes: nodes.collect(),
        failure: None,
        cut: None,
        unseen: None,
    };
    let initial = found.starts.iter().map(|start| ends.number(start.to));
    let initial: Vec<usize> = initial.collect();
    let edges = found.moves.iter().map(|(from, made)| Edge {
        from: *from,
        to: ends.number(made.to),
        label: step(&made.step),
        violates: named(&made.violated),
    });
    let edges = edges.collect();
    Drawn {
        name: name.to_owned(),
        nodes: ends.nodes,
        initial,
        edges,
    }
}

/// The nodes, and those that are no states, where they are needed.
struct Ends {
    nodes: Vec<Node>,
    failure: Option<usize>,
    cut: Option<usize>,
    unseen: Option<usize>,
}

impl Ends {
    fn number(&mut self, to: Target<usize>) -> usize {
        let (known, kind) = match to {
            Target::State(number) => return number,
            Target::Error => (&mut self.failure, Kind::Failure),
            Target::Bounded => (&mut self.cut, Kind::Cut),
            Target::Truncated => (&mut self.unseen, Kind::Unseen),
        };
        *known.get_or_insert_with(|| {
            self.nodes.push(Node {
                kind,
                lines: Vec::new(),
                violates: Vec::new(),
                is_deadlock: false,
            });
            self.nodes.len() - 1
        })
    }
}
