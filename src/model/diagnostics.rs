//! What is wrong, or suspicious, about a model: where, what, and what would be right.

use super::syntax::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Stable, so that it can be looked up and silenced: `E101`, `W203`.
    pub code: &'static str,
    /// What is wrong, with the value that is: `inbox capacity 70000 exceeds 4096`.
    pub message: String,
    pub span: Span,
    /// Beside the underline, where the message needs one; may be empty.
    pub label: String,
    /// What would be right; may be empty.
    pub help: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message,
            span,
            label: String::new(),
            help: String::new(),
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = help.into();
        self
    }
}

/// " did you mean `x`?" for the candidate that is nearest to a misspelt name, or nothing.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let close =
        |candidate: &&str| strsim::damerau_levenshtein(name, candidate) <= 1 + name.len() / 4;
    candidates
        .into_iter()
        .filter(close)
        .min_by_key(|candidate| strsim::damerau_levenshtein(name, candidate))
}
