//! Transitions and their labels: `trigger, trigger [guard] / { effect }`.

use super::cursor::{Parsed, Parser};
use crate::lang::codes;
use crate::lang::syntax::{
    Block, ElementKind, Guard, HistoryKind, Label, Name, StatePath, Target, Trigger,
};

const TRANSITION: &str =
    "a transition is written `Source -> Target : trigger [guard] / { effect }`";

impl Parser<'_> {
    /// `path "->" target [ ":" [ triggers ] [ guard ] ] [ "/" effect ] ";"`
    pub fn transition(&mut self) -> Parsed<ElementKind> {
        let source = self.state_path()?;
        self.arrow(TRANSITION)?;
        let target = self.target()?;
        let label = self.transition_label()?;
        Ok(ElementKind::Transition {
            source,
            target,
            label,
        })
    }

    /// `"initial" "->" path [ "/" effect ] ";"`
    pub fn initial_transition(&mut self) -> Parsed<ElementKind> {
        self.advance();
        self.arrow("the first state is named with `initial -> State;`")?;
        let target = self.state_path()?;
        if self.at_any(&[":", "["]) {
            let help =
                "whatever is entered needs a state at once: use `initial -> C;` and `choice C;`";
            return Err(self.unexpected_because("`;` or `/`", help));
        }
        let effect = self.label_end("the transition")?;
        Ok(ElementKind::Initial { target, effect })
    }

    /// `"on" [ triggers ] [ guard ] [ "/" effect ] ";"`
    pub fn internal_transition(&mut self) -> Parsed<ElementKind> {
        self.advance();
        let triggers = self.triggers()?;
        let guard = self.guard()?;
        let effect = self.label_end("the transition")?;
        Ok(ElementKind::Internal(Label {
            triggers,
            guard,
            effect,
        }))
    }

    /// `( "entry" | "exit" ) "/" effect ";"`
    pub fn action_of_state(&mut self, kind: fn(Block) -> ElementKind) -> Parsed<ElementKind> {
        let what = format!("`{}`", self.text());
        self.advance();
        if !self.at_any(&["/", "{"]) {
            let help = format!("what happens stands behind {what} and a `/`: {what} `/ {{ ... }}`");
            return Err(self.unexpected_because("`/`", &help));
        }
        match self.label_end(&what)? {
            Some(effect) => Ok(kind(effect)),
            None => Err(self.unexpected("an effect")),
        }
    }

    fn arrow(&mut self, help: &str) -> Parsed<()> {
        let is_arrow = self.at_any(&["--", "=", "-"]);
        let help = if is_arrow {
            "the arrow of a transition is written `->`"
        } else {
            help
        };
        self.expect_because("->", help)?;
        Ok(())
    }

    /// `path [ "." ( "history" | "deep_history" ) ]`
    fn target(&mut self) -> Parsed<Target> {
        let mut names = vec![self.name("the name of a state")?];
        while self.eat(".") {
            if let Some(history) = self.history() {
                return Ok(Target {
                    path: StatePath { names },
                    history: Some(history),
                });
            }
            names.push(self.name("the name of a state")?);
        }
        Ok(Target {
            path: StatePath { names },
            history: None,
        })
    }

    fn history(&mut self) -> Option<HistoryKind> {
        let kind = match self.text() {
            "history" => HistoryKind::Shallow,
            "deep_history" => HistoryKind::Deep,
            _ => return None,
        };
        self.advance();
        Some(kind)
    }

    fn transition_label(&mut self) -> Parsed<Label> {
        let has_label = self.colon();
        let triggers = if has_label {
            self.triggers()?
        } else {
            Vec::new()
        };
        let guard = if has_label { self.guard()? } else { None };
        let effect = self.label_end("the transition")?;
        Ok(Label {
            triggers,
            guard,
            effect,
        })
    }

    /// Whether triggers or a guard follow. Where their `:` is missing they are read all the same.
    fn colon(&mut self) -> bool {
        if self.eat(":") {
            return true;
        }
        if self.is_first_of_line() || !self.at("[") && !self.at_name() {
            return false;
        }
        let what = if self.at("[") { "a guard" } else { "a trigger" };
        let message = format!("expected `:` before {what}, found {}", self.found());
        self.error(codes::MISSING_COLON, message, TRANSITION);
        true
    }

    fn triggers(&mut self) -> Parsed<Vec<Trigger>> {
        if self.at_any(&["[", "/", ";"])
            || self.at_end()
            || self.is_first_of_line() && !self.at_name()
        {
            return Ok(Vec::new());
        }
        self.list(Parser::trigger)
    }

    fn trigger(&mut self) -> Parsed<Trigger> {
        if self.at("any") {
            return Ok(Trigger::Any(self.advance()));
        }
        let name = self.trigger_name()?;
        let parameters = self.bindings()?;
        Ok(Trigger::Signal { name, parameters })
    }

    fn trigger_name(&mut self) -> Parsed<Name> {
        if self.at("else") {
            return Err(self.unexpected_because("the name of a signal", "write `[else]`"));
        }
        self.name("the name of a signal")
    }

    /// `"[" ( "else" | expr ) "]"`
    fn guard(&mut self) -> Parsed<Option<Guard>> {
        if !self.at("[") {
            return Ok(None);
        }
        let open = self.advance();
        let guard = match self.text() {
            "else" => Guard::Else(self.advance()),
            _ => Guard::Condition(self.expression()?),
        };
        self.close(open, "]")?;
        Ok(Some(guard))
    }

    /// `[ "/" effect ] ";"`, without `;` behind an effect in braces.
    fn label_end(&mut self, what: &str) -> Parsed<Option<Block>> {
        if self.at("{") {
            let message = format!("expected `/` before the effect of {what}, found `{{`");
            self.error(
                codes::MISSING_SLASH,
                message,
                "an effect is written `/ { ... }`",
            );
        } else if !self.eat("/") {
            self.semicolon(what)?;
            return Ok(None);
        }
        let effect = self.effect()?;
        if self.previous_text() == "}" {
            self.eat(";");
        }
        Ok(Some(effect))
    }
}
