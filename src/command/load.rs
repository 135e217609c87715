//! Reading a model: what every command begins with.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use crisol::model::{
    Colour, Definitions, Diagnostic, Environment, Model, Severity, SourceFile, check, lint, parse,
    render, why_not_lazy,
};

use super::Failure;

#[derive(Args)]
pub struct Input {
    /// The model, a .csm file
    #[arg(value_name = "MODEL")]
    pub path: PathBuf,

    /// Give a constant of the model another value, for example -D N=5
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = definition)]
    pub definitions: Vec<(String, String)>,

    /// How the environment sends external signals; without this, as the model says
    #[arg(long, value_enum)]
    pub environment: Option<EnvironmentKind>,

    /// Take warnings about the model for errors
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<Deny>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum EnvironmentKind {
    Lazy,
    Eager,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    Warnings,
}

fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write it as NAME=VALUE, for example N=5")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub fn read(path: &Path) -> Result<SourceFile, Failure> {
    SourceFile::read(path).map_err(|error| Failure::Input(format!("error: {error}")))
}

impl Input {
    /// The model; warnings are shown, errors end it.
    pub fn load(&self) -> Result<(SourceFile, Model), Failure> {
        let source = read(&self.path)?;
        let (model, diagnostics) = analyse(&source, &self.definitions);
        let warnings = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Warning)
            .count();
        let shown = render(&source, &diagnostics, Colour::Coloured);
        let denied = warnings > 0 && self.deny == Some(Deny::Warnings);
        match model {
            Some(model) if !denied => {
                anstream::eprint!("{shown}");
                Ok((source, self.with_environment(model)?))
            }
            Some(_) => Err(Failure::Input(format!(
                "{shown}error: {warnings} warnings are denied"
            ))),
            None => Err(Failure::Input(shown)),
        }
    }

    fn with_environment(&self, mut model: Model) -> Result<Model, Failure> {
        match self.environment {
            None => {}
            Some(EnvironmentKind::Eager) => model.environment = Environment::Eager,
            Some(EnvironmentKind::Lazy) => {
                if let Some(why) = why_not_lazy(&model) {
                    let message = format!("error: a lazy environment would not be exact: {why}");
                    return Err(Failure::Input(message));
                }
                model.environment = Environment::Lazy;
            }
        }
        Ok(model)
    }
}

fn analyse(source: &SourceFile, definitions: &Definitions) -> (Option<Model>, Vec<Diagnostic>) {
    let (file, mut diagnostics) = parse(source.text());
    if !diagnostics.is_empty() {
        return (None, diagnostics); // what the parser could not read would only be missed
    }
    let (model, found) = check(&file, definitions);
    diagnostics.extend(found);
    if let Some(model) = &model {
        diagnostics.extend(lint(model));
    }
    (model, diagnostics)
}
