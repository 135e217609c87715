//! From what is written to a program: every name becomes a number.

use std::collections::HashMap;

use super::program::{
    Channel, Effect, Expr, Place, Process, Program, State, Sync, Transition, Variable, Width,
};
use super::syntax::{Declaration, Edge, File, ProcessDeclaration, SyncTerm, Term, TermKind, Word};
use crate::lang::{Diagnostic, Span, limits, nearest};

type Resolved<T> = Result<T, Diagnostic>;

pub(super) fn resolve(file: &File) -> Result<Program, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        file,
        program: Program::default(),
        constants: HashMap::new(),
        scopes: HashMap::new(),
    };
    match resolver.run() {
        Ok(()) => Ok(resolver.program),
        Err(error) => Err(vec![error]),
    }
}

/// The process whose names go first; `None`: only global ones.
type Scope = Option<usize>;

struct Resolver<'f> {
    file: &'f File,
    program: Program,
    constants: HashMap<(Scope, String), i64>,
    /// Variables by where they are declared.
    scopes: HashMap<(Scope, String), usize>,
}

impl Resolver<'_> {
    fn run(&mut self) -> Resolved<()> {
        let file = self.file;
        for declaration in &file.variables {
            self.declare(None, declaration)?;
        }
        for channel in &file.channels {
            let capacity = usize::try_from(channel.capacity).unwrap_or(usize::MAX);
            if capacity > limits::INBOX_CAPACITY as usize {
                let message = format!(
                    "channel capacity {capacity} exceeds {}",
                    limits::INBOX_CAPACITY
                );
                return Err(Diagnostic::error("E113", channel.name.span, message));
            }
            let name = channel.name.text.clone();
            self.program.channels.push(Channel { name, capacity });
        }
        for (index, process) in file.processes.iter().enumerate() {
            for declaration in &process.variables {
                self.declare(Some(index), declaration)?;
            }
            let states = process.states.iter().map(|state| State {
                name: state.text.clone(),
                is_committed: process.committed.iter().any(|c| c.text == state.text),
                is_accepting: process.accepting.iter().any(|a| a.text == state.text),
                assertions: Vec::new(),
            });
            self.program.processes.push(Process {
                name: process.name.text.clone(),
                states: states.collect(),
                initial: 0,
                transitions: Vec::new(),
            });
        }
        for (index, process) in file.processes.iter().enumerate() {
            self.process(index, process)?;
        }
        self.check_arities()
    }

    fn declare(&mut self, scope: Scope, declaration: &Declaration) -> Resolved<()> {
        let name = declaration.name.text.clone();
        let values = declaration
            .initial
            .iter()
            .map(|term| self.constant(scope, term));
        let values = values.collect::<Resolved<Vec<i64>>>()?;
        if declaration.is_const && declaration.length.is_none() {
            let value = values.first().copied().unwrap_or(0);
            self.constants.insert((scope, name), value);
            return Ok(());
        }
        let length = match &declaration.length {
            None => 1,
            Some(term) => self.constant(scope, term)?,
        };
        let room = limits::SLOTS as i64 - self.program.slots.len() as i64;
        if !(1..=limits::ARRAY_LENGTH.min(room)).contains(&length) {
            let message = format!(
                "array length {length} is not between 1 and {}",
                limits::ARRAY_LENGTH
            );
            return Err(Diagnostic::error("E113", declaration.name.span, message));
        }
        let width = if declaration.is_byte {
            Width::Byte
        } else {
            Width::Int
        };
        let shown = match scope {
            Some(process) => format!("{}.{name}", self.file.processes[process].name.text),
            None => name.clone(),
        };
        self.scopes
            .insert((scope, name), self.program.variables.len());
        self.program.variables.push(Variable {
            name: shown,
            first_slot: self.program.slots.len(),
            length: length as usize,
            is_array: declaration.length.is_some(),
        });
        for index in 0..length as usize {
            let value = values.get(index).copied().unwrap_or(0);
            self.program.slots.push((width, width.wrap(value as i32)));
        }
        Ok(())
    }

    fn constant(&self, scope: Scope, term: &Term) -> Resolved<i64> {
        let not_constant = || Diagnostic::error("E115", term.span, "this must be a constant");
        match &term.kind {
            TermKind::Number(number) => Ok(*number),
            TermKind::Name(name) => self.constant_named(scope, name).ok_or_else(not_constant),
            TermKind::Unary("-", inner) => Ok(-self.constant(scope, inner)?),
            TermKind::Binary(operator, left, right) => {
                let (left, right) = (self.constant(scope, left)?, self.constant(scope, right)?);
                let value = match *operator {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" => left.checked_div(right),
                    "%" => left.checked_rem(right),
                    _ => None,
                };
                value.ok_or_else(not_constant)
            }
            _ => Err(not_constant()),
        }
    }

    fn constant_named(&self, scope: Scope, name: &str) -> Option<i64> {
        let local = self.constants.get(&(scope, name.to_owned()));
        local
            .or_else(|| self.constants.get(&(None, name.to_owned())))
            .copied()
    }

    fn process(&mut self, index: usize, process: &ProcessDeclaration) -> Resolved<()> {
        let initial = process.initial.as_ref().ok_or_else(|| {
            Diagnostic::error(
                "E154",
                process.name.span,
                "this process has no initial state",
            )
        })?;
        self.program.processes[index].initial = self.state(index, initial)?;
        for (state, condition) in &process.assertions {
            let state = self.state(index, state)?;
            let expr = self.expr(Some(index), condition)?;
            let state = &mut self.program.processes[index].states[state];
            state.assertions.push((expr, condition.span));
        }
        for edge in &process.transitions {
            let transition = self.transition(index, edge)?;
            self.program.processes[index].transitions.push(transition);
        }
        Ok(())
    }

    fn state(&self, process: usize, word: &Word) -> Resolved<usize> {
        let states = &self.program.processes[process].states;
        let position = states.iter().position(|state| state.name == word.text);
        let known = states.iter().map(|state| state.name.as_str());
        position.ok_or_else(|| unknown("state", &word.text, word.span, known))
    }

    fn transition(&self, process: usize, edge: &Edge) -> Resolved<Transition> {
        let scope = Some(process);
        let effect = |(place, value): &(Term, Term)| {
            let place = self.place(scope, place)?;
            let value = self.expr(scope, value)?;
            Ok(Effect { place, value })
        };
        Ok(Transition {
            from: self.state(process, &edge.from)?,
            to: self.state(process, &edge.to)?,
            guard: edge
                .guard
                .as_ref()
                .map(|guard| self.expr(scope, guard))
                .transpose()?,
            sync: edge
                .sync
                .as_ref()
                .map(|sync| self.sync(scope, sync))
                .transpose()?,
            effects: edge.effects.iter().map(effect).collect::<Resolved<_>>()?,
            span: edge.span,
        })
    }

    fn sync(&self, scope: Scope, sync: &SyncTerm) -> Resolved<Sync> {
        let channels = &self.program.channels;
        let position = channels
            .iter()
            .position(|channel| channel.name == sync.channel.text);
        let known = channels.iter().map(|channel| channel.name.as_str());
        let word = &sync.channel;
        let channel = position.ok_or_else(|| unknown("channel", &word.text, word.span, known))?;
        if sync.sends {
            let values = sync.values.iter().map(|value| self.expr(scope, value));
            let values = values.collect::<Resolved<_>>()?;
            return Ok(Sync::Send { channel, values });
        }
        let places = sync.values.iter().map(|place| self.place(scope, place));
        let places = places.collect::<Resolved<_>>()?;
        Ok(Sync::Receive { channel, places })
    }

    /// Messages of one channel have the same number of values at both ends.
    fn check_arities(&self) -> Resolved<()> {
        let declared = self.file.channels.iter().map(|channel| channel.arity);
        let mut known: Vec<Option<usize>> = declared.collect();
        for process in &self.program.processes {
            for transition in &process.transitions {
                let (channel, count) = match &transition.sync {
                    None => continue,
                    Some(Sync::Send { channel, values }) => (*channel, values.len()),
                    Some(Sync::Receive { channel, places }) => (*channel, places.len()),
                };
                let wanted = *known[channel].get_or_insert(count);
                if wanted != count {
                    let name = &self.program.channels[channel].name;
                    let message =
                        format!("messages on `{name}` have {wanted} values, here {count}");
                    return Err(Diagnostic::error("E129", transition.span, message));
                }
            }
        }
        Ok(())
    }

    fn variable(&self, scope: Scope, name: &str, span: Span) -> Resolved<&Variable> {
        let local = self.scopes.get(&(scope, name.to_owned()));
        let found = local.or_else(|| self.scopes.get(&(None, name.to_owned())));
        let here = |(place, _): &&(Scope, String)| *place == scope || place.is_none();
        let known = self
            .scopes
            .keys()
            .filter(here)
            .map(|(_, name)| name.as_str());
        let index = found.ok_or_else(|| unknown("variable", name, span, known))?;
        Ok(&self.program.variables[*index])
    }

    fn place(&self, scope: Scope, term: &Term) -> Resolved<Place> {
        let (owner, name, index) = match &term.kind {
            TermKind::Name(name) => (scope, name, None),
            TermKind::Element(name, index) => (scope, name, Some(index)),
            TermKind::Foreign(process, name, index) => (
                Some(self.process_named(process, term.span)?),
                name,
                index.as_ref(),
            ),
            _ => return Err(Diagnostic::error("E140", term.span, "this is no variable")),
        };
        let variable = self.variable(owner, name, term.span)?;
        if variable.is_array != index.is_some() {
            let message = match variable.is_array {
                true => format!("`{name}` is an array: take one of its elements"),
                false => format!("`{name}` is no array"),
            };
            return Err(Diagnostic::error("E127", term.span, message));
        }
        let index = index.map(|index| self.expr(scope, index)).transpose()?;
        Ok(Place {
            first_slot: variable.first_slot,
            length: variable.length,
            index: index.map(Box::new),
            span: term.span,
        })
    }

    fn process_named(&self, name: &str, span: Span) -> Resolved<usize> {
        let processes = &self.program.processes;
        let position = processes.iter().position(|process| process.name == name);
        let known = processes.iter().map(|process| process.name.as_str());
        position.ok_or_else(|| unknown("process", name, span, known))
    }

    fn expr(&self, scope: Scope, term: &Term) -> Resolved<Expr> {
        match &term.kind {
            TermKind::Number(number) => Ok(Expr::Number(*number as i32)),
            TermKind::Name(name) => match self.constant_named(scope, name) {
                Some(value) => Ok(Expr::Number(value as i32)),
                None => Ok(Expr::Read(self.place(scope, term)?)),
            },
            TermKind::Element(..) | TermKind::Foreign(..) => {
                Ok(Expr::Read(self.place(scope, term)?))
            }
            TermKind::InState(name, state) => {
                let process = self.process_named(name, term.span)?;
                let text = state.clone();
                let state = self.state(
                    process,
                    &Word {
                        text,
                        span: term.span,
                    },
                )?;
                Ok(Expr::InState { process, state })
            }
            TermKind::Unary(operator, operand) => {
                let operand = Box::new(self.expr(scope, operand)?);
                Ok(folded(Expr::Unary(operator, operand)))
            }
            TermKind::Binary(operator, left, right) => {
                let left = Box::new(self.expr(scope, left)?);
                let right = Box::new(self.expr(scope, right)?);
                Ok(folded(Expr::Binary(operator, left, right, term.span)))
            }
        }
    }
}

/// Constants as numbers, so that `a[2*7+1]` is known to be one element; what does not fit is left
/// to the run.
fn folded(expr: Expr) -> Expr {
    let number = match &expr {
        Expr::Unary("-", operand) => match **operand {
            Expr::Number(number) => number.checked_neg(),
            _ => None,
        },
        Expr::Binary(operator, left, right, _) => match (&**left, &**right) {
            (Expr::Number(left), Expr::Number(right)) => match *operator {
                "+" => left.checked_add(*right),
                "-" => left.checked_sub(*right),
                "*" => left.checked_mul(*right),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    number.map_or(expr, Expr::Number)
}

fn unknown<'a>(
    what: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error("E101", span, format!("unknown {what} `{name}`"));
    match nearest(name, known) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
