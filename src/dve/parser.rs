//! From tokens to what is written. One error ends it: these models are made by machines.

use super::lexer::{Token, tokens};
use super::syntax::{
    ChannelDeclaration, Declaration, Edge, File, ProcessDeclaration, SyncTerm, Term, TermKind, Word,
};
use crate::lang::{Diagnostic, Span, limits};

type Parsed<T> = Result<T, Diagnostic>;

pub(super) fn parse(source: &str) -> Parsed<File> {
    let tokens = tokens(source)?;
    let end = Span::new(source.len(), source.len());
    let mut parser = Parser {
        tokens,
        next: 0,
        end,
        depth: 0,
    };
    parser.file()
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    next: usize,
    end: Span,
    depth: usize,
}

/// Operators from loose to tight; those of one row group to the left.
const LEVELS: &[&[&str]] = &[
    &["imply"],
    &["or", "||"],
    &["and", "&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens
            .get(self.next)
            .map_or(self.end, |(_, span)| *span)
    }

    fn is(&self, text: &str) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => word == text,
            Some(Token::Symbol(symbol)) => symbol.0 == text,
            _ => false,
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`")))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Number(number)) => format!("`{number}`"),
            Some(Token::Symbol(symbol)) => format!("`{}`", symbol.0),
        };
        let message = format!("expected {wanted}, found {found}");
        Diagnostic::error("E010", self.span(), message)
    }

    fn word(&mut self, what: &str) -> Parsed<Word> {
        let span = self.span();
        match self.peek() {
            Some(Token::Word(text)) => {
                let text = text.clone();
                self.next += 1;
                Ok(Word { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// One or more, with commas between, up to `;`.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.take(",") {
            all.push(one(self)?);
        }
        self.expect(";")?;
        Ok(all)
    }

    fn file(&mut self) -> Parsed<File> {
        let mut file = File::default();
        loop {
            if self.is("byte") || self.is("int") || self.is("const") {
                file.variables.extend(self.variables()?);
            } else if self.take("channel") {
                file.channels.extend(self.channels()?);
            } else if self.take("process") {
                file.processes.push(self.process()?);
            } else if self.take("system") {
                return self.system(file);
            } else {
                return Err(self.unexpected("a variable, a channel, a process or `system`"));
            }
        }
    }

    fn system(&mut self, file: File) -> Parsed<File> {
        let span = self.span();
        if self.take("sync") {
            let message = "systems whose processes move together are not supported";
            return Err(Diagnostic::error("E010", span, message));
        }
        self.expect("async")?;
        if self.take("property") {
            self.word("the name of a process")?;
        }
        self.expect(";")?;
        match self.peek() {
            None => Ok(file),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    fn variables(&mut self) -> Parsed<Vec<Declaration>> {
        let is_const = self.take("const");
        let is_byte = self.take("byte");
        if !is_byte {
            self.expect("int")?;
        }
        self.list(|parser| {
            let name = parser.word("the name of a variable")?;
            let mut length = None;
            if parser.take("[") {
                length = Some(parser.term()?);
                parser.expect("]")?;
            }
            let initial = if parser.take("=") {
                parser.initial()?
            } else {
                Vec::new()
            };
            Ok(Declaration {
                is_const,
                is_byte,
                name,
                length,
                initial,
            })
        })
    }

    fn initial(&mut self) -> Parsed<Vec<Term>> {
        if !self.take("{") {
            return Ok(vec![self.term()?]);
        }
        let mut values = vec![self.term()?];
        while self.take(",") {
            values.push(self.term()?);
        }
        self.expect("}")?;
        Ok(values)
    }

    /// `channel a, b;`, `channel {byte, int} c[3];`
    fn channels(&mut self) -> Parsed<Vec<ChannelDeclaration>> {
        let mut arity = None;
        if self.take("{") {
            let mut count = 0;
            while !self.take("}") {
                self.word("a type")?;
                self.take(",");
                count += 1;
            }
            arity = Some(count);
        }
        self.list(|parser| {
            let name = parser.word("the name of a channel")?;
            let mut capacity = 0;
            if parser.take("[") {
                capacity = parser.number()?;
                parser.expect("]")?;
            }
            Ok(ChannelDeclaration {
                name,
                capacity,
                arity,
            })
        })
    }

    fn number(&mut self) -> Parsed<i64> {
        match self.peek() {
            Some(Token::Number(number)) => {
                let number = *number;
                self.next += 1;
                Ok(number)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn process(&mut self) -> Parsed<ProcessDeclaration> {
        let mut process = ProcessDeclaration {
            name: self.word("the name of a process")?,
            variables: Vec::new(),
            states: Vec::new(),
            initial: None,
            committed: Vec::new(),
            accepting: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        self.expect("{")?;
        while !self.take("}") {
            if self.is("byte") || self.is("int") || self.is("const") {
                process.variables.extend(self.variables()?);
            } else if self.take("state") {
                process.states.extend(self.list(|p| p.word("a state"))?);
            } else if self.take("init") {
                process.initial = self.list(|p| p.word("a state"))?.into_iter().next();
            } else if self.take("commit") {
                process.committed.extend(self.list(|p| p.word("a state"))?);
            } else if self.take("accept") {
                process.accepting.extend(self.list(|p| p.word("a state"))?);
            } else if self.take("assert") {
                let assertion = |p: &mut Parser| {
                    let state = p.word("a state")?;
                    p.take(":"); // some write it, some do not
                    Ok((state, p.term()?))
                };
                process.assertions.extend(self.list(assertion)?);
            } else if self.take("trans") {
                process.transitions.extend(self.transitions()?);
            } else {
                return Err(self.unexpected("a part of a process"));
            }
        }
        Ok(process)
    }

    fn transitions(&mut self) -> Parsed<Vec<Edge>> {
        if self.take(";") {
            return Ok(Vec::new());
        }
        let mut last: Option<Word> = None;
        self.list(|parser| {
            // `-> B {...}` goes on from the source before.
            let from = match (parser.is("->"), &last) {
                (true, Some(word)) => word.clone(),
                _ => parser.word("a state")?,
            };
            last = Some(from.clone());
            parser.edge(from)
        })
    }

    fn edge(&mut self, from: Word) -> Parsed<Edge> {
        self.expect("->")?;
        let to = self.word("a state")?;
        let mut edge = Edge {
            span: from.span.to(to.span),
            from,
            to,
            guard: None,
            sync: None,
            effects: Vec::new(),
        };
        self.expect("{")?;
        if self.take("guard") {
            edge.guard = Some(self.term()?);
            self.expect(";")?;
        }
        if self.take("sync") {
            edge.sync = Some(self.sync()?);
            self.expect(";")?;
        }
        if self.take("effect") {
            edge.effects = self.list(|parser| {
                let place = parser.primary()?;
                parser.expect("=")?;
                Ok((place, parser.term()?))
            })?;
        }
        self.expect("}")?;
        Ok(edge)
    }

    fn sync(&mut self) -> Parsed<SyncTerm> {
        let channel = self.word("a channel")?;
        let sends = self.take("!");
        if !sends {
            self.expect("?")?;
        }
        let mut values = Vec::new();
        if self.take("{") {
            values = self.initial_rest()?;
        } else if !self.is(";") {
            values.push(self.term()?);
        }
        Ok(SyncTerm {
            channel,
            sends,
            values,
        })
    }

    /// What follows `{`, up to `}`.
    fn initial_rest(&mut self) -> Parsed<Vec<Term>> {
        let mut values = vec![self.term()?];
        while self.take(",") {
            values.push(self.term()?);
        }
        self.expect("}")?;
        Ok(values)
    }

    fn term(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(Diagnostic::error(
                "E015",
                self.span(),
                "too many levels inside each other",
            ));
        }
        let term = self.level(0);
        self.depth -= 1;
        term
    }

    fn level(&mut self, level: usize) -> Parsed<Term> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        let mut length = 0;
        while let Some(operator) = operators.iter().find(|operator| self.is(operator)) {
            self.next += 1;
            length += 1;
            if length > limits::NESTING {
                let message = "too many operators in a row";
                return Err(Diagnostic::error("E015", self.span(), message));
            }
            let right = self.level(level + 1)?;
            let span = left.span.to(right.span);
            let kind = TermKind::Binary(operator, Box::new(left), Box::new(right));
            left = Term { kind, span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Term> {
        let span = self.span();
        let operators = ["!", "not", "-", "~"];
        let Some(operator) = operators.into_iter().find(|operator| self.is(operator)) else {
            return self.primary();
        };
        self.next += 1;
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(Diagnostic::error(
                "E015",
                span,
                "too many levels inside each other",
            ));
        }
        let operand = self.unary()?;
        self.depth -= 1;
        let span = span.to(operand.span);
        let kind = TermKind::Unary(operator, Box::new(operand));
        Ok(Term { kind, span })
    }

    fn primary(&mut self) -> Parsed<Term> {
        let span = self.span();
        if self.take("(") {
            let inner = self.term()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(Token::Number(_)) = self.peek() {
            let kind = TermKind::Number(self.number()?);
            return Ok(Term { kind, span });
        }
        let name = self.word("a value")?;
        let kind = match name.text.as_str() {
            "true" => TermKind::Number(1),
            "false" => TermKind::Number(0),
            _ => self.named(name)?,
        };
        Ok(Term { kind, span })
    }

    fn named(&mut self, name: Word) -> Parsed<TermKind> {
        if self.take(".") {
            let state = self.word("a state")?;
            return Ok(TermKind::InState(name.text, state.text));
        }
        if self.take("->") {
            let variable = self.word("a variable")?;
            let index = self.index()?;
            return Ok(TermKind::Foreign(name.text, variable.text, index));
        }
        Ok(match self.index()? {
            Some(index) => TermKind::Element(name.text, index),
            None => TermKind::Name(name.text),
        })
    }

    fn index(&mut self) -> Parsed<Option<Box<Term>>> {
        if !self.take("[") {
            return Ok(None);
        }
        let index = self.term()?;
        self.expect("]")?;
        Ok(Some(Box::new(index)))
    }
}
