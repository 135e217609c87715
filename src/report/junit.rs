//! JUnit's XML, which every CI server reads: a suite for each model, a case for each property.
//!
//! A property that is not known is an `error`: servers count `skipped` as good enough, and it is not.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::document::{DiagnosticDocument, Document, PropertyDocument};

pub fn junit(documents: &[Document]) -> Result<String, SerializeError> {
    let mut report = Report::new("crisol");
    report.add_test_suites(documents.iter().map(suite));
    report.set_time(documents.iter().map(duration).sum());
    report.to_string()
}

fn suite(document: &Document) -> TestSuite {
    let mut suite = TestSuite::new(document.model.as_str());
    suite.set_time(duration(document));
    let cases = document.properties.iter();
    suite.add_test_cases(cases.map(|property| case(document, property)));
    if document.verdict == "error" {
        suite.add_test_case(unreadable(document));
    }
    suite
}

fn duration(document: &Document) -> Duration {
    Duration::try_from_secs_f64(document.seconds).unwrap_or_default()
}

fn case(document: &Document, property: &PropertyDocument) -> TestCase {
    let status = match property.verdict.as_str() {
        "holds" => TestCaseStatus::success(),
        "violated" => not_well(
            NonSuccessKind::Failure,
            &property.kind,
            property.message.as_deref(),
            property.story.as_deref(),
        ),
        _ => not_well(
            NonSuccessKind::Error,
            "unknown",
            property.reason.as_deref(),
            None,
        ),
    };
    named(&property.name, document, status)
}

fn named(name: &str, document: &Document, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(document.model.as_str());
    case
}

/// A model that could not be checked has a case all the same: a suite without any looks well.
fn unreadable(document: &Document) -> TestCase {
    let lines = document.diagnostics.iter().map(line);
    let text = lines.collect::<Vec<_>>().join("\n");
    let reason = document.reason.as_deref();
    let status = not_well(NonSuccessKind::Error, "error", reason, Some(&text));
    named("model", document, status)
}

/// `3:14: error E101: there is no signal ...`
fn line(diagnostic: &DiagnosticDocument) -> String {
    let place = diagnostic
        .region
        .map(|r| format!("{}:{}: ", r.line, r.column));
    let code = diagnostic.code.as_ref().map(|code| format!(" {code}"));
    format!(
        "{}{}{}: {}",
        place.unwrap_or_default(),
        diagnostic.severity,
        code.unwrap_or_default(),
        diagnostic.message
    )
}

fn not_well(
    kind: NonSuccessKind,
    name: &str,
    message: Option<&str>,
    text: Option<&str>,
) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    if let Some(message) = message {
        status.set_message(message);
    }
    if let Some(text) = text {
        status.set_description(format!("\n{text}"));
    }
    status
}
