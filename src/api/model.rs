//! Models in files, or in texts, of any language.

use std::path::Path;

use super::error::{Error, Problem};
use crate::dve::{self, Program};
use crate::lang::{self, Definitions, Severity, SourceFile};

/// A model that was read, and is right.
#[derive(Clone, Debug)]
pub struct Model {
    source: SourceFile,
    definitions: Definitions,
    pub(super) content: Content,
    warnings: Vec<Problem>,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Csm(Box<lang::Model>),
    Dve(Box<Program>),
}

impl Model {
    /// Reads a file: `.dve` is the language of DiVinE, all else is Crisol's own.
    pub fn open(path: impl AsRef<Path>) -> Result<Model, Error> {
        Model::read(SourceFile::read(path.as_ref())?, Definitions::new())
    }

    /// Reads a text. The name is that of a file, which need not be there: it says which language it is, and
    /// what errors are about.
    pub fn parse(name: &str, text: &str) -> Result<Model, Error> {
        Model::read(SourceFile::new(name, text), Definitions::new())
    }

    /// Gives a constant of the model another value, in the words of the model.
    pub fn define(self, name: &str, value: impl ToString) -> Result<Model, Error> {
        let mut definitions = self.definitions;
        definitions.push((name.to_owned(), value.to_string()));
        Model::read(self.source, definitions)
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// What is suspicious about it, although it can be checked.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The names of its properties.
    pub fn properties(&self) -> Vec<&str> {
        match &self.content {
            Content::Csm(model) => model.properties.iter().map(|p| p.name.as_str()).collect(),
            Content::Dve(_) => dve::DVE_PROPERTIES.to_vec(),
        }
    }

    pub(super) fn source(&self) -> &SourceFile {
        &self.source
    }

    pub(super) fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn read(source: SourceFile, definitions: Definitions) -> Result<Model, Error> {
        let (content, warnings) = match is_dve(source.name()) {
            true => (read_dve(&source, &definitions)?, Vec::new()),
            false => read_csm(&source, &definitions)?,
        };
        Ok(Model {
            source,
            definitions,
            content,
            warnings,
        })
    }
}

fn is_dve(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "dve")
}

fn read_dve(source: &SourceFile, definitions: &Definitions) -> Result<Content, Error> {
    let program = dve::read_with(source.text(), definitions);
    let program = program.map_err(|wrong| Error::of_model(source, &wrong))?;
    Ok(Content::Dve(Box::new(program)))
}

fn read_csm(
    source: &SourceFile,
    definitions: &Definitions,
) -> Result<(Content, Vec<Problem>), Error> {
    let (file, wrong) = lang::parse(source.text());
    if !wrong.is_empty() {
        return Err(Error::of_model(source, &wrong));
    }
    let (model, mut found) = lang::check(&file, definitions);
    let Some(model) = model else {
        found.retain(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(Error::of_model(source, &found));
    };
    found.extend(lang::lint(&model));
    let warnings = Problem::all(source, &found);
    Ok((Content::Csm(Box::new(model)), warnings))
}
