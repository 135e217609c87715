//! Properties, and the abstractions under which they are checked.

use super::cursor::{Parsed, Parser, Reported};
use super::words::{DOMAINS, FAULTS, LEVELS, PROPERTIES};
use crate::lang::codes;
use crate::lang::syntax::{Abstraction, AbstractionSubject, Domain, Expr, Property, PropertyBody};

type Interval = (Option<Expr>, Option<Expr>);

impl Parser<'_> {
    pub fn property(&mut self) -> Parsed<Property> {
        self.advance();
        let name = self.name("the name of a property")?;
        self.property_colon()?;
        let body = self.property_body()?;
        let level = if self.eat("at") {
            Some(self.one_of("`transition` or `rtc`", LEVELS)?)
        } else {
            None
        };
        self.semicolon("the property")?;
        Ok(Property { name, body, level })
    }

    fn property_colon(&mut self) -> Parsed<()> {
        if self.eat(":") {
            return Ok(());
        }
        let message = format!(
            "expected `:` behind the name of the property, found {}",
            self.found()
        );
        let reported = self.error(
            codes::UNEXPECTED,
            message,
            "write `property name : always ...;`",
        );
        if self.at_any(PROPERTIES) {
            Ok(())
        } else {
            Err(reported)
        }
    }

    fn property_body(&mut self) -> Parsed<PropertyBody> {
        if !self.at_any(PROPERTIES) && self.at_expression() {
            let message = format!(
                "expected `always`, `never` or `ltl`, found {}",
                self.found()
            );
            let help = "say when it has to hold: `always x > 0` or `never x > 0`";
            return Err(self.error(codes::UNKNOWN_WORD, message, help));
        }
        let word = self.one_of("`always`, `never` or `ltl`", PROPERTIES)?;
        match word.text.as_str() {
            "never" if self.at_fault() => self.never_fault(),
            "never" => Ok(PropertyBody::Never(self.expression()?)),
            "ltl" => Ok(PropertyBody::Ltl(self.temporal_expression()?)),
            _ => Ok(PropertyBody::Always(self.expression()?)),
        }
    }

    /// Whether a condition stands here without a word before it.
    fn at_expression(&self) -> bool {
        !self.at_name()
            || matches!(
                self.peek(1),
                "." | "[" | "in" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
            )
    }

    /// A fault; in parentheses, or beside an operator, its name is that of a variable.
    fn at_fault(&self) -> bool {
        let is_whole = matches!(self.peek(1), ";" | "of" | "at");
        self.at_name() && (self.at_any(FAULTS) && is_whole || self.peek(1) == "of")
    }

    fn never_fault(&mut self) -> Parsed<PropertyBody> {
        let fault = self.one_of("a fault", FAULTS)?;
        let of = if self.eat("of") {
            self.objects()?
        } else {
            Vec::new()
        };
        Ok(PropertyBody::NeverFault { fault, of })
    }

    fn temporal_expression(&mut self) -> Parsed<Expr> {
        self.temporal = true;
        let formula = self.expression();
        self.temporal = false;
        formula
    }

    pub fn abstraction(&mut self) -> Parsed<Vec<Abstraction>> {
        self.advance();
        let open = self.open_body()?;
        let lines = self.lines(Parser::abstracted);
        self.close_body(open, "the abstraction");
        Ok(lines)
    }

    fn abstracted(&mut self) -> Parsed<Abstraction> {
        let start = self.span();
        let subject = self.subject()?;
        self.expect_because(
            ":",
            "a variable and its domain are written `Agent.account : sign;`",
        )?;
        let domain = self.domain()?;
        self.semicolon("the domain")?;
        Ok(Abstraction {
            subject,
            domain,
            span: self.span_from(start),
        })
    }

    fn subject(&mut self) -> Parsed<AbstractionSubject> {
        if self.eat("*") {
            return Ok(AbstractionSubject::Everything);
        }
        let owner = self.name("the name of a variable or class, or `*`")?;
        if !self.eat(".") {
            return Ok(AbstractionSubject::Global(owner));
        }
        if self.eat("*") {
            return Ok(AbstractionSubject::All(owner));
        }
        let member = self.name("the name of a variable, or `*`")?;
        Ok(AbstractionSubject::Member(owner, member))
    }

    /// One domain, or several with `&&` between them.
    fn domain(&mut self) -> Parsed<Domain> {
        let mut domain = self.one_domain()?;
        while self.eat("&&") {
            let other = self.one_domain()?;
            domain = Domain::Both(Box::new(domain), Box::new(other));
        }
        Ok(domain)
    }

    fn one_domain(&mut self) -> Parsed<Domain> {
        let word = self.one_of("a domain", DOMAINS)?;
        match word.text.as_str() {
            "intervals" => Ok(Domain::Intervals(
                self.in_parentheses(|parser| parser.list(Parser::interval))?,
            )),
            "values" => {
                Ok(Domain::Values(self.in_parentheses(|parser| {
                    parser.list(Parser::expression)
                })?))
            }
            "range" => self.bounds().map(|(low, high)| Domain::Range(low, high)),
            "modulo" => Ok(Domain::Modulo(self.in_parentheses(Parser::expression)?)),
            "timer" => Ok(Domain::Timer(self.in_parentheses(Parser::expression)?)),
            "sign" => Ok(Domain::Sign),
            "parity" => Ok(Domain::Parity),
            "any" => Ok(Domain::Any),
            "exact" => Ok(Domain::Exact),
            "auto" => Ok(Domain::Auto),
            // Reported, and nothing near to it is known.
            _ => Err(Reported),
        }
    }

    fn in_parentheses<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.expect("(")?;
        let inner = read(self)?;
        self.close(open, ")")?;
        Ok(inner)
    }

    /// `..u`, `l..u`, `l..` or `..`; a single value is both ends.
    fn interval(&mut self) -> Parsed<Interval> {
        let low = if self.at("..") {
            None
        } else {
            Some(self.expression()?)
        };
        if !self.eat("..") {
            return Ok((low.clone(), low));
        }
        let is_open = self.at_any(&[",", ")"]);
        let high = if is_open {
            None
        } else {
            Some(self.expression()?)
        };
        Ok((low, high))
    }
}
