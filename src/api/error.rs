//! Why there is no report, or no model.

use std::any::Any;
use std::fmt;

use crate::evidence::InternalError;
use crate::lang::{Colour, Diagnostic, SourceError, SourceFile, render};

/// Why something could not be done. Verdicts are no errors: a violated property is in the report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be read.
    Source(SourceError),
    /// The model is not right.
    Model {
        /// What is wrong, place by place.
        problems: Vec<Problem>,
        /// The same as people read it, with the lines of the model.
        shown: String,
    },
    /// There is no property of this name.
    UnknownProperty(String),
    /// This was asked for, and can't be had for such a model.
    NotApplicable(&'static str),
    /// A thread panicked, and said this: the system that was checked, or Crisol itself, is wrong.
    Panicked(String),
    /// Crisol contradicts itself.
    Internal(String),
}

/// Something that is wrong about a model, or suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// `E101`; `crisol explain E101` has an example.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What would be right; may be empty.
    pub help: String,
    /// From 1 on.
    pub line: usize,
    /// From 1 on, in characters.
    pub column: usize,
}

impl Problem {
    pub(super) fn all(source: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<Problem> {
        let problem = |diagnostic: &Diagnostic| {
            let place = source.position(diagnostic.span.start as usize);
            Problem {
                code: diagnostic.code,
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
                line: place.line,
                column: place.column,
            }
        };
        diagnostics.iter().map(problem).collect()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem {
            code,
            message,
            line,
            column,
            ..
        } = self;
        write!(f, "{line}:{column}: {message} [{code}]")
    }
}

impl Error {
    pub(super) fn of_model(source: &SourceFile, diagnostics: &[Diagnostic]) -> Error {
        Error::Model {
            problems: Problem::all(source, diagnostics),
            shown: render(source, diagnostics, Colour::Plain),
        }
    }

    /// What a panic leaves behind.
    pub(super) fn of_panic(said: &(dyn Any + Send)) -> Error {
        let words = said.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| said.downcast_ref::<&str>().copied());
        Error::Panicked(words.unwrap_or("something that is no text").to_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Source(error) => error.fmt(f),
            Error::Model { shown, .. } => f.write_str(shown.trim_end()),
            Error::UnknownProperty(name) => write!(f, "there is no property `{name}`"),
            Error::NotApplicable(what) => f.write_str(what),
            Error::Panicked(said) => write!(f, "a thread panicked: {said}"),
            Error::Internal(what) => write!(f, "Crisol contradicts itself: {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Source(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SourceError> for Error {
    fn from(error: SourceError) -> Error {
        Error::Source(error)
    }
}

impl From<InternalError> for Error {
    fn from(InternalError(what): InternalError) -> Error {
        Error::Internal(what)
    }
}
