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

/// The candidate that is nearest to a misspelt name, if one is near: always the same one, in
/// whatever order they come.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let measured = candidates
        .into_iter()
        .filter(|candidate| could_be_near(name, candidate))
        .map(|candidate| (distance(name, candidate), candidate));
    let near = measured.filter(|(distance, _)| *distance <= farthest(name));
    near.min().map(|(_, candidate)| candidate)
}

/// Whether it is worth measuring how far the two are apart, which takes time.
pub fn could_be_near(name: &str, candidate: &str) -> bool {
    name.len().abs_diff(candidate.len()) <= farthest(name)
}

/// More letters than this make another word of it. Of a single letter nothing would be left.
fn farthest(name: &str) -> usize {
    match name.len() {
        0 | 1 => 0,
        length => 1 + length / 4,
    }
}

/// Letters that differ; whether they are capitals matters least.
fn distance(name: &str, candidate: &str) -> usize {
    if name.eq_ignore_ascii_case(candidate) {
        return 0;
    }
    strsim::damerau_levenshtein(name, candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn of_two_that_are_equally_near_it_is_always_the_same() {
        assert_eq!(nearest("Cat", ["Bat", "Car"]), Some("Bat"));
        assert_eq!(nearest("Cat", ["Car", "Bat"]), Some("Bat"));
    }

    #[test]
    fn capitals_matter_least() {
        assert_eq!(nearest("GRANT", ["GRAND", "Grant"]), Some("Grant"));
        assert_eq!(nearest("n", ["N", "m"]), Some("N"));
    }

    #[test]
    fn what_has_nothing_in_common_is_not_near() {
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("Order", ["Grant", "Refuse"]), None);
    }
}
