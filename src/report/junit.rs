//! JUnit's XML, which every CI server reads: a suite for each model, a case for each property.
//!
//! A property that is not known is an `error`: servers count `skipped` as good enough, and it is not.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::document::{DiagnosticDocument, Document, PropertyDocument};
use crate::lang::visible;

pub fn junit(documents: &[Document]) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites: Vec<Suite<'_>> = documents.iter().map(Suite::of).collect();
    let seconds = documents.iter().map(|document| document.seconds).sum();
    let mut root = writer
        .create_element("testsuites")
        .with_attribute(("name", "crisol"));
    for (name, value) in figures(suites.iter().flat_map(|suite| &suite.cases), seconds) {
        root = root.with_attribute((name, value.as_str()));
    }
    root.write_inner_content(|writer| suites.iter().try_for_each(|suite| suite.write(writer)))?;
    let text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    Ok(text + "\n")
}

struct Suite<'d> {
    document: &'d Document,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    trouble: Option<Trouble>,
}

/// Why a case is not well.
struct Trouble {
    /// `failure` or `error`.
    element: &'static str,
    kind: String,
    message: String,
    text: String,
}

impl Suite<'_> {
    /// A model that could not be checked has a case all the same: a suite without any looks well.
    fn of(document: &Document) -> Suite<'_> {
        let mut cases: Vec<Case> = document.properties.iter().map(case).collect();
        if document.verdict == "error" {
            cases.push(unreadable(document));
        }
        Suite { document, cases }
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let name = fit(&self.document.model);
        let mut suite = writer
            .create_element("testsuite")
            .with_attribute(("name", name.as_str()));
        for (name, value) in figures(&self.cases, self.document.seconds) {
            suite = suite.with_attribute((name, value.as_str()));
        }
        let write_all = |writer: &mut Writer<Vec<u8>>| {
            let mut cases = self.cases.iter();
            cases.try_for_each(|case| case.write(&name, writer))
        };
        suite.write_inner_content(write_all).map(|_| ())
    }
}

impl Case {
    fn write(&self, class: &str, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let name = fit(&self.name);
        let case = writer
            .create_element("testcase")
            .with_attribute(("name", name.as_str()))
            .with_attribute(("classname", class));
        match &self.trouble {
            None => case.write_empty(),
            Some(trouble) => case.write_inner_content(|writer| trouble.write(writer)),
        }?;
        Ok(())
    }
}

impl Trouble {
    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let (message, text) = (fit(&self.message), fit(&self.text));
        let trouble = writer
            .create_element(self.element)
            .with_attribute(("type", self.kind.as_str()))
            .with_attribute(("message", message.as_str()));
        match text.is_empty() {
            true => trouble.write_empty(),
            false => trouble.write_text_content(BytesText::new(&format!("\n{text}"))),
        }?;
        Ok(())
    }
}

/// What servers add up themselves, and expect to be told all the same.
fn figures<'c>(
    cases: impl IntoIterator<Item = &'c Case>,
    seconds: f64,
) -> [(&'static str, String); 4] {
    let elements = cases.into_iter().map(|case| {
        let trouble = case.trouble.as_ref();
        trouble.map_or("", |trouble| trouble.element)
    });
    let elements: Vec<&str> = elements.collect();
    let many = |name: &str| elements.iter().filter(|e| **e == name).count().to_string();
    [
        ("tests", elements.len().to_string()),
        ("failures", many("failure")),
        ("errors", many("error")),
        ("time", format!("{seconds:.3}")),
    ]
}

fn case(property: &PropertyDocument) -> Case {
    let trouble = match property.verdict.as_str() {
        "holds" => None,
        "violated" => Some(Trouble {
            element: "failure",
            kind: property.kind.clone(),
            message: property.message.clone().unwrap_or_default(),
            text: property.story.clone().unwrap_or_default(),
        }),
        _ => Some(Trouble {
            element: "error",
            kind: "unknown".to_owned(),
            message: property.reason.clone().unwrap_or_default(),
            text: String::new(),
        }),
    };
    Case {
        name: property.name.clone(),
        trouble,
    }
}

fn unreadable(document: &Document) -> Case {
    let lines: Vec<String> = document.diagnostics.iter().map(line).collect();
    Case {
        name: "model".to_owned(),
        trouble: Some(Trouble {
            element: "error",
            kind: "error".to_owned(),
            message: document.reason.clone().unwrap_or_default(),
            text: lines.join("\n"),
        }),
    }
}

/// `3:14: error E101: there is no signal ...`
fn line(diagnostic: &DiagnosticDocument) -> String {
    let place = diagnostic
        .region
        .map(|r| format!("{}:{}: ", r.line, r.column));
    let code = diagnostic.code.as_ref().map(|code| format!(" {code}"));
    let (place, code) = (place.unwrap_or_default(), code.unwrap_or_default());
    format!(
        "{place}{}{code}: {}",
        diagnostic.severity, diagnostic.message
    )
}

/// Without the characters that XML can't hold, not even escaped.
fn fit(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    lines
        .join("\n")
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
