//! Warnings.
use super::diagnostics::Diagnostic;
use super::typed::Model;
pub fn lint(_model: &Model) -> Vec<Diagnostic> {
    Vec::new()
}
