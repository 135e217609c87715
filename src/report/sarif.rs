//! SARIF 2.1.0, which code hosts and editors show beside the lines of the model: a result for each
//! property that is violated or not known, with its trace as a code flow, and for each diagnostic.
//!
//! What holds is left out: readers that do not know `kind` would take it for a finding.

use serde_json::{Value as Json, json};

use super::document::{
    DiagnosticDocument, Document, PropertyDocument, RegionDocument, StepDocument,
};
use crate::lang::CODES;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where a result is shown that belongs to no place: code hosts want one.
const FIRST_LINE: Option<RegionDocument> = Some(RegionDocument {
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 1,
});

/// The log of one call that ends with this exit code.
pub fn sarif(documents: &[Document], exit_code: u8) -> Json {
    let log = Log {
        documents,
        rules: rules(documents),
        artifacts: artifacts(documents),
    };
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Crisol",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "shortDescription": { "text": env!("CARGO_PKG_DESCRIPTION") },
                "rules": log.rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": exit_code <= 2,
                "exitCode": exit_code,
                "toolExecutionNotifications": log.notifications(),
            }],
            "artifacts": log.artifacts.iter().map(|uri| artifact(uri)).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
            "results": log.results(),
        }],
    })
}

/// The names of all rules that the results refer to, in the order of their first result.
fn rules(documents: &[Document]) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    for document in documents {
        let codes = document.diagnostics.iter().filter_map(|d| d.code.clone());
        let kinds = document.properties.iter().filter(|p| is_result(p));
        for rule in codes.chain(kinds.map(|property| property.kind.clone())) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

fn is_result(property: &PropertyDocument) -> bool {
    property.verdict != "holds"
}

fn described(rule: &str) -> Json {
    let meaning = match rule {
        "always" => "What the model says of every state does not hold in one",
        "ltl" => "A temporal formula of the model does not hold",
        "assertion_failure" => "An assertion fails",
        "implicit_consumption" => "A message is thrown away because the state does not take it",
        "overflow" => "An inbox is full",
        "deadlock" => "Nothing can move, and not everything is at rest",
        "arithmetic_fault" => "A number leaves its range, or something is divided by zero",
        "reference_fault" => "`null`, or what is not there, is used as an object",
        "divergence" => "A run-to-completion step does not end",
        "nondeterminism" => "Two transitions are possible at once",
        "livelock" => "The system runs for ever without getting anywhere",
        code => meaning_of(code),
    };
    json!({ "id": rule, "shortDescription": { "text": format!("{meaning}.") } })
}

fn meaning_of(code: &str) -> &'static str {
    let listed = CODES.iter().find(|(listed, _)| *listed == code);
    listed.map_or("A property of the model", |(_, meaning)| meaning)
}

/// Each file once, also if it was given twice.
fn artifacts(documents: &[Document]) -> Vec<String> {
    let mut uris: Vec<String> = Vec::new();
    for uri in documents.iter().map(|document| uri(&document.model)) {
        if !uris.contains(&uri) {
            uris.push(uri);
        }
    }
    uris
}

fn artifact(uri: &str) -> Json {
    json!({ "location": { "uri": uri }, "sourceLanguage": "crisol" })
}

struct Log<'d> {
    documents: &'d [Document],
    rules: Vec<String>,
    artifacts: Vec<String>,
}

impl Log<'_> {
    fn results(&self) -> Vec<Json> {
        let each = self.documents.iter().enumerate();
        let of_each = each.flat_map(|(index, document)| {
            let diagnostics = document.diagnostics.iter();
            let diagnosed = diagnostics.filter_map(move |d| self.diagnosed(index, d));
            let judged = document.properties.iter().filter(|p| is_result(p));
            diagnosed.chain(judged.map(move |property| self.judged(index, property)))
        });
        of_each.collect()
    }

    fn diagnosed(&self, index: usize, diagnostic: &DiagnosticDocument) -> Option<Json> {
        let code = diagnostic.code.as_ref()?;
        let help = diagnostic.help.as_ref();
        let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
        Some(json!({
            "ruleId": code,
            "ruleIndex": self.rule_index(code),
            "level": diagnostic.severity,
            "message": { "text": format!("{}{help}", diagnostic.message) },
            "locations": [self.location(index, diagnostic.region.or(FIRST_LINE))],
        }))
    }

    fn judged(&self, index: usize, property: &PropertyDocument) -> Json {
        let name = &property.name;
        let mut result = json!({
            "ruleId": property.kind,
            "ruleIndex": self.rule_index(&property.kind),
            "locations": [self.location(index, property.where_to_look().or(FIRST_LINE))],
            "partialFingerprints": { "property/v1": name },
        });
        if property.verdict == "violated" {
            let message = property.message.as_deref().unwrap_or_default();
            result["level"] = json!("error");
            result["message"] = json!({ "text": format!("{name}: {message}.") });
            result["codeFlows"] = json!([self.code_flow(index, property)]);
        } else {
            result["kind"] = json!("open"); // a level is only for what fails
            result["level"] = json!("none");
            result["message"] = json!({ "text": not_known(property) });
        }
        result
    }

    fn rule_index(&self, rule: &str) -> Option<usize> {
        self.rules.iter().position(|known| known == rule)
    }

    fn code_flow(&self, index: usize, property: &PropertyDocument) -> Json {
        let steps = property.trace.iter().flat_map(|trace| &trace.steps);
        let locations = steps.map(|step| {
            let mut location = self.location(index, step.regions.first().copied());
            location["message"] = json!({ "text": told(step) });
            json!({ "location": location, "executionOrder": step.number })
        });
        json!({ "threadFlows": [{ "locations": locations.collect::<Vec<_>>() }] })
    }

    fn location(&self, index: usize, region: Option<RegionDocument>) -> Json {
        let uri = uri(&self.documents[index].model);
        let artifact = self.artifacts.iter().position(|known| *known == uri);
        let mut place = json!({ "artifactLocation": { "uri": uri, "index": artifact } });
        if let Some(region) = region {
            place["region"] = json!({
                "startLine": region.line,
                "startColumn": region.column,
                "endLine": region.end_line,
                "endColumn": region.end_column,
            });
        }
        json!({ "physicalLocation": place })
    }

    /// What belongs to no line: files that can't be read, and whatever is not known.
    fn notifications(&self) -> Vec<Json> {
        let each = self.documents.iter().enumerate();
        let of_each = each.flat_map(|(index, document)| {
            let diagnostics = document.diagnostics.iter();
            let placeless = diagnostics.filter(|d| d.code.is_none());
            let told = placeless.map(|d| (d.severity.as_str(), d.message.clone()));
            let unknown = document.properties.iter();
            let unknown = unknown.filter(|p| p.verdict == "unknown");
            let unknown = unknown.map(|property| ("warning", not_known(property)));
            let both = told.chain(unknown);
            both.map(move |(level, text)| self.notification(index, level, &text))
        });
        of_each.collect()
    }

    fn notification(&self, index: usize, level: &str, text: &str) -> Json {
        json!({
            "level": level,
            "message": { "text": text },
            "locations": [self.location(index, None)],
        })
    }
}

fn not_known(property: &PropertyDocument) -> String {
    let reason = property.reason.as_deref().unwrap_or("it was not decided");
    format!("{} is unknown: {reason}.", property.name)
}

/// A step in a line or few: who did what, and what changed.
fn told(step: &StepDocument) -> String {
    let states = step.states.iter().map(|change| match &change.before {
        Some(before) => format!("{}: {before} -> {}", change.name, change.after),
        None => format!("{} in {}", change.name, change.after),
    });
    let changed = step.variables.iter().filter(|v| v.before.is_some());
    let variables = changed.map(|v| format!("{} = {}", v.name, v.after));
    let mut lines = vec![step.summary.clone()];
    lines.extend(states.chain(variables));
    lines.join("\n")
}

/// A path as a relative reference, or as a `file:` address if it is absolute.
fn uri(path: &str) -> String {
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded = path.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    scheme.to_owned() + &encoded.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references_that_nobody_takes_for_an_address() {
        assert_eq!(uri("./models/a b.csm"), "models/a%20b.csm");
        assert_eq!(uri("http://x?#%.csm"), "http%3A//x%3F%23%25.csm");
        assert_eq!(
            uri("/models/größe.csm"),
            "file:///models/gr%C3%B6%C3%9Fe.csm"
        );
    }
}
