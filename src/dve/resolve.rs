//! From what is written to a program: every name becomes a number.

use std::collections::{HashMap, HashSet};

use super::program::{
    Channel, Effect, Expr, Place, Process, Program, State, Sync, Transition, Variable, Width,
};
use super::syntax::{
    ChannelDeclaration, Declaration, Edge, File, ProcessDeclaration, SyncTerm, Term, TermKind, Word,
};
use crate::lang::{Definitions, Diagnostic, Span, limits, nearest};

type Resolved<T> = Result<T, Diagnostic>;

pub(super) fn resolve(
    file: &File<'_>,
    definitions: &Definitions,
) -> Result<Program, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        file,
        definitions,
        program: Program::default(),
        constants: HashMap::new(),
        scopes: HashMap::new(),
        channels: HashMap::new(),
        processes: HashMap::new(),
        states: Vec::new(),
    };
    match resolver.run() {
        Ok(()) => Ok(resolver.program),
        Err(error) => Err(vec![error]),
    }
}

/// The process whose names go first; `None`: only global ones.
type Scope = Option<usize>;

struct Resolver<'f> {
    file: &'f File<'f>,
    definitions: &'f Definitions,
    program: Program,
    constants: HashMap<(Scope, &'f str), i64>,
    /// Variables by where they are declared.
    scopes: HashMap<(Scope, &'f str), usize>,
    channels: HashMap<&'f str, usize>,
    processes: HashMap<&'f str, usize>,
    /// By process.
    states: Vec<HashMap<&'f str, usize>>,
}

impl<'f> Resolver<'f> {
    fn run(&mut self) -> Resolved<()> {
        let file = self.file;
        for declaration in &file.variables {
            self.declare(None, declaration)?;
        }
        self.check_definitions()?;
        for channel in &file.channels {
            self.declare_channel(channel)?;
        }
        for (index, process) in file.processes.iter().enumerate() {
            self.declare_process(index, process)?;
        }
        for (index, process) in file.processes.iter().enumerate() {
            self.process(index, process)?;
        }
        self.check_messages()
    }

    fn declare_channel(&mut self, channel: &'f ChannelDeclaration<'f>) -> Resolved<()> {
        let Word { text, span } = channel.name;
        let capacity = usize::try_from(channel.capacity).unwrap_or(usize::MAX);
        bounded(
            "channel capacity",
            capacity,
            limits::INBOX_CAPACITY as usize,
            span,
        )?;
        self.channels
            .entry(text)
            .or_insert(self.program.channels.len());
        let name = text.to_owned();
        self.program.channels.push(Channel { name, capacity });
        Ok(())
    }

    fn declare_process(
        &mut self,
        index: usize,
        process: &'f ProcessDeclaration<'f>,
    ) -> Resolved<()> {
        let Word { text, span } = process.name;
        bounded("processes:", index + 1, limits::OBJECTS as usize, span)?;
        bounded("states:", process.states.len(), limits::STATES, span)?;
        bounded(
            "transitions:",
            process.transitions.len(),
            limits::TRANSITIONS,
            span,
        )?;
        for declaration in &process.variables {
            self.declare(Some(index), declaration)?;
        }
        let named = |words: &'f [Word<'f>]| words.iter().map(|w| w.text).collect::<HashSet<_>>();
        let (committed, accepting) = (named(&process.committed), named(&process.accepting));
        let states = process.states.iter().map(|state| State {
            name: state.text.to_owned(),
            is_committed: committed.contains(state.text),
            is_accepting: accepting.contains(state.text),
            assertions: Vec::new(),
        });
        self.program.processes.push(Process {
            name: text.to_owned(),
            states: states.collect(),
            initial: 0,
            transitions: Vec::new(),
            span,
        });
        self.processes.entry(text).or_insert(index);
        let states = process.states.iter().map(|state| state.text);
        self.states.push(first_of_each(states));
        Ok(())
    }

    fn declare(&mut self, scope: Scope, declaration: &'f Declaration<'f>) -> Resolved<()> {
        let name = declaration.name.text;
        let values = declaration
            .initial
            .iter()
            .map(|term| self.constant(scope, term));
        let values = values.collect::<Resolved<Vec<i64>>>()?;
        if declaration.is_const && declaration.length.is_none() {
            let value = values.first().copied().unwrap_or(0);
            let given = self.given(scope, declaration.name)?;
            self.constants.insert((scope, name), given.unwrap_or(value));
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
            None => name.to_owned(),
        };
        self.scopes
            .insert((scope, name), self.program.variables.len());
        self.program.variables.push(Variable {
            name: shown,
            process: scope,
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

    /// What the command line gives a global constant.
    fn given(&self, scope: Scope, name: Word<'f>) -> Resolved<Option<i64>> {
        let mut given = self.definitions.iter().rev();
        let given = given.find(|(given, _)| scope.is_none() && given == name.text);
        let Some((_, text)) = given else {
            return Ok(None);
        };
        match text.parse::<i32>() {
            Ok(number) => Ok(Some(i64::from(number))),
            Err(_) => {
                let message = format!("-D {}={text}: a number of 32 bits is needed", name.text);
                Err(Diagnostic::error("E105", name.span, message).label("declared here"))
            }
        }
    }

    fn check_definitions(&self) -> Resolved<()> {
        let is_unknown = |name: &str| !self.constants.contains_key(&(None, name));
        let Some((name, value)) = self.definitions.iter().find(|(name, _)| is_unknown(name)) else {
            return Ok(());
        };
        let message = format!("-D {name}={value}: the model has no constant `{name}`");
        let diagnostic = Diagnostic::error("E103", Span::NOWHERE, message);
        Err(
            match nearest(name, self.constants.keys().map(|(_, known)| *known)) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            },
        )
    }

    fn constant(&self, scope: Scope, term: &Term<'f>) -> Resolved<i64> {
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
        let local = self.constants.get(&(scope, name));
        local.or_else(|| self.constants.get(&(None, name))).copied()
    }

    fn process(&mut self, index: usize, process: &ProcessDeclaration<'f>) -> Resolved<()> {
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

    fn state(&self, process: usize, word: &Word<'f>) -> Resolved<usize> {
        let states = self.program.processes[process].states.iter();
        let known = states.map(|state| state.name.as_str());
        let found = self.states[process].get(word.text).copied();
        found.ok_or_else(|| unknown("state", word.text, word.span, known))
    }

    fn transition(&self, process: usize, edge: &Edge<'f>) -> Resolved<Transition> {
        let scope = Some(process);
        let effect = |(place, value): &(Term<'f>, Term<'f>)| {
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
            body: edge.body,
        })
    }

    fn sync(&self, scope: Scope, sync: &SyncTerm<'f>) -> Resolved<Sync> {
        let Word { text, span } = sync.channel;
        let channels = self.program.channels.iter();
        let known = channels.map(|channel| channel.name.as_str());
        let found = self.channels.get(text).copied();
        let channel = found.ok_or_else(|| unknown("channel", text, span, known))?;
        if sync.sends {
            let values = sync.values.iter().map(|value| self.expr(scope, value));
            let values = values.collect::<Resolved<_>>()?;
            return Ok(Sync::Send { channel, values });
        }
        let places = sync.values.iter().map(|place| self.place(scope, place));
        let places = places.collect::<Resolved<_>>()?;
        Ok(Sync::Receive { channel, places })
    }

    /// Messages of one channel have the same number of values at both ends, and not too many transitions
    /// meet on it.
    fn check_messages(&self) -> Resolved<()> {
        let mut ends = vec![[0; 2]; self.program.channels.len()];
        let declared = self.file.channels.iter().map(|channel| channel.arity);
        let mut known: Vec<Option<usize>> = declared.collect();
        for process in &self.program.processes {
            for transition in &process.transitions {
                let (channel, count, end) = match &transition.sync {
                    None => continue,
                    Some(Sync::Send { channel, values }) => (*channel, values.len(), 0),
                    Some(Sync::Receive { channel, places }) => (*channel, places.len(), 1),
                };
                ends[channel][end] += 1;
                let wanted = *known[channel].get_or_insert(count);
                if wanted != count {
                    let name = &self.program.channels[channel].name;
                    let message =
                        format!("messages on `{name}` have {wanted} values, here {count}");
                    return Err(Diagnostic::error("E129", transition.span, message));
                }
            }
        }
        let meeting = ends
            .iter()
            .zip(&self.file.channels)
            .filter(|(_, c)| c.capacity == 0);
        let mut pairs = 0;
        for ([sends, receives], channel) in meeting {
            pairs += sends * receives;
            bounded("handshakes:", pairs, limits::HANDSHAKES, channel.name.span)?;
        }
        Ok(())
    }

    fn variable(&self, scope: Scope, name: &str, span: Span) -> Resolved<&Variable> {
        let local = self.scopes.get(&(scope, name));
        let found = local.or_else(|| self.scopes.get(&(None, name)));
        let here = |(place, _): &&(Scope, &str)| *place == scope || place.is_none();
        let known = self.scopes.keys().filter(here).map(|(_, name)| *name);
        let index = found.ok_or_else(|| unknown("variable", name, span, known))?;
        Ok(&self.program.variables[*index])
    }

    fn place(&self, scope: Scope, term: &Term<'f>) -> Resolved<Place> {
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
        let index = match (variable.is_array, index) {
            (true, Some(index)) => Some(self.expr(scope, index)?),
            (true, None) => Some(Expr::Number(0)), // an array alone is its first element
            (false, None) => None,
            (false, Some(_)) => {
                let message = format!("`{name}` is no array");
                return Err(Diagnostic::error("E127", term.span, message));
            }
        };
        Ok(Place {
            first_slot: variable.first_slot,
            length: variable.length,
            index: index.map(Box::new),
            span: term.span,
        })
    }

    fn process_named(&self, name: &str, span: Span) -> Resolved<usize> {
        let processes = self.program.processes.iter();
        let known = processes.map(|process| process.name.as_str());
        let found = self.processes.get(name).copied();
        found.ok_or_else(|| unknown("process", name, span, known))
    }

    fn expr(&self, scope: Scope, term: &Term<'f>) -> Resolved<Expr> {
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
                let (text, span) = (state, term.span);
                let state = self.state(process, &Word { text, span })?;
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

fn bounded(what: &str, found: usize, most: usize, span: Span) -> Resolved<()> {
    if found <= most {
        return Ok(());
    }
    let message = format!("{what} {found} exceeds {most}");
    Err(Diagnostic::error("E113", span, message))
}

/// Where each name stands first.
fn first_of_each<'s>(names: impl Iterator<Item = &'s str>) -> HashMap<&'s str, usize> {
    let mut first = HashMap::new();
    for (index, name) in names.enumerate() {
        first.entry(name).or_insert(index);
    }
    first
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
