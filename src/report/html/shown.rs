//! What the page asks of a model, in whatever language it is.

use std::borrow::Cow;

use super::rounds::{RefinementView, refinement_view};
use super::scene::Scene;
use super::steps::{RunView, run_view};
use crate::evidence::{Refinement, Trace};
use crate::lang::{Model, SourceFile};
use crate::report::Told;

/// A model that can be shown on a page.
pub trait Shown: Told {
    fn scene(&self, source: &SourceFile) -> Scene;

    fn run_view(&self, source: &SourceFile, trace: &Self::Trace) -> RunView;

    /// The classes whose machines are drawn.
    fn drawn(&self, source: &SourceFile) -> Cow<'_, Model>;

    fn refinement_view(&self, _: &Refinement) -> Option<RefinementView> {
        None
    }
}

impl Shown for Model {
    fn scene(&self, source: &SourceFile) -> Scene {
        Scene::of(source, self)
    }

    fn run_view(&self, source: &SourceFile, trace: &Trace) -> RunView {
        run_view(source, self, trace)
    }

    fn drawn(&self, _: &SourceFile) -> Cow<'_, Model> {
        Cow::Borrowed(self)
    }

    fn refinement_view(&self, refinement: &Refinement) -> Option<RefinementView> {
        Some(refinement_view(self, refinement))
    }
}
