//! What operators stand between: numbers, names, and everything that is called or chosen.

use super::cursor::{Parsed, Parser};
use super::expressions::Built;
use super::words::{QUESTIONS, TEMPORAL_PREFIXES, near};
use crate::lang::characters::clip;
use crate::lang::lexer::TokenKind;
use crate::lang::syntax::{Binding, Expr, ExprKind, Name, Quantifier, Range, SignalAt, Span};
use crate::lang::{codes, limits};

impl Parser<'_> {
    /// `primary { "." NAME | "[" expr "]" }`
    pub fn postfix(&mut self) -> Parsed<Built> {
        let mut built = self.primary()?;
        loop {
            built = match self.text() {
                "." => self.field(built)?,
                "[" => self.subscript(built)?,
                "(" => return self.not_called(built),
                _ => return Ok(built),
            };
        }
    }

    fn field(&mut self, object: Built) -> Parsed<Built> {
        let start = object.expr.span;
        self.advance();
        if self.kind() == TokenKind::Number {
            let help = "numbers are whole; a range is written `1..5`";
            return Err(self.unexpected_because("the name of a variable", help));
        }
        let name = self.name("the name of a variable")?;
        self.above(
            ExprKind::Field(Box::new(object.expr), name),
            start,
            object.height,
        )
    }

    fn subscript(&mut self, array: Built) -> Parsed<Built> {
        let start = array.expr.span;
        let open = self.advance();
        let index = self.deeper(|parser| parser.built())?;
        self.close(open, "]")?;
        let height = array.height.max(index.height);
        self.above(
            ExprKind::Element(Box::new(array.expr), Box::new(index.expr)),
            start,
            height,
        )
    }

    /// A `(` stands behind the name of a signal only, which whoever reads one knows.
    fn not_called(&mut self, built: Built) -> Parsed<Built> {
        let ExprKind::Name(name) = &built.expr.kind else {
            return Ok(built);
        };
        if TEMPORAL_PREFIXES.contains(&name.as_str()) {
            return Ok(built);
        }
        let message = format!("`{}` can not be called", clip(name));
        let help = match near(name, QUESTIONS) {
            Some(question) => format!("did you mean `{question}`?"),
            None => "there are no functions".to_string(),
        };
        Err(self.error(codes::NOT_IN_THE_LANGUAGE, message, &help))
    }

    fn primary(&mut self) -> Parsed<Built> {
        match self.text() {
            "true" => Ok(self.word(ExprKind::Bool(true))),
            "false" => Ok(self.word(ExprKind::Bool(false))),
            "null" => Ok(self.word(ExprKind::Null)),
            "self" => Ok(self.word(ExprKind::SelfReference)),
            "(" => self.parenthesised(),
            "choose" => self.choose(),
            "forall" => self.quantified(Quantifier::Forall),
            "exists" => self.quantified(Quantifier::Exists),
            "count" => self.quantified(Quantifier::Count),
            _ if self.at_question() => self.question(),
            _ => self.number_or_name(),
        }
    }

    fn word(&mut self, kind: ExprKind) -> Built {
        Built::leaf(kind, self.advance())
    }

    fn number_or_name(&mut self) -> Parsed<Built> {
        match self.kind() {
            TokenKind::Number => {
                // A number that does not fit has been reported by the lexer.
                let value = self.text().parse().unwrap_or(0);
                Ok(self.word(ExprKind::Int(value)))
            }
            TokenKind::Name => {
                let Name { text, span } = self.take_name();
                Ok(Built::leaf(ExprKind::Name(text), span))
            }
            _ if self.temporal && TEMPORAL_PREFIXES.contains(&self.previous_text()) => {
                let help = "in an `ltl` property this word is an operator, not a name";
                Err(self.unexpected_because("an expression", help))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Built> {
        if self.parentheses >= limits::NESTING {
            return Err(self.too_deep());
        }
        let open = self.advance();
        self.parentheses += 1;
        let inner = self.built();
        self.parentheses -= 1;
        let mut inner = inner?;
        self.close(open, ")")?;
        inner.expr.span = self.span_from(open);
        Ok(inner)
    }

    fn choose(&mut self) -> Parsed<Built> {
        let start = self.advance();
        if self.at("{") {
            return self.choose_set(start);
        }
        let open = self.expect("(")?;
        let low = self.deeper(|parser| parser.built())?;
        let help = "choose from a range with `choose(1..3)`, from values with `choose {1, 3}`";
        self.expect_because("..", help)?;
        let high = self.deeper(|parser| parser.built())?;
        self.close(open, ")")?;
        let height = low.height.max(high.height);
        self.above(
            ExprKind::ChooseRange(Box::new(low.expr), Box::new(high.expr)),
            start,
            height,
        )
    }

    fn choose_set(&mut self, start: Span) -> Parsed<Built> {
        let values = self.deeper(|parser| parser.braced_values(Parser::built))?;
        let height = highest(&values);
        self.above(ExprKind::ChooseSet(exprs(values)), start, height)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Built> {
        let start = self.advance();
        let open = self.expect("(")?;
        let variable = self.name("the name of a variable")?;
        self.expect_because("in", "write `forall(x in pool : ...)`")?;
        let (range, height) = self.deeper(|parser| parser.range())?;
        self.expect(":")?;
        let body = self.deeper(|parser| parser.built())?;
        self.close(open, ")")?;
        let height = height.max(body.height);
        let body = Box::new(body.expr);
        self.above(
            ExprKind::Quantified {
                quantifier,
                variable,
                range,
                body,
            },
            start,
            height,
        )
    }

    /// What a loop or quantifier runs over, and the height of its trees.
    pub fn range(&mut self) -> Parsed<(Range, usize)> {
        let first = self.built()?;
        if !self.eat("..") {
            return Ok((Range::Elements(Box::new(first.expr)), first.height));
        }
        let last = self.built()?;
        let height = first.height.max(last.height);
        Ok((
            Range::Numbers(Box::new(first.expr), Box::new(last.expr)),
            height,
        ))
    }

    pub fn at_question(&self) -> bool {
        self.at_any(QUESTIONS) && self.peek(1) == "("
    }

    fn question(&mut self) -> Parsed<Built> {
        let word = self.text();
        let start = self.advance();
        let open = self.advance();
        let (kind, height) = self.deeper(|parser| parser.asked(word))?;
        self.close(open, ")")?;
        self.above(kind, start, height)
    }

    fn asked(&mut self, word: &str) -> Parsed<(ExprKind, usize)> {
        match word {
            "queued" => {
                let (at, height) = self.signal_at()?;
                Ok((ExprKind::Queued(at), height))
            }
            "queued_before" => self.queued_before(),
            "enabled" => self.about_object(ExprKind::Enabled),
            "idle" => self.about_object(ExprKind::Idle),
            _ => self.action(word == "received"),
        }
    }

    fn about_object(&mut self, kind: fn(Box<Expr>) -> ExprKind) -> Parsed<(ExprKind, usize)> {
        let object = self.built()?;
        Ok((kind(Box::new(object.expr)), object.height))
    }

    fn queued_before(&mut self) -> Parsed<(ExprKind, usize)> {
        let (earlier, height) = self.signal_at()?;
        self.expect_because(
            ",",
            "two messages are asked about: `queued_before(a.First, a.Second)`",
        )?;
        let (later, other) = self.signal_at()?;
        Ok((ExprKind::QueuedBefore(earlier, later), height.max(other)))
    }

    fn action(&mut self, received: bool) -> Parsed<(ExprKind, usize)> {
        let (signal, mut height) = self.signal_at()?;
        let parameters = self.bindings()?;
        let mut condition = None;
        if self.eat("|") {
            let built = self.built()?;
            height = height.max(built.height);
            condition = Some(Box::new(built.expr));
        }
        Ok((
            ExprKind::Action {
                received,
                signal,
                parameters,
                condition,
            },
            height,
        ))
    }

    /// `[ postfix "." ] NAME`. The first name, even before a `(`, is no question.
    fn signal_at(&mut self) -> Parsed<(SignalAt, usize)> {
        if self.at_name() && !matches!(self.peek(1), "." | "[") {
            let signal = self.take_name();
            return Ok((
                SignalAt {
                    object: None,
                    signal,
                },
                1,
            ));
        }
        let (object, signal, height) = self.object_and_signal()?;
        Ok((
            SignalAt {
                object: Some(Box::new(object)),
                signal,
            },
            height,
        ))
    }

    /// `postfix "." NAME`
    pub fn object_and_signal(&mut self) -> Parsed<(Expr, Name, usize)> {
        let is_signal = self.at_name() && self.peek(1) == "(" && !self.at_question();
        if is_signal || !self.begins_place() {
            let help = "write `object.Signal(...)`, or `self.Signal(...)`";
            return Err(self.unexpected_because("the object that gets the message", help));
        }
        let built = self.postfix()?;
        match built.expr.kind {
            ExprKind::Field(object, signal) if self.previous().start == signal.span.start => {
                Ok((*object, signal, built.height))
            }
            _ => Err(self.unexpected("`.` and the name of a signal")),
        }
    }

    /// `[ "(" [ ( NAME | "_" ) % "," ] ")" ]`
    pub fn bindings(&mut self) -> Parsed<Option<Vec<Binding>>> {
        if !self.at("(") {
            return Ok(None);
        }
        let open = self.advance();
        let bound = if self.at(")") {
            Vec::new()
        } else {
            self.list(Parser::bound)?
        };
        self.close(open, ")")?;
        Ok(Some(bound))
    }

    fn bound(&mut self) -> Parsed<Binding> {
        if self.at("_") {
            return Ok(Binding::Ignored(self.advance()));
        }
        if !self.at_name() {
            let help = "a trigger names what the message carries, as in `Order(seats, _)`; compare in the guard";
            return Err(self.unexpected_because("a name or `_`", help));
        }
        Ok(Binding::Name(self.take_name()))
    }
}

pub fn highest(built: &[Built]) -> usize {
    built.iter().map(|one| one.height).max().unwrap_or(0)
}

pub fn exprs(built: Vec<Built>) -> Vec<Expr> {
    built.into_iter().map(|one| one.expr).collect()
}
