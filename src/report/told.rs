//! What a report asks of a model, in whatever language it is.

use super::document::TraceDocument;
use super::json::{fault_of, trace_document};
use super::narrative::{conclusion, narrate};
use crate::evidence::{Dead, Replayed, Trace};
use crate::lang::{FaultKind, Model, PropertyBody, SourceFile, Span};

/// A model whose results can be told.
pub trait Told {
    type Trace: Replayed;

    fn property(&self, property: usize) -> Property<'_>;

    /// Whether a run ends where it violates a property, so that what holds is not known beyond it.
    fn ends_runs(&self, property: usize) -> bool;

    /// A run as a story for the terminal, with what is wrong at its end.
    fn narrate(&self, source: &SourceFile, trace: &Self::Trace) -> String;

    /// What is wrong at its end, in a sentence without a full stop.
    fn conclusion(&self, source: &SourceFile, trace: &Self::Trace) -> String;

    /// The place that is to blame for it, if it is another than that of the property.
    fn blamed(&self, trace: &Self::Trace) -> Option<Span>;

    fn trace_document(&self, source: &SourceFile, trace: &Self::Trace) -> TraceDocument;

    /// States that no run enters, and transitions that none takes.
    fn unused(&self, _: &Dead) -> (Vec<String>, Vec<String>) {
        Default::default()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Property<'m> {
    pub name: &'m str,
    /// See `PropertyDocument::kind`.
    pub kind: &'static str,
    /// Where it is declared, if it is.
    pub span: Option<Span>,
}

impl Told for Model {
    type Trace = Trace;

    fn property(&self, property: usize) -> Property<'_> {
        let declared = &self.properties[property];
        Property {
            name: &declared.name,
            kind: match &declared.body {
                PropertyBody::Always(_) => "always",
                PropertyBody::NoFault(kind, _) => kind.name(),
                PropertyBody::Temporal(_) => "ltl",
            },
            span: declared.span,
        }
    }

    fn ends_runs(&self, property: usize) -> bool {
        let PropertyBody::NoFault(kind, _) = &self.properties[property].body else {
            return false;
        };
        matches!(
            kind,
            FaultKind::AssertionFailure
                | FaultKind::Overflow
                | FaultKind::ArithmeticFault
                | FaultKind::ReferenceFault
        )
    }

    fn narrate(&self, source: &SourceFile, trace: &Trace) -> String {
        narrate(source, self, trace)
    }

    fn conclusion(&self, source: &SourceFile, trace: &Trace) -> String {
        let violated = trace.violates.as_ref();
        let told =
            violated.map(|(property, fault)| conclusion(source, self, *property, fault.as_ref()));
        told.unwrap_or_default()
    }

    fn blamed(&self, trace: &Trace) -> Option<Span> {
        fault_of(trace)?.span
    }

    fn trace_document(&self, source: &SourceFile, trace: &Trace) -> TraceDocument {
        trace_document(source, self, trace)
    }

    fn unused(&self, dead: &Dead) -> (Vec<String>, Vec<String>) {
        let states = dead.states.iter().map(|(object, state)| {
            let name = &self.object(*object).name;
            format!("{name} in {}", self.state_name(*object, *state))
        });
        let transitions = dead.transitions.iter().map(|(object, transition)| {
            let label = self.transition_label(*object, *transition);
            format!("{}: {label}", self.object(*object).name)
        });
        (states.collect(), transitions.collect())
    }
}
