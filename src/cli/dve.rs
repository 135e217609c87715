//! What commands do otherwise for DVE models: read them, and refuse what can't apply.

use std::path::Path;

use crisol::dve::{Program, read_with};
use crisol::lang::SourceFile;

use super::Failure;
use super::load::{Reading, Rejected, read as read_source};

pub fn is_dve(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dve")
}

/// An option of a command: its name, whether it was given, and why it can't apply to DVE models.
pub type Unfit = (&'static str, bool, &'static str);

/// To be silent about an option that can't apply would be to promise what it asks for.
pub fn refuse(path: &Path, options: impl IntoIterator<Item = Unfit>) -> Result<(), Failure> {
    match options.into_iter().find(|(_, is_given, _)| *is_given) {
        None => Ok(()),
        Some((name, _, why)) => {
            let path = path.display();
            let message = format!("error: {path} is a DVE model: {name} can't apply, {why}");
            Err(Failure::Input(message))
        }
    }
}

/// The same for a whole command.
pub fn refuse_command(path: &Path, command: &str) -> Result<(), Failure> {
    if !is_dve(path) {
        return Ok(());
    }
    let path = path.display();
    let message = format!("error: {path} is a DVE model: `crisol {command}` is for .csm models");
    Err(Failure::Input(message))
}

/// Reads a program as the options say.
pub fn load(path: &Path, reading: &Reading) -> Result<(SourceFile, Program), Failure> {
    refuse(path, reading.unfit_for_dve())?;
    let source = read_source(path)?;
    let program = read_with(source.text(), &reading.definitions);
    let program = program.map_err(|errors| Rejected::failure(&source, &errors))?;
    Ok((source, program))
}
