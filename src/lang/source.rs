//! The text of a model, where it came from, and which line a byte of it is in.
//!
//! Invariant: `lines` holds the offset of the first byte of every line, in order.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::limits;
use super::render::visible;

#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    lines: Vec<usize>,
}

/// A place as people count: lines from 1, and the characters of a line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

#[derive(Debug)]
pub enum SourceError {
    Missing { name: String },
    Directory { name: String },
    TooLarge { name: String, most: usize },
    NotText { name: String, position: Position },
    Unreadable { name: String, error: io::Error },
}

impl SourceFile {
    /// A byte order mark at the start is not part of the text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(newlines).collect();
        SourceFile {
            name: name.into(),
            text,
            lines,
        }
    }

    pub fn read(path: &Path) -> Result<SourceFile, SourceError> {
        SourceFile::read_up_to(limits::SOURCE_BYTES, path)
    }

    /// A file of so many bytes at most.
    pub fn read_up_to(most: usize, path: &Path) -> Result<SourceFile, SourceError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| explain(&name, error))?;
        SourceFile::from_bytes(name, file, most)
    }

    /// Whatever can be read, such as standard input.
    pub fn from_reader(name: &str, reader: impl Read) -> Result<SourceFile, SourceError> {
        SourceFile::from_bytes(name.to_owned(), reader, limits::SOURCE_BYTES)
    }

    fn from_bytes(name: String, reader: impl Read, most: usize) -> Result<SourceFile, SourceError> {
        let bytes = read_bytes(reader, most).map_err(|error| explain(&name, error))?;
        if bytes.len() > most {
            return Err(SourceError::TooLarge { name, most });
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceFile::new(name, text)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let position = end_of(&String::from_utf8_lossy(&error.as_bytes()[..valid]));
                Err(SourceError::NotText { name, position })
            }
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_index(offset);
        let start = self.lines[line];
        let end = self.text.floor_char_boundary(offset);
        let column = 1 + self.text[start..end].chars().count();
        Position {
            line: line + 1,
            column,
        }
    }

    /// The line of a byte, without its end, and the offset at which it starts.
    pub fn line_at(&self, offset: usize) -> (usize, &str) {
        let line = self.line_index(offset);
        let start = self.lines[line];
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        (start, self.text[start..end].trim_end_matches(['\n', '\r']))
    }

    fn line_index(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset) - 1
    }
}

/// One byte more than is allowed at most, so that endless files such as devices end too.
fn read_bytes(reader: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn explain(name: &str, error: io::Error) -> SourceError {
    let name = name.to_string();
    match error.kind() {
        io::ErrorKind::NotFound => SourceError::Missing { name },
        io::ErrorKind::IsADirectory => SourceError::Directory { name },
        _ => SourceError::Unreadable { name, error },
    }
}

/// The position behind a text.
fn end_of(text: &str) -> Position {
    let last = text.rsplit('\n').next().unwrap_or(text);
    let column = 1 + last.trim_start_matches('\u{feff}').chars().count();
    Position {
        line: 1 + text.matches('\n').count(),
        column,
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Missing { name } => {
                write!(out, "{}: there is no such file", visible(name))
            }
            SourceError::Directory { name } => {
                write!(out, "{}: this is a directory", visible(name))
            }
            SourceError::TooLarge { name, most } => {
                write!(out, "{}: larger than {most} bytes", visible(name))
            }
            SourceError::NotText { name, position } => {
                let Position { line, column } = position;
                write!(
                    out,
                    "{}:{line}:{column}: this byte is not UTF-8",
                    visible(name)
                )
            }
            SourceError::Unreadable { name, error } => {
                write!(out, "{}: can not be read: {error}", visible(name))
            }
        }
    }
}

impl std::error::Error for SourceError {}
