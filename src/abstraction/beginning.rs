//! What a refinement begins with.

use super::precision::{Place, Precision};
use crate::lang::{AbstractionEntry, Model, Type};

/// How values are told apart at first.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// As the model declares.
    Declared,
    /// Each by itself.
    Concrete,
    /// All by what the model compares them with.
    Auto,
    /// In place of what the model declares.
    Given(Vec<AbstractionEntry>),
}

impl Beginning {
    /// The first precision; none where nothing is to be abstracted.
    pub fn precision(&self, model: &Model) -> Option<Precision> {
        match self {
            Beginning::Concrete => None,
            Beginning::Auto => Some(Precision::auto(model)),
            Beginning::Given(entries) => Some(Precision::from_entries(model, entries)),
            Beginning::Declared => {
                let is_wanted = !model.abstraction.is_empty() || has_no_bounds(model);
                is_wanted.then(|| Precision::declared(model))
            }
        }
    }
}

/// Whether some variable can have any number: its values can't be looked at one by one.
fn has_no_bounds(model: &Model) -> bool {
    let places = Place::all(model);
    let mut types = places.iter().map(|place| place.ty(model));
    types.any(|ty| matches!(ty, Type::Nat | Type::Integer))
}
