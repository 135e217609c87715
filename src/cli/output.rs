//! In which form a result goes out, and where to.
//!
//! Invariant: with a format for programs, standard output gets the document and nothing else.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crisol::report::{Document, Results, SEVERAL, github, junit, sarif};
use serde::Serialize;

use super::file::{check_folder, write_whole};
use super::{Failure, print};

#[derive(Args)]
pub struct Output {
    /// What the result is written as (`crisol help formats`)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Write the result to this file; the terminal shows the text
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// All that is known, in the form of docs/result.schema.json
    Json,
    /// Test results for CI servers
    Junit,
    /// For code hosts and editors
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

impl Output {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Before hours of work: can it be written at all?
    pub fn prepare(&self) -> Result<(), Failure> {
        self.output
            .as_ref()
            .map_or(Ok(()), |path| check_folder(path))
    }

    /// Whether people read standard output, and no program.
    pub fn is_for_people(&self) -> bool {
        self.format() == Format::Text || self.output.is_some()
    }

    /// Shows a text to people, and gives it back; nothing is shown where a program reads.
    pub fn show<'t>(&self, text: &'t str) -> &'t str {
        if self.is_for_people() {
            print(text);
        }
        text
    }

    /// The document, where one is wanted.
    pub fn deliver(&self, documents: &[Document], text: &str, code: u8) -> Result<(), Failure> {
        let written = match self.format() {
            Format::Text => anstream::adapter::strip_str(text).to_string(),
            Format::Json => json(documents)?,
            Format::Junit => junit(documents).map_err(internal)?,
            Format::Sarif => pretty(&sarif(documents, code))?,
            Format::Github => github(documents),
        };
        match &self.output {
            Some(path) => write_whole(path, written.as_bytes())?,
            None if self.format() == Format::Text => {} // it was shown
            None => print(&written),
        }
        Ok(())
    }
}

/// One model is one object, as ever; several are a list of such.
fn json(documents: &[Document]) -> Result<String, Failure> {
    match documents {
        [document] => pretty(document),
        several => pretty(&Results {
            schema: SEVERAL.to_owned(),
            results: several.to_vec(),
        }),
    }
}

pub fn pretty(document: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document).map_err(internal)?;
    Ok(text + "\n")
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(error.to_string())
}
