//! The words that begin something or can stand somewhere, and what is meant by those that can not.

use super::cursor::{Parsed, Parser};
use crate::lang::characters::clip;
use crate::lang::codes;
use crate::lang::diagnostics::nearest;
use crate::lang::syntax::Name;

/// Reserved words that begin an item and stand nowhere in a class.
pub const ITEMS: &[&str] = &[
    "system",
    "const",
    "enum",
    "signal",
    "external",
    "class",
    "object",
    "inbox",
    "thread",
    "semantics",
    "property",
    "abstraction",
];
/// Words that begin an item but are not reserved.
pub const OPEN_ITEMS: &[&str] = &["allow", "environment"];
pub const ELEMENTS: &[&str] = &[
    "initial",
    "quiescent",
    "state",
    "region",
    "choice",
    "junction",
    "fork",
    "join",
    "final",
    "on",
    "entry",
    "exit",
    "defer",
    "ignore",
    "history",
];
pub const STATEMENTS: &[&str] = &["send", "assert", "if", "for"];
pub const TYPES: &[&str] = &["int", "bool", "nat", "integer", "wrap"];

pub const SEMANTICS: &[&str] = &["interleaving", "run_to_completion"];
pub const OPTIONS: &[&str] = &["rhapsody_triggers", "initial_step", "atomic_steps"];
pub const ENVIRONMENTS: &[&str] = &["lazy", "eager"];
pub const POLICIES: &[&str] = &["violate", "block", "lose", "cut"];
pub const LEVELS: &[&str] = &["transition", "rtc"];
pub const FAULTS: &[&str] = &[
    "assertion_failure",
    "implicit_consumption",
    "overflow",
    "deadlock",
    "arithmetic_fault",
    "reference_fault",
    "divergence",
    "nondeterminism",
    "livelock",
];
pub const PROPERTIES: &[&str] = &["always", "never", "ltl"];
pub const DOMAINS: &[&str] = &[
    "intervals",
    "values",
    "range",
    "modulo",
    "timer",
    "sign",
    "parity",
    "any",
    "exact",
    "auto",
];
/// Names that, before a `(`, ask something about an object.
pub const QUESTIONS: &[&str] = &[
    "queued",
    "queued_before",
    "enabled",
    "idle",
    "sent",
    "received",
];
pub const TEMPORAL_PREFIXES: &[&str] = &["G", "F", "X"];
pub const TEMPORAL_INFIXES: &[&str] = &["U", "W", "R"];

/// What was meant, where `found` stands behind `previous` and neither fits.
pub fn hint(found: &str, previous: &str) -> &'static str {
    match (found, previous) {
        ("and", _) => "\"and\" is written `&&`",
        ("or", _) => "\"or\" is written `||`",
        ("not", _) | (_, "not") => "\"not\" is written `!`",
        ("mod", _) => "the remainder is written `%`",
        ("++" | "--", _) => {
            "`++` and `--` are statements of their own; in an expression write `x + 1`"
        }
        (">", "<") => "\"not equal\" is written `!=`",
        ("|", _) => "\"or\" is written `||`",
        ("}" | ")" | "]" | ";", ",") => {
            "a `,` stands between two; one is missing, or the `,` is too much"
        }
        (_, "queued" | "queued_before" | "enabled" | "idle") => {
            "what is asked about stands in parentheses"
        }
        _ => "",
    }
}

impl Parser<'_> {
    /// One of a few words. Another that is near to one of them is reported, and read as that one.
    pub fn one_of(&mut self, what: &str, words: &[&'static str]) -> Parsed<Name> {
        if self.at_any(words) && self.at_name() {
            return Ok(self.take_name());
        }
        let help = self.suggestion(words);
        let message = format!("expected {what}, found {}", self.found());
        let reported = self.error(codes::UNKNOWN_WORD, message, &help);
        if !self.at_name() {
            return Err(reported);
        }
        let mut name = self.take_name();
        if let Some(meant) = near(&name.text, words) {
            name.text = meant.to_string();
        }
        Ok(name)
    }

    fn suggestion(&self, words: &[&'static str]) -> String {
        match near(self.text(), words) {
            Some(word) => format!("did you mean `{word}`?"),
            None => format!("possible here: {}", quoted(words)),
        }
    }

    /// The keyword of which this word is a misspelling, after reporting it.
    ///
    /// Where a declaration could begin as well, `Motor m;`, only a word very near to a keyword that
    /// is no declared type counts: the model is wrong either way.
    pub fn misspelt(&mut self, what: &str, keywords: &[&'static str]) -> Option<&'static str> {
        let is_candidate = self.at_name() && self.text().len() > 2;
        if !is_candidate || self.is_type(self.text()) {
            return None;
        }
        let keyword = near(self.text(), keywords)?;
        if self.at_declaration() && !nearly_equal(self.text(), keyword) {
            return None;
        }
        let message = format!("expected {what}, found `{}`", clip(self.text()));
        self.error(
            codes::UNKNOWN_WORD,
            message,
            &format!("did you mean `{keyword}`?"),
        );
        Some(keyword)
    }

    /// Whether a variable is declared here, of a type that has a name.
    pub fn at_declaration(&self) -> bool {
        let is_declared = self.peek_is_name(1) && matches!(self.peek(2), ";" | "=" | ",");
        self.at_name() && (is_declared || self.peek(1) == "[")
    }
}

/// The word that is meant by a misspelt one. No word is near to a very long one, and measuring how
/// far they are apart takes time.
pub fn near(misspelt: &str, words: &[&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 32;
    let candidates = words.iter().copied();
    nearest(misspelt, candidates.filter(|_| misspelt.len() <= LONGEST))
}

fn nearly_equal(word: &str, keyword: &str) -> bool {
    let allowed = if keyword.len() > 6 { 2 } else { 1 };
    word.len() > 3 && strsim::damerau_levenshtein(word, keyword) <= allowed
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
