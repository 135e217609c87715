//! Reporting what is wrong.
//!
//! Invariant: however many errors a model has, no more are kept than anybody would read, and the
//! time spent on finding out what was meant is bounded.

use std::cell::Cell;

use super::Checker;
use crate::lang::diagnostics::{Diagnostic, could_be_near, nearest};
use crate::lang::syntax::{Name, Span};
use crate::lang::{codes, limits};

/// The error has been reported already; whoever meets this has nothing to add.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// What has been found wrong so far.
pub(super) struct Diagnostics {
    kept: Vec<Diagnostic>,
    /// How many there were, kept or not.
    pub count: usize,
    /// Pairs of letters that may still be compared in search of what was meant.
    comparisons: Cell<usize>,
}

impl Diagnostics {
    /// The passes do not go through the model in order; so some more than are shown are kept.
    const KEPT: usize = 10 * limits::DIAGNOSTICS;

    pub fn new() -> Diagnostics {
        Diagnostics {
            kept: Vec::new(),
            count: 0,
            comparisons: Cell::new(limits::COMPARISONS),
        }
    }

    pub fn add(&mut self, diagnostic: Diagnostic) {
        self.count += 1;
        if self.kept.len() < Diagnostics::KEPT {
            self.kept.push(diagnostic);
        }
    }

    /// In source order, what has no place first, each once.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        let place = |diagnostic: &Diagnostic| {
            let Span { start, end } = diagnostic.span;
            (!diagnostic.span.is_nowhere(), start, end)
        };
        self.kept
            .sort_by(|one, other| (place(one), one.code).cmp(&(place(other), other.code)));
        self.kept
            .dedup_by(|one, other| place(one) == place(other) && one.message == other.message);
        self.kept.truncate(limits::DIAGNOSTICS);
        self.kept
    }
}

impl Checker<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.findings.add(diagnostic);
        Reported
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Reported {
        self.report(Diagnostic::error(code, span, message))
    }

    /// What may be meant by a misspelt name.
    pub(super) fn suggest<'a>(
        &self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        if self.findings.count >= Diagnostics::KEPT {
            return None; // nobody will read it
        }
        let comparisons = &self.findings.comparisons;
        let affordable = |candidate: &&str| {
            let left = comparisons.get().checked_sub(name.len() * candidate.len());
            comparisons.set(left.unwrap_or_default());
            left.is_some()
        };
        let close = known.into_iter().filter(|other| could_be_near(name, other));
        nearest(name, close.filter(affordable)).map(str::to_owned)
    }

    /// "unknown signal `Oder`", with the nearest name that there is.
    pub(super) fn unknown(&mut self, what: &str, name: &Name, near: Option<String>) -> Reported {
        let message = format!("unknown {what} `{}`", name.text);
        self.unknown_name_at(message, name.span, near)
    }

    /// "class `Agent` has no variable `acount`"
    pub(super) fn unknown_member(
        &mut self,
        owner: &str,
        what: &str,
        name: &Name,
        near: Option<String>,
    ) -> Reported {
        let message = format!("{owner} has no {what} `{}`", name.text);
        self.unknown_name_at(message, name.span, near)
    }

    fn unknown_name_at(&mut self, message: String, span: Span, near: Option<String>) -> Reported {
        let help = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
        self.report(Diagnostic::error(codes::UNKNOWN_NAME, span, message).help(help))
    }

    /// A word that is one of a few.
    pub(super) fn unknown_word(&mut self, what: &str, name: &Name, words: &[&str]) -> Reported {
        let help = match nearest(&name.text, words.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", words.join(", ")),
        };
        let message = format!("unknown {what} `{}`", name.text);
        self.report(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).help(help))
    }

    pub(super) fn already_declared(&mut self, name: &Name, what: &str) -> Reported {
        let message = format!("{what} `{}` is declared twice", name.text);
        let help = "give one of them another name";
        self.report(Diagnostic::error(codes::NAME_TAKEN, name.span, message).help(help))
    }

    pub(super) fn beyond_limit(&mut self, span: Span, what: &str, limit: usize) -> Reported {
        let message = format!("more than {limit} {what}");
        self.error(codes::OUT_OF_BOUNDS, span, message)
    }
}
