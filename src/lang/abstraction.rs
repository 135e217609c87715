//! An abstraction in a text of its own, in place of what the model declares.

use super::check::{Definitions, check};
use super::diagnostics::Diagnostic;
use super::parser::parse;
use super::source::SourceFile;
use super::syntax::{Item, ItemKind};
use super::typed::AbstractionEntry;

/// Why a text is not the abstraction of a model.
#[derive(Debug)]
pub enum NoAbstraction {
    Wrong(Vec<Diagnostic>),
    /// It holds something else.
    NotAlone,
}

/// What a text declares about the variables of a model, whose text is without errors.
pub fn abstraction_in(
    model: &str,
    definitions: &Definitions,
    written: &SourceFile,
) -> Result<Vec<AbstractionEntry>, NoAbstraction> {
    let (declared, errors) = parse(written.text());
    if !errors.is_empty() {
        return Err(NoAbstraction::Wrong(errors));
    }
    let is_abstraction = |item: &Item| matches!(item.kind, ItemKind::Abstraction(_));
    if declared.system.is_some() || !declared.items.iter().all(is_abstraction) {
        return Err(NoAbstraction::NotAlone);
    }
    let (mut file, _) = parse(model);
    file.items.retain(|item| !is_abstraction(item));
    file.items.extend(declared.items);
    let (model, errors) = check(&file, definitions);
    let model = model.ok_or(NoAbstraction::Wrong(errors))?;
    Ok(model.abstraction)
}
