//! The items one by one: constants, signals, classes, objects, and how they run.

use super::cursor::{Parsed, Parser};
use super::elements::{Owner, described};
use super::words::{ENVIRONMENTS, FAULTS, OPTIONS, POLICIES, SEMANTICS};
use crate::lang::codes;
use crate::lang::syntax::{
    Allow, Class, Expr, Inbox, Initial, ItemKind, Name, Object, ObjectName, Signal, Signals,
};

impl Parser<'_> {
    pub fn constant(&mut self) -> Parsed<ItemKind> {
        self.advance();
        self.no_type_of_constant();
        let name = self.name("the name of a constant")?;
        self.expect("=")?;
        let value = self.expression()?;
        self.semicolon("the constant")?;
        Ok(ItemKind::Const { name, value })
    }

    fn no_type_of_constant(&mut self) {
        if self.at_any(super::words::TYPES) && self.peek(2) == "=" {
            let help = "a constant has the type of its value: `const N = 3;`";
            self.error(
                codes::UNEXPECTED,
                "a constant is declared without a type",
                help,
            );
            self.advance();
        }
    }

    pub fn enumeration(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.name("the name of an enumeration")?;
        let literals = self.items_in_braces(|parser| parser.names("the name of a value"))?;
        Ok(ItemKind::Enum { name, literals })
    }

    /// A list in braces that ends an item. What is wrong in it has been reported, and its `}` read.
    fn items_in_braces<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<Vec<T>>,
    ) -> Parsed<Vec<T>> {
        if !self.at("{") {
            return Err(self.unexpected("`{`"));
        }
        let list = self.braced(read);
        if list.is_err() {
            self.skip_until(&["}"]);
            self.eat("}");
        }
        Ok(list.unwrap_or_default())
    }

    pub fn signals(&mut self, external: bool) -> Parsed<Signals> {
        self.advance();
        if external {
            self.signal_keyword()?;
        }
        let signals = self.list(Parser::signal)?;
        let receivers = if self.eat("to") {
            self.objects()?
        } else {
            Vec::new()
        };
        self.semicolon("the signals")?;
        Ok(Signals {
            external,
            signals,
            receivers,
        })
    }

    fn signal_keyword(&mut self) -> Parsed<()> {
        if !self.at("signal") && self.misspelt("`signal`", &["signal"]).is_none() {
            return Err(self.unexpected_because("`signal`", "write `external signal Button;`"));
        }
        self.advance();
        Ok(())
    }

    fn signal(&mut self) -> Parsed<Signal> {
        let name = self.name("the name of a signal")?;
        if !self.at("(") {
            return Ok(Signal {
                name,
                parameters: Vec::new(),
            });
        }
        let open = self.advance();
        if self.at(")") {
            let help = "a signal without parameters is declared without parentheses";
            return Err(self.unexpected_because("a type", help));
        }
        let parameters = self.list(Parser::parameter)?;
        self.close(open, ")")?;
        Ok(Signal { name, parameters })
    }

    pub fn objects(&mut self) -> Parsed<Vec<ObjectName>> {
        self.list(|parser| {
            let (name, index) = parser.indexed("the name of an object")?;
            Ok(ObjectName { name, index })
        })
    }

    /// `NAME [ "[" expr "]" ]`
    fn indexed(&mut self, what: &str) -> Parsed<(Name, Option<Expr>)> {
        let name = self.name(what)?;
        let index = if self.at("[") {
            Some(self.bracketed()?)
        } else {
            None
        };
        Ok((name, index))
    }

    pub fn class(&mut self) -> Parsed<Class> {
        self.advance();
        let name = self.name("the name of a class")?;
        let body = self.body(Owner::Class, &described("class", &name))?;
        Ok(Class { name, body })
    }

    pub fn object(&mut self) -> Parsed<Object> {
        self.advance();
        let declared = self.list(|parser| parser.indexed("the name of an object"))?;
        self.expect_because(
            ":",
            "an object is declared with its class: `object a1: Agent;`",
        )?;
        let class = self.name("the name of a class")?;
        if !self.at("{") {
            self.semicolon("the object")?;
            return Ok(Object {
                declared,
                class,
                initial: Vec::new(),
            });
        }
        let open = self.open_body()?;
        let initial = self.lines(Parser::initialised);
        self.close_body(open, &described("object", &declared[0].0));
        Ok(Object {
            declared,
            class,
            initial,
        })
    }

    fn initialised(&mut self) -> Parsed<(Name, Initial)> {
        let name = self.name("the name of a variable")?;
        self.expect("=")?;
        let value = self.initial_value()?;
        self.semicolon("the value")?;
        Ok((name, value))
    }

    /// Lines in braces that each end with a `;`.
    pub fn lines<T>(&mut self, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Vec<T> {
        let mut lines = Vec::new();
        while !self.at_body_end() {
            let before = self.position;
            match read(self) {
                Ok(line) => lines.push(line),
                Err(_) => self.recover(super::recovery::Level::Element),
            }
            if self.position == before {
                self.advance();
            }
        }
        lines
    }

    pub fn inbox(&mut self) -> Parsed<Inbox> {
        self.advance();
        let owners = if self.eat("*") {
            Vec::new()
        } else {
            self.objects()?
        };
        self.expect_because("capacity", "write `inbox a1 capacity 4;`")?;
        let capacity = self.expression()?;
        let on_full = if self.eat("on_full") {
            Some(self.one_of("a policy", POLICIES)?)
        } else {
            None
        };
        self.semicolon("the inbox")?;
        Ok(Inbox {
            owners,
            capacity,
            on_full,
        })
    }

    pub fn thread(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.name("the name of a thread")?;
        let objects = self.items_in_braces(Parser::objects)?;
        Ok(ItemKind::Thread { name, objects })
    }

    pub fn semantics(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let kind = self.one_of("a semantics", SEMANTICS)?;
        let mut options = Vec::new();
        if self.eat("with") {
            options = self.list(|parser| parser.one_of("an option", OPTIONS))?;
        }
        self.semicolon("the semantics")?;
        Ok(ItemKind::Semantics { kind, options })
    }

    pub fn environment(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let kind = self.one_of("`lazy` or `eager`", ENVIRONMENTS)?;
        self.semicolon("the environment")?;
        Ok(ItemKind::Environment { kind })
    }

    pub fn allow(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let allowed = self.list(Parser::allowed)?;
        self.semicolon("the faults")?;
        Ok(ItemKind::Allow(allowed))
    }

    fn allowed(&mut self) -> Parsed<Allow> {
        let fault = self.one_of("a fault", FAULTS)?;
        if !self.eat("of") {
            return Ok(Allow {
                fault,
                of: Vec::new(),
            });
        }
        let open = self.expect_because(
            "(",
            "write `allow implicit_consumption of (Refuse, Grant);`",
        )?;
        let of = self.names("the name of a signal")?;
        self.close(open, ")")?;
        Ok(Allow { fault, of })
    }
}
