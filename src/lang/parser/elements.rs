//! What stands in the bodies of classes, states and regions.

use super::cursor::{Parsed, Parser, Reported};
use super::recovery::Level;
use super::words::{ELEMENTS, ITEMS, TYPES};
use crate::lang::codes;
use crate::lang::syntax::{Element, ElementKind, Name, VertexKind};

/// What a body belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Class,
    State,
}

impl Parser<'_> {
    /// `{ element ... }`; `what` is said when it is not closed.
    pub fn body(&mut self, owner: Owner, what: &str) -> Parsed<Vec<Element>> {
        let open = self.open_body()?;
        self.deeper(|parser| {
            let elements = parser.elements(owner);
            parser.close_body(open, what);
            Ok(elements)
        })
    }

    fn elements(&mut self, owner: Owner) -> Vec<Element> {
        let mut elements = Vec::new();
        while !self.at_body_end() {
            let before = self.position;
            match self.element(owner) {
                Ok(element) => elements.extend(element),
                Err(_) => self.recover(Level::Element),
            }
            if self.position == before {
                self.advance();
            }
        }
        elements
    }

    /// The next element; none where something else stood here that could be read.
    pub fn element(&mut self, owner: Owner) -> Parsed<Option<Element>> {
        if self.at_any(ITEMS) {
            return self.misplaced_item();
        }
        let start = self.span();
        let kind = self.element_kind(owner, self.text())?;
        Ok(Some(Element {
            kind,
            span: self.span_from(start),
        }))
    }

    fn misplaced_item(&mut self) -> Parsed<Option<Element>> {
        let message = format!("`{}` can not stand in a class", self.text());
        self.error(codes::MISPLACED, message, "move it out of the class");
        self.item()?;
        Ok(None)
    }

    fn element_kind(&mut self, owner: Owner, word: &str) -> Parsed<ElementKind> {
        match word {
            "initial" => self.initial_transition(),
            "quiescent" | "state" => self.state(word == "quiescent"),
            "region" => self.region(),
            "choice" => self.vertices(VertexKind::Choice),
            "junction" => self.vertices(VertexKind::Junction),
            "fork" => self.vertices(VertexKind::Fork),
            "join" => self.vertices(VertexKind::Join),
            "final" => self.vertices(VertexKind::Final),
            "on" => self.internal_transition(),
            "entry" => self.action_of_state(ElementKind::Entry),
            "exit" => self.action_of_state(ElementKind::Exit),
            "defer" => Ok(ElementKind::Defer(self.signal_names()?)),
            "ignore" => Ok(ElementKind::Ignore(self.signal_names()?)),
            "history" => self.history_of_region(false),
            "deep" if self.peek(1) == "history" => self.history_of_region(true),
            "no" if self.peek(1) == "flush" => self.no_flush(),
            _ => self.open_element(owner, word),
        }
    }

    /// An element that begins with no word of its own: a variable or a transition.
    fn open_element(&mut self, owner: Owner, word: &str) -> Parsed<ElementKind> {
        if TYPES.contains(&word) {
            return self.inner_variable(owner);
        }
        if !self.at_name() {
            return Err(self.no_element());
        }
        if matches!(self.peek(1), "->" | ".") {
            return self.transition();
        }
        if let Some(keyword) = self.misspelt("a part of a state machine", ELEMENTS) {
            return self.element_kind(owner, keyword);
        }
        if self.peek_is_name(1) || self.peek(1) == "[" {
            self.inner_variable(owner)
        } else {
            self.transition()
        }
    }

    fn no_element(&mut self) -> Reported {
        let help = match (self.text(), self.previous_text()) {
            ("[", _) => "the first state is named with `initial -> State;`",
            (";", _) => "this `;` ends nothing; remove it",
            _ => "",
        };
        self.unexpected_because(
            "a state, a transition or another part of a state machine",
            help,
        )
    }

    fn inner_variable(&mut self, owner: Owner) -> Parsed<ElementKind> {
        if owner != Owner::Class {
            self.report_inner_variable();
        }
        Ok(ElementKind::Variable(self.variable()?))
    }

    /// `[ "quiescent" ] "state" ( NAME % "," ";" | NAME "{" { element } "}" )`
    fn state(&mut self, quiescent: bool) -> Parsed<ElementKind> {
        self.advance();
        if quiescent {
            self.state_keyword()?;
        }
        let names = self.names("the name of a state")?;
        if !self.at("{") {
            self.semicolon("the state")?;
            return Ok(ElementKind::State {
                quiescent,
                names,
                body: None,
            });
        }
        self.one_name(&names);
        let body = Some(self.body(Owner::State, &described("state", &names[0]))?);
        Ok(ElementKind::State {
            quiescent,
            names,
            body,
        })
    }

    fn state_keyword(&mut self) -> Parsed<()> {
        if !self.at("state") && self.misspelt("`state`", &["state"]).is_none() {
            return Err(self.unexpected_because("`state`", "write `quiescent state Idle;`"));
        }
        self.advance();
        Ok(())
    }

    fn one_name(&mut self, names: &[Name]) {
        if names.len() > 1 {
            let help = "give each of these states a body of its own";
            self.error(codes::MISPLACED, "a body belongs to one state", help);
        }
    }

    fn region(&mut self) -> Parsed<ElementKind> {
        self.advance();
        let name = self.name("the name of a region")?;
        let body = self.body(Owner::State, &described("region", &name))?;
        Ok(ElementKind::Region { name, body })
    }

    fn vertices(&mut self, kind: VertexKind) -> Parsed<ElementKind> {
        self.advance();
        let names = self.names("the name of a vertex")?;
        self.semicolon("the declaration")?;
        Ok(ElementKind::Vertices { kind, names })
    }

    fn signal_names(&mut self) -> Parsed<Vec<Name>> {
        self.advance();
        let names = self.names("the name of a signal")?;
        self.semicolon("the signals")?;
        Ok(names)
    }

    fn history_of_region(&mut self, deep: bool) -> Parsed<ElementKind> {
        if deep {
            self.advance();
        }
        self.advance();
        self.semicolon("`history`")?;
        Ok(ElementKind::History { deep })
    }

    fn no_flush(&mut self) -> Parsed<ElementKind> {
        self.advance();
        self.advance();
        self.semicolon("`no flush`")?;
        Ok(ElementKind::NoFlush)
    }
}

pub fn described(what: &str, name: &Name) -> String {
    format!("{what} `{}`", name.text)
}
