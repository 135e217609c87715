//! `check --html`: the report as one file.

use std::path::PathBuf;

use clap::Args;
use crisol::report::{Report, Shown, html};

use super::Failure;
use super::file::{check_folder, write_whole};

#[derive(Args)]
pub struct Html {
    /// Write a report for the browser to this file: the counterexamples step by step
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Html {
    pub fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Before hours of work: can it be written at all?
    pub fn prepare(&self) -> Result<(), Failure> {
        self.html.as_ref().map_or(Ok(()), |path| check_folder(path))
    }

    pub fn write<M: Shown>(&self, report: &Report<'_, M>) -> Result<(), Failure> {
        let Some(path) = &self.html else {
            return Ok(());
        };
        let page = html(report).map_err(|error| Failure::Internal(error.to_string()))?;
        write_whole(path, page.as_bytes())
    }
}
