//! Reading a model: what every command begins with.

use std::path::{Path, PathBuf};

use annotate_snippets::{Group, Level, Renderer};
use clap::{Args, ValueEnum};
use crisol::lang::{
    AbstractionEntry, Colour, Definitions, Diagnostic, Environment, Model, NoAbstraction, Severity,
    SourceFile, abstraction_in, check, limits, lint, parse, render, visible, why_not_lazy,
};
use crisol::report::{DiagnosticDocument, diagnosed};

use super::dve::{Unfit, is_dve};
use super::{Failure, print_error};

/// One model.
#[derive(Args)]
pub struct Input {
    /// The model, a .csm or .dve file; - is standard input, a .csm model
    #[arg(value_name = "MODEL")]
    pub path: PathBuf,

    #[command(flatten)]
    pub reading: Reading,
}

/// How models are read.
#[derive(Args)]
pub struct Reading {
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
        .filter(|(name, _)| !name.trim().is_empty())
        .ok_or("write it as NAME=VALUE, for example N=5")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads a file; `-` is standard input.
pub fn read(path: &Path) -> Result<SourceFile, Failure> {
    let source = match is_standard_input(path) {
        true => SourceFile::from_reader("-", std::io::stdin().lock()),
        false if is_dve(path) => SourceFile::read_up_to(limits::DVE_BYTES, path),
        false => SourceFile::read(path),
    };
    source.map_err(|error| Failure::Input(format!("error: {error}")))
}

pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// A model that can be used, and the warnings about it.
pub struct Loaded {
    pub source: SourceFile,
    pub model: Model,
    pub warnings: Vec<DiagnosticDocument>,
}

/// A model that can't be used.
#[derive(Debug)]
pub struct Rejected {
    /// As people read it.
    pub shown: String,
    pub reason: String,
    pub diagnostics: Vec<DiagnosticDocument>,
}

impl Rejected {
    pub fn failure(source: &SourceFile, diagnostics: &[Diagnostic]) -> Failure {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let first = diagnostics.iter().find(is_error);
        Failure::Model(Rejected {
            shown: show(source, diagnostics),
            reason: first.map(|error| error.message.clone()).unwrap_or_default(),
            diagnostics: diagnosed(source, diagnostics),
        })
    }
}

impl Input {
    /// The model; warnings are shown, errors end it.
    pub fn load(&self) -> Result<(SourceFile, Model), Failure> {
        let loaded = self.reading.load(&self.path)?;
        Ok((loaded.source, loaded.model))
    }
}

impl Reading {
    /// The model; warnings are shown, errors end it.
    pub fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        let source = read(path)?;
        let (model, diagnostics) = analyse(&source, &self.definitions);
        let is_warning = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Warning;
        let warnings = diagnostics.iter().filter(is_warning).count();
        let is_denied = warnings > 0 && self.deny == Some(Deny::Warnings);
        match model {
            Some(model) if !is_denied => {
                print_error(&show(&source, &diagnostics));
                let model = self.with_environment(model)?;
                let warnings = diagnosed(&source, &diagnostics);
                Ok(Loaded {
                    source,
                    model,
                    warnings,
                })
            }
            Some(_) => Err(denied(&source, &diagnostics)),
            None => Err(Rejected::failure(&source, &diagnostics)),
        }
    }

    pub fn unfit_for_dve(&self) -> [Unfit; 2] {
        let (environment, deny) = (self.environment.is_some(), self.deny.is_some());
        [
            ("--environment", environment, "it has no environment"),
            ("--deny", deny, "as there are no warnings about such models"),
        ]
    }

    /// The abstraction of a file by itself, in place of what the model declares.
    pub fn load_abstraction(
        &self,
        model: &SourceFile,
        source: &SourceFile,
    ) -> Result<Vec<AbstractionEntry>, Failure> {
        abstraction_in(model.text(), &self.definitions, source).map_err(|wrong| match wrong {
            NoAbstraction::Wrong(errors) => Failure::Input(show(source, &errors)),
            NoAbstraction::NotAlone => {
                let name = source.name();
                Failure::Input(format!(
                    "error: {name} is to hold `abstraction {{ }}` and nothing else"
                ))
            }
        })
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

fn denied(source: &SourceFile, warnings: &[Diagnostic]) -> Failure {
    let reason = match warnings.len() {
        1 => "1 warning is denied".to_owned(),
        many => format!("{many} warnings are denied"),
    };
    Failure::Model(Rejected {
        shown: format!("{}error: {reason}", show(source, warnings)),
        reason,
        diagnostics: diagnosed(source, warnings),
    })
}

/// The diagnostics as they are read, at most as many as anybody would read.
pub fn show(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let few = &diagnostics[..diagnostics.len().min(limits::DIAGNOSTICS)];
    let (placeless, placed): (Vec<_>, Vec<_>) =
        few.iter().cloned().partition(|d| d.span.is_nowhere());
    let mut shown: String = placeless.iter().map(show_placeless).collect();
    shown += &render(source, &placed, Colour::Coloured);
    if diagnostics.len() >= limits::DIAGNOSTICS {
        shown += &format!("These are the first {}; there may be more.\n", few.len());
    }
    shown + &where_to_read(few)
}

/// The codes that can be looked up, each once; a screen of them is no help.
fn where_to_read(diagnostics: &[Diagnostic]) -> String {
    const MOST: usize = 5;
    let mut codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.truncate(MOST);
    match codes.is_empty() {
        true => String::new(),
        false => format!("For more: crisol explain {}\n", codes.join(" ")),
    }
}

/// What is wrong with the command line rather than with a place in the model.
fn show_placeless(diagnostic: &Diagnostic) -> String {
    let title = Level::ERROR.primary_title(visible(&diagnostic.message));
    let mut group = Group::with_title(title.id(diagnostic.code));
    if !diagnostic.help.is_empty() {
        group = group.element(Level::HELP.message(visible(&diagnostic.help)));
    }
    Renderer::styled().render(&[group]) + "\n\n"
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
