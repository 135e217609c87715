//! The file and its items.

use super::cursor::{Parsed, Parser, Reported};
use super::elements::Owner;
use super::recovery::Level;
use super::words::{ELEMENTS, ITEMS, OPEN_ITEMS, TYPES};
use crate::lang::characters::clip;
use crate::lang::codes;
use crate::lang::syntax::{File, Item, ItemKind, Name};

impl Parser<'_> {
    pub fn file(&mut self) -> File {
        let mut file = File::default();
        if self.at("system") {
            file.system = self.system().map_err(|_| self.recover(Level::Item)).ok();
        }
        let mut was_stray = false;
        while !self.at_end() {
            was_stray = self.top_level(&mut file.items, was_stray);
        }
        file
    }

    fn system(&mut self) -> Parsed<Name> {
        self.advance();
        let name = self.name("the name of the system")?;
        self.semicolon("the name")?;
        Ok(name)
    }

    /// Reads what comes next. Says whether it was a part of a class outside of one: those that
    /// follow belong to the same mistake.
    fn top_level(&mut self, items: &mut Vec<Item>, was_stray: bool) -> bool {
        let before = self.position;
        self.item_indent = self.indent().unwrap_or(0);
        self.suspect = None;
        let is_stray = self.at_stray();
        let result = if is_stray {
            self.stray(was_stray)
        } else {
            self.item().map(|item| items.extend(item))
        };
        if result.is_err() {
            self.recover(Level::Item);
        }
        if self.position == before {
            self.advance();
        }
        is_stray
    }

    fn at_stray(&self) -> bool {
        self.at("}") || self.at_any(ELEMENTS) || self.at_transition()
    }

    /// A part of a class, or a `}`, outside of every class: usually there is a `}` too much before.
    fn stray(&mut self, was_stray: bool) -> Parsed<()> {
        if !was_stray {
            self.report_stray();
        }
        if !self.eat("}") {
            self.element(Owner::Class)?;
        }
        Ok(())
    }

    fn report_stray(&mut self) -> Reported {
        if self.at("}") {
            return self.error(
                codes::MISPLACED,
                "this `}` closes nothing",
                "remove it, or a `}` before it",
            );
        }
        let message = format!("`{}` can only stand in a class", clip(self.text()));
        self.error(
            codes::MISPLACED,
            message,
            "the class before it may have been closed by a `}` too much",
        )
    }

    /// The next item; none where something was reported and read over.
    pub fn item(&mut self) -> Parsed<Option<Item>> {
        let start = self.span();
        let kind = self.item_kind(self.text())?;
        Ok(kind.map(|kind| Item {
            kind,
            span: self.span_from(start),
        }))
    }

    fn item_kind(&mut self, word: &str) -> Parsed<Option<ItemKind>> {
        let kind = match word {
            "system" => return self.late_system(),
            "const" => self.constant()?,
            "enum" => self.enumeration()?,
            "signal" | "external" => ItemKind::Signals(self.signals(word == "external")?),
            "class" => ItemKind::Class(self.class()?),
            "object" => ItemKind::Object(self.object()?),
            "inbox" => ItemKind::Inbox(self.inbox()?),
            "thread" => self.thread()?,
            "semantics" => self.semantics()?,
            "property" => ItemKind::Property(self.property()?),
            "abstraction" => ItemKind::Abstraction(self.abstraction()?),
            _ => return self.open_item(word),
        };
        Ok(Some(kind))
    }

    /// An item that begins with no reserved word.
    fn open_item(&mut self, word: &str) -> Parsed<Option<ItemKind>> {
        if TYPES.contains(&word) {
            return Ok(Some(ItemKind::Global(self.variable()?)));
        }
        if OPEN_ITEMS.contains(&word) && self.peek(1) != "[" {
            return self.open_item_kind(word).map(Some);
        }
        if let Some(keyword) = self.misspelt("an item", &[ITEMS, OPEN_ITEMS].concat()) {
            return if OPEN_ITEMS.contains(&keyword) {
                self.open_item_kind(keyword).map(Some)
            } else {
                self.item_kind(keyword)
            };
        }
        if self.at_name() && (self.peek_is_name(1) || self.peek(1) == "[") {
            return Ok(Some(ItemKind::Global(self.variable()?)));
        }
        Err(self.no_item())
    }

    fn open_item_kind(&mut self, word: &str) -> Parsed<ItemKind> {
        if word == "allow" {
            self.allow()
        } else {
            self.environment()
        }
    }

    fn no_item(&mut self) -> Reported {
        let help = match self.text() {
            ";" => "this `;` ends nothing; remove it",
            "import" | "include" => "a model is one file",
            "if" | "for" | "send" | "assert" => "statements stand in the effects of transitions",
            _ => "",
        };
        self.unexpected_because("an item such as `class`, `signal` or `property`", help)
    }

    fn late_system(&mut self) -> Parsed<Option<ItemKind>> {
        let help = "it stands once, in the first line of the model";
        self.error(codes::MISPLACED, "`system` can not stand here", help);
        self.system()?;
        Ok(None)
    }
}
