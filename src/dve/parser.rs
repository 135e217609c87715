//! From tokens to what is written. One error ends it: these models are made by machines.

use super::lexer::{Read, Token, tokens};
use super::syntax::{
    ChannelDeclaration, Declaration, Edge, File, ProcessDeclaration, SyncTerm, Term, TermKind, Word,
};
use crate::lang::{Diagnostic, Span, limits};

type Parsed<T> = Result<T, Diagnostic>;

pub(super) fn parse(source: &str) -> Parsed<File<'_>> {
    let mut tokens = tokens(source);
    let mut parser = Parser {
        next: tokens.next(),
        tokens,
        end: Span::new(source.len(), source.len()),
        depth: 0,
        terms: 0,
        declarations: 0,
    };
    parser.file()
}

struct Parser<'s, T> {
    tokens: T,
    next: Option<(Read<'s>, Span)>,
    end: Span,
    depth: usize,
    /// So many were read.
    terms: usize,
    declarations: usize,
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

impl<'s, T: Iterator<Item = (Read<'s>, Span)>> Parser<'s, T> {
    fn peek(&self) -> Option<Token<'s>> {
        let (read, _) = self.next.as_ref()?;
        read.as_ref().ok().copied()
    }

    fn advance(&mut self) {
        self.next = self.tokens.next();
    }

    fn span(&self) -> Span {
        self.next.as_ref().map_or(self.end, |(_, span)| *span)
    }

    fn is(&self, text: &str) -> bool {
        match self.peek() {
            Some(Token::Word(found) | Token::Symbol(found)) => found == text,
            _ => false,
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`")))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match &self.next {
            None => "the end of the file".to_owned(),
            Some((Err(unreadable), _)) => return unreadable.clone(),
            Some((Ok(Token::Word(text) | Token::Symbol(text)), _)) => format!("`{text}`"),
            Some((Ok(Token::Number(number)), _)) => format!("`{number}`"),
        };
        let message = format!("expected {wanted}, found {found}");
        Diagnostic::error("E010", self.span(), message)
    }

    fn word(&mut self, what: &str) -> Parsed<Word<'s>> {
        let span = self.span();
        match self.peek() {
            Some(Token::Word(text)) => {
                self.advance();
                Ok(Word { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// The name of what is declared, or what is said of it.
    fn declared(&mut self, what: &str) -> Parsed<Word<'s>> {
        self.declarations += 1;
        if self.declarations > limits::DECLARATIONS {
            let message = format!("more than {} declarations", limits::DECLARATIONS);
            return Err(Diagnostic::error("E113", self.span(), message));
        }
        self.word(what)
    }

    /// One or more, with commas between, up to `;`.
    fn list<R>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<R>) -> Parsed<Vec<R>> {
        let mut all = vec![one(self)?];
        while self.take(",") {
            all.push(one(self)?);
        }
        self.expect(";")?;
        Ok(all)
    }

    fn file(&mut self) -> Parsed<File<'s>> {
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

    fn system(&mut self, file: File<'s>) -> Parsed<File<'s>> {
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
        match &self.next {
            None => Ok(file),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    fn variables(&mut self) -> Parsed<Vec<Declaration<'s>>> {
        let is_const = self.take("const");
        let is_byte = self.take("byte");
        if !is_byte {
            self.expect("int")?;
        }
        self.list(|parser| {
            let name = parser.declared("the name of a variable")?;
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

    fn initial(&mut self) -> Parsed<Vec<Term<'s>>> {
        if !self.take("{") {
            return Ok(vec![self.term()?]);
        }
        self.initial_rest()
    }

    /// `channel a, b;`, `channel {byte, int} c[3];`
    fn channels(&mut self) -> Parsed<Vec<ChannelDeclaration<'s>>> {
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
            let name = parser.declared("the name of a channel")?;
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
                self.advance();
                Ok(number)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn process(&mut self) -> Parsed<ProcessDeclaration<'s>> {
        let mut process = ProcessDeclaration {
            name: self.declared("the name of a process")?,
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
                process.states.extend(self.list(|p| p.declared("a state"))?);
            } else if self.take("init") {
                process.initial = self.list(|p| p.declared("a state"))?.into_iter().next();
            } else if self.take("commit") {
                process
                    .committed
                    .extend(self.list(|p| p.declared("a state"))?);
            } else if self.take("accept") {
                process
                    .accepting
                    .extend(self.list(|p| p.declared("a state"))?);
            } else if self.take("assert") {
                let assertion = |p: &mut Self| {
                    let state = p.declared("a state")?;
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

    fn transitions(&mut self) -> Parsed<Vec<Edge<'s>>> {
        if self.take(";") {
            return Ok(Vec::new());
        }
        let mut last: Option<Word<'s>> = None;
        self.list(|parser| {
            // `-> B {...}` goes on from the source before.
            let from = match (parser.is("->"), last) {
                (true, Some(word)) => word,
                _ => parser.declared("a state")?,
            };
            last = Some(from);
            parser.edge(from)
        })
    }

    fn edge(&mut self, from: Word<'s>) -> Parsed<Edge<'s>> {
        self.expect("->")?;
        let to = self.declared("a state")?;
        let mut edge = Edge {
            span: from.span.to(to.span),
            from,
            to,
            guard: None,
            sync: None,
            effects: Vec::new(),
            body: self.span(),
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
        edge.body = edge.body.to(self.span());
        self.expect("}")?;
        Ok(edge)
    }

    fn sync(&mut self) -> Parsed<SyncTerm<'s>> {
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
    fn initial_rest(&mut self) -> Parsed<Vec<Term<'s>>> {
        let mut values = vec![self.term()?];
        while self.take(",") {
            values.push(self.term()?);
        }
        self.expect("}")?;
        Ok(values)
    }

    fn term(&mut self) -> Parsed<Term<'s>> {
        self.nested(|parser| parser.level(0))
    }

    fn nested<R>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<R>) -> Parsed<R> {
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(self.too_high(self.span()));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_high(&self, span: Span) -> Diagnostic {
        let message = format!("more than {} levels inside each other", limits::NESTING);
        Diagnostic::error("E015", span, message)
    }

    /// Bounded in number and in height, so that whoever goes through them need not look again.
    fn made(&mut self, kind: TermKind<'s>, span: Span) -> Parsed<Term<'s>> {
        self.terms += 1;
        if self.terms > limits::TERMS {
            let message = format!("the expressions have more than {} parts", limits::TERMS);
            return Err(Diagnostic::error("E113", span, message));
        }
        let height = match &kind {
            TermKind::Number(_) | TermKind::Name(_) | TermKind::InState(..) => 0,
            TermKind::Foreign(_, _, index) => index.as_ref().map_or(0, |index| index.height + 1),
            TermKind::Element(_, inner) | TermKind::Unary(_, inner) => inner.height + 1,
            TermKind::Binary(_, left, right) => left.height.max(right.height) + 1,
        };
        if height as usize > limits::NESTING {
            return Err(self.too_high(span));
        }
        Ok(Term { kind, span, height })
    }

    fn level(&mut self, level: usize) -> Parsed<Term<'s>> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.is(operator)) {
            self.advance();
            let right = self.level(level + 1)?;
            let span = left.span.to(right.span);
            let kind = TermKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.made(kind, span)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Term<'s>> {
        let span = self.span();
        let operators = ["!", "not", "-", "~"];
        let Some(operator) = operators.into_iter().find(|operator| self.is(operator)) else {
            return self.primary();
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        let span = span.to(operand.span);
        self.made(TermKind::Unary(operator, Box::new(operand)), span)
    }

    fn primary(&mut self) -> Parsed<Term<'s>> {
        let span = self.span();
        if self.take("(") {
            let inner = self.term()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let kind = match self.peek() {
            Some(Token::Number(_)) => TermKind::Number(self.number()?),
            _ => self.named()?,
        };
        self.made(kind, span)
    }

    fn named(&mut self) -> Parsed<TermKind<'s>> {
        let name = self.word("a value")?;
        match name.text {
            "true" => return Ok(TermKind::Number(1)),
            "false" => return Ok(TermKind::Number(0)),
            _ => {}
        }
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

    fn index(&mut self) -> Parsed<Option<Box<Term<'s>>>> {
        if !self.take("[") {
            return Ok(None);
        }
        let index = self.term()?;
        self.expect("]")?;
        Ok(Some(Box::new(index)))
    }
}
